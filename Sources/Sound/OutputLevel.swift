// SPDX-License-Identifier: GPL-3.0-or-later
//
// How far the output is turned up, read and left as it is. For a worker: a mixer may hang as its sound
// server does. What turns it up is `VolumeLift.swift`.

/// What an output is set to that `Output.control` names.
public nonisolated struct OutputLevel: Equatable, Sendable {
  /// On the scale that desktops and alsamixer(1) show; nil where it has no volume.
  public var percent: Int?
  public var isMuted: Bool
  /// What the mixer calls it.
  public var element: String

  /// What comes last on the way to the listener says most; where it is not known by name, the loudest
  /// does, since one of headphones that are not plugged in is often down.
  private static let decisive = ["Master", "PCM"]

  /// Nil where nothing of it can be turned down or muted.
  public init?(control: String) throws(ALSAFailure) {
    let mixer = try Mixer.open(control)
    var levels: [OutputLevel] = []
    for key in mixer.keys {
      guard let level = try mixer.level(key) else { continue }
      levels.append(OutputLevel(level, mixer, key))
    }
    let known = Self.decisive.lazy.compactMap { name in levels.first { $0.element == name } }.first
    guard let chosen = known ?? levels.max(by: { $0.loudness < $1.loudness }) else { return nil }
    self = chosen
  }

  private init(_ level: Mixer.Level, _ mixer: any OutputVolume, _ key: Mixer.Key) {
    element = key.name
    isMuted = !level.switches.isEmpty && !level.switches.contains(true)
    percent = level.volumes.max().map { volume in
      (0...100).first { mixer.volume(percent: $0, key) >= volume } ?? 100
    }
  }

  private var loudness: Int { isMuted ? -1 : percent ?? 100 }
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// The volume of an output, be it a card's mixer or an output of the sound server, and how far it is
// turned up. Here it is only reached; `VolumeLift.swift` turns it up. For a worker: a mixer may
// hang as its sound server does. Next: `Mixer.swift`, that of a card.

import CPulse
import Glibc
import Sound

/// What `VolumeLift` turns up: the elements that what is played goes through, as one who asks last
/// left them. In the mixer's own units.
nonisolated protocol OutputVolume: AnyObject {
  var keys: [Mixer.Key] { get }
  /// Takes in what others have changed.
  func update() throws(ALSAFailure)
  /// What the element of `key` is set to, as of the last `update`; nil where there is none.
  func level(_ key: Mixer.Key) throws(ALSAFailure) -> Mixer.Level?
  /// Sets the element of `key`; of another number of channels than it has, those that there are.
  func set(_ level: Mixer.Level, _ key: Mixer.Key) throws(ALSAFailure)
  /// The lowest and the highest volume that the element of `key` can have.
  func range(_ key: Mixer.Key) -> ClosedRange<Int>
  /// The volume of `percent` on the scale that desktops show.
  func volume(percent: Int, _ key: Mixer.Key) -> Int
  /// Makes a stream of ours heard that is muted or turned down.
  func putRight(_ stream: OutputStream) throws(ALSAFailure)
}

extension Output {
  /// The volume of what `control` names: see `Output.control`.
  nonisolated static func volume(of control: String) throws(ALSAFailure) -> any OutputVolume {
    guard let sink = sink(of: control) else { return try Mixer(control: control) }
    return try SinkVolume(sink: sink)
  }
}

/// That of an output of the sound server.
nonisolated final class SinkVolume: OutputVolume {
  private let server: SoundServer
  private let name: String
  private var sink: SoundServer.Sink

  private static let key = Mixer.Key(name: "Sink", index: 0)

  init(sink name: String) throws(ALSAFailure) {
    server = try SoundServer()
    self.name = name
    sink = try Self.find(name, server)
  }

  private static func find(
    _ name: String, _ server: SoundServer
  ) throws(ALSAFailure) -> SoundServer.Sink {
    guard let sink = try server.sinks().first(where: { $0.name == name }) else {
      throw ALSAFailure("pa_context_get_sink_info_list", -ENODEV)
    }
    return sink
  }

  var keys: [Mixer.Key] { [Self.key] }
  func update() throws(ALSAFailure) { sink = try Self.find(name, server) }
  func level(_ key: Mixer.Key) throws(ALSAFailure) -> Mixer.Level? {
    key == Self.key ? sink.level : nil
  }
  func set(_ level: Mixer.Level, _ key: Mixer.Key) throws(ALSAFailure) {
    guard key == Self.key else { return }
    try server.set(level, sink: name)
    try update()
  }
  func range(_ key: Mixer.Key) -> ClosedRange<Int> { 0...Int(PA_VOLUME_NORM) }
  func volume(percent: Int, _ key: Mixer.Key) -> Int {
    Int(PA_VOLUME_NORM) * min(max(percent, 0), 100) / 100
  }

  func putRight(_ stream: OutputStream) throws(ALSAFailure) {
    // Where an output is as loud as its loudest stream, that would be turning it up.
    try server.putRight(stream.index, volumes: sink.isFlat ? nil : stream.channels)
  }
}

nonisolated extension OutputLevel {
  /// What comes last on the way to the listener says most; where it is not known by name, the
  /// loudest does, since one of headphones that are not plugged in is often down.
  private static let decisive = ["Master", "PCM"]

  /// Nil where nothing of it can be turned down or muted.
  init?(control: String) throws(ALSAFailure) {
    let mixer = try Output.volume(of: control)
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
    let percent = level.volumes.max().map { volume in
      (0...100).first { mixer.volume(percent: $0, key) >= volume } ?? 100
    }
    self.init(
      percent: percent, isMuted: !level.switches.isEmpty && !level.switches.contains(true),
      element: key.name)
  }

  private var loudness: Int { isMuted ? -1 : percent ?? 100 }
}

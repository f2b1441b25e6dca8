// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads and sets the volume of an output, which is a sound card or an output of the sound server.
// `VolumeLift.swift` decides the volume. Use this on a worker, because a mixer may hang with its
// sound server. Next: `Mixer.swift`, the mixer of a card.

import CPulse
import Glibc
import Sound

/// The mixer elements that sound passes through on its way to one output. Volumes are in the
/// mixer's own units.
nonisolated protocol OutputVolume: AnyObject {
  var keys: [Mixer.Key] { get }
  /// Takes in the changes that other programs have made to the volumes.
  func update() throws(ALSAFailure)
  /// The level of an element as of the last `update`; nil if there is no such element.
  func level(_ key: Mixer.Key) throws(ALSAFailure) -> Mixer.Level?
  /// Sets the level of an element. Channels that the element does not have are ignored.
  func set(_ level: Mixer.Level, _ key: Mixer.Key) throws(ALSAFailure)
  /// The lowest and the highest volume of an element.
  func range(_ key: Mixer.Key) -> ClosedRange<Int>
  /// Converts `percent`, 0...100, from the scale that desktops show.
  func volume(percent: Int, _ key: Mixer.Key) -> Int
  /// Unmutes a stream of this process and gives it its full volume.
  func unmute(_ stream: OutputStream) throws(ALSAFailure)
}

extension Output {
  nonisolated static func volume(of control: String) throws(ALSAFailure) -> any OutputVolume {
    guard let sink = sink(of: control) else { return try Mixer(control: control) }
    return try SinkVolume(sink: sink)
  }
}

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

  func unmute(_ stream: OutputStream) throws(ALSAFailure) {
    // With flat volumes, an output is as loud as its loudest stream. A stream at full volume would
    // raise the output.
    try server.unmute(stream.index, volumes: sink.isFlat ? nil : stream.channels)
  }
}

nonisolated extension OutputLevel {
  /// The mixer elements that set how loud the output is, best first. If a mixer has neither of
  /// these two, its loudest element counts, because its other elements may belong to headphones
  /// that are not plugged in.
  private static let decisive = ["Master", "PCM"]

  /// Reads the level of an output. Returns nil if nothing of the output can be turned down or
  /// muted.
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

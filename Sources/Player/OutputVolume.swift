// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads and sets the volume of an output, which is a sound card with an ALSA mixer or an output of
// the sound server. `VolumeLift.swift` decides the volume. Only one thread at a time may use a
// mixer. A call can hang if the mixer leads to a sound server that hangs, so the main loop must not
// make it.

import CALSA
import CPulse
import Glibc
import Sound
import System

/// The mixer elements that sound passes through on its way to one output. Volumes are in the
/// mixer's own units.
protocol OutputVolume: AnyObject {
  var keys: [ALSAMixer.Key] { get }
  /// Takes in the changes that other programs have made to the volumes.
  func update() throws(ALSAFailure)
  /// The level of an element as of the last `update`; nil if there is no such element.
  func level(_ key: ALSAMixer.Key) throws(ALSAFailure) -> ALSAMixer.Level?
  /// Sets the level of an element. Channels that the element does not have are ignored.
  func set(_ level: ALSAMixer.Level, _ key: ALSAMixer.Key) throws(ALSAFailure)
  /// The lowest and the highest volume of an element.
  func range(_ key: ALSAMixer.Key) -> ClosedRange<Int>
  /// Converts `percent`, 0...100, from the scale that desktops show.
  func volume(percent: Int, _ key: ALSAMixer.Key) -> Int
  /// Unmutes a stream of this process and gives it its full volume.
  func unmute(_ stream: OutputStream) throws(ALSAFailure)
}

extension Output {
  static func volume(of control: String) throws(ALSAFailure) -> any OutputVolume {
    guard sink(of: control) != nil else { return try ALSAMixer(control: control) }
    return try SinkVolume(control: control)
  }
}

final class SinkVolume: OutputVolume {
  private let server: SoundServer
  private let control: String
  private var sink: SoundServer.Sink

  private static let key = ALSAMixer.Key(name: "Sink", index: 0)

  init(control: String) throws(ALSAFailure) {
    server = try SoundServer()
    self.control = control
    sink = try Self.find(control, server)
  }

  /// Finds the output with this control. If its port is not in use, the output counts as missing.
  private static func find(
    _ control: String, _ server: SoundServer
  ) throws(ALSAFailure) -> SoundServer.Sink {
    guard let sink = try server.sinks().first(where: { $0.matches(control) }) else {
      throw ALSAFailure("pa_context_get_sink_info_list", -ENODEV)
    }
    return sink
  }

  var keys: [ALSAMixer.Key] { [Self.key] }
  func update() throws(ALSAFailure) { sink = try Self.find(control, server) }
  func level(_ key: ALSAMixer.Key) throws(ALSAFailure) -> ALSAMixer.Level? {
    key == Self.key ? sink.level : nil
  }
  func set(_ level: ALSAMixer.Level, _ key: ALSAMixer.Key) throws(ALSAFailure) {
    guard key == Self.key else { return }
    try server.set(level, sink: sink.name)
    try update()
  }
  func range(_ key: ALSAMixer.Key) -> ClosedRange<Int> { 0...Int(PA_VOLUME_NORM) }
  func volume(percent: Int, _ key: ALSAMixer.Key) -> Int {
    Int(PA_VOLUME_NORM) * min(max(percent, 0), 100) / 100
  }

  func unmute(_ stream: OutputStream) throws(ALSAFailure) {
    // With flat volumes, an output is as loud as its loudest stream. A stream at full volume would
    // raise the output.
    try server.unmute(stream.index, volumes: sink.isFlat ? nil : stream.channels)
  }
}

extension OutputLevel {
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

  private init(_ level: ALSAMixer.Level, _ mixer: any OutputVolume, _ key: ALSAMixer.Key) {
    let percent = level.volumes.max().map { volume in
      (0...100).first { mixer.volume(percent: $0, key) >= volume } ?? 100
    }
    self.init(
      percent: percent, isMuted: !level.switches.isEmpty && !level.switches.contains(true),
      element: key.name)
  }

  private var loudness: Int { isMuted ? -1 : percent ?? 100 }
}

/// An open mixer (`snd_mixer_t`), closed when this object is released.
final class ALSAMixer: OutputVolume {
  /// Identifies an element of a mixer by its name and its index, such as the first "Headphone".
  struct Key: Codable, Hashable {
    var name: String
    var index: Int
  }

  /// The volumes and mute switches of a mixer element. Each channel has one volume and one switch.
  struct Level: Codable, Equatable {
    /// The volumes in the mixer's own units; empty if the element has no volume.
    var volumes: [Int]
    /// The mute switches: false means muted. Empty if the element cannot be muted.
    var switches: [Bool]

    /// Whether all channels are muted or turned down to nothing.
    var isSilent: Bool {
      (!switches.isEmpty && !switches.contains(true))
        || (!volumes.isEmpty && volumes.allSatisfy { $0 <= 0 })
    }
  }

  private let mixer: OpaquePointer
  private var elements: [Key: OpaquePointer] = [:]

  /// The names of the elements that sound passes through on its way to the listener. Each card has
  /// some of them.
  private static let outputs: Set = [
    "Master", "PCM", "Speaker", "Bass Speaker", "Headphone", "Front", "Line Out", "Digital", "Wave",
    "DAC",
  ]

  /// Opens the mixer of `control`, an ALSA CTL name such as `hw:0` or `default` (`snd_mixer_open`,
  /// `snd_mixer_attach`).
  init(control: String) throws(ALSAFailure) {
    var handle: OpaquePointer?
    try ALSAMixer.check("snd_mixer_open", snd_mixer_open(&handle, 0))
    guard let handle else { throw ALSAFailure("snd_mixer_open", -ENOMEM) }
    mixer = handle
    // If a call below throws, `deinit` closes the mixer.
    try ALSAMixer.check("snd_mixer_attach", snd_mixer_attach(mixer, control))
    try ALSAMixer.check("snd_mixer_selem_register", snd_mixer_selem_register(mixer, nil, nil))
    try ALSAMixer.check("snd_mixer_load", snd_mixer_load(mixer))
    var next = snd_mixer_first_elem(mixer)
    while let element = next {
      if ALSAMixer.isOutput(element) { elements[ALSAMixer.key(of: element)] = element }
      next = snd_mixer_elem_next(element)
    }
    let known = elements.filter { ALSAMixer.outputs.contains($0.key.name) }
    if !known.isEmpty { elements = known }
  }

  deinit { snd_mixer_close(mixer) }

  /// Returns the names and indexes of the mixer elements that are listed in `outputs`. If the mixer
  /// has no element from that list, returns all elements that can be turned down or muted.
  var keys: [Key] { elements.keys.sorted { ($0.name, $0.index) < ($1.name, $1.index) } }

  /// Takes in the changes that other programs have made to the mixer (`snd_mixer_handle_events`).
  /// Does not wait.
  func update() throws(ALSAFailure) {
    try ALSAMixer.check("snd_mixer_handle_events", snd_mixer_handle_events(mixer))
  }

  func level(_ key: Key) throws(ALSAFailure) -> Level? {
    guard let element = elements[key] else { return nil }
    var level = Level(volumes: [], switches: [])
    for channel in ALSAMixer.channels(of: element) {
      if snd_mixer_selem_has_playback_volume(element) != 0 {
        var volume = 0
        try ALSAMixer.check(
          "snd_mixer_selem_get_playback_volume",
          snd_mixer_selem_get_playback_volume(element, channel, &volume))
        level.volumes.append(volume)
      }
      if snd_mixer_selem_has_playback_switch(element) != 0 {
        var isOn: Int32 = 0
        try ALSAMixer.check(
          "snd_mixer_selem_get_playback_switch",
          snd_mixer_selem_get_playback_switch(element, channel, &isOn))
        level.switches.append(isOn != 0)
      }
    }
    return level
  }

  func set(_ level: Level, _ key: Key) throws(ALSAFailure) {
    guard let element = elements[key] else { return }
    for (channel, volume) in zip(ALSAMixer.channels(of: element), level.volumes) {
      try ALSAMixer.check(
        "snd_mixer_selem_set_playback_volume",
        snd_mixer_selem_set_playback_volume(element, channel, volume))
    }
    for (channel, isOn) in zip(ALSAMixer.channels(of: element), level.switches) {
      try ALSAMixer.check(
        "snd_mixer_selem_set_playback_switch",
        snd_mixer_selem_set_playback_switch(element, channel, isOn ? 1 : 0))
    }
  }

  func range(_ key: Key) -> ClosedRange<Int> {
    var (low, high) = (0, 0)
    if let element = elements[key] {
      snd_mixer_selem_get_playback_volume_range(element, &low, &high)
    }
    return low...max(low, high)
  }

  /// Converts `percent` from the scale that desktops and alsamixer(1) show. If the element has
  /// volumes in decibels, that scale is the cube root of the amplitude. Otherwise the scale is the
  /// element's range itself (`snd_mixer_selem_get_playback_dB_range`,
  /// `snd_mixer_selem_ask_playback_dB_vol`).
  func volume(percent: Int, _ key: Key) -> Int {
    let (range, share) = (range(key), Double(min(max(percent, 0), 100)) / 100)
    let linear = range.lowerBound + Int((Double(range.count - 1) * share).rounded())
    var (low, high, volume) = (0, 0, 0)
    // `low` and `high` are in hundredths of a decibel. A range of 24 dB or less does not reach down
    // to silence, so alsamixer(1) shows such an element on a linear scale.
    guard let element = elements[key],
      snd_mixer_selem_get_playback_dB_range(element, &low, &high) >= 0, high - low > 2400
    else { return linear }
    let floor = low <= Int(SND_CTL_TLV_DB_GAIN_MUTE) ? 0 : pow(10, Double(low - high) / 6000)
    let root = share * (1 - floor) + floor
    guard root > 0 else { return range.lowerBound }
    let gain = high + Int((6000 * log10(root)).rounded())
    guard snd_mixer_selem_ask_playback_dB_vol(element, gain, 1, &volume) >= 0 else { return linear }
    return min(max(volume, range.lowerBound), range.upperBound)
  }

  /// Does nothing, because a sound card has no streams.
  func unmute(_ stream: OutputStream) {}

  private static func isOutput(_ element: OpaquePointer) -> Bool {
    snd_mixer_selem_is_active(element) != 0
      && (snd_mixer_selem_has_playback_volume(element) != 0
        || snd_mixer_selem_has_playback_switch(element) != 0)
  }

  private static func key(of element: OpaquePointer) -> Key {
    Key(
      name: snd_mixer_selem_get_name(element).map { String(cString: $0) } ?? "",
      index: Int(snd_mixer_selem_get_index(element)))
  }

  private static func channels(
    of element: OpaquePointer
  ) -> [snd_mixer_selem_channel_id_t] {
    (0...SND_MIXER_SCHN_LAST.rawValue).map { snd_mixer_selem_channel_id_t($0) }
      .filter { snd_mixer_selem_has_playback_channel(element, $0) != 0 }
  }

  private static func check(_ call: String, _ code: Int32) throws(ALSAFailure) {
    if code < 0 { throw ALSAFailure(call, code) }
  }
}

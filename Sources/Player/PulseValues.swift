// SPDX-License-Identifier: GPL-3.0-or-later
//
// The functions of libpulse, and its values as the ones that `SoundServer.swift` answers with.

import CPulse
import System

/// What is called of libpulse; nil if it is missing.
nonisolated let pulse: belfry_pulse! = Library.pulse.load(
  belfry_pulse(), belfry_pulse_names())

nonisolated extension OpaquePointer? {
  /// Of a list of properties: whether its role is that of a call, as PulseAudio or PipeWire has it.
  var isOfCall: Bool {
    guard let list = self, let role = pulse.pa_proplist_gets(list, "media.role") else {
      return false
    }
    return ["phone", "communication"].contains(String(cString: role).lowercased())
  }
}

nonisolated extension SoundServer.Sink {
  init(_ info: pa_sink_info) {
    self.init(
      index: info.index, name: info.name.map { String(cString: $0) } ?? "",
      description: info.description.map { String(cString: $0) } ?? "",
      level: Mixer.Level(volumes: info.volume.list, switches: [info.mute == 0]),
      isFlat: info.flags.rawValue & PA_SINK_FLAT_VOLUME.rawValue != 0)
  }
}

nonisolated extension SoundServer.Play {
  init(_ info: pa_sink_input_info) {
    self.init(
      index: info.index, sink: info.sink,
      level: Mixer.Level(
        volumes: info.has_volume != 0 ? info.volume.list : [], switches: [info.mute == 0]),
      hasVolume: info.has_volume != 0 && info.volume_writable != 0)
  }
}

nonisolated extension pa_cvolume {
  init(_ list: [Int]) {
    self.init()
    let list = list.prefix(Int(PA_CHANNELS_MAX))
    channels = UInt8(list.count)
    withUnsafeMutableBytes(of: &values) { bytes in
      let values = bytes.bindMemory(to: pa_volume_t.self)
      // PA_VOLUME_MAX
      for (index, volume) in list.enumerated() {
        values[index] = min(pa_volume_t(clamping: volume), UInt32.max / 2)
      }
    }
  }

  var list: [Int] {
    withUnsafeBytes(of: values) { bytes in
      bytes.bindMemory(to: pa_volume_t.self).prefix(Int(channels)).map { Int($0) }
    }
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// The functions of libpulse, and the conversion of its values to those of `SoundServer.swift`.

import CPulse
import System

/// The functions of libpulse that are used; nil if the library is missing.
let pulse: belfry_pulse! = Library.pulse.load(
  belfry_pulse(), belfry_pulse_names())

func property(_ name: String, _ list: OpaquePointer?) -> String? {
  guard let list else { return nil }
  return pulse.pa_proplist_gets(list, name).map { String(cString: $0) }
}

/// Whether a stream with these properties belongs to a call. PulseAudio calls that role "phone",
/// PipeWire calls it "Communication".
func isCall(_ properties: OpaquePointer?) -> Bool {
  ["phone", "communication"].contains(property("media.role", properties)?.lowercased())
}

extension SoundServer.Sink {
  init(_ info: pa_sink_info) {
    self.init(
      index: info.index, name: info.name.map { String(cString: $0) } ?? "",
      description: info.description.map { String(cString: $0) } ?? "",
      port: info.active_port.flatMap { $0.pointee.name.map { String(cString: $0) } },
      level: ALSAMixer.Level(volumes: info.volume.list, switches: [info.mute == 0]),
      isFlat: info.flags.rawValue & PA_SINK_FLAT_VOLUME.rawValue != 0)
  }
}

extension SoundServer.Play {
  init(_ info: pa_sink_input_info) {
    self.init(
      index: info.index, sink: info.sink,
      level: ALSAMixer.Level(
        volumes: info.has_volume != 0 ? info.volume.list : [], switches: [info.mute == 0]),
      hasVolume: info.has_volume != 0 && info.volume_writable != 0)
  }
}

extension pa_cvolume {
  init(_ list: [Int]) {
    self.init()
    let list = list.prefix(Int(PA_CHANNELS_MAX))
    channels = UInt8(list.count)
    withUnsafeMutableBytes(of: &values) { bytes in
      let values = bytes.bindMemory(to: pa_volume_t.self)
      // `UInt32.max / 2` is PA_VOLUME_MAX.
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

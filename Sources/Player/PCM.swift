// SPDX-License-Identifier: GPL-3.0-or-later
//
// An ALSA playback device. It is opened without blocking on other programs, and filled and started
// when its first sample is due, not before. It retries nothing. Not for two threads at a time; a
// call can still hang in a plugin whose sound server does, so keep it off the main loop.

import CALSA
import CGLib
import Glibc
import Scheduling
import Sound
import System

nonisolated extension ALSAFailure {
  init(_ call: String, _ code: Int32) {
    self.init(call: call, code: code, text: String(cString: snd_strerror(code)))
  }

  /// A device that did not open. If there was no memory for the connection to a sound server, its
  /// plug-in reports that the server or the device is not there, or an I/O error.
  init(opening code: Int32) {
    let mayBeMemory = [ECONNREFUSED, EHOSTDOWN, EIO, ENXIO].contains(-code)
    self.init("snd_pcm_open", mayBeMemory && Memory.isShort ? -ENOMEM : code)
  }
}

/// An open playback device (`snd_pcm_t`), closed when released.
nonisolated final class PCM {
  /// The frames that it holds ahead of the loudspeaker.
  let bufferFrames: Int
  let channels: Int
  /// The number of the card that it is on; nil for a sound server and others that are none.
  let card: Int?

  private let pcm: OpaquePointer
  private let format: Format

  /// The buffer that is asked for.
  private static let buffered = Duration.milliseconds(500)

  /// Opens `device`, an ALSA PCM name; where it does not take the rate or the channels itself,
  /// through ALSA's converter, the `plug` plugin.
  convenience init(device: String, rate: Int, channels: Int) throws(PCMError) {
    PCM.listenToALSA()
    do throws(PCMError) {
      try self.init(opening: device, rate, channels)
    } catch .unsuitable {
      try self.init(opening: "plug:SLAVE='\(device)'", rate, channels)
    }
  }

  private init(opening device: String, _ rate: Int, _ channels: Int) throws(PCMError) {
    var handle: OpaquePointer?
    // Without SND_PCM_NONBLOCK, opening a busy card waits until the other program closes it.
    let code = snd_pcm_open(&handle, device, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK)
    guard code >= 0, let handle else { throw .unavailable(ALSAFailure(opening: code)) }
    do {
      format = try PCM.setHardware(handle, rate, channels)
      bufferFrames = try PCM.setSoftware(handle)
    } catch {
      snd_pcm_close(handle)
      throw .unsuitable(error)
    }
    (pcm, self.channels, card) = (handle, channels, PCM.card(of: handle))
  }

  deinit { snd_pcm_close(pcm) }

  /// How many frames it has room for now (`snd_pcm_avail`; `snd_pcm_avail_update` would believe the
  /// position that it saw last, which under some plugins never moves).
  func writable() throws(PCMError) -> Int {
    min(Int(try check("snd_pcm_avail", snd_pcm_avail(pcm))), bufferFrames)
  }

  /// Writes the frames `range` of `samples`, interleaved, -1...1 and clamped to that; never waits.
  /// Returns how many it took, which may be fewer, or none (`snd_pcm_writei`).
  func write(_ samples: [Float], _ range: Range<Int>) throws(PCMError) -> Int {
    precondition(range.upperBound * channels <= samples.count)
    let values = samples[range.lowerBound * channels..<range.upperBound * channels]
    let taken =
      switch format {
      case .float: writei(values.map(PCM.clamped), frames: range.count)
      case .int32: writei(values.map(PCM.int32), frames: range.count)
      case .int16: writei(values.map(PCM.int16), frames: range.count)
      }
    if taken == -Int(EAGAIN) { return 0 }
    return Int(try check("snd_pcm_writei", taken))
  }

  /// Begins to play what was written (`snd_pcm_start`).
  func start() throws(PCMError) { try check("snd_pcm_start", Int(snd_pcm_start(pcm))) }

  /// Falls silent at once and forgets what was written (`snd_pcm_drop`).
  func drop() { snd_pcm_drop(pcm) }

  /// Makes it ready to be filled and started, after `drop` or an interruption (`snd_pcm_prepare`,
  /// which unlike `snd_pcm_resume` every driver has, and which never waits).
  func prepare() throws(PCMError) {
    try check("snd_pcm_prepare", Int(snd_pcm_prepare(pcm)))
  }

  @discardableResult
  private func check(_ call: String, _ result: Int) throws(PCMError) -> Int {
    guard result < 0 else { return result }
    let failure = ALSAFailure(call, Int32(result))
    switch -failure.code {
    case EPIPE, ESTRPIPE, EINTR: throw .interrupted(failure)
    default: throw .lost(failure)
    }
  }

  /// What may still play where nothing does that was asked for: ALSA's own default, and that of
  /// each card (`snd_card_next`).
  static var spares: [String] {
    var names = ["sysdefault"]
    var card: Int32 = -1
    while snd_card_next(&card) >= 0, card >= 0 { names.append("sysdefault:CARD=\(card)") }
    return names
  }
}

// MARK: - Settings

nonisolated extension PCM {
  /// In the order in which we ask: what needs no conversion here first. Of this machine's byte
  /// order.
  fileprivate enum Format: CaseIterable {
    case float, int32, int16

    var code: snd_pcm_format_t {
      switch self {
      case .float: SND_PCM_FORMAT_FLOAT
      case .int32: SND_PCM_FORMAT_S32
      case .int16: SND_PCM_FORMAT_S16
      }
    }
  }

  /// `snd_pcm_hw_params`: interleaved, exactly this rate and these channels, the buffer as near as
  /// the device can. A period is a fifth of it: fewer would let a late refill run dry, more would
  /// cost wake-ups.
  private static func setHardware(
    _ pcm: OpaquePointer, _ rate: Int, _ channels: Int
  ) throws(ALSAFailure) -> Format {
    var parameters: OpaquePointer?
    snd_pcm_hw_params_malloc(&parameters)
    defer { snd_pcm_hw_params_free(parameters) }
    try require("snd_pcm_hw_params_any", snd_pcm_hw_params_any(pcm, parameters))
    try require(
      "snd_pcm_hw_params_set_access",
      snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED))
    let format = Format.allCases.first {
      snd_pcm_hw_params_test_format(pcm, parameters, $0.code) == 0
    }
    guard let format else { throw ALSAFailure("snd_pcm_hw_params_test_format", -EINVAL) }
    try require(
      "snd_pcm_hw_params_set_format", snd_pcm_hw_params_set_format(pcm, parameters, format.code))
    try require(
      "snd_pcm_hw_params_set_channels",
      snd_pcm_hw_params_set_channels(pcm, parameters, UInt32(channels)))
    try require(
      "snd_pcm_hw_params_set_rate", snd_pcm_hw_params_set_rate(pcm, parameters, UInt32(rate), 0))
    var buffer = UInt32(clamping: buffered.wholeMicroseconds)
    try require(
      "snd_pcm_hw_params_set_buffer_time_near",
      snd_pcm_hw_params_set_buffer_time_near(pcm, parameters, &buffer, nil))
    var period = buffer / 5
    try require(
      "snd_pcm_hw_params_set_period_time_near",
      snd_pcm_hw_params_set_period_time_near(pcm, parameters, &period, nil))
    try require("snd_pcm_hw_params", snd_pcm_hw_params(pcm, parameters))
    return format
  }

  /// `snd_pcm_sw_params`: a card plays nothing before `start`, or before it is full; a sound server
  /// may. Returns how many frames it holds.
  private static func setSoftware(_ pcm: OpaquePointer) throws(ALSAFailure) -> Int {
    var (buffer, period) = (snd_pcm_uframes_t(), snd_pcm_uframes_t())
    try require("snd_pcm_get_params", snd_pcm_get_params(pcm, &buffer, &period))
    var parameters: OpaquePointer?
    snd_pcm_sw_params_malloc(&parameters)
    defer { snd_pcm_sw_params_free(parameters) }
    try require("snd_pcm_sw_params_current", snd_pcm_sw_params_current(pcm, parameters))
    try require(
      "snd_pcm_sw_params_set_start_threshold",
      snd_pcm_sw_params_set_start_threshold(pcm, parameters, buffer))
    try require("snd_pcm_sw_params", snd_pcm_sw_params(pcm, parameters))
    return Int(buffer)
  }

  /// `snd_pcm_info`, which plugins pass on to the device below them.
  private static func card(of pcm: OpaquePointer) -> Int? {
    var info: OpaquePointer?
    snd_pcm_info_malloc(&info)
    defer { snd_pcm_info_free(info) }
    guard snd_pcm_info(pcm, info) >= 0 else { return nil }
    let card = Int(snd_pcm_info_get_card(info))
    return card >= 0 ? card : nil
  }

  private static func require(_ call: String, _ code: Int32) throws(ALSAFailure) {
    if code < 0 { throw ALSAFailure(call, code) }
  }
}

// MARK: - Samples

nonisolated extension PCM {
  /// A file's floats may exceed full scale, or be no numbers at all.
  private static func clamped(_ sample: Float) -> Float {
    sample.isNaN ? 0 : min(max(sample, -1), 1)
  }

  private static func int32(_ sample: Float) -> Int32 {
    Int32(clamping: Int64(Double(clamped(sample)) * 0x8000_0000))
  }

  private static func int16(_ sample: Float) -> Int16 {
    Int16(clamping: Int32((clamped(sample) * 0x8000).rounded()))
  }

  fileprivate func writei<Sample>(_ samples: [Sample], frames: Int) -> Int {
    samples.withUnsafeBytes {
      snd_pcm_writei(pcm, $0.baseAddress, snd_pcm_uframes_t(frames))
    }
  }

  /// ALSA would write what it has to say of a device that does not open to standard error, which is
  /// not ours to fill with its "Unknown PCM" at each retry. For this thread: the handler for all is
  /// variadic, which Swift cannot write.
  private static func listenToALSA() {
    snd_lib_error_set_local { _, _, function, _, format, arguments in
      guard let function, let arguments, let text = g_strdup_vprintf(format, arguments) else {
        return
      }
      Log.debug("ALSA: \(String(cString: function)): \(String(cString: text))")
      g_free(text)
    }
  }
}

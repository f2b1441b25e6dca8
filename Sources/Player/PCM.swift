// SPDX-License-Identifier: GPL-3.0-or-later
//
// An ALSA playback device: opened, filled, and started when the first sample is due. Nothing is
// retried here. Only one thread at a time may use a device. A call can hang if the device leads to
// a sound server that hangs, so the main loop must not make it. Next: `Stream.swift`.

import CALSA
import Glibc
import Scheduling
import Sound
import System

extension ALSAFailure {
  init(_ call: String, _ code: Int32) {
    self.init(call: call, code: code, text: String(cString: snd_strerror(code)))
  }
}

/// An open playback device (`snd_pcm_t`), closed when this object is released.
final class PCM {
  let bufferFrames: Int
  let channels: Int
  /// The number of the sound card; nil if the device leads to a sound server.
  let card: Int?

  private let pcm: OpaquePointer

  private static let wantedBuffer = Duration.milliseconds(500)

  /// Opens `device`, an ALSA PCM name, for samples of type Float. If the device does not accept
  /// such samples at this rate with this many channels, opens it through ALSA's converter, the
  /// `plug` plugin.
  convenience init(device: String, rate: Int, channels: Int) throws(PCMError) {
    calsa_log_messages()
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
    guard code >= 0, let handle else { throw .unavailable(ALSAFailure("snd_pcm_open", code)) }
    do {
      try PCM.setHardware(handle, rate, channels)
      bufferFrames = try PCM.setSoftware(handle)
    } catch {
      snd_pcm_close(handle)
      throw .unsuitable(error)
    }
    (pcm, self.channels, card) = (handle, channels, PCM.card(of: handle))
  }

  deinit { snd_pcm_close(pcm) }

  /// How many frames the device has room for now (`snd_pcm_avail`). `snd_pcm_avail_update` is not
  /// used, because with some plug-ins it never notices that the device has played on.
  func writable() throws(PCMError) -> Int {
    min(Int(try check("snd_pcm_avail", snd_pcm_avail(pcm))), bufferFrames)
  }

  /// Writes the frames `range` of the interleaved `samples`, clamped to -1...1, without waiting
  /// (`snd_pcm_writei`). Returns how many frames the device accepted, possibly none.
  func write(_ samples: [Float], _ range: Range<Int>) throws(PCMError) -> Int {
    precondition(range.upperBound * channels <= samples.count)
    // The samples of a file may exceed full scale or be NaN.
    let values = samples[range.lowerBound * channels..<range.upperBound * channels].map {
      $0.isNaN ? 0 : min(max($0, -1), 1)
    }
    let taken = snd_pcm_writei(pcm, values, snd_pcm_uframes_t(range.count))
    if taken == -Int(EAGAIN) { return 0 }
    return Int(try check("snd_pcm_writei", taken))
  }

  /// Begins to play what was written (`snd_pcm_start`).
  func start() throws(PCMError) { try check("snd_pcm_start", Int(snd_pcm_start(pcm))) }

  /// Falls silent at once and discards the samples that were written (`snd_pcm_drop`).
  func drop() { snd_pcm_drop(pcm) }

  /// After `drop` or an interruption, makes the device ready to be filled and started again
  /// (`snd_pcm_prepare`). Every driver supports this call, and the call never waits. Neither is
  /// true of `snd_pcm_resume`.
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

  /// The devices to try if the user's own devices do not work: the sound servers, then ALSA's
  /// default, and the default of each card (`snd_card_next`). The first of a list that opens is
  /// used.
  static var spares: [[String]] {
    var names = [["pipewire", "pulse"], ["sysdefault"]]
    var card: Int32 = -1
    while snd_card_next(&card) >= 0, card >= 0 { names.append(["sysdefault:CARD=\(card)"]) }
    return names
  }
}

// MARK: - Settings of a device

extension PCM {
  /// Asks for interleaved floats, exactly this rate and number of channels, and a buffer as near to
  /// `wantedBuffer` as possible (`snd_pcm_hw_params`). A period is a fifth of the buffer. With
  /// longer periods, the buffer would run dry if a refill is late. Shorter periods would cost
  /// wake-ups.
  private static func setHardware(
    _ pcm: OpaquePointer, _ rate: Int, _ channels: Int
  ) throws(ALSAFailure) {
    var parameters: OpaquePointer?
    snd_pcm_hw_params_malloc(&parameters)
    defer { snd_pcm_hw_params_free(parameters) }
    try require("snd_pcm_hw_params_any", snd_pcm_hw_params_any(pcm, parameters))
    try require(
      "snd_pcm_hw_params_set_access",
      snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED))
    try require(
      "snd_pcm_hw_params_set_format",
      snd_pcm_hw_params_set_format(pcm, parameters, SND_PCM_FORMAT_FLOAT))
    try require(
      "snd_pcm_hw_params_set_channels",
      snd_pcm_hw_params_set_channels(pcm, parameters, UInt32(channels)))
    try require(
      "snd_pcm_hw_params_set_rate", snd_pcm_hw_params_set_rate(pcm, parameters, UInt32(rate), 0))
    var buffer = UInt32(clamping: wantedBuffer.wholeMicroseconds)
    try require(
      "snd_pcm_hw_params_set_buffer_time_near",
      snd_pcm_hw_params_set_buffer_time_near(pcm, parameters, &buffer, nil))
    var period = buffer / 5
    try require(
      "snd_pcm_hw_params_set_period_time_near",
      snd_pcm_hw_params_set_period_time_near(pcm, parameters, &period, nil))
    try require("snd_pcm_hw_params", snd_pcm_hw_params(pcm, parameters))
  }

  /// Makes a card wait for `start` before it plays (`snd_pcm_sw_params`). The card begins by itself
  /// only when its buffer is full. A sound server may ignore this setting. Returns how many frames
  /// the device holds.
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

  /// Returns the number of the sound card, which the device below all plugins reports
  /// (`snd_pcm_info`); nil if there is no card.
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

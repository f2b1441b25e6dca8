// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plays one source on one device: decodes it, applies the volume, writes ahead, and watches whether
// the device consumes what was written. Use this only on the thread that plays. `Playback.swift`
// decides what to do if a stream fails.

import Scheduling
import Sound
import System

/// An open device with a source to play. Its functions throw only the troubles `.device` and
/// `.file`.
final class Stream {
  let device: String
  let source: any SoundSource
  private let pcm: PCM
  private let gain: Gain

  /// The time when the next decoded frame is heard, in seconds since the ring began.
  private var time = 0.0
  private var block: [Float]
  /// The frames of `block` that the device has not accepted yet.
  private var pending = 0..<0
  /// How many frames have been written since the device was last prepared (`prepare`).
  private var written = 0
  /// The value of `written` at which a source that does not loop ends; nil before the end is
  /// decoded.
  private var end: Int?
  /// How many of the written frames the device has consumed.
  private var played = 0
  private var started: ContinuousClock.Instant?
  /// When the device began to consume frames, as far as `refill` has seen; nil before that.
  private(set) var advancing: ContinuousClock.Instant?

  /// How many frames are decoded at once. The number is small, so that stopping the sound waits
  /// only a few milliseconds for the decoder.
  private static let blockFrames = 4096

  init(device: String, source: any SoundSource, gain: Gain) throws(SoundTrouble) {
    (self.device, self.source, self.gain) = (device, source, gain)
    do {
      pcm = try PCM(device: device, rate: source.rate, channels: source.channels)
    } catch {
      throw .device(device, error)
    }
    let frames = max(Stream.blockFrames, pcm.bufferFrames)
    block = [Float](repeating: 0, count: frames * source.channels)
  }

  /// The ALSA control of the device's card; the device's own name if it is on no card.
  var control: String { pcm.card.map { "hw:\($0)" } ?? device }

  /// How often to call `refill`. Most devices have a buffer of 500 ms. It is refilled every 200 ms,
  /// so a refill may be 300 ms late.
  var refillInterval: Duration {
    let buffered = Duration.seconds(1) * pcm.bufferFrames / source.rate
    return max(.milliseconds(5), min(.milliseconds(200), buffered * 2 / 5))
  }

  /// Whether the last frame of a source that does not loop has left the device.
  var isOver: Bool { end.map { played >= $0 } ?? false }

  /// Decodes the frames that `start` writes first. Writes nothing yet, because PipeWire's
  /// PulseAudio server plays whatever is written, even before a start.
  func prefill() throws(SoundTrouble) { try decode(frames: pcm.bufferFrames) }

  /// Fills the device and then starts it, for a ring that began `elapsed` ago. If the device were
  /// started first, a sound server would run out of frames and insert up to two seconds of silence,
  /// which would delay the sound. One frame stays free, because a card with a full buffer starts by
  /// itself.
  func start(elapsed: Duration) throws(SoundTrouble) {
    time = elapsed / .seconds(1)
    applyGain()
    started = .now
    do {
      try fill(upTo: pcm.bufferFrames - 1)
      try asDevice { () throws(PCMError) in try pcm.start() }
    } catch .device(_, .interrupted(let failure)) {
      try goOn(after: failure)
    }
  }

  /// Falls silent at once.
  func drop() { pcm.drop() }

  /// Writes as many frames as the device has room for, and continues after an interruption. Returns
  /// whether the device has consumed any frames since the last call.
  @discardableResult
  func refill() throws(SoundTrouble) -> Bool {
    do {
      let moves = try followPlayback()
      try fill(upTo: pcm.bufferFrames)
      return moves
    } catch .device(_, .interrupted(let failure)) {
      try goOn(after: failure)
      return false
    }
  }

  private func goOn(after failure: ALSAFailure) throws(SoundTrouble) {
    Log.debug("\(device): \(failure.call): \(failure.text); going on")
    try prepare()
    try fill(upTo: pcm.bufferFrames * 3 / 4)
    try asDevice { () throws(PCMError) in try pcm.start() }
  }

  private func fill(upTo frames: Int) throws(SoundTrouble) {
    let writable = try asDevice { () throws(PCMError) in try pcm.writable() }
    var room = writable - (pcm.bufferFrames - frames)
    while room > 0 {
      if pending.isEmpty {
        try decode(frames: min(room, Stream.blockFrames))
        applyGain()
      }
      let range = pending.prefix(room)
      let taken = try asDevice { () throws(PCMError) in try pcm.write(block, range) }
      guard taken > 0 else { return }
      pending = pending.dropFirst(taken)
      written += taken
      room -= taken
    }
  }

  /// Decodes the next `count` frames. After the end of the source the frames are silent, so that
  /// the device plays the last real frame before it is closed.
  private func decode(frames count: Int) throws(SoundTrouble) {
    var frames = 0
    if end == nil {
      do { frames = try source.read(into: &block, count: count) } catch { throw .file(error) }
      if frames < count { end = written + frames }
    }
    for sample in frames * source.channels..<count * source.channels { block[sample] = 0 }
    pending = 0..<count
  }

  private func applyGain() {
    let frames = pending.count
    gain.apply(to: &block, frames: frames, channels: source.channels, rate: source.rate, at: time)
    time += Double(frames) / Double(source.rate)
  }

  /// Makes the device ready to be filled again. Frames that were written but not played are lost.
  /// If the source was already decoded to its end, nothing is left to play.
  private func prepare() throws(SoundTrouble) {
    try asDevice { () throws(PCMError) in try pcm.prepare() }
    (written, played) = (0, 0)
    if end != nil { end = 0 }
  }

  private func followPlayback() throws(SoundTrouble) -> Bool {
    let room = try asDevice { () throws(PCMError) in try pcm.writable() }
    let consumed = written - (pcm.bufferFrames - room)
    guard consumed > played else { return false }
    played = consumed
    if advancing == nil {
      // An idle sound server takes a whole buffer at once, so this may be before the start.
      let began = ContinuousClock.now - Duration.seconds(1) * consumed / source.rate
      advancing = started.map { max($0, began) }
    }
    return true
  }

  private func asDevice<Result>(
    _ call: () throws(PCMError) -> Result
  ) throws(SoundTrouble) -> Result {
    do { return try call() } catch { throw .device(device, error) }
  }
}

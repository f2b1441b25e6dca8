// SPDX-License-Identifier: GPL-3.0-or-later
//
// One source flowing into one device: decode, scale, write ahead, and see whether the device really
// consumes it. It belongs to the sound thread. It opens nothing a second time: what is done when it
// throws, `Playback.swift` decides.

import Scheduling
import Sound
import System

/// An open device with a source to play. It throws `.device` and `.file` only.
nonisolated final class Stream {
  let device: String
  let source: any SoundSource
  private let pcm: PCM
  private let gain: Gain

  /// Seconds into the ring at which the next decoded frame sounds.
  private var time: Double
  private var block: [Float]
  /// The frames of `block` that the device has not taken yet.
  private var pending = 0..<0
  /// Frames written since it was last prepared.
  private var written = 0
  /// The value of `written` at which a source that does not loop has ended.
  private var end: Int?
  /// Frames consumed by the device.
  private var played = 0

  /// Bounds how long a stop waits for the decoder: some milliseconds.
  private static let blockFrames = 4096

  /// Opens `device` for `source`, whose next frame sounds `elapsed` into the ring.
  init(
    device: String, source: any SoundSource, gain: Gain, elapsed: Duration
  ) throws(SoundTrouble) {
    (self.device, self.source, self.gain) = (device, source, gain)
    do {
      pcm = try PCM(device: device, rate: source.rate, channels: source.channels)
    } catch {
      throw .device(device, error)
    }
    time = elapsed / .seconds(1)
    let frames = max(Stream.blockFrames, pcm.bufferFrames)
    block = [Float](repeating: 0, count: frames * source.channels)
  }

  /// The name of the device's ALSA control, if it has one.
  var control: String { pcm.card.map { "hw:\($0)" } ?? device }

  /// How often to refill. A buffer of 500 ms, which most devices have, may be refilled 300 ms late,
  /// and costs five wake-ups a second.
  var refillInterval: Duration {
    let buffered = Duration.seconds(1) * pcm.bufferFrames / source.rate
    return max(.milliseconds(5), min(.milliseconds(200), buffered * 2 / 5))
  }

  /// The source does not loop, and its last frame has left the device.
  var isOver: Bool { end.map { played >= $0 } ?? false }

  /// Decodes what `start` begins with. None of it is written: PipeWire's server for PulseAudio's
  /// programs plays what it is given, whatever it was told of a start.
  func prefill() throws(SoundTrouble) { try decode(frames: pcm.bufferFrames) }

  /// Fills the device, and starts it then: a sound server that has played a little, and silence
  /// after it, does not take that back, and it may be two seconds ahead where somebody else lets
  /// it. Full to the last frame, a card would begin by itself.
  func start() throws(SoundTrouble) {
    do {
      try fill(upTo: pcm.bufferFrames - 1)
      try asDevice { () throws(PCMError) in try pcm.start() }
    } catch .device(_, .interrupted(let failure)) {
      try goOn(after: failure)
    }
  }

  /// Silent at once.
  func drop() { pcm.drop() }

  /// Decodes it anew, for a ring that began `elapsed` ago.
  func prefill(elapsed: Duration) throws(SoundTrouble) {
    do { try source.rewind() } catch { throw .file(error) }
    (time, end) = (elapsed / .seconds(1), nil)
    try prefill()
  }

  /// To be called while it plays, more often than its buffer is long: writes what there is room
  /// for, and goes on after an interruption. Returns whether the device has moved since.
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
    // More than at first, to last longer; when it begins does not matter now.
    try fill(upTo: pcm.bufferFrames * 3 / 4)
    try asDevice { () throws(PCMError) in try pcm.start() }
  }

  /// Writes until the device holds `frames` frames, or takes no more.
  private func fill(upTo frames: Int) throws(SoundTrouble) {
    let writable = try asDevice { () throws(PCMError) in try pcm.writable() }
    var room = writable - (pcm.bufferFrames - frames)
    while room > 0 {
      if pending.isEmpty { try decode(frames: min(room, Stream.blockFrames)) }
      let range = pending.prefix(room)
      let taken = try asDevice { () throws(PCMError) in try pcm.write(block, range) }
      guard taken > 0 else { return }
      pending = pending.dropFirst(taken)
      written += taken
      room -= taken
    }
  }

  /// The next `count` frames, scaled; silence after the end, so that the end is heard and not cut
  /// off.
  private func decode(frames count: Int) throws(SoundTrouble) {
    var frames = 0
    if end == nil {
      do { frames = try source.read(into: &block, count: count) } catch { throw .file(error) }
      gain.apply(
        to: &block, frames: frames, channels: source.channels, rate: source.rate, at: time)
      time += Double(frames) / Double(source.rate)
      if frames < count { end = written + frames }
    }
    for sample in frames * source.channels..<count * source.channels { block[sample] = 0 }
    pending = 0..<count
  }

  /// What was written is lost; after a source's end that is all there was.
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
    return true
  }

  private func asDevice<Result>(
    _ call: () throws(PCMError) -> Result
  ) throws(SoundTrouble) -> Result {
    do { return try call() } catch { throw .device(device, error) }
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// One source flowing into one device: decode, scale, write ahead, and see whether the device really
// consumes it. It belongs to the sound thread. It opens nothing a second time: what is done when it
// throws, `Playback.swift` decides.

import Scheduling
import Synchronization
import System

/// Which call the sound thread is in, and when it was last heard: for the main loop, which tells by it
/// whether the thread hangs.
nonisolated final class Progress: Sendable {
  private struct State {
    var place: Player.Place? = .queue
    var since = ContinuousClock.now
    var lastHeard: ContinuousClock.Instant?
  }

  private let state = Mutex(State())

  /// To be called before each call that could hang, and with nil on the way back to the thread's loop.
  func enter(_ place: Player.Place?) { state.withLock { ($0.place, $0.since) = (place, .now) } }

  /// The place that it has been at for longer than `limit`.
  func stuck(longerThan limit: Duration) -> Player.Place? {
    state.withLock { $0.since.duration(to: .now) > limit ? $0.place : nil }
  }

  /// To be called whenever a device has consumed something.
  func advance() { state.withLock { $0.lastHeard = .now } }

  var lastHeard: ContinuousClock.Instant? { state.withLock { $0.lastHeard } }
}

/// An open device with a source to play. It throws `.device`, `.file` and `.stalled` only.
nonisolated final class Stream {
  let device: String
  let source: any SoundSource
  private let pcm: PCM
  private let gain: Gain
  private let progress: Progress

  /// Seconds into the ring at which the next decoded frame sounds.
  private var time: Double
  private var block: [Float]
  /// The frames of `block` that the device has not taken yet.
  private var pending = 0..<0
  /// Frames written since it was last prepared.
  private var written = 0
  /// The value of `written` at which a source that does not loop has ended.
  private var end: Int?
  /// Frames consumed by the device, and when that was last seen to grow.
  private var played = 0
  private var grewAt = ContinuousClock.now
  /// Since then.
  private var interruptions = 0
  private(set) var hasPlayed = false

  /// Bounds how long a stop waits for the decoder: some milliseconds.
  private static let blockFrames = 4096
  /// A device that takes no frames for so long has failed, whatever it says.
  private static let stallLimit = Duration.seconds(2)
  /// Nor has one that is interrupted so often and plays nothing between.
  private static let mostInterruptions = 10

  /// Opens `device` for `source`, whose next frame sounds `elapsed` into the ring.
  init(
    device: String, source: any SoundSource, gain: Gain, elapsed: Duration, progress: Progress
  ) throws(Player.Trouble) {
    (self.device, self.source, self.gain, self.progress) = (device, source, gain, progress)
    progress.enter(.device(device))
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
  func prefill() throws(Player.Trouble) { try decode(frames: pcm.bufferFrames) }

  /// Fills the device, and starts it then: a sound server that has played a little, and silence after
  /// it, does not take that back, and it may be two seconds ahead where somebody else lets it. Full to
  /// the last frame, a card would begin by itself.
  func start() throws(Player.Trouble) {
    grewAt = .now
    do {
      try fill(upTo: pcm.bufferFrames - 1)
      try asDevice { () throws(PCMError) in try pcm.start() }
    } catch .device(_, .interrupted(let failure)) {
      try goOn(after: failure)
    }
  }

  /// Silent at once.
  func drop() {
    progress.enter(.device(device))
    pcm.drop()
  }

  /// Decodes it anew, for a ring that began `elapsed` ago.
  func prefill(elapsed: Duration) throws(Player.Trouble) {
    do { try source.rewind() } catch { throw .file(error) }
    (time, end) = (elapsed / .seconds(1), nil)
    try prefill()
  }

  /// To be called while it plays, more often than its buffer is long: writes what there is room for,
  /// goes on after an interruption, and throws where the device does not move.
  func refill() throws(Player.Trouble) {
    do {
      try followPlayback()
      try fill(upTo: pcm.bufferFrames)
    } catch .device(_, .interrupted(let failure)) {
      try goOn(after: failure)
    }
  }

  private func goOn(after failure: ALSAFailure) throws(Player.Trouble) {
    Log.debug("\(device): \(failure.call): \(failure.text); going on")
    interruptions += 1
    if interruptions > Self.mostInterruptions { throw .stalled(device) }
    try prepare()
    // More than at first, to last longer; when it begins does not matter now.
    try fill(upTo: pcm.bufferFrames * 3 / 4)
    grewAt = .now
    try asDevice { () throws(PCMError) in try pcm.start() }
  }

  /// Writes until the device holds `frames` frames, or takes no more.
  private func fill(upTo frames: Int) throws(Player.Trouble) {
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

  /// The next `count` frames, scaled; silence after the end, so that the end is heard and not cut off.
  private func decode(frames count: Int) throws(Player.Trouble) {
    var frames = 0
    if end == nil {
      progress.enter(source.path.map { .file($0) })
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
  private func prepare() throws(Player.Trouble) {
    try asDevice { () throws(PCMError) in try pcm.prepare() }
    (written, played) = (0, 0)
    if end != nil { end = 0 }
  }

  private func followPlayback() throws(Player.Trouble) {
    let room = try asDevice { () throws(PCMError) in try pcm.writable() }
    let consumed = written - (pcm.bufferFrames - room)
    if consumed > played {
      (played, grewAt, hasPlayed) = (consumed, .now, true)
      interruptions = 0
      progress.advance()
    } else if grewAt.duration(to: .now) >= Stream.stallLimit {
      throw .stalled(device)
    }
  }

  private func asDevice<Result>(
    _ call: () throws(PCMError) -> Result
  ) throws(Player.Trouble) -> Result {
    progress.enter(.device(device))
    do { return try call() } catch { throw .device(device, error) }
  }
}

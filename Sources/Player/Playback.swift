// SPDX-License-Identifier: GPL-3.0-or-later
//
// One request, played on one device by the thread that plays: the files in their order, and the
// tone after the last. A device that fails ends it; the agent starts another process with the next
// one. Next: `Stream.swift`, the flow itself.

import Scheduling
import Sound
import Synchronization
import System

/// `prime`, `play` and `stop` are for the main loop. All else runs on the worker, which alone
/// touches the variables; hence `@unchecked`.
nonisolated final class Playback: @unchecked Sendable {
  let request: SoundRequest
  let device: SoundDevice
  private let worker: Worker
  private let onReport: @MainActor @Sendable (Playback, SoundReport) -> Void
  private let stopped = Atomic(false)

  private let gain: Gain
  /// Those not tried yet.
  private var files: ArraySlice<String>
  /// For files on disks that do not answer. A sound is made ready two seconds ahead.
  private let patience = Patience(.seconds(1))
  private var stream: Stream?
  private var next: Delayed?
  /// When `play` was called, and when the ring began; nil while merely primed.
  private var due: (asked: ContinuousClock.Instant, origin: ContinuousClock.Instant)?

  /// A ring that began so long ago still begins its fade: to be on time is worth more.
  private static let fadeTolerance = Duration.milliseconds(200)

  init(
    _ request: SoundRequest, on device: SoundDevice, _ worker: Worker,
    onReport: @escaping @MainActor @Sendable (Playback, SoundReport) -> Void
  ) {
    (self.request, self.device, self.worker) = (request, device, worker)
    self.onReport = onReport
    gain = Gain(volume: request.volume, fadeIn: request.fadeIn)
    files = request.files[...]
  }

  /// Opens the device and decodes what it begins with, and starts nothing.
  func prime() { perform { $0.attempt { playback throws(SoundTrouble) in try playback.open() } } }

  /// Sounds as soon as it can; the ring began at `origin`.
  func play(asked: ContinuousClock.Instant, origin: ContinuousClock.Instant) {
    perform { playback in
      // If there is no server to ask, no one can tell.
      if playback.request.isDiscreet, (try? SoundServer().isCallOn()) == true {
        Log.info("a call is on: no chime")
        return playback.report(.finished)
      }
      playback.due = (asked, origin)
      playback.attempt { playback throws(SoundTrouble) in try playback.begin() }
    }
  }

  /// Falls silent and gives everything back, as soon as the call that it is in returns.
  func stop() {
    stopped.store(true, ordering: .relaxed)
    worker.perform { self.close() }
  }

  // MARK: - On the worker

  private var isStopped: Bool { stopped.load(ordering: .relaxed) }

  private var elapsed: Duration { due.map { $0.origin.duration(to: .now) } ?? .zero }

  private func perform(_ work: @escaping @Blocking @Sendable (Playback) -> Void) {
    worker.perform { if !self.isStopped { work(self) } }
  }

  private func report(_ report: SoundReport) {
    Worker.onMain { self.onReport(self, report) }
  }

  /// Does `work` until it succeeds: a file that fails gives way to the next, and a device that
  /// fails ends all.
  @Blocking private func attempt(_ work: @Blocking (Playback) throws(SoundTrouble) -> Void) {
    var isAgain = false
    while !isStopped {
      do throws(SoundTrouble) { return isAgain ? try open() : try work(self) } catch {
        report(.trouble(error))
        close()
        guard case .file = error else { return }
        isAgain = true
      }
    }
  }

  @Blocking private func close() {
    stream?.drop()
    (stream, next) = (nil, nil)
  }

  /// Opens the device with the next file, and starts it if it is time to.
  @Blocking private func open() throws(SoundTrouble) {
    let stream = try Stream(device: name, source: nextSource(), gain: gain, elapsed: elapsed)
    try stream.prefill()
    self.stream = stream
    if due == nil {
      report(.primed(device: stream.device, file: stream.source.path))
    } else {
      try start(stream)
    }
  }

  private var name: String {
    switch device {
    case .named(let name): return name
    case .spare(let number):
      let spares = PCM.spares
      return spares[number % spares.count]
    }
  }

  @Blocking private func begin() throws(SoundTrouble) {
    guard let stream, let due else { return try open() }
    // What was decoded ahead is the beginning of the fade; after a restart it is further on.
    if request.fadeIn > .zero, due.origin.duration(to: due.asked) > Playback.fadeTolerance {
      try stream.prefill(elapsed: elapsed)
    }
    try start(stream)
  }

  @Blocking private func start(_ stream: Stream) throws(SoundTrouble) {
    // Stopped while a call hung: too late to be heard.
    guard !isStopped, let due else { return }
    try stream.start()
    report(
      .started(
        device: stream.device, control: stream.control, file: stream.source.path,
        delay: due.asked.duration(to: .now)))
    schedule(stream)
  }

  @Blocking private func schedule(_ stream: Stream) {
    next = worker.after(stream.refillInterval) { [weak self] in
      guard let self, !isStopped else { return }
      attempt { playback throws(SoundTrouble) in try playback.refill() }
    }
  }

  @Blocking private func refill() throws(SoundTrouble) {
    guard let stream else { return }
    if try stream.refill() { report(.alive) }
    if stream.isOver {
      close()
      return report(.finished)
    }
    schedule(stream)
  }

  // MARK: - Sources

  /// The next file that opens, or, after the last, the tone.
  @Blocking private func nextSource() -> any SoundSource {
    let source = wholeSource()
    return request.length.map { Stroke(of: source, length: $0) } ?? source
  }

  @Blocking private func wholeSource() -> any SoundSource {
    while let path = files.popFirst() {
      report(.alive)
      do throws(FileError) {
        switch try patience.wait(for: path, { () throws(FileError) in try Found(at: path) }) {
        case .folder(let inside):
          files = (inside.shuffled(lastly: { $0 == request.before }) + files)[...]
        case .file(let content):
          if let source = source(of: content) { return source }
        }
      } catch .noAnswer {
        report(.trouble(.slowFile(path)))
      } catch {
        report(.trouble(.file(SoundFileError(error, path))))
        if case .system(let error, _) = error, error.isForWantOfDescriptors { files = [] }
      }
    }
    return Tone.source(loops: request.loops)
  }

  /// Nil if it cannot be decoded, which is reported.
  @Blocking private func source(of content: SoundContent) -> (any SoundSource)? {
    do throws(SoundFileError) { return try FileSource.open(content, loops: request.loops) } catch {
      report(.trouble(.file(error)))
      return nil
    }
  }

  /// What is at the path of a sound.
  private enum Found: Sendable {
    /// The sounds in a folder; never empty.
    case folder([String])
    case file(SoundContent)

    @Blocking init(at path: String) throws(FileError) {
      let inside = SoundFolder.sounds(in: path)
      self = inside.isEmpty ? .file(try SoundContent(path)) : .folder(inside)
    }
  }
}

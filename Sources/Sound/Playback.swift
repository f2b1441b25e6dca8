// SPDX-License-Identifier: GPL-3.0-or-later
//
// One request, played on the sound thread: on which device, from which file, and what takes the place of
// either when it fails. It never gives up, and stops only when told to by `Player.swift` on the main
// loop, which also notices when a call here hangs. Next: `Stream.swift`, the flow itself.

import Scheduling
import Synchronization
import System

/// `prime`, `play`, `stop` and `stuck` are for the main loop. All else runs on the worker, which alone
/// touches the variables; hence `@unchecked`.
nonisolated final class Playback: @unchecked Sendable {
  let request: Player.Request
  private let worker: Worker
  private let onReport: @MainActor @Sendable (Playback, Player.Report) -> Void
  private let stopped = Atomic(false)
  private let progress = Progress()

  private let gain: Gain
  /// The devices asked for and, once these have failed for a while, others.
  private var devices: [String]
  /// How many times in a row all of `devices` have failed.
  private var failures = 0
  /// Devices that stopped in the middle: opened again once, and then passed over.
  private var stalled: Set<String> = []
  /// Those not tried yet.
  private var files: ArraySlice<String>
  /// For files on disks that do not answer. A sound is made ready two seconds ahead.
  private let patience = Patience(.seconds(1))
  private var source: (any SoundSource)?
  private var stream: Stream?
  private var next: Delayed?
  private var told: [Player.Trouble] = []
  /// That it began again, to be told when the device, which has stalled before, has been seen to move.
  private var unproven: Player.Report?
  /// When `play` was called, and when the ring began; nil while merely primed.
  private var due: (asked: ContinuousClock.Instant, origin: ContinuousClock.Instant)?

  private static let retryInterval = Duration.seconds(1)
  /// After so many failures any device will do.
  private static let patience = 3
  /// A ring that began so long ago still begins its fade: to be on time is worth more.
  private static let fadeTolerance = Duration.milliseconds(200)

  init(
    _ request: Player.Request, on worker: Worker,
    onReport: @escaping @MainActor @Sendable (Playback, Player.Report) -> Void
  ) {
    (self.request, self.worker, self.onReport) = (request, worker, onReport)
    gain = Gain(volume: request.volume, fadeIn: request.fadeIn)
    (devices, files) = (request.devices, request.files[...])
  }

  /// Opens a device and decodes what it begins with, and starts none.
  func prime() { perform { $0.attempt(from: 0) } }

  /// Sounds as soon as it can; the ring began at `origin`.
  func play(asked: ContinuousClock.Instant, origin: ContinuousClock.Instant) {
    perform { playback in
      if playback.request.isDiscreet, playback.isCallOn() {
        Log.info("a call is on: no chime")
        return playback.report(.finished)
      }
      playback.due = (asked, origin)
      // Whoever asked waits to hear of it, whatever was told before.
      playback.told = []
      playback.begin()
    }
  }

  /// Falls silent and gives everything back, as soon as the call that it is in returns.
  func stop() {
    stopped.store(true, ordering: .relaxed)
    worker.perform { self.close() }
  }

  /// The place at which it has been for longer than `limit`, in a call that may never return.
  func stuck(longerThan limit: Duration) -> Player.Place? {
    progress.stuck(longerThan: limit)
  }

  /// When a device was last seen to consume what it was given; nil before the first time.
  var lastHeard: ContinuousClock.Instant? { progress.lastHeard }

  // MARK: - On the worker

  private var isStopped: Bool { stopped.load(ordering: .relaxed) }

  private var elapsed: Duration { due.map { $0.origin.duration(to: .now) } ?? .zero }

  private func perform(_ work: @escaping @Blocking @Sendable (Playback) -> Void) {
    worker.perform { self.run(work) }
  }

  @Blocking private func run(_ work: @Blocking (Playback) -> Void) {
    if !isStopped { work(self) }
    progress.enter(nil)
  }

  @Blocking private func schedule(
    _ delay: Duration, _ work: @escaping @Blocking @Sendable (Playback) -> Void
  ) {
    next = worker.after(delay) { [weak self] in self?.run(work) }
  }

  private func report(_ report: Player.Report) {
    Worker.onMain { self.onReport(self, report) }
  }

  /// Once until it works again: each failed attempt after that is not reported.
  @Blocking private func tell(_ trouble: Player.Trouble) {
    guard !told.contains(trouble) else { return }
    told.append(trouble)
    report(.trouble(trouble))
  }

  @Blocking private func close() {
    stream?.drop()
    (stream, source, next) = (nil, nil, nil)
    PCM.forgetConfiguration()
    progress.enter(nil)
  }

  /// Where there is no server to ask, nobody can tell.
  @Blocking private func isCallOn() -> Bool {
    progress.enter(request.devices.first.map { .device($0) })
    defer { progress.enter(nil) }
    return (try? SoundServer().isCallOn()) ?? false
  }

  @Blocking private func begin() {
    guard let stream, let due else { return attempt(from: 0) }
    do throws(Player.Trouble) {
      // What was decoded ahead is the beginning of the fade; after a restart it is further on.
      if request.fadeIn > .zero, due.origin.duration(to: due.asked) > Playback.fadeTolerance {
        try stream.prefill(elapsed: elapsed)
      }
      try start(stream)
    } catch {
      replace(stream, after: error)
    }
  }

  /// Tries the devices from the one at `first` on; a second later, if none works, all of them.
  @Blocking private func attempt(from first: Int) {
    stream = nil
    // All that were asked for hang.
    if devices.isEmpty, due != nil, request.loops { devices = PCM.spares }
    for device in devices.dropFirst(first) where !isStopped {
      do throws(Player.Trouble) {
        return try open(device)
      } catch {
        if request.devices.contains(device) { tell(error) }
      }
    }
    failures += 1
    // Read afresh, the configuration may know a device, or a server, that it did not.
    PCM.forgetConfiguration()
    if due != nil, request.loops, failures >= Playback.patience {
      devices = request.devices + PCM.spares.filter { !request.devices.contains($0) }
    }
    schedule(Playback.retryInterval) { $0.attempt(from: 0) }
  }

  /// Opens `device` with the first source that works, and starts it if it is time to.
  @Blocking private func open(_ device: String) throws(Player.Trouble) {
    while true {
      let source = self.source ?? nextSource()
      self.source = source
      do throws(Player.Trouble) {
        let stream = try Stream(
          device: device, source: source, gain: gain, elapsed: elapsed, progress: progress)
        try stream.prefill()
        self.stream = stream
        if due != nil { return try start(stream) }
        return report(.primed(device: device, file: source.path))
      } catch .file(let error) {
        tell(.file(error))
        self.source = nil
      }
    }
  }

  /// The next file that opens, or, after the last, the tone.
  @Blocking private func nextSource() -> any SoundSource {
    let source = wholeSource()
    return request.length.map { Stroke(of: source, length: $0) } ?? source
  }

  @Blocking private func wholeSource() -> any SoundSource {
    while let path = files.popFirst() {
      progress.enter(.file(path))
      do throws(FileError) {
        switch try patience.wait(for: path, { () throws(FileError) in try Found(at: path) }) {
        case .folder(let inside):
          files = (inside.shuffled(lastly: { $0 == request.before }) + files)[...]
        case .file(let content):
          if let source = source(of: content) { return source }
        }
      } catch .noAnswer {
        tell(.hung(.file(path)))
      } catch {
        tell(.file(SoundFileError(error, path)))
        if case .system(let error, _) = error, error.isForWantOfDescriptors { files = [] }
      }
    }
    return Tone.source(loops: request.loops)
  }

  /// Nil if it cannot be decoded, which is reported.
  @Blocking private func source(of content: SoundContent) -> (any SoundSource)? {
    do throws(SoundFileError) { return try FileSource.open(content, loops: request.loops) } catch {
      tell(.file(error))
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

  @Blocking private func start(_ stream: Stream) throws(Player.Trouble) {
    // Stopped while a call hung: too late to be heard.
    guard !isStopped, let due else { return }
    try stream.start()
    let begun = Player.Report.started(
      device: stream.device, control: stream.control, file: stream.source.path,
      delay: due.asked.duration(to: .now))
    if stalled.contains(stream.device) { unproven = begun } else { report(begun) }
    schedule(stream.refillInterval) { $0.refill() }
  }

  @Blocking private func refill() {
    guard let stream else { return }
    do throws(Player.Trouble) {
      try stream.refill()
      if stream.isOver {
        close()
        return report(.finished)
      }
      if stream.hasPlayed { isHeard() }
      schedule(stream.refillInterval) { $0.refill() }
    } catch {
      replace(stream, after: error)
    }
  }

  @Blocking private func isHeard() {
    (failures, told) = (0, [])
    if let unproven { report(unproven) }
    unproven = nil
  }

  /// A device that has played is opened again, all being tried in their order; one that fails
  /// without having played, or stalls again and again, is passed over, or nothing else would ever be
  /// tried.
  @Blocking private func replace(_ stream: Stream, after trouble: Player.Trouble) {
    unproven = nil
    tell(trouble)
    let index = devices.firstIndex(of: stream.device) ?? 0
    var isWorthwhile = stream.hasPlayed
    if case .file = trouble {
      source = nil
      return attempt(from: index)
    } else if case .stalled(let device) = trouble {
      isWorthwhile = stalled.insert(device).inserted && isWorthwhile
    }
    attempt(from: isWorthwhile ? 0 : index + 1)
  }
}

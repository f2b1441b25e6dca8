// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plays one request on one device: the first of its files that can be played, or the built-in tone
// if none can. A device that fails ends the playback; the agent then starts another process with
// the next device. Next: `Stream.swift`, which writes the samples.

import Scheduling
import Sound
import Synchronization
import System

/// The main loop calls `prime`, `play` and `stop`. Everything else runs on the worker: a function
/// that needs the variables takes the `State`, which only closures on the worker have.
final class Playback: Sendable {
  private final class State {
    /// The files that have not been tried yet.
    var files: ArraySlice<String>
    var stream: Stream?
    var next: Source?
    /// When `play` was called, and when the ring began; nil while the sound is only primed.
    var due: (asked: ContinuousClock.Instant, origin: ContinuousClock.Instant)?
    /// Whether it has been reported that the device plays.
    var hasAdvanced = false

    init(files: [String]) { self.files = files[...] }

    func close(on disk: Disk) {
      stream?.drop()
      (stream, next) = (nil, nil)
    }
  }

  private let request: SoundRequest
  private let device: SoundDevice
  private let worker: Confined<State>
  private let onReport: @MainActor @Sendable (Playback, SoundReport) -> Void
  private let stopped = Atomic(false)

  private let gain: Gain
  /// Limits the wait for disks and decoders that hang to one second, because the agent primes a
  /// sound two seconds before it is due.
  private let patience = Patience(.seconds(1))

  private static let firstPause = Duration.milliseconds(50)

  init(
    _ request: SoundRequest, on device: SoundDevice, _ worker: Worker,
    onReport: @escaping @MainActor @Sendable (Playback, SoundReport) -> Void
  ) {
    (self.request, self.device, self.onReport) = (request, device, onReport)
    self.worker = Confined(on: worker, State(files: request.files))
    gain = Gain(volume: request.volume, fadeIn: request.fadeIn)
  }

  /// Opens the device and decodes the beginning of the sound, but starts nothing.
  func prime() {
    perform { [self] state, disk in
      attempt(state, on: disk) { () throws(SoundTrouble) in try begin(state, on: disk) }
    }
  }

  /// Starts the sound as soon as possible. The ring began at `origin`.
  func play(asked: ContinuousClock.Instant, origin: ContinuousClock.Instant) {
    perform { [self] state, disk in
      // Without a sound server to ask, assume that the user is not in a call.
      if request.isDiscreet, (try? SoundServer().isCallOn()) == true {
        Log.info("a call is on: no chime")
        return report(.finished)
      }
      state.due = (asked, origin)
      attempt(state, on: disk) { () throws(SoundTrouble) in try begin(state, on: disk) }
    }
  }

  /// Falls silent and closes the device, as soon as the worker's current call returns.
  func stop() {
    stopped.store(true, ordering: .relaxed)
    worker.perform { state, disk in state.close(on: disk) }
  }

  // MARK: - Functions that run on the worker

  private var isStopped: Bool { stopped.load(ordering: .relaxed) }

  private func perform(_ work: @escaping @Sendable (State, Disk) -> Void) {
    worker.perform { state, disk in if !self.isStopped { work(state, disk) } }
  }

  private func report(_ report: SoundReport) {
    Worker.onMain { self.onReport(self, report) }
  }

  /// Runs `work`. If a file fails, begins again with the next file. If the device fails, gives up.
  private func attempt(_ state: State, on disk: Disk, _ work: () throws(SoundTrouble) -> Void) {
    var isAgain = false
    while !isStopped {
      do throws(SoundTrouble) { return isAgain ? try begin(state, on: disk) : try work() } catch {
        report(.trouble(error))
        state.close(on: disk)
        guard case .file = error else { return }
        isAgain = true
      }
    }
  }

  /// Opens the device to play the next file, unless the device is open already. Starts the sound if
  /// `play` has been called.
  private func begin(_ state: State, on disk: Disk) throws(SoundTrouble) {
    if state.stream == nil { state.stream = try open(state, on: disk) }
    guard let stream = state.stream else { return }
    guard let due = state.due else {
      return report(.primed(device: stream.device, file: stream.source.path))
    }
    // If `stop` was called while an earlier step hung, the sound must not begin any more.
    guard !isStopped else { return }
    try stream.start(elapsed: due.origin.duration(to: .now))
    report(
      .started(device: stream.device, control: stream.control, file: stream.source.path))
    schedule(stream, state)
  }

  private func open(_ state: State, on disk: Disk) throws(SoundTrouble) -> Stream {
    let source = nextSource(state, on: disk)
    switch device {
    case .named(let name):
      do throws(SoundTrouble) { return try open([name], source, on: disk) } catch {
        throw error.explained(on: disk)
      }
    case .spare(let number):
      let spares = PCM.spares
      let names = spares[number % spares.count]
      do throws(SoundTrouble) { return try open(names, source, on: disk) } catch {
        return try UserConfiguration.ignoring { () throws(SoundTrouble) in
          try open(names, source, on: disk)
        }
      }
    }
  }

  /// Opens the first of the devices that can be opened. Throws the trouble of the last one.
  private func open(
    _ names: [String], _ source: any SoundSource, on disk: Disk
  ) throws(SoundTrouble) -> Stream {
    var trouble = SoundTrouble.hung(names.first ?? "")
    for name in names {
      do throws(SoundTrouble) {
        let stream = try Stream(device: name, source: source, gain: gain)
        try stream.prefill()
        return stream
      } catch { trouble = error }
    }
    throw trouble
  }

  private func schedule(_ stream: Stream, _ state: State) {
    // Until the device has begun to play, look more often, because the history says when it began.
    let pause = stream.advancing == nil ? min(Self.firstPause, stream.refillInterval) : nil
    state.next = worker.after(pause ?? stream.refillInterval) { [weak self] state, disk in
      guard let self, !isStopped else { return }
      attempt(state, on: disk) { () throws(SoundTrouble) in try refill(state, on: disk) }
    }
  }

  private func refill(_ state: State, on disk: Disk) throws(SoundTrouble) {
    guard let stream = state.stream else { return }
    if try stream.refill() { report(.alive) }
    if !state.hasAdvanced, let asked = state.due?.asked, let began = stream.advancing {
      state.hasAdvanced = true
      report(.heard(delay: asked.duration(to: began)))
    }
    if stream.isOver {
      state.close(on: disk)
      return report(.finished)
    }
    schedule(stream, state)
  }

  // MARK: - Sources of samples

  private func nextSource(_ state: State, on disk: Disk) -> any SoundSource {
    let source = nextFile(state, on: disk) ?? Tone.source(loops: request.loops)
    return request.length.map { BellStroke(of: source, length: $0) } ?? source
  }

  /// Returns the next file that can be decoded; nil after the last file. Reports each file that
  /// cannot be decoded.
  private func nextFile(_ state: State, on disk: Disk) -> (any SoundSource)? {
    while let path = state.files.popFirst() {
      report(.alive)
      do throws(SoundTrouble) {
        if let source = try source(at: path, state, on: disk) { return source }
      } catch {
        report(.trouble(error))
      }
    }
    return nil
  }

  /// Opens the sound at `path`. If `path` is a folder of sounds, puts these sounds in front of the
  /// other files and returns nil.
  private func source(
    at path: String, _ state: State, on disk: Disk
  ) throws(SoundTrouble) -> (any SoundSource)? {
    let inside: [String]
    do throws(FileError) {
      inside = try patience.wait(for: path, on: disk) { SoundFolder.sounds(in: path, on: $0) }
    } catch {
      throw .slowFile(path)
    }
    guard inside.isEmpty else {
      state.files = (inside.shuffled(lastly: { $0 == request.before }) + state.files)[...]
      return nil
    }
    return try FileSource.open(path, loops: request.loops, within: patience, on: disk)
  }
}

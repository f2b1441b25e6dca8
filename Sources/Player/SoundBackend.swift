// SPDX-License-Identifier: GPL-3.0-or-later
//
// The program `belfry-sound`: takes commands from the socket that is its standard input, plays
// sounds, raises the output's volume, and answers the doctor's questions. It ends when the agent
// closes that socket. Restores the volume only on command, not at its end, because the next agent
// continues the ring. Next: `Playback.swift` and `VolumeLift.swift`.

import CGLib
import Glibc
import Scheduling
import Sound
import System

@MainActor public enum PlayerProgram {
  /// Runs the program. Its only argument is the file with the volumes to restore.
  public static func main() -> Never {
    Environment.prepare()
    guard isSocket(STDIN_FILENO), let record = Environment.arguments?.first else {
      StandardError.write("belfry-sound: belfryd starts this program by itself\n")
      Environment.exit(64)
    }
    // At the end of a session these signals reach every process. They are ignored, because only the
    // agent decides when this program ends.
    for number in [SIGHUP, SIGINT, SIGTERM] { signal(number, SIG_IGN) }
    // Without this, writing to standard error would end the program if the reader is gone.
    signal(SIGPIPE, SIG_IGN)
    // The agent passes this program's executable file as standard output (see `SoundProgram`). Send
    // standard output to standard error instead, because GLib prints debug lines on it.
    dup2(STDERR_FILENO, STDOUT_FILENO)
    // Sets the name that `ps` and `top` show. Without this call they would show the number of a
    // descriptor.
    pthread_setname_np(pthread_self(), "belfry-sound")
    SoundServer.introduce()
    serve(record: record)
    Log.finish()
    // Skips C's `exit`, which would unload libraries while a thread may still hang in them.
    _exit(0)
  }

  private static func serve(record: String) {
    let socket = PacketSocket(adopting: OpenDescriptor(adopting: STDIN_FILENO))
    var number = 0
    let backend = SoundBackend(record: record) {
      socket.send(SoundMessage(number: number, body: $0).bytes)
    }
    let reading = socket.listen { bytes in
      guard let bytes else { return MainLoop.quit() }
      do throws(Malformed) {
        let message = try SoundMessage<SoundCommand>(bytes)
        number = message.number
        backend.perform(message.body)
      } catch {
        Log.error("the agent sent a command that belfry-sound does not understand")
      }
    }
    withExtendedLifetime(reading) { MainLoop.run() }
    backend.finish(within: .seconds(1))
  }

  private static func isSocket(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }
}

@MainActor final class SoundBackend {
  private let onReport: (SoundReport) -> Void
  private let worker = Worker(name: "sound")
  private let lift: VolumeLift
  private var playback: Playback?
  /// When the sound was ordered to play, and since when it has been heard; nil while no sound
  /// plays.
  private var hearing: (asked: ContinuousClock.Instant, Hearing)?
  private var isRestoring = false
  private var outputWatch: OutputWatch? {
    didSet { oldValue?.end() }
  }
  private var patience: Source?

  private static let stopLimit = Duration.milliseconds(200)
  /// How long a restore may take. After that the process ends, and the next process reads from the
  /// record what is left to restore.
  private static let restoreLimit = Duration.seconds(90)

  /// - Parameters:
  ///   - record: The file with the volumes to restore.
  ///   - onReport: Called on the main loop.
  init(record: String, onReport: @escaping (SoundReport) -> Void) {
    self.onReport = onReport
    lift = VolumeLift(record: record)
  }

  func perform(_ command: SoundCommand) {
    switch command {
    case .prime(let request, let device): begin(request, device).prime()
    case .play(let asked, let fadedFor):
      let asked = ContinuousClock.now - Self.since(asked)
      hearing = (asked, Hearing())
      playback?.play(asked: asked, origin: asked - max(.zero, fadedFor))
    case .stop:
      silence()
      onReport(.stopped)
      endIfIdle()
    case .raise(var target, let asked):
      target.elapsed += Self.since(asked)
      lift.raise(target) { [weak self] in self?.onReport(.raised) }
    case .restore:
      isRestoring = true
      lift.restore { [weak self] in
        self?.isRestoring = false
        self?.endIfIdle()
      }
      endIfIdle()
    case .answer(let question):
      worker.perform { [weak self] disk in
        let answer = question.answer(on: disk)
        Worker.onMain { self?.onReport(answer) }
      }
    }
  }

  /// Stops the sound, and waits at most `limit` for the mixer. Use this at the end of the program.
  func finish(within limit: Duration) {
    silence()
    lift.finish(within: limit)
  }

  private func begin(_ request: SoundRequest, _ device: SoundDevice) -> Playback {
    playback?.stop()
    (outputWatch, patience, hearing) = (nil, nil, nil)
    let playback = Playback(request, on: device, worker) { [weak self] playback, report in
      if playback === self?.playback { self?.receive(report) }
    }
    self.playback = playback
    return playback
  }

  private func receive(_ report: SoundReport) {
    if case .heard(let moment) = report { return reportHeard(hearing?.1.advanced(at: moment)) }
    onReport(report)
    switch report {
    case .started(let device, let control, _):
      outputWatch = OutputWatch(device: device, control: control) { [weak self] output in
        guard let self else { return }
        onReport(.output(output))
        guard let asked = hearing?.asked else { return }
        reportHeard(hearing?.1.changed(to: output, at: asked.duration(to: .now)))
      }
    case .finished:
      (playback, outputWatch) = (nil, nil)
      endIfIdle()
    default: break
    }
  }

  private func reportHeard(_ moment: Duration?) {
    if let moment { onReport(.heard(delay: moment)) }
  }

  /// Stops the sound, and returns once nothing can be heard. If the worker hangs, its sound might
  /// still begin later, so the process ends.
  private func silence() {
    playback?.stop()
    if playback != nil, !worker.finish(within: Self.stopLimit) { _exit(1) }
    (playback, outputWatch, hearing) = (nil, nil, nil)
  }

  /// Reports `.rest` if there is nothing left to do. If only the volume is left to restore, limits
  /// the time for that.
  private func endIfIdle() {
    guard playback == nil else { return }
    guard isRestoring else { return onReport(.rest) }
    patience = MainLoop.after(Self.restoreLimit) { MainLoop.quit() }
  }

  private static func since(_ reading: Duration) -> Duration {
    max(.zero, Clock.now().boot - reading)
  }
}

/// Answers the doctor. None of this can be heard. `SoundCheck.swift` in Sound asks, and kills this
/// process if no answer comes.
extension SoundQuestion {
  /// How long a working device may take to play a second of silence.
  private static let stallLimit = Duration.seconds(3)
  /// How long a file is decoded at most. The doctor waits five seconds for the result.
  private static let decodeLimit = Duration.seconds(2)

  func answer(on disk: Disk) -> SoundReport {
    do throws(SoundTrouble) {
      switch self {
      case .device(let name):
        do throws(SoundTrouble) { return .output(try Self.play(name, on: disk)) } catch {
          return .trouble(error.explained(on: disk))
        }
      case .spare: return .output(try Self.playOnSpare(on: disk))
      case .file(let path): return .peak(try Self.peak(path, beginning: false, on: disk))
      case .beginning(let path): return .peak(try Self.peak(path, beginning: true, on: disk))
      case .level(let control): return .level(try Self.level(control, on: disk))
      }
    } catch {
      return .trouble(error)
    }
  }

  /// Plays a second of silence as a ring would be played.
  private static func play(_ device: String, on disk: Disk) throws(SoundTrouble) -> Output {
    let silence = BellStroke(of: Tone.source(loops: true), length: .seconds(1))
    let stream = try Stream(
      device: device, source: silence, gain: Gain(volume: 0, fadeIn: .zero))
    try stream.prefill()
    try stream.start(elapsed: .zero)
    let begin = ContinuousClock.now
    var output: Output?
    while !stream.isOver {
      usleep(UInt32(clamping: stream.refillInterval.wholeMicroseconds))
      try stream.refill()
      output = output ?? OutputWatch.output(of: device, control: stream.control)
      // If there is no output, the sound server makes a stand-in that consumes the samples. That
      // proves nothing about a device.
      if let output, output.silence == .dummy { return output }
      if begin.duration(to: .now) > stallLimit { throw .stalled(device) }
    }
    return output ?? Output(control: stream.control)
  }

  /// Plays on the device that a ring would be played on if those in the config fail: the first of
  /// ALSA's own devices that plays to a real output, with the user's ALSA configuration or without.
  private static func playOnSpare(on disk: Disk) throws(SoundTrouble) -> Output {
    var trouble = SoundTrouble.hung("")
    for name in PCM.spares.flatMap(\.self) {
      do throws(SoundTrouble) {
        let output: Output
        do throws(SoundTrouble) { output = try play(name, on: disk) } catch {
          output = try UserConfiguration.ignoring { () throws(SoundTrouble) in
            try play(name, on: disk)
          }
        }
        if output.silence != .dummy { return output }
      } catch { trouble = error }
    }
    throw trouble
  }

  private static func peak(
    _ path: String, beginning: Bool, on disk: Disk
  ) throws(SoundTrouble) -> Float {
    do throws(SoundFileError) {
      return try SoundFile.peak(of: path, beginning: beginning, patience: decodeLimit, on: disk)
    } catch { throw .file(error) }
  }

  private static func level(_ control: String, on disk: Disk) throws(SoundTrouble) -> OutputLevel? {
    do throws(ALSAFailure) { return try OutputLevel(control: control) } catch {
      throw .mixer(error)
    }
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Carries out the agent's commands in `belfry-sound`: plays sounds and raises the output's volume.
// Device and mixer may hang, so each has a worker of its own; this class belongs to the main loop.
// Next: `Playback.swift` and `VolumeLift.swift`.

import Glibc
import Scheduling
import Sound
import System

final class SoundBackend {
  private let onReport: (SoundReport) -> Void
  private let worker = Worker(name: "sound")
  private let lift: VolumeLift
  private var playback: Playback?
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
    case .play(let request, let device, let asked, let fadedFor):
      let asked = ContinuousClock.now - Self.since(asked)
      let isPrimed = playback?.request == request && playback?.device == device
      let playback = isPrimed ? playback : nil
      (playback ?? begin(request, device)).play(asked: asked, origin: asked - max(.zero, fadedFor))
    case .stop:
      silence()
      onReport(.stopped)
      settle()
    case .raise(var target, let asked):
      target.elapsed += Self.since(asked)
      lift.raise(target) { [weak self] in self?.onReport(.raised) }
    case .restore:
      isRestoring = true
      lift.restore { [weak self] in
        self?.isRestoring = false
        self?.settle()
      }
      settle()
    case .answer(let question):
      worker.perform { [weak self] in
        let answer = question.answer()
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
    (outputWatch, patience) = (nil, nil)
    let playback = Playback(request, on: device, worker) { [weak self] playback, report in
      if playback === self?.playback { self?.receive(report) }
    }
    self.playback = playback
    return playback
  }

  private func receive(_ report: SoundReport) {
    onReport(report)
    switch report {
    case .started(let device, let control, _, _):
      outputWatch = OutputWatch(device: device, control: control) { [weak self] output in
        self?.onReport(.output(output))
      }
    case .finished:
      (playback, outputWatch) = (nil, nil)
      settle()
    default: break
    }
  }

  /// Stops the sound, and returns once nothing can be heard. If the worker hangs, its sound might
  /// still begin later, so the process ends.
  private func silence() {
    playback?.stop()
    if playback != nil, !worker.finish(within: Self.stopLimit) { _exit(1) }
    (playback, outputWatch) = (nil, nil)
  }

  /// Reports `.rest` if there is nothing left to do. If only the volume is left to restore, limits
  /// the time for that.
  private func settle() {
    guard playback == nil else { return }
    guard isRestoring else { return onReport(.rest) }
    patience = MainLoop.after(Self.restoreLimit) { MainLoop.quit() }
  }

  private static func since(_ reading: Duration) -> Duration {
    max(.zero, Clock.now().boot - reading)
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sound and the output's volume, worked by this process itself, and when there is nothing left to
// work. In which process that is, `SoundProcess.swift` decides.

import Scheduling
import System

final class SoundWorks {
  var onReport: ((Player.Report) -> Void)?
  /// Nothing is played or made ready, and the volume is as it was found, or given up.
  var onRest: (() -> Void)?

  private let player = Player()
  private let lift: VolumeLift
  private var isSilent = true

  /// `record` is the file that remembers what the output was set to.
  init(record: String) {
    lift = VolumeLift(record: record)
    player.onReport = { [weak self] in self?.report($0) }
    lift.onRest = { [weak self] in self?.restIfDone() }
  }

  func perform(_ task: SoundTask) {
    switch task {
    case .prime(let request):
      isSilent = false
      player.prime(request)
    case .play(let request, let asked, let fadedFor):
      isSilent = false
      player.play(request, asked: Self.since(asked), fadedFor: fadedFor)
    case .stop:
      isSilent = true
      player.stop()
      restIfDone()
    case .raise(var wish, let asked):
      wish.elapsed += Self.since(asked)
      lift.raise(wish)
    case .letGo: lift.letGo()
    case .restore: lift.restore()
    }
  }

  /// For the end of the program: silences, and waits for what is under way, at most `limit`.
  func finish(within limit: Duration) {
    player.finish(within: limit)
    lift.finish(within: limit)
  }

  private func report(_ report: Player.Report) {
    if report == .finished { isSilent = true }
    onReport?(report)
    if report == .finished { restIfDone() }
  }

  private func restIfDone() {
    if isSilent, lift.isAtRest { onRest?() }
  }

  /// How long ago the boot clock read so.
  private static func since(_ reading: Duration) -> Duration {
    max(.zero, Clock.now().boot - reading)
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// The stopwatch: time that elapses while it runs, suspend and a start of the machine included, and
// laps. Times are whole milliseconds, so that the splits add up to the total.

public struct Stopwatch: Hashable, Sendable {
  public enum Phase: Hashable, Sendable {
    case stopped(at: Duration)
    /// It shows what has elapsed since then, which includes what it showed when it was started.
    case running(since: BootMoment)
  }

  public var phase: Phase = .stopped(at: .zero)
  /// What it showed at each lap, the first one first; each is at least the one before.
  public var laps: [Duration] = []

  public static let lapsKept = 1000

  public init() {}

  public var isRunning: Bool { if case .running = phase { true } else { false } }
  /// It shows nothing, and waits to be started.
  public var isReset: Bool { self == Stopwatch() }

  /// What it shows.
  public func elapsed(at now: Now) -> Duration {
    switch phase {
    case .stopped(let elapsed): elapsed
    case .running(let since): max(laps.last ?? .zero, (now.boot - since.reading).inMilliseconds)
    }
  }
}

/// A lap, and how it compares.
public struct Lap: Hashable, Sendable {
  public enum Mark: String, Hashable, Sendable { case fastest, slowest }

  /// From 1.
  public var number: Int
  /// What it took.
  public var split: Duration
  /// What the stopwatch showed at its end.
  public var total: Duration
  /// Of at least two laps that are not all alike, the first of the fastest and of the slowest.
  public var mark: Mark?
}

extension Stopwatch {
  /// The laps, the first one first.
  public var lapTable: [Lap] {
    let splits = zip(laps, [.zero] + laps).map { $0 - $1 }
    let (fastest, slowest) = (splits.min(), splits.max())
    let areAlike = fastest == slowest
    return splits.indices.map { i in
      let mark: Lap.Mark? =
        switch splits[i] {
        case _ where areAlike: nil
        case fastest where !splits[..<i].contains(splits[i]): .fastest
        case slowest where !splits[..<i].contains(splits[i]): .slowest
        default: nil
        }
      return Lap(number: i + 1, split: splits[i], total: laps[i], mark: mark)
    }
  }
}

/// What the user does to the stopwatch. What makes no sense changes nothing: to start one that
/// runs, to stop or to take a lap of one that does not.
public enum StopwatchAct: Hashable, Sendable {
  case start, stop, lap
  /// Back to zero, and stopped.
  case reset
}

extension Duration {
  /// Rounded towards zero.
  fileprivate var inMilliseconds: Duration { .milliseconds(wholeMicroseconds / 1000) }
}

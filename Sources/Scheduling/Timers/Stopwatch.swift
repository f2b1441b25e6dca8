// SPDX-License-Identifier: GPL-3.0-or-later
//
// The stopwatch and its laps. While the stopwatch is running, it also counts the time during which
// the machine is suspended or off. Times are whole milliseconds, so that the lengths of the laps
// add up to the total.

public struct Stopwatch: Hashable, Sendable {
  public enum Phase: Hashable, Sendable {
    case stopped(at: Duration)
    /// The moment from which the shown time is counted. If the stopwatch was stopped and started
    /// again, this moment lies before the latest start, by the time that was shown when the
    /// stopwatch was stopped.
    case running(since: BootMoment)
  }

  public var phase: Phase = .stopped(at: .zero)
  /// What the stopwatch showed at each lap, in order; never decreasing.
  public var laps: [Duration] = []

  public static let lapsKept = 1000

  public init() {}

  public var isRunning: Bool { if case .running = phase { true } else { false } }
  /// Whether the stopwatch is stopped at zero without laps.
  public var isReset: Bool { self == Stopwatch() }

  public func elapsed(at now: Now) -> Duration {
    switch phase {
    case .stopped(let elapsed): elapsed
    case .running(let since):
      max(laps.last ?? .zero, .milliseconds((now.boot - since.reading).wholeMicroseconds / 1000))
    }
  }
}

public struct Lap: Hashable, Sendable {
  public enum Mark: String, Hashable, Sendable { case fastest, slowest }

  /// The number of the lap, counted from 1.
  public var number: Int
  public var split: Duration
  /// What the stopwatch showed at the end of this lap.
  public var total: Duration
  /// Marks the fastest and the slowest lap. Of several equally fast or equally slow laps, only the
  /// first has the mark. If all laps are equally long, none has a mark.
  public var mark: Mark?
}

extension Stopwatch {
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

/// An act of the user on the stopwatch. An act that makes no sense, such as starting a stopwatch
/// that is running, has no effect.
public enum StopwatchAct: Hashable, Sendable {
  case start, stop, lap
  /// Stops the stopwatch and sets it back to zero.
  case reset
}

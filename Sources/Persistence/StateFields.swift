// SPDX-License-Identifier: GPL-3.0-or-later
//
// The fields of everything that the agent remembers: alarms and their rings, timers, the stopwatch,
// missed rings and the clocks. Readings of the boot clock count from the start of the machine.
// `[clock]` identifies that start, and without it the readings mean nothing. Next:
// `StateText.swift`, which makes a file of the fields.

import Configuration
import Scheduling
import Values

extension Now: StoredRecord {
  static let blank = Now(wall: Instant(seconds: 0), boot: .zero, bootID: "")
  static let fields: [StoredField<Now>] = [
    StoredField("boot_id", \.bootID, .required),
    StoredField("boot_microseconds", \.boot, .required),
    StoredField("wall", \.wall, .required), StoredField("synchronized", \.isSynchronized),
  ]
}

// MARK: - Alarms

struct StoredAlarm: StoredRecord {
  var id: String
  var state: AlarmState

  static let blank = StoredAlarm(id: "", state: .blank)
  static let fields: [StoredField<StoredAlarm>] = [
    StoredField("id", \.id, .required), StoredField(part: \.state),
  ]
}

extension AlarmState: StoredRecord {
  static let blank = AlarmState(signature: "", handled: Instant(seconds: 0))
  static let fields: [StoredField<AlarmState>] = [
    StoredField("signature", \.signature, .required), StoredField("handled", \.handled, .required),
    StoredField("handled_date", \.handledDate),
    StoredField("settled", \.settled, as: { $0 }, from: { Array($0.suffix(settledKept)) }),
    StoredField("skipped", \.firstSkipped), StoredField("skipped_until", \.lastSkipped),
    StoredField("moves", \.moves, as: pairs, from: moves), StoredField("sound", \.sound),
    StoredField("prepared", \.prepared), StoredField("bedtime_closed", \.bedtimeClosed),
    StoredField(part: \.phase), StoredField("left", \.left),
  ]

  /// Moved rings are stored as `[[2026-12-24, 2026-12-24T08:15:00]]`. Each pair has the original
  /// date of a ring, and the date and time to which the ring was moved.
  @Sendable private static func pairs(_ moves: Moves) -> [[Value]] {
    moves.sorted { $0.key < $1.key }.map { [.date($0), .dateTime($1)] }
  }

  @Sendable private static func moves(_ pairs: [[Value]]) -> Moves? {
    guard (1...movesKept).contains(pairs.count) else { return nil }
    var moves = Moves()
    for pair in pairs {
      guard pair.count == 2, case .date(let date) = pair[0], case .dateTime(let time) = pair[1]
      else { return nil }
      moves[date] = time
    }
    return moves
  }

  private var firstSkipped: CivilDate? {
    get { skipped?.lowerBound }
    set { skipped = newValue.map { $0...$0 } }
  }

  /// The last day of several skipped days; nil if at most one day is skipped.
  private var lastSkipped: CivilDate? {
    get { skipped.flatMap { $0.lowerBound == $0.upperBound ? nil : $0.upperBound } }
    set {
      guard let first = firstSkipped, let newValue else { return }
      skipped = first...max(first, newValue)
    }
  }
}

extension AlarmState.Phase: StoredPart {
  var entries: [Value.Entry] {
    switch self {
    case .scheduled: []
    case .over: [Value.Entry("phase", .string("over"))]
    case .open(let ring): ring.openEntries
    case .checking(let ring, let check):
      [Value.Entry("phase", .string("checking"))] + check.entries + ring.entries
    }
  }

  init(from table: [Value.Entry]) throws(ValueFault) {
    switch table["phase"]?.string {
    case nil where table["phase"] == nil: self = .scheduled
    case "over": self = .over
    case "checking": self = .checking(try Ring(from: table), try StopCheck(from: table))
    default: self = .open(try Ring(open: table))
    }
  }
}

extension StopCheck: StoredRecord {
  static let blank = StopCheck(stopped: Instant(seconds: 0), due: Instant(seconds: 0))
  static let fields: [StoredField<StopCheck>] = [
    StoredField("stopped", \.stopped, .required), StoredField("check", \.due, .required),
    StoredField("looked", \.lookedAt), StoredField("asked", \.isAsked),
  ]
}

extension Ring: StoredRecord {
  static let blank = Ring(due: Instant(seconds: 0), since: Instant(seconds: 0))
  static let fields: [StoredField<Ring>] = [
    StoredField("until", \.snoozedUntil), StoredField("last_snooze", \.lastSnooze),
    StoredField("due", \.due, .required), StoredField("since", \.since, .required),
    StoredField("snoozes", \.snoozeCount, .required, as: { $0 }, from: count),
    StoredField("auto_snoozes", \.autoSnoozeCount, .required, as: { $0 }, from: count),
    StoredField("moved_from", \.movedFrom),
    StoredField("checks", \.checks, as: { $0 }, from: count),
    StoredField("hushed_until", \.hushedUntil), StoredField("silence_spent", \.isSilenceSpent),
  ]

  @Sendable private static func count(_ number: Int) -> Int? {
    (0...1_000_000).contains(number) ? number : nil
  }

  /// The fields of a ring that is ringing or snoozed. `phase` comes first and says which of the
  /// two.
  fileprivate var openEntries: [Value.Entry] {
    let phase = snoozedUntil == nil ? "ringing" : "snoozed"
    return [Value.Entry("phase", .string(phase))] + entries
  }

  fileprivate init(open table: [Value.Entry]) throws(ValueFault) {
    let phase = table["phase"]?.string
    guard phase == "ringing" || phase == "snoozed" else { throw ValueFault(key: "phase") }
    try self.init(from: table)
    if (phase == "snoozed") != (snoozedUntil != nil) { throw ValueFault(key: "until") }
  }
}

extension Missed: StoredRecord {
  static let blank = Missed(id: "", label: nil, dues: [Instant(seconds: 0)], reason: .off)
  static let fields: [StoredField<Missed>] = [
    StoredField("id", \.id, .required), StoredField("label", \.label),
    StoredField("timer", \.isTimer),
    StoredField(
      "dues", \.dues, .required, as: { $0 },
      from: { $0.isEmpty ? nil : Array($0.suffix(duesKept)) }),
    StoredField("reason", \.reason, .required),
  ]
}

extension Missed.Reason: Codable {}

// MARK: - Timers and the stopwatch

extension Timer: StoredRecord {
  static let blank = Timer(id: "", duration: .zero, phase: .paused(left: .zero))
  static let fields: [StoredField<Timer>] = [
    StoredField("id", \.id, .required), StoredField("label", \.label),
    StoredField("preset", \.preset), StoredField("sound", \.sound),
    StoredField("countdown_closed", \.isCountdownClosed), StoredField("waiting", \.isWaiting),
    StoredField(part: \.chain),
    StoredField(seconds: "duration_seconds", \.duration),
    StoredField(seconds: "length_seconds", \.length), StoredField(part: \.phase),
  ]
}

extension StoredField {
  /// Makes a field for a length in whole seconds. The length must be more than zero and at most
  /// `Timer.longest`.
  fileprivate init(
    seconds key: String, _ path: any WritableKeyPath<Record, Duration> & Sendable
  ) {
    self.init(
      key, path, .required, as: { Int($0.wholeSeconds) },
      from: { seconds in
        let duration = Duration.seconds(seconds)
        return duration > .zero && duration <= Timer.longest ? duration : nil
      })
  }
}

extension Timer.Phase: StoredPart {
  var entries: [Value.Entry] {
    switch self {
    case .running(let until): [Value.Entry("phase", .string("running"))] + until.entries
    case .paused(let left):
      [
        Value.Entry("phase", .string("paused")),
        Value.Entry("left_microseconds", Value(encoding: left)),
      ]
    case .open(let ring): ring.openEntries
    }
  }

  init(from table: [Value.Entry]) throws(ValueFault) {
    switch table["phase"]?.string {
    case "running": self = .running(until: try BootMoment(from: table))
    case "paused":
      guard let left = table["left_microseconds"]?.decoded(Duration.self), left >= .zero,
        left <= Timer.longest
      else {
        throw ValueFault(key: "left_microseconds")
      }
      self = .paused(left: left)
    default: self = .open(try Ring(open: table))
    }
  }
}

extension BootMoment: StoredRecord {
  static let blank = BootMoment(.zero)
  static let fields: [StoredField<BootMoment>] = [
    StoredField("start_as_if", \.startAsIf),
    StoredField("boot_microseconds", \.reading, .required),
  ]
}

extension Chain: StoredRecord {
  static let blank = Chain(id: "", first: "")
  static let fields: [StoredField<Chain>] = [
    StoredField("chain", \.id, .required), StoredField("chain_preset", \.first, .required),
    StoredField("chain_label", \.label), StoredField("chain_sound", \.sound),
    StoredField("round", \.round, .required, as: { $0 }, from: { $0 > 0 ? $0 : nil }),
    StoredField("gone_on", \.hasGoneOn),
  ]
}

extension RecentTimer: StoredRecord {
  static let blank = RecentTimer(duration: .zero, label: nil)
  static let fields: [StoredField<RecentTimer>] = [
    StoredField("label", \.label), StoredField("preset", \.preset), StoredField("sound", \.sound),
    StoredField(
      "until", \.until, as: { $0?.description ?? "" }, from: { TimeText.parse($0).map { $0 } }),
    StoredField(seconds: "duration_seconds", \.duration),
  ]
}

extension Stopwatch: StoredRecord {
  static let blank = Stopwatch()
  static let fields: [StoredField<Stopwatch>] = [
    StoredField(part: \.phase),
    StoredField(
      "laps_microseconds", \.laps, .required, as: { $0 },
      from: { laps in
        let isRising = zip([.zero] + laps, laps).allSatisfy { $0 <= $1 }
        return laps.count <= lapsKept && isRising ? laps : nil
      }),
  ]
}

extension Stopwatch.Phase: StoredPart {
  var entries: [Value.Entry] {
    switch self {
    case .running(let since): [Value.Entry("running", .boolean(true))] + since.entries
    case .stopped(let elapsed): [Value.Entry("elapsed_microseconds", Value(encoding: elapsed))]
    }
  }

  init(from table: [Value.Entry]) throws(ValueFault) {
    if table["running"]?.boolean == true {
      self = .running(since: try BootMoment(from: table))
    } else if let elapsed = table["elapsed_microseconds"]?.decoded(Duration.self),
      elapsed >= .zero
    {
      self = .stopped(at: elapsed)
    } else {
      throw ValueFault(key: "elapsed_microseconds")
    }
  }
}

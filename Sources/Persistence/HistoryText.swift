// SPDX-License-Identifier: GPL-3.0-or-later
//
// Converts the history to text and back. `history.jsonl` has one JSON object in each line. `report`
// returns the same data for other programs, in the form that all commands use. A line that cannot
// be read is counted and left out, because a crash may have cut off the last line.
// `HistoryFile.swift` reads the file, and `History.swift` in Agent writes it.

import Scheduling
import Values

/// Why no one could hear a ring. The raw values are those of the history file and of JSON output.
public enum Unheard: String, CaseIterable, Sendable {
  /// No sound device played.
  case noDevice = "no-device"
  /// The sound server had no output, so it played the sound to a stand-in.
  case noOutput = "no-output"
  /// The output, or Belfry's sound in the volume control, was muted.
  case muted
  /// The user has set the volume of the alarm or timer to 0.
  case volume = "volume-0"
  /// The ring ended, or was silenced, before a device had played anything.
  case early
}

/// A ring and how it ended, or an occurrence that did not ring and the reason.
public struct HistoryLine: Hashable, Sendable {
  public var kind = RingKind.alarm
  public var id: String
  public var label: String?
  /// The moment at which this ring was due. After a snooze, this is the end of the snooze.
  public var due: Instant
  /// The moment at which the ring was first heard; nil if it did not ring. If the ring was not
  /// heard, this is the moment at which it began. If another ring was sounding when this ring
  /// began, that sound counts.
  public var rang: Instant?
  /// Why the ring was not heard; nil if it was heard, if it did not ring, and in lines that Belfry
  /// 1.0 or earlier wrote.
  public var unheard: Unheard?
  /// The ALSA device on which the ring was first heard or, if it was not heard, was played last.
  public var device: String?
  /// The sound file that was played. `tone` means the tone that is generated in memory.
  public var sound: String?
  /// How many times the ring had been snoozed before this answer.
  public var snoozeCount = 0
  /// How many times the ring had been stopped before and rang again because no one confirmed being
  /// up.
  public var checks = 0
  /// How long the timer ran, including time that was added. Nil for an alarm, for a timer that was
  /// given more time during this ring, and in lines that Belfry 1.0 or earlier wrote.
  public var length: Duration?
  public var answer: Outcome.Ending
  public var answered: Instant

  public init(id: String, due: Instant, answer: Outcome.Ending, answered: Instant) {
    (self.id, self.due, self.answer, self.answered) = (id, due, answer, answered)
  }

  /// How long after it was due the ring was first heard; nil if it was not heard.
  public var late: Duration? { unheard == nil ? rang.map { $0 - due } : nil }
}

public enum HistoryText {
  /// The size in bytes at which the older half of the history file is dropped. The half that is
  /// kept holds a year with twenty rings a day.
  public static let limit = 4 << 20

  /// Returns those of the last `count` lines of `bytes` that can be read, oldest first, and how
  /// many of the last `count` lines cannot be read.
  public static func parse(
    _ bytes: [UInt8], last count: Int = .max
  ) -> (lines: [HistoryLine], unread: Int) {
    let texts = bytes.split(separator: UInt8(ascii: "\n")).suffix(count)
    let lines = texts.compactMap { bytes in
      String(validating: bytes, as: UTF8.self).flatMap { HistoryLine(json: $0) }
    }
    return (lines, texts.count - lines.count)
  }
}

// MARK: - As JSON

extension HistoryLine {
  /// Returns the line as the history file keeps it. Times in seconds are exact to the millisecond.
  public func json(in zones: some ZoneRules) -> String {
    Value.table(entries.splittingInstants(in: zones) { seconds($0.microseconds) }).json
  }

  /// Returns the line for other programs. In the output of all commands, an epoch is an integer,
  /// `until` is always a day, and `checks` is always a list. So the end of a snooze has the key
  /// `snoozed_until` here, and the number of checks has the key `unanswered_checks`.
  public func report(in zones: some ZoneRules) -> Value {
    let renamed = ["until": "snoozed_until", "checks": "unanswered_checks"]
    let entries = entries.map { Value.Entry(renamed[$0.key] ?? $0.key, $0.value) }
    return .table(entries.splittingInstants(in: zones) { .integer($0.seconds) })
  }

  fileprivate init?(json text: some StringProtocol) {
    guard let table = Value(json: text)?.table else { return nil }
    self.init(stored: .table(table.joiningInstants))
  }
}

/// Converts microseconds to seconds, rounded to the millisecond.
private func seconds(_ microseconds: Int64) -> Value {
  .number((Double(microseconds) / 1000).rounded() / 1000)
}

extension [Value.Entry] {
  /// Returns the table with two entries for each instant: `due` with the time in RFC 3339 for
  /// people, and `due_epoch` with the seconds since 1970.
  fileprivate func splittingInstants(
    in zones: some ZoneRules, _ seconds: (Instant) -> Value
  ) -> [Value.Entry] {
    flatMap { entry in
      guard case .instant(let instant) = entry.value else { return [entry] }
      return [
        Value.Entry(entry.key, .string(zones.rfc3339(instant, in: nil))),
        Value.Entry(entry.key + "_epoch", seconds(instant)),
      ]
    }
  }

  /// The table with an entry for each instant, which is made from the seconds and follows the entry
  /// with the text, so that it counts. An instant that is many thousand years away is `null`.
  fileprivate var joiningInstants: [Value.Entry] {
    self
      + compactMap { entry in
        guard entry.key.hasSuffix("_epoch") else { return nil }
        let key = String(entry.key.dropLast("_epoch".count))
        guard let seconds = entry.value.number, abs(seconds) < Double(1 << 40) else {
          return Value.Entry(key, .null)
        }
        let instant = Instant(microseconds: Int64((seconds * 1000).rounded()) * 1000)
        return Value.Entry(key, .instant(instant))
      }
  }
}

// MARK: - The fields

extension HistoryLine: StoredRecord {
  static let blank = HistoryLine(
    id: "", due: Instant(seconds: 0), answer: .stopped, answered: Instant(seconds: 0))

  static let fields: [StoredField<HistoryLine>] = [
    StoredField("id", \.id, .required),
    StoredField(
      "label", \.label, .written, as: { $0 ?? "" }, from: { $0.isEmpty ? .some(nil) : $0 }),
    StoredField(
      "kind", \.kind, .written, as: \.rawValue, from: { RingKind(rawValue: $0) ?? .alarm }),
    StoredField("due", \.due, .required), StoredField("rang", \.rang),
    StoredField(computed: "late") { line in line.late.map { seconds($0.wholeMicroseconds) } },
    StoredField(
      "not_heard", \.unheard, as: { $0?.rawValue ?? "" }, from: { .some(Unheard(rawValue: $0)) }),
    StoredField("device", \.device), StoredField("sound", \.sound),
    StoredField("snoozes", \.snoozeCount, .written, as: { $0 }, from: count),
    StoredField("checks", \.checks, as: { $0 }, from: count),
    StoredField(
      "length", \.length, as: { $0?.wholeSeconds },
      from: { $0.map { .seconds(max(0, min($0, Timer.longest.wholeSeconds))) } }),
    StoredField(part: \.answer), StoredField("answered", \.answered, .required),
  ]

  @Sendable private static func count(_ number: Int) -> Int? { max(0, min(number, 1_000_000)) }
}

extension Outcome.Ending: StoredPart {
  public var name: String {
    switch self {
    case .stopped: "stopped"
    case .restarted: "restarted"
    case .snoozed: "snoozed"
    case .missed: "missed"
    case .removed: "removed"
    }
  }

  var entries: [Value.Entry] {
    let answer = Value.Entry("answer", .string(name))
    return switch self {
    case .stopped, .restarted, .removed: [answer]
    case .missed(let reason): [answer, Value.Entry("reason", .string(reason.rawValue))]
    case .snoozed(let until, let byItself):
      [answer, Value.Entry("by_itself", .boolean(byItself)), Value.Entry("until", .instant(until))]
    }
  }

  init(from table: [Value.Entry]) throws(ValueFault) {
    switch table["answer"]?.string {
    case "stopped": self = .stopped
    case "restarted": self = .restarted
    case "removed": self = .removed
    case "missed":
      guard let reason = table["reason"]?.decoded(Missed.Reason.self) else {
        throw ValueFault(key: "reason")
      }
      self = .missed(reason)
    case "snoozed":
      guard let until = table["until"]?.decoded(Instant.self) else {
        throw ValueFault(key: "until")
      }
      self = .snoozed(until: until, byItself: table["by_itself"]?.boolean ?? false)
    default: throw ValueFault(key: "answer")
    }
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Converts the history to text and back. `history.jsonl` has one JSON object in each line. `report`
// returns the same data for other programs, in the form that all commands use. A line that cannot
// be read is counted and left out, because a crash may have cut off the last line.
// `HistoryFile.swift` reads the file, and `Remembering.swift` in Agent writes it.

import Scheduling

/// A ring and how it ended, or an occurrence that did not ring and the reason.
public struct HistoryLine: Hashable, Sendable {
  public var kind = RingKind.alarm
  public var id: String
  public var label: String?
  /// The moment at which this ring was due. After a snooze, this is the end of the snooze.
  public var due: Instant
  /// The moment at which the ring was first heard; nil if it did not ring. If the ring was not
  /// heard, for example because another ring was sounding, this is the moment at which it began.
  public var rang: Instant?
  /// The ALSA device on which the ring was first heard.
  public var device: String?
  /// The sound file that was heard. `tone` means the tone that is generated in memory.
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

  public var late: Duration? { rang.map { $0 - due } }
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
      String(validating: bytes, as: UTF8.self).flatMap { JSON($0) }.flatMap { HistoryLine($0) }
    }
    return (lines, texts.count - lines.count)
  }
}

// MARK: - As JSON

extension HistoryLine {
  /// Returns the line as the history file keeps it. Times in seconds are exact to the millisecond.
  public func json(in zones: some ZoneRules) -> JSON {
    json(in: zones, ("until", "checks")) { Self.seconds($0.microseconds) }
  }

  /// Returns the line for other programs. In the output of all commands, an epoch is an integer,
  /// `until` is always a day, and `checks` is always a list. So the end of a snooze has the key
  /// `snoozed_until` here, and the number of checks has the key `unanswered_checks`.
  public func report(in zones: some ZoneRules) -> JSON {
    json(in: zones, ("snoozed_until", "unanswered_checks")) { .integer($0.seconds) }
  }

  private func json(
    in zones: some ZoneRules, _ keys: (until: String, checks: String),
    _ seconds: (Instant) -> JSON
  ) -> JSON {
    func text(_ moment: Instant?) -> JSON? { moment.map { .string(zones.rfc3339($0, in: nil)) } }
    func epoch(_ moment: Instant?) -> JSON? { moment.map(seconds) }
    var (reason, until, byItself): (Missed.Reason?, Instant?, Bool?)
    switch answer {
    case .stopped, .restarted, .removed: break
    case .missed(let why): reason = why
    case .snoozed(let end, let own): (until, byItself) = (end, own)
    }
    return .object([
      "id": .string(id), "label": .string(label ?? ""), "kind": .string(kind.rawValue),
      "due": text(due), "due_epoch": epoch(due), "rang": text(rang), "rang_epoch": epoch(rang),
      "late": late.map { Self.seconds($0.wholeMicroseconds) }, "device": device.map(JSON.string),
      "sound": sound.map(JSON.string), "snoozes": .integer(Int64(snoozeCount)),
      keys.checks: checks > 0 ? .integer(Int64(checks)) : nil,
      "length": length.map { .integer($0.wholeSeconds) }, "answer": .string(answer.name),
      "reason": reason.map { .string($0.rawValue) }, "by_itself": byItself.map(JSON.boolean),
      keys.until: text(until), "\(keys.until)_epoch": epoch(until), "answered": text(answered),
      "answered_epoch": epoch(answered),
    ])
  }

  fileprivate init?(_ json: JSON) {
    guard let id = json["id"]?.string, let due = Self.instant(json["due_epoch"]),
      let answered = Self.instant(json["answered_epoch"]), let answer = Outcome.Ending(json)
    else { return nil }
    self.init(id: id, due: due, answer: answer, answered: answered)
    kind = json["kind"]?.string.flatMap(RingKind.init) ?? .alarm
    label = json["label"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    rang = Self.instant(json["rang_epoch"])
    (device, sound) = (json["device"]?.string, json["sound"]?.string)
    (snoozeCount, checks) = (Self.count(json["snoozes"]), Self.count(json["checks"]))
    length = json["length"]?.integer.map { .seconds(max(0, min($0, Timer.longest.wholeSeconds))) }
  }

  private static func count(_ json: JSON?) -> Int {
    Int(max(0, min(json?.integer ?? 0, 1_000_000)))
  }

  /// Converts microseconds to seconds, rounded to the millisecond.
  private static func seconds(_ microseconds: Int64) -> JSON {
    .number((Double(microseconds) / 1000).rounded() / 1000)
  }

  fileprivate static func instant(_ json: JSON?) -> Instant? {
    guard let seconds = json?.number, abs(seconds) < Double(1 << 40) else { return nil }
    return Instant(microseconds: Int64((seconds * 1000).rounded()) * 1000)
  }
}

extension Outcome.Ending {
  public var name: String {
    switch self {
    case .stopped: "stopped"
    case .restarted: "restarted"
    case .snoozed: "snoozed"
    case .missed: "missed"
    case .removed: "removed"
    }
  }

  fileprivate init?(_ json: JSON) {
    switch json["answer"]?.string {
    case "stopped": self = .stopped
    case "restarted": self = .restarted
    case "removed": self = .removed
    case "missed":
      guard let reason = json["reason"]?.string.flatMap(Missed.Reason.init) else { return nil }
      self = .missed(reason)
    case "snoozed":
      guard let until = HistoryLine.instant(json["until_epoch"]) else { return nil }
      self = .snoozed(until: until, byItself: json["by_itself"]?.boolean ?? false)
    default: return nil
    }
  }
}

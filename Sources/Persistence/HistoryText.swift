// SPDX-License-Identifier: GPL-3.0-or-later
//
// Converts the history to text and back. `history.jsonl` has one JSON object in each line. Other
// programs get the same by the rules of all commands (`report`). A line that cannot be read is
// counted and left out, because a crash may have cut the last line short. The file itself is read
// and written by `HistoryFile.swift`.

import Scheduling

/// A ring and how it ended; or an occurrence that never rang, and why.
public struct HistoryLine: Hashable, Sendable {
  public var kind = RingKind.alarm
  public var id: String
  public var label: String?
  /// When this ring was due; after a snooze, when the snooze ended.
  public var due: Instant
  /// When the ring was first heard. If it made no sound of its own, when it began; nil if it did
  /// not ring.
  public var rang: Instant?
  /// The ALSA device on which the ring was first heard.
  public var device: String?
  /// The sound file that was heard; `tone` for the tone that is generated in memory.
  public var sound: String?
  /// How often the ring had been snoozed before.
  public var snoozes = 0
  /// How often the ring had been stopped before and rang again because no one confirmed being up.
  public var checks = 0
  public var answer: Outcome.Ending
  /// When the ring ended.
  public var answered: Instant

  public init(id: String, due: Instant, answer: Outcome.Ending, answered: Instant) {
    (self.id, self.due, self.answer, self.answered) = (id, due, answer, answered)
  }

  /// How long after it was due the ring was heard.
  public var late: Duration? { rang.map { $0 - due } }
}

public enum HistoryText {
  /// The largest size of the file in bytes. Half of it holds a year with twenty rings a day.
  public static let limit = 4 << 20

  /// The lines of `bytes`, oldest first, and the number of lines that could not be read.
  public static func parse(_ bytes: [UInt8]) -> (lines: [HistoryLine], unread: Int) {
    let texts = bytes.split(separator: UInt8(ascii: "\n"))
    let lines = texts.compactMap { bytes in
      String(validating: bytes, as: UTF8.self).flatMap { JSON($0) }.flatMap { HistoryLine($0) }
    }
    return (lines, texts.count - lines.count)
  }
}

// MARK: - As JSON

extension HistoryLine {
  /// As it is kept: epochs are to the millisecond.
  public func json(in zones: some ZoneRules) -> JSON {
    json(in: zones, ("until", "checks")) { Self.seconds($0.microseconds) }
  }

  /// As other programs get it: an epoch is an integer, `until` a day and `checks` a list, as
  /// everywhere.
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
      "sound": sound.map(JSON.string), "snoozes": .integer(Int64(snoozes)),
      keys.checks: checks > 0 ? .integer(Int64(checks)) : nil, "answer": .string(answer.name),
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
    snoozes = Int(clamping: json["snoozes"]?.integer ?? 0)
    checks = Int(clamping: json["checks"]?.integer ?? 0)
  }

  /// Seconds, rounded to the millisecond.
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

// SPDX-License-Identifier: GPL-3.0-or-later
//
// The history as text and back: `history.jsonl`, a JSON object a line, the same that
// `belfry history --json` prints. It opens no file. A line that is not understood is counted and
// left out: a crash may cut the last one short.

import Scheduling

/// A ring and what became of it; or one that never was, and why.
public struct HistoryLine: Hashable, Sendable {
  public var kind = RingKind.alarm
  public var id: String
  public var label: String?
  /// When this ring was due: the occurrence or, after a snooze, the end of that.
  public var due: Instant
  /// When it was first heard or, without a sound of its own, began; nil where it did not ring.
  public var rang: Instant?
  /// The ALSA device that it was first heard on.
  public var device: String?
  /// The file that was heard; `tone` for the one made in memory.
  public var sound: String?
  /// How often it had been snoozed before.
  public var snoozes = 0
  /// How often it had been stopped before, and rang again since nobody said that he is up.
  public var checks = 0
  public var answer: Outcome.Ending
  /// When it ended.
  public var answered: Instant

  public init(id: String, due: Instant, answer: Outcome.Ending, answered: Instant) {
    (self.id, self.due, self.answer, self.answered) = (id, due, answer, answered)
  }

  /// How long after it was due it was heard.
  public var late: Duration? { rang.map { $0 - due } }
}

public enum HistoryText {
  /// In bytes: half of it is a year of twenty rings a day.
  public static let limit = 4 << 20

  /// What `text` holds, the oldest first, and how many lines of it say nothing.
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
  public func json(in zones: some ZoneRules) -> JSON {
    func text(_ moment: Instant?) -> JSON? { moment.map { .string(zones.rfc3339($0, in: nil)) } }
    func epoch(_ moment: Instant?) -> JSON? { moment.map { Self.seconds($0.microseconds) } }
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
      "checks": checks > 0 ? .integer(Int64(checks)) : nil, "answer": .string(answer.name),
      "reason": reason.map { .string($0.rawValue) }, "by_itself": byItself.map(JSON.boolean),
      "until": text(until), "until_epoch": epoch(until), "answered": text(answered),
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

  /// To the millisecond.
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

// SPDX-License-Identifier: GPL-3.0-or-later
//
// The ids of alarms. If an alarm has no `id`, its id is made from its label or, without a label,
// from its time. A number is added if an alarm above already has this id, or if any alarm has it as
// its `id`. The state is stored under these ids, so this rule must never change.

import Language
import Scheduling

public enum Identity {
  public enum Fault: Error, Hashable, Sendable { case empty, tooLong, notOneWord }

  /// The maximum length of an id in characters.
  public static let longest = 100
  /// The maximum length of an id in bytes. A single character can have any number of bytes.
  public static let mostBytes = longest * 12
  /// The maximum length of a label in bytes.
  public static let longestLabel = 1000
  /// The maximum length in characters of an id that is made from a label. It is short because
  /// people have to type the id.
  static let longestSlug = 40

  /// Returns what is wrong with an id; nil if the id is valid. An id consists of letters and digits
  /// of any script, `-`, `_` and `.`, and begins with a letter or digit. So no shell needs quotes
  /// for an id, and no command takes an id for an option.
  public static func fault(of id: String) -> Fault? {
    guard let first = id.unicodeScalars.first else { return .empty }
    guard id.utf8.count <= mostBytes, id.count <= longest else { return .tooLong }
    let isWord =
      OutsideText.isLetterOrDigit(first)
      && OutsideText.consists(id, ofLettersDigitsAnd: "-_.")
    return isWord ? nil : .notOneWord
  }

  /// Returns the letters and digits of `label` in lower case. All other characters between two of
  /// them become one `-`.
  public static func slug(_ label: String) -> String {
    var slug = ""
    var length = 0
    var isPending = false
    for character in label.lowercased() {
      guard character.unicodeScalars.allSatisfy(OutsideText.isLetterOrDigit) else {
        isPending = !slug.isEmpty
        continue
      }
      length += isPending ? 2 : 1
      guard length <= longestSlug else { break }
      if isPending { slug.append("-") }
      slug.append(character)
      isPending = false
    }
    return slug
  }

  /// Returns at most the first `longestLabel` bytes of a label that is too long. A code point is
  /// never cut in two.
  static func cut(_ label: String) -> String {
    var end = label.utf8.index(label.startIndex, offsetBy: longestLabel)
    while label.utf8[end] & 0xC0 == 0x80 { label.utf8.formIndex(before: &end) }
    return String(label[..<end])
  }

  /// Returns the id of an alarm without `id`, before a number is added to make the id unique.
  public static func name(label: String?, time: AlarmTime) -> String {
    let slug = slug(label ?? "")
    if !slug.isEmpty { return slug }
    return switch time {
    // Returns `0730`, or `073015` for a time with seconds.
    case .clock(let time): time.description.filter { $0 != ":" }
    case .sun(let event, _): event.rawValue
    }
  }
}

/// Assigns the ids of one config. No id is assigned twice.
struct Identifiers {
  private var taken: Set<String>
  private var claimed: [String: Int] = [:]
  private var counters: [String: Int] = [:]

  /// `explicit` holds the ids that are written in the file. An alarm without `id` never gets one of
  /// these ids.
  init(explicit: some Collection<String>) {
    taken = Set(explicit)
  }

  /// Assigns `id`, which is written in the file, to the alarm in `line`. If another alarm already
  /// has this id, returns the line of that alarm.
  mutating func claim(_ id: String, inLine line: Int) -> Int? {
    if let earlier = claimed[id] { return earlier }
    claimed[id] = line
    return nil
  }

  /// Makes an id from `label` or, without a label, from `time`; nil if both are missing.
  mutating func make(label: String?, time: AlarmTime?) -> String? {
    let slug = Identity.slug(label ?? "")
    guard
      let base = time.map({ Identity.name(label: label, time: $0) }) ?? (slug.isEmpty ? nil : slug)
    else { return nil }
    var id = base
    if taken.contains(base) {
      var count = counters[base] ?? 2
      while taken.contains("\(base)-\(count)") { count += 1 }
      counters[base] = count + 1
      id = "\(base)-\(count)"
    }
    taken.insert(id)
    return id
  }
}

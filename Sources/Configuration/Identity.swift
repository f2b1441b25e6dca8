// SPDX-License-Identifier: GPL-3.0-or-later
//
// What an alarm is called. Its own `id`; without one, its label as a slug, or its time, made unique
// by a counter in the order of the file. State outlives edits by this name, so the rule must not
// change.

import Scheduling

/// What makes an identifier, and makes one where it was left out.
public enum Identity {
  public enum Fault: Error, Hashable, Sendable { case empty, tooLong, notOneWord }

  /// In characters.
  public static let longest = 100
  /// In bytes: a character may be made of any number of them, and those of an id have a dozen on
  /// average at most.
  public static let mostBytes = longest * 12
  /// In bytes: a character may be made of any number of them, and each label is gone through often.
  public static let longestLabel = 1000
  /// In characters; a made identifier is for typing.
  static let longestSlug = 40

  /// An identifier is one word of letters and digits of any script, `-`, `_` and `.`, and begins
  /// with a letter or digit: no shell needs it quoted, and no command takes it for an option.
  public static func fault(of id: String) -> Fault? {
    guard let first = id.unicodeScalars.first else { return .empty }
    guard id.utf8.count <= mostBytes, id.count <= longest else { return .tooLong }
    let isWord =
      isLetterOrDigit(first)
      && id.unicodeScalars.allSatisfy { isLetterOrDigit($0) || "-_.".unicodeScalars.contains($0) }
    return isWord ? nil : .notOneWord
  }

  /// Letters and digits in lower case, anything between them one `-`. Empty where `label` has none.
  public static func slug(_ label: String) -> String {
    var slug = ""
    var length = 0
    var isPending = false
    for character in label.lowercased() {
      guard character.unicodeScalars.allSatisfy(isLetterOrDigit) else {
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

  /// The beginning of `label`, which is too long, in whole code points.
  static func cut(_ label: String) -> String {
    var end = label.utf8.index(label.startIndex, offsetBy: longestLabel)
    while label.utf8[end] & 0xC0 == 0x80 { label.utf8.formIndex(before: &end) }
    return String(label[..<end])
  }

  /// What an alarm without an id is called, before a counter tells it from others.
  public static func name(label: String?, time: AlarmTime) -> String {
    let slug = slug(label ?? "")
    if !slug.isEmpty { return slug }
    return switch time {
    // `0730`, or `073015` where there are seconds.
    case .clock(let time): time.description.filter { $0 != ":" }
    case .sun(let event, _): event.rawValue
    }
  }

  private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .nonspacingMark, .spacingMark:
      true
    default: false
    }
  }
}

/// The identifiers of one config: each is given out once.
struct Identifiers {
  private var taken: Set<String>
  private var claimed: [String: Int] = [:]
  private var counters: [String: Int] = [:]

  /// `explicit`: those that the file names; none of them is ever made.
  init(explicit: some Collection<String>) {
    taken = Set(explicit)
  }

  /// Gives an explicit identifier to the alarm in `line`; returns the line of the one that has it
  /// already, if any.
  mutating func claim(_ id: String, inLine line: Int) -> Int? {
    if let earlier = claimed[id] { return earlier }
    claimed[id] = line
    return nil
  }

  /// An identifier from `label` or else `time`; nil where there is neither.
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

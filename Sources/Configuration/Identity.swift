// SPDX-License-Identifier: GPL-3.0-or-later
//
// The ids of alarms. An alarm without `id` gets one from its label or else its time, with a number
// if the id is already taken by an alarm above. The state is stored under these ids, so the rule
// must never change.

import Scheduling

public enum Identity {
  public enum Fault: Error, Hashable, Sendable { case empty, tooLong, notOneWord }

  /// The most characters of an id.
  public static let longest = 100
  /// The most bytes of an id. A single character can have any number of bytes.
  public static let mostBytes = longest * 12
  /// The most bytes of a label.
  public static let longestLabel = 1000
  /// The most characters of an id that is made from a label. People have to type it.
  static let longestSlug = 40

  /// An id consists of letters and digits of any script, `-`, `_` and `.`, and begins with a letter
  /// or digit. So no shell needs quotes for it, and no command takes it for an option.
  public static func fault(of id: String) -> Fault? {
    guard let first = id.unicodeScalars.first else { return .empty }
    guard id.utf8.count <= mostBytes, id.count <= longest else { return .tooLong }
    let isWord =
      isLetterOrDigit(first)
      && id.unicodeScalars.allSatisfy { isLetterOrDigit($0) || "-_.".unicodeScalars.contains($0) }
    return isWord ? nil : .notOneWord
  }

  /// The letters and digits of `label` in lower case, with one `-` for anything between them.
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

  /// The beginning of a label that is too long, in whole code points.
  static func cut(_ label: String) -> String {
    var end = label.utf8.index(label.startIndex, offsetBy: longestLabel)
    while label.utf8[end] & 0xC0 == 0x80 { label.utf8.formIndex(before: &end) }
    return String(label[..<end])
  }

  /// The id of an alarm without `id`, before a number is added to make it unique.
  public static func name(label: String?, time: AlarmTime) -> String {
    let slug = slug(label ?? "")
    if !slug.isEmpty { return slug }
    return switch time {
    // `0730`, or `073015` for a time with seconds.
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

/// Assigns the ids of one config, each once.
struct Identifiers {
  private var taken: Set<String>
  private var claimed: [String: Int] = [:]
  private var counters: [String: Int] = [:]

  /// `explicit` are the ids in the file. They are never given to an alarm without `id`.
  init(explicit: some Collection<String>) {
    taken = Set(explicit)
  }

  /// Gives an id of the file to the alarm in `line`. Returns the line of the alarm that already has
  /// it, if there is one.
  mutating func claim(_ id: String, inLine line: Int) -> Int? {
    if let earlier = claimed[id] { return earlier }
    claimed[id] = line
    return nil
  }

  /// An id from `label` or else `time`; nil if there is neither.
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

// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a person typed, compared with the beginning of a name: letters fold, a Korean consonant is
// any syllable that begins with it, and the last syllable may still lack its end. Next:
// `CityTable.swift`.

struct Pattern {
  private enum Element {
    case scalar(UInt32)
    /// Any syllable with this initial consonant.
    case initial(UInt32)
    /// A last syllable without a final consonant: any that begins like it.
    case open(UInt32)
    /// A last syllable whose final consonant may yet be the next one's initial.
    case closing(UInt32, carried: UInt32, initial: UInt32)
  }

  enum Match { case whole, beginning }

  private let elements: [Element]
  /// Whether a name that begins with a byte can match.
  private let leads: [Bool]

  var isEmpty: Bool { elements.isEmpty }

  init(_ scalars: [UInt32]) {
    var elements: [Element] = []
    for (index, scalar) in scalars.enumerated() {
      let initials = Hangul.initials(of: scalar)
      if !initials.isEmpty {
        elements += initials.map(Element.initial)
      } else if index == scalars.count - 1, Hangul.syllables.contains(scalar) {
        elements.append(Self.last(scalar))
      } else {
        elements.append(.scalar(scalar))
      }
    }
    self.elements = elements
    leads = Self.leads(elements.first)
  }

  private static func last(_ syllable: UInt32) -> Element {
    guard let (carried, initial) = Hangul.carried(syllable) else { return .open(syllable) }
    return .closing(syllable, carried: carried, initial: initial)
  }

  private static func leads(_ first: Element?) -> [Bool] {
    guard let first else { return [Bool](repeating: false, count: 256) }
    var leads = [Bool](repeating: false, count: 256)
    // A letter outside ASCII; among them are marked ones that fold into it.
    for byte in 0xC2...0xF4 { leads[byte] = true }
    // What is skipped may come first, as in 's-Hertogenbosch.
    for skipped in ["'", ".", "`"] as [Unicode.Scalar] { leads[Int(skipped.value)] = true }
    if case .scalar(let scalar) = first, scalar < 0x80 {
      leads[Int(scalar)] = true
      if (0x61...0x7A).contains(scalar) { leads[Int(scalar) - 0x20] = true }
      // Of the others only Latin ones fold into it: U+0080 to U+02FF, U+1E00, and wide letters.
      for byte in 0xCC...0xF4 where byte != 0xE1 && byte != 0xE2 && byte != 0xEF {
        leads[byte] = false
      }
    }
    return leads
  }

  func mayBegin(with byte: UInt8) -> Bool { leads[Int(byte)] }

  /// How the name that begins at `start` matches; nil where it does not.
  func match(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Match? {
    var name = FoldedScalars(from: start, to: end)
    for element in elements {
      guard let scalar = name.next(bytes) else { return nil }
      switch element {
      case .scalar(let wanted): guard scalar == wanted else { return nil }
      case .initial(let wanted): guard Hangul.initial(of: scalar) == wanted else { return nil }
      case .open(let wanted):
        guard (wanted..<wanted + 28).contains(scalar) else { return nil }
        if scalar != wanted { return .beginning }
      case .closing(let wanted, let carried, let initial):
        if scalar == wanted { break }
        guard scalar == carried, let next = name.next(bytes), Hangul.initial(of: next) == initial
        else { return nil }
        return .beginning
      }
    }
    return name.next(bytes) == nil ? .whole : .beginning
  }
}

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
  }

  private static func last(_ syllable: UInt32) -> Element {
    guard let (carried, initial) = Hangul.carried(syllable) else { return .open(syllable) }
    return .closing(syllable, carried: carried, initial: initial)
  }

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

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keys and clicks as a terminal sends them: ECMA-48's control sequences, letters in UTF-8, and the
// mouse as xterm tells it. What they do is `WatchKeys.swift`'s.

/// A key that was pressed, or what was done with the mouse.
public nonisolated enum KeyPress: Hashable, Sendable {
  /// Letters, and what Enter, Backspace and the like are in ASCII.
  case character(Character)
  case up, down, escape
  /// Counted from 0.
  case click(column: Int, row: Int)
  /// A notch of the wheel: -1 up, 1 down.
  case wheel(Int)
}

/// Takes what comes from a terminal apart. A key may come in pieces, and the second of them alone
/// would be other keys.
public nonisolated struct KeyReader: Sendable {
  /// The beginning of a key of which the rest is to come.
  private var begun: [UInt8] = []
  /// Escape came last, by itself as it seemed.
  private var isAfterEscape = false
  /// No key is longer, in bytes.
  private static let longest = 64

  public init() {}

  /// Whether Escape was pressed, unless more is to come of it: `alone` says that nothing did.
  public var isUndecided: Bool { begun == [Self.escape] }

  /// The key that was undecided.
  public mutating func alone() -> [KeyPress] {
    guard isUndecided else { return [] }
    (begun, isAfterEscape) = ([], true)
    return [.escape]
  }

  public mutating func keys(_ bytes: [UInt8]) -> [KeyPress] {
    guard let first = bytes.first else { return [] }
    // No key is called so: it is what was to come of Escape after all.
    let isLate = isAfterEscape && first == 0x5B
    var rest = ((isLate ? [Self.escape] : begun) + bytes)[...]
    (begun, isAfterEscape) = ([], false)
    var keys: [KeyPress] = []
    while !rest.isEmpty {
      guard let length = Self.length(rest) else {
        if rest.count < Self.longest { begun = Array(rest) }
        break
      }
      if let key = Self.key(rest.prefix(length)) { keys.append(key) }
      rest = rest.dropFirst(length)
    }
    return keys
  }

  private static let escape: UInt8 = 0x1B

  /// How many bytes the first key in `rest` has; nil where its end is to come.
  private static func length(_ rest: ArraySlice<UInt8>) -> Int? {
    let length = rest.first == escape ? sequence(rest) : letter(rest)
    return length.flatMap { $0 <= rest.count ? $0 : nil }
  }

  /// Alone, Escape is the key itself; before [ or O, it begins what a terminal calls an arrow.
  private static func sequence(_ rest: ArraySlice<UInt8>) -> Int? {
    guard let next = rest.dropFirst().first else { return nil }
    guard next == 0x5B || next == 0x4F else { return 1 }
    let inside = rest.dropFirst(2).prefix { (0x20...0x3F).contains($0) }.count
    guard let end = rest.dropFirst(2 + inside).first else { return nil }
    // A click of a terminal without mode 1006: three bytes follow, which may be any.
    if next == 0x5B, inside == 0, end == 0x4D { return 6 }
    // What cannot end it is the beginning of the next key.
    return 2 + inside + ((0x40...0x7E).contains(end) ? 1 : 0)
  }

  /// A letter in UTF-8; of one that is cut off by another key, what there is.
  private static func letter(_ rest: ArraySlice<UInt8>) -> Int? {
    let length =
      switch rest.first ?? 0 {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    let found = 1 + rest.dropFirst().prefix(length - 1).prefix { (0x80...0xBF).contains($0) }.count
    return found < rest.count ? found : length
  }

  private static func key(_ bytes: ArraySlice<UInt8>) -> KeyPress? {
    guard bytes.first == escape else {
      return String(validating: bytes, as: UTF8.self)?.first.map { .character($0) }
    }
    if bytes.dropFirst(2).first == 0x3C { return mouse(bytes) }
    return switch (bytes.count, bytes.last) {
    case (1, _): .escape
    case (_, 0x41): .up
    case (_, 0x42): .down
    default: nil
    }
  }

  /// Mode 1006: `ESC [ < button ; column ; row M`, or m where the button was let go. With Shift the
  /// terminal keeps it for itself; with other keys, it means nothing.
  private static func mouse(_ bytes: ArraySlice<UInt8>) -> KeyPress? {
    let numbers = String(decoding: bytes.dropFirst(3).dropLast(), as: UTF8.self)
      .split(separator: ";", omittingEmptySubsequences: false)
      .map { $0.allSatisfy(\.isWholeNumber) ? Int($0) ?? -1 : -1 }
    guard bytes.last == 0x4D, numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
    return switch numbers[0] {
    case 0: .click(column: numbers[1] - 1, row: numbers[2] - 1)
    case 64: .wheel(-1)
    case 65: .wheel(1)
    default: nil
    }
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Decodes the bytes that a terminal sends for keys and clicks: control sequences of ECMA-48,
// letters in UTF-8, and xterm's reports of the mouse. Next: `WatchKeys.swift`.

public enum KeyPress: Hashable, Sendable {
  /// A letter, or the ASCII character of a key such as Enter or Backspace.
  case character(Character)
  case up, down, escape
  /// A click on a place of the screen. `column` and `row` count from 0.
  case click(column: Int, row: Int)
  /// A turn of the mouse wheel by one notch: -1 is up, 1 is down.
  case wheel(Int)
}

/// Splits the bytes from a terminal into keys. The bytes of one key may arrive in several pieces.
public struct KeyReader: Sendable {
  /// The first bytes of a key that is not complete yet.
  private var begun: [UInt8] = []
  /// Whether the last byte was an Escape byte that counted as the Escape key.
  private var isAfterEscape = false
  /// More bytes than any key has. A longer sequence is dropped, so that a terminal cannot fill the
  /// memory.
  private static let longest = 64

  public init() {}

  /// Whether an Escape byte has arrived that may be the Escape key or the beginning of another key.
  public var isUndecided: Bool { begun == [Self.escape] }

  /// Counts an undecided Escape byte as the Escape key, and returns this key. Call this if no other
  /// byte has followed the Escape byte.
  public mutating func alone() -> [KeyPress] {
    guard isUndecided else { return [] }
    (begun, isAfterEscape) = ([], true)
    return [.escape]
  }

  public mutating func keys(_ bytes: [UInt8]) -> [KeyPress] {
    guard let first = bytes.first else { return [] }
    // The last Escape byte counted as the Escape key. But a `[` now shows that it began a control
    // sequence, whose other bytes arrive late.
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

  private static func length(_ rest: ArraySlice<UInt8>) -> Int? {
    let length = rest.first == escape ? sequence(rest) : letter(rest)
    return length.flatMap { $0 <= rest.count ? $0 : nil }
  }

  /// Returns the number of bytes of the key that begins with the Escape byte at the start of
  /// `rest`, or nil if more bytes must arrive first. With `[` or `O` after Escape, this key is a
  /// control sequence, such as an arrow key. Otherwise it is the Escape key alone.
  private static func sequence(_ rest: ArraySlice<UInt8>) -> Int? {
    guard let next = rest.dropFirst().first else { return nil }
    guard next == 0x5B || next == 0x4F else { return 1 }
    let inside = rest.dropFirst(2).prefix { (0x20...0x3F).contains($0) }.count
    guard let end = rest.dropFirst(2 + inside).first else { return nil }
    // A terminal without mouse mode 1006 sends these three bytes for a click, and three more. None
    // of them must count as a key.
    if next == 0x5B, inside == 0, end == 0x4D { return 6 }
    // A byte that cannot end this sequence is the first byte of the next key.
    return 2 + inside + ((0x40...0x7E).contains(end) ? 1 : 0)
  }

  /// Returns the number of bytes of the letter in UTF-8 with which `rest` begins. If another key
  /// interrupts the letter, only the bytes before that key count.
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
    // A click without mode 1006. Its last byte may be the last byte of an arrow key.
    if bytes.dropFirst(2).first == 0x4D { return nil }
    return switch (bytes.count, bytes.last) {
    case (1, _): .escape
    case (_, 0x41): .up
    case (_, 0x42): .down
    default: nil
    }
  }

  /// Decodes a report of the mouse in mode 1006: `ESC [ < button ; column ; row M`, or `m` in
  /// place of `M` when the button is released. Clicks with Ctrl or Alt have other button numbers
  /// and are ignored.
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

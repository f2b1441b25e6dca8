// SPDX-License-Identifier: GPL-3.0-or-later
//
// Names as they are compared: without case, marks on letters and apostrophes, so that `sao paulo`
// is São Paulo and `xian` is Xi'an. It compares nothing itself. Next: `Pattern.swift`.

/// The scalars of one name, folded, one after another. A name ends where `end` is, at a tab, at a
/// line's end, or at `|`, which parts several names of one place.
struct FoldedScalars {
  private(set) var index: Int
  private let end: Int
  /// The second letter of one that is written as two.
  private var pending: UInt32 = 0
  /// Of spaces in a row one counts, and of those before the name none.
  private var isAfterSpace = true

  init(from start: Int, to end: Int) { (index, self.end) = (start, end) }

  /// Nil at the end of the name.
  mutating func next(_ bytes: Span<UInt8>) -> UInt32? {
    if pending != 0 {
      defer { pending = 0 }
      return pending
    }
    while index < end {
      let byte = bytes[index]
      guard !Folding.endsName(byte) else { return nil }
      let scalar = byte < 0x80 ? UInt32(byte) : decoded(bytes, byte)
      if byte < 0x80 { index += 1 }
      let folded = Folding.folded(scalar)
      guard folded != Folding.nothing, folded != 0x20 || !isAfterSpace else { continue }
      isAfterSpace = folded == 0x20
      if let second = Folding.secondLetter(scalar) { pending = second }
      return folded
    }
    return nil
  }

  /// One scalar of UTF-8. What is none is taken byte by byte, as U+FFFD: the table is a file that
  /// anybody may have written.
  private mutating func decoded(_ bytes: Span<UInt8>, _ first: UInt8) -> UInt32 {
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard first >= 0xC2, first < 0xF5, index + length <= end else {
      index += 1
      return 0xFFFD
    }
    var scalar = UInt32(first) & (0x7F >> UInt32(length))
    for offset in 1..<length {
      let byte = bytes[index + offset]
      guard byte & 0xC0 == 0x80 else {
        index += 1
        return 0xFFFD
      }
      scalar = scalar << 6 | UInt32(byte & 0x3F)
    }
    index += length
    return scalar
  }
}

enum Folding {
  /// Stands for a scalar that counts for nothing.
  static let nothing: UInt32 = 0

  static func endsName(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "|") || byte == UInt8(ascii: "\n")
  }

  /// Whether a word may begin after `byte`.
  static func endsWord(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "/")
  }

  /// Without a space at either end.
  static func trimmed(_ scalars: ArraySlice<UInt32>) -> [UInt32] {
    let trimmed = scalars.drop { $0 == 0x20 }
    return Array(trimmed.last == 0x20 ? trimmed.dropLast() : trimmed)
  }

  /// The folded scalars of all of `text`, with no space at either end.
  static func scalars(of text: String) -> [UInt32] {
    let bytes = text.utf8.map { endsName($0) || $0 < 0x20 ? UInt8(ascii: " ") : $0 }
    var cursor = FoldedScalars(from: 0, to: bytes.count)
    var scalars: [UInt32] = []
    while let scalar = cursor.next(bytes.span) {
      // Hangul may come in parts, as it does from file names of other systems.
      if let last = scalars.last, let whole = Hangul.composed(last, scalar) {
        scalars[scalars.count - 1] = whole
      } else {
        scalars.append(scalar)
      }
    }
    if scalars.last == 0x20 { scalars.removeLast() }
    return scalars
  }

  static func folded(_ scalar: UInt32) -> UInt32 {
    switch scalar {
    case 0x41...0x5A: scalar + 0x20
    case 0x27, 0x2E, 0x60: nothing
    case 0x2D, 0x5F, 0xA0, 0x2010...0x2015, 0x3000: 0x20
    case 0..<0xC0: scalar
    case 0xC0..<0x300, 0x1E00..<0x1F00: latin[scalar] ?? scalar
    // Marks that join the letter before them, and what serves as an apostrophe.
    case 0x300..<0x370, 0x2018...0x201B: nothing
    case 0x370..<0x400: greek(scalar)
    case 0x401, 0x451: 0x435
    case 0x400..<0x410: scalar + 0x50
    case 0x410..<0x430: scalar + 0x20
    case 0x531..<0x557: scalar + 0x30
    // Letters as wide as Chinese ones.
    case 0xFF01...0xFF5E: folded(scalar - 0xFEE0)
    default: scalar
    }
  }

  /// Of `ß`, `æ` and their like.
  static func secondLetter(_ scalar: UInt32) -> UInt32? {
    switch scalar {
    case 0xDF, 0x1E9E: UInt32(UInt8(ascii: "s"))
    case 0xC6, 0xE6, 0x152, 0x153: UInt32(UInt8(ascii: "e"))
    case 0xDE, 0xFE: UInt32(UInt8(ascii: "h"))
    default: nil
    }
  }

  /// What letters fold into that are no ASCII.
  private static let latin: [UInt32: UInt32] = {
    var latin: [UInt32: UInt32] = [:]
    for (letter, marked) in lowercase {
      for scalar in marked.unicodeScalars {
        latin[scalar.value] = letter.value
        let upper = scalar.properties.uppercaseMapping.unicodeScalars
        if upper.count == 1, let upper = upper.first { latin[upper.value] = letter.value }
      }
    }
    // ʻ ʼ ʽ ʾ ʿ, and primes.
    for scalar in "\u{2B9}\u{2BA}\u{2BB}\u{2BC}\u{2BD}\u{2BE}\u{2BF}".unicodeScalars {
      latin[scalar.value] = nothing
    }
    return latin
  }()

  /// Letters of the Latin script that are one of ASCII with a mark, or are taken for it.
  private static let lowercase: [(Unicode.Scalar, String)] = [
    ("a", "àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ"),
    ("b", "ḃḅḇ"),
    ("c", "çćĉċčḉ"),
    ("d", "ðďđḋḍḏḑḓ"),
    ("e", "èéêëēĕėęěȅȇȩəḕḗḙḛḝẹẻẽếềểễệ"),
    ("f", "ḟ"),
    ("g", "ĝğġģǧǵḡ"),
    ("h", "ĥħȟḣḥḧḩḫẖ"),
    ("i", "ìíîïĩīĭįıǐȉȋḭḯỉịİ"),
    ("j", "ĵǰ"),
    ("k", "ķǩḱḳḵ"),
    ("l", "ĺļľłḷḹḻḽ"),
    ("m", "ḿṁṃ"),
    ("n", "ñńņňǹṅṇṉṋ"),
    ("o", "òóôõöøōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ"),
    ("p", "ṕṗ"),
    ("r", "ŕŗřȑȓṙṛṝṟ"),
    ("s", "śŝşšșṡṣṥṧṩ"),
    ("t", "ţťŧțṫṭṯṱẗ"),
    ("u", "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự"),
    ("v", "ṽṿ"),
    ("w", "ŵẁẃẅẇẉẘ"),
    ("x", "ẋẍ"),
    ("y", "ýÿŷȳẏẙỳỵỷỹ"),
    ("z", "źżžẑẓẕ"),
    ("a", "æ"), ("o", "œ"), ("s", "ß\u{1E9E}"), ("t", "þ"),
  ]

  private static func greek(_ scalar: UInt32) -> UInt32 {
    switch scalar {
    case 0x386, 0x3AC: 0x3B1
    case 0x388, 0x3AD: 0x3B5
    case 0x389, 0x3AE: 0x3B7
    case 0x38A, 0x3AF, 0x390, 0x3CA: 0x3B9
    case 0x38C, 0x3CC: 0x3BF
    case 0x38E, 0x3CD, 0x3B0, 0x3CB: 0x3C5
    case 0x38F, 0x3CE: 0x3C9
    case 0x3C2: 0x3C3
    case 0x391...0x3A9: scalar + 0x20
    default: scalar
    }
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Checks the file of a translation (`belfry.mo`) before the C library reads it. The C library
// trusts the file: a damaged one would end each program at its first text, also the agent. The
// format is described in the manual of GNU gettext, "The Format of GNU MO Files".

public enum CatalogueFile {
  /// The largest file that is read. Belfry's catalogues have 150 KB.
  public static let longest = 4 << 20

  /// Whether each string is inside the file, the hash table ends every search, and the plural rule
  /// cannot divide by zero.
  public static func isIntact(_ bytes: [UInt8]) -> Bool { Parts(bytes)?.areIntact ?? false }

  /// The tables of a file: places and lengths are in bytes.
  private struct Parts {
    let bytes: [UInt8]
    let count: Int
    let originals: Int
    let translations: Int
    let hashSize: Int
    let hashes: Int

    init?(_ bytes: [UInt8]) {
      guard bytes.count >= 28 else { return nil }
      self.bytes = bytes
      let header = (0..<7).map { Self.number(bytes, at: 4 * $0) }
      // The other byte order, and strings that depend on the machine, are not used.
      guard header[0] == 0x9504_12de, header[1] == 0 else { return nil }
      (count, originals, translations) = (header[2], header[3], header[4])
      (hashSize, hashes) = (header[5], header[6])
    }

    /// All sums below are of 32-bit numbers, so they cannot overflow.
    private static func number(_ bytes: [UInt8], at place: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }

    private func fits(_ place: Int, _ length: Int) -> Bool { place + length <= bytes.count }

    private func string(_ index: Int, in table: Int) -> ArraySlice<UInt8>? {
      let (length, place) = (
        Self.number(bytes, at: table + 8 * index), Self.number(bytes, at: table + 8 * index + 4)
      )
      guard fits(place, length + 1), bytes[place + length] == 0 else { return nil }
      return bytes[place..<place + length]
    }

    var areIntact: Bool {
      guard fits(originals, 8 * count), fits(translations, 8 * count) else { return false }
      for index in 0..<count {
        guard let original = string(index, in: originals),
          let translation = string(index, in: translations)
        else { return false }
        if original.isEmpty, !Self.isHeaderIntact(String(decoding: translation, as: UTF8.self)) {
          return false
        }
      }
      return isHashTableIntact
    }

    /// A search goes on until it finds an empty entry. It reaches every entry if the number of
    /// entries is a prime.
    private var isHashTableIntact: Bool {
      guard hashSize > 0 else { return true }
      guard hashSize > 2, fits(hashes, 4 * hashSize) else { return false }
      let entries = (0..<hashSize).map { Self.number(bytes, at: hashes + 4 * $0) }
      let isPrime = (2..<hashSize).prefix { $0 * $0 <= hashSize }.allSatisfy { hashSize % $0 != 0 }
      return isPrime && entries.contains(0) && entries.allSatisfy { $0 <= count }
    }

    /// Whether the text is UTF-8, and the plural rule divides only by numbers other than 0.
    private static func isHeaderIntact(_ header: String) -> Bool {
      let lines = header.split(separator: "\n")
      guard lines.contains(where: { $0.hasSuffix("charset=UTF-8") }) else { return false }
      return lines.filter { $0.hasPrefix("Plural-Forms:") }.allSatisfy { line in
        let signs = line.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        return signs.indices.allSatisfy { place in
          guard "/%".utf8.contains(signs[place]) else { return true }
          let next = signs[(place + 1)...].first
          return next.map { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) } ?? false
        }
      }
    }
  }
}

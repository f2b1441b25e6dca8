// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests which files of translations are given to the C library. It would crash, hang or divide by
// zero if it read the others.

import Testing

@testable import System

@Suite struct CatalogueFileTests {
  /// Returns a file with two strings, the header and `Stop`.
  private func file(
    plural: String = "nplurals=2; plural=n%10==1 ? 0 : 1;", charset: String = "UTF-8",
    hash: [UInt32] = [2, 0, 1, 0, 0], change: (inout [UInt32]) -> Void = { _ in }
  ) -> [UInt8] {
    let header = "Content-Type: text/plain; charset=\(charset)\nPlural-Forms: \(plural)\n"
    let texts = ["", "Stop", header, "멈춤"].map { Array($0.utf8) + [0] }
    var words: [UInt32] = [0x9504_12de, 0, 2, 28, 44, UInt32(hash.count), 60]
    var place = UInt32(60 + 4 * hash.count)
    for text in texts {
      words += [UInt32(text.count - 1), place]
      place += UInt32(text.count)
    }
    words += hash
    change(&words)
    let numbers = words.flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    return numbers + texts.joined()
  }

  @Test func `an intact file is used, with or without a hash table`() {
    #expect(CatalogueFile.isIntact(file()))
    #expect(CatalogueFile.isIntact(file(hash: [])))
  }

  @Test func `a file that is cut short, or whose numbers lead out of it, is not used`() {
    let whole = file()
    for count in 0..<whole.count { #expect(!CatalogueFile.isIntact(Array(whole[..<count]))) }
    for index in 0..<15 where index != 6 {
      for value in [0xffff_ffff, 0x7fff_ffff, 0x8000_0000, UInt32(whole.count)] {
        #expect(!CatalogueFile.isIntact(file { $0[index] = value }), "\(index): \(value)")
      }
    }
    #expect(!CatalogueFile.isIntact(file { $0[6] = 0xffff_ffff }))
  }

  @Test func `a file whose hash table never ends a search is not used`() {
    for hash: [UInt32] in [[2, 1, 1, 2, 2], [2, 0, 3, 0, 0], [2, 0, 1, 0], [0, 1]] {
      #expect(!CatalogueFile.isIntact(file(hash: hash)), "\(hash)")
    }
  }

  @Test func `a file that divides by zero or has another encoding is not used`() {
    for plural in ["plural=n/0;", "plural=n% 0;", "plural=1/n;", "plural=n%(n-1);", "plural=n/"] {
      #expect(!CatalogueFile.isIntact(file(plural: plural)), "\(plural)")
    }
    #expect(!CatalogueFile.isIntact(file(charset: "UTF-16")))
  }
}

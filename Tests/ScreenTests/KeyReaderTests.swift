// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that the bytes from a terminal become the right keys and clicks.

import Screen
import Testing

struct KeyReaderTests {
  private static let bytes = Array(
    """
    s\u{1B}[A\u{1B}OB\u{1B}[1;5C가+\u{1B}[200~é\u{1B}x\u{1B}[<0;12;3M\u{1B}[<0;12;3m\
    \u{1B}[<65;1;1My\u{1B}[M q0\u{1B}[M qAz
    """.utf8)
  private static let keys: [KeyPress] = [
    .character("s"), .up, .down, .character("가"), .character("+"), .character("é"), .escape,
    .character("x"), .click(column: 11, row: 2), .wheel(1), .character("y"), .character("z"),
  ]

  @Test func `a key that arrives in pieces is not taken for other keys`() {
    for size in 1...Self.bytes.count {
      var reader = KeyReader()
      var keys: [KeyPress] = []
      for start in stride(from: 0, to: Self.bytes.count, by: size) {
        keys += reader.keys(Array(Self.bytes[start...].prefix(size)))
      }
      #expect(keys == Self.keys, "\(size) bytes at once")
    }
  }

  @Test
  func `Escape is a key if nothing follows at once, and a late rest of a sequence is ignored`() {
    var reader = KeyReader()
    #expect(reader.keys([0x1B]) == [] && reader.isUndecided)
    #expect(reader.alone() == [.escape] && !reader.isUndecided)
    #expect(reader.alone() == [])
    #expect(reader.keys(Array("[1;5".utf8)) == [] && !reader.isUndecided)
    #expect(reader.keys(Array("Cq".utf8)) == [.character("q")])
    #expect(reader.keys([0x1B]) == [] && reader.alone() == [.escape])
    #expect(reader.keys(Array("[<64;9;9M".utf8)) == [.wheel(-1)])
    #expect(reader.keys([0x1B, 0x1B]) == [.escape] && reader.isUndecided)
  }

  @Test func `bytes that no terminal sends do nothing, and the key after them is read`() {
    var reader = KeyReader()
    for bytes in [
      [0xFF], [0xC3], [0xE0, 0x80], [0xF4, 0xFF], [0x1B, 0x5B], [0x1B, 0x4F],
      [0x1B, 0x5B, 0x31, 0x3B], Array("\u{1B}[<0;1".utf8), Array("\u{1B}[<0;1;1A".utf8),
      Array("\u{1B}[<0;0;1M\u{1B}[<0;1M\u{1B}[<M\u{1B}[<;1;1M\u{1B}[<1;1;1;1M".utf8),
      Array("\u{1B}[<0;99999999999999999999;1M\u{1B}[<99999999999999999999;1;1M".utf8),
      Array("\u{1B}[<-0;1;1M\u{1B}[<0;+1;1M\u{1B}[<16;1;1M\u{1B}[<2;1;1M".utf8),
      Array("\u{1B}[<32;4;4M\u{1B}[<66;4;4M\u{1B}[32;4;4M\u{1B}[<0;5;5~".utf8),
    ] as [[UInt8]] {
      #expect(reader.keys(bytes) == [], "\(bytes)")
      #expect(reader.keys(Array("\u{1B}[A".utf8)).last == .up, "\(bytes)")
    }
    // A sequence that is too long is given up, so that it needs no more memory.
    for _ in 0..<1000 {
      #expect(reader.keys([0x1B, 0x5B] + [UInt8](repeating: 0x30, count: 254)) == [])
    }
    #expect(reader.keys(Array("q\u{1B}[Aq".utf8)).last == .character("q"))
  }

  @Test func `no part of a click counts as a key, wherever the click is cut`() {
    let click = Array("\u{1B}[<0;10;10M".utf8)
    for cut in 1..<click.count {
      var reader = KeyReader()
      let pieces =
        reader.keys(Array(click[..<cut])) + reader.alone() + reader.keys(Array(click[cut...]))
      #expect(pieces.filter { $0 != .escape } == [.click(column: 9, row: 9)])
      // If the rest of a click never arrives, the next key is lost, but the one after it is read.
      reader = KeyReader()
      let lost = reader.keys(Array(click[..<cut])) + reader.keys(Array("ww".utf8))
      #expect(lost.last == .character("w"))
    }
  }
}

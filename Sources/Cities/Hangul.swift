// SPDX-License-Identifier: GPL-3.0-or-later
//
// The parts of Hangul syllables, by arithmetic on their codes (Unicode, chapter 3.12): what Koreans
// search by while they type, and by initial consonants alone. Next: `Pattern.swift`.

enum Hangul {
  /// Whole syllables.
  static let syllables: Range<UInt32> = 0xAC00..<0xD7A4

  /// The number of the initial consonant of a syllable, in the order of their codes.
  static func initial(of syllable: UInt32) -> UInt32? {
    syllables.contains(syllable) ? (syllable - syllables.lowerBound) / 588 : nil
  }

  /// The number of the final consonant; 0 where there is none.
  static func final(of syllable: UInt32) -> UInt32 { (syllable - syllables.lowerBound) % 28 }

  /// The numbers of the initial consonants that a letter, written on its own, stands for: `ㄳ` is
  /// what some keyboards make of `ㄱㅅ`. Empty where it is not a consonant.
  static func initials(of letter: UInt32) -> [UInt32] {
    if (0x1100...0x1112).contains(letter) { return [letter - 0x1100] }
    if let final = letters.firstIndex(of: letter) { return [UInt32(final)] }
    return pairs[letter] ?? []
  }

  /// How a syllable goes on to be typed: its final consonant, or the second half of it, becomes the
  /// next syllable's initial one. 붓 on the way to 부산 is 부 and the number of ㅅ.
  static func carried(_ syllable: UInt32) -> (syllable: UInt32, initial: UInt32)? {
    let final = final(of: syllable)
    guard final > 0 else { return nil }
    let (rest, initial) = carries[Int(final) - 1]
    return (syllable - final + rest, initial)
  }

  /// A syllable of its parts, one more of them at a time; nil where these make none.
  static func composed(_ first: UInt32, _ second: UInt32) -> UInt32? {
    if (0x1100...0x1112).contains(first), (0x1161...0x1175).contains(second) {
      return syllables.lowerBound + ((first - 0x1100) * 21 + second - 0x1161) * 28
    }
    if syllables.contains(first), final(of: first) == 0, (0x11A8...0x11C2).contains(second) {
      return first + second - 0x11A7
    }
    return nil
  }

  /// ㄱ ㄲ ㄴ ㄷ ㄸ ㄹ ㅁ ㅂ ㅃ ㅅ ㅆ ㅇ ㅈ ㅉ ㅊ ㅋ ㅌ ㅍ ㅎ, by their numbers.
  private static let letters: [UInt32] = [
    0x3131, 0x3132, 0x3134, 0x3137, 0x3138, 0x3139, 0x3141, 0x3142, 0x3143, 0x3145, 0x3146, 0x3147,
    0x3148, 0x3149, 0x314A, 0x314B, 0x314C, 0x314D, 0x314E,
  ]

  /// ㄳ ㄵ ㄶ ㄺ ㄻ ㄼ ㄽ ㄾ ㄿ ㅀ ㅄ.
  private static let pairs: [UInt32: [UInt32]] = [
    0x3133: [0, 9], 0x3135: [2, 12], 0x3136: [2, 18], 0x313A: [5, 0], 0x313B: [5, 6],
    0x313C: [5, 7], 0x313D: [5, 9], 0x313E: [5, 16], 0x313F: [5, 17], 0x3140: [5, 18],
    0x3144: [7, 9],
  ]

  /// For each final consonant but none: what stays final, and the initial one that goes on.
  private static let carries: [(UInt32, UInt32)] = [
    (0, 0), (0, 1), (1, 9), (0, 2), (4, 12), (4, 18), (0, 3), (0, 5), (8, 0), (8, 6), (8, 7),
    (8, 9), (8, 16), (8, 17), (8, 18), (0, 6), (0, 7), (17, 9), (0, 9), (0, 10), (0, 11), (0, 12),
    (0, 14), (0, 15), (0, 16), (0, 17), (0, 18),
  ]
}

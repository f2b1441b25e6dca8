// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds the known word that the user probably meant by a mistyped word.

import Language

extension Message {
  public static func didYouMean(_ word: String) -> Message {
    Message("did you mean \"\(TerminalText.escaped(word))\"?")
  }
}

/// Returns the candidate that differs least from `word`, regardless of case. Returns nil if in
/// every candidate more than a third of the letters differ.
public func nearMatch(to word: String, among candidates: some Sequence<String>) -> String? {
  guard word.utf8.count <= 256 else { return nil }
  let typed = Array(word.lowercased())
  var best: (candidate: String, distance: Int)?
  for candidate in candidates {
    let letters = Array(candidate.lowercased())
    // At least one letter must be the same. Otherwise any two words of one letter would be similar.
    let tolerated = min(
      max(3, typed.count, letters.count) / 3, min(typed.count, letters.count) - 1)
    let limit = best.map { min(tolerated, $0.distance - 1) } ?? tolerated
    guard abs(letters.count - typed.count) <= limit else { continue }
    let distance = editDistance(typed, letters)
    if distance <= limit { best = (candidate, distance) }
  }
  return best?.candidate
}

/// Returns the number of letters to insert, remove, replace, or swap with their neighbour to turn
/// `a` into `b`. This is the optimal string alignment distance, after Damerau and Levenshtein.
private func editDistance(_ a: [Character], _ b: [Character]) -> Int {
  guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in 1...a.count {
    var row = [i]
    for j in 1...b.count {
      let replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
      var distance = min(last[j] + 1, row[j - 1] + 1, replaced)
      if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
        distance = min(distance, beforeLast[j - 2] + 1)
      }
      row.append(distance)
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}

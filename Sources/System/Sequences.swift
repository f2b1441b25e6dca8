// SPDX-License-Identifier: GPL-3.0-or-later
//
// Operations on sequences that the standard library lacks.

extension Sequence {
  /// Shuffles the elements, then moves those for which `before` is true to the end.
  public func shuffled(lastly before: (Element) -> Bool) -> [Element] {
    let elements = shuffled()
    return elements.filter { !before($0) } + elements.filter(before)
  }
}

extension Sequence where Element: Hashable {
  /// The elements without repetitions. Of equal elements, only the first is kept.
  public var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

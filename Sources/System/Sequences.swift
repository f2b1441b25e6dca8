// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the standard library lacks for lists that people write.

nonisolated extension Sequence {
  /// By chance, but what is one `before` comes last.
  public func shuffled(lastly before: (Element) -> Bool) -> [Element] {
    let elements = shuffled()
    return elements.filter { !before($0) } + elements.filter(before)
  }
}

nonisolated extension Sequence where Element: Hashable {
  /// Each element once, where it stands first.
  public var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

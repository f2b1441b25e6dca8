// SPDX-License-Identifier: GPL-3.0-or-later
//
// Arranges the sections of `belfry watch` below each other in a given height. If there is too
// little room, it drops the gaps, then the large form of a section, and then entries.

import Language
import System

/// A list with a title. An entry takes several lines, or one line if there is little room.
nonisolated struct Section {
  var title: String
  var count: Int
  /// Returns one line for each of the first entries. The argument is the number of these entries.
  var tight: (Int) -> [StyledText]
  var roomy: (Int) -> [[StyledText]]

  init(
    _ title: String, count: Int, tight: @escaping (Int) -> [StyledText],
    roomy: ((Int) -> [[StyledText]])? = nil
  ) {
    (self.title, self.count, self.tight) = (title, count, tight)
    self.roomy = roomy ?? { tight($0).map { [$0] } }
  }
}

nonisolated enum Stack {
  /// Returns the lines of `sections`, which are ordered by importance. The title of a section shows
  /// how many of its entries are hidden because there is no room.
  static func lines(_ sections: [Section], width: Int, height: Int) -> [StyledText] {
    let sections = sections.filter { $0.count > 0 }
    guard !sections.isEmpty, height > 0 else { return [] }
    let roomy = sections.map { Array($0.roomy($0.count).joined()) }
    let tight = sections.map(\.count)
    let gaps = sections.count - 1
    let titles = sections.count
    let drawn: [[StyledText]]
    if roomy.reduce(titles, { $0 + $1.count }) <= height {
      drawn = roomy
    } else if tight.reduce(titles, +) <= height {
      drawn = sections.map { $0.tight($0.count) }
    } else {
      return crowded(sections, width, height)
    }
    let hasGaps = drawn.reduce(titles + gaps) { $0 + $1.count } <= height
    return Array(
      zip(sections, drawn).map { [title($0, hidden: 0, width)] + $1 }
        .joined(separator: hasGaps ? [StyledText()] : []))
  }

  private static func crowded(
    _ sections: [Section], _ width: Int, _ height: Int
  ) -> [StyledText] {
    let hasTitles = height >= 3 * sections.count
    var left = height - (hasTitles ? sections.count : 0)
    var shown = Array(repeating: 0, count: sections.count)
    while left > 0, zip(sections, shown).contains(where: { $0.count > $1 }) {
      for (index, section) in sections.enumerated() where left > 0 && shown[index] < section.count {
        left -= 1
        shown[index] += 1
      }
    }
    return zip(sections, shown).flatMap { section, shown in
      (hasTitles ? [title(section, hidden: section.count - shown, width)] : [])
        + section.tight(shown)
    }
  }

  private static func title(_ section: Section, hidden: Int, _ width: Int) -> StyledText {
    let name = StyledText(section.title + " ", .bold)
    let more = StyledText(
      hidden > 0 ? " " + tr("\(hidden) more", plural: "\(hidden) more", count: hidden) : "", .dim)
    let rule = String(repeating: "─", count: max(0, width - name.width - more.width))
    return (name + StyledText(rule, .dim) + more).cut(to: width)
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sections under one another in a given height: with room between them where there is some, and
// where there is not, with what matters most.

import Language
import System

/// A titled list of a few lines an entry, or of one where there is little room.
nonisolated struct Section {
  var title: String
  var count: Int
  /// The first so many entries: what is not shown takes no part in how wide the columns are.
  var roomy: (Int) -> [[StyledText]]
  var tight: (Int) -> [StyledText]

  init(_ title: String, count: Int, _ lines: @escaping (Int) -> [StyledText]) {
    (self.title, self.count, tight) = (title, count, lines)
    roomy = { lines($0).map { [$0] } }
  }

  init(
    _ title: String, count: Int, roomy: @escaping (Int) -> [[StyledText]],
    tight: @escaping (Int) -> [StyledText]
  ) {
    (self.title, self.count, self.roomy, self.tight) = (title, count, roomy, tight)
  }
}

nonisolated enum Stack {
  /// `sections`, the one that matters most first, in `width` columns and at most `height` lines.
  /// What has no room is counted in the title of its section.
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

  /// An entry for each section in turn until there is no more room.
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

// SPDX-License-Identifier: GPL-3.0-or-later
//
// A line that is typed on the screen of `belfry watch`: the time that an alarm is moved to.

import Language
import Presentation
import Scheduling
import System

extension WatchView {
  /// What is being typed, and for which alarm.
  public nonisolated struct Entry: Hashable, Sendable {
    public var id: String
    public var text: String
    /// In bytes.
    static let longest = 200

    public init(_ id: String, _ text: String = "") { (self.id, self.text) = (id, text) }
  }

  /// The last line while `entry` is typed: the end of it where not all has room.
  func line(_ entry: Entry, _ width: Int) -> StyledText {
    let label = snapshot?.alarms.first { $0.id == entry.id }?.label ?? ""
    let title = tr("\(label.isEmpty ? entry.id : label) once at:")
    let head = StyledText(title, .bold).cut(to: width / 2) + .spaces(1)
    let hints = hint("Enter", tr("move")) + .spaces(3) + hint("Esc", tr("back"))
    var text = entry.text
    let typed = { StyledText(text) + StyledText(" ", Style(isReversed: true)) }
    let room = width - head.width - typed().width - hints.width
    if room >= 3 { return head + typed() + .spaces(room) + hints }
    while !text.isEmpty, head.width + typed().width > width { text.removeFirst() }
    return (head + typed()).fitted(width)
  }
}

extension WatchView.Entry {
  /// What `key` means while this is typed.
  func action(_ key: KeyPress) -> KeyAction? {
    guard case .character(let letter) = key else { return key == .escape ? .type(nil) : nil }
    switch letter {
    // What is no time the agent says best.
    case "\n", "\r": return text.allSatisfy(\.isWhitespace) ? .type(nil) : .move(self)
    case "\u{7F}", "\u{8}": return .type(Self(id, String(text.dropLast())))
    case "\u{15}": return .type(Self(id))  // Ctrl-U, as on a shell's line.
    default:
      let longer = text + String(letter)
      let acts = letter.unicodeScalars.contains { TerminalText.acts($0) }
      return acts || longer.utf8.count > Self.longest ? nil : .type(Self(id, longer))
    }
  }
}

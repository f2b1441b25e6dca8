// SPDX-License-Identifier: GPL-3.0-or-later
//
// The line that a user types in `belfry watch`. It either describes a new alarm (`tea 7:30`), or
// gives a new time for the next ring of an alarm. Next: `Phrase.swift`, which reads the description
// of a new alarm.

import Configuration
import Language
import Presentation
import Scheduling
import System

extension WatchView {
  public nonisolated struct Entry: Hashable, Sendable {
    public enum Purpose: Hashable, Sendable {
      case add
      case move(String)
    }

    public var purpose: Purpose
    public var text: String
    /// The most bytes that the text can have.
    static let longest = 200

    public init(_ purpose: Purpose, _ text: String = "") {
      (self.purpose, self.text) = (purpose, text)
    }

    fileprivate func phrase(at now: Instant, in zones: Zones) -> Phrase? {
      let weekdays = WeekdayNames(localized: Locale.weekdayNames)
      // Leave out the fraction of the second, because the screen shows whole seconds.
      let second = Instant(seconds: now.seconds)
      return Phrase(alarm: text, at: second, in: zones, weekdays: weekdays)
    }
  }

  /// Returns the last line of the screen, with the typed text. If the text is too long, its
  /// end is shown.
  func line(_ entry: Entry, _ width: Int) -> StyledText {
    let (title, done) =
      switch entry.purpose {
      case .add: (tr("New alarm:"), tr("add"))
      case .move(let id): (tr("\(name(id)) once at:"), tr("move"))
      }
    let head = StyledText(title, .bold).cut(to: width / 2) + .spaces(1)
    let hints =
      hint("Enter", done, action(.character("\n"))) + .spaces(3)
      + hint("Esc", tr("back"), action(.escape))
    var text = entry.text
    let typed = { StyledText(text) + StyledText(" ", Style(isReversed: true)) }
    let room = width - head.width - typed().width - hints.width
    if room >= 3 { return head + typed() + .spaces(room) + hints }
    while !text.isEmpty, head.width + typed().width > width { text.removeFirst() }
    return (head + typed()).fitted(width)
  }

  private func name(_ id: String) -> String {
    status?.alarms.first { $0.id == id }?.name ?? id
  }

  /// Returns the line above the typed text: when the new alarm would ring, or an example of
  /// what to type.
  func meaning(_ entry: Entry, _ now: Now) -> StyledText {
    switch entry.purpose {
    case .move: return StyledText(tr("A time such as 8:15 or 3:30 pm"), .dim)
    case .add:
      let phrase = entry.phrase(at: now.wall, in: wording.zones)
      guard case .alarm(let time, let dates, let label)? = phrase else {
        return StyledText(tr("A time, days and a label, such as 7:30 weekdays Work"), .dim)
      }
      let rule = Recurrence(time: time, dates: dates)
      guard let next = rule.next(after: now.wall, in: wording.zones)?.due else {
        return StyledText()
      }
      let when = wording.brief(next, seenFrom: now.wall)
      let length = Wording.span(next - now.wall + .milliseconds(999))
      return StyledText(tr("Rings \(when), in \(length)")) + .spaces(3)
        + StyledText(Wording.days(rule.dates), .dim)
        + (label.map { .spaces(3) + StyledText($0, .bold) } ?? StyledText())
    }
  }
}

extension WatchView.Entry {
  func action(_ key: KeyPress, in zones: Zones) -> KeyAction? {
    guard case .character(let letter) = key else { return key == .escape ? .type(nil) : nil }
    switch letter {
    case "\n", "\r": return text.allSatisfy(\.isWhitespace) ? .type(nil) : done(zones)
    case "\u{7F}", "\u{8}": return .type(Self(purpose, String(text.dropLast())))
    case "\u{15}": return .type(Self(purpose))  // Ctrl-U clears the line, as in a shell.
    default:
      let longer = text + String(letter)
      let acts = letter.unicodeScalars.contains { TerminalText.acts($0) }
      return acts || longer.utf8.count > Self.longest ? nil : .type(Self(purpose, longer))
    }
  }

  private func done(_ zones: Zones) -> KeyAction {
    switch purpose {
    // If the text is not a time, the agent returns an error that explains it.
    case .move(let id): return .enter(self, "Move", [.string(id), .string(text)])
    case .add:
      let phrase = phrase(at: Clock.now().wall, in: zones)
      guard let keys = phrase?.alarmKeys, !keys.isEmpty else {
        return .remark(tr("\(TerminalText.quoted(text)) has no time at its beginning or end"))
      }
      let settings = keys.map { Variant.Entry($0.key, .string($0.text)) }
      return .enter(self, "AddAlarm", [.dictionary(settings)])
    }
  }
}

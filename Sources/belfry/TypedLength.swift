// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lengths that are typed after a command, of one word or several: `10m`, `1.5h`, `half an hour`.
// How they are written is `DurationText.swift`'s; here is what a command says that cannot take one.

import ArgumentParser
import Configuration
import Language
import Presentation
import Scheduling
import System

nonisolated enum TypedLength {
  /// The length that `text` is; an error if it is none.
  static func required(_ text: String) throws(ValidationError) -> Duration {
    guard let length = try parse(text) else {
      throw ValidationError(
        tr("\(TerminalText.quoted(text)) is no duration: write it as 90s, 10m or 1h30m."))
    }
    return length
  }

  /// Nil if `text` is no length, and may be a name.
  static func parse(_ text: String) throws(ValidationError) -> Duration? {
    do throws(DurationText.Fault) { return try DurationText.parse(text) } catch {
      switch error {
      case .malformed: return nil
      case .noUnit: throw ValidationError(tr("A duration needs a unit: \(text)m, or \(text)s."))
      // Whoever asked for it says what is the longest.
      case .tooLong: return DurationText.longest
      }
    }
  }

  /// An id, a length, or an id and a length. Words that make one length together are one, unless
  /// the first alone is a length: a timer may be called by it.
  static func afterID(
    _ id: String?, _ words: [String]
  ) throws(ValidationError) -> (id: String, length: Duration?) {
    guard let id else { return ("", nil) }
    if words.isEmpty {
      let length = try parse(id)
      return (length == nil ? id : "", length)
    }
    let whole = ([id] + words).joined(separator: " ")
    // Why one is no length does not matter: it is an id then.
    if (try? DurationText.parse(id)) == nil, let length = try? DurationText.parse(whole) {
      return ("", length)
    }
    return (id, try required(words.joined(separator: " ")))
  }
}

/// How long a timer may be.
nonisolated enum TimerLength {
  /// Nil if `text` is not a length but may be the name of a preset.
  static func parse(_ text: String) throws(ValidationError) -> Duration? {
    if let length = try TypedLength.parse(text) { return try checked(length, text) }
    guard Identity.fault(of: text) == nil else {
      throw ValidationError(
        tr(
          """
          \(TerminalText.quoted(text)) is neither a duration nor a timer's name: write it as 90s, \
          10m or 1h30m.
          """))
    }
    return nil
  }

  static func checked(_ length: Duration, _ text: String) throws(ValidationError) -> Duration {
    let shown = TerminalText.quoted(text)
    guard length > .zero else {
      throw ValidationError(
        tr("A timer of \(shown) would be over at once: write it as 90s or 10m."))
    }
    guard length <= Timer.longest else {
      throw ValidationError(tr("A timer of \(shown) is too long: 366d is the longest."))
    }
    return length
  }
}

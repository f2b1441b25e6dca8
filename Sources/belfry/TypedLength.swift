// SPDX-License-Identifier: GPL-3.0-or-later
//
// Durations on the command line, of one word or several: `10m`, `1.5h`, `half an hour`. Adds the
// error messages to the parser in `DurationText.swift`.

import ArgumentParser
import Configuration
import Language
import Presentation
import Scheduling
import System

nonisolated enum TypedLength {
  /// The duration `text`; throws if it is not one.
  static func required(_ text: String) throws(ValidationError) -> Duration {
    guard let length = try parse(text) else {
      throw ValidationError(
        tr("\(TerminalText.quoted(text)) is no duration: write it as 90s, 10m or 1h30m."))
    }
    return length
  }

  /// The duration `text`; nil if it cannot be one, and may be a name.
  static func parse(_ text: String) throws(ValidationError) -> Duration? {
    do throws(DurationText.Fault) { return try DurationText.parse(text) } catch {
      switch error {
      case .malformed: return nil
      case .noUnit: throw ValidationError(tr("A duration needs a unit: \(text)m, or \(text)s."))
      // The caller refuses it, because it knows what is allowed.
      case .tooLong: return DurationText.longest
      }
    }
  }

  /// Splits the words after a command into an id (empty if left out) and a duration. Words that
  /// together make a duration, such as `half an hour`, are one, unless the first word alone is a
  /// duration, which may be the id of a timer.
  static func afterID(
    _ id: String?, _ words: [String]
  ) throws(ValidationError) -> (id: String, length: Duration?) {
    guard let id else { return ("", nil) }
    if words.isEmpty {
      let length = try parse(id)
      return (length == nil ? id : "", length)
    }
    let whole = ([id] + words).joined(separator: " ")
    // `try?`: a word that is not a duration is an id.
    if (try? DurationText.parse(id)) == nil, let length = try? DurationText.parse(whole) {
      return ("", length)
    }
    return (id, try required(words.joined(separator: " ")))
  }
}

/// Durations of timers.
nonisolated enum TimerLength {
  /// The duration `text`; nil if it is not one but may be the name of a preset.
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

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Durations on the command line, in one word or several: `10m`, `1.5h`, `half an hour`.
// `DurationText.swift` parses them; this file adds the error messages.

import ArgumentParser
import Configuration
import Language
import Presentation
import Scheduling
import System

nonisolated enum TypedLength {
  static func required(_ text: String) throws(ValidationError) -> Duration {
    guard let length = try parse(text) else {
      throw ValidationError(
        tr("\(TerminalText.quoted(text)) is no duration: write it as 90s, 10m or 1h30m."))
    }
    return length
  }

  static func parse(_ text: String) throws(ValidationError) -> Duration? {
    do throws(DurationText.Fault) { return try DurationText.parse(text) } catch {
      switch error {
      case .malformed: return nil
      case .noUnit: throw ValidationError(tr("A duration needs a unit: \(text)m, or \(text)s."))
      // Return the longest duration. The caller knows its own, shorter limit and refuses this
      // duration.
      case .tooLong: return DurationText.longest
      }
    }
  }

  /// Splits the words after a command into an id and a duration. The id is empty if it was left
  /// out, as in `half an hour`, where all words together form the duration. If the first of several
  /// words is a duration by itself, it is taken as an id: `10m 5m` means 5 minutes for timer `10m`.
  static func afterID(
    _ id: String?, _ words: [String]
  ) throws(ValidationError) -> (id: String, length: Duration?) {
    guard let id else { return ("", nil) }
    if words.isEmpty {
      let length = try parse(id)
      return (length == nil ? id : "", length)
    }
    let whole = ([id] + words).joined(separator: " ")
    // `try?` ignores the error, because a word that is not a duration is an id.
    if (try? DurationText.parse(id)) == nil, let length = try? DurationText.parse(whole) {
      return ("", length)
    }
    return (id, try required(words.joined(separator: " ")))
  }
}

nonisolated enum TimerLength {
  /// Parses `text` as a duration. Returns nil if it is not a duration but may be the name
  /// of a preset.
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

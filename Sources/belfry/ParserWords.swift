// SPDX-License-Identifier: GPL-3.0-or-later
//
// What ArgumentParser says by itself, in the user's language: the headings of help, and what is
// wrong with a line. It knows no other language, so its English is taken apart, as the version has
// it that `Package.swift` pins; what is not known here stays English. English itself is left alone.

import ArgumentParser
import Language
import Screen
import System

@MainActor enum ParserWords {
  /// Ends the program after `error` as ArgumentParser does.
  static func exit(_ error: any Error) -> Never {
    guard tr("USAGE:") != "USAGE:" else { Belfry.exit(withError: error) }
    // In whole lines: it breaks them by letters, and some letters take two columns.
    let text = Belfry.fullMessage(for: error, columns: .max)
    let code = Belfry.exitCode(for: error)
    if !text.isEmpty {
      if !code.isSuccess {
        StandardError.write(complaint(text) + "\n")
      } else {
        print(text.hasPrefix("OVERVIEW: ") ? help(text) : text)
      }
    }
    Belfry.exit(withError: code)
  }

  // MARK: - Errors

  private static func complaint(_ text: String) -> String {
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let error = gap(line, "Error: ") {
        lines.append("\(tr("Error:")) \(wrong(error))")
      } else if let meaning = gap(line, "Help:  ") {
        lines.append("\(tr("Help:"))  \(meaning)")
      } else if let usage = gap(line, "Usage: ") {
        lines.append("\(tr("Usage:")) \(usage)")
      } else if let usage = gap(line, spaces(7)), usage.hasPrefix("belfry") {
        lines.append(indented(usage, as: tr("Usage:")))
      } else if let command = gap(line, "  See '", "' for more information.") {
        lines.append("  " + tr("See '\(command)' for more information."))
      } else {
        lines.append(String(line))
      }
    }
    return lines.joined(separator: "\n")
  }

  /// What is wrong, of what the parser finds wrong in the commands that there are.
  private static func wrong(_ error: Substring) -> String {
    if let (option, near) = gaps(error, "Unknown option '", "'. Did you mean '", "'?") {
      tr("Unknown option '\(option)'. Did you mean '\(near)'?")
    } else if let option = gap(error, "Unknown option '", "'") {
      tr("Unknown option '\(option)'")
    } else if let option = gap(error, "Invalid option: ") {
      tr("Invalid option: \(option)")
    } else if let option = gap(error, "Missing value for '", "'") {
      tr("Missing value for '\(option)'")
    } else if let (option, value) = gaps(
      error, "The option '", "' does not take any value, but '", "' was specified.")
    {
      tr("The option '\(option)' does not take any value, but '\(value)' was specified.")
    } else if let word = gap(error, "Unexpected argument '", "'") {
      tr("Unexpected argument '\(word)'")
    } else if let (count, words) = gaps(error, "", " unexpected arguments: ") {
      tr("\(count) unexpected arguments: \(words)")
    } else if let word = gap(error, "Missing expected argument '", "'") {
      tr("Missing expected argument '\(word)'")
    } else if let (value, option) = gaps(error, "The value '", "' is invalid for '", "'") {
      tr("The value '\(value)' is invalid for '\(option)'")
    } else {
      String(error)
    }
  }

  // MARK: - Help

  private enum Part {
    case overview, usage
    /// What there is to type.
    case lists
  }

  private static func help(_ text: String) -> String {
    let columns =
      Environment.value("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
      ?? StandardOutput.size?.columns ?? 80
    var part = Part.overview
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let overview = gap(line, "OVERVIEW: ") {
        lines += wrapped("\(tr("OVERVIEW:")) \(overview)", to: columns)
      } else if let usage = gap(line, "USAGE: ") {
        part = .usage
        lines.append("\(tr("USAGE:")) \(usage)")
      } else if part == .usage, let usage = gap(line, spaces(7)) {
        lines.append(indented(usage, as: tr("USAGE:")))
      } else if part != .overview, let heading = heading(line) {
        part = .lists
        lines.append(heading)
      } else if let command = gap(line, "  See '", "' for detailed help.") {
        lines.append("  " + tr("See '\(command)' for detailed help."))
      } else if part == .lists, !line.isEmpty {
        lines += entry(line, columns)
      } else {
        lines += wrapped(String(line), to: columns)
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func heading(_ line: Substring) -> String? {
    switch line {
    case "ARGUMENTS:": tr("ARGUMENTS:")
    case "OPTIONS:": tr("OPTIONS:")
    case "SUBCOMMANDS:": tr("SUBCOMMANDS:")
    default: gap(line, "", " SUBCOMMANDS:").map { tr("\($0) SUBCOMMANDS:") }
    }
  }

  /// What there is to type in the first column, what it means in the second.
  private static func entry(_ line: Substring, _ columns: Int) -> [String] {
    let margin = 26
    let (label, text) = (line.prefix(margin), line.dropFirst(margin))
    // One that is too long for its column has a line of its own.
    guard !text.isEmpty, label.last == " " else { return [String(line)] }
    let (mark, shown) = (" (default) ", " \(tr("(default)")) ")
    var start = gaps(label, "", mark).map { $0 + shown + $1 } ?? label
    while start.last == " " { start.removeLast() }
    return wrapped(meaning(text), to: max(20, columns - margin)).enumerated().map { index, line in
      let label = index == 0 ? start : ""
      return label + spaces(margin - width(label)) + line
    }
  }

  private static func meaning(_ text: Substring) -> String {
    if let (meaning, value) = gaps(text, "", " (default: ", ")") {
      return tr("\(meaning) (default: \(value))")
    }
    return switch text {
    case "Show the version.": tr("Show the version.")
    case "Show help information.": tr("Show help information.")
    default: String(text)
    }
  }

  // MARK: - Lines

  /// What stands between `start` and `end` in a line that is nothing else.
  private static func gap(_ line: Substring, _ start: String, _ end: String = "") -> Substring? {
    let rest = line.dropFirst(start.count)
    return line.hasPrefix(start) && rest.hasSuffix(end) ? rest.dropLast(end.count) : nil
  }

  /// The same before and after `middle`, where it stands last.
  private static func gaps(
    _ line: Substring, _ start: String, _ middle: String, _ end: String = ""
  ) -> (Substring, Substring)? {
    guard let gap = gap(line, start, end), let place = gap.places(of: middle).last else {
      return nil
    }
    return (gap[..<place], gap[place...].dropFirst(middle.count))
  }

  /// A further line of the usage, below the first.
  private static func indented(_ usage: Substring, as heading: String) -> String {
    spaces(width(heading[...]) + 1) + usage
  }

  /// `text` in lines of at most `columns`, broken at spaces.
  private static func wrapped(_ text: String, to columns: Int) -> [String] {
    var lines: [String] = []
    var line: String?
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let longer = line.map { "\($0) \(word)" } ?? String(word)
      if let full = line, width(longer[...]) > columns, full.contains(where: { $0 != " " }) {
        lines.append(full)
        line = String(word)
      } else {
        line = longer
      }
    }
    return lines + (line.map { [$0] } ?? [])
  }

  private static func spaces(_ count: Int) -> String {
    String(repeating: " ", count: max(0, count))
  }

  private static func width(_ text: Substring) -> Int { StyledText(String(text)).width }
}

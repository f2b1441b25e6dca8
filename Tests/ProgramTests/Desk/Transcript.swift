// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plays the transcripts in the folder `Transcripts`, which list commands as a user types them, and
// what they print. A section begins with `== NAME` and has a desk of its own; `(no bus)` or
// `(Korean)` after the name says what is special about the desk. Each other line that is not
// indented is a step of one of the kinds below. The text of a step follows it, indented by four
// spaces. Next: `TranscriptTests.swift`.
//
//     > list            runs `belfry list`, and compares its output with the text
//     64> nonsense      runs a command that must end with status 64
//     wait> timer tea   runs the command again until its output matches the text
//     config            saves the text as the config
//     file              compares the config with the text
//     write NAME        saves the text as the file NAME in the home folder
//     agent             starts the agent
//     activatable       lets the bus start the agent when a command calls it
//
// In an expected text, `~` stands for any characters in a line, and a line `~~` for any lines.
// `HOME`, `CONFIG` and `TODAY+1` stand for the home folder, the path of the config, and tomorrow's
// date.

import Foundation
import Lab
import Testing

/// One section of a file in the folder `Transcripts`, with its steps.
struct Transcript: Sendable, CustomTestStringConvertible {
  struct Step: Sendable {
    /// The file and the line of the step, such as `timers.txt:17`.
    var place: String
    var head: String
    var lines: [String] = []

    var text: String { lines.map { $0 + "\n" }.joined() }
  }

  let testDescription: String
  private(set) var steps: [Step] = []

  static let all: [Transcript] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Transcripts").standardized
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().flatMap { name in
      read((try? String(contentsOf: folder.appending(path: name), encoding: .utf8)) ?? "", name)
    }
  }()

  /// The transcripts whose names contain the text in the variable `TRANSCRIPT`; all if it is not
  /// set.
  static let chosen: [Transcript] = {
    guard let wanted = ProcessInfo.processInfo.environment["TRANSCRIPT"] else { return all }
    let chosen = all.filter { $0.testDescription.contains(wanted) }
    let names = all.map(\.testDescription).joined(separator: "\n")
    precondition(!chosen.isEmpty, "no transcript has \(wanted) in its name; there are:\n\(names)")
    return chosen
  }()

  private static func read(_ text: String, _ name: String) -> [Transcript] {
    var sections: [Transcript] = []
    for (number, line) in text.components(separatedBy: "\n").enumerated() {
      if line.hasPrefix("== ") {
        sections.append(Transcript(testDescription: "\(name): \(line.dropFirst(3))"))
      } else if let last = sections.indices.last, !line.hasPrefix("#") {
        sections[last].take(line, "\(name):\(number + 1)")
      }
    }
    return sections
  }

  private mutating func take(_ line: String, _ place: String) {
    if line.hasPrefix("    ") || line.isEmpty {
      if let last = steps.indices.last { steps[last].lines.append(String(line.dropFirst(4))) }
      return
    }
    dropBlankLines()
    steps.append(Step(place: place, head: line))
  }

  private mutating func dropBlankLines() {
    guard let last = steps.indices.last else { return }
    while steps[last].lines.last?.isEmpty == true { steps[last].lines.removeLast() }
  }

  func play() throws {
    let lab = try testDescription.contains("(no bus") ? Lab() : Lab(.bus)
    if testDescription.hasSuffix("Korean)") { try lab.speakKorean() }
    let desk = try Desk(lab)
    for var step in steps {
      step.head = desk.filled(step.head)
      step.lines = step.lines.map(desk.filled)
      while step.lines.last?.isEmpty == true { step.lines.removeLast() }
      try desk.play(step)
    }
  }
}

extension Desk {
  /// Returns `text` with the paths of this desk and with dates in place of `HOME`, `CONFIG` and
  /// `TODAY`.
  fileprivate func filled(_ text: String) -> String {
    text.replacing(/TODAY(?:\+(\d))?/) { match in
      Second(epoch: Lab.now + 86_400 * (match.1.flatMap { Double($0) } ?? 0)).date
    }.replacing("CONFIG", with: config.path).replacing("HOME", with: lab.home.path)
  }

  fileprivate func play(_ step: Transcript.Step) throws {
    switch step.head.split(separator: " ").first {
    case "config":
      let saved = Lab.now
      try saveText(step.text)
      guard agents.last?.isRunning == true else { return }
      try lab.busWatch.waitForMessage("the config to be read", since: saved) {
        $0.member == "Changed"
      }
    case "file": expect(try text, step)
    case "write": try lab.write(step.text, to: String(step.head.dropFirst(6)))
    case "agent": try startAgent(environment: ["TZ": "UTC"])
    case "activatable": try lab.makeActivatable(Self.busName, as: "belfryd")
    default: try run(step)
    }
  }

  private func run(_ step: Transcript.Step) throws {
    let parts = try #require(step.head.wholeMatch(of: /(wait)?(\d*)> (.*)/), "\(step.place)")
    let words = Self.words(of: parts.3)
    let begun = Lab.now
    var done = try belfry(words)
    while parts.1 != nil, !Self.pattern(step).wholeMatches(done.output + done.errors) {
      try #require(Lab.now < begun + patience, "\(step.place): \(done)")
      done = try belfry(words)
    }
    let errors = Self.withoutBusWarning(done.errors)
    expect(done.output + errors, step)
    #expect(done.status == Int32(parts.2) ?? 0, "\(step.place): \(step.head)")
  }

  /// Leaves out the warning that no alarm will ring without a session bus, which
  /// `EditingLiveTests` tests. Without a bus, nearly every edit prints it.
  static func withoutBusWarning(_ errors: String) -> String {
    errors.replacing(
      /(?m)^belfry: (there is no session bus, so|세션 버스가 없어).*\n.*: .*\n/, with: "")
  }

  private func expect(_ text: String, _ step: Transcript.Step) {
    #expect(
      Self.pattern(step).wholeMatches(text),
      "\(step.place): \(step.head)\n\(text)and not\n\(step.text)")
  }

  private static func pattern(_ step: Transcript.Step) -> NSRegularExpression {
    let escaped = NSRegularExpression.escapedPattern(for: step.text)
      .replacing("~~\n", with: "(?s:.*)").replacing("~", with: "[^\n]*")
    guard let pattern = try? NSRegularExpression(pattern: "^" + escaped) else {
      preconditionFailure("\(step.place) is no pattern")
    }
    return pattern
  }

  /// Splits a command line at its spaces, except inside quotation marks.
  private static func words(of line: Substring) -> [String] {
    var (words, quote): ([String], Character?) = ([], nil)
    var isInside = false
    for character in line {
      switch character {
      case "\"", "'":
        if !isInside { words.append("") }
        isInside = true
        if quote == nil || quote == character {
          quote = quote == nil ? character : nil
        } else {
          words[words.count - 1].append(character)
        }
      case " " where quote == nil: isInside = false
      default:
        if !isInside { words.append("") }
        isInside = true
        words[words.count - 1].append(character)
      }
    }
    return words
  }
}

extension NSRegularExpression {
  fileprivate func wholeMatches(_ text: String) -> Bool {
    let whole = NSRange(text.startIndex..., in: text)
    return firstMatch(in: text, options: .anchored, range: whole)?.range == whole
  }
}

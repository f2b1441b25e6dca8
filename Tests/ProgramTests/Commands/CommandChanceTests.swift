// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs random command lines, made of the words of `belfry` and of extreme values. No command may
// crash or hang, and the agent must keep running. `BELFRY_COMMANDS=50000 BELFRY_SEED=17` runs
// 50,000 lines; the same seed makes the same lines.

import Foundation
import Lab
import TestData
import Testing

@Suite(.realServers) struct CommandChanceTests {
  /// Commands that take long, such as playing a sound, or that run until they are terminated.
  private static let long = [["sounds", "play"], ["doctor"], ["follow"], ["watch"]]

  private static let extremes = [
    "", "-", "--", "0", "1", "-1", "007", "1.5", "1e400", "nan", "@", "@0", "@1795243800",
    "9223372036854775807", "-9223372036854775808", "@9223372036854775807",
    "@-9223372036854775808", "18446744073709551616", "1099511627775", "@-1099511627775", "0s", "1s",
    "10m", "366d", "367d", "9223372036854775807s", "99999999999999999999d", "1h-30m", "-5m",
    "00:00", "7:30", "23:59:59", "24:00", "25:00", "7:30 pm", "99999999999:00", "0000-01-01",
    "1970-01-01", "2026-02-30", "2027-03-28", "9999-12-31", "10000-01-01", "-0001-01-01",
    "0000-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "2026-11-21 07:30", "mon", "mon,fri",
    "weekdays", "daily", "mondy", "work", "train", "tea", "seoul", "Asia/Seoul", "UTC", "../..",
    "/dev/null", "/", "~", "a b", "시계", "e\u{301}\u{301}\u{301}", "\u{1B}[31m", "\n", "\u{202E}x",
    "🕰️", "%s%n", "[[alarm]]", "\"", "'", "\\", "true", "false", "forever",
  ]

  private static let config = """
    [defaults]
    sound = "~/low.wav"
    [[alarm]]
    id = "work"
    time = 07:30
    days = "weekdays"
    label = "Work"
    [[alarm]]
    id = "train"
    time = 05:15
    date = 2099-12-24
    [[timer]]
    name = "tea"
    duration = "4m"
    [[clock]]
    city = "Seoul"

    """

  @Test
  func `each random command line ends in time and without a crash, and the agent keeps running`()
    throws
  {
    let asked: Int? = Chance.asked("BELFRY_COMMANDS")
    let (count, seed) = (asked ?? 60, Chance.firstSeed)
    var chance = Chance(seed: seed)
    let words = try CommandWords(Lab())
    var (left, slowest, statuses) = (count, (0.0, [String]()), [Int32: Int]())
    while left > 0 {
      // Begin again with a new config and a new agent every 500 lines, because every alarm that a
      // line adds makes the next commands slower.
      let desk = try Desk(Lab(.bus))
      try desk.saveText(Self.config)
      let agent = try desk.startAgent()
      for _ in 0..<min(left, 500) {
        let line = words.line(&chance, Self.extremes)
        let seen = { "belfry \(line), BELFRY_SEED=\(seed), \(count - left)" }
        var (status, time) = try Self.run(line, on: desk)
        #expect([0, 1, 64].contains(status), "\(status): \(seen())")
        // A busy machine may delay a single run, so repeat a slow line. If `BELFRY_COMMANDS` is
        // set, no other test is running, and the limit is 1 s. Otherwise the limit is 5 s, which
        // only a command that hangs exceeds.
        let limit = asked == nil ? 5.0 : 1
        for _ in 0..<4 where time > limit { time = min(time, try Self.run(line, on: desk).time) }
        #expect(time <= limit, "\(time) s: \(seen())")
        try #require(agent.isRunning, "the agent is gone after \(seen())")
        slowest = time > slowest.0 ? (time, line) : slowest
        statuses[status, default: 0] += 1
        left -= 1
      }
    }
    print(
      "command lines: BELFRY_SEED=\(seed), \(count) of them,",
      statuses.sorted { $0.key < $1.key }.map { "\($1) ended with \($0)" }.joined(separator: ", "),
      "the slowest in \(Int(slowest.0 * 1000)) ms: \(slowest.1)")
  }

  /// Runs a command, and returns its exit status and how long it ran. A signal counts as status 128
  /// plus its number, as in a shell. A command in `long` is terminated after one second; the time
  /// is then how long it takes to end after that.
  private static func run(_ line: [String], on desk: Desk) throws -> (status: Int32, time: Double) {
    var begun = Lab.now
    let program = try desk.lab.start(
      "belfry", arguments: line, environment: ["TZ": "UTC", "EDITOR": "true"])
    defer { program.kill() }
    let mayTakeLong = long.contains { line.starts(with: $0) }
    let isEnded = mayTakeLong && (try? program.waitForExit(within: 1)) == nil
    if isEnded {
      program.terminate()
      begun = Lab.now
    }
    let exit = try program.waitForExit()
    let time = Lab.now - begun
    return switch exit {
    case .status(let status): (status, time)
    case .signal(SIGTERM) where isEnded: (0, time)
    case .signal(let signal): (128 + signal, time)
    }
  }
}

/// The commands and options of `belfry`, read from a description in JSON that its argument parser
/// prints.
struct CommandWords {
  private struct Dump: Decodable { var command: Command }
  private struct Command: Decodable {
    struct Argument: Decodable {
      struct Name: Decodable {
        var kind: String
        var name: String
      }
      var names: [Name]?
      var shouldDisplay: Bool
    }
    var commandName: String
    var shouldDisplay: Bool?
    var arguments: [Argument]?
    var subcommands: [Command]?
  }

  struct Known {
    /// The words that name the command, and the options that its help shows.
    var path: [String]
    var options: [String]
    /// Whether the help shows the command. It does not show former names of commands.
    var isShown: Bool
    var isGroup: Bool
  }

  private(set) var commands: [Known] = []
  private var options: [String] = []

  init(_ lab: Lab) throws {
    // The released program does not print this description, so run the program that was built with
    // the tests.
    let program = Lab.products.appendingPathComponent("belfry").path
    let dump = try lab.run(program, "--experimental-dump-help").output
    let root = try JSONDecoder().decode(Dump.self, from: Data(dump.utf8)).command
    take(root, below: [])
    options = Array(Set(commands.flatMap(\.options))).sorted()
  }

  private mutating func take(_ command: Command, below path: [String]) {
    let shown = (command.arguments ?? []).filter(\.shouldDisplay)
    let names = shown.flatMap { $0.names ?? [] }
    commands.append(
      Known(
        path: path, options: names.map { ($0.kind == "long" ? "--" : "-") + $0.name },
        isShown: command.shouldDisplay ?? true, isGroup: command.subcommands?.isEmpty == false))
    for inner in command.subcommands ?? [] { take(inner, below: path + [inner.commandName]) }
  }

  /// Returns a random command line: usually a command with some of its options, and with values
  /// that may be invalid.
  func line(_ chance: inout Chance, _ extremes: [String]) -> [String] {
    let command = chance.pick(commands)
    let (path, own) = (command.path, command.options)
    var line = path
    for _ in 0..<chance.number(0...5) {
      switch chance.number(0...9) {
      case 0..<6: line.append(chance.pick(extremes))
      case 6, 7: if !own.isEmpty { line += [chance.pick(own), chance.pick(extremes)] }
      case 8:
        let value = chance.oneIn(2) ? "=\(chance.pick(extremes))" : ""
        line.append(chance.pick(options) + value)
      default: line.append(chance.pick(commands).path.last ?? "belfry")
      }
    }
    // The arguments of a program cannot contain a null byte.
    return line.filter { !$0.contains("\0") }
  }
}

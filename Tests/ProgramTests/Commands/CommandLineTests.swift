// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the help of `belfry`, words that would control the terminal, and output that cannot be
// written. `TranscriptTests.swift` tests the exact output of each command.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct CommandLineTests {
  private static let household = """
    [[alarm]]
    time = 02:30
    days = "daily"
    timezone = "Europe/Berlin"
    label = "Night watch"

    [[alarm]]
    time = 05:15
    date = 2020-12-24
    label = "Train"

    [[alarm]]
    time = 15:00
    enabled = false

    """

  @Test func `the manual page names each field of belfry status --json`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText(Self.household)
    try desk.startAgent()
    try desk.belfry("timer 5m")
    let status = try JSONSerialization.jsonObject(
      with: Data(try desk.belfry("status --json").output.utf8))
    let page = try String(
      contentsOf: URL(filePath: #filePath).appending(path: "../../../../desktop/man/belfry.1")
        .standardized, encoding: .utf8)
    let words = Set(page.split { $0 == "\n" || $0 == " " }.map(String.init))
    #expect(fields(of: status).subtracting(words) == [])
  }

  /// Returns the names of all keys in a JSON value, at any depth.
  private func fields(of value: Any) -> Set<String> {
    if let list = value as? [Any] { return list.reduce(into: []) { $0.formUnion(fields(of: $1)) } }
    guard let object = value as? [String: Any] else { return [] }
    return object.values.reduce(into: Set(object.keys)) { $0.formUnion(fields(of: $1)) }
  }

  @Test func `belfry sounds lists the sounds by name`() throws {
    let desk = try Desk(Lab())
    let list = try desk.belfry("sounds list")
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Lab.repository.appendingPathComponent("Sounds").path)
    let names = files.filter { $0.hasSuffix(".ogg") }.map { $0.dropLast(4) }.sorted()
    #expect(list.status == 0 && list.errors == "")
    #expect(
      list.output.split(separator: "\n").compactMap { $0.split(separator: " ").first } == names)
    #expect(try desk.belfry("sounds").output == list.output)
    // Only `--all` lists the sounds of the desktop theme, which are clicks and test signals.
    try desk.lab.write("", to: ".local/share/sounds/freedesktop/stereo/bell.oga")
    #expect(try desk.belfry("sounds").output == list.output)
    // The list must show the sound by its name, even if the bytes of its path are mostly not ASCII.
    let korean = desk.lab.home.appendingPathComponent("사용자의 자료")
    let sound = korean.appendingPathComponent("belfry/sounds/종.ogg")
    try desk.lab.run("install", "-D", "low.wav", sound.path)
    let there = try desk.lab.run("belfry", "sounds", environment: ["XDG_DATA_HOME": korean.path])
    #expect(there.output.contains("종"), "\(there)")
    // Belfry's own sounds were FLAC files before 1.0. A config with such a path is still valid.
    let old = "time = 08:00\nsound = \"\(sound.deletingPathExtension().path).flac\"\n"
    try desk.saveText("[[alarm]]\n" + old)
    let check = try desk.lab.run(
      "belfry", "config", "check", environment: ["XDG_DATA_HOME": korean.path])
    #expect(check.status == 0 && !check.errors.contains("no sound"), "\(check)")
    let all = try desk.belfry("sounds --all").output
    #expect(all.contains("\nbell ") && all.split(separator: "\n").count == names.count + 1)
  }

  @Test func `the help fits on one screen, and begins with the most important commands`() throws {
    let desk = try Desk(Lab())
    for line in ["--help", "-h", "help"] {
      let help = try desk.belfry(line)
      #expect(help.status == 0 && help.errors == "", "belfry \(line)")
      let lines = help.output.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 41 && lines.allSatisfy { $0.count <= 80 }, "\(help.output)")
      let commands = lines.filter { $0.hasPrefix("  ") }.compactMap {
        $0.split(separator: " ").first.map(String.init)
      }
      let known = try CommandWords(Lab()).commands.map(\.path).filter { $0.count == 1 }.map {
        $0[0]
      }
      #expect(Set(commands) == Set(known).subtracting(["activate", "help"]))
      for word in ["add", "list", "next", "stop", "snooze", "timer", "watch", "doctor"] {
        #expect(lines.prefix(20).contains { $0.hasPrefix("  \(word) ") }, "\(word)")
      }
    }
  }

  @Test func `an argument that would control the terminal is shown harmlessly`() throws {
    let desk = try Desk(Lab())
    for words in [
      ["next", "\u{1B}]0;owned\u{7}"], ["stop", "a", "\u{1B}[2J"], ["\u{1B}[2J"],
      ["--\u{1B}[2J"], ["list", "--config", "\u{9B}2J.toml", "now"],
    ] {
      let done = try desk.belfry(words)
      #expect(done.status == 64, "\(words)")
      let shown = done.errors + done.output
      #expect(!shown.unicodeScalars.contains { $0.value < 32 && $0 != "\n" || $0.value == 0x9B })
    }
    let bytes = try desk.lab.run(
      "bash", "-c", "belfry list --config $'no\\xff.toml' 2>&1; echo $?")
    #expect(bytes.output == "belfry: the command line is not valid UTF-8\n64\n")
    let path = try desk.belfry(["config", "path", "--config", "\u{1B}[2J.toml"])
    #expect(path.output == "\(desk.lab.home.path)/\\u001B[2J.toml\n")
    let long = try desk.belfry(["next", String(repeating: "x", count: 100_000)])
    #expect(long.status == 64 && long.errors.utf8.count < 2000)
    let label = String(repeating: "k", count: 1001)
    for line in ["add 7:30 --label", "world add Seoul --label", "pause today --label"] {
      let done = try desk.belfry("\(line) \(label)")
      #expect(done == (1, "", "belfry: a label has at most 1000 bytes\n"), "\(line)")
    }
  }

  @Test func `a command fails if its output cannot be written`() throws {
    let desk = try Desk(Lab(.bus))
    // Set 300 alarms. Their list is longer than the buffer of the output, so `belfry list` writes a
    // part of it before it ends.
    try desk.saveText(
      String(repeating: "[[alarm]]\ntime = 07:30\ndays = \"daily\"\n", count: 300))
    try desk.startAgent()
    for line in ["list", "config schema", "--help", "next --json", "--version", "follow"] {
      let done = try desk.lab.run("sh", "-c", "exec belfry \(line) >/dev/full")
      #expect(done.status == 1, "belfry \(line)")
      #expect(
        done.errors == "belfry: the output is incomplete: No space left on device\n",
        "belfry \(line)")
    }
    // If the standard streams are closed, a file that `belfry` opens must not get the descriptor of
    // one of them.
    let closed = try desk.lab.run("sh", "-c", "exec belfry status <&- >&-")
    #expect(
      closed.status == 1
        && closed.errors == "belfry: the output is incomplete: Bad file descriptor\n")
    // It is no error if the reader closes the pipe because it has read enough.
    #expect(try desk.lab.run("sh", "-c", "belfry follow | head -c 1").status == 0)
    for line in ["list", "status --json"] {
      let script = """
        import os, subprocess
        reader, writer = os.pipe()
        os.close(reader)
        print(-subprocess.run("belfry \(line)".split(), stdout=writer).returncode)
        """
      let done = try desk.lab.run("/usr/bin/python3", "-c", script)
      #expect(done.output == "\(SIGPIPE)\n" && done.errors == "", "belfry \(line)")
    }
  }
}

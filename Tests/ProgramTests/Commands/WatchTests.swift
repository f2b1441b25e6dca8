// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests `belfry watch`, a live view in the terminal, in a real terminal with a real agent: what it
// shows, what its keys do, and that it restores the terminal when it ends. `WatchViewTests.swift`
// tests the layout for each window size.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct WatchTests {
  private static let household = #"""
    [agent]
    clock = "24h"

    [[alarm]]
    time = 05:15
    date = 2099-12-24
    label = "Train"

    [[alarm]]
    time = 06:15
    date = 2099-12-25
    label = "일어나 ⏰"

    [[alarm]]
    time = 07:15
    date = 2099-12-26
    label = "\u001B]0;owned\u0007\u001B[2J\u202Ekcab\u200B"

    """#

  private func window(
    _ desk: Desk, then: String = "exec sleep 60"
  ) throws -> Window {
    try Window(
      desk.lab, columns: 80, rows: 24,
      // Ctrl-C sends SIGINT to the shell, too, but the shell must not end.
      running: "trap : INT QUIT; belfry watch; \(then)", environment: ["TZ": "UTC"])
  }

  /// Makes a desk with the alarms of `household` and a running agent.
  private func desk() throws -> Desk {
    let desk = try Desk(Lab(.bus))
    try desk.saveText(Self.household)
    try desk.startAgent(environment: ["TZ": "UTC"])
    return desk
  }

  @Test
  func `belfry watch shows the time and the next rings, and adapts to the size of the window`()
    throws
  {
    let desk = try desk()
    let window = try window(desk)
    let blocks = /[█▀▄]/
    var text = try window.wait(for: "q quit")
    let year = "24 Dec 2099 05:15  Train"
    #expect(text.contains { $0.contains(year) })
    #expect(text.contains { $0.contains("25 Dec 2099 06:15  일어나 ⏰ ") })
    #expect(text.filter { $0.contains(blocks) }.count == 5)
    let now = Second(epoch: Lab.now)
    let today = now.date.suffix(2).drop { $0 == "0" }
    #expect(
      text.contains {
        $0.contains("day \(today) ") && $0.hasSuffix(" \(now.date.prefix(4))")
      })
    #expect(text.last?.hasSuffix("n new alarm   w stopwatch   ? keys   q quit") == true)
    try window.resize(columns: 20, rows: 8)
    try window.wait(for: "20 x 8") { $0.count == 8 && $0.filter { $0.contains(blocks) }.count == 3 }
    try window.resize(columns: 80, rows: 24)
    text = try window.wait(for: "80 x 24") {
      $0.count == 24 && $0.filter { $0.contains(blocks) }.count == 5
    }
    #expect(text.contains { $0.contains(year) })
    try window.type("?")
    try window.wait(for: "stop what is ringing")
    try window.type("q")
  }

  @Test
  func `belfry watch draws only what changed, and no text of the config controls the terminal`()
    throws
  {
    let desk = try desk()
    // The times left of all alarms change, and are drawn again, at a second past xx:15.
    Second.waitIfNear(15 * 60 + 1, of: 3600)
    let window = try window(desk)
    try window.wait(for: "q quit")
    // Wait three seconds. Only the time changes meanwhile.
    let begin = try window.sent(with: "Train").utf8.count
    let from = Lab.now
    try window.wait(for: "three seconds") { _ in Lab.now > from + 3 }
    let sent = try window.sent(with: "Train")
    #expect(sent.utf8.count > begin)
    #expect(sent.utf8.count - begin < 5 * 3 * 160, "more than the seconds were drawn anew")
    #expect(sent.components(separatedBy: "Train").count == 2)
    let known = /\u{1B}\[[0-9;]*[HKmJ]|\u{1B}\[\?(1049|25|7|2026|1000|1006)[hl]/
    let rest = sent.replacing(known, with: "").unicodeScalars
    #expect(!rest.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
    #expect(!rest.contains { ["\u{202E}", "\u{200B}"].contains($0) })
    #expect(sent.contains(#"\u001B]0;owned\u0007"#))
    #expect(sent.components(separatedBy: "\u{1B}[2J").count == 2)
  }

  @Test func `belfry watch restores the terminal when a key or a signal ends it`() throws {
    let desk = try desk()
    let modes = "stty -a | grep -o '[-]*icanon\\|[-]*echo '; exec sleep 60"
    for key in ["q", "C-c", "C-\\"] {
      let window = try window(desk, then: "echo ended $?; \(modes)")
      try window.wait(for: "q quit")
      try window.type(key)
      let text = try window.wait(for: "echo")
      #expect(text.prefix(3) == ["ended 0", "icanon", "echo"], "\(key)")
      _ = try window.sent(with: "\u{1B}[?25h")
      #expect(try !window.isMouseTaken)
    }
    for signal in [SIGTERM, SIGHUP, SIGINT] {
      let window = try Window(
        desk.lab, columns: 80, rows: 24,
        running: "sh -c 'echo $$ >pid; exec belfry watch'; \(modes)")
      try window.wait(for: "q quit")
      try desk.lab.run("kill", "-\(signal)", desk.lines("pid")[0])
      let text = try window.wait(for: "echo")
      #expect(text.contains("icanon") && text.contains("echo"), "signal \(signal)")
      #expect(try !window.isMouseTaken)
    }
  }

  @Test func `a signal ends belfry watch even if the terminal reads nothing`() throws {
    let desk = try desk()
    let script = Lab.repository.appendingPathComponent("Tests/Lab/full-terminal.py").path
    let program = try desk.lab.start("/usr/bin/python3", arguments: [script])
    #expect(try program.waitForOutput("\n") == "ended 0 given back\n")
  }

  @Test func `Ctrl-Z gives the terminal back to the shell, and fg continues belfry watch`() throws {
    let desk = try desk()
    let window = try Window(
      desk.lab, columns: 80, rows: 24, running: "exec bash --norc --noprofile -i",
      environment: ["TZ": "UTC"])
    try window.wait(for: "bash")
    try window.type("belfry watch", "Enter")
    try window.wait(for: "q quit")
    try window.type("C-z")
    let shell = try window.wait(for: "Stopped")
    #expect(!shell.contains { $0.contains("q quit") })
    #expect(try !window.isMouseTaken)
    try window.type("fg", "Enter")
    try window.click("q quit")
    try window.wait(for: "the shell") { !$0.contains { $0.contains("q quit") } }
  }

  @Test func `belfry watch adds an alarm that the user types`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText("[agent]\nclock = \"24h\"\n")
    try desk.startAgent(environment: ["TZ": "UTC"])
    let window = try window(desk)
    try window.wait(for: "No alarm is set: press n to add one")
    try window.type("n")
    try window.wait(for: "New alarm: ")
    try window.type("7:30 weekdays 운동", "x", "BSpace")
    try window.wait(for: "a ring told ahead") {
      $0.contains { $0.contains(/Rings (\w+ )?07:30, in .* weekdays   운동$/) }
    }
    try window.type("Enter")
    try window.wait(for: "the alarm") { $0.contains { $0.contains(/07:30 +운동/) } }
    let text = try desk.text
    #expect(text.contains("time = 07:30\ndays = \"weekdays\"\nlabel = \"운동\"\n"))
    // If the config cannot be edited, the error is shown. The typed text stays, so that the user
    // can correct it.
    try desk.saveText("[agent\n")
    try window.type("n", "8:15", "Enter")
    try window.wait(for: "config.toml:1:7: error: ")
    try window.wait(for: "New alarm: 8:15")
    try window.type("Escape")
    try window.wait(for: "no line") { !$0.contains { $0.contains("New alarm") } }
    try window.type("q")
    try window.wait(for: "the end") { !$0.contains { $0.contains("운동") } }
  }

  @Test func `keys and the mouse control a timer, the stopwatch and an alarm`() throws {
    let desk = try desk()
    #expect(try desk.belfry("timer 4m --label Tea").status == 0)
    let window = try window(desk)
    try window.click("Train")
    try window.wait(for: "▸ Train")
    try window.click("o switch off")
    try window.wait(for: "off") { $0.contains { $0.contains(/off +▸ Train/) } }
    try window.type("-")
    try window.wait(for: "train is disabled")
    try window.type("o")
    try window.wait(for: "it to be on") { $0.contains { $0.contains(/05:15 +▸ Train/) } }
    try window.type("v")
    try window.wait(for: "Train once at:")
    try window.type("5:45", "Enter")
    try window.wait(for: "moved") { $0.contains { $0.contains(/05:45 +▸ Train moved/) } }
    try window.click("Tea")
    try window.type("Space")
    try window.wait(for: "paused")
    try window.type("w", "l")
    try window.wait(for: "a lap") { $0.contains { $0.contains(/\ 1  0:0/) } }
    // Incomplete or invalid reports of the mouse must do nothing. A `q` in such a report must not
    // quit, and a `0` must not reset the stopwatch.
    try window.send(
      "\u{1B}[<0;1\u{1B}[<0;0;0M\u{1B}[<q\u{1B}[M q0\u{1B}[<0;999;999M\u{1B}[<65;1;0")
    try window.send("\u{1B}[<64;1;1M")
    // Turning the wheel up moves the selection from the timer to the last alarm.
    try window.wait(for: #"▸ \u001B"#)
    #expect(try window.text().contains { $0.contains("Stopwatch ──") })
    try window.click("q quit")
    try window.wait(for: "the end") { !$0.contains { $0.contains("Tea") } }
    #expect(try !window.isMouseTaken)
  }

  @Test func `without a terminal or an agent, belfry watch says what to do`() throws {
    let desk = try Desk(Lab(.bus))
    let none = try desk.belfry("watch")
    #expect(none.status == 1)
    #expect(
      none.errors == "belfry: watch needs a terminal: use belfry status or belfry follow\n")
    let window = try window(desk, then: "echo ended $?; exec sleep 60")
    let text = try window.wait(for: "ended 1")
    #expect(text[0].hasPrefix("belfry: the agent is not running, and the bus cannot "))
  }
}

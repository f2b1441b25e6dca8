// SPDX-License-Identifier: GPL-3.0-or-later
//
// Configs that nobody should write, and somebody will: labels that break layouts, markup and
// terminals, and more alarms than anybody needs. Next: `CommandLineTests.swift`.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct HostileConfigTests {
  /// Labels as the config has them, and the titles that come of them.
  private static let labels: [(toml: String, title: String)] = [
    (String(repeating: "A", count: 10_000), String(repeating: "A", count: 199) + "…"),
    ("<b>Bold</b> & <a href='x'>", "<b>Bold</b> & <a href='x'>"),
    (#"tab\tbell\u0007 escape\u001B[31m line\nfeed"#, "tab bell escape[31m line feed"),
    (#"\u202Egnirts שעון"#, "gnirts שעון"),
    (#"⏰👨‍👩‍👧‍👦 알람"#, "⏰👨‍👩‍👧‍👦 알람"),
  ]

  @Test func `a label of any kind rings, is read as it stands, and moves no terminal`() throws {
    let desk = try Desk()
    let due = Second.ahead(3)
    try desk.saveText(
      Desk.defaults
        + Self.labels.enumerated().map { index, label in
          Desk.alarm(
            "hostile-\(index)", at: due, "label = \"\(label.toml)\"", #"ring_for = "2s""#,
            #"unanswered = "miss""#)
        }.joined())
    try desk.startAgent()
    #expect(isOnSecond(try desk.lab.recorder.waitForSound(after: due.epoch - 2), due.epoch))
    for (_, title) in Self.labels { _ = try desk.waitForNotification(title) }
    for line in ["list", "status", "next"] {
      let printed = try desk.belfry(line).output
      #expect(!printed.unicodeScalars.contains(where: actsOnTerminal), "belfry \(line)")
    }
    // Here the labels are lines of the body. This server takes no markup.
    let missed = try desk.waitForNotification("5 missed alarms")
    let titles = [String(repeating: "A", count: 59) + "…"] + Self.labels.dropFirst().map(\.title)
    let lines = titles.map { "\($0), \(due.shown): nobody answered." }
    #expect(missed.body == lines.joined(separator: "\n"))
    #expect(desk.lab.notificationServer.isRunning)
  }

  @Test func `where the server takes markup, a label in the body is none`() throws {
    let desk = try Desk(Lab(.bus))
    let script = Lab.repository.appendingPathComponent("Tests/Lab/notification-server.py")
    try desk.lab.start("python3", arguments: [script.path]).waitForOutput("ready")
    try desk.save(
      Desk.alarm(
        "work", at: .ahead(1), #"label = "<b>&""#, #"ring_for = "1s""#, #"unanswered = "miss""#))
    try desk.startAgent()
    let missed = try desk.waitForNotification("Missed alarm")
    #expect(missed.body.hasPrefix("&lt;b&gt;&amp;, "))
  }

  /// But for the end of a line.
  private func actsOnTerminal(_ scalar: Unicode.Scalar) -> Bool {
    scalar != "\n"
      && (scalar.properties.generalCategory == .control || (0x202A...0x202E).contains(scalar.value))
  }

  @Test func `of a hundred thousand alarms, one rings on its second`() throws {
    let desk = try Desk(Lab(.bus, .sound))
    var many = ""
    for index in 0..<99_999 {
      let second = String(format: "%02d:%02d:%02d", index / 3600 % 24, index / 60 % 60, index % 60)
      many += "[[alarm]]\nid = \"a\(index)\"\ndate = 2099-01-01\ntime = \(second)\n"
    }
    try desk.save(many)
    let before = Lab.now
    try desk.startAgent()
    let loading = Lab.now - before
    // As seen from a save of as many again.
    let due = Second.ahead(3 * loading + 2)
    try desk.save(many, Desk.alarm("work", at: due))
    let heard = try desk.lab.recorder.waitForSound(
      after: due.epoch - 1, within: due.epoch - Lab.now + 5)
    #expect(isOnSecond(heard, due.epoch))
    #expect(try desk.belfry("stop work").output == "stopped work\n")
    try desk.lab.recorder.waitForSilence()
  }
}

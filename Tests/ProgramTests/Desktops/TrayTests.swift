// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests Belfry's symbol in the panel. The panel of Xfce shows the symbol, and calls on the bus
// stand for everything else that a panel does. `PictureTests.swift` makes pictures of the symbol.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct TrayTests {
  private let desk: Desk

  init() throws { desk = try Desk(Lab(.notifications, .sound)) }

  /// The bus name of the symbol that the agent has announced last.
  private var itemName: String {
    desk.lab.busWatch.calls("RegisterStatusNotifierItem").last?.sender ?? "no symbol"
  }

  /// Waits until the agent has announced its symbol to the panel.
  private func waitForSymbol(since time: Epoch) throws {
    let call = try desk.lab.busWatch.waitForMessage("a symbol", since: time) {
      $0.kind == .call && $0.member == "RegisterStatusNotifierItem"
    }
    // The symbol has its own connection to the bus. Its name is the unique name of the connection.
    #expect(call.body == [.string(call.sender ?? "")])
  }

  private func waitForEnd(since time: Epoch) throws {
    let name = itemName
    try desk.lab.busWatch.waitForMessage("the symbol's end", since: time) {
      $0.member == "NameOwnerChanged" && $0.body.first?.string == name
        && $0.body.last?.string == ""
    }
  }

  /// Calls a method of the agent on the bus, as a panel does.
  @discardableResult
  private func call(_ path: String, _ method: String, _ arguments: [String]) throws -> String {
    try desk.callAt(path, method, arguments, of: itemName).trimmingCharacters(in: .newlines)
  }

  private func property(_ name: String) throws -> String {
    try call(
      "/StatusNotifierItem", "org.freedesktop.DBus.Properties.Get",
      ["org.kde.StatusNotifierItem", name])
  }

  private func menu(_ method: String, _ arguments: String...) throws -> String {
    try call("/StatusNotifierItem/Menu", "com.canonical.dbusmenu.\(method)", arguments)
  }

  /// Returns the items of the symbol's menu as numbers and labels, such as `2 Pause`.
  private func items() throws -> [String] {
    try menu("GetLayout", "0", "-1", "[]")
      .matches(of: /<\((\d+), \{'label': <'([^']*)'>/).map { "\($0.1) \($0.2)" }
  }

  private func click(_ label: String) throws {
    let item = try #require(try items().first { $0.hasSuffix(" \(label)") })
    let number = item.split(separator: " ")[0]
    _ = try menu("Event", number.description, "clicked", "<0>", "0")
  }

  @Test
  func `the panel has a symbol while a timer is running, with the actions of its notification`()
    throws
  {
    try desk.save(Desk.alarm("later", at: Second.ahead(3000), "label = 'Later'"))
    try desk.lab.startPanel()
    try desk.startAgent()
    var since = Lab.now
    try desk.belfry(["timer", "10m", "--label", "Tea_<1>"])
    try waitForSymbol(since: since)
    // The agent announced the symbol only once, because there was no symbol before the timer.
    #expect(desk.lab.busWatch.calls("RegisterStatusNotifierItem").count == 1)
    #expect(try property("Status") == "(<'Active'>,)")
    #expect(try property("Menu") == "(<objectpath '/StatusNotifierItem/Menu'>,)")
    #expect(try property("ToolTip").contains("'Belfry', 'Tea_&lt;1&gt;: Ends "))
    let labels = try items().map { $0.split(separator: " ", maxSplits: 1)[1] }
    #expect(labels.count == 6 && labels[0].hasPrefix("Tea__<1>: Ends "))
    #expect(labels[1...3] == ["Pause", "+1 min", "Cancel"])
    #expect(labels[4].hasPrefix("Next: Later, ") && labels[5] == "Open config")
    // Xfce's panel shows no label, so the agent sends none.
    #expect(try property("XAyatanaLabel") == "(<''>,)")

    since = Lab.now
    try click("Pause")
    for signal in ["NewToolTip", "LayoutUpdated"] {
      try desk.lab.busWatch.waitForMessage(signal, since: since) { $0.member == signal }
    }
    #expect(try property("ToolTip").contains("Tea_&lt;1&gt;: Paused, "))
    // A click on the symbol shows a notification with the time that is left, because a tooltip does
    // not count down.
    try call("/StatusNotifierItem", "org.kde.StatusNotifierItem.Activate", ["0", "0"])
    let told = try desk.waitForNotification("Belfry", since: since)
    #expect(told.text.hasPrefix("Tea_<1>: Paused, ") && told.body.hasSuffix(" left of 10 min."))
    try desk.belfry(["timer", "20m", "--label", "Eggs"])
    #expect(!desk.lab.busWatch.messages.contains { $0.member == "XAyatanaNewLabel" })
    try desk.belfry("timer cancel eggs")
    since = Lab.now
    try click("Cancel")
    try waitForEnd(since: since)
    #expect(try desk.belfry("timer list").output == "No timer is set.\n")
  }

  @Test func `in Plasma, the symbol uses the icon of one colour, and the tooltip is in markup`()
    throws
  {
    let icons = desk.lab.folder.appendingPathComponent("share/icons/hicolor")
    for (file, folder) in [
      ("org.belfry.Belfry.svg", "scalable/apps"),
      ("org.belfry.Belfry-symbolic.svg", "symbolic/apps"),
    ] {
      let folder = icons.appendingPathComponent(folder)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: Lab.repository.appendingPathComponent("desktop/session/icons/\(file)"),
        to: folder.appendingPathComponent(file))
    }
    try desk.save()
    try desk.lab.startPanel()
    for (desktop, name) in [("XFCE", "org.belfry.Belfry"), ("KDE", "org.belfry.Belfry-symbolic")] {
      let begun = Lab.now
      try desk.startAgent("--replace", environment: ["XDG_CURRENT_DESKTOP": desktop])
      try desk.belfry(["timer", "20m", "--label", "Tea & <toast>"])
      try waitForSymbol(since: begun)
      #expect(try property("IconName") == "(<'\(name)'>,)")
      #expect(try property("AttentionIconName") == "(<'\(name)'>,)")
    }
    // The tooltip for Plasma is markup: it is in a tag, special characters are escaped, and each
    // timer has a line.
    let (tag, line) = (/<span>(.*)<\/span>/, /Tea &amp; &lt;toast&gt;: Ends [^<']+/)
    let told = try #require(try property("ToolTip").firstMatch(of: tag)).1
    let lines = told.components(separatedBy: "<br/>")
    #expect(lines.count == 2 && lines.allSatisfy { $0.wholeMatch(of: line) != nil }, "\(told)")
  }

  @Test
  func `during a ring, the symbol wants attention, a click silences, and a middle click stops`()
    throws
  {
    try desk.lab.startPanel()
    try desk.startAgent()
    let due = Second.ahead(3)
    try desk.save(Desk.alarm("work", at: due, #"label = "Work""#))
    try waitForSymbol(since: 0)
    #expect(try property("Status") == "(<'NeedsAttention'>,)")
    #expect(try property("ToolTip").contains("'Work: Alarm, \(due.shown)'"))
    #expect(
      try items().map { $0.split(separator: " ", maxSplits: 1)[1] } == [
        "Work: Alarm, \(due.shown)", "Quiet for 1 min", "Snooze 3 s", "Snooze 10 min", "Stop",
        "Open config",
      ])
    try desk.lab.recorder.waitForSound(after: due.epoch - 1)
    var since = Lab.now
    try call("/StatusNotifierItem", "org.kde.StatusNotifierItem.Activate", ["0", "0"])
    try desk.lab.recorder.waitForSilence(after: since)
    #expect(try desk.status().ringing.map(\.id) == ["work"])
    since = Lab.now
    try click("Snooze 10 min")
    try desk.lab.busWatch.waitForMessage("NewStatus", since: since) {
      $0.member == "NewStatus" && $0.body == [.string("Active")]
    }
    #expect(try property("ToolTip").contains("'Work: Snoozed until "))
    try call("/StatusNotifierItem", "org.kde.StatusNotifierItem.SecondaryActivate", ["0", "0"])
    #expect(try desk.status().state("work") == "snoozed")
    try desk.belfry("timer 1s")
    try desk.belfry("stop work")
    try desk.wait("a timer that rings") { try property("Status") == "(<'NeedsAttention'>,)" }
    try call("/StatusNotifierItem", "org.kde.StatusNotifierItem.SecondaryActivate", ["0", "0"])
    try waitForEnd(since: since)
  }

  /// The panel of some desktops has its name on the bus before its object can be called.
  @Test func `a panel whose object is later than its name is called again`() throws {
    try desk.save()
    try desk.startAgent()
    try desk.belfry("timer 10m --label Tea")
    let (name, path) = ("org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher")
    let panel = try desk.lab.start(
      "/usr/bin/python3", arguments: ["-m", "dbusmock", name, "/elsewhere", name])
    try waitForSymbol(since: 0)
    let refused = Lab.now
    try desk.lab.run(
      "gdbus", "call", "--session", "--dest", name, "--object-path", "/elsewhere", "--method",
      "org.freedesktop.DBus.Mock.AddObject", path, name, "{}",
      "[('RegisterStatusNotifierItem', 's', '', '')]")
    try waitForSymbol(since: refused)
    let calls = desk.lab.busWatch.calls("RegisterStatusNotifierItem")
    #expect((2...3).contains(calls.count))
    #expect(panel.isRunning)
  }

  @Test
  func `the symbol appears again in a restarted panel, and disappears if switched off`()
    throws
  {
    try desk.save()
    try desk.startAgent()
    try desk.belfry("timer 10m --label Tea")
    // Without a panel, the timer works and no symbol is announced.
    #expect(desk.lab.busWatch.calls("RegisterStatusNotifierItem").isEmpty)
    let panel = try desk.lab.startPanel()
    try waitForSymbol(since: 0)
    try desk.lab.stopPanel(panel)
    var since = Lab.now
    try desk.lab.startPanel()
    try waitForSymbol(since: since)
    since = Lab.now
    try desk.saveText("[agent]\ntray = false\n")
    try waitForEnd(since: since)
    since = Lab.now
    try desk.belfry("timer 5m --label Egg")
    try desk.saveText("")
    try waitForSymbol(since: since)
    #expect(desk.lab.busWatch.calls("RegisterStatusNotifierItem", since: since).count == 1)
  }
}

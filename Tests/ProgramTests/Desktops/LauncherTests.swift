// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests what happens if a user clicks on Belfry's icon in the menu of programs, or on an action of
// this icon. `InstallTests.swift` tests that the icon's desktop entry is installed.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct LauncherTests {
  @Test func `the launcher shows the next alarm, and each of its actions is known`() throws {
    let desk = try Desk(Lab(.notifications))
    let due = Second.ahead(3600)
    try desk.save(Desk.alarm("work", at: due, #"label = "Work""#))
    try desk.startAgent()
    for line in ["activate", "activate new-window"] {
      let asked = Lab.now
      #expect(try desk.belfry(line).status == 0)
      let told = try desk.waitForNotification("Work", since: asked)
      #expect(told.body.contains("\(due.shown), in "))
      #expect(told.buttons == ["open-config: Open config"])
    }
    let (status, _, errors) = try desk.belfry("activate nonsense")
    #expect(status == 1 && errors == "belfry: there is no such action\n")
    // Every action in the desktop entry runs `belfry activate` with the name of the action.
    let entry = try String(
      contentsOf: Lab.repository.appendingPathComponent(
        "desktop/session/org.belfry.Belfry.desktop"),
      encoding: .utf8)
    let listed = try #require(entry.firstMatch(of: /\nActions=(.*);\n/)).1.split(separator: ";")
    #expect(entry.matches(of: /\[Desktop Action (.*)\]/).map(\.1) == listed)
    #expect(entry.matches(of: /belfry" activate (.+)/).map(\.1) == listed)
  }

  @Test func `the launcher makes a missing config, and reports a missing editor`() throws {
    let desk = try Desk(Lab(.notifications))
    let data = desk.lab.folder.appendingPathComponent("share")
    // With these environment variables, the agent finds no program of this machine, and therefore
    // no editor and no terminal.
    try desk.startAgent(environment: ["XDG_DATA_DIRS": data.path, "PATH": Lab.programs.path])
    #expect(try desk.belfry("activate edit-alarms").status == 0)
    let told = try desk.waitForNotification("Your alarm settings cannot be opened")
    #expect(told.body.hasSuffix("\nIn a terminal: “belfry config edit”."))
    #expect(try desk.belfry("config check").status == 0)
    let made = try desk.text
    #expect(made.contains("# [[alarm]]"))

    let applications = data.appendingPathComponent("applications")
    try FileManager.default.createDirectory(at: applications, withIntermediateDirectories: true)
    let opened = desk.lab.home.appendingPathComponent("opened").path
    try """
    [Desktop Entry]
    Type=Application
    Name=a
    MimeType=text/plain;
    Exec=/usr/bin/touch \(opened)

    """.write(
      to: applications.appendingPathComponent("a.desktop"), atomically: true, encoding: .utf8)
    try "[Default Applications]\ntext/plain=a.desktop\n[MIME Cache]\ntext/plain=a.desktop;\n".write(
      to: applications.appendingPathComponent("mimeinfo.cache"), atomically: true, encoding: .utf8)
    try desk.wait("it to be started") {
      try desk.belfry("activate edit-alarms")
      return FileManager.default.fileExists(atPath: opened)
    }
    #expect(try desk.text == made)
  }
}

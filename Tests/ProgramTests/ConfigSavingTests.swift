// SPDX-License-Identifier: GPL-3.0-or-later
//
// The config while the agent runs: saved in every way, saved with mistakes, and what a save does to
// what rings. Next: `HostileConfigTests.swift`.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct ConfigSavingTests {
  /// How programs save, and shells write, a file.
  enum Way: CaseIterable {
    case inPlace, renameOver, moveAwayAndWrite, throughLink, inFolderThatWasNotThere

    /// For a shell in the config's folder, with the text in `$1`.
    var commands: String {
      switch self {
      case .inPlace, .inFolderThatWasNotThere: #"printf %s "$1" >config.toml"#
      case .renameOver: #"printf %s "$1" >.new; mv .new config.toml"#
      case .moveAwayAndWrite: #"mv config.toml config.toml~; printf %s "$1" >config.toml"#
      case .throughLink: #"printf %s "$1" >"$HOME/dotfiles.toml""#
      }
    }
  }

  @Test("a save is seen, however the editor saves", arguments: Way.allCases)
  func saves(way: Way) throws {
    let desk = try Desk(Lab(.bus))
    let folder = desk.config.deletingLastPathComponent()
    try desk.save()
    if way == .throughLink {
      let target = desk.lab.home.appendingPathComponent("dotfiles.toml")
      try FileManager.default.moveItem(at: desk.config, to: target)
      try FileManager.default.createSymbolicLink(at: desk.config, withDestinationURL: target)
    }
    if way == .inFolderThatWasNotThere { try FileManager.default.removeItem(at: folder) }
    try desk.startAgent()
    #expect(try desk.status().alarms.isEmpty)

    // Twice: a watch may lose the file that it knew.
    for id in ["first", "second"] {
      let text = Desk.defaults + Desk.alarm(id, at: .ahead(3600))
      let isThere = FileManager.default.fileExists(atPath: folder.path)
      let enter = isThere ? "cd .config/belfry" : "mkdir .config/belfry; cd .config/belfry"
      let save = try desk.lab.run("sh", "-c", "\(enter); \(way.commands)", "sh", text)
      let saved = Lab.now
      #expect(save.status == 0, "\(save.errors)")
      try desk.waitForStatus("the alarm \(id)") { $0.alarms.map(\.id) == [id] }
      let changed = desk.lab.busWatch.signals("Changed").last?.time ?? .infinity
      #expect(changed - saved < 1.2)
    }
  }

  /// What a save does to the alarm that rings.
  enum Edit: CaseIterable {
    case deleted, disabled, timeChanged

    func alarm(due: Second) -> String {
      switch self {
      case .deleted: Desk.alarm("other", at: Second(epoch: due.epoch + 7200))
      case .disabled: Desk.alarm("work", at: due, "enabled = false")
      case .timeChanged: Desk.alarm("work", at: Second(epoch: due.epoch + 3600))
      }
    }
  }

  @Test("what rings is silent when it is edited away", arguments: Edit.allCases)
  func editedAway(edit: Edit) throws {
    let desk = try Desk()
    let due = Second.ahead(2)
    try desk.save(Desk.alarm("work", at: due, #"label = "Work""#))
    try desk.startAgent()
    try desk.lab.recorder.waitForSound(after: due.epoch - 1)
    let posted = try desk.waitForNotification("Work")
    try desk.save(edit.alarm(due: due))
    let saved = Lab.now
    // A file may have lost an alarm for a moment only.
    let kept = edit == .deleted ? 30.0 : 0
    let silence = try desk.lab.recorder.waitForSilence(after: saved + max(0, kept - 1), within: 45)
    #expect(silence - saved - kept < 1.2)
    #expect(try desk.waitForClosing(of: posted) == 3)
    #expect(try desk.status().ringing.isEmpty)
  }

  @Test
  func `a writer that takes his time silences nothing, and his save is taken when he is done`()
    throws
  {
    let desk = try Desk()
    let due = Second.ahead(3)
    let alarms = Desk.alarm("work", at: due, #"label = "Work""#)
    let nap = Desk.alarm("nap", at: due, #"label = "Nap""#)
    let far = Desk.alarm("far", at: Second(epoch: due.epoch + 3600))
    try desk.save(alarms, nap, far)
    try desk.startAgent()
    try desk.waitForStatus("both to ring") { $0.ringing.count == 2 }
    try desk.belfry("snooze nap 10m")
    try desk.belfry("skip far")
    let before = try desk.status()
    // As `curl URL >config.toml` and `gpg -d FILE >config.toml` do.
    let text = Desk.defaults + alarms + nap + far + Desk.alarm("new", at: .ahead(7200))
    let began = Lab.now
    let writer = try desk.lab.start(
      "sh",
      arguments: ["-c", #"(sleep 2.5; printf %s "$1") >.config/belfry/config.toml"#, "sh", text])
    try desk.waitForStatus("the new alarm") { $0.state("new") == "scheduled" }
    #expect(Lab.now - began > 2.5)
    try writer.waitForExit()
    let after = try desk.status()
    for id in ["work", "nap", "far"] { #expect(after.state(id) == before.state(id)) }
    #expect(try desk.belfry("list").output.contains("skipped"))
    try desk.lab.recorder.waitForSound(after: began + 2)
  }

  @Test func `an agent that starts while the config is written reads it then`() throws {
    let desk = try Desk(Lab(.bus))
    let text = Desk.defaults + Desk.alarm("work", at: .ahead(3600))
    let writer = try desk.lab.start(
      "sh",
      arguments: [
        "-c",
        """
        mkfifo go; exec >.config/belfry/config.toml; echo open >&2; read -r _ <go; printf %s "$1"
        """,
        "sh", text,
      ])
    try writer.waitForErrors("open")
    try desk.startAgent()
    let before = try desk.status()
    #expect(before.alarms.isEmpty && before.agent.problems.isEmpty)
    try desk.lab.run("sh", "-c", "echo >go")
    try desk.waitForStatus("the alarm") { $0.state("work") == "scheduled" }
  }

  @Test func `with another label it rings on, under that`() throws {
    let desk = try Desk()
    let due = Second.ahead(2)
    try desk.save(Desk.alarm("work", at: due, #"label = "Work""#))
    try desk.startAgent()
    let posted = try desk.waitForNotification("Work")
    try desk.save(Desk.alarm("work", at: due, #"label = "Play""#))
    let saved = Lab.now
    let renamed = try desk.waitForNotification("Play")
    #expect(renamed.id == posted.id)
    try desk.lab.recorder.waitForSound(after: saved + 0.5)
    #expect(try desk.status().ringing.map(\.label) == ["Play"])
    #expect(try desk.lab.recorder.waitForSound(after: posted.time + 0.2) < posted.time + 0.25)
  }

  @Test func `a save with a mistake is told, costs nothing, and is forgotten when it is right`()
    throws
  {
    let desk = try Desk()
    let due = Second.ahead(3)
    let good = Desk.alarm("work", at: due, #"label = "Work""#)
    try desk.save(good)
    try desk.startAgent()
    try desk.saveText("[[alarm]]\ntime = 07:30\nlabel = \"Wor\n")
    let problem = try desk.waitForNotification("There is an error in your alarm settings")
    #expect(
      problem.body == """
        config.toml:3:9: this text has no closing quotation mark.
        text in quotes ends in its line.
        Your previous alarms still apply.
        """)
    #expect(problem.buttons == ["open-config: Open config"])
    #expect(problem.timeout == 0)
    #expect(try desk.status().agent.problems.count == 1)

    // The alarm from before the mistake is still in force.
    #expect(isOnSecond(try desk.lab.recorder.waitForSound(after: due.epoch - 2), due.epoch))
    _ = try desk.waitForNotification("Work")
    try desk.save(good)
    #expect(try desk.waitForClosing(of: problem) == 3)
    #expect(try desk.status().agent.problems.isEmpty)
    #expect(try desk.status().ringing.map(\.id) == ["work"])
  }

  @Test func `one bad alarm among good ones is told, and the good ones ring`() throws {
    let desk = try Desk()
    let due = Second.ahead(3)
    try desk.saveText(
      "[[alarm]]\nlabel = \"Bad\"\ntime = 07:30\ndays = [\"mondy\"]\n\n"
        + Desk.defaults + Desk.alarm("work", at: due, #"label = "Work""#)
        + Desk.alarm("tea", at: due, #"label = "Tea""#, "volume = 101"))
    try desk.startAgent()
    let problem = try desk.waitForNotification("There is an error in your alarm settings")
    #expect(
      problem.body == """
        config.toml:4:9: no weekday is called "mondy".
        did you mean "monday"?
        1 more: “belfry config check”.
        What is wrong there does not apply.
        """)
    #expect(isOnSecond(try desk.waitForNotification("Work").time, due.epoch))
    #expect(isOnSecond(try desk.lab.recorder.waitForSound(after: due.epoch - 2), due.epoch))
    #expect(try desk.status().alarms.map(\.id) == ["work"])
  }
}

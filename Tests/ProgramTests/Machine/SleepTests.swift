// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the agent on a machine that goes to sleep or is shut down, as announced by a simulated
// login manager. `SuspendTests.swift` tests real sleep.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct SleepTests {
  private static let delay = "delay sleep:shutdown"
  private static let ringing = "block sleep:idle:handle-lid-switch"
  private static let vigil = "block sleep:handle-lid-switch"

  @Test func `the agent delays a sleep while alarms are set, and prevents it during a ring`() throws
  {
    let desk = try Desk(Lab(.notifications, .sound, .system))
    try desk.saveText("")
    try desk.startAgent()
    #expect(try desk.lab.locks() == [])
    func save(_ due: Second) throws {
      // With a longer `wake_ahead`, the agent would keep the machine awake before the ring.
      try desk.saveText(
        "[agent]\nwake_ahead = \"1s\"\n" + Desk.defaults
          + Desk.alarm("work", at: due, #"label = "Work""#))
    }
    try save(.ahead(3600))
    try desk.lab.waitForLocks("the delay alone") { $0 == [Self.delay] }
    try save(.ahead(2))
    _ = try desk.waitForNotification("Work")
    try desk.lab.waitForLocks("the machine kept awake") { $0 == [Self.delay, Self.ringing] }
    _ = try desk.belfry("snooze work 10m")
    try desk.lab.waitForLocks("sleep allowed while snoozed") { $0 == [Self.delay] }
    _ = try desk.belfry("stop work")
    try desk.lab.waitForLocks("nothing held when all is over") { $0.isEmpty }
  }

  @Test func `the agent delays a sleep in which an alarm would be missed, and shows a warning`()
    throws
  {
    let desk = try Desk(Lab(.notifications, .sound, .system))
    let due = Second.ahead(3600)
    try desk.save(Desk.alarm("work", at: due, #"label = "Work""#, "wake = false"))
    try desk.startAgent()
    try desk.lab.waitForLocks("the delay") { $0 == [Self.delay] }

    try desk.lab.announce("sleep", true)
    let warning = try desk.waitForNotification("Work")
    #expect(
      warning.body == "Will not ring at \(due.shown) while the computer is asleep.\n"
        + "This alarm does not wake it.")
    #expect(warning.buttons == ["keep-awake: Keep awake"])
    try desk.lab.waitForLocks("the sleep let go") { $0.isEmpty }
    try desk.lab.announce("sleep", false)
    try desk.lab.waitForLocks("the delay, again") { $0 == [Self.delay] }

    let pressed = try desk.lab.press("keep-awake", on: warning).time
    try desk.lab.waitForLocks("the machine kept awake") { $0 == [Self.delay, Self.vigil] }
    let vigil = try desk.waitForNotification("Work", since: pressed)
    #expect(vigil.body == "The computer stays awake until this has rung at \(due.shown).")
    #expect(vigil.buttons == ["let-sleep: Let the computer sleep"])
    // If the user suspends the machine in spite of the warning, the agent does not warn a second
    // time.
    let insisted = Lab.now
    try desk.lab.announce("sleep", true)
    try desk.lab.waitForLocks("the sleep let go") { $0 == [Self.vigil] }
    try desk.lab.announce("sleep", false)
    try desk.lab.waitForLocks("the delay, again") { $0 == [Self.delay, Self.vigil] }
    #expect(desk.lab.busWatch.notifications(since: insisted).isEmpty)

    _ = try desk.belfry("skip work")
    try desk.lab.waitForLocks("the machine let go with the alarm") { $0.isEmpty }
    #expect(try desk.waitForClosing(of: vigil) == 3)
  }

  @Test func `after a sleep, the notification of a ringing alarm is shown again`() throws {
    let desk = try Desk(Lab(.notifications, .sound, .system))
    try desk.startAgent()
    try desk.save(Desk.alarm("work", at: Second.ahead(2), #"label = "Work""#))
    let first = try desk.waitForNotification("Work")
    try desk.lab.announce("sleep", true)
    try desk.lab.waitForLocks("the sleep let go") { $0 == [Self.ringing] }
    let woken = Lab.now
    try desk.lab.announce("sleep", false)
    let again = try desk.waitForNotification("Work", since: woken)
    #expect(again.body == first.body)
    try desk.lab.waitForLocks("both, again") { $0 == [Self.delay, Self.ringing] }
  }

  @Test func `a lock that is refused because a sleep is under way is taken once the sleep ends`()
    throws
  {
    let desk = try Desk(Lab(.notifications, .sound, .system))
    try desk.saveText(
      "[agent]\nwake_ahead = \"1s\"\n" + Desk.defaults
        + Desk.alarm("work", at: Second.ahead(8), #"label = "Work""#, "wake = false"))
    try desk.startAgent()
    try desk.lab.waitForLocks("the delay") { $0 == [Self.delay] }
    try desk.lab.announce("sleep", true)
    // The user presses the button while the machine is about to sleep. Then the alarm rings.
    try desk.lab.press("keep-awake", on: desk.waitForNotification("Work"))
    try desk.waitForStatus("it to ring") { $0.state("work") == "ringing" }
    try desk.lab.waitForLocks("the lock that is not against sleep") { $0 == ["block idle"] }
    try desk.lab.announce("sleep", false)
    try desk.lab.waitForLocks("all locks") { $0 == [Self.delay, Self.ringing, Self.vigil] }
  }

  @Test func `before a ring, the machine is kept awake as early as wake_ahead says`() throws {
    let desk = try Desk(Lab(.bus, .system))
    let due = Second.ahead(12)
    try desk.saveText(
      "[agent]\nwake_ahead = \"8s\"\n" + Desk.defaults
        + Desk.alarm("work", at: due, "wake = false"))
    try desk.startAgent()
    try desk.lab.waitForLocks("the machine kept awake") { $0.contains(Self.ringing) }
    #expect(due.epoch - Lab.now > 3)
  }

  @Test func `after a restart of the system bus, the agent delays a sleep again`() throws {
    let desk = try Desk(Lab(.bus, .system))
    try desk.save(Desk.alarm("work", at: .ahead(3600)))
    try desk.startAgent()
    try desk.lab.waitForLocks("the delay") { $0 == [Self.delay] }
    try desk.lab.restartSystemBus()
    try desk.lab.waitForLocks("the delay, again") { $0 == [Self.delay] }
  }

  @Test func `the agent delays a shutdown until its state is on the disk`() throws {
    let desk = try Desk(Lab(.notifications, .system))
    try desk.save(Desk.alarm("work", at: Second.ahead(3600)))
    try desk.startAgent()
    try desk.lab.waitForLocks("the delay") { $0 == [Self.delay] }
    let state = desk.lab.home.appendingPathComponent(".local/state/belfry/state.toml")
    try desk.wait("the state on disk") { FileManager.default.fileExists(atPath: state.path) }
    try FileManager.default.removeItem(at: state)
    try desk.lab.announce("shutdown", true)
    try desk.lab.waitForLocks("the shutdown let go") { $0.isEmpty }
    #expect(try String(contentsOf: state, encoding: .utf8).contains("work"))
  }
  @Test func `a timer that runs only while the screen is unlocked waits, even in a new agent`()
    throws
  {
    let desk = try Desk(Lab(.notifications, .sound, .system))
    try desk.saveText(
      Desk.defaults + """
        [[timer]]
        name = "focus"
        duration = "20m"
        while = "unlocked"

        """)
    let agent = try desk.startAgent()
    func wait(for state: String) throws {
      try desk.wait("the timer to be \(state)") { try desk.timer("focus").state == state }
    }
    try desk.belfry("timer focus")
    try desk.lab.lockScreen(true)
    try wait(for: "paused")
    let told = "20 min left of 20 min"
    _ = try desk.lab.busWatch.waitForNotification {
      $0.text == "Paused while the screen is locked, \(told)."
    }
    #expect(
      try desk.belfry("timer").output.contains("paused while the screen is locked, \(told)"))
    #expect(try desk.belfry("status --json").output.contains(#""reason": "locked""#))
    #expect(try desk.belfry("status").output.contains("20 min left, the screen is locked"))
    try desk.crash(agent)
    try desk.startAgent()
    desk.wait(until: Lab.now + 1)
    #expect(try desk.timer("focus").state == "paused")
    try desk.lab.lockScreen(false)
    try wait(for: "running")

    try desk.lab.announce("sleep", true)
    try wait(for: "paused")
    try desk.lab.announce("sleep", false)
    try wait(for: "running")
    // A screen locker such as light-locker shows the session of the login screen.
    try desk.lab.showSession(false)
    try wait(for: "paused")
    try desk.lab.showSession(true)
    try wait(for: "running")
    try desk.lab.showSession(false)
    try wait(for: "paused")
    try desk.lab.logInAgain()
    try wait(for: "running")
    // The screen savers of these desktops do not report a lock to the login manager.
    for saver in ["xfce", "mate", "cinnamon"].map({ "org.\($0).ScreenSaver" }) {
      let path = "/" + saver.replacing(".", with: "/")
      _ = try desk.lab.start("/usr/bin/python3", arguments: ["-m", "dbusmock", saver, path, saver])
      func saveScreen(_ isActive: Bool) throws {
        try desk.wait("the screen saver") {
          try desk.lab.run(
            "gdbus", "call", "--session", "--dest", saver, "--object-path", path,
            "--method", "org.freedesktop.DBus.Mock.EmitSignal", saver, "ActiveChanged", "b",
            "[<\(isActive)>]"
          ).status == 0
        }
      }
      try saveScreen(true)
      try wait(for: "paused")
      try saveScreen(false)
      try wait(for: "running")
    }

    try desk.belfry("timer pause focus")
    let left = try desk.timer("focus").left
    try desk.lab.lockScreen(true)
    try desk.lab.lockScreen(false)
    desk.wait(until: Lab.now + 1)
    #expect(try desk.timer("focus").state == "paused")
    #expect(left > 1200 - 60)
    #expect(try desk.timer("focus").left == left)
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that a program on the session bus cannot delay a ring. Each test lets such a program do its
// worst while an alarm becomes due. `BusInputTests.swift` tests wrong calls.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct HostileBusTests {
  /// The size of each message of a hostile program.
  private static let large = "20000000"

  private static func path(_ script: String) -> String {
    Lab.repository.appendingPathComponent("Tests/Lab/\(script)").path
  }

  @Test func `a media player that sends 20 MB in each message does not delay a ring or Stop`()
    throws
  {
    let desk = try Desk(Lab(.notifications, .sound))
    let player = try desk.lab.start(
      "/usr/bin/python3",
      arguments: [Self.path("media-player.py"), "large", "Playing", "--large", Self.large])
    try player.waitForOutput("ready")
    let due = Second.ahead(6)
    try desk.save(Desk.alarm("work", at: due, #"label = "Work""#))
    let agent = try desk.startAgent()
    #expect(isOnSecond(try desk.waitForNotification("Work").time, due.epoch))
    // The agent asks the player for its status when the ring begins.
    try agent.waitForErrors("its messages of more than 65536 bytes are ignored")
    let stopped = Lab.now
    try desk.belfry("stop work")
    #expect(Lab.now - stopped < 2)
  }

  /// Bursts of calls, as `bus-burst.py` takes them.
  private static let bursts = [
    ["SearchCities", "500", "('a', uint32 1000)"],
    ["--callers", "50", "Status", "10", "()"],
    // This caller leaves the bus without waiting for the answers.
    ["--leave", "History", "300", "(uint32 10000,)"],
  ]

  /// Expects the alarm `work` to be shown and heard on time, and stops it within two seconds.
  private func expectRing(at due: Second, on desk: Desk, _ situation: String) throws {
    let notified = try desk.waitForNotification("Work", since: due.epoch - 1).time
    #expect(isOnSecond(notified, due.epoch), "\(situation): \(notified - due.epoch) s late")
    let heard = try desk.lab.recorder.waitForSound(after: due.epoch - 1)
    #expect(isOnSecond(heard, due.epoch), "\(situation): \(heard - due.epoch) s late")
    let stopped = Lab.now
    try desk.belfry("stop work")
    #expect(Lab.now - stopped < 2, "\(situation)")
  }

  @Test func `a burst of calls by other programs does not delay a ring or Stop`() throws {
    let desk = try Desk(Lab(.notifications, .sound))
    try desk.save()
    try desk.makeLongHistory()
    let agent = try desk.startAgent()
    for burst in Self.bursts {
      let due = Second.ahead(6)
      try desk.save(Desk.alarm("work", at: due, #"label = "Work""#))
      desk.wait(until: due.epoch - 3)
      let caller = try desk.lab.start(
        "/usr/bin/python3", arguments: [Self.path("bus-burst.py")] + burst)
      try caller.waitForOutput("sent")
      #expect(Burden(of: agent.pid).threads.count < 20, "\(burst)")
      try expectRing(at: due, on: desk, "\(burst)")
      if burst == Self.bursts[0] {
        try caller.waitForExit()
        let counts = "answered 32\norg.freedesktop.DBus.Error.LimitsExceeded 468\n"
        #expect(caller.output.hasSuffix(counts), "\(caller.output)")
      }
    }
    try agent.waitForErrors("calls too often: some of its calls are refused")
  }

  private static let services = [
    "ScreenSaver", "gnome.Mutter.IdleMonitor", "gnome.ScreenSaver", "xfce.ScreenSaver",
    "mate.ScreenSaver", "systemd1", "mpris.MediaPlayer2.odd", "kde.StatusNotifierWatcher",
  ].map { ["ScreenSaver", "systemd1"].contains($0) ? "org.freedesktop.\($0)" : "org.\($0)" }

  @Test(
    "services of the desktop and the system that answer nonsense or nothing delay no ring",
    arguments: [[], ["--silent"]])
  func oddServices(options: [String]) throws {
    let desk = try Desk(Lab(.notifications, .sound))
    try desk.lab.startEmptySystemBus()
    let system = ["login1", "timedate1", "systemd1"].map { "org.freedesktop.\($0)" }
    for names in [["--system"] + system, Self.services] {
      let service = try desk.lab.start(
        "/usr/bin/python3", arguments: [Self.path("odd-service.py")] + options + names)
      try service.waitForOutput("ready")
    }
    let preset = "[[timer]]\nname = \"tea\"\nduration = \"1h\"\nwhile = \"unlocked\"\n"
    try desk.save(preset)
    try desk.startAgent()
    try desk.belfry("timer tea")
    for round in 0..<3 {
      let due = Second.ahead(5)
      try desk.save(
        preset, Desk.alarm("work", at: due, #"label = "Work""#, #"check = "2s""#))
      try expectRing(at: due, on: desk, "\(round)")
      desk.wait(until: Lab.now + 3)
    }
    // The doctor reports what it cannot find out, and ends.
    let doctor = try desk.belfry("doctor --json")
    #expect(doctor.output.contains("\"heard\": true"), "\(doctor)")
    #expect(try desk.status().timers.map(\.id) == ["tea"])
  }

  @Test func `the agent does not answer questions of a caller that has left the bus`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.save()
    try desk.startAgent()
    let caller = try desk.lab.start(
      "/usr/bin/python3",
      arguments: [Self.path("bus-burst.py"), "--leave", "--callers", "10"]
        + ["SearchCities", "32", "('a', uint32 1000)"])
    try caller.waitForExit()
    let asked = Lab.now
    _ = try desk.call("SearchCities", "seoul", "1")
    // Without this rule, the 256 searches before take 3 seconds in a release, and a minute in a
    // debug build.
    #expect(Lab.now - asked < 2)
  }
}

extension Desk {
  /// Writes a history of the greatest length that is kept, with long labels.
  fileprivate func makeLongHistory() throws {
    let label = String(repeating: "long label ", count: 80)
    let line =
      #"{"id":"old","label":"\#(label)","due_epoch":1767425400,"rang_epoch":1767425400,"#
      + #""answer":"stopped","answered_epoch":1767425460}"#
    let text = String(repeating: line + "\n", count: (4 << 20) / (line.utf8.count + 1))
    let folder = lab.home.appendingPathComponent(".local/state/belfry")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try text.write(
      to: folder.appendingPathComponent("history.jsonl"), atomically: true, encoding: .utf8)
  }
}

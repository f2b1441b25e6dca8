// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests notifications with a server that misbehaves in a chosen way, and without any server. Next:
// ServerMannersTests.swift, for servers with a known name.

import Bus
import Foundation
import Lab
import Scheduling
import System
import Testing

@testable import Notifications

extension NotifierTests {
  /// Runs `work` with notification-server.py instead of dunst.
  func withServer(
    _ options: String..., work: (Notifier) throws -> Void
  ) throws {
    let server = try lab.startUnrulyServer(options)
    let notifier = notifier()
    defer {
      notifier.shutdown(within: .seconds(5))
      server.kill()
      _ = try? server.waitForExit()  // A killed server exits.
    }
    try work(notifier)
  }

  private func stopDunst() throws {
    if lab.notificationServer.isRunning { try lab.stopNotificationServer() }
  }

  @Test func `for a server that reads markup, the body is escaped and the title is not`() throws {
    try withServer { notifier in
      var notice = ringing
      notice.title = "<Work>"
      notifier.post(notice, as: "ring")
      let posted = try shown(1)[0]
      #expect(posted.title == "<Work>")
      #expect(posted.body == "07:30 &amp; &lt;late&gt;")
    }
  }

  @Test func `stored numbers of another server, and lines that make no sense, are ignored`() throws
  {
    let memory = lab.home.appendingPathComponent("notifications")
    for text in [":1.1 another\n1 ring\n", "\u{0}\n\n1 ring\n", "", "1 ring"] {
      let begun = Lab.now
      try text.write(to: memory, atomically: true, encoding: .utf8)
      let server = try lab.startUnrulyServer([])
      let notifier = notifier(memory: memory.path)
      notifier.post(ringing, as: "ring")
      let posted = { lab.busWatch.notifications(since: begun) }
      try #require(wait { !posted().isEmpty })
      #expect(posted()[0].replaces == 0)
      let isKept = wait {
        FileManager.default.contents(atPath: memory.path)?.suffix(7) == Data("1 ring\n".utf8)
      }
      #expect(isKept)
      notifier.shutdown(within: .seconds(5))
      server.kill()
      try server.waitForExit()
    }
  }

  /// Ends a server that the bus has started.
  private func quit() throws {
    let before = Lab.now
    try lab.tellUnrulyServer("Quit")
    try lab.busWatch.waitForMessage("the end of the server", since: before) {
      $0.member == "NameOwnerChanged"
        && $0.body.first == .string("org.freedesktop.Notifications") && $0.body.last == .string("")
    }
  }

  /// Runs `work` with a server that the bus starts by `command`.
  private func activating(_ command: String, work: () throws -> Void) throws {
    let service = lab.activationFolder.appendingPathComponent("notifications.service")
    let text = "[D-BUS Service]\nName=org.freedesktop.Notifications\nExec=\(command)\n"
    try text.write(to: service, atomically: true, encoding: .utf8)
    try reloadServices()
    defer {
      // If this fails, the bus also starts the server in the next test, and that test fails.
      try? FileManager.default.removeItem(at: service)
      try? reloadServices()
    }
    try work()
  }

  private func reloadServices() throws {
    try lab.run(
      "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/",
      "org.freedesktop.DBus.ReloadConfig")
  }

  @Test func `a server that loses a question is asked again`() throws {
    try withServer("--lose") { notifier in
      notifier.post(ringing, as: "ring")
      #expect(wait(within: .seconds(45)) { lab.busWatch.notifications(since: start).count == 1 })
      // libnotify itself asks once in each process, at the first post.
      let asked = lab.busWatch.calls("GetServerInformation", since: start).count
      #expect((2...3).contains(asked))
    }
  }

  /// libnotify waits 25 s for an answer, so this test makes the call itself, and gives it up
  /// sooner.
  @Test func `a notification whose number comes too late is closed`() throws {
    try withServer("--delay", "2") { _ in
      let late = LatePost.shared
      let call: [Variant] = [
        .string("Belfry"), .uint32(0), .string(""), .string("Late"), .string(""), .strings([]),
        .dictionary([:]), .int32(0),
      ]
      var isOver = false
      bus.ask(.notifications, "Notify", call, gives: "u", timeout: .seconds(1)) { answer in
        late.giveUp(replacing: 0)
        isOver = answer.value == nil
      }
      #expect(wait { isOver })
      #expect(wait { !lab.busWatch.calls("CloseNotification", since: start).isEmpty })
      let posted = lab.busWatch.notifications(since: start).first { $0.title == "Late" }
      let number = try #require(posted?.id)
      let closed = lab.busWatch.calls("CloseNotification", since: start).map(\.body)
      #expect(closed == [[.integer(Int64(number))]])
    }
  }

  @Test func `a server that the bus can start is started, and again after it has ended`() throws {
    try stopDunst()
    try activating("/usr/bin/python3 \(Lab.unrulyServer)") {
      let notifier = notifier()
      notifier.post(ringing, as: "ring")
      _ = try shown(1)
      try quit()
      _ = try shown(2)
      notifier.shutdown(within: .seconds(5))
    }
    try quit()
  }

  @Test func `a server that does not start is not started for every post`() throws {
    try stopDunst()
    try activating("/bin/false") {
      let notifier = notifier()
      let begun = Lab.now
      for _ in 0..<20 {
        notifier.post(ringing, as: "ring")
        wait(within: .milliseconds(20)) { false }
      }
      var asked: Int { lab.busWatch.calls("GetServerInformation", since: start).count }
      #expect(wait { asked >= 1 })
      let passed = Lab.now - begun
      try lab.settleBus()
      // The server may be asked again after two seconds: see `ringBackOff`.
      #expect(asked <= 1 + Int(passed / 2))
      notifier.shutdown(within: .seconds(5))
    }
  }
}

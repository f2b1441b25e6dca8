// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes pictures for people to look at: a ring on each notification server, in English and in
// Korean, and Belfry's symbol in panels. The tests only check that the pictures exist. Run them
// with
//
//   BELFRY_PICTURES=FOLDER swift test --filter PictureTests

import Foundation
import Lab
import Testing

private let folder = ProcessInfo.processInfo.environment["BELFRY_PICTURES"]

@Suite(.enabled(if: folder != nil), .serialized) struct PictureTests {
  /// Returns a desk on which Belfry's icons are installed.
  private func desk(_ lab: Lab) throws -> Desk {
    let icons = lab.home.appendingPathComponent(".local/share/icons/hicolor")
    for (icon, folder) in [
      ("org.belfry.Belfry.svg", "scalable/apps"),
      ("org.belfry.Belfry-symbolic.svg", "symbolic/apps"),
    ] {
      let folder = icons.appendingPathComponent(folder)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        at: folder.appendingPathComponent(icon),
        withDestinationURL: Lab.repository.appendingPathComponent("desktop/session/icons/\(icon)"))
    }
    return try Desk(lab)
  }

  private func take(_ name: String, of desk: Desk, cut: Bool = true) throws {
    // The notification server may still be drawing.
    Thread.sleep(forTimeInterval: 1)
    let path = try #require(folder) + "/\(name).png"
    let isWayland = desk.lab.environment["WAYLAND_DISPLAY"] != nil
    _ =
      try isWayland
      ? desk.lab.run("grim", path) : desk.lab.run("import", "-window", "root", path)
    if cut { try desk.lab.run("mogrify", "-trim", "+repage", path) }
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test(arguments: Lab.NotificationServerKind.allCases.filter(\.isInstalled), ["Work", "출근"])
  func `a picture is made of a ring on each notification server`(
    kind: Lab.NotificationServerKind, label: String
  ) throws {
    let desk = try desk(Lab(.notificationsBy(kind), .sound))
    try desk.saveText(
      Desk.defaults
        + Desk.alarm("work", at: Second.ahead(2), "label = '\(label)'", #"snooze = ["5m", "10m"]"#))
    try desk.startAgent()
    _ = try desk.waitForNotification(label)
    try desk.waitForShown(1)
    try take("\(kind)-\(label == "Work" ? "en" : "ko")", of: desk)
  }

  /// Cuts a screenshot to the part in `corner`, to the size that the metainfo file requires.
  private func cut(_ name: String, from corner: String) throws {
    // Use mogrify(1) of this machine. If the desktop runs in an unpacked Debian of another release,
    // that Debian does not contain mogrify.
    try Lab().run(
      "mogrify", "-gravity", corner, "-crop", "800x450+0+0", "+repage", "-strip",
      try #require(folder) + "/\(name).png")
  }

  /// Gives the Lab a time zone in which it is 07:30 at the first full minute after `seconds`, and
  /// returns that moment.
  private func halfPastSeven(_ lab: Lab, after seconds: Double = 3) throws -> Epoch {
    let due = ((Lab.now + seconds) / 60).rounded(.up) * 60
    let offset = (450 - Int(due) / 60 % 1440 + 1440 + 720) % 1440 - 720
    let zone = lab.home.appendingPathComponent("zone")
    let sign = offset < 0 ? "-" : ""
    try "Zone Here \(sign)\(abs(offset) / 60):\(abs(offset) % 60) - HERE\n".write(
      to: zone, atomically: true, encoding: .utf8)
    try lab.run("zic", "-d", lab.home.path + "/zones", zone.path)
    lab.setVariable("TZDIR", lab.home.path + "/zones")
    lab.setVariable("TZ", "Here")
    return due
  }

  /// Makes `desktop/pictures/gnome-*.png`, and a picture of the whole screen, `gnome-VERSION.png`.
  /// Takes six minutes for each system.
  @Test(arguments: LabSystem.allCases)
  func `the pictures of GNOME Shell for the README are made`(system: LabSystem) throws {
    let lab = try Lab(.gnomeShell, .sound, in: system)
    let (desk, shell) = (try Desk(lab), lab.shell)
    let version = try shell.majorVersion()
    let pictures = URL(fileURLWithPath: try #require(folder))
    func take(_ name: String, showing words: String) throws {
      try shell.waitForBanner(words)
      // GNOME Shell may still be drawing.
      Thread.sleep(forTimeInterval: 1)
      try shell.pictureOfBanner(
        to: pictures.appendingPathComponent("gnome-\(version)-\(name).png"))
    }
    let due = try halfPastSeven(lab, after: 40)
    // Restart GNOME Shell, so that it gets the new time zone, too.
    try shell.crash()
    try shell.start()
    try desk.saveText(
      """
      [defaults]
      upcoming = "0s"

      [[alarm]]
      time = 07:30
      label = "출근 · Work"
      snooze = ["5m", "10m"]

      """)
    try desk.startAgent()
    desk.wait(until: due)
    try take("ring", showing: "Stop")
    try shell.screenshot(to: pictures.appendingPathComponent("gnome-\(version).png"))
    try cut("gnome-\(version)", from: "north")
    try shell.pressInBanner("Stop")
    desk.wait(until: due + 60)
    try desk.belfry(["timer", "4m", "--label", "Tea"])
    try shell.pressInList("Tea")
    try shell.openList(false)
    try take("timer", showing: "Pause")
    desk.wait(until: due + 300)
    try take("finished", showing: "Restart")
  }

  @Test(arguments: Lab.NotificationServerKind.allCases.filter(\.isInstalled))
  func `a picture is made of a running timer on each notification server`(
    kind: Lab.NotificationServerKind
  ) throws {
    let desk = try desk(Lab(.notificationsBy(kind), .sound))
    try desk.save()
    try desk.startAgent()
    try desk.belfry("timer 90m --label Tea")
    try desk.waitForShown(1)
    try take("\(kind)-timer", of: desk)
  }

  /// Makes `desktop/pictures/plasma-*.png`, and a picture of the whole screen as `plasma.png`.
  @Test func `the pictures of Plasma for the README are made`() throws {
    let desk = try desk(Lab(.notificationsBy(.plasma), .sound))
    func take(_ name: String) throws {
      try desk.waitForShown(1)
      Thread.sleep(forTimeInterval: 1)
      try desk.lab.pictureOfBubble(
        to: URL(fileURLWithPath: try #require(folder)).appendingPathComponent("plasma-\(name).png"))
    }
    let due = try halfPastSeven(desk.lab, after: 40)
    try desk.lab.restartNotificationServer()
    try desk.saveText(
      """
      [defaults]
      sound = "~/low.wav"
      upcoming = "0s"

      [[alarm]]
      id = "work"
      time = 07:30
      label = "출근 · Work"
      snooze = ["5m", "10m"]

      """)
    try desk.startAgent()
    let posted = try desk.lab.busWatch.waitForNotification(within: 110) {
      $0.hints["urgency"] == .integer(2)
    }
    try take("ring")
    try self.take("plasma", of: desk, cut: false)
    try cut("plasma", from: "southeast")
    try desk.lab.press("stop", on: posted)
    try desk.waitForShown(0)
    try desk.belfry("timer 4m --label Tea")
    Thread.sleep(forTimeInterval: 65)
    try take("timer")
    try desk.belfry("timer cancel")
    try desk.waitForShown(0)
    try desk.belfry("timer 4s --label Tea")
    _ = try desk.lab.busWatch.waitForNotification(since: due + 3) {
      $0.title == "Tea" && $0.hints["urgency"] == .integer(2)
    }
    try take("finished")
  }

  @Test func `a picture is made of the symbol in Xfce's panel with its menu`() throws {
    let desk = try desk(Lab(.notificationsBy(.xfce), .sound))
    try desk.lab.startPanel()
    try desk.save(Desk.alarm("work", at: Second.ahead(4), "label = '출근'"))
    try desk.startAgent()
    try desk.belfry("timer 90m --label Tea")
    _ = try desk.waitForNotification("출근")
    Thread.sleep(forTimeInterval: 1)
    try desk.lab.run("xdotool", "mousemove", "1264", "16", "sleep", "0.2", "click", "3")
    try take("xfce-panel", of: desk, cut: false)
  }

  @Test(arguments: ["symbol", "sample"])
  func `pictures are made of waybar with the symbol and with the sample config`(what: String) throws
  {
    let desk = try desk(Lab(.notificationsBy(.mako), .sound))
    let configuration = desk.lab.home.appendingPathComponent("waybar.jsonc")
    let sample = try String(
      contentsOf: Lab.repository.appendingPathComponent("desktop/samples/bars/waybar.jsonc"),
      encoding: .utf8)
    try (what == "sample" ? sample : #"{ "modules-right": ["tray"], "height": 30 }"#).write(
      to: configuration, atomically: true, encoding: .utf8)
    _ = try desk.lab.start("waybar", arguments: ["--config", configuration.path])
    try desk.save(Desk.alarm("work", at: Second.ahead(4), "label = '출근 & <b>'"))
    try desk.startAgent()
    try desk.belfry("timer 90m --label Tea")
    try take("waybar-\(what)", of: desk, cut: false)
    _ = try desk.waitForNotification("출근 & <b>")
    try take("waybar-\(what)-ringing", of: desk, cut: false)
  }
}

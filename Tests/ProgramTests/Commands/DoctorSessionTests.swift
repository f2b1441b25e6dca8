// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests what `belfry doctor` reports about the session: which program shows notifications, which
// program keeps the clock, and what starts the agent at login.

import Foundation
import Lab
import Testing

extension DoctorTests {
  @Test func `belfry doctor warns of paused notifications and of a clock that is not synchronised`()
    throws
  {
    let desk = try Desk(Lab(.notifications, .sound, .system))
    try desk.saveText(Self.alarm)
    try desk.startAgent(environment: ["TZ": "UTC"])
    try desk.lab.run(
      "gdbus", "call", "--session", "--dest", "org.freedesktop.Notifications", "--object-path",
      "/org/freedesktop/Notifications", "--method", "org.freedesktop.DBus.Properties.Set",
      "org.dunstproject.cmd0", "paused", "<true>")
    try desk.lab.run(
      "gdbus", "call", "--system", "--dest", "org.freedesktop.timedate1", "--object-path",
      "/org/freedesktop/timedate1", "--method", "org.freedesktop.timedate1.SetNTP", "false", "false"
    )
    let found = try desk.diagnosis()
    #expect(found.heard)
    expect(
      found["do-not-disturb"], "warning",
      "on: an alarm still sounds, but its notification may be delayed", "dunstctl set-paused false")
    expect(
      found["clock"], "warning",
      "not synchronised: if the clock is wrong, alarms ring at the wrong time",
      "sudo timedatectl set-ntp true")
    try desk.lab.stopNotificationServer()
    expect(
      try desk.diagnosis()["notifications"], "warning",
      "none: an alarm sounds all the same; answer with belfry stop and belfry snooze",
      "start a notification server, such as dunst")
  }

  @Test
  func `belfry doctor knows that GNOME and Plasma show a ring unless they block all of Belfry`()
    throws
  {
    let desk = try Desk(Lab(.notifications, .sound))
    desk.lab.setVariable("GSETTINGS_BACKEND", "keyfile")
    try desk.saveText(Self.alarm)
    try desk.startAgent(environment: ["TZ": "UTC"])
    let gnome = try desk.lab.startUnrulyServer(["--name", "gnome-shell"])
    let schema = "org.gnome.desktop.notifications"
    try desk.lab.run("gsettings", "set", schema, "show-banners", "false")
    let quiet = try desk.diagnosis()
    expect(quiet["do-not-disturb"], "ok", "on, but the notification of a ring is shown anyway")
    expect(
      quiet["notifications"], "ok", "gnome-shell 1, with buttons; closing one stops the alarm")
    let path = "/org/gnome/desktop/notifications/application/org-belfry-belfry/"
    try desk.lab.run("gsettings", "set", "\(schema).application:\(path)", "enable", "false")
    let off = try desk.diagnosis()["notifications"]
    expect(
      off, "error", "gnome-shell 1 shows no notifications of Belfry: they are switched off",
      "gsettings set \(schema).application:\(path) enable true")
    // The command that the doctor suggests fixes the problem.
    try desk.lab.run("sh", "-c", try #require(off?.fix))
    #expect(try desk.diagnosis()["notifications"]?.state == "ok")

    try desk.lab.tellUnrulyServer("Quit")
    // The stand-in for GNOME Shell ends now. The next server could not start while another one has
    // the bus name.
    try gnome.waitForExit()
    let options = ["--name", "Plasma", "--inhibited"]
    _ = try desk.lab.start("/usr/bin/python3", arguments: [Lab.unrulyServer] + options)
      .waitForOutput("ready")
    let settings = desk.lab.home.appendingPathComponent(".config/plasmanotifyrc")
    try "[Applications][org.belfry.Belfry]\nSeen=true\n\n[Applications][other]\nShowPopups=false\n"
      .write(to: settings, atomically: true, encoding: .utf8)
    #expect(try desk.diagnosis()["notifications"]?.state == "ok")
    try "[Applications][org.belfry.Belfry]\nSeen=true\nShowPopups=false\n".write(
      to: settings, atomically: true, encoding: .utf8)
    let hidden = try desk.diagnosis()
    expect(hidden["do-not-disturb"], "ok", "on, but the notification of a ring is shown anyway")
    let found = hidden["notifications"]
    #expect(found?.state == "error" && found?.fix?.hasPrefix("kwriteconfig6 ") == true)
    try "[Notifications]\nCriticalInDndMode=false\n".write(
      to: settings, atomically: true, encoding: .utf8)
    expect(
      try desk.diagnosis()["do-not-disturb"], "warning",
      "on: an alarm still sounds, but its notification may be delayed")
  }

  @Test func `belfry doctor finds what starts the agent at login`() throws {
    let desk = try Desk(Lab(.bus))
    let none = try desk.diagnosis()["autostart"]
    #expect(none?.state == "warning" && none?.message == "nothing starts the agent at login")
    // The command that the doctor suggests fixes the problem.
    let mend = try #require(none?.fix)
    #expect(try desk.lab.run("sh", "-c", mend).status == 0)
    let file = desk.lab.home.path + "/.config/autostart/belfryd.desktop"
    let unknown = try desk.diagnosis()["autostart"]
    #expect(unknown?.state == "unknown" && unknown?.fix?.hasSuffix("/belfryd --start") == true)
    desk.lab.setVariable("XDG_CURRENT_DESKTOP", "ubuntu:GNOME")
    expect(
      try desk.diagnosis()["autostart"], "ok", "the desktop starts it at login: \(file)")
    // Of dwm, it is not known whether something reads that file.
    desk.lab.setVariable("XDG_CURRENT_DESKTOP", "dwm")
    #expect(try desk.diagnosis()["autostart"] == unknown)
    // The installed file starts the agent with a script.
    let plain = desk.lab.text(".config/autostart/belfryd.desktop")
    try desk.lab.write(
      plain.replacing("Exec=", with: "Exec=\"/a lib/restart-after-crash\" "),
      to: ".config/autostart/belfryd.desktop")
    #expect(try desk.diagnosis()["autostart"] == unknown)
    // sway does not read that file.
    desk.lab.setVariable("XDG_CURRENT_DESKTOP", "sway")
    let sway = try desk.diagnosis()["autostart"]
    #expect(sway?.state == "warning" && sway?.fix?.hasSuffix("/belfryd --start") == true)
    desk.lab.setVariable("XDG_CURRENT_DESKTOP", "")
    // A file for all users starts the agent at login, but the user has switched that off.
    try desk.lab.write(
      desk.lab.text(".config/autostart/belfryd.desktop"), to: "xdg/autostart/belfryd.desktop")
    desk.lab.setVariable("XDG_CONFIG_DIRS", desk.lab.home.path + "/xdg")
    try "[Desktop Entry]\nHidden=true\n".write(
      toFile: file, atomically: true, encoding: .utf8)
    expect(
      try desk.diagnosis()["autostart"], "warning", "nothing starts the agent at login",
      "rm \(file)")
    desk.lab.setVariable("XDG_CONFIG_DIRS", desk.lab.folder.path + "/xdg")
    // A systemd unit does not help if systemd does not run in this session.
    try desk.makeAutostart()
    let wants = ".config/systemd/user/graphical-session.target.wants"
    try FileManager.default.removeItem(at: desk.lab.home.appendingPathComponent(wants))
    expect(
      try desk.diagnosis()["autostart"], "warning", "nothing starts the agent at login", mend)
    try desk.makeAutostart()
    expect(
      try desk.diagnosis()["autostart"], "unknown",
      "systemd would start it with graphical-session.target, but does not answer in this session",
      "run this in the startup script of the session: \(Lab.programs.path)/belfryd --start")
  }

  @Test(.enabled(if: Lab.canRunUserManager))
  func `belfry doctor warns if systemd would not start the agent's unit in this session`() throws {
    let desk = try Desk(Lab(.userManager))
    try desk.makeAutostart()
    expect(
      try desk.diagnosis()["autostart"], "warning",
      "systemd starts it with graphical-session.target, but this session does not start that",
      "systemctl --user add-wants default.target belfryd.service")
    let folder = desk.lab.home.appendingPathComponent(".config/systemd/user")
    try FileManager.default.removeItem(
      at: folder.appendingPathComponent("graphical-session.target.wants"))
    let enable = "systemctl --user enable --now belfryd.service"
    expect(
      try desk.diagnosis()["autostart"], "warning", "nothing starts the agent at login", enable)
    // Mask the unit with a link to /dev/null, as systemctl(1) does if the unit comes from a
    // package.
    let data = desk.lab.home.appendingPathComponent(".local/share/systemd/user")
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    let unit = folder.appendingPathComponent("belfryd.service")
    try FileManager.default.moveItem(at: unit, to: data.appendingPathComponent("belfryd.service"))
    try FileManager.default.createSymbolicLink(
      atPath: unit.path, withDestinationPath: "/dev/null")
    expect(
      try desk.diagnosis()["autostart"], "warning", "nothing starts the agent at login",
      "systemctl --user unmask belfryd.service && " + enable)
  }
}

extension Desk {
  /// Creates and enables the agent's systemd unit, as systemctl(1) does.
  func makeAutostart() throws {
    let folder = lab.home.appendingPathComponent(".config/systemd/user")
    let wants = folder.appendingPathComponent("graphical-session.target.wants")
    try FileManager.default.createDirectory(at: wants, withIntermediateDirectories: true)
    let unit = folder.appendingPathComponent("belfryd.service")
    try Data("[Unit]\n".utf8).write(to: unit)
    try FileManager.default.createSymbolicLink(
      at: wants.appendingPathComponent("belfryd.service"), withDestinationURL: unit)
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// A library that cannot be loaded: the file that the loader finds first holds nothing, as after an
// upgrade that was cut short. The programs run all the same, and say which it is. Next:
// `SoundFaultTests.swift`, for everything else that may be wrong with the sound.

import Foundation
import Lab
import Testing

extension Desk {
  /// What a program is given to find none of these libraries.
  fileprivate func without(_ libraries: String...) throws -> [String: String] {
    let folder = lab.folder.appendingPathComponent("broken")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for library in libraries { try Data().write(to: folder.appendingPathComponent(library)) }
    let others = lab.environment["LD_LIBRARY_PATH"].map { ":" + $0 } ?? ""
    return ["TZ": "UTC", "LD_LIBRARY_PATH": folder.path + others]
  }

  /// What is said of one.
  fileprivate func trouble(_ library: String) -> String {
    lab.folder.path + "/broken/\(library): file too short"
  }
}

@Suite(.realServers) struct MissingLibraryTests {
  private static let (alsa, sndfile) = ("libasound.so.2", "libsndfile.so.1")

  @Test func `without libasound it is seen on time, and says why it is not heard`() throws {
    let desk = try Desk()
    let due = Second.ahead(3)
    try desk.save(Desk.alarm("work", at: due, #"label = "Work""#))
    try desk.startAgent(environment: desk.without(Self.alsa))
    #expect(isOnSecond(try desk.waitForNotification("Work").time, due.epoch))
    let complaint = "\nThe sound device default cannot be opened: \(desk.trouble(Self.alsa))."
    _ = try desk.lab.busWatch.waitForNotification { $0.text.hasSuffix(complaint) }
    #expect(try desk.belfry("stop").output == "stopped work\n")
  }

  /// To a device of ALSA's own, by a configuration of its own: what Debian's asks for the sound server
  /// needs libsndfile too.
  @Test func `without libsndfile the tone plays, and the notification says why`() throws {
    let desk = try Desk()
    let due = Second.ahead(3)
    try desk.saveText(
      "[agent]\ndevice = \"null\"\n" + Desk.defaults + Desk.alarm("work", at: due))
    let devices = desk.lab.folder.appendingPathComponent("null.conf")
    try Data("pcm.null { type null }\n".utf8).write(to: devices)
    try desk.startAgent(
      environment: desk.without(Self.sndfile).merging(["ALSA_CONFIG_PATH": devices.path]) { $1 })
    let complaint = "is no sound that can be played: \(desk.trouble(Self.sndfile))"
    _ = try desk.lab.busWatch.waitForNotification { $0.body.contains(complaint) }
    #expect(try desk.belfry("stop").output == "stopped work\n")
    var line = ""
    try desk.wait("the ring to be history") {
      line = try desk.belfry("history --json").output
      return line.contains("\"stopped\"")
    }
    #expect(line.contains("\"device\": \"null\"") && line.contains("\"sound\": \"tone\""))
  }

  @Test func `without both, the doctor names each, and what mends it`() throws {
    let desk = try Desk()
    try desk.saveText("[[alarm]]\nid = \"work\"\ntime = 07:30\ndays = \"daily\"\n")
    let none = try desk.without(Self.alsa, Self.sndfile)
    try desk.startAgent(environment: none)
    let found = try desk.diagnosis(environment: none)
    for (check, state, library, words) in [
      ("device", "error", Self.alsa, "nothing plays: \(desk.trouble(Self.alsa))"),
      ("sounds", "warning", Self.sndfile, desk.trouble(Self.sndfile) + ". Another sound plays"),
    ] {
      #expect(found[check]?.state == state)
      #expect(found[check]?.message.hasPrefix(words) == true, "\(found[check]?.message ?? "")")
      #expect(found[check]?.mend == "install the package that holds \(library)")
    }
    #expect(found["mixer"]?.message == "no device plays")
    #expect(try desk.belfry("list", environment: none).output.hasPrefix("07:30  daily  work"))
  }

  @Test func `at rest the agent has what shows a ring, and not yet what plays one`() throws {
    let desk = try Desk()
    try desk.save()
    let agent = try desk.startAgent()
    func has(_ library: String) throws -> Bool {
      try desk.maps(agent.pid).contains("/\(library).")
    }
    #expect(try has("libnotify"))
    #expect(try !has("libasound.so") && !has("libsndfile.so"))
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests a library that cannot be loaded because its file is empty, as after an interrupted upgrade.
// The programs still run, and name the library. Next: `SoundFaultTests.swift`, for sound servers
// that fail.

import Foundation
import Lab
import Testing

extension Desk {
  /// Returns an environment in which a program cannot load any of `libraries`.
  fileprivate func without(_ libraries: String...) throws -> [String: String] {
    let folder = lab.folder.appendingPathComponent("broken")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for library in libraries { try Data().write(to: folder.appendingPathComponent(library)) }
    let others = lab.environment["LD_LIBRARY_PATH"].map { ":" + $0 } ?? ""
    return ["TZ": "UTC", "LD_LIBRARY_PATH": folder.path + others]
  }

  /// Returns the dynamic loader's message about a library that it cannot load.
  fileprivate func trouble(_ library: String) -> String {
    lab.folder.path + "/broken/\(library): file too short"
  }
}

@Suite(.realServers) struct MissingLibraryTests {
  private static let alsa = "libasound.so.2"

  @Test
  func `without a library of belfry-sound, an alarm is shown on time with why it is silent`()
    throws
  {
    let desk = try Desk()
    let due = Second.ahead(3)
    try desk.save(Desk.alarm("work", at: due, #"label = "Work""#))
    let agent = try desk.startAgent(environment: desk.without(Self.alsa))
    #expect(isOnSecond(try desk.waitForNotification("Work").time, due.epoch))
    _ = try desk.lab.busWatch.waitForNotification {
      $0.text.contains("\nNo sound can be played, because belfry-sound does not start: status 127")
    }
    try agent.waitForErrors(desk.trouble(Self.alsa))
    try agent.waitForErrors("nothing is heard;")
    #expect(try desk.belfry("stop").output == "stopped work\n")
  }

  @Test func `without libasound, belfry doctor names the library and the fix`() throws {
    let desk = try Desk()
    try desk.saveText("[[alarm]]\nid = \"work\"\ntime = 07:30\ndays = \"daily\"\n")
    let none = try desk.without(Self.alsa)
    try desk.startAgent(environment: none)
    let found = try desk.diagnosis(environment: none)
    for check in ["device", "sounds"] {
      #expect(found[check]?.state == "error")
      let message = found[check]?.message ?? ""
      #expect(message.hasPrefix("nothing plays: belfry-sound: "), "\(message)")
      #expect(message.hasSuffix(desk.trouble(Self.alsa)), "\(message)")
      #expect(found[check]?.fix == "install Belfry again, with the packages that it depends on")
    }
    #expect(found["mixer"]?.message == "no sound device works")
    #expect(try desk.belfry("list", environment: none).output.hasPrefix("07:30  daily  work"))
  }
}

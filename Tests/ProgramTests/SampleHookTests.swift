// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests `brighten`, a sample script that an alarm can run to brighten the screen. The login manager
// is simulated, and ordinary files stand in for the kernel's backlights.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct SampleHookTests {
  private let desk: Desk
  private let script = Lab.repository.appendingPathComponent("desktop/samples/hooks/brighten").path
  private var folder: URL { desk.lab.home.appendingPathComponent("backlights") }
  private var log: URL { desk.lab.home.appendingPathComponent("log") }

  init() throws { desk = try Desk(Lab(.bus, .system)) }

  private func makeBacklight(_ name: String, _ kind: String, _ brightness: Int, of most: Int) throws
  {
    for (file, text) in [
      ("type", kind), ("brightness", "\(brightness)"), ("max_brightness", "\(most)"),
    ] {
      try desk.lab.write(text + "\n", to: "backlights/\(name)/\(file)")
    }
  }

  /// Returns the brightness values that the script asked the login manager to set for the backlight
  /// `name`; -1 for each request for another backlight.
  private func set(_ name: String) -> [Int] {
    desk.lines("log").map { line in
      line.hasPrefix("backlight \(name) ") ? Int(line.split(separator: " ")[2]) ?? -1 : -1
    }
  }

  @Test func `the sample script brightens the screen step by step before the ring`() throws {
    try makeBacklight("acpi_video0", "firmware", 100, of: 1000)
    try makeBacklight("intel_backlight", "raw", 5, of: 96_000)
    try desk.lab.playBrightness(of: folder, log: log)
    let due = Second.ahead(12)
    try desk.save(
      Desk.alarm(
        "work", at: due, #"before = "1h""#, #"on_before = ["\#(script)", "80", "\#(folder.path)"]"#)
    )
    let agent = try desk.startAgent()
    try desk.wait("the screen to be bright") { set("acpi_video0").last == 800 }
    #expect(Lab.now < due.epoch)
    let values = set("acpi_video0")
    #expect(values.count >= 3 && values == Array(Set(values)).sorted() && values[0] > 100)
    try desk.wait("nothing to be left") { try desk.children(of: agent).isEmpty }
    try desk.wait("the ring") { try desk.belfry("stop").status == 0 }
    #expect(agent.errors.contains("on_before") == false)
  }
}

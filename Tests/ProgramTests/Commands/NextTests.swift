// SPDX-License-Identifier: GPL-3.0-or-later
//
// Compares `belfry next` with an independent reference, in random zones and at random moments.
// `ZonesTests.swift` compares many more alarms, without running the program.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct NextTests {
  private struct Ring: Decodable {
    var epoch: Int
    var note: String?
  }

  @Test func `it tells the rings that the reference tells, in the machine's zone and in others`()
    throws
  {
    let desk = try Desk(Lab())
    let answers = try ZoneReference.ask("rings", String(Chance.firstSeed), "60")
    for (number, answer) in answers.enumerated() {
      // Every second alarm has a `timezone` of its own. For the remaining alarms, `--timezone` sets
      // the zone.
      let isFixed = number.isMultiple(of: 2)
      try desk.saveText(Self.config(answer, zone: isFixed ? answer[0] : nil))
      let zone = isFixed ? "Asia/Kathmandu" : answer[0]
      let (status, output, errors) = try desk.belfry(
        "next --json --count 4 --from @\(answer[4]) --timezone \(zone)")
      #expect(status == 0 && errors == "", "\(answer) \(errors)")
      let rings = try JSONDecoder().decode([Ring].self, from: Data(output.utf8))
        .map { "\($0.epoch)" + ($0.note.map { " \($0)" } ?? "") }
      #expect(rings.joined(separator: ",") == answer[5], "\(answer), seed \(Chance.firstSeed)")
    }
  }

  private static func config(_ answer: [String], zone: String?) -> String {
    var lines = ["[[alarm]]", "time = \(answer[1])", "except = [\(answer[3])]"]
    if let zone { lines.append("timezone = \"\(zone)\"") }
    if answer[2].contains("-") {
      lines.append("date = \(answer[2])")
    } else if answer[2] != "once" {
      let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
      let days = answer[2].compactMap(\.wholeNumberValue).map { "\"\(names[$0 - 1])\"" }
      lines.append("days = [\(days.joined(separator: ", "))]")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

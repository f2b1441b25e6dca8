// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the agent in a virtual machine (QEMU) that really suspends before alarms are due. All tests
// use the same boot of this machine, because booting takes longer than the tests. Next:
// `Tests/Machine/init`, the script that runs in the machine.

import Foundation
import Lab
import Testing

/// One suspend to RAM and one alarm, as the script `Tests/Machine/init` reports them. All times are
/// readings of the virtual machine's clock.
private struct Sleep: Decodable {
  var alarm: String
  var due: Epoch
  /// When the machine was ordered to suspend, and when it resumed.
  var asleep: Epoch
  var awake: Epoch
  /// Since when the alarm has been ringing, and when the sound card was first seen playing.
  var since: Epoch
  var heard: Epoch
  /// The agent's capabilities: a mask in hexadecimal digits.
  var rights: String
  /// The agent's status during the ring.
  var status: Status
}

/// The ring of an alarm on a sound card that cannot play at first, as the script
/// `Tests/Machine/init` reports it.
struct CardRing: Decodable {
  var card: String
  var due: Epoch
  /// When the card could play again, and when it was first seen playing.
  var repaired: Epoch
  var heard: Epoch
  /// The volume of the card's mixer before, during and after the ring, in the mixer's own units.
  var before: Int
  var raised: Int
  var after: Int
  /// The volume during the ring, in percent as alsamixer(1) shows it.
  var percent: Int
}

@Suite(.serialized, .realServersFirst) struct SuspendTests {
  @Test
  func `an alarm that is due during a sleep rings on waking, or is missed if that is too late`()
    throws
  {
    let sleep = try sleep(.acrossAlarms)
    #expect(sleep.asleep < sleep.due)
    #expect(sleep.awake > sleep.due + 5)
    #expect(abs(sleep.since - sleep.awake) < 1)
    #expect(sleep.heard - sleep.awake < 1.5)
    #expect(sleep.status.ringing.map(\.id) == ["patient"])
    #expect(sleep.status.missed.map(\.id) == ["strict"])
    #expect(sleep.status.missed.map(\.reason) == ["asleep"])
  }

  @Test func `a suspended machine wakes wake_ahead before an alarm, and the alarm rings on time`()
    throws
  {
    // Here the agent has CAP_WAKE_ALARM, number 35, and nothing else.
    #expect(try sleep(.aheadOfAlarm).rights == "0000000800000000")
    try expectWaking(sleep(.aheadOfAlarm))
  }

  @Test func `a machine that sleeps again after an unanswered alarm wakes for the snoozed ring`()
    throws
  {
    let (first, second) = (try sleep(.aheadOfAlarm), try sleep(.aheadOfSnooze))
    // The first ring lasted two seconds. Then the agent snoozed the alarm for ten seconds, during
    // which it was restarted.
    #expect(second.due == first.due + 12)
    #expect((first.due + 2..<first.due + 5).contains(second.asleep))
    #expect(second.status.ringing.map(\.snoozes) == [1])
    // Here only the file of belfry-wake has the capability, and the agent has none.
    #expect(second.rights == "0000000000000000")
    try expectWaking(second)
  }

  /// Expects that the machine woke before the alarm and that the alarm rang on time. The config
  /// sets `wake_ahead` to five seconds. The limits are wider, because the hardware clock counts
  /// whole seconds and a busy host may delay the machine on its way to sleep.
  private func expectWaking(_ sleep: Sleep) throws {
    let ahead = sleep.due - sleep.awake
    #expect((3..<6).contains(ahead), "awake \(ahead) s ahead")
    #expect(sleep.awake - sleep.asleep > 1)
    let delay = sleep.since - sleep.due
    #expect(delay >= 0 && delay < 1, "rang \(delay) s after it was due")
    #expect(sleep.heard - sleep.due < 1.2, "heard \(sleep.heard - sleep.due) s after")
    #expect(sleep.status.ringing.map(\.id) == ["early"])
    #expect(sleep.status.agent.wake)
  }

  // MARK: - The machine

  /// The suspends of the machine, in the order in which they happen.
  private enum Scenario: Int, CaseIterable {
    /// Two alarms are due while the machine is suspended. By their settings, neither wakes it.
    case acrossAlarms
    case aheadOfAlarm
    case aheadOfSnooze
  }

  private enum Night {
    case slept(Report)
    /// The virtual machine cannot run here. The text names the part that is missing.
    case lacking(String)
  }

  struct Report {
    fileprivate var sleeps: [Sleep]
    var cards: [CardRing]
  }

  private static func boot() throws -> Night {
    let (status, report, console) = try Lab().run(
      Lab.repository.appendingPathComponent("Tests/Machine/boot").path, Lab.programs.path,
      Lab.products.appendingPathComponent("machine").path, within: 700)
    if status == 77 { return Night.lacking(console) }
    // The report comes through a serial port, which ends each line with CR LF.
    let lines = report.split(whereSeparator: \.isNewline)
    let scenarios = Scenario.allCases.count
    guard status == 0, lines.count == scenarios + 2 else {
      throw LabError.failed("the machine", reason: console)
    }
    func decode<Line: Decodable>(_ lines: ArraySlice<Substring>) throws -> [Line] {
      try lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }
    return .slept(
      Report(sleeps: try decode(lines.prefix(scenarios)), cards: try decode(lines.suffix(2))))
  }

  private static let night = Result { try boot() }

  /// Returns the report on the machine, which boots once for all tests.
  static func machine() throws -> Report {
    switch try night.get() {
    case .slept(let report): return report
    case .lacking(let reason): try leaveOut(reason)
    }
  }

  private func sleep(_ scenario: Scenario) throws -> Sleep {
    try Self.machine().sleeps[scenario.rawValue]
  }
}

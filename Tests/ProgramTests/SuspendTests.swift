// SPDX-License-Identifier: GPL-3.0-or-later
//
// A machine that really suspends, in QEMU, with alarms ahead. One boot serves all tests, since it
// takes longer than they do. Next: `Tests/Machine/init`, for what happens in the machine.

import Foundation
import Lab
import Testing

/// A suspend to RAM and an alarm, as `Tests/Machine/init` reports them. All times are readings of
/// the machine's clock.
private struct Sleep: Decodable {
  var alarm: String
  var due: Epoch
  /// When the machine was told to suspend, and when it went on.
  var asleep: Epoch
  var awake: Epoch
  /// From when the agent rings, and when the sound card was first seen to play.
  var since: Epoch
  var heard: Epoch
  /// The agent's status while the alarm rings.
  var status: Status
}

struct SuspendTests {
  @Test func `suspended across an alarm, it rings on waking, or is missed where it is too late`()
    throws
  {
    let sleep = try sleep(0)
    #expect(sleep.asleep < sleep.due)
    #expect(sleep.awake > sleep.due + 5)
    #expect(abs(sleep.since - sleep.awake) < 0.3)
    #expect(sleep.heard - sleep.awake < 0.5)
    #expect(sleep.status.ringing.map(\.id) == ["patient"])
    #expect(sleep.status.missed.map(\.id) == ["strict"])
    #expect(sleep.status.missed.map(\.reason) == ["asleep"])
  }

  // MARK: - The machine

  private enum Outcome {
    case slept([Sleep])
    /// Something that the machine is made of cannot be had here.
    case lacking(String)
  }

  private static let outcome = Result {
    let lab = try Lab()
    let (status, report, console) = try lab.run(
      Lab.repository.appendingPathComponent("Tests/Machine/boot").path, Lab.products.path,
      Lab.products.appendingPathComponent("machine").path, within: 300)
    switch status {
    case 0:
      return Outcome.slept(
        try report.split(separator: "\n").map {
          try JSONDecoder().decode(Sleep.self, from: Data($0.utf8))
        })
    case 77: return .lacking(console)
    default: throw LabError.failed("the machine", reason: console)
    }
  }

  private func sleep(_ index: Int) throws -> Sleep {
    switch try Self.outcome.get() {
    case .slept(let sleeps): return try #require(sleeps.count > index ? sleeps[index] : nil)
    case .lacking(let reason): try Test.cancel("\(reason)")
    }
  }
}

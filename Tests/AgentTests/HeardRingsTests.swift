// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests what the history says about when a ring was heard, or why it was not heard.

import Persistence
import Testing

@testable import Agent
@testable import Scheduling

nonisolated struct HeardRingsTests {
  private static let due = Instant(seconds: 1_795_386_600)

  private func ring(_ id: String, since seconds: Int64 = 0) -> OpenRing {
    OpenRing(
      kind: .alarm, id: id, settings: RingSettings(),
      ring: Ring(due: Self.due, since: Self.due + .seconds(seconds)))
  }

  private func begin(_ rings: inout HeardRings, _ id: String, since seconds: Int64 = 0) {
    rings.began(ring(id, since: seconds), due: Self.due, now: Self.due + .seconds(seconds))
  }

  private func hear(_ rings: inout HeardRings, _ id: String, at seconds: Int64) {
    rings.soundBegan(id, device: "card", file: nil)
    rings.heard(at: Self.due + .seconds(seconds))
  }

  /// Returns the line of a ring that is stopped, as `8 s late on card` or `not heard: muted`.
  private func end(_ rings: inout HeardRings, _ id: String, since seconds: Int64 = 0) -> String? {
    let outcome = Outcome(
      kind: .alarm, id: id, due: Self.due, open: ring(id, since: seconds), answer: .stopped,
      at: Self.due + .minutes(5))
    guard let line = rings.ended(outcome) else { return nil }
    let device = line.device.map { " on \($0)" } ?? ""
    return line.unheard.map { "not heard: \($0.rawValue)\(device)" }
      ?? line.late.map { "\($0.wholeSeconds) s late\(device)" }
  }

  @Test func `a ring is heard when its sound is heard, and that is not taken back`() {
    var rings = HeardRings()
    begin(&rings, "a")
    rings.notHeard(.noDevice)
    hear(&rings, "a", at: 8)
    rings.notHeard(.muted)
    rings.soundEnded()
    #expect(end(&rings, "a") == "8 s late on card")
  }

  @Test(arguments: [
    ([], "early"), ([Unheard.noDevice], "no-device"), ([.muted, .noOutput], "no-output"),
    ([.noOutput, .noDevice], "no-output"), ([.volume], "volume-0"),
  ])
  func `a ring without a sound has the reason, and the device`(
    reasons: [Unheard], expected: String
  ) {
    var rings = HeardRings()
    begin(&rings, "a")
    rings.soundBegan("a", device: "card", file: nil)
    for reason in reasons { rings.notHeard(reason) }
    // The sound of another ring follows.
    rings.soundEnded()
    rings.soundBegan("b", device: "other", file: nil)
    #expect(end(&rings, "a") == "not heard: \(expected) on card")
  }

  @Test func `what is known of the sound before a ring is recorded counts for the ring`() {
    var rings = HeardRings()
    hear(&rings, "a", at: 1)
    begin(&rings, "a")
    #expect(end(&rings, "a") == "1 s late on card")
    rings.soundEnded()
    begin(&rings, "a")
    #expect(end(&rings, "a") == "not heard: early")
  }

  @Test func `a ring is heard with the sound of another ring`() {
    var rings = HeardRings()
    begin(&rings, "a")
    hear(&rings, "a", at: 1)
    begin(&rings, "b", since: 60)
    begin(&rings, "c", since: 60)
    #expect(end(&rings, "a") == "1 s late on card")
    #expect(end(&rings, "b", since: 60) == "60 s late")
    rings.soundEnded()
    hear(&rings, "c", at: 90)
    #expect(end(&rings, "c", since: 60) == "60 s late on card")
  }

  @Test func `a ring that goes on under another id, or under another agent, was heard before`() {
    var rings = HeardRings()
    begin(&rings, "a")
    hear(&rings, "a", at: 1)
    rings.renamed("a", to: "b")
    rings.notHeard(.muted)
    begin(&rings, "b")
    #expect(end(&rings, "b") == "1 s late on card")
    rings.began(ring("old"), due: Self.due, now: Self.due + .seconds(30))
    #expect(end(&rings, "old") == "0 s late")
  }
}

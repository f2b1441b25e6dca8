// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests sound cards with their real drivers, in the virtual machine of `SuspendTests.swift`. In one
// test, another program uses the card. In the other, the card is pulled out while it plays.
// `SoundFaultTests.swift` tests sound servers that fail.

import Foundation
import Lab
import Testing

// These tests are part of `SuspendTests`, since they need the same virtual machine.
extension SuspendTests {
  struct CardTests {
    @Test
    func `on a card that another program uses, the alarm is heard soon after the card is free`()
      throws
    {
      let ring = try SuspendTests.machine().cards[0]
      #expect(ring.card == "busy")
      #expect(ring.repaired > ring.due + 3)
      #expect(ring.heard - ring.repaired < 2, "\(ring)")
      expectMixer(ring)
    }

    @Test func `on a card that is pulled out, the alarm is heard soon after the card is back`()
      throws
    {
      let ring = try SuspendTests.machine().cards[1]
      #expect(ring.card == "unplugged")
      #expect(ring.heard - ring.repaired < 2, "\(ring)")
      expectMixer(ring)
    }

    /// Expects that the card's volume was low, was raised for the ring to what alsamixer(1) shows
    /// as 50 %, and was then restored exactly.
    private func expectMixer(_ ring: CardRing) {
      #expect(ring.raised > ring.before, "\(ring)")
      #expect((50...52).contains(ring.percent), "\(ring)")
      #expect(ring.after == ring.before, "\(ring)")
    }
  }
}

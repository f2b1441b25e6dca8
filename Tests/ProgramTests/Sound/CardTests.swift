// SPDX-License-Identifier: GPL-3.0-or-later
//
// A real sound card's driver, in the machine of `SuspendTests.swift`: another program has the card,
// and it is pulled out while it plays. Sound servers that fail are in `SoundFaultTests.swift`.

import Foundation
import Lab
import Testing

// Inside of another suite, since all wait for one machine.
extension SuspendTests {
  struct CardTests {
    @Test func `a card that another program has is heard a second after it is free`() throws {
      let ring = try SuspendTests.machine().cards[0]
      #expect(ring.card == "busy")
      #expect(ring.mended > ring.due + 3)
      #expect(ring.heard - ring.mended < 2, "\(ring)")
      expectMixer(ring)
    }

    @Test func `a card that is pulled out is heard a second after it is back`() throws {
      let ring = try SuspendTests.machine().cards[1]
      #expect(ring.card == "unplugged")
      #expect(ring.heard - ring.mended < 2, "\(ring)")
      expectMixer(ring)
    }

    /// It was soft, is raised to where alsamixer(1) shows 50 %, and comes back exactly.
    private func expectMixer(_ ring: CardRing) {
      #expect(ring.raised > ring.before, "\(ring)")
      #expect((50...52).contains(ring.percent), "\(ring)")
      #expect(ring.after == ring.before, "\(ring)")
    }
  }
}

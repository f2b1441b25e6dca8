// SPDX-License-Identifier: GPL-3.0-or-later
//
// Turns messages between the agent and `belfry-sound` into bytes and back. Both programs have the
// same version, so an unknown message is a bug. Next: `SoundRequest.swift`, the commands and
// reports.

import System

package nonisolated struct SoundMessage<Body: Codable>: Codable {
  /// The number of the command, which each report about it repeats.
  package var number: Int
  package var body: Body

  package init(number: Int, body: Body) { (self.number, self.body) = (number, body) }

  package init(_ bytes: [UInt8]) throws(Malformed) {
    guard let message: Self = Variant(bytes, type: "a{sv}")?.decoded() else { throw Malformed() }
    self = message
  }

  package var bytes: [UInt8] { Variant(encoding: self).bytes }
}

/// The error for bytes that are no message, or that are a message of another type.
package nonisolated struct Malformed: Error {}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Distinguishes the command `belfry` from other programs that call the agent: the command sends the
// user's key with the method `Identify`. A change that another program makes is shown to the user.
// Next: `UserKey.swift`, for the key, and `Undo.swift`, for the notifications.

import Bus
import Files
import System

final class KnownCallers {
  /// How many callers are remembered. The command calls right after it has identified itself.
  private static let most = 64
  /// The longest key that is remembered, in bytes. A key has 36.
  private static let longestKey = 100

  private let locations: Locations
  private let reader = Worker(name: "key")
  private var keys: [(sender: String, key: String)] = []

  init(_ locations: Locations) { self.locations = locations }

  /// Remembers the key that the caller has sent. Whether it is the user's key is found out when
  /// that matters.
  func remember(_ call: Bus.Call) {
    keys.removeAll { $0.sender == call.sender }
    if call.text.utf8.count <= Self.longestKey { keys.append((call.sender, call.text)) }
    if keys.count > Self.most { keys.removeFirst() }
    call.reply()
  }

  /// Calls `act` if the caller has not sent the user's key, or if the key cannot be read.
  func ifForeign(_ call: Bus.Call, _ act: @escaping () -> Void) {
    guard let key = keys.last(where: { $0.sender == call.sender })?.key else { return act() }
    // Only the main loop calls `act`.
    nonisolated(unsafe) let act = act
    reader.perform { [locations] disk in
      let isKey = UserKey.matches(key, locations, on: disk)
      Worker.onMain { if !isKey { act() } }
    }
  }
}

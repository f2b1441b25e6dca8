// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a notification server has of ours, kept in a small file over a crash: what a killed process
// leaves on the screen has buttons that nobody answers, and only the number that the server gave
// finds it again. It is not state: lost, it costs a stale notification. For the notifications'
// thread. Next: Board.swift, which takes over or closes what it finds here.

import System

/// The numbers of the notifications that are shown, by their ids. They mean something only to the
/// server process that gave them, so each file names that process.
///
/// The tags by which dunst and mako replace a notification were rejected: with a tag and a number
/// in one call every mako until 1.11 crashes (emersion/mako#653), and no other server knows them.
nonisolated final class NotificationMemory {
  private let path: String?
  private var kept: (numbers: [String: UInt32], server: String)?

  /// `path` is best in `XDG_RUNTIME_DIR`, which ends with the session as the server does; nil:
  /// nothing is kept.
  init(path: String?) { self.path = path }

  /// What was kept of `server`.
  func numbers(of server: String) -> [String: UInt32] {
    // Missing or unreadable, it has nothing to say.
    guard let path, let bytes = Blocking.here({ try? DurableFile.read(path, limit: 1 << 20) })
    else { return [:] }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard let first = lines.first, first == server else { return [:] }
    var numbers: [String: UInt32] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let number = UInt32(parts[0]), number != 0 else { continue }
      numbers[String(parts[1])] = number
    }
    return numbers
  }

  /// Keeps `numbers` in the place of what was kept before.
  func keep(_ numbers: [String: UInt32], of server: String) {
    guard let path, kept?.numbers != numbers || kept?.server != server else { return }
    kept = (numbers, server)
    let lines = numbers.map { id, number in
      "\(number) \(String(id.map { $0.isNewline ? " " : $0 }))\n"
    }
    // Without it a crash leaves a stale notification, and nothing is lost.
    let text = Array(("\(server)\n" + lines.sorted().joined()).utf8)
    Blocking.here { try? DurableFile.replace(path, with: text) }
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stores in a small file which notifications a server shows, so that they are known after a crash.
// A killed process leaves notifications with dead buttons on the screen, and only the server's
// numbers lead back to them. The file is not part of the stored state: losing it costs no more than
// a stale notification. Use this only on the notifications' thread. Next: Board.swift, which takes
// over or closes the notifications found here.

import System

/// The numbers of the notifications on the screen, by their ids. They are valid only for the server
/// process that gave them, so the file also identifies that process.
///
/// The tags by which dunst and mako replace a notification were rejected. With a tag and a number
/// in one call, every mako up to 1.11 crashes (emersion/mako#653), and no other server knows tags.
nonisolated final class NotificationMemory {
  private let path: String?
  private var kept: (numbers: [String: UInt32], server: String)?

  /// Keep the file in `XDG_RUNTIME_DIR` if possible: that folder is removed when the session ends,
  /// and the server exits then too. If `path` is nil, nothing is stored.
  init(path: String?) { self.path = path }

  /// Returns the stored numbers that `server` gave; empty if the file is about another server
  /// process.
  func numbers(of server: String) -> [String: UInt32] {
    // A missing or unreadable file means that nothing is known.
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

  /// Stores `numbers` in place of the numbers stored before.
  func keep(_ numbers: [String: UInt32], of server: String) {
    guard let path, kept?.numbers != numbers || kept?.server != server else { return }
    kept = (numbers, server)
    let lines = numbers.map { id, number in
      "\(number) \(String(id.map { $0.isNewline ? " " : $0 }))\n"
    }
    // If writing fails, a crash leaves a stale notification; nothing else is lost.
    let text = Array(("\(server)\n" + lines.sorted().joined()).utf8)
    Blocking.here { try? DurableFile.replace(path, with: text) }
  }
}

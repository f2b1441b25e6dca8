// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keeps memory use low in a program that waits for hours and works for moments: gives memory that
// is no longer used back to the system.

import CGLib
import Glibc

public enum Memory {
  /// Makes all threads share one heap (`mallopt`, M_ARENA_MAX); otherwise each thread keeps about a
  /// hundred kilobytes of its own. Call this before any thread starts.
  public static func shareOneHeap() { mallopt(M_ARENA_MAX, 1) }

  /// The memory that libpulse maps for one connection, in bytes: four pools of 64 MiB, and a
  /// thread's stack.
  private nonisolated static let ofConnection = (4 * 64 + 32) * 1024 * 1024

  /// Whether a connection to a sound server would get no memory now, because of the limit of the
  /// process (`ulimit -v`) or of the machine. This only tries to reserve the memory (`mmap`) and
  /// uses none of it.
  public nonisolated static var isShort: Bool {
    let asked = mmap(
      nil, ofConnection, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let asked, asked != MAP_FAILED else { return true }
    munmap(asked, ofConnection)
    return false
  }

  /// Gives free memory back to the system (`malloc_trim`).
  public static func giveBack() { malloc_trim(0) }
}

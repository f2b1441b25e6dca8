// SPDX-License-Identifier: GPL-3.0-or-later
//
// The memory of a program that waits for hours and works for moments: what it needed only for the
// work is given back. It frees nothing that is in use.

import CGLib
import Glibc

public enum Memory {
  /// Has threads share one heap: each would keep a hundred kilobytes of its own. To be called
  /// before there are any (`mallopt`, M_ARENA_MAX).
  public static func shareOneHeap() { mallopt(M_ARENA_MAX, 1) }

  /// What libpulse maps for one connection: a pool of 64 MiB four times, and the stack of a thread.
  private nonisolated static let ofConnection = (4 * 64 + 32) * 1024 * 1024

  /// Whether a connection to a sound server would get no memory now, be it the limit of the process
  /// (`ulimit -v`) or of the machine. Nothing is taken: the memory is only asked for (`mmap`).
  public nonisolated static var isShort: Bool {
    let asked = mmap(
      nil, ofConnection, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let asked, asked != MAP_FAILED else { return true }
    munmap(asked, ofConnection)
    return false
  }

  /// Gives back what is free (`malloc_trim`).
  public static func giveBack() { malloc_trim(0) }
}

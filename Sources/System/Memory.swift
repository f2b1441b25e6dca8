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

  /// Gives free memory back to the system (`malloc_trim`).
  public static func giveBack() { malloc_trim(0) }
}

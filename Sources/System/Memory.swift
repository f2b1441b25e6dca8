// SPDX-License-Identifier: GPL-3.0-or-later
//
// The memory of a program that waits for hours and works for moments: what it needed only for the
// work is given back. It frees nothing that is in use.

import CGLib
import Glibc

public enum Memory {
  /// Has threads share one heap: each would keep a hundred kilobytes of its own. To be called before
  /// there are any (`mallopt`, M_ARENA_MAX).
  public static func shareOneHeap() { mallopt(M_ARENA_MAX, 1) }

  /// Gives back what is free (`malloc_trim`).
  public static func giveBack() { malloc_trim(0) }
}

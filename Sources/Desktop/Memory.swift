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

  /// Gives back what is free (`malloc_trim`), and the pages of code that were read in and may not be
  /// needed again (`madvise`, MADV_DONTNEED): the kernel has them still, and what runs next takes
  /// its own from there, at a microsecond for each sixteen pages. Only pages that can be executed
  /// and not be written to are given back: nothing but the file was ever in them.
  public static func giveBack() {
    malloc_trim(0)
    // All of them are found before the first is given back: looking for them is work, too.
    for code in codePages() { madvise(code.baseAddress, code.count, MADV_DONTNEED) }
  }

  /// The code of the program and its libraries, from `/proc/self/maps`.
  private static func codePages() -> [UnsafeMutableRawBufferPointer] {
    // Without it nothing is given back.
    guard let maps = try? DurableFile.read("/proc/self/maps", limit: 1 << 20) else { return [] }
    return maps.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let fields = line.split(separator: UInt8(ascii: " "))
      guard fields.count == 6, fields[1].elementsEqual("r-xp".utf8),
        fields[5].first == UInt8(ascii: "/")
      else { return nil }
      let ends = fields[0].split(separator: UInt8(ascii: "-"))
        .compactMap { UInt(String(decoding: $0, as: UTF8.self), radix: 16) }
      guard ends.count == 2, let start = UnsafeMutableRawPointer(bitPattern: ends[0]) else {
        return nil
      }
      return UnsafeMutableRawBufferPointer(start: start, count: Int(ends[1] - ends[0]))
    }
  }
}

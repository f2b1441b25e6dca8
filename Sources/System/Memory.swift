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

  /// Gives back what is free (`malloc_trim`), and the pages of programs and libraries that were read
  /// in and may not be needed again (`madvise`, MADV_DONTNEED): the kernel has them still, and what
  /// runs next takes its own from there, at a microsecond for each sixteen pages.
  public static func giveBack() {
    // Looked for first: that is work, and takes memory, too.
    let files = filePages()
    malloc_trim(0)
    for pages in files { madvise(pages.baseAddress, pages.count, MADV_DONTNEED) }
  }

  /// Where there is nothing but what a file has, from `/proc/self/smaps`: what can be read or executed
  /// but not written to, and was not written to by the loader before, as addresses are. Those pages
  /// are `Anonymous`, or in `Swap`.
  private static func filePages() -> [UnsafeMutableRawBufferPointer] {
    // Without it nothing is given back.
    guard let maps = try? DurableFile.read("/proc/self/smaps", limit: 1 << 22) else { return [] }
    var found: [UnsafeMutableRawBufferPointer] = []
    var pages: UnsafeMutableRawBufferPointer?
    for line in maps.split(separator: UInt8(ascii: "\n")) {
      if line.first.map(isSmallHexDigit) == true {
        pages = unwritable(line)
      } else if line.starts(with: "Anonymous:".utf8) || line.starts(with: "Swap:".utf8) {
        if !line.reversed().starts(with: "Bk 0 ".utf8) { pages = nil }
      } else if line.starts(with: "VmFlags:".utf8) {
        // The last line on each.
        pages.map { found.append($0) }
      }
    }
    return found
  }

  private static func isSmallHexDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }

  /// The pages that `line` begins to tell of, where they are a file's and cannot be written to.
  private static func unwritable(_ line: ArraySlice<UInt8>) -> UnsafeMutableRawBufferPointer? {
    let fields = line.split(separator: UInt8(ascii: " "))
    guard fields.count == 6, fields[5].first == UInt8(ascii: "/"),
      fields[1].elementsEqual("r-xp".utf8) || fields[1].elementsEqual("r--p".utf8)
    else { return nil }
    let ends = fields[0].split(separator: UInt8(ascii: "-"))
      .compactMap { UInt(String(decoding: $0, as: UTF8.self), radix: 16) }
    guard ends.count == 2, let start = UnsafeMutableRawPointer(bitPattern: ends[0]) else {
      return nil
    }
    return UnsafeMutableRawBufferPointer(start: start, count: Int(ends[1] - ends[0]))
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the history from disk, for the command line and the bus. At most twice the size limit of
// the history is read, whatever the file is. `History.swift` in Agent writes it.

import Persistence
import Scheduling
import System

public nonisolated enum HistoryFile {
  /// The last `count` rings, the latest last, and the number of lines among them that cannot be
  /// read; nothing if there is no file.
  @Blocking public static func read(
    _ path: String, last count: Int
  ) throws(FileError) -> (lines: [HistoryLine], unread: Int) {
    // The file exceeds the limit by a line before its older half is removed.
    let most = HistoryText.limit * 2
    // Read about as much as `count` lines take first, and more only if that is not enough.
    var size = min(most, max(1 << 16, count * 400))
    var before = -1
    let patience = Patience()
    while true {
      let bytes: [UInt8]
      do throws(FileError) {
        bytes = try patience.wait(for: path) { [size] () throws(FileError) in
          try DurableFile.tail(path, atMost: size)
        }
      } catch {
        if error.isMissing { return ([], 0) }
        throw error
      }
      let (lines, unread) = HistoryText.parse(bytes)
      let isAll = size == most || bytes.count == before
      if lines.count >= count || isAll { return (lines.suffix(count), unread) }
      (size, before) = (min(most, size * 4), bytes.count)
    }
  }
}

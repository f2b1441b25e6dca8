// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the history from disk, for the command line and the bus. If the file is larger than twice
// the history's size limit, only its end is read. `History.swift` in Agent writes the history.

import Persistence
import Scheduling
import System

public nonisolated enum HistoryFile {
  /// Returns the last `count` rings, the latest ring last, and the number of their lines that
  /// cannot be read. Returns no rings if there is no file.
  @Blocking public static func read(
    _ path: String, last count: Int
  ) throws(FileError) -> (lines: [HistoryLine], unread: Int) {
    // A new line may make the file larger than the limit. Its older half is then removed. So the
    // file is never larger than twice the limit.
    let most = HistoryText.limit * 2
    // First read about as much as `count` lines need. Read more only if that is not enough.
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

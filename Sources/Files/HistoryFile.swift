// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the history from disk, for the command line and the bus. If the file is larger than twice
// the history's size limit, only its end is read. `History.swift` in Agent writes the history.

import Persistence
import Scheduling
import System

public enum HistoryFile {
  /// Reads the last `count` lines of the history. Returns the rings in them, the latest ring last,
  /// and the number of lines that cannot be read. If there is no file, returns no rings.
  public static func read(
    _ path: String, last count: Int, on disk: Disk
  ) throws(FileError) -> (lines: [HistoryLine], unread: Int) {
    let patience = Patience()
    do throws(FileError) {
      let bytes = try patience.wait(for: path, on: disk) { disk throws(FileError) in
        // Once the file has reached the limit, `DurableFile.append` drops its older half. The last
        // record before that may exceed the limit, but by less than the limit itself. So twice the
        // limit is enough for the whole file, unless another program has written to it.
        try DurableFile.tail(path, atMost: HistoryText.limit * 2, on: disk)
      }
      return HistoryText.parse(bytes, last: count)
    } catch {
      if error.isMissing { return ([], 0) }
      throw error
    }
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// The history on disk, read for the command line and for the bus. It is bounded, and so is what is
// read of a file that is not ours. `History.swift` writes it.

import Bus
import Persistence
import Scheduling
import System

public nonisolated enum HistoryFile {
  /// The last `count` rings, the latest last, and how many lines among them say nothing; none where
  /// there is no file.
  public static func read(
    _ path: String, last count: Int
  ) throws(FileError) -> (lines: [HistoryLine], unread: Int) {
    // A line more than the limit is there before the older half goes.
    let most = HistoryText.limit * 2
    // As much as the lines asked for take, mostly: a year is not read for the last twenty.
    var size = min(most, max(1 << 16, count * 400))
    var before = -1
    while true {
      let bytes: [UInt8]
      do throws(FileError) { bytes = try DurableFile.tail(path, atMost: size) } catch {
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

/// The history for other programs on the bus.
enum BusHistory {
  nonisolated static let mostLines: UInt32 = 10_000
  private static let worker = Worker(name: "history")

  /// Answers with the last rings, read beside the main loop.
  static func answer(_ call: Bus.Call, _ agent: Agent) {
    guard case .uint32(let count)? = call.arguments.first, (1...mostLines).contains(count) else {
      return call.fail(
        BusService.Failure.invalidArgument.errorName, "1 to \(mostLines) lines can be asked for")
    }
    let path = agent.locations.history
    worker.perform {
      let zones = Zones()
      do throws(FileError) {
        let lines = try HistoryFile.read(path, last: Int(count)).lines
        call.reply(PackedRows(lines.lazy.map { entries($0.json(in: zones)) }))
        Worker.onMain { agent.settle() }
      } catch {
        Worker.onMain { call.fail(BusService.Failure.unreadable.errorName, "\(error)") }
      }
    }
  }

  private nonisolated static func entries(_ json: JSON) -> [Variant.Entry] {
    guard case .object(let members) = json else { return [] }
    return members.compactMap { member in
      Variant(member.value).map { Variant.Entry(member.key, $0) }
    }
  }
}

nonisolated extension Variant {
  /// A plain value; an object or an array is none.
  fileprivate init?(_ json: JSON) {
    switch json {
    case .boolean(let value): self = .boolean(value)
    case .string(let value): self = .string(value)
    case .integer(let value): self = .int64(value)
    case .number(let value): self = .double(value)
    case .null, .array, .object: return nil
    }
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// The history for other programs on the bus: read beside the main loop, and sent as it is read.

import Bus
import Files
import Persistence
import Presentation
import Scheduling
import System

/// The history for other programs on the bus.
enum BusHistory {
  nonisolated static let mostLines: UInt32 = 10_000

  /// Answers with the last rings, read beside the main loop.
  static func answer(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    guard let count = call.uint32(0), (1...mostLines).contains(count) else {
      throw Refusal(.invalidArgument, "1 to \(mostLines) lines can be asked for")
    }
    let path = agent.locations.history
    Worker.once("reader") {
      let zones = Zones()
      do throws(FileError) {
        let lines = try HistoryFile.read(path, last: Int(count)).lines
        call.reply(PackedRows(lines.lazy.map { entries($0.report(in: zones)) }))
        Worker.onMain { agent.settle() }
      } catch {
        Worker.onMain { call.fail(.unreadable, "\(error)") }
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

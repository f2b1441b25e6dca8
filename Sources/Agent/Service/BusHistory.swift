// SPDX-License-Identifier: GPL-3.0-or-later
//
// The method `History` of the bus. The history is read and sent on another thread, so that a long
// one does not hold up the main loop.

import Bus
import Files
import Persistence
import Presentation
import Scheduling
import System

enum BusHistory {
  nonisolated static let mostLines: UInt32 = 10_000

  /// Answers with the last rings, as many as the call asks for.
  static func answer(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    guard let count = call.uint32(0), (1...mostLines).contains(count) else {
      throw Refusal(.invalidArgument, "1 to \(mostLines) lines can be asked for")
    }
    let path = agent.locations.history
    Worker.once("reader") {
      let zones = Zones()
      do throws(FileError) {
        let lines = try HistoryFile.read(path, last: Int(count)).lines
        call.reply(PackedRows(lines.lazy.map { Variant($0.report(in: zones))?.dictionary ?? [] }))
        Worker.onMain { agent.settle() }
      } catch {
        Worker.onMain { call.fail(.unreadable, "\(error)") }
      }
    }
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// A method of the agent's interface on the bus: its declaration, and the function that answers it.
// The methods are listed in `BusService.swift`, `BusEdits.swift`, `BusMoves.swift` and
// `BusTimers.swift`.

import Bus
import Presentation
import System

/// Why a call cannot be carried out. The caller gets the reason as a D-Bus error.
nonisolated struct Refusal: Error {
  var failure: BusInterface.Failure
  var message: String
  init(_ failure: BusInterface.Failure, _ message: String) {
    (self.failure, self.message) = (failure, message)
  }
}

struct BusMethod {
  typealias Handler = @MainActor (Bus.Call, Agent) throws(Refusal) -> Void

  var method: Bus.Method
  /// Whether the answer waits until the present content of the config has taken effect. A method
  /// that stops or snoozes a ring must not wait.
  var waits: Bool
  var answer: Handler

  init(
    _ name: String, takes: String = "", gives: String = "", waits: Bool = true,
    answer: @escaping Handler
  ) {
    method = Bus.Method(name, takes: takes, gives: gives)
    (self.waits, self.answer) = (waits, answer)
  }

  func answered(for agent: Agent) -> Bus.Method {
    var method = method
    method.answer = { call in
      let answer = {
        do throws(Refusal) { try self.answer(call, agent) } catch {
          call.fail(error.failure, error.message)
        }
      }
      if waits { agent.whenCurrent(answer) } else { agent.whenReady(answer) }
    }
    return method
  }
}

extension Bus.Call {
  nonisolated var text: String { arguments.first?.string ?? "" }
  nonisolated var texts: [String] { arguments.first?.strings ?? [] }

  nonisolated func uint32(_ place: Int) -> UInt32? {
    arguments.dropFirst(place).first?.uint32
  }

  func reply(_ record: some Record, unless problem: FileError? = nil) {
    reply([.dictionary(record.entries)], unless: problem)
  }

  func reply(_ records: [some Record], unless problem: FileError? = nil) {
    reply([.dictionaries(records.map(\.entries))], unless: problem)
  }

  func fail(_ failure: BusInterface.Failure, _ message: String) {
    fail(failure.errorName, message)
  }
}

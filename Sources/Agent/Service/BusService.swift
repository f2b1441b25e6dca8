// SPDX-License-Identifier: GPL-3.0-or-later
//
// `org.belfry.Belfry1`: the agent's interface for other programs, including the command `belfry`.
// Arguments are checked here; a call with wrong arguments fails with a named error and changes
// nothing. Next: `BusEdits.swift` and `BusTimers.swift`, for the other methods.

import Bus
import Configuration
import Files
import Language
import Persistence
import Presentation
import Scheduling
import System
import Values

struct BusMethod {
  typealias Handler = @MainActor (Bus.Call, Agent) throws(Refusal) -> Void

  /// The method. Unless its turn is `.now`, the answer waits until the current content of the
  /// config has taken effect. A method that stops or snoozes a ring must not wait.
  var method: Bus.Method
  var answer: Handler

  init(
    _ name: String, takes: String = "", gives: String = "", turn: Bus.Method.Turn = .later,
    answer: @escaping Handler
  ) {
    method = Bus.Method(name, takes: takes, gives: gives, turn: turn)
    self.answer = answer
  }

  func answered(for agent: Agent) -> Bus.Method {
    var method = method
    method.answer = { call in
      let answer = {
        do throws(Refusal) { try self.answer(call, agent) } catch {
          call.fail(error.failure, error.message)
        }
      }
      switch method.turn {
      case .now: agent.whenReady(answer)
      // Many calls may have waited: carry out one in each turn of the main loop.
      case .later, .question: agent.whenCurrent { MainLoop.whenIdle(answer) }
      }
    }
    return method
  }
}

nonisolated extension Bus.Call {
  var text: String { arguments.first?.string ?? "" }
  var texts: [String] { arguments.first?.strings ?? [] }

  func uint32(_ place: Int) -> UInt32? {
    arguments.dropFirst(place).first?.uint32
  }
}

extension Bus.Call {
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

enum BusService {
  /// Answers calls for `agent`, and emits `Changed` when its status changes.
  static func serve(_ agent: Agent) throws(BusError) {
    try agent.bus.export(interface(methods.map { $0.answered(for: agent) }), at: BusInterface.path)
    agent.onChange = { [bus = agent.bus] in
      bus.emit("Changed", of: BusInterface.interface, at: BusInterface.path)
    }
  }

  static let methods = general + moves + edits + timers

  /// The D-Bus interface `org.belfry.Belfry1`, described for other programs in
  /// `desktop/session/org.belfry.Belfry1.xml`.
  static func interface(_ methods: [Bus.Method]) -> Bus.Interface {
    Bus.Interface(BusInterface.interface, methods, signals: [Bus.Signal("Changed")])
  }

  static let general = [
    BusMethod("Status", gives: "a{sv} status", turn: .question) { call, agent in
      agent.machine.whenWakeStateIsKnown {
        call.reply(
          agent.overview.status(of: agent.identity, alarmsAtMost: BusInterface.mostAlarms))
      }
    },
    BusMethod(
      "Alarms", takes: "u first, u count", gives: "aa{sv} alarms", turn: .question, answer: alarms),
    BusMethod("Agent", gives: "a{sv} agent", turn: .question) { call, agent in
      agent.machine.whenWakeStateIsKnown { call.reply(agent.identity) }
    },
    BusMethod("Stop", takes: "s id", gives: "aa{sv} stopped", turn: .now, answer: stop),
    BusMethod(
      "Snooze", takes: "s id, x seconds", gives: "aa{sv} snoozed", turn: .now, answer: snooze),
    BusMethod("Rehearse", takes: "s id", gives: "a{sv} alarm, x seconds", answer: rehearse),
    BusMethod(
      "SearchCities", takes: "s text, u count", gives: "aa{sv} cities", turn: .question,
      answer: search),
    BusMethod("AcknowledgeMissed", gives: "aa{sv} missed") { call, agent in
      let missed = agent.overview.missed
      agent.apply(.acknowledgeMissed) { call.reply(missed, unless: $0) }
    },
    BusMethod(
      "History", takes: "u count", gives: "aa{sv} rings", turn: .question, answer: history),
    BusMethod("Check", gives: "aa{sv} checks", turn: .question) { call, agent in
      agent.checkup.answer(call)
    },
  ]

  private static func stop(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    try agent.stop(call.id) { call.reply($0, unless: $1) }
  }

  private static func snooze(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    let seconds = call.arguments.last?.int64 ?? -1
    guard (0...BusInterface.longestSnooze).contains(seconds) else {
      throw Refusal(
        .invalidArgument,
        tr("a snooze takes 1 to \(BusInterface.longestSnooze) seconds, or 0 for its own"))
    }
    try agent.snooze(call.id, seconds == 0 ? nil : .seconds(seconds)) {
      call.reply($0, unless: $1)
    }
  }

  private static func rehearse(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    try agent.rehearse(call.id) { alarm, length, problem in
      call.reply(
        [.dictionary(agent.overview.alarm(alarm).entries), .int64(length.wholeSeconds)],
        unless: problem)
    }
  }

  private static func search(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    guard let count = call.uint32(1), (1...1000).contains(count) else {
      throw Refusal(.invalidArgument, tr("the count of a search is 1 to 1000"))
    }
    let locations = agent.locations
    Search.cityReader.perform { disk in
      guard call.isWanted else { return call.drop() }
      let cities = CityFile(locations, on: disk).search(call.text, count: Int(count), on: disk)
      Worker.onMain {
        MainLoop.whenIdle {
          guard let cities else { return call.fail(.notFound, CityFile.unreadable) }
          call.reply(cities.map(agent.overview.found))
        }
      }
    }
  }

  private static let historyReader = Worker(name: "history")

  private static func history(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    guard let count = call.uint32(0), (1...10_000).contains(count) else {
      throw Refusal(.invalidArgument, "1 to 10000 lines can be asked for")
    }
    let path = agent.locations.history
    historyReader.perform { disk in
      guard call.isWanted else { return call.drop() }
      let zones = Zones()
      do throws(FileError) {
        let lines = try HistoryFile.read(path, last: Int(count), on: disk).lines
        call.replyHere(
          [Variant(.list(lines.map { $0.report(in: zones) })) ?? .dictionaries([])], on: disk)
        Worker.onMain { agent.trimMemoryLater() }
      } catch {
        Worker.onMain { call.fail(.unreadable, "\(error)") }
      }
    }
  }

  private static func alarms(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    guard let first = call.uint32(0), let count = call.uint32(1),
      (1...BusInterface.mostAlarms).contains(Int(count))
    else {
      throw Refusal(
        .invalidArgument, tr("1 to \(BusInterface.mostAlarms) alarms can be asked for"))
    }
    let asked = agent.configuration.alarms.dropFirst(Int(first)).prefix(Int(count))
    call.reply(asked.map(agent.overview.alarm))
  }
}

extension Bus.Call {
  /// The first argument as an id. A text that is too long for an id is cut to just above the
  /// maximum length, because comparing a long text with all ids would take long.
  var id: String {
    text.utf8.count <= Identity.mostBytes
      ? text : String(decoding: text.utf8.prefix(Identity.mostBytes + 1), as: UTF8.self)
  }
}

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
      let status = agent.overview.status(of: agent.identity, alarmsAtMost: BusInterface.mostAlarms)
      call.reply(status)
    },
    BusMethod(
      "Alarms", takes: "u first, u count", gives: "aa{sv} alarms", turn: .question, answer: alarms),
    BusMethod("Agent", gives: "a{sv} agent", turn: .question) { call, agent in
      call.reply(agent.identity)
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
    let checked = agent.schedule.checking.filter { $0.check?.isAsked == true }.map(\.alarm)
    let asking = checked.map(\.id)
    let meant = call.id.isEmpty && agent.schedule.ringing.isEmpty ? asking : [call.id]
    guard !meant.isEmpty, meant.allSatisfy(asking.contains) else {
      return try answer(call, agent) { .stop($0.id) }
    }
    let answered = checked.filter { meant.contains($0.id) }.map(agent.overview.answered)
    agent.apply(.answers(meant.map(Event.isUp))) { call.reply(answered, unless: $0) }
  }

  private static func answer(
    _ call: Bus.Call, _ agent: Agent, _ event: (OpenRing) -> Event
  ) throws(Refusal) {
    answer(call, agent, try rings(call.id, agent), event)
  }

  private static func answer(
    _ call: Bus.Call, _ agent: Agent, _ rings: [OpenRing], _ event: (OpenRing) -> Event
  ) {
    agent.apply(.answers(rings.map(event))) { problem in
      call.reply(
        rings.map { agent.overview.answered($0, agent.schedule.openRing($0.id)?.snoozedUntil) },
        unless: problem)
    }
  }

  private static func rings(_ id: String, _ agent: Agent) throws(Refusal) -> [OpenRing] {
    if id.isEmpty {
      let rings = agent.schedule.openRings.filter { $0.snoozedUntil == nil }
      guard !rings.isEmpty else { throw Refusal(.notRinging, tr("nothing is ringing")) }
      return rings
    }
    if let ring = agent.schedule.openRing(id) { return [ring] }
    if agent.schedule.timer(id) != nil {
      throw Refusal(
        .notRinging,
        complaint(
          tr("\(id) does not ring"), hint: Message("belfry timer cancel \(id) takes it away")))
    }
    _ = try entry(id, agent)
    throw Refusal(.notRinging, tr("\(id) does not ring"))
  }

  private static func snooze(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    let seconds = call.arguments.last?.int64 ?? -1
    guard (0...BusInterface.longestSnooze).contains(seconds) else {
      throw Refusal(
        .invalidArgument,
        tr("a snooze takes 1 to \(BusInterface.longestSnooze) seconds, or 0 for its own"))
    }
    let rings = try rings(call.id, agent)
    let able = rings.filter(\.canSnooze)
    if able.isEmpty, let first = rings.first { throw Refusal(.noSnooze, noSnooze(first)) }
    answer(call, agent, able) { .snooze($0.id, seconds == 0 ? $0.ownSnooze : .seconds(seconds)) }
  }

  private static func noSnooze(_ ring: OpenRing) -> String {
    let problem =
      if ring.isRehearsal {
        tr("\(ring.id) is only being tried out")
      } else if !ring.settings.allowsSnooze {
        tr("\(ring.id) takes no snooze (snooze = [])")
      } else {
        tr("\(ring.id) takes no more snoozes (snoozes = \(ring.settings.snoozeLimit))")
      }
    return complaint(problem, hint: Message("belfry stop \(ring.id) ends it"))
  }

  private static func rehearse(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    guard let alarm = agent.configuration.alarm(call.id) else {
      throw unknown(call.id, agent)
    }
    if let ring = agent.schedule.ringing.first ?? agent.schedule.openRing(alarm.id) {
      throw Refusal(
        .ringing,
        ring.snoozedUntil == nil
          ? complaint(tr("\(ring.id) rings now"), hint: Message("stop it first"))
          : complaint(tr("\(ring.id) is snoozed"), hint: Message("stop it first")))
    }
    agent.apply(.rehearse(alarm)) {
      let length = Schedule.rehearsalLength(of: alarm).wholeSeconds
      call.reply([.dictionary(agent.overview.alarm(alarm).entries), .int64(length)], unless: $0)
    }
  }

  private static func search(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    guard let count = call.uint32(1), (1...1000).contains(count) else {
      throw Refusal(.invalidArgument, tr("the count of a search is 1 to 1000"))
    }
    let locations = agent.locations
    Search.cityReader.perform {
      guard call.isWanted else { return call.drop() }
      let cities = CityFile(locations).search(call.text, count: Int(count))
      Worker.onMain {
        MainLoop.whenIdle {
          guard let cities else { return call.fail(.notFound, CityFile.unreadable) }
          call.reply([.dictionaries(cities.map(agent.overview.found))])
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
    historyReader.perform {
      guard call.isWanted else { return call.drop() }
      let zones = Zones()
      do throws(FileError) {
        let lines = try HistoryFile.read(path, last: Int(count)).lines
        call.replyHere([
          .dictionaries(lines.map { Variant($0.report(in: zones))?.dictionary ?? [] })
        ])
        Worker.onMain { agent.trimMemoryLater() }
      } catch {
        Worker.onMain { call.fail(.unreadable, "\(error)") }
      }
    }
  }

  static func entry(_ id: String, _ agent: Agent) throws(Refusal) -> Schedule.Entry {
    if let entry = agent.schedule.entry(id) { return entry }
    if agent.configuration.alarm(id) != nil {
      throw Refusal(.notRinging, tr("\(id) is disabled"))
    }
    throw unknown(id, agent)
  }

  private static func unknown(_ id: String, _ agent: Agent) -> Refusal {
    Refusal(.notFound, ConfigEditor.unknown(id: id, among: agent.configuration.alarms.map(\.id)))
  }

  private static func alarms(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    guard let first = call.uint32(0), let count = call.uint32(1),
      (1...BusInterface.mostAlarms).contains(Int(count))
    else {
      throw Refusal(.invalidArgument, tr("1 to \(BusInterface.mostAlarms) alarms can be asked for"))
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

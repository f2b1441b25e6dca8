// SPDX-License-Identifier: GPL-3.0-or-later
//
// `org.belfry.Belfry1`: the agent for other programs, the command line among them. Arguments are
// checked here; wrong ones get a named error and change nothing. What there is to call is in
// `BusInterface.swift`.

import Bus
import Configuration
import Files
import Language
import Presentation
import Scheduling
import System

enum BusService {
  /// Answers calls for `agent` on `bus`, and tells of its changes.
  static func serve(_ agent: Agent, on bus: Bus) throws(BusError) {
    try bus.export(BusInterface.interface, at: BusInterface.path, xml: BusInterface.xml) { call in
      switch call.member {
      // An answer to what rings waits for nothing.
      case "Stop", "Snooze": agent.whenReady { answer(call, agent) }
      default: agent.whenCurrent { answer(call, agent) }
      }
    }
    agent.onChange = { bus.emit("Changed", of: BusInterface.interface, at: BusInterface.path) }
  }

  private static func answer(_ call: Bus.Call, _ agent: Agent) {
    if edit(call, agent) { return }
    let id = call.id
    switch call.member {
    case "Status": call.reply([.dictionary(status(agent))])
    case "Alarms": alarms(call, agent)
    case "Agent": call.reply([.dictionary(agent.identity)])
    case "Stop":
      answer(call, agent, id) { .stop($0.id) }
    case "Snooze":
      let seconds = call.arguments.last?.int64 ?? -1
      guard (0...BusInterface.longestSnooze).contains(seconds) else {
        call.fail(
          .invalidArgument,
          tr("a snooze takes 1 to \(BusInterface.longestSnooze) seconds, or 0 for its own"))
        return
      }
      answer(call, agent, id) { .snooze($0.id, seconds == 0 ? $0.ownSnooze : .seconds(seconds)) }
    case "Skip", "Unskip": skip(call, agent, id)
    case "SearchCities": search(call, agent)
    case "AcknowledgeMissed": agent.apply(.acknowledgeMissed) { call.reply(unless: $0) }
    case "History": BusHistory.answer(call, agent)
    case "Check": agent.checkup.answer(call)
    case _ where answerTimers(call, agent): break
    default: call.fail(.invalidArgument, tr("there is no method \(call.member)"))
    }
  }

  /// Gives an answer to what rings under `id`, or to all that rings, and replies when it is done.
  private static func answer(
    _ call: Bus.Call, _ agent: Agent, _ id: String, _ event: (OpenRing) -> Event
  ) {
    let rings: [OpenRing]
    if id.isEmpty {
      rings = agent.schedule.openRings.filter { $0.snoozedUntil == nil }
      guard !rings.isEmpty else { return call.fail(.notRinging, tr("nothing rings")) }
    } else {
      guard let ring = agent.schedule.openRing(id) else {
        if agent.schedule.timer(id) != nil {
          return call.fail(
            .notRinging, tr("\(id) does not ring; belfry timer cancel \(id) takes it away"))
        }
        guard entry(call, agent, id) != nil else { return }
        return call.fail(.notRinging, tr("\(id) does not ring"))
      }
      rings = [ring]
    }
    agent.apply(.answers(rings.map(event))) {
      call.reply([.strings(rings.map(\.id))], unless: $0)
    }
  }

  private static func skip(_ call: Bus.Call, _ agent: Agent, _ id: String) {
    guard let entry = entry(call, agent, id) else { return }
    guard let next = entry.next else {
      return call.fail(.nothingToCome, tr("\(id) has no ring to come"))
    }
    agent.apply(call.member == "Skip" ? .skip(id) : .unskip(id)) {
      call.reply([.int64(next.due.seconds)], unless: $0)
    }
  }

  /// Searches on a thread of its own: it reads a file.
  private static func search(_ call: Bus.Call, _ agent: Agent) {
    guard let text = call.arguments.first?.string, case .uint32(let count)? = call.arguments.last,
      (1...1000).contains(count)
    else { return call.fail(.invalidArgument, tr("a search takes 1 to 1000 as its count")) }
    let file = CityFile(agent.locations)
    Worker(name: "cities").perform {
      let cities = file.search(text, count: Int(count))
      Worker.onMain {
        guard let cities else { return call.fail(.notFound, tr("the table of cities is missing")) }
        call.reply([.dictionaries(cities.map(agent.overview.found))])
      }
    }
  }

  private static func entry(_ call: Bus.Call, _ agent: Agent, _ id: String) -> Schedule.Entry? {
    if let entry = agent.schedule.entry(id) { return entry }
    if agent.configuration.alarms.contains(where: { $0.id == id }) {
      call.fail(.notRinging, tr("\(id) is disabled"))
    } else {
      let near = nearMatch(to: id, among: agent.configuration.alarms.map(\.id))
      call.fail(.notFound, "\(ConfigEditor.Failure.notFound(id, nearest: near))")
    }
    return nil
  }

  private static func alarms(_ call: Bus.Call, _ agent: Agent) {
    guard case .uint32(let first)? = call.arguments.first,
      case .uint32(let count)? = call.arguments.last,
      (1...BusInterface.mostAlarms).contains(Int(count))
    else {
      return call.fail(
        .invalidArgument, tr("1 to \(BusInterface.mostAlarms) alarms can be asked for"))
    }
    call.reply([.dictionaries(agent.overview.alarms(from: Int(first), count: Int(count)))])
  }

  private static func status(_ agent: Agent) -> [Variant.Entry] {
    let overview = agent.overview
    return [
      Variant.Entry("ringing", .dictionaries(overview.ringing)),
      Variant.Entry("next", .dictionary(overview.next)),
      Variant.Entry("alarms", .dictionaries(overview.alarms(atMost: BusInterface.mostAlarms))),
      Variant.Entry("missed", .dictionaries(overview.missed)),
      Variant.Entry("timers", .dictionaries(overview.timers)),
      Variant.Entry("stopwatch", .dictionary(overview.stopwatch)),
      Variant.Entry("clocks", .dictionaries(overview.clocks)),
      Variant.Entry("agent", .dictionary(agent.identity)),
    ]
  }
}

extension Bus.Call {
  /// The first argument as an id, of as many bytes as one can have at most, and one more: to compare two
  /// texts, each letter is taken apart, and one may have thousands of marks.
  var id: String {
    let text = arguments.first?.string ?? ""
    return text.utf8.count <= Identity.mostBytes
      ? text : String(decoding: text.utf8.prefix(Identity.mostBytes + 1), as: UTF8.self)
  }

  func fail(_ failure: BusInterface.Failure, _ message: String) {
    fail(failure.errorName, message)
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// `org.belfry.Belfry1`: the agent for other programs, the command line among them. Arguments are
// checked here; wrong ones get a named error and change nothing. What there is to call is in
// `BusInterface.swift`.

import Configuration
import Desktop
import Scheduling

public enum BusService {
  public nonisolated static let name = "org.belfry.Belfry"
  public nonisolated static let path = "/org/belfry/Belfry"
  public nonisolated static let interface = "org.belfry.Belfry1"
  public static var peer: Bus.Peer { Bus.Peer(name: name, path: path, interface: interface) }

  /// A call that cannot be done; `rawValue` ends the D-Bus error name.
  public nonisolated enum Failure: String, CaseIterable {
    /// No alarm has that id.
    case notFound = "NotFound"
    /// Nothing rings or is snoozed under that id, or at all.
    case notRinging = "NotRinging"
    /// The alarm has no next ring.
    case nothingToCome = "NothingToCome"
    case invalidArgument = "InvalidArgument"
    /// The config cannot be changed: it has a mistake, or cannot be written.
    case notEdited = "NotEdited"

    public var errorName: String { "org.belfry.Error.\(rawValue)" }
  }

  /// The longest snooze: a year.
  public nonisolated static let longestSnooze: Int64 = 366 * 86_400

  /// Answers calls for `agent` on `bus`, and tells of its changes.
  public static func serve(_ agent: Agent, on bus: Bus) throws(BusError) {
    try bus.export(interface, at: path, xml: xml) { call in
      agent.whenReady { answer(call, agent) }
    }
    agent.onChange = { bus.emit("Changed", of: interface, at: path, []) }
  }

  private static func answer(_ call: Bus.Call, _ agent: Agent) {
    if edit(call, agent) { return }
    let id = call.arguments.first?.string ?? ""
    switch call.member {
    case "Status": call.reply([.dictionary(status(agent))])
    case "Stop":
      answer(call, agent, id) { .stop($0.alarm.id) }
    case "Snooze":
      let seconds = call.arguments.last?.int64 ?? -1
      guard (0...longestSnooze).contains(seconds) else {
        call.fail(
          .invalidArgument, "a snooze takes 1 to \(longestSnooze) seconds, or 0 for its own")
        return
      }
      answer(call, agent, id) { entry in
        let own = entry.alarm.ring.snooze.first ?? RingSettings().snooze[0]
        return .snooze(entry.alarm.id, seconds == 0 ? own : .seconds(seconds))
      }
    case "Skip", "Unskip": skip(call, agent, id)
    case "AcknowledgeMissed": agent.apply(.acknowledgeMissed) { call.reply() }
    default: call.fail(.invalidArgument, "there is no method \(call.member)")
    }
  }

  /// Gives an answer to what rings under `id`, or to all that rings, and replies when it is done.
  private static func answer(
    _ call: Bus.Call, _ agent: Agent, _ id: String, _ event: (Schedule.Entry) -> Event
  ) {
    let entries: [Schedule.Entry]
    if id.isEmpty {
      entries = agent.schedule.entries.filter { $0.ring != nil }
      guard !entries.isEmpty else { return call.fail(.notRinging, "nothing rings") }
    } else {
      guard let entry = entry(call, agent, id) else { return }
      guard entry.ring != nil || entry.snoozedUntil != nil else {
        return call.fail(.notRinging, "\(id) does not ring")
      }
      entries = [entry]
    }
    var left = entries.count
    for entry in entries {
      agent.apply(event(entry)) {
        left -= 1
        if left == 0 { call.reply([.strings(entries.map(\.alarm.id))]) }
      }
    }
  }

  private static func skip(_ call: Bus.Call, _ agent: Agent, _ id: String) {
    guard let entry = entry(call, agent, id) else { return }
    guard let next = entry.next else {
      return call.fail(.nothingToCome, "\(id) has no ring to come")
    }
    agent.apply(call.member == "Skip" ? .skip(id) : .unskip(id)) {
      call.reply([.int64(next.due.seconds)])
    }
  }

  private static func entry(_ call: Bus.Call, _ agent: Agent, _ id: String) -> Schedule.Entry? {
    if let entry = agent.schedule.entry(id) { return entry }
    if agent.configuration.alarms.contains(where: { $0.id == id }) {
      call.fail(.notRinging, "\(id) is disabled")
    } else {
      call.fail(.notFound, "no alarm is called \(TerminalText.quoted(id))")
    }
    return nil
  }

  private static func status(_ agent: Agent) -> [Variant.Entry] {
    let overview = agent.overview
    return [
      Variant.Entry("ringing", .dictionaries(overview.ringing)),
      Variant.Entry("next", .dictionary(overview.next)),
      Variant.Entry("alarms", .dictionaries(overview.alarms)),
      Variant.Entry("missed", .dictionaries(overview.missed)),
      Variant.Entry("timers", .dictionaries([])),
      Variant.Entry("stopwatch", .dictionary([])),
      Variant.Entry("clocks", .dictionaries([])),
      Variant.Entry("agent", .dictionary(agent.identity)),
    ]
  }
}

extension Bus.Call {
  func fail(_ failure: BusService.Failure, _ message: String) {
    fail(failure.errorName, message)
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// `org.belfry.Belfry1`: the agent for other programs, the command line among them. Arguments are
// checked here; wrong ones get a named error and change nothing. Next: `BusEdits.swift`,
// `BusMoves.swift` and `BusTimers.swift`, which have the other methods.

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
    try bus.export(interface(methods.map { $0.answered(for: agent) }), at: BusInterface.path)
    agent.onChange = {
      bus.emit("Changed", of: BusInterface.interface, at: BusInterface.path)
    }
  }

  static let methods = general + moves + edits + timers

  private static func interface(_ methods: [Bus.Method]) -> Bus.Interface {
    let change = "Something that Status tells is other than before."
    return Bus.Interface(
      BusInterface.interface, methods, signals: [Bus.Signal("Changed", about: change)])
  }

  /// The interface as it is published.
  static var xml: String {
    """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    <node name="\(BusInterface.path)">
      <!--
        The alarm clock agent. Errors are org.belfry.Error.NotFound, .NotRinging, .Ringing, \
    .NoSnooze,
        .NothingToCome, .NotRunning, .AlreadyRunning, .Ambiguous, .TooMany, .NotEdited, .NotSaved
        (it is done, but cannot be remembered: a restart takes it back) and .InvalidArgument.
        A moment "x" comes twice: RFC 3339 with the offset of its zone, and as "x_epoch" (x), the
        seconds since 1970-01-01T00:00:00Z; of "at" these are "epoch". Text is English. Alarms and
        timers never share an id. A call of more than 65536 bytes is not read:
        org.freedesktop.DBus.Error.LimitsExceeded. A label has 1000 bytes at most.
      -->
    \(interface(methods.map(\.method)).xml)
    </node>

    """
  }

  /// What there is, what rings, and what comes.
  static let general = [
    BusMethod(
      "Status", gives: "a{sv} status",
      """
      Everything there is to know: "ringing" (aa{sv}), "next" (a{sv}, empty where nothing is to
      come), "alarms" (aa{sv}, by time of day), "pauses" (aa{sv}, those that take the next ring of
      an alarm), "missed" (aa{sv}), "timers" (aa{sv}), "stopwatch" (a{sv}), "clocks" (aa{sv}, in
      the order of the config) and "agent" (a{sv}).
      A clock has "label", "city" and "country" if it is a city's, "timezone", "at" (the time
      there), "offset" (x, seconds ahead of here), "relative_day" ("yesterday", "today",
      "tomorrow", "in 2 days", "2 days ago"), and "sunrise" and "sunset", or "sun", which is "up"
      or "down" all day.
      "agent" has "alarm_count" (x), how many alarms there are; of more than 500 there are here
      those that ring or are snoozed and the 500 that ring next.
      """
    ) { call, agent in
      let status = agent.overview.status(of: agent.identity, alarmsAtMost: BusInterface.mostAlarms)
      call.reply(status)
    },
    BusMethod(
      "Alarms", takes: "u first, u count", gives: "aa{sv} alarms",
      """
      Alarms as Status tells them, but in the order of the config: 1 to 500 behind the first so
      many, fewer where it ends.
      """, answer: alarms),
    BusMethod(
      "Agent", gives: "a{sv} agent",
      """
      What Status has under "agent".
      """
    ) { call, agent in call.reply(agent.identity) },
    BusMethod(
      "Stop", takes: "s id", gives: "aa{sv} stopped", waits: false,
      """
      Stops the alarm or timer with this id, ringing or snoozed; "" stops all that are ringing or,
      if none is, says yes to all alarms that ask whether the user is up, as an id does to one.
      Answers "id", "label", "kind" ("alarm" or "timer") and "state" ("stopped") of each.
      """, answer: stop),
    BusMethod(
      "Snooze", takes: "s id, x seconds", gives: "aa{sv} snoozed", waits: false,
      """
      Snoozes the alarm or timer with this id, ringing or snoozed, from now on; "" snoozes all that
      are ringing and can be snoozed.
      seconds: 1 to 31622400, or 0 for the first of its own lengths. Answers as Stop does, with
      "state" ("snoozed") and "snoozed_until".
      """, answer: snooze),
    BusMethod(
      "Rehearse", takes: "s id", gives: "a{sv} alarm, x seconds",
      """
      Rings this alarm now as it will ring, for that many seconds unless it is stopped; nothing is
      remembered of it. Fails with org.belfry.Error.Ringing if something is ringing.
      """, answer: rehearse),
    BusMethod(
      "SearchCities", takes: "s text, u count", gives: "aa{sv} cities",
      """
      Cities by the beginning of a name or of a word in it, in English, Korean or the language of
      the place, by Korean initial consonants, by country, region or zone; the best match first,
      then the most populous. count: at most so many, 1 to 1000. Each has "city", which is what
      the config takes, "name", "korean", "local", "region", "country", "country_code",
      "population" (x), "latitude" and "longitude" (d), and "timezone", "at", "offset" and
      "relative_day" as clocks have them.
      """, answer: search),
    BusMethod(
      "AcknowledgeMissed", gives: "aa{sv} missed",
      "The user has seen what was missed. Answers what Status had under \"missed\"."
    ) { call, agent in
      let missed = agent.overview.missed
      agent.apply(.acknowledgeMissed) { call.reply(missed, unless: $0) }
    },
    BusMethod(
      "History", takes: "u count", gives: "aa{sv} rings",
      """
      The last rings, the latest last, as `belfry history` with its option for JSON tells them.
      count: 1 to 10000. Fails with org.belfry.Error.Unreadable where the file does.
      """, answer: BusHistory.answer),
    BusMethod(
      "Check", gives: "aa{sv} checks",
      """
      Would an alarm be heard? What the agent looks at by itself before a ring, as checks with
      "name", "state" ("ok", "warning", "error": it would not be, or "unknown"), "message" and,
      where there is one, "fix". Takes seconds.
      """
    ) { call, agent in agent.checkup.answer(call) },
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

  /// Gives an answer to what rings under `id`, or to all that rings, and replies when it is done.
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
      guard !rings.isEmpty else { throw Refusal(.notRinging, tr("nothing rings")) }
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
        tr("\(ring.id) is only rehearsed")
      } else if ring.settings.snooze.isEmpty {
        tr("\(ring.id) takes no snooze (snooze = [])")
      } else {
        tr("\(ring.id) takes no more snoozes (snoozes = \(ring.settings.snoozes))")
      }
    return complaint(problem, hint: Message("belfry stop \(ring.id) ends it"))
  }

  private static func rehearse(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    guard let alarm = agent.configuration.alarms.first(where: { $0.id == call.id }) else {
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

  /// Beside the main loop: it reads a file.
  private static func search(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    guard let count = call.uint32(1), (1...1000).contains(count) else {
      throw Refusal(.invalidArgument, tr("a search takes 1 to 1000 as its count"))
    }
    let locations = agent.locations
    Worker.once("reader") {
      let cities = CityFile(locations).search(call.text, count: Int(count))
      Worker.onMain {
        guard let cities else { return call.fail(.notFound, tr("the table of cities is missing")) }
        call.reply([.dictionaries(cities.map(agent.overview.found))])
      }
    }
  }

  static func entry(_ id: String, _ agent: Agent) throws(Refusal) -> Schedule.Entry {
    if let entry = agent.schedule.entry(id) { return entry }
    if agent.configuration.alarms.contains(where: { $0.id == id }) {
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
  /// The first argument as an id, of as many bytes as one can have at most, and one more: to
  /// compare two texts, each letter is taken apart, and one may have thousands of marks.
  var id: String {
    text.utf8.count <= Identity.mostBytes
      ? text : String(decoding: text.utf8.prefix(Identity.mostBytes + 1), as: UTF8.self)
  }
}

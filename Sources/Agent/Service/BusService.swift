// SPDX-License-Identifier: GPL-3.0-or-later
//
// `org.belfry.Belfry1`: the agent's interface for other programs, including the command `belfry`.
// Arguments are checked here; a call with wrong arguments fails with a named error and changes
// nothing. Next: `BusEdits.swift`, `BusMoves.swift` and `BusTimers.swift`, for the other methods.

import Bus
import Configuration
import Files
import Language
import Persistence
import Presentation
import Scheduling
import System

enum BusService {
  /// Answers calls for `agent`, and emits `Changed` when its status changes.
  static func serve(_ agent: Agent) throws(BusError) {
    try agent.bus.export(interface(methods.map { $0.answered(for: agent) }), at: BusInterface.path)
    agent.onChange = { [bus = agent.bus] in
      bus.emit("Changed", of: BusInterface.interface, at: BusInterface.path)
    }
  }

  static let methods = general + moves + edits + timers

  private static func interface(_ methods: [Bus.Method]) -> Bus.Interface {
    let change = """
      Something that Status shows has changed, other than the time that a timer or the stopwatch has
      been running.
      """
    return Bus.Interface(
      BusInterface.interface, methods, signals: [Bus.Signal("Changed", about: change)])
  }

  /// The published description of the interface, `desktop/session/org.belfry.Belfry1.xml`.
  static var xml: String {
    """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    <node name="\(BusInterface.path)">
      <!--
        The alarm clock agent.
        A moment "x" has two keys: "x", in RFC 3339 with the offset of its zone, and "x_epoch" (x),
        in seconds since 1970-01-01T00:00:00Z. The moment "at" has "epoch" instead of "at_epoch".
        Text is English, whatever the locale of the agent. An alarm and a timer never have the same
        id. A label has at most 1000 bytes.
        A call that fails changes nothing, except with .NotSaved. The errors are:
        org.belfry.Error.NotFound: no alarm, or no timer, has this id.
        org.belfry.Error.NotRinging: nothing is ringing or snoozed under this id, or at all; or the
        alarm is disabled.
        org.belfry.Error.NoSnooze: the ring cannot be snoozed, or not any more.
        org.belfry.Error.Ringing: there can be no rehearsal, because something is ringing or the
        alarm is snoozed.
        org.belfry.Error.NothingToCome: the alarm has no next ring.
        org.belfry.Error.NotRunning: the timer or the stopwatch is not running.
        org.belfry.Error.AlreadyRunning: the timer or the stopwatch is already running.
        org.belfry.Error.Ambiguous: there is no id in the call, and there are several timers.
        org.belfry.Error.TooMany: there are already 1000 timers, or 1000 laps.
        org.belfry.Error.InvalidArgument: an argument is out of range.
        org.belfry.Error.NotEdited: the config has an error, or cannot be written.
        org.belfry.Error.NotSaved: the call is done but could not be saved, so a restart will undo
        it.
        org.belfry.Error.Unreadable: the history cannot be read, or the check gave no result.
        org.freedesktop.DBus.Error.LimitsExceeded: the call has more than 65536 bytes.
      -->
    \(interface(methods.map(\.method)).xml)
    </node>

    """
  }

  /// The methods for the status, rings and other general questions.
  static let general = [
    BusMethod(
      "Status", gives: "a{sv} status",
      """
      Returns "ringing" (aa{sv}), "next" (a{sv}, empty if there is no upcoming ring), "alarms"
      (aa{sv}, by time of day), "pauses" (aa{sv}, those that cover the next ring of an alarm),
      "missed" (aa{sv}), "timers" (aa{sv}), "stopwatch" (a{sv}), "clocks" (aa{sv}, in the order of
      the config) and "agent" (a{sv}).
      A clock has "label", "city" and "country" if it is for a city, "timezone", "at" (the time
      there), "offset" (x, seconds ahead of here) and "relative_day" ("yesterday", "today",
      "tomorrow", "in 2 days", "2 days ago"). It also has "sunrise" and "sunset" or, if the sun
      does not rise or set there today, "sun", which is "up" or "down".
      "agent" has "alarm_count" (x), the number of alarms. If there are more than 500, "alarms" has
      those that are ringing or snoozed and the 500 that ring next.
      """
    ) { call, agent in
      let status = agent.overview.status(of: agent.identity, alarmsAtMost: BusInterface.mostAlarms)
      call.reply(status)
    },
    BusMethod(
      "Alarms", takes: "u first, u count", gives: "aa{sv} alarms",
      """
      Returns alarms as Status shows them, but in the order of the config. first: how many to pass
      over. count: 1 to 500; fewer are returned at the end of the config.
      """, answer: alarms),
    BusMethod(
      "Agent", gives: "a{sv} agent",
      """
      Returns what Status has under "agent".
      """
    ) { call, agent in call.reply(agent.identity) },
    BusMethod(
      "Stop", takes: "s id", gives: "aa{sv} stopped", waits: false,
      """
      Stops the alarm or timer with this id, which may be ringing or snoozed. If the alarm is asking
      whether the user is up, answers yes. An empty id stops everything that is ringing or, if
      nothing is, answers all alarms that are asking. Returns for each "id", "label", "kind"
      ("alarm" or "timer") and "state" ("stopped").
      """, answer: stop),
    BusMethod(
      "Snooze", takes: "s id, x seconds", gives: "aa{sv} snoozed", waits: false,
      """
      Snoozes the alarm or timer with this id, which may be ringing or snoozed. An empty id snoozes
      everything that is ringing and can be snoozed. seconds: the length from now, 1 to 31622400, or
      0 for the first of its own lengths. Returns the same as Stop, with "state" ("snoozed") and
      "snoozed_until".
      """, answer: snooze),
    BusMethod(
      "Rehearse", takes: "s id", gives: "a{sv} alarm, x seconds",
      """
      Rings this alarm now, as it will ring, and returns for how many seconds. The rehearsal is not
      saved. Status shows "rehearsal" (b) in "ringing".
      """, answer: rehearse),
    BusMethod(
      "SearchCities", takes: "s text, u count", gives: "aa{sv} cities",
      """
      Finds cities by the beginning of a name, or of a word in it, in English, Korean or the
      language of the place; also by Korean initial consonants, country, region or zone. The best
      matches come first, the most populous of these before the others. count: the maximum number
      of results, 1 to 1000. Each result has "city" (for use in the config), "name", "korean",
      "local", "region", "country", "country_code", "population" (x), "latitude" and "longitude"
      (d), and "timezone", "at", "offset" and "relative_day" as a clock has them.
      """, answer: search),
    BusMethod(
      "AcknowledgeMissed", gives: "aa{sv} missed",
      "Acknowledges all missed rings. Returns what Status had under \"missed\"."
    ) { call, agent in
      let missed = agent.overview.missed
      agent.apply(.acknowledgeMissed) { call.reply(missed, unless: $0) }
    },
    BusMethod(
      "History", takes: "u count", gives: "aa{sv} rings",
      """
      Returns the last rings, the latest last, with the same keys as the JSON of `belfry history`.
      count: 1 to 10000. Fails with org.belfry.Error.Unreadable if the file cannot be read.
      """, answer: history),
    BusMethod(
      "Check", gives: "aa{sv} checks",
      """
      Checks whether an alarm would be heard, as the agent does by itself before a ring. This takes
      some seconds. Each check has "name", "state" ("ok", "warning", "error" or "unknown"),
      "message" and, if there is one, "fix". "error" means that an alarm would not be heard.
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

  /// Applies an event to the ring that the call names, or to all rings if it names none, then
  /// replies.
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

  private static func history(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    guard let count = call.uint32(0), (1...10_000).contains(count) else {
      throw Refusal(.invalidArgument, "1 to 10000 lines can be asked for")
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
  /// The first argument as an id. A text that is too long for an id is cut to just above the
  /// maximum length, because comparing a long text with all ids would take long.
  var id: String {
    text.utf8.count <= Identity.mostBytes
      ? text : String(decoding: text.utf8.prefix(Identity.mostBytes + 1), as: UTF8.self)
  }
}

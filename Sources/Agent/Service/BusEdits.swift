// SPDX-License-Identifier: GPL-3.0-or-later
//
// The methods of the bus that change alarms and clocks. Some edit the config: the file is written
// on another thread, and the reply comes when the change has taken effect. Others skip or move
// upcoming rings, or undo that. Next: `AlarmEdits.swift`, which edits the text, and `Moves.swift`
// in the core, which decides what happens to the rings.

import Bus
import Configuration
import Files
import Language
import Presentation
import Scheduling
import Synchronization
import System
import TOML

extension BusService {
  static let edits = [
    BusMethod("Identify", takes: "s key", turn: .now) { call, agent in agent.callers.remember(call)
    },
    BusMethod(
      "AddAlarm", takes: "a{sv} settings", gives: "s id",
      answer: edit { editor, call throws(ConfigEditor.Failure) in
        let settings = try settings(call.arguments.first, isNew: true, in: editor.context)
        return .string(try editor.add(settings).ids.first ?? "")
      }),
    BusMethod(
      "EditAlarm", takes: "s id, a{sv} settings", gives: "s now",
      answer: edit { editor, call throws(ConfigEditor.Failure) in
        let settings = try settings(call.arguments.last, isNew: false, in: editor.context)
        return .string(try editor.change(call.text, settings).ids.first ?? "")
      }),
    BusMethod(
      "RemoveAlarms", takes: "as ids", gives: "as removed",
      answer: edit { editor, call throws(ConfigEditor.Failure) in
        .strings(try editor.remove(ids(call)).ids)
      }),
    BusMethod(
      "SetEnabled", takes: "as ids, b enabled", gives: "as changed",
      answer: edit { editor, call throws(ConfigEditor.Failure) in
        .strings(try editor.setEnabled(ids(call), call.arguments.last?.boolean ?? true).ids)
      }),
    BusMethod(
      "AddClock", takes: "s city, s label", gives: "s name",
      answer: edit { editor, call throws(ConfigEditor.Failure) in
        let label = call.arguments.last?.string.flatMap { $0.isEmpty ? nil : $0 }
        let added = try editor.addClock(call.text, label: label)
        return .string(added.meant.first?.name ?? "")
      }),
    BusMethod(
      "RemoveClock", takes: "s name", gives: "as removed",
      answer: edit { editor, call throws(ConfigEditor.Failure) in
        .strings(try editor.removeClocks(call.text).meant.map(\.name))
      }),
    BusMethod(
      "MoveClock", takes: "s name, u place", gives: "s moved",
      answer: edit { editor, call throws(ConfigEditor.Failure) in
        let moved = try editor.moveClock(call.text, to: Int(call.uint32(1) ?? 0))
        return .string(moved.meant.first?.name ?? "")
      }),
  ]

  private nonisolated static func ids(_ call: Bus.Call) throws(ConfigEditor.Failure) -> [String] {
    if call.texts.isEmpty { throw .refused(tr("no alarm was given")) }
    return call.texts
  }

  /// Returns a handler that changes the config and replies with the names of alarms or clocks.
  private static func edit(
    _ edit:
      @escaping @Blocking @Sendable (ConfigEditor, Bus.Call) throws(ConfigEditor.Failure) -> Variant
  ) -> BusMethod.Handler {
    { call, agent in
      let before = agent.overview
      agent.edit { editor throws(ConfigEditor.Failure) in
        let revised = Mutex<ConfigEditor.Revision?>(nil)
        var editor = editor
        editor.onRevised = { revision in revised.withLock { $0 = revision } }
        return (try edit(editor, call), revised.withLock { $0 })
      } then: { result in
        switch result {
        case .success(let (names, revision)):
          call.reply([names])
          announce(call, agent, names, revision, before)
        case .failure(let failure): call.fail(failure.onBus, "\(failure)")
        }
      }
    }
  }

  /// Shows a notification about an edit that another program made, if it may make an alarm ring
  /// less often or at another time, or has added an alarm. `before` is how alarms stood before.
  private static func announce(
    _ call: Bus.Call, _ agent: Agent, _ names: Variant, _ revision: ConfigEditor.Revision?,
    _ before: Overview
  ) {
    guard let revision else { return }
    let (id, ids) = (names.string ?? "", names.strings ?? [])
    agent.callers.ifForeign(call) {
      switch call.member {
      case "AddAlarm": agent.reportAdded(id)
      case "EditAlarm":
        let alarm = agent.overview.alarm(id).map { [$0] } ?? []
        agent.reportEdit(tr("Alarm changed"), alarm, revision)
      case "RemoveAlarms":
        agent.reportEdit(
          ids.count == 1 ? tr("Alarm removed") : tr("Alarms removed"),
          ids.compactMap { before.alarm($0) }, revision)
      case "SetEnabled" where call.arguments.last?.boolean == false:
        agent.reportEdit(
          ids.count == 1 ? tr("Alarm switched off") : tr("Alarms switched off"),
          ids.compactMap { before.alarm($0) }, revision)
      default: break
      }
    }
  }

  /// Reads the settings of an alarm from a call. If the call has a list `unset`, the list names the
  /// settings to remove.
  private nonisolated static func settings(
    _ values: Variant?, isNew: Bool, in context: ReadingContext
  ) throws(ConfigEditor.Failure) -> [ConfigEditor.Setting] {
    guard case .dictionary(let entries)? = values else { return [] }
    var settings: [ConfigEditor.Setting] = []
    for entry in entries {
      if entry.key == "unset", !isNew, let keys = entry.value.strings {
        if keys.contains("time") { throw .refused(tr("an alarm needs a time")) }
        settings += keys.map { ConfigEditor.Setting(removing: $0) }
      } else {
        settings.append(try setting(entry, in: context))
      }
    }
    for setting in settings {
      try check(setting.key)
      if let refusal = CallerPolicy.refusal(of: setting) { throw .refused(tr(refusal)) }
    }
    guard Set(settings.map(\.key)).count == settings.count else {
      throw .refused(tr("a key is given twice"))
    }
    if settings.isEmpty, !isNew { throw .refused(tr("there is nothing to change")) }
    return settings
  }

  private nonisolated static func check(_ key: String) throws(ConfigEditor.Failure) {
    guard !SettingText.keys.contains(key) else { return }
    let problem = Message("there is no alarm setting \(TerminalText.quoted(key))")
    let near = nearMatch(to: key, among: SettingText.keys).map(Message.didYouMean)
    throw .refused(tr(Message(joining: [problem, near].compactMap(\.self), by: ": ")))
  }

  private nonisolated static func setting(
    _ entry: Variant.Entry, in context: ReadingContext
  ) throws(ConfigEditor.Failure) -> ConfigEditor.Setting {
    switch entry.value {
    case .string(let text): SettingText.setting(entry.key, [text], context.weekdays)
    case .array(of: "s", _):
      SettingText.setting(entry.key, list: entry.value.strings ?? [], context.weekdays)
    case .boolean(let flag): ConfigEditor.Setting(entry.key, flag: flag)
    case .int32(let number): ConfigEditor.Setting(entry.key, number: Int64(number))
    case .uint32(let number): ConfigEditor.Setting(entry.key, number: Int64(number))
    case .int64(let number): ConfigEditor.Setting(entry.key, number: number)
    case .double, .path, .boxed, .dictionary, .tuple, .array, .unknown:
      throw .refused(tr("\(entry.key) has a value of a type that no setting takes"))
    }
  }
}

extension ConfigEditor.Failure {
  fileprivate var onBus: BusInterface.Failure {
    switch self {
    case .missing: .notFound
    case .invalid, .refused: .invalidArgument
    case .config, .file, .busy: .notEdited
    }
  }
}

extension Agent {
  private static let edits = Worker(name: "edits")

  /// Changes the config on another thread. If `isTrial` is true, writes nothing, and only finds out
  /// whether the change would be accepted. Calls `done` with the result: after a change, when the
  /// agent has read the changed config; after a trial or an error, at once.
  func edit<Value: Sendable>(
    isTrial: Bool = false,
    _ change:
      @escaping @Blocking @Sendable (ConfigEditor) throws(ConfigEditor.Failure) -> Value,
    then done: @escaping @MainActor @Sendable (Result<Value, ConfigEditor.Failure>) -> Void
  ) {
    var editor = ConfigEditor(
      locations, name: locations.config, state: schedule.state, now: Clock.now())
    editor.isTrial = isTrial
    Self.edits.perform { [editor] in
      let result = Result { () throws(ConfigEditor.Failure) in try change(editor) }
      Worker.onMain { [self] in
        guard !isTrial, case .success = result else { return done(result) }
        config?.read { done(result) }
      }
    }
  }
}

extension BusService {
  static let moves = [
    BusMethod("Skip", takes: "s id", gives: "a{sv} alarm", answer: skip),
    BusMethod("SkipMany", takes: "s id, u count, s until", gives: "a{sv} alarm", answer: skipMany),
    BusMethod("Move", takes: "s id, s time", gives: "a{sv} alarm", answer: move),
    BusMethod("Unskip", takes: "s id", gives: "a{sv} alarm", answer: unskip),
  ]

  static func skip(_ call: Bus.Call, _ agent: Agent) throws(BusRefusal) {
    _ = try coming(call, agent)
    skip(.next(1), call, agent)
  }

  private static func skip(_ rings: SkippedRings, _ call: Bus.Call, _ agent: Agent) {
    changeRings(call, agent, .skip(call.id, rings))
  }

  static func skipMany(_ call: Bus.Call, _ agent: Agent) throws(BusRefusal) {
    let entry = try coming(call, agent).entry
    let (count, text) = (Int(call.uint32(1) ?? 0), call.arguments.last?.string ?? "")
    let rings: SkippedRings
    if (1...1000).contains(count), text.isEmpty {
      rings = .next(count)
    } else if count == 0, let date = CivilDate(text) {
      rings = .through(date)
    } else {
      throw BusRefusal(
        .invalidArgument, tr("give a count from 1 to 1000, or a date such as 2026-12-24"))
    }
    guard entry.skipping(rings, in: agent.zones) != nil else {
      throw BusRefusal(.nothingToCome, tr("\(call.id) has no ring up to \(text)"))
    }
    skip(rings, call, agent)
  }

  static func unskip(_ call: Bus.Call, _ agent: Agent) throws(BusRefusal) {
    let (entry, next) = try coming(call, agent)
    let (now, wording) = (Clock.now().wall, agent.wording)
    if let before = next.movedFrom, before <= now, !entry.isSkipped {
      let (moment, past) = (
        wording.moment(next.due, .given, seenFrom: now),
        wording.moment(before, .given, seenFrom: now)
      )
      throw BusRefusal(
        .nothingToCome, tr("\(call.id) rings \(moment): its own time, \(past), is past"))
    }
    change(call, agent, .unskip(call.id))
  }

  static func move(_ call: Bus.Call, _ agent: Agent) throws(BusRefusal) {
    let (entry, text) = (try entry(call.id, agent), call.arguments.last?.string ?? "")
    guard let time = TimeText.parse(text) else {
      throw BusRefusal(
        .invalidArgument,
        tr("\(TerminalText.quoted(text)) is no time of day: write it as 15:30 or 3:30 pm."))
    }
    do throws(MoveFault) {
      _ = try entry.nextMoved(to: time, at: Clock.now().wall, in: agent.zones)
      changeRings(call, agent, .move(call.id, time))
    } catch {
      let words: String =
        switch error {
        case .nothingToCome: tr("\(call.id) has no upcoming ring")
        case .excepted(let date): tr("\(call.id) does not ring on \(date), which is left out")
        case .paused(let date): tr("\(call.id) does not ring on \(date), which is in a pause")
        case .ended(let date): tr("\(call.id) does not ring after \(date), its last day")
        }
      throw BusRefusal(.nothingToCome, words)
    }
  }

  /// Skips or moves rings, and shows a notification about it if another program asked for that.
  private static func changeRings(_ call: Bus.Call, _ agent: Agent, _ event: Event) {
    agent.change(call.id, event) {
      changed(call, agent, $0)
    } _: { report in
      agent.callers.ifForeign(call, report)
    }
  }

  private static func change(_ call: Bus.Call, _ agent: Agent, _ event: Event) {
    agent.apply(event) { changed(call, agent, $0) }
  }

  private static func changed(_ call: Bus.Call, _ agent: Agent, _ problem: FileError?) {
    call.reply([.dictionary(agent.overview.alarm(call.id)?.entries ?? [])], unless: problem)
  }

  private static func coming(
    _ call: Bus.Call, _ agent: Agent
  ) throws(BusRefusal) -> (entry: Schedule.Entry, next: Occurrence) {
    let entry = try entry(call.id, agent)
    guard let next = entry.next else {
      let isPaused = entry.pausedRing(at: Clock.now().wall, in: agent.zones) != nil
      throw BusRefusal(
        .nothingToCome,
        isPaused
          ? complaint(
            tr("\(call.id) is paused and does not ring before the pause ends"),
            hint: Message("belfry pause shows the pauses"))
          : tr("\(call.id) has no upcoming ring"))
    }
    return (entry, next)
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// The methods of the bus that change alarms and clocks. Some edit the config: the file is written
// on another thread, and the reply comes when the change has taken effect. Others skip or move
// upcoming rings, or undo that. Next: `EditOperations.swift` and `RingOperations.swift`.

import Bus
import Configuration
import Files
import Language
import Presentation
import Scheduling
import System
import TOML

extension BusService {
  static let edits = [
    BusMethod("Identify", takes: "s key", turn: .now) { call, agent in
      agent.changes.callers.remember(call)
    },
    BusMethod(
      "AddAlarm", takes: "a{sv} settings", gives: "s id",
      answer: edit { call, context throws(ConfigEditor.Failure) in
        .add(try settings(call.arguments.first, isNew: true, in: context))
      }),
    BusMethod(
      "EditAlarm", takes: "s id, a{sv} settings", gives: "s now",
      answer: edit { call, context throws(ConfigEditor.Failure) in
        .change(call.text, try settings(call.arguments.last, isNew: false, in: context))
      }),
    BusMethod(
      "RemoveAlarms", takes: "as ids", gives: "as removed",
      answer: edit(givesList: true) { call, _ throws(ConfigEditor.Failure) in
        .remove(try ids(call))
      }),
    BusMethod(
      "SetEnabled", takes: "as ids, b enabled", gives: "as changed",
      answer: edit(givesList: true) { call, _ throws(ConfigEditor.Failure) in
        .setEnabled(try ids(call), call.arguments.last?.boolean ?? true)
      }),
    BusMethod(
      "AddClock", takes: "s city, s label", gives: "s name",
      answer: edit { call, _ in
        let label = call.arguments.last?.string.flatMap { $0.isEmpty ? nil : $0 }
        return .addClock(call.text, label: label)
      }),
    BusMethod(
      "RemoveClock", takes: "s name", gives: "as removed",
      answer: edit(givesList: true) { call, _ in .removeClocks(call.text) }),
    BusMethod(
      "MoveClock", takes: "s name, u place", gives: "s moved",
      answer: edit { call, _ in .moveClock(call.text, to: Int(call.uint32(1) ?? 0)) }),
  ]

  private nonisolated static func ids(_ call: Bus.Call) throws(ConfigEditor.Failure) -> [String] {
    if call.texts.isEmpty { throw .refused(tr("no alarm was given")) }
    return call.texts
  }

  /// Returns a handler that changes the config and replies with the names of alarms or clocks.
  /// `request` reads the change from the call, with the settings of the config at hand.
  private static func edit(
    givesList: Bool = false,
    _ request:
      @escaping @Sendable (Bus.Call, ReadingContext) throws(ConfigEditor.Failure) ->
      ConfigEdit
  ) -> BusMethod.Handler {
    { call, agent in
      let before = agent.overview
      agent.edit { context throws(ConfigEditor.Failure) in
        try request(call, context)
      } then: { result in
        switch result {
        case .success(let edited):
          call.reply([
            givesList ? .strings(edited.names) : .string(edited.names.first ?? "")
          ])
          agent.changes.callers.ifForeign(call) { agent.announce(edited, before) }
        case .failure(let failure): call.fail(failure.onBus, "\(failure)")
        }
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
    case .double, .path, .boxed, .dictionary, .tuple, .entry, .array, .unknown:
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

extension BusService {
  static let moves = [
    BusMethod("Skip", takes: "s id", gives: "a{sv} alarm", answer: skip),
    BusMethod("SkipMany", takes: "s id, u count, s until", gives: "a{sv} alarm", answer: skipMany),
    BusMethod("Move", takes: "s id, s time", gives: "a{sv} alarm", answer: move),
    BusMethod("Unskip", takes: "s id", gives: "a{sv} alarm", answer: unskip),
  ]

  private static func skip(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    changeRings(call, agent, try agent.skipping(call.id))
  }

  private static func skipMany(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    let (count, last) = (Int(call.uint32(1) ?? 0), call.arguments.last?.string ?? "")
    changeRings(call, agent, try agent.skipping(call.id, count: count, last: last))
  }

  private static func unskip(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    agent.apply(try agent.unskipping(call.id)) { changed(call, agent, $0) }
  }

  private static func move(_ call: Bus.Call, _ agent: Agent) throws(Refusal) {
    let text = call.arguments.last?.string ?? ""
    changeRings(call, agent, try agent.moving(call.id, to: text))
  }

  /// Skips or moves rings, and shows a notification about it if another program asked for that.
  private static func changeRings(_ call: Bus.Call, _ agent: Agent, _ event: Event) {
    agent.change(call.id, event) {
      changed(call, agent, $0)
    } _: { report in
      agent.changes.callers.ifForeign(call, report)
    }
  }

  private static func changed(_ call: Bus.Call, _ agent: Agent, _ problem: FileError?) {
    call.reply([.dictionary(agent.overview.alarm(call.id)?.entries ?? [])], unless: problem)
  }
}

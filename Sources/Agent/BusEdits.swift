// SPDX-License-Identifier: GPL-3.0-or-later
//
// The methods of the bus that change the config: another program's user wants an alarm added or
// changed. The file is written on a thread, and the reply comes once the agent goes by what it says
// now. Next: `AlarmEdits.swift`.

import Bus
import Configuration
import Files
import Language
import Presentation
import Scheduling
import System

extension BusService {
  private static let worker = Worker(name: "edits")
  /// How many may wait for theirs: each takes as long as the disk does, and is made after the others.
  private static let mostEdits = 30
  private static var edits = 0

  /// Answers a call that edits the config; false where it is another.
  static func edit(_ call: Bus.Call, _ agent: Agent) -> Bool {
    let first = call.arguments.first
    let ids = first?.strings ?? []
    switch call.member {
    case "AddAlarm":
      change(call, agent, first, isNew: true) { editor, settings throws(ConfigEditor.Failure) in
        try editor.add(settings)
      }
    case "EditAlarm":
      let id = first?.string ?? ""
      change(call, agent, call.arguments.last, isNew: false) {
        editor, settings throws(ConfigEditor.Failure) in try editor.change(id, settings)
      }
    case "RemoveAlarms" where !ids.isEmpty:
      perform(call, agent, areMany: true, areRemoved: true) {
        editor throws(ConfigEditor.Failure) in try editor.remove(ids).ids
      }
    case "Forget" where admits(call):
      agent.readConfig {
        edits -= 1
        agent.apply(.removed(ids)) { call.reply(unless: $0) }
      }
    case "Forget": break
    case "SetEnabled" where !ids.isEmpty:
      let flag = call.arguments.last?.boolean ?? true
      perform(call, agent, areMany: true) { editor throws(ConfigEditor.Failure) in
        try editor.setEnabled(ids, flag).ids
      }
    case "RemoveAlarms", "SetEnabled": call.fail(.invalidArgument, tr("no alarm is named"))
    default: return editClocks(call, agent, first?.string ?? "")
    }
    return true
  }

  private static func editClocks(_ call: Bus.Call, _ agent: Agent, _ name: String) -> Bool {
    switch call.member {
    case "AddClock":
      let label = call.arguments.last?.string ?? ""
      perform(call, agent, areMany: false) { editor throws(ConfigEditor.Failure) in
        try editor.addClock(name, label: label.isEmpty ? nil : label).meant.map(\.name)
      }
    case "RemoveClock":
      perform(call, agent, areMany: true) { editor throws(ConfigEditor.Failure) in
        try editor.removeClocks(name).meant.map(\.name)
      }
    case "MoveClock":
      guard case .uint32(let place)? = call.arguments.last else { return false }
      perform(call, agent, areMany: false) { editor throws(ConfigEditor.Failure) in
        try editor.moveClock(name, to: Int(place)).meant.map(\.name)
      }
    default: return false
    }
    return true
  }

  private static func change(
    _ call: Bus.Call, _ agent: Agent, _ values: Variant?, isNew: Bool,
    _ edit:
      @escaping @Sendable (ConfigEditor, [ConfigEdit.Setting]) throws(ConfigEditor.Failure)
      -> ConfigEditor.Outcome
  ) {
    guard case .dictionary(let entries)? = values else { return }
    perform(call, agent, areMany: false) { editor throws(ConfigEditor.Failure) in
      let settings = try settings(entries, isNew: isNew, in: editor.context)
      return try edit(editor, settings).ids
    }
  }

  /// Makes the edit, and replies with what its alarms or clocks are called.
  private static func perform(
    _ call: Bus.Call, _ agent: Agent, areMany: Bool, areRemoved: Bool = false,
    _ edit: @escaping @Sendable (ConfigEditor) throws(ConfigEditor.Failure) -> [String]
  ) {
    guard admits(call) else { return }
    let editor = ConfigEditor(
      agent.locations, name: agent.locations.config, state: agent.schedule.state, now: Clock.now())
    let reply: @MainActor @Sendable (Result<[String], ConfigEditor.Failure>) -> Void = { result in
      switch result {
      case .success(let ids):
        agent.readConfig {
          edits -= 1
          if areRemoved { agent.apply(.removed(ids)) }
          call.reply([areMany ? .strings(ids) : .string(ids.first ?? "")])
        }
      case .failure(let failure):
        edits -= 1
        call.fail(failure.onBus, "\(failure)")
      }
    }
    worker.perform {
      let result = Result { () throws(ConfigEditor.Failure) in try edit(editor) }
      Worker.onMain { reply(result) }
    }
  }

  /// Whether there is room for one more edit; where there is none, the call is answered.
  private static func admits(_ call: Bus.Call) -> Bool {
    guard edits < mostEdits else {
      call.fail(.tooMany, tr("\(edits) edits are waiting already: try again"))
      return false
    }
    edits += 1
    return true
  }

  /// The keys of an alarm as the config has them; `unset` lists those to be taken out.
  private nonisolated static func settings(
    _ entries: [Variant.Entry], isNew: Bool, in context: ReadingContext
  ) throws(ConfigEditor.Failure) -> [ConfigEdit.Setting] {
    var settings: [ConfigEdit.Setting] = []
    for entry in entries {
      if entry.key == "unset", !isNew, let keys = entry.value.strings {
        for key in keys {
          guard key != "time" else { throw .refused(tr("an alarm needs its time")) }
          try check(key)
          settings.append(ConfigEdit.Setting(key, .unset))
        }
        continue
      }
      try check(entry.key)
      settings.append(try setting(entry, in: context))
    }
    guard Set(settings.map(\.key)).count == settings.count else {
      throw .refused(tr("a key is there twice"))
    }
    if settings.isEmpty, !isNew { throw .refused(tr("there is nothing to change")) }
    return settings
  }

  private nonisolated static func check(_ key: String) throws(ConfigEditor.Failure) {
    guard !SettingText.keys.contains(key) else { return }
    let problem = Message("an alarm has no key \(TerminalText.quoted(key))")
    let near = nearMatch(to: key, among: SettingText.keys).map(Message.didYouMean)
    throw .refused(tr(Message(joining: [problem, near].compactMap(\.self), by: ": ")))
  }

  private nonisolated static func setting(
    _ entry: Variant.Entry, in context: ReadingContext
  ) throws(ConfigEditor.Failure) -> ConfigEdit.Setting {
    switch entry.value {
    case .string(let text): SettingText.setting(entry.key, [text], in: context)
    case .strings(let texts): SettingText.setting(entry.key, list: texts, in: context)
    case .boolean(let flag): ConfigEdit.Setting(entry.key, flag: flag)
    case .int32(let number): ConfigEdit.Setting(entry.key, number: Int64(number))
    case .uint32(let number): ConfigEdit.Setting(entry.key, number: Int64(number))
    case .int64(let number): ConfigEdit.Setting(entry.key, number: number)
    case .double, .path, .boxed, .dictionary, .dictionaries, .tuple, .array, .unknown:
      throw .refused(tr("\(entry.key) has a value of a type that no setting has"))
    }
  }
}

extension ConfigEditor.Failure {
  fileprivate var onBus: BusInterface.Failure {
    switch self {
    case .notFound, .missing: .notFound
    case .taken, .invalid, .neverRings, .confused, .refused: .invalidArgument
    case .config, .file, .busy: .notEdited
    }
  }
}

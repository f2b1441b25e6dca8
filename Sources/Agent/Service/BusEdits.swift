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
import TOML

extension BusService {
  private static let worker = Worker(name: "edits")

  /// What changes the config.
  static let edits = [
    BusMethod(
      "AddAlarm", takes: "a{sv} settings", gives: "s id",
      """
      Writes an alarm to the config. The keys are the config's, with values of type s, as, b, i, u
      or x: "time" (as in "7:30"), "days", "date" (as in "2026-12-24"), "except" and so on. Commands
      ("on_ring", "on_stop", "on_before"), "device" and paths are refused, with .InvalidArgument:
      "sound" is a name, "except" has days only. Answers its id. This and the next three answer
      once they have taken effect; where the config has a mistake or cannot be written, with
      .NotEdited.
      """,
      answer: edit { editor, call throws(ConfigEditor.Failure) in
        let settings = try settings(call.arguments.first, isNew: true, in: editor.context)
        return .string(try editor.add(settings).ids.first ?? "")
      }),
    BusMethod(
      "EditAlarm", takes: "s id, a{sv} settings", gives: "s now",
      """
      Changes these keys of an alarm; "unset" (as) lists keys to take out. Answers its id, which is
      another where it comes from a label or a time that was changed.
      """,
      answer: edit { editor, call throws(ConfigEditor.Failure) in
        let settings = try settings(call.arguments.last, isNew: false, in: editor.context)
        return .string(try editor.change(call.text, settings).ids.first ?? "")
      }),
    BusMethod(
      "RemoveAlarms", takes: "as ids", gives: "as removed",
      "Takes alarms out of the config, all of them or none.",
      answer: edit { editor, call throws(ConfigEditor.Failure) in
        .strings(try editor.remove(ids(call)).ids)
      }),
    BusMethod(
      "Forget", takes: "as ids",
      """
      The user has taken these alarms out of the config: what rings of them ends at once, and not
      half a minute later. An alarm that is there stays.
      """
    ) { call, agent in
      agent.readConfig { agent.apply(.removed(call.texts)) { call.reply(unless: $0) } }
    },
    BusMethod(
      "SetEnabled", takes: "as ids, b enabled", gives: "as changed",
      "Switches alarms on or off; one that rings once and is over gets its next date.",
      answer: edit { editor, call throws(ConfigEditor.Failure) in
        .strings(try editor.setEnabled(ids(call), call.arguments.last?.boolean ?? true).ids)
      }),
    BusMethod(
      "AddClock", takes: "s city, s label", gives: "s name",
      """
      Writes a clock to the config, behind the others: a city by one of its names, or a time zone;
      label may be "". Answers what the config calls it. This and the next two answer as AddAlarm
      does.
      """,
      answer: edit { editor, call throws(ConfigEditor.Failure) in
        let label = call.arguments.last?.string.flatMap { $0.isEmpty ? nil : $0 }
        let added = try editor.addClock(call.text, label: label)
        return .string(added.meant.first?.name ?? "")
      }),
    BusMethod(
      "RemoveClock", takes: "s name", gives: "as removed",
      "Takes the clocks of this label, city or time zone out of the config.",
      answer: edit { editor, call throws(ConfigEditor.Failure) in
        .strings(try editor.removeClocks(call.text).meant.map(\.name))
      }),
    BusMethod(
      "MoveClock", takes: "s name, u place", gives: "s moved",
      "Moves a clock to a place among the others, counted from 1.",
      answer: edit { editor, call throws(ConfigEditor.Failure) in
        let moved = try editor.moveClock(call.text, to: Int(call.uint32(1) ?? 0))
        return .string(moved.meant.first?.name ?? "")
      }),
  ]

  /// The alarms that a call names.
  private nonisolated static func ids(_ call: Bus.Call) throws(ConfigEditor.Failure) -> [String] {
    if call.texts.isEmpty { throw .refused(tr("no alarm is named")) }
    return call.texts
  }

  /// Makes the edit, and replies with what its alarms or clocks are called. What the call names and
  /// the config has no more is gone by the user's word, and ends at once.
  private static func edit(
    _ edit:
      @escaping @Blocking @Sendable (ConfigEditor, Bus.Call) throws(ConfigEditor.Failure) -> Variant
  ) -> BusMethod.Handler {
    { call, agent in
      let editor = ConfigEditor(
        agent.locations, name: agent.locations.config, state: agent.schedule.state, now: Clock.now()
      )
      let reply: @MainActor @Sendable (Result<Variant, ConfigEditor.Failure>) -> Void = { result in
        switch result {
        case .success(let names):
          agent.readConfig {
            agent.apply(.removed(call.texts.isEmpty ? [call.text] : call.texts))
            call.reply([names])
          }
        case .failure(let failure): call.fail(failure.onBus, "\(failure)")
        }
      }
      worker.perform {
        let result = Result { () throws(ConfigEditor.Failure) in try edit(editor, call) }
        Worker.onMain { reply(result) }
      }
    }
  }

  /// The keys of an alarm as the config has them; `unset` lists those to be taken out.
  private nonisolated static func settings(
    _ values: Variant?, isNew: Bool, in context: ReadingContext
  ) throws(ConfigEditor.Failure) -> [ConfigEditor.Setting] {
    guard case .dictionary(let entries)? = values else { return [] }
    var settings: [ConfigEditor.Setting] = []
    for entry in entries {
      if entry.key == "unset", !isNew, let keys = entry.value.strings {
        for key in keys {
          guard key != "time" else { throw .refused(tr("an alarm needs its time")) }
          try check(key)
          settings.append(try allowed(ConfigEditor.Setting(removing: key)))
        }
        continue
      }
      try check(entry.key)
      settings.append(try allowed(setting(entry, in: context)))
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

  private nonisolated static func allowed(
    _ setting: ConfigEditor.Setting
  ) throws(ConfigEditor.Failure) -> ConfigEditor.Setting {
    if let refusal = OtherPrograms.refusal(of: setting) { throw .refused(tr(refusal)) }
    return setting
  }

  private nonisolated static func setting(
    _ entry: Variant.Entry, in context: ReadingContext
  ) throws(ConfigEditor.Failure) -> ConfigEditor.Setting {
    switch entry.value {
    case .string(let text): SettingText.setting(entry.key, [text], context.weekdays)
    case .strings(let texts): SettingText.setting(entry.key, list: texts, context.weekdays)
    case .boolean(let flag): ConfigEditor.Setting(entry.key, flag: flag)
    case .int32(let number): ConfigEditor.Setting(entry.key, number: Int64(number))
    case .uint32(let number): ConfigEditor.Setting(entry.key, number: Int64(number))
    case .int64(let number): ConfigEditor.Setting(entry.key, number: number)
    case .double, .path, .boxed, .dictionary, .dictionaries, .tuple, .array, .unknown:
      throw .refused(tr("\(entry.key) has a value of a type that no setting has"))
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

// SPDX-License-Identifier: GPL-3.0-or-later
//
// The operations that edit the config: the file is written on another thread, and an operation is
// done when the change has taken effect. Next: `AlarmEdits.swift` in Files, which edits the text,
// and `Undo.swift`, which undoes an edit of another program.

import Configuration
import Files
import Language
import Presentation
import Scheduling
import Synchronization
import System

nonisolated enum ConfigEdit: Sendable {
  case add([ConfigEditor.Setting])
  case change(_ id: String, [ConfigEditor.Setting])
  case remove([String])
  case setEnabled([String], Bool)
  case addClock(_ city: String, label: String?)
  case removeClocks(_ name: String)
  case moveClock(_ name: String, to: Int)

  /// Edits the config. Returns the ids of the alarms or the names of the clocks.
  fileprivate func names(
    with editor: ConfigEditor, on disk: Disk
  ) throws(ConfigEditor.Failure) -> [String] {
    switch self {
    case .add(let settings): try editor.add(settings, on: disk).ids
    case .change(let id, let settings): try editor.change(id, settings, on: disk).ids
    case .remove(let ids): try editor.remove(ids, on: disk).ids
    case .setEnabled(let ids, let isEnabled): try editor.setEnabled(ids, isEnabled, on: disk).ids
    case .addClock(let city, let label):
      try editor.addClock(city, label: label, on: disk).meant.map(\.name)
    case .removeClocks(let name): try editor.removeClocks(name, on: disk).meant.map(\.name)
    case .moveClock(let name, let place):
      try editor.moveClock(name, to: place, on: disk).meant.map(\.name)
    }
  }
}

/// A finished edit of the config.
struct Edited: Sendable {
  var edit: ConfigEdit
  /// The ids of the alarms, or the names of the clocks.
  var names: [String]
  /// The config before and after; nil if the edit changed nothing.
  var revision: ConfigEditor.Revision?
}

extension Agent {
  private static let edits = Worker(name: "edits")

  /// Makes the edit that `request` returns. `request` runs on another thread. Calls `done` when the
  /// agent has read the changed config, or at once after an error.
  func edit(
    _ request:
      @escaping @Sendable (ReadingContext) throws(ConfigEditor.Failure) -> ConfigEdit,
    then done: @escaping @MainActor @Sendable (Result<Edited, ConfigEditor.Failure>) -> Void
  ) {
    onEdits(isTrial: false) { editor, disk throws(ConfigEditor.Failure) in
      let revised = Mutex<ConfigEditor.Revision?>(nil)
      var editor = editor
      editor.onRevised = { revision in revised.withLock { $0 = revision } }
      let edit = try request(editor.context(on: disk))
      let names = try edit.names(with: editor, on: disk)
      return Edited(edit: edit, names: names, revision: revised.withLock { $0 })
    } then: { [self] result in
      guard case .success = result else { return done(result) }
      config?.read { done(result) }
    }
  }

  /// Finds out what adding an alarm with `settings` would do, and writes nothing.
  func tryAdding(
    _ settings: [ConfigEditor.Setting],
    then done:
      @escaping @MainActor @Sendable (Result<ConfigEditor.Outcome, ConfigEditor.Failure>) -> Void
  ) {
    onEdits(isTrial: true) { editor, disk throws(ConfigEditor.Failure) in
      try editor.add(settings, on: disk)
    } then: {
      done($0)
    }
  }

  /// Undoes an edit, unless the config was changed since.
  func undo(_ revision: ConfigEditor.Revision) {
    onEdits(isTrial: false) { editor, disk throws(ConfigEditor.Failure) in
      try editor.undo(revision, on: disk)
    } then: { [self] result in
      switch result {
      case .success: config?.read()
      case .failure(let failure): reportFailure("\(failure)")
      }
    }
  }

  private func onEdits<Value: Sendable>(
    isTrial: Bool,
    _ work: @escaping @Sendable (ConfigEditor, Disk) throws(ConfigEditor.Failure) -> Value,
    then done: @escaping @MainActor @Sendable (Result<Value, ConfigEditor.Failure>) -> Void
  ) {
    var editor = ConfigEditor(
      locations, name: locations.config, state: schedule.state, now: Clock.now())
    editor.isTrial = isTrial
    Self.edits.perform { [editor] disk in
      let result = Result { () throws(ConfigEditor.Failure) in try work(editor, disk) }
      Worker.onMain { done(result) }
    }
  }

  /// Shows a notification about an edit that another program made, if it may make an alarm ring
  /// less often or at another time, or has added an alarm. `before` is how alarms stood before.
  func announce(_ edited: Edited, _ before: Overview) {
    guard let revision = edited.revision else { return }
    let (ids, isOne) = (edited.names, edited.names.count == 1)
    switch edited.edit {
    case .add: if let id = ids.first { reportAdded(id) }
    case .change:
      reportEdit(tr("Alarm changed"), ids.compactMap { overview.alarm($0) }, revision)
    case .remove:
      reportEdit(
        isOne ? tr("Alarm removed") : tr("Alarms removed"), ids.compactMap { before.alarm($0) },
        revision)
    case .setEnabled(_, false):
      reportEdit(
        isOne ? tr("Alarm switched off") : tr("Alarms switched off"),
        ids.compactMap { before.alarm($0) }, revision)
    case .setEnabled, .addClock, .removeClocks, .moveClock: break
    }
  }
}

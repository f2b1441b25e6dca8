// SPDX-License-Identifier: GPL-3.0-or-later
//
// Edits the user's config, for a command or for a program that asks over the bus. If a text editor
// saves the file meanwhile, its text is not overwritten. The agent need not be running, and the
// state is not written. `TOMLEdit.swift` changes the text, `SharedFile.swift` replaces the file.
// Next: `AlarmEdits.swift`.

import Configuration
import Language
import Scheduling
import System
import TOML

public struct ConfigEditor: Sendable {
  let locations: Locations
  let name: String
  /// The state of the agent, which knows whether an alarm that rings once is over.
  let state: State
  let now: Now
  /// Whether edits are judged but not written.
  public var isTrial = false
  /// Called with the content of the config before and after each edit that changes it.
  public var onRevised: @Sendable (Revision) -> Void = { _ in }
  /// Returns the form in which the user wrote a key, such as `--every` for `every`.
  public var spelled: @Sendable (String) -> String = { $0 }

  public init(_ locations: Locations, name: String, state: State, now: Now) {
    (self.locations, self.name, self.state, self.now) = (locations, name, state, now)
  }

  public struct Revision: Sendable {
    var before: [UInt8]
    var after: [UInt8]
  }

  public enum Failure: Error, Equatable, Sendable {
    /// The requested settings have errors, which the diagnostics describe.
    case invalid([Diagnostic])
    /// The config cannot be read, or cannot be changed at the position of the diagnostic.
    case config(Diagnostic)
    case file(FileError)
    /// Another program keeps writing the config.
    case busy(path: String)
    /// The request cannot be carried out for another reason, such as an edit that changes nothing.
    /// The string gives the reason.
    case refused(String)
    /// The request names something that does not exist. The string describes it.
    case missing(String)
  }

  /// Returns the schedule of `alarms`, with the state of these alarms.
  func schedule(of alarms: [Alarm]) -> Schedule {
    var known = state
    known.alarms = [:]
    for id in alarms.map(\.id) { known.alarms[id] = state.alarms[id] }
    var schedule = Schedule(restoring: known)
    _ = schedule.apply(.configured(alarms), at: now, in: Zones())
    return schedule
  }

  public func context(on disk: Disk) -> ReadingContext {
    ConfigFile.context(SoundLibrary(locations), on: disk)
  }

  /// Edits the config and returns the settings read from it afterwards. `plan` returns the edits
  /// for a given config. It is called again if another program saves the file meanwhile.
  @discardableResult
  public func revise(
    on disk: Disk, _ plan: (Reading) throws(Failure) -> [TOMLEdit]
  ) throws(Failure) -> Reading {
    try perform(on: disk) { before throws(Failure) in
      let after = try apply(plan(before.reading), to: before)
      return (after, after.reading)
    }
  }

  /// Replaces the config with the config that `make` returns, unless both are equal. `make` also
  /// returns the result of `perform`. `make` is called again if another program saves the file
  /// meanwhile.
  func perform<Value>(
    on disk: Disk, _ make: (ConfigSnapshot) throws(Failure) -> (ConfigSnapshot, Value)
  ) throws(Failure) -> Value {
    try checkDisk(on: disk)
    var (result, revision): (Value?, Revision?)
    try replace(on: disk) { bytes throws(Failure) in
      let (after, made) = try make(snapshot(of: bytes, on: disk))
      let isChanged = !isTrial && after.bytes != bytes
      (result, revision) = (made, isChanged ? Revision(before: bytes, after: after.bytes) : nil)
      return revision?.after
    }
    guard let result else { preconditionFailure("SharedFile.revise calls its closure, or throws") }
    if let revision { onRevised(revision) }
    return result
  }

  /// Undoes an edit. Throws if the config has been changed since.
  public func undo(_ revision: Revision, on disk: Disk) throws(Failure) {
    try checkDisk(on: disk)
    try replace(on: disk) { bytes throws(Failure) in
      guard bytes == revision.after else {
        throw .refused(tr("the config has been changed since"))
      }
      return revision.before
    }
  }

  private func replace(
    on disk: Disk, _ edit: ([UInt8]) throws(Failure) -> [UInt8]?
  ) throws(Failure) {
    do throws(SharedFile.Failure<Failure>) {
      try SharedFile.revise(locations.config, limit: Configuration.largestFile, on: disk) {
        bytes throws(Failure) in try edit(bytes ?? [])
      }
    } catch {
      switch error {
      case .file(let error): throw .file(error)
      case .refused(let failure): throw failure
      case .busy(let path): throw .busy(path: path)
      }
    }
  }

  /// Throws if the disk of the config does not answer. Otherwise an edit would wait without any
  /// message.
  private func checkDisk(on disk: Disk) throws(Failure) {
    do throws(FileError) {
      _ = try Patience().wait(for: locations.config, on: disk) {
        Folder.hasFile(locations.config, on: $0)
      }
    } catch { throw .file(error) }
  }

  /// Returns `config` after `edits`. Throws the errors inside the entries that the edits write.
  /// Errors of other entries do not matter.
  func apply(
    _ edits: [TOMLEdit], to config: ConfigSnapshot
  ) throws(Failure) -> ConfigSnapshot {
    let after = try unjudged(edits, config)
    let errors = after.complaints.filter { $0.severity == .error }
    // An error that the entry has already, at a key that the request does not name, is not an error
    // of the request.
    let known = config.complaints(leftBy: edits).first { old in
      errors.contains { $0.message == old.message }
    }
    if let known { throw .config(known) }
    if !errors.isEmpty { throw .invalid(errors) }
    return after
  }

  /// Returns `config` after `edits`, even if the written entries have errors.
  func unjudged(
    _ edits: [TOMLEdit], _ config: ConfigSnapshot
  ) throws(Failure) -> ConfigSnapshot {
    do throws(TOMLEdit.Failure) {
      return try config.edited(by: edits, spelled: spelled)
    } catch { throw .config(diagnostic(error, edits.first?.list ?? "")) }
  }

  private func snapshot(of bytes: [UInt8], on disk: Disk) throws(Failure) -> ConfigSnapshot {
    do throws(Diagnostic) {
      return try ConfigSnapshot(of: bytes, file: name, in: context(on: disk))
    } catch { throw .config(error) }
  }

  private func diagnostic(_ failure: TOMLEdit.Failure, _ list: String) -> Diagnostic {
    guard case .notPlain(let line) = failure else {
      return Diagnostic(file: name, error: Message("the config would be larger than 16 MiB"))
    }
    return Diagnostic(
      file: name, line: line,
      error: Message("this \(list) is written in a way that no command can change"),
      hint: Message(
        "edit it by hand, or write it as [[\(list)]] with one key = value in each line"))
  }
}

// MARK: - Messages

extension ConfigEditor {
  /// Returns the message that no alarm has this id, with a hint that names a similar id.
  public static func unknown(id: String, among ids: [String]) -> String {
    let hint = nearMatch(to: id, among: ids).map(Message.didYouMean)
    return complaint(
      tr("no alarm is called \(TerminalText.quoted(id))"),
      hint: hint ?? Message("belfry list shows them"))
  }
}

extension ConfigEditor.Failure: CustomStringConvertible {
  /// The error with its position and a correction. The text is safe to print on a terminal.
  public var description: String {
    switch self {
    case .invalid(let complaints): return complaints.map(Self.lines).joined(separator: "\n")
    case .config(let diagnostic): return diagnostic.description(in: tr)
    case .file(let error): return Self.words(error)
    case .busy(let path):
      return complaint(
        tr("\(TerminalText.escaped(path)) is being written by another program"),
        hint: Message("try again"))
    case .refused(let reason), .missing(let reason): return reason
    }
  }

  /// Returns the message of a diagnostic, with its hint in a second line.
  public static func lines(_ diagnostic: Diagnostic) -> String {
    complaint(tr(diagnostic.message), hint: diagnostic.hint)
  }

  /// Returns the message of a diagnostic and its hint in one line.
  public static func words(_ complaint: Diagnostic) -> String {
    [complaint.message, complaint.hint].compactMap(\.self).map { tr($0) }.joined(separator: ": ")
  }

  private static func words(_ error: FileError) -> String {
    let problem = TerminalText.escaped(tr(error.message))
    return switch error {
    case .notAFile:
      complaint(problem, hint: Message("move it away, or name another file with --config"))
    case .tooLarge: tr("\(problem): that is not a config")
    case .system where error.isFull:
      complaint(problem, hint: Message("free some disk space; the config is unchanged"))
    case .system where error.isReadOnlyDisk:
      complaint(
        problem, hint: Message("the disk is read-only; name a file on another disk with --config"))
    case .system(_, let path) where error.isDenied:
      complaint(
        problem, hint: Message("check who may write it: ls -ld '\(TerminalText.escaped(path))'"))
    case .system, .noAnswer, .replaced: tr("\(problem); the config is unchanged")
    }
  }
}

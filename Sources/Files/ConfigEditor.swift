// SPDX-License-Identifier: GPL-3.0-or-later
//
// The user's config, changed by a command that the user typed or by a program that asked over the
// bus: read, edited, judged and written while no save of an editor gets lost. It works without an
// agent, and writes no state. How bytes are changed is `TOMLEdit.swift`'s, how the file is,
// `SharedFile.swift`'s. Next: `AlarmEdits.swift`.

import Configuration
import Language
import Scheduling
import System
import TOML

public nonisolated struct ConfigEditor: Sendable {
  let locations: Locations
  /// How messages call the config.
  let name: String
  /// What the agent remembers: whether an alarm that rings once is over.
  let state: State
  let now: Now
  private var isTrial = false

  public init(_ locations: Locations, name: String, state: State, now: Now) {
    (self.locations, self.name, self.state, self.now) = (locations, name, state, now)
  }

  /// The same editor, which judges an edit as ever and does not write it.
  public func trying() -> ConfigEditor {
    var editor = self
    editor.isTrial = true
    return editor
  }

  /// Why nothing was changed.
  public enum Failure: Error, Equatable, Sendable {
    /// No alarm has this id; one that has something like it.
    case notFound(String, nearest: String?)
    /// An alarm has this id already.
    case taken(String)
    /// What was asked for makes no sense.
    case invalid([Diagnostic])
    /// It would never ring, in words.
    case neverRings(Message)
    /// An alarm would take over what is remembered of another.
    case confused(String, with: String)
    /// The config cannot be read, or not be changed in this place.
    case config(Diagnostic)
    case file(FileError)
    /// Another program keeps writing it.
    case busy(path: String)
    /// In the caller's words.
    case refused(String)
    /// What was named is not there, in the caller's words.
    case missing(String)
  }

  /// What becomes of these alarms, by what is remembered of them; some may have been called as in
  /// `former` before.
  func schedule(of alarms: [Alarm], knowing former: [String] = []) -> Schedule {
    var known = state
    known.alarms = [:]
    for id in alarms.map(\.id) + former { known.alarms[id] = state.alarms[id] }
    var schedule = Schedule(restoring: known)
    _ = schedule.apply(.configured(alarms), at: now, in: Zones())
    return schedule
  }

  @Blocking public var context: ReadingContext { ConfigFile.context(SoundLibrary(locations)) }

  /// Edits the config: `plan` says how, from what the config says. It is asked again where somebody
  /// else saves the file meanwhile. Returns what the config says then.
  @discardableResult
  @Blocking public func revise(_ plan: @Blocking (Reading) throws(Failure) -> [TOMLEdit])
    throws(Failure) -> Reading
  {
    try perform { before throws(Failure) in try apply(plan(before.reading), to: before) }.reading
  }

  /// Puts what `make` makes of the config in its place. None is begun for nothing.
  @discardableResult
  @Blocking func perform(
    _ make: @Blocking (ConfigSnapshot) throws(Failure) -> ConfigSnapshot
  ) throws(Failure) -> ConfigSnapshot {
    if isTrial { return try make(snapshot(of: bytes())) }
    var result: ConfigSnapshot?
    do throws(SharedFile.Failure<Failure>) {
      try SharedFile.revise(locations.config, limit: Configuration.largestFile) {
        bytes throws(Failure) in
        let made = try make(snapshot(of: bytes ?? []))
        result = made
        return made.bytes == bytes ?? [] ? nil : made.bytes
      }
    } catch {
      switch error {
      case .file(let error): throw .file(error)
      case .refused(let failure): throw failure
      case .busy(let path): throw .busy(path: path)
      }
    }
    guard let result else { preconditionFailure("revise asks, or throws") }
    return result
  }

  /// The config as it is; nothing if there is none yet.
  @Blocking private func bytes() throws(Failure) -> [UInt8] {
    do throws(FileError) {
      return try DurableFile.read(locations.config, limit: Configuration.largestFile)
    } catch {
      if error.isMissing { return [] }
      throw .file(error)
    }
  }

  /// `config` after `edits`. Throws the errors that lie inside the entries that they write,
  /// whatever is wrong with others. `spelled` is how the user knows a key.
  @Blocking func apply(
    _ edits: [TOMLEdit], to config: ConfigSnapshot,
    spelled: @escaping (String) -> String = { $0 }
  ) throws(Failure) -> ConfigSnapshot {
    let after = try unjudged(edits, config, spelled)
    let errors = after.complaints.filter { $0.severity == .error }
    if !errors.isEmpty { throw .invalid(errors) }
    return after
  }

  /// `config` after `edits`, even if the entries that they write have errors.
  @Blocking func unjudged(
    _ edits: [TOMLEdit], _ config: ConfigSnapshot,
    _ spelled: @escaping (String) -> String = { $0 }
  ) throws(Failure) -> ConfigSnapshot {
    do throws(TOMLEdit.Failure) {
      return try config.edited(by: edits, spelled: spelled)
    } catch { throw .config(diagnostic(error)) }
  }

  @Blocking private func snapshot(of bytes: [UInt8]) throws(Failure) -> ConfigSnapshot {
    do throws(Diagnostic) {
      return try ConfigSnapshot(of: bytes, file: name, in: context)
    } catch { throw .config(error) }
  }

  private func diagnostic(_ failure: TOMLEdit.Failure) -> Diagnostic {
    let error = { (line: Int, message: Message, hint: Message?) in
      Diagnostic(
        file: name, line: line, column: 1, severity: .error, message: message, hint: hint)
    }
    return switch failure {
    case .notAList(let list, let line):
      error(
        line, Message("\(list) must be a list of tables"),
        Message("begin each with [[\(list)]]"))
    case .noEntry(let list, _):
      error(
        1, Message("the list \(list) holds something that is no table"),
        Message("belfry config check tells where"))
    case .notPlain(let list, let line):
      error(
        line, Message("this \(list) is written in a way that no command can change"),
        Message("edit it by hand, or write it as [[\(list)]] with one key = value in each line"))
    case .tooLarge: Diagnostic(file: name, unreadable: .tooLarge)
    }
  }
}

// MARK: - In words

nonisolated extension ConfigEditor.Failure: CustomStringConvertible {
  /// What is wrong, where, and what to do; nothing in it acts on a terminal.
  public var description: String {
    switch self {
    case .notFound(let id, let nearest):
      let mend = nearest.map(Message.didYouMean) ?? Message("belfry list shows them")
      return complaint(tr("no alarm is called \(TerminalText.quoted(id))"), hint: mend)
    case .taken(let id):
      return complaint(
        tr("an alarm is called \(TerminalText.quoted(id)) already"),
        hint: Message("take another id"))
    case .invalid(let complaints): return complaints.map(Self.lines).joined(separator: "\n")
    case .neverRings(let reason): return tr("it would never ring: \(reason)")
    case .confused(let id, let other):
      return complaint(
        tr("\(other) would be called \(id) then, and be taken for it"),
        hint: Message("first give it an id of its own: belfry edit \(other) --id \(other)"))
    case .config(let diagnostic): return diagnostic.description(in: tr)
    case .file(let error): return Self.words(error)
    case .busy(let path):
      return complaint(
        tr("\(TerminalText.escaped(path)) is being written by another program"),
        hint: Message("try again"))
    case .refused(let reason), .missing(let reason): return reason
    }
  }

  /// What is wrong with a setting, and in a line of its own what to write.
  public static func lines(_ diagnostic: Diagnostic) -> String {
    complaint(tr(diagnostic.message), hint: diagnostic.hint)
  }

  /// The same in one line.
  public static func words(_ complaint: Diagnostic) -> String {
    [complaint.message, complaint.hint].compactMap(\.self).map { tr($0) }.joined(separator: ": ")
  }

  private static func words(_ error: FileError) -> String {
    let problem = TerminalText.escaped(tr(error.message))
    return switch error {
    case .notAFile:
      complaint(problem, hint: Message("move it away, or name another file with --config"))
    case .tooLarge: tr("\(problem): that is no config")
    case .system where error.isFull:
      complaint(problem, hint: Message("make room; the config is as it was"))
    case .system where error.isReadOnlyDisk:
      complaint(problem, hint: Message("the disk is only for reading; use --config"))
    case .system(_, let path) where error.isDenied:
      complaint(
        problem, hint: Message("see who may write it: ls -ld '\(TerminalText.escaped(path))'"))
    case .system, .noAnswer: tr("\(problem); the config is as it was")
    }
  }
}

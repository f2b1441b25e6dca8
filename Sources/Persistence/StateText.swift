// SPDX-License-Identifier: GPL-3.0-or-later
//
// Converts what the agent remembers to the text of `state.toml` and back. Users need not edit this
// file, but developers can read it to find a bug. An entry that cannot be read is reported, and all
// other entries are still read. Next: `StateFields.swift`, which has the fields of each entry.

import Language
import Scheduling
import TOML
import Values

public enum StateText {
  static let version: Int64 = 1

  public static func render(_ state: State) -> String {
    func list(_ key: String, _ parts: some Sequence<some StoredPart>) -> Value.Entry {
      Value.Entry(key, .list(parts.map { .table($0.entries) }))
    }
    let alarms = state.alarms.sorted { $0.key < $1.key }
      .map { StoredAlarm(id: $0.key, state: $0.value) }
    let root = TOMLTable(
      [
        Value.Entry("version", .integer(version)),
        // A file that was cut off may still be valid TOML. The number of entries shows whether some
        // entries are missing.
        Value.Entry("entries", Value(encoding: state.entries)),
      ] + (state.clock.map { [Value.Entry("clock", .table($0.entries))] } ?? []) + [
        list("stopwatch", state.stopwatch.isReset ? [] : [state.stopwatch]),
        list("timer", state.timers), list("recent_timer", state.recents), list("alarm", alarms),
        list("missed", state.missed),
      ])
    return """
      # What belfryd must remember; it writes this at each change. Alarms are set in config.toml.

      """ + root.text
  }
}

extension State {
  fileprivate var entries: Int {
    alarms.count + missed.count + timers.count + recents.count + (stopwatch.isReset ? 0 : 1)
  }
}

// MARK: - Reading

extension StateText {
  /// Returns everything in `bytes` that can be read, and the problems with the rest.
  public static func parse(_ bytes: [UInt8]) -> (state: State, problems: [Message]) {
    do throws(TOMLError) {
      let root = try TOMLDocument.parse(bytes).root
      let written = root["version"]?.kind
      if case .integer(let written) = written, written > version {
        let newer = Message(
          "a newer Belfry wrote it, as version \(written) of the format; this one reads \(version)")
        return (State(), [newer])
      }
      guard written == .integer(version),
        let entries = root["entries"].flatMap({ Value($0.kind).decoded(Int.self) })
      else {
        return (State(), [Message("not a state file of Belfry")])
      }
      var reader = StateReader()
      reader.read(root, expecting: entries)
      return (reader.state, reader.problems)
    } catch {
      switch error {
      case .notUTF8: return (State(), [Message("not UTF-8")])
      case .syntax(let place): return (State(), [Message("line \(place.line) is not valid TOML")])
      }
    }
  }
}

private struct StateReader {
  var state = State()
  var problems: [Message] = []
  private var found = 0

  mutating func read(_ root: TOMLTable, expecting expected: Int) {
    read(root["clock"].map { [$0] }) { state, table throws(ValueFault) in
      state.clock = try Now(from: table)
    }
    found = 0
    read(root["stopwatch"]?.kind.array) { state, table throws(ValueFault) in
      let stopwatch = try Stopwatch(from: table)
      if stopwatch.isRunning { try Self.requireClock(of: state) }
      state.stopwatch = stopwatch
    }
    read(root["timer"]?.kind.array) { state, table throws(ValueFault) in
      let timer = try Timer(from: table)
      if case .running = timer.phase { try Self.requireClock(of: state) }
      state.timers.append(timer)
    }
    read(root["recent_timer"]?.kind.array) { state, table throws(ValueFault) in
      state.recents.append(try RecentTimer(from: table))
    }
    read(root["alarm"]?.kind.array) { state, table throws(ValueFault) in
      for alarm in try StoredAlarm.all(in: table) { state.alarms[alarm.id] = alarm.state }
    }
    read(root["missed"]?.kind.array) { state, table throws(ValueFault) in
      state.missed.append(try Missed(from: table))
    }
    if expected != found {
      problems.insert(Message("torn: \(found) of \(expected) entries are there"), at: 0)
    }
  }

  /// Throws if the state has no readings of the clocks, because moments on the boot clock then mean
  /// nothing.
  private static func requireClock(of state: State) throws(ValueFault) {
    if state.clock == nil { throw ValueFault(key: "boot_microseconds") }
  }

  private mutating func read(
    _ entries: [TOMLValue]?, _ take: (inout State, [Value.Entry]) throws(ValueFault) -> Void
  ) {
    for entry in entries ?? [] {
      found += 1
      do throws(ValueFault) { try take(&state, Value(entry.kind).table ?? []) } catch {
        problems.append(Message("line \(entry.position.line) has no valid \(error.key)"))
      }
    }
  }
}

extension StoredAlarm {
  /// Returns the alarms of one entry in the file. Up to version 1.1, Belfry wrote a single entry
  /// for all alarms that had the same state. The key `alike` of such an entry is a list of lists.
  /// Each inner list is for alarms that ring at the same times: first their signature
  /// (`AlarmState.signature`), then their ids.
  fileprivate static func all(in table: [Value.Entry]) throws(ValueFault) -> [StoredAlarm] {
    guard let alike = table["alike"] else { return [try StoredAlarm(from: table)] }
    var state = try AlarmState(from: [Value.Entry("signature", .string(""))] + table)
    guard let groups = alike.decoded([[String]].self), !groups.isEmpty,
      groups.allSatisfy({ $0.count > 1 })
    else { throw ValueFault(key: "alike") }
    return groups.flatMap { words in
      state.signature = words[0]
      return words.dropFirst().map { StoredAlarm(id: $0, state: state) }
    }
  }
}

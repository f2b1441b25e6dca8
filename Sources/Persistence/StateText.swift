// SPDX-License-Identifier: GPL-3.0-or-later
//
// The agent's memory as text and back: `state.toml`. Nobody is meant to edit it, but whoever hunts
// a fault can read it. It opens no file. What cannot be read is said, never guessed. Next:
// `AlarmStateText.swift`, `TimerText.swift`.

import Language
import Scheduling
import TOML

public enum StateText {
  static let version: Int64 = 1

  public static func render(_ state: State) -> String {
    var lines = [
      "# What belfryd must remember; it writes this at each change. Alarms are set in config.toml.",
      "version = \(version)",
      // Tells a file that lost its end: whole lines may be missing from text that is still TOML.
      "entries = \(state.entries)",
    ]
    if let clock = state.clock {
      lines += entry(
        "[clock]",
        [
          "boot_id": clock.bootID, "boot_microseconds": clock.boot.wholeMicroseconds,
          "wall": clock.wall, "synchronized": clock.isSynchronized ? nil : false,
        ])
    }
    if !state.stopwatch.isReset { lines += entry(state.stopwatch) }
    lines += state.timers.flatMap { entry($0) } + state.recents.flatMap { entry($0) }
    lines += state.alarms.sorted { $0.key < $1.key }.flatMap { entry($0, $1) }
    lines += state.missed.flatMap { missed in
      entry(
        "[[missed]]",
        [
          "id": missed.id, "label": missed.label, "timer": missed.isTimer ? true : nil,
          "dues": missed.dues, "reason": missed.reason.rawValue,
        ])
    }
    return lines.joined(separator: "\n") + "\n"
  }

  typealias Values = KeyValuePairs<String, (any StateValue)?>

  static func entry(_ header: String, _ values: Values) -> [String] {
    ["", header] + lines(values)
  }

  /// What is nil is left out.
  static func lines(_ values: Values) -> [String] {
    values.compactMap { key, value in value.map { "\(key) = \($0.stateText)" } }
  }
}

/// What stands behind a key.
protocol StateValue {
  var stateText: String { get }
}

extension StateValue where Self: CustomStringConvertible {
  var stateText: String { description }
}

extension Bool: StateValue {}
extension Int: StateValue {}
extension Int64: StateValue {}
extension CivilDate: StateValue {}

extension String: StateValue {
  var stateText: String { TerminalText.literal(self) }
}

extension Array: StateValue where Element: StateValue {
  var stateText: String { "[\(map(\.stateText).joined(separator: ", "))]" }
}

extension Instant: StateValue {
  /// As RFC 3339 in UTC, to the microsecond. TOML ends with the year 9999, and so does what is
  /// remembered.
  var stateText: String {
    let last = Instant(seconds: 253_402_300_799)
    let shown = max(Instant(seconds: -62_135_596_800), min(self, last))
    let fraction = String(shown.microseconds - shown.seconds * 1_000_000)
    return CivilDateTime(localSeconds: shown.seconds).stateText
      + "." + String(repeating: "0", count: 6 - fraction.count) + fraction + "Z"
  }
}

extension CivilDateTime: StateValue {
  var stateText: String { "\(date)T\(time)" + (time.second == 0 ? ":00" : "") }
}

extension State {
  fileprivate var entries: Int {
    alarms.count + missed.count + timers.count + recents.count + (stopwatch.isReset ? 0 : 1)
  }
}

// MARK: - Reading

/// Why a state file, or a part of it, was not understood.
public struct StateProblem: Error, Hashable, Sendable {
  public let message: Message
  /// Whether `message` begins with the line.
  public let hasPlace: Bool

  init(_ message: Message, hasPlace: Bool = false) {
    (self.message, self.hasPlace) = (message, hasPlace)
  }

  fileprivate init(_ error: TOMLError) {
    switch error {
    case .notUTF8: self.init(Message("not UTF-8"))
    case .syntax(let place):
      self.init(
        Message("\(place.line):\(place.column): this line is not valid TOML"), hasPlace: true)
    }
  }
}

extension StateText {
  /// What of `bytes` can be relied on, and what is wrong with the rest.
  public static func parse(_ bytes: [UInt8]) -> (state: State, problems: [StateProblem]) {
    do throws(TOMLError) {
      let root = try TOMLDocument.parse(bytes).root
      let written = root["version"]?.integer
      if let written, written > version {
        let newer = Message(
          "a newer Belfry wrote it, as version \(written) of the format; this one reads \(version)")
        return (State(), [StateProblem(newer)])
      }
      guard written == version, let entries = root["entries"]?.integer else {
        return (State(), [StateProblem(Message("not a state of Belfry"))])
      }
      var reader = StateReader()
      reader.read(root, expecting: entries)
      return (reader.state, reader.problems)
    } catch {
      return (State(), [StateProblem(error)])
    }
  }
}

private struct StateReader {
  var state = State()
  var problems: [StateProblem] = []

  mutating func read(_ root: TOMLTable, expecting expected: Int64) {
    let (alarms, missed) = (root["alarm"]?.array ?? [], root["missed"]?.array ?? [])
    let (timers, recents) = (root["timer"]?.array ?? [], root["recent_timer"]?.array ?? [])
    let stopwatches = root["stopwatch"]?.array ?? []
    let found = [alarms, missed, timers, recents, stopwatches].reduce(0) { $0 + $1.count }
    if expected != found {
      problems.append(
        StateProblem(Message("torn: \(found) of \(expected) entries are there")))
    }
    read(root["clock"].map { [$0] } ?? []) { state, clock throws(StateProblem) in
      state.clock = try clock.now()
    }
    let hasClock = state.clock != nil
    read(stopwatches) { state, entry throws(StateProblem) in
      state.stopwatch = try entry.stopwatch(hasClock: hasClock)
    }
    read(timers) { state, entry throws(StateProblem) in
      state.timers.append(try entry.timer(hasClock: hasClock))
    }
    read(recents) { state, entry throws(StateProblem) in
      state.recents.append(try entry.recentTimer())
    }
    read(alarms) { state, entry throws(StateProblem) in
      for (id, alarm) in try entry.alarms() { state.alarms[id] = alarm }
    }
    read(missed) { state, entry throws(StateProblem) in
      state.missed.append(try entry.missed())
    }
  }

  private mutating func read(
    _ entries: [TOMLValue], _ take: (inout State, TOMLValue) throws(StateProblem) -> Void
  ) {
    for entry in entries {
      do throws(StateProblem) { try take(&state, entry) } catch { problems.append(error) }
    }
  }
}

extension TOMLValue {
  fileprivate func now() throws(StateProblem) -> Now {
    Now(
      wall: try instant("wall"), boot: .microseconds(try integer("boot_microseconds")),
      bootID: try string("boot_id"),
      isSynchronized: self["synchronized"]?.kind != .boolean(false))
  }

  fileprivate func missed() throws(StateProblem) -> Missed {
    guard let reason = Missed.Reason(rawValue: try string("reason")) else {
      throw lacking("reason")
    }
    let dues = try instants("dues").suffix(Missed.duesKept)
    guard !dues.isEmpty else { throw lacking("dues") }
    return Missed(
      id: try string("id"), label: self["label"]?.string, dues: Array(dues), reason: reason,
      isTimer: flag("timer"))
  }

  func integer(_ key: String) throws(StateProblem) -> Int64 { try value(key, self[key]?.integer) }
  func string(_ key: String) throws(StateProblem) -> String { try value(key, self[key]?.string) }
  func instant(_ key: String) throws(StateProblem) -> Instant {
    try value(key, self[key]?.instant)
  }
  func date(_ key: String) throws(StateProblem) -> CivilDate { try value(key, self[key]?.date) }

  private func value<Value>(_ key: String, _ value: Value?) throws(StateProblem) -> Value {
    guard let value else { throw lacking(key) }
    return value
  }

  /// What `read` finds, where the key is there at all.
  func optional<Value>(
    _ key: String, _ read: (String) throws(StateProblem) -> Value
  ) throws(StateProblem) -> Value? {
    self[key] == nil ? nil : try read(key)
  }

  func flag(_ key: String) -> Bool { self[key]?.kind == .boolean(true) }

  func instants(_ key: String) throws(StateProblem) -> [Instant] {
    let instants = self[key]?.array?.compactMap(\.instant)
    guard let instants, instants.count == self[key]?.array?.count else { throw lacking(key) }
    return instants
  }

  func lacking(_ key: String) -> StateProblem {
    StateProblem(Message("\(position.line): no valid \(key)"), hasPlace: true)
  }

  subscript(key: String) -> TOMLValue? {
    if case .table(let table) = kind { table[key] } else { nil }
  }
  var array: [TOMLValue]? { if case .array(let values) = kind { values } else { nil } }
  var integer: Int64? { if case .integer(let value) = kind { value } else { nil } }
  var string: String? { if case .string(let value) = kind { value } else { nil } }

  var date: CivilDate? { if case .date(let day) = kind { day.civil } else { nil } }

  var dateTime: CivilDateTime? {
    guard case .dateTime(let day, let clock) = kind else { return nil }
    return CivilDateTime(day, clock)
  }

  private var instant: Instant? {
    guard case .offsetDateTime(let day, let clock, let minutesEast) = kind,
      let local = CivilDateTime(day, clock)
    else { return nil }
    let seconds = local.localSeconds - Int64(minutesEast) * 60
    return Instant(seconds: seconds) + .microseconds(Int64(clock.nanosecond) / 1000)
  }
}

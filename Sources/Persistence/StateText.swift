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
      lines += [
        "", "[clock]", "boot_id = \(TerminalText.literal(clock.bootID))",
        "boot_microseconds = \(clock.boot.wholeMicroseconds)", "wall = \(stamp(clock.wall))",
      ]
      if !clock.isSynchronized { lines.append("synchronized = false") }
      if let astray = state.astray {
        lines += [
          "ahead_microseconds = \(astray.ahead.wholeMicroseconds)",
          "set = \(stamp(astray.since))", "set_from = \(stamp(astray.from))",
        ]
      }
    }
    if !state.stopwatch.isReset { lines += self.lines(state.stopwatch) }
    for timer in state.timers { lines += self.lines(timer) }
    for recent in state.recents { lines += self.lines(recent) }
    for (id, alarm) in state.alarms.sorted(by: { $0.key < $1.key }) {
      lines += self.lines(id, alarm)
    }
    for missed in state.missed {
      lines += ["", "[[missed]]", "id = \(TerminalText.literal(missed.id))"]
      if let label = missed.label { lines.append("label = \(TerminalText.literal(label))") }
      if missed.isTimer { lines.append("timer = true") }
      lines += [
        "dues = \(stamps(missed.dues))", "reason = \(TerminalText.literal(missed.reason.rawValue))",
      ]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  static func stamps(_ instants: [Instant]) -> String {
    "[\(instants.map(stamp).joined(separator: ", "))]"
  }

  /// An instant as RFC 3339 in UTC, to the microsecond. TOML ends with the year 9999, and so does
  /// what is remembered.
  static func stamp(_ instant: Instant) -> String {
    let last = Instant(seconds: 253_402_300_799)
    let shown = max(Instant(seconds: -62_135_596_800), min(instant, last))
    let civil = CivilDateTime(localSeconds: shown.seconds)
    let time = civil.time.second == 0 ? "\(civil.time):00" : "\(civil.time)"
    let fraction = String(shown.microseconds - shown.seconds * 1_000_000)
    return "\(civil.date)T\(time)."
      + String(repeating: "0", count: 6 - fraction.count) + fraction + "Z"
  }
}

extension State {
  fileprivate var entries: Int {
    alarms.count + missed.count + timers.count + recents.count + (stopwatch.isReset ? 0 : 1)
  }
}

// MARK: - Reading

/// Why a state file, or a part of it, was not understood.
public enum StateProblem: Error, Hashable, Sendable, CustomStringConvertible {
  case notTOML(line: Int, column: Int, message: String)
  case notUTF8
  /// Written by a Belfry that came later, in a version of the format that is not known here.
  case newer(version: Int64)
  /// Written by something else.
  case foreign
  /// Fewer or more entries than it says it has.
  case torn(expected: Int64, found: Int)
  /// The entry that begins in `line` lacks `key`, or that has a value of the wrong kind.
  case entry(line: Int, key: String)

  /// In English.
  public var description: String { message.description }

  public var message: Message {
    switch self {
    case .notTOML(let line, let column, let message):
      Message(verbatim: "\(line):\(column): \(message)")
    case .notUTF8: Message("not UTF-8")
    case .newer(let version):
      Message(
        "a newer Belfry wrote it, as version \(version) of the format; this one reads \(StateText.version)"
      )
    case .foreign: Message("not a state of Belfry")
    case .torn(let expected, let found):
      Message("torn: \(found) of \(expected) entries are there")
    case .entry(let line, let key): Message("\(line): no valid \(key)")
    }
  }

  /// Whether `message` begins with the line.
  public var hasPlace: Bool {
    switch self {
    case .notTOML, .entry: true
    case .notUTF8, .newer, .foreign, .torn: false
    }
  }
}

extension StateProblem {
  fileprivate init(_ error: TOMLError) {
    switch error {
    case .notUTF8: self = .notUTF8
    case .syntax(let words, let place):
      self = .notTOML(line: place.line, column: place.column, message: words)
    }
  }
}

extension StateText {
  /// What of `bytes` can be relied on, and what is wrong with the rest.
  public static func parse(_ bytes: [UInt8]) -> (state: State, problems: [StateProblem]) {
    do throws(TOMLError) {
      let root = try TOMLDocument.parse(bytes).root
      let written = root["version"]?.integer
      if let written, written > version { return (State(), [.newer(version: written)]) }
      guard written == version, let entries = root["entries"]?.integer else {
        return (State(), [.foreign])
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
      problems.append(.torn(expected: expected, found: found))
    }
    do throws(StateProblem) {
      state.clock = try root["clock"]?.now()
      state.astray = try root["clock"]?.astray()
    } catch { note(error) }
    let hasClock = state.clock != nil
    for entry in stopwatches {
      do throws(StateProblem) {
        state.stopwatch = try entry.stopwatch(hasClock: hasClock)
      } catch { note(error) }
    }
    for entry in timers {
      do throws(StateProblem) {
        state.timers.append(try entry.timer(hasClock: hasClock))
      } catch { note(error) }
    }
    for entry in recents {
      do throws(StateProblem) { state.recents.append(try entry.recentTimer()) } catch {
        note(error)
      }
    }
    for entry in alarms {
      do throws(StateProblem) {
        for (id, alarm) in try entry.alarms() { state.alarms[id] = alarm }
      } catch { note(error) }
    }
    for entry in missed {
      do throws(StateProblem) { state.missed.append(try entry.missed()) } catch { note(error) }
    }
  }

  private mutating func note(_ problem: StateProblem) { problems.append(problem) }
}

extension TOMLValue {
  fileprivate func now() throws(StateProblem) -> Now {
    Now(
      wall: try instant("wall"), boot: .microseconds(try integer("boot_microseconds")),
      bootID: try string("boot_id"),
      isSynchronized: self["synchronized"]?.kind != .boolean(false))
  }

  fileprivate func astray() throws(StateProblem) -> Astray? {
    guard self["ahead_microseconds"] != nil else { return nil }
    return Astray(
      ahead: .microseconds(try integer("ahead_microseconds")), since: try instant("set"),
      from: try instant("set_from"))
  }

  fileprivate func missed() throws(StateProblem) -> Missed {
    guard let reason = Missed.Reason(rawValue: try string("reason")) else {
      throw lacking("reason")
    }
    let dues = try instants("dues").suffix(Missed.duesKept)
    guard !dues.isEmpty else { throw lacking("dues") }
    return Missed(
      id: try string("id"), label: self["label"]?.string, dues: Array(dues), reason: reason,
      isTimer: self["timer"]?.kind == .boolean(true))
  }

  func integer(_ key: String) throws(StateProblem) -> Int64 {
    guard let value = self[key]?.integer else { throw lacking(key) }
    return value
  }

  func string(_ key: String) throws(StateProblem) -> String {
    guard let value = self[key]?.string else { throw lacking(key) }
    return value
  }

  func instant(_ key: String) throws(StateProblem) -> Instant {
    guard let value = self[key]?.instant else { throw lacking(key) }
    return value
  }

  func instants(_ key: String) throws(StateProblem) -> [Instant] {
    let instants = self[key]?.array?.compactMap(\.instant)
    guard let instants, instants.count == self[key]?.array?.count else { throw lacking(key) }
    return instants
  }

  /// Nil where there is none.
  func date(_ key: String) throws(StateProblem) -> CivilDate? {
    guard let value = self[key] else { return nil }
    guard let date = value.date else { throw lacking(key) }
    return date
  }

  func lacking(_ key: String) -> StateProblem { .entry(line: position.line, key: key) }

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

extension TOMLDate {
  fileprivate var civil: CivilDate? {
    CivilDate(year: Int(year), month: Int(month), day: Int(day))
  }
}

extension CivilDateTime {
  fileprivate init?(_ day: TOMLDate, _ clock: TOMLTime) {
    guard let date = day.civil,
      let time = CivilTime(
        hour: Int(clock.hour), minute: Int(clock.minute), second: Int(clock.second))
    else { return nil }
    self.init(date, time)
  }
}

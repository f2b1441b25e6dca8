// SPDX-License-Identifier: GPL-3.0-or-later
//
// Converts the tree of values to TOML and back, for the state and the settings. The config is read
// without the tree, because its diagnostics need the position of each value.

import Scheduling
import Values

extension Value {
  public init(_ toml: TOMLValue.Kind) {
    switch toml {
    case .string(let text): self = .string(text)
    case .integer(let number): self = .integer(number)
    case .float(let number): self = .number(number)
    case .boolean(let flag): self = .boolean(flag)
    case .date(let date): self = .date(date)
    case .time(let time, _): self = .time(time)
    case .dateTime(let local, _): self = .dateTime(local)
    case .offsetDateTime(let local, let nanosecond, let minutesEast):
      let seconds = local.localSeconds - Int64(minutesEast) * 60
      self = .instant(Instant(seconds: seconds) + .microseconds(Int64(nanosecond) / 1000))
    case .array(let values): self = .list(values.map { Value($0.kind) })
    case .table(let table): self = .table(table.entries.map { Entry($0.key, Value($0.value.kind)) })
    }
  }
}

extension TOMLValue.Kind {
  /// Converts a value of the tree; nil if it is `null`, which TOML cannot express. An instant
  /// outside the years that TOML can write becomes the first or last one in these years.
  public init?(_ value: Value) {
    switch value {
    case .null: return nil
    case .boolean(let flag): self = .boolean(flag)
    case .integer(let number): self = .integer(number)
    case .number(let number): self = .float(number)
    case .string(let text): self = .string(text)
    case .date(let date): self = .date(date)
    case .time(let time): self = .time(time)
    case .dateTime(let local): self = .dateTime(local)
    case .instant(let instant):
      let last = Instant(seconds: 253_402_300_799)
      let shown = max(Instant(seconds: -62_135_596_800), min(instant, last))
      self = .offsetDateTime(
        CivilDateTime(localSeconds: shown.seconds), nanosecond: shown.nanosecond, minutesEast: 0)
    case .list(let values, _):
      self = .array(values.compactMap { TOMLValue.Kind($0).map { TOMLValue($0) } })
    case .table(let entries): self = .table(TOMLTable(entries))
    }
  }
}

extension TOMLTable {
  /// Makes a table. Leaves out the keys whose value is `null`.
  public init(_ entries: [Value.Entry]) {
    self.init(
      entries: entries.compactMap { entry in
        TOMLValue.Kind(entry.value).map {
          Entry(key: entry.key, keyPosition: .start, value: TOMLValue($0))
        }
      })
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// A moment as people type it on the command line. Dates and times are TOML's, so that one grammar
// serves the config and the command line.

import Scheduling
import TOML

public enum InstantText {
  /// `2026-11-21T07:30:00+09:00`, `2026-11-21 07:30` in `zone`, `2026-11-21` (its midnight), or
  /// seconds since the epoch, also as `@1795243800`. Nil for anything else, and for a local time on
  /// a date that the zone left out.
  public static func parse(_ text: String, in zone: String?, _ zones: some ZoneRules) -> Instant? {
    let value = text.hasPrefix("@") ? String(text.dropFirst()) : text
    guard !value.contains(where: \.isNewline),
      let parsed = try? TOMLDocument.parse("moment = " + value).root["moment"]
    else { return nil }
    switch parsed.kind {
    case .integer(let seconds): return seconds.magnitude < 1 << 40 ? Instant(seconds: seconds) : nil
    case .offsetDateTime(let date, let time, let minutesEast):
      return CivilDateTime(date, time).map {
        Instant(seconds: $0.localSeconds - Int64(minutesEast) * 60)
      }
    case .dateTime(let date, let time):
      return CivilDateTime(date, time).flatMap { zones.resolve($0, in: zone)?.instant }
    case .date(let date):
      return CivilDateTime(date, nil).flatMap { zones.resolve($0, in: zone)?.instant }
    default: return nil
    }
  }
}

extension CivilDateTime {
  /// Without a time, midnight.
  fileprivate init?(_ date: TOMLDate, _ time: TOMLTime?) {
    guard let date = CivilDate(year: Int(date.year), month: Int(date.month), day: Int(date.day)),
      let time = CivilTime(
        hour: Int(time?.hour ?? 0), minute: Int(time?.minute ?? 0), second: Int(time?.second ?? 0))
    else { return nil }
    self.init(date, time)
  }
}

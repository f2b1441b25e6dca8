// SPDX-License-Identifier: GPL-3.0-or-later
//
// Converts the values of fields of the state and settings to TOML and back: numbers and texts,
// moments and days. Someone else may have written the file, so each number is checked when it is
// read: a number beyond `mostStored` is not valid, and no later computation can overflow. Next:
// `StateFields.swift` and `SettingsText.swift`, which have the records with these fields.

import Scheduling
import TOML

extension Bool: Stored {
  var stored: TOMLValue.Kind { .boolean(self) }
  init?(stored: TOMLValue.Kind) {
    guard case .boolean(let flag) = stored else { return nil }
    self = flag
  }
}

/// The greatest absolute value of a stored number. In microseconds, this is 285 years.
private let mostStored: Int64 = 1 << 53

extension TOMLValue.Kind {
  /// The integer; nil for any other value, and for an integer beyond `mostStored`.
  fileprivate var boundedInteger: Int64? {
    integer.flatMap { (-mostStored...mostStored).contains($0) ? $0 : nil }
  }
}

extension Int: Stored {
  var stored: TOMLValue.Kind { .integer(Int64(self)) }
  init?(stored: TOMLValue.Kind) {
    guard let number = stored.boundedInteger else { return nil }
    self.init(exactly: number)
  }
}

extension Double: Stored {
  var stored: TOMLValue.Kind { .float(self) }
  init?(stored: TOMLValue.Kind) {
    // A number that is not finite is not valid either.
    if case .float(let number) = stored, abs(number) <= Double(mostStored) {
      self = number
    } else if let number = stored.boundedInteger {
      self = Double(number)
    } else {
      return nil
    }
  }
}

extension String: Stored {
  var stored: TOMLValue.Kind { .string(self) }
  init?(stored: TOMLValue.Kind) {
    guard let text = stored.string else { return nil }
    self = text
  }
}

extension Array: Stored where Element: Stored {
  var stored: TOMLValue.Kind { .array(map { TOMLValue($0.stored) }) }
  init?(stored: TOMLValue.Kind) {
    guard let values = stored.array else { return nil }
    let elements = values.compactMap { Element(stored: $0.kind) }
    guard elements.count == values.count else { return nil }
    self = elements
  }
}

/// TOML has no null, so nil is stored as `false`. Therefore an optional `Bool` cannot be stored.
extension Optional: Stored where Wrapped: Stored {
  var stored: TOMLValue.Kind { map(\.stored) ?? .boolean(false) }
  init?(stored: TOMLValue.Kind) {
    if stored == .boolean(false) {
      self = .none
    } else {
      guard let value = Wrapped(stored: stored) else { return nil }
      self = value
    }
  }
}

/// An enumeration whose cases are stored as their raw values, which are words or numbers.
protocol StoredCase: Stored, RawRepresentable where RawValue: Stored {}

extension StoredCase {
  var stored: TOMLValue.Kind { rawValue.stored }
  init?(stored: TOMLValue.Kind) {
    guard let raw = RawValue(stored: stored) else { return nil }
    self.init(rawValue: raw)
  }
}

// MARK: - Time

/// A duration is stored in microseconds.
extension Duration: Stored {
  var stored: TOMLValue.Kind { .integer(wholeMicroseconds) }
  init?(stored: TOMLValue.Kind) {
    guard let number = stored.boundedInteger else { return nil }
    self = .microseconds(number)
  }
}

/// An instant is stored in UTC, to the microsecond. TOML cannot write instants outside certain
/// years. Such an instant becomes the first or last one that TOML can write.
extension Instant: Stored {
  var stored: TOMLValue.Kind {
    let last = Instant(seconds: 253_402_300_799)
    let shown = max(Instant(seconds: -62_135_596_800), min(self, last))
    let local = CivilDateTime(localSeconds: shown.seconds)
    let nanosecond = UInt32(shown.microseconds - shown.seconds * 1_000_000) * 1000
    return .offsetDateTime(local, nanosecond: nanosecond, minutesEast: 0)
  }

  init?(stored: TOMLValue.Kind) {
    guard case .offsetDateTime(let local, let nanosecond, let minutesEast) = stored else {
      return nil
    }
    let seconds = local.localSeconds - Int64(minutesEast) * 60
    self = Instant(seconds: seconds) + .microseconds(Int64(nanosecond) / 1000)
  }
}

extension CivilDate: Stored {
  var stored: TOMLValue.Kind { .date(self) }
  init?(stored: TOMLValue.Kind) {
    guard case .date(let date) = stored else { return nil }
    self = date
  }
}

extension CivilTime: Stored {
  var stored: TOMLValue.Kind { .time(self) }
  init?(stored: TOMLValue.Kind) {
    guard case .time(let time, _) = stored else { return nil }
    self = time
  }
}

extension CivilDateTime: Stored {
  var stored: TOMLValue.Kind { .dateTime(self) }
  init?(stored: TOMLValue.Kind) {
    guard case .dateTime(let local, _) = stored else { return nil }
    self = local
  }
}

/// Moved rings are stored as `[[2026-12-24, 2026-12-24T08:15:00]]`. Each pair has the original date
/// of a ring, and the date and time to which the ring was moved.
extension Moves: Stored {
  var stored: TOMLValue.Kind {
    .array(
      sorted { $0.key < $1.key }.map { date, time in
        TOMLValue(.array([TOMLValue(date.stored), TOMLValue(time.stored)]))
      })
  }

  init?(stored: TOMLValue.Kind) {
    guard case .array(let pairs) = stored, (1...AlarmState.movesKept).contains(pairs.count) else {
      return nil
    }
    self.init()
    for pair in pairs {
      guard case .array(let pair) = pair.kind, pair.count == 2,
        let date = CivilDate(stored: pair[0].kind), let time = CivilDateTime(stored: pair[1].kind)
      else { return nil }
      self[date] = time
    }
  }
}

/// Ranges of days are stored as `[[2026-12-25, 2026-12-25], [2026-12-28, 2027-01-02]]`.
extension ExceptedDays: Stored {
  var stored: TOMLValue.Kind { ranges.map { [$0.lowerBound, $0.upperBound] }.stored }

  init?(stored: TOMLValue.Kind) {
    guard let pairs = [[CivilDate]](stored: stored),
      pairs.allSatisfy({ $0.count == 2 && $0[0] <= $0[1] })
    else { return nil }
    self.init(pairs.map { $0[0]...$0[1] })
  }
}

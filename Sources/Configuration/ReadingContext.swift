// SPDX-License-Identifier: GPL-3.0-or-later
//
// What only the outside knows, and a config refers to: time zones, and the language's weekdays.

public struct ReadingContext {
  /// Whether there is a time zone of this identifier.
  public var isKnownZone: (String) -> Bool
  /// All identifiers, to guess from what was mistyped; asked for only then.
  public var zoneNames: () -> [String]
  public var weekdays: WeekdayNames

  public init(
    isKnownZone: @escaping (String) -> Bool, zoneNames: @escaping () -> [String] = { [] },
    weekdays: WeekdayNames = WeekdayNames()
  ) {
    (self.isKnownZone, self.zoneNames, self.weekdays) = (isKnownZone, zoneNames, weekdays)
  }
}

/// The zones of a context, each asked for once: looking one up may read a file, and thousands of
/// alarms may name the same.
final class KnownZones {
  private let context: ReadingContext
  private var answers: [String: Bool] = [:]
  private lazy var names = context.zoneNames()

  init(_ context: ReadingContext) { self.context = context }

  func contains(_ zone: String) -> Bool {
    if let answer = answers[zone] { return answer }
    let answer = context.isKnownZone(zone)
    answers[zone] = answer
    return answer
  }

  /// The zone that was probably meant: `Seoul` alone is `Asia/Seoul`, as is `Asia/Soul`.
  func nearest(to zone: String) -> String? {
    let city = zone.lowercased().map { $0 == " " ? "_" : $0 }
    return names.first { Array($0.lowercased().split(separator: "/").last ?? "") == city }
      ?? nearMatch(to: zone, among: names)
  }
}

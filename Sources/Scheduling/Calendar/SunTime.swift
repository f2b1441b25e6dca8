// SPDX-License-Identifier: GPL-3.0-or-later
//
// A time of day by the sun, such as `sunrise - 30m`. The sun's position is computed outside the
// core, which has no trigonometry: see `Sun.swift` in System. Next: `Recurrence.swift`.

public enum Sun: Hashable, Sendable {
  case rises(Instant, sets: Instant)
  /// The sun stays above the horizon all day, or below it.
  case staysUp, staysDown
}

public struct SunTime: Hashable, Sendable {
  public enum Event: String, CaseIterable, Hashable, Sendable { case sunrise, sunset }

  public var event: Event
  /// How much later the time is than sunrise or sunset; negative if it is earlier. At most
  /// `longestOffset` either way.
  public var offset: Duration
  /// The name of the city and its position, in degrees north and east.
  public var city: String
  public var latitude: Double
  public var longitude: Double

  public static let longestOffset: Duration = .hours(12)

  public init(
    _ event: Event, offset: Duration = .zero, city: String, latitude: Double, longitude: Double
  ) {
    (self.event, self.offset, self.city) = (event, offset, city)
    (self.latitude, self.longitude) = (latitude, longitude)
  }

  /// Identifies the time by the city's position, not its name: the same city under another name has
  /// the same sunrise.
  var signature: String { "\(event)\(offset.wholeSeconds)@\(latitude),\(longitude)" }
}

extension Recurrence {
  /// Returns sunrise or sunset on `date`, rounded to the minute, plus the offset. `due` is nil if
  /// the sun does not rise and set on that day. The whole result is nil if the zone has no such
  /// date.
  func byTheSun(
    _ sun: SunTime, on date: CivilDate, _ zones: some ZoneRules
  ) -> (due: Instant?, course: Sun)? {
    let noon = CivilDateTime(date, CivilTime(secondOfDay: 43_200))
    guard let there = zones.resolve(noon, in: zone) else { return nil }
    let course = zones.sun(
      latitude: sun.latitude, longitude: sun.longitude, noon: there.instant)
    guard case .rises(let rise, let set) = course else { return (nil, course) }
    let moment = sun.event == .sunrise ? rise : set
    let minute = (moment.seconds + 30).quotientRoundedDown(by: 60) * 60
    return (Instant(seconds: minute) + sun.offset, course)
  }

  /// Returns the local time at which the alarm is due on `date`, in the alarm's zone. Nil if the
  /// alarm rings by the sun and is not due on that date.
  public func clockTime(on date: CivilDate, in zones: some ZoneRules) -> CivilTime? {
    if sun == nil { return time }
    return occurrence(on: date, zones).map { zones.civil(at: $0.due, in: zone).time }
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// A time of day by the sun, `sunrise - 30m`. Where the sun stands is reckoned outside, as zones are
// (`Sun.swift` in System): the core has no sines. Next: `Recurrence.swift`.

/// What the sun does at a place on one day.
public enum Sun: Hashable, Sendable {
  case rises(Instant, sets: Instant)
  /// It stays above the horizon, or below it.
  case staysUp, staysDown
}

/// A moment of the day by the sun over a place.
public struct SunTime: Hashable, Sendable {
  public enum Event: String, CaseIterable, Hashable, Sendable { case sunrise, sunset }

  public var event: Event
  /// How much later; less than zero: earlier. At most `longestOffset` either way.
  public var offset: Duration
  /// What the place is called, and where it is: degrees north and east.
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

  /// With another place it is another time, whatever that is called.
  var signature: String { "\(event)\(offset.wholeSeconds)@\(latitude),\(longitude)" }
}

extension Recurrence {
  /// When it is due on `date`, to the minute of the sun and then the offset; or what keeps the sun
  /// from it. Nil where the zone has no such date.
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

  /// What the clock shows there when it is due on `date`, or is by the sun.
  public func clockTime(on date: CivilDate, in zones: some ZoneRules) -> CivilTime? {
    if sun == nil { return time }
    return occurrence(on: date, zones).map { zones.civil(at: $0.due, in: zone).time }
  }
}

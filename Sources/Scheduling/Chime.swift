// SPDX-License-Identifier: GPL-3.0-or-later
//
// Chimes: one stroke whenever local clocks show one of their times, and nothing else: no notice, no
// record, none made up for later. It strikes twice where a time comes twice, and not where it is
// left out. Whether somebody is disturbed by it is not asked here.

/// `[[chime]]`.
public struct Chime: Hashable, Sendable {
  /// Divides an hour, or is whole hours of a day; counted from midnight.
  public var every: Duration
  /// Both included; over midnight where the first is later.
  public var between: Hours?
  public var days: Days
  public var sounds: [String]

  public struct Hours: Hashable, Sendable {
    public var first, last: CivilTime

    public init(_ first: CivilTime, _ last: CivilTime) { (self.first, self.last) = (first, last) }
  }

  public init(
    every: Duration, between: Hours? = nil,
    days: Days = Days(Set(Weekday.allCases)), sounds: [String] = []
  ) {
    (self.every, self.between, self.days, self.sounds) = (every, between, days, sounds)
  }

  private static let day: Int64 = 86_400

  /// Whether any of its times lies in the hours that it has.
  public var strikes: Bool { first(inDayFrom: 0) != nil }

  /// The first stroke later than `moment`, by the clocks of the machine.
  public func next(after moment: Instant, in zones: some ZoneRules) -> Instant? {
    guard strikes else { return nil }
    var start = Instant(seconds: moment.seconds) + .seconds(1)
    while true {
      let interval = zones.interval(containing: start, in: nil)
      let offset = Int64(interval.offset)
      guard let local = first(from: start.seconds + offset) else { return nil }
      let stroke = Instant(seconds: local - offset)
      guard let end = interval.end, stroke >= end else { return stroke }
      start = end
    }
  }

  /// The first of its times from `local` on, in seconds as local clocks count them.
  private func first(from local: Int64) -> Int64? {
    var date = CivilDateTime(localSeconds: local).date
    var second = local - CivilDateTime(date, .midnight).localSeconds
    while let day = Recurrence.Dates.days(days).first(from: date) {
      if day > date { second = 0 }
      if let found = first(inDayFrom: second) {
        return CivilDateTime(day, .midnight).localSeconds + found
      }
      (date, second) = (day.adding(days: 1), 0)
    }
    return nil
  }

  private func first(inDayFrom second: Int64) -> Int64? {
    let step = every.wholeSeconds
    return spans.lazy.compactMap { span in
      let found = (max(second, span.lowerBound) + step - 1) / step * step
      return span.contains(found) ? found : nil
    }.min()
  }

  private var spans: [ClosedRange<Int64>] {
    guard let between else { return [0...(Self.day - 1)] }
    let (first, last) = (Int64(between.first.secondOfDay), Int64(between.last.secondOfDay))
    return first <= last ? [first...last] : [0...last, first...(Self.day - 1)]
  }
}

extension Schedule {
  /// When the next chime strikes, and which.
  public struct Stroke: Hashable, Sendable {
    public var at: Instant
    public var chime: Chime
  }

  /// The chime that strikes now, if one does: what comes late is dropped.
  mutating func strike(at now: Now, _ isOdd: Bool, _ zones: some ZoneRules) -> Chime? {
    defer { followChimes(at: now.wall, zones) }
    guard !isOdd, let stroke, stroke.at <= now.wall,
      now.wall - stroke.at <= Self.strokeLateness
    else { return nil }
    return stroke.chime
  }

  /// Of several at once the first of the config.
  private mutating func followChimes(at now: Instant, _ zones: some ZoneRules) {
    stroke = (now.isPlausible ? chimes : []).compactMap { chime in
      chime.next(after: now, in: zones).map { Stroke(at: $0, chime: chime) }
    }.min { $0.at < $1.at }
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Calculates sunrise and sunset from place and date. No time zones or clocks are needed, because
// the results are moments. The formulas are those of NOAA's solar calculator, after Jean Meeus,
// Astronomical Algorithms. Away from the poles, the results are right to a minute for the years
// 1900 to 2100.

import Glibc
import Scheduling

extension Zones {
  public func sun(latitude: Double, longitude: Double, noon: Instant) -> Sun {
    Sun(latitude: latitude, longitude: longitude, noon: noon)
  }
}

extension Sun {
  /// Calculates sunrise and sunset of one day at `latitude` degrees north and `longitude` degrees
  /// east. The day is the one whose solar noon is nearest to the moment `noon`.
  public init(latitude: Double, longitude: Double, noon: Instant) {
    let days = (Double(noon.seconds) / 86_400 + longitude / 360 - 0.5).rounded()
    /// Midnight by the mean sun at this longitude.
    let midnight = (days - longitude / 360) * 86_400
    let atNoon = Sky(seconds: midnight + 43_200).cosineOfHourAngle(latitude: latitude)
    guard abs(atNoon) <= 1 else {
      self = atNoon < 0 ? .staysUp : .staysDown
      return
    }
    func moment(_ side: Double) -> Instant {
      var moment = midnight + 43_200
      // The sun moves along its path during the day. So repeat the calculation with the sun's
      // position at the calculated moment.
      for _ in 0..<3 {
        let sky = Sky(seconds: moment)
        // Limit the cosine, because `acos` accepts only -1...1. Near the poles, the sun's position
        // at noon may give a moment of sunset, while the sun's position at that moment gives none.
        let cosine = max(-1, min(sky.cosineOfHourAngle(latitude: latitude), 1))
        moment = midnight + 43_200 - sky.equationOfTime * 60 + side * degrees(acos(cosine)) * 240
      }
      return Instant(seconds: Int64(moment.rounded()))
    }
    self = .rises(moment(-1), sets: moment(1))
  }
}

/// The position of the sun at a moment.
private struct Sky {
  /// Degrees north of the equator.
  let declination: Double
  /// Minutes by which a sundial is ahead of the mean sun.
  let equationOfTime: Double

  init(seconds: Double) {
    /// Julian centuries since noon of 2000-01-01.
    let t = (seconds / 86_400 - 10_957.5) / 36_525
    let meanLongitude = 280.46646 + t * (36_000.76983 + t * 0.0003032)
    let meanAnomaly = 357.52911 + t * (35_999.05029 - t * 0.0001537)
    let eccentricity = 0.016708634 - t * (0.000042037 + t * 0.0000001267)
    let center =
      sine(meanAnomaly) * (1.914602 - t * (0.004817 + t * 0.000014))
      + sine(2 * meanAnomaly) * (0.019993 - t * 0.000101) + sine(3 * meanAnomaly) * 0.000289
    /// The longitude of the moon's ascending node, on which the nutation of the earth's axis
    /// depends.
    let node = 125.04 - 1934.136 * t
    let longitude = meanLongitude + center - 0.00569 - 0.00478 * sine(node)
    let obliquity =
      23.439291 - t * (0.0130042 + t * (0.00000016 - t * 0.000000504)) + 0.00256 * cosine(node)
    declination = degrees(asin(sine(obliquity) * sine(longitude)))
    let y = pow(tan(radians(obliquity / 2)), 2)
    let equation =
      y * sine(2 * meanLongitude) - 2 * eccentricity * sine(meanAnomaly)
      + 4 * eccentricity * y * sine(meanAnomaly) * cosine(2 * meanLongitude)
      - y * y / 2 * sine(4 * meanLongitude)
      - 5 / 4 * eccentricity * eccentricity * sine(2 * meanAnomaly)
    equationOfTime = 4 * degrees(equation)
  }

  /// Returns the cosine of the angle by which the sun turns between noon and sunset. If the result
  /// is below -1, the sun stays up all day; if above 1, it stays down. The sun rises or sets when
  /// its upper edge, lifted by refraction, is at the horizon. Its center is then 50 minutes of arc
  /// below the horizon, which is 90.833 degrees from the zenith.
  func cosineOfHourAngle(latitude: Double) -> Double {
    (cosine(90.833) - sine(latitude) * sine(declination))
      / (cosine(latitude) * cosine(declination))
  }
}

private func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
private func degrees(_ radians: Double) -> Double { radians * 180 / .pi }
private func sine(_ degrees: Double) -> Double { sin(radians(degrees)) }
private func cosine(_ degrees: Double) -> Double { cos(radians(degrees)) }

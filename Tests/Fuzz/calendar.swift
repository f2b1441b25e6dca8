// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fuzzes the reader of calendars: from any bytes, it must find the days in a bounded number of
// steps. `run` builds and runs this fuzzer.

import ICalendar
import Scheduling

struct TwoZones: ZoneRules {
  func interval(containing instant: Instant, in zone: String?) -> ZoneInterval {
    ZoneInterval(start: nil, end: nil, offset: zone == "Asia/Seoul" ? 9 * 3600 : 0)
  }
  func isKnown(_ zone: String) -> Bool { ["UTC", "Asia/Seoul"].contains(zone) }
  func sun(latitude: Double, longitude: Double, noon: Instant) -> Sun { .staysDown }
}

@_cdecl("LLVMFuzzerTestOneInput")
func take(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let calendars = try? CalendarComponent.read(bytes) else { return 0 }
  var reader = EventReader(calendars, TwoZones())
  let (first, last) = (CivilDate(daysSinceEpoch: 20_000), CivilDate(daysSinceEpoch: 24_000))
  for item in reader.items {
    do throws(TooSlow) {
      try reader.forEachStart(of: item, from: first, until: last) { start in
        precondition(start.length >= 1)
      }
    } catch { return 0 }
  }
  return 0
}

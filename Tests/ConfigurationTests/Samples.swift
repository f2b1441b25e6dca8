// SPDX-License-Identifier: GPL-3.0-or-later
//
// Has the config that many tests read, and the zones, sounds and cities that exist in these tests.
// Next: `CompleteFileTests.swift`.

import Configuration
import TOML
import TestData

/// A config that has every table and key.
let completeFile = table("complete.toml")

let zoneNames = ["America/New_York", "Asia/Seoul", "Europe/Berlin", "UTC"]

let korean = [
  ["월요일", "월"], ["화요일", "화"], ["수요일", "수"], ["목요일", "목"], ["금요일", "금"], ["토요일", "토"],
  ["일요일", "일"],
]

var context: ReadingContext {
  var context = ReadingContext(isKnownZone: zoneNames.contains)
  context.zoneNames = { zoneNames }
  context.weekdays = WeekdayNames(localized: korean)
  return context
}

func read(_ text: String) -> Reading { read(Array(text.utf8)) }

func read(_ bytes: [UInt8]) -> Reading {
  Configuration.read(bytes, file: "config.toml", in: context)
}

/// Returns the diagnostics of `text` as they are printed, but without the name of the file.
func complaints(about text: String) -> [String] { complaints(about: Array(text.utf8)) }

func complaints(about bytes: [UInt8]) -> [String] {
  read(bytes).diagnostics.map { String($0.description.dropFirst("config.toml:".count)) }
}

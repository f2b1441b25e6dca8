// SPDX-License-Identifier: GPL-3.0-or-later
//
// The config that many tests read, and the zones, sounds and cities that exist in these tests.
// Next: `CompleteFileTests.swift`.

import Configuration
import TOML

/// A config with every table and key.
let completeFile = #"""
  [defaults]              # for every alarm and timer; each can override any of these
  sound      = "Carillon"
  volume     = 80         # percent, 0...100
  fade_in    = "30s"      # from silence to `volume`, linear in decibels from -40 dB; timers: "0s"
  snooze     = "10m"      # or up to three, ["5m", "10m", "30m"]: each becomes a button
  ring_for   = "10m"      # then it is unanswered; "forever" is allowed
  unanswered = "snooze"   # "snooze": by itself, at most `auto_snoozes` times; "miss": missed at once
  auto_snoozes = 3
  late       = "10m"      # found due no longer ago than this, it still rings; later, it is missed
  upcoming   = "30m"      # a quiet notification ahead with "Skip"; "0s": none
  wake       = true       # wake the machine from suspend
  on_ring    = ["notify-my-lamp", "on"]   # commands, as argument lists; none by default
  on_stop    = ["notify-my-lamp", "off"]

  [agent]
  clock       = "auto"    # "12h", "24h", or as the desktop and the locale say
  on_close    = "stop"    # closing the notification by hand: "stop", "snooze", or "ring"
  device      = "default" # ALSA PCM name, or a list tried in order
  mixer       = "raise"   # or "leave"
  mixer_floor = 50        # percent
  pause_media = true      # pause MPRIS players while ringing, resume those that it paused
  countdown   = true      # running timers show a countdown notification
  wake_ahead  = "20s"     # how long before the ring a suspended machine is woken
  lock_screen = "details" # what a locked screen shows of a ring: title and time, or only a "count"

  [[alarm]]
  id    = "work"          # what the command line calls it; made from the label where left out
  time  = 07:30           # also 07:30:15, "7:30", "7:30 am"
  days  = ["mon", "tue", "wed", "thu", "fri"]   # or "weekdays", "weekends", "daily"
  label = "Work"
  except = [2026-12-25]   # days on which it does not ring

  [[alarm]]
  time  = 05:15
  date  = 2026-12-24      # once, on that day
  label = "Train"
  timezone = "Asia/Seoul" # a fixed zone; left out: wherever the machine is

  [[alarm]]
  time = 15:00            # neither days nor date: once, at the next 15:00
  enabled = false

  [[timer]]               # presets: `belfry timer tea`
  name = "tea"
  duration = "4m"
  sound = "Kettle"

  [[clock]]               # the world clock, in this order
  city = "Seoul"          # as in `belfry world search`; or timezone = "Asia/Seoul"
  label = "Home"

  """#

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

/// Returns the diagnostics of `text` as they are shown, without the name of the file.
func complaints(about text: String) -> [String] { complaints(about: Array(text.utf8)) }

func complaints(about bytes: [UInt8]) -> [String] {
  read(bytes).diagnostics.map { String($0.description.dropFirst("config.toml:".count)) }
}

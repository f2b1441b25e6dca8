// SPDX-License-Identifier: GPL-3.0-or-later
//
// The doctor's checks of the machine: clocks, battery and lid. Whether the machine is woken from
// suspend depends on the agent's rights, so that check is in `DoctorSession.swift`. What the kernel
// knows about batteries and the lid is read from /sys; nothing is written.

import Bus
import Configuration
import Language
import Presentation
import Scheduling
import System

extension Doctor {
  func examineMachine() {
    found(Self.clockChip(RealTimeClock.all()))
    found(Self.battery(Battery()))
    found(zone)
    guard awaits(.lid) || awaits(.clock) else { return }
    // Without the system bus, the doctor can find out less about the lid and the clock.
    let bus = try? Bus.connect(address: Bus.systemAddress, within: min(.seconds(3), timeLeft))?
      .get()
    // If the clock service of systemd is not running, this request starts it.
    let clocks = Bus.Peer("org.freedesktop.timedate1")
    let isSynchronised = bus.flatMap { bus in
      property("NTPSynchronized", of: clocks, on: bus, starting: true, within: .seconds(3))?.boolean
    }
    if isSynchronised ?? Clock.now().isSynchronized {
      found(.clock, .ok, tr("synchronised with another clock"))
    } else {
      found(
        .clock, .warning,
        tr("not synchronised: if the clock is wrong, alarms ring at the wrong time"),
        fix: "sudo timedatectl set-ntp true")
    }
    guard Lid.isThere() else { return found(.lid, .ok, tr("none")) }
    let action = bus.flatMap { property("HandleLidSwitch", of: Login.peer, on: $0) }
    found(Self.lid(closing: action?.string))
  }

  static func clockChip(_ clocks: [RealTimeClock]) -> Check {
    if let clock = clocks.first(where: \.mayWake) {
      return Check(.clockChip, .ok, tr("\(clock.name) may wake the machine"))
    }
    guard let clock = clocks.first(where: { $0.setting != nil }), let setting = clock.setting else {
      return Check(
        .clockChip, .warning, tr("this machine has no clock that could wake it from suspend"))
    }
    return Check(
      .clockChip, .warning, tr("\(clock.name) is not allowed to wake the machine from suspend"),
      fix: "echo enabled | sudo tee \(Wording.shell(setting))")
  }

  /// Checks the battery. An almost empty battery does not last until the morning.
  static func battery(_ battery: Battery?) -> Check {
    guard let battery else { return Check(.battery, .ok, tr("none: it runs on the mains")) }
    guard battery.isDischarging else {
      return Check(.battery, .ok, tr("\(battery.charge) %, on the mains"))
    }
    let words = tr("\(battery.charge) %, and not on the mains")
    switch battery.charge {
    case 0...5: return Check(.battery, .error, words, fix: tr("plug it in"))
    case 6...20: return Check(.battery, .warning, words, fix: tr("plug it in"))
    default: return Check(.battery, .ok, words)
    }
  }

  private var zone: Check {
    let files = ZoneFiles()
    if let problem = files.machineProblem {
      return Self.zone(problem, isOfVariable: files.variable != nil)
    }
    let (zones, now) = (Zones(), Clock.now().wall)
    let wording = Wording(zones: zones, clock: configuration.agent.clock)
    let time = wording.minute(zones.civil(at: now, in: nil).time)
    return Check(.zone, .ok, tr("\(Zones.machineZone), where it is \(time)"))
  }

  /// Returns the result of the check for a time zone that cannot be read. If the zone comes from
  /// the variable `TZ`, `timedatectl` cannot change it.
  static func zone(_ problem: Message, isOfVariable: Bool) -> Check {
    Check(
      .zone, .warning, tr("\(problem); UTC is used instead"),
      fix: isOfVariable
        ? tr("unset TZ, or set it to one of the zones that timedatectl list-timezones shows")
        : tr(
          """
          find your zone with timedatectl list-timezones, then: \
          sudo timedatectl set-timezone REGION/CITY
          """))
  }

  /// Checks the lid. `action` is what the login manager does when the lid is closed.
  static func lid(closing action: String?) -> Check {
    switch action {
    case nil: Check(.lid, .unknown, tr("it is not known what happens when the lid is closed"))
    case "ignore", "lock": Check(.lid, .ok, tr("closing it does not suspend the machine"))
    case "suspend":
      Check(.lid, .ok, tr("closing it suspends the machine: an alarm then has to wake it"))
    case "suspend-then-hibernate":
      // The kernel sets the time of waking only for a suspend (`alarmtimer_suspend`).
      Check(
        .lid, .warning,
        tr(
          """
          closing it suspends the machine and later hibernates it; \
          once hibernated, no alarm rings
          """),
        fix: tr("set HandleLidSwitch=suspend in /etc/systemd/logind.conf"))
    case let other?:
      // Most of the other values switch the machine off, and then no alarm can wake it.
      Check(
        .lid, .warning, tr("closing it does this: \(other); no alarm rings then"),
        fix: tr("set HandleLidSwitch=suspend in /etc/systemd/logind.conf"))
    }
  }
}

/// The battery of the machine itself, not of a device such as a mouse.
public nonisolated struct Battery: Equatable, Sendable {
  /// The charge in percent, 0...100. If there are several batteries, this is the charge of the
  /// fullest.
  public var charge: Int
  public var isDischarging: Bool

  public init(charge: Int, isDischarging: Bool) {
    (self.charge, self.isDischarging) = (charge, isDischarging)
  }

  /// Reads the batteries; nil if there is none. `folder` is where the kernel lists power supplies.
  public init?(in folder: String = "/sys/class/power_supply") {
    let batteries = SystemFile.names(in: folder).map { "\(folder)/\($0)" }.filter {
      SystemFile.line("\($0)/type") == "Battery" && SystemFile.line("\($0)/scope") != "Device"
    }
    let charges = batteries.compactMap { SystemFile.line("\($0)/capacity").flatMap { Int($0) } }
    guard let charge = charges.max() else { return nil }
    self.charge = min(max(charge, 0), 100)
    isDischarging = batteries.contains { SystemFile.line("\($0)/status") == "Discharging" }
  }
}

public nonisolated enum Lid {
  /// Whether the machine has a lid: an input device with the switch `SW_LID`, number 0.
  public static func isThere(in folder: String = "/sys/class/input") -> Bool {
    SystemFile.names(in: folder).contains { device in
      // The file has a bit mask, written as hexadecimal numbers. The number with the lowest bits
      // comes last.
      let mask = SystemFile.line("\(folder)/\(device)/capabilities/sw")
      let low = mask?.split(separator: " ").last.flatMap { UInt64($0, radix: 16) } ?? 0
      return low & 1 == 1
    }
  }
}

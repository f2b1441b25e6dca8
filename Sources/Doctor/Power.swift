// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads from /sys what the kernel knows about batteries and the lid.
// Every call reads the files again; nothing is written. `Login` finds out what closing the lid
// does.

import System

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
      // The file has words of a bit mask in hexadecimal, the lowest word last.
      let mask = SystemFile.line("\(folder)/\(device)/capabilities/sw")
      let low = mask?.split(separator: " ").last.flatMap { UInt64($0, radix: 16) } ?? 0
      return low & 1 == 1
    }
  }
}

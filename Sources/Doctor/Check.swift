// SPDX-License-Identifier: GPL-3.0-or-later
//
// The checks that `belfry doctor` makes, of everything between the config and the sound that the
// user hears. `Doctor.swift` makes the checks; this file has their names, states and results.

import Language
import Presentation
import System

/// One check, with its result. As JSON and on the bus, its keys are the names of the properties.
public nonisolated struct Check: Record {
  /// The checks, in the order in which they are shown.
  public enum Name: String, CaseIterable, Codable, Sendable {
    case config, pauses, state, bus, agent, autostart, device, sounds, mixer, notifications
    case doNotDisturb = "do-not-disturb"
    case wake
    case clockChip = "rtc"
    case battery, lid, zone, clock

    /// The name that users see. Programs get the raw value.
    public var word: String {
      switch self {
      case .config: tr("config", context: "check")
      case .pauses: tr("pauses", context: "check")
      case .state: tr("state", context: "check")
      case .bus: tr("bus", context: "check")
      case .agent: tr("agent", context: "check")
      case .autostart: tr("autostart", context: "check")
      case .device: tr("device", context: "check")
      case .sounds: tr("sounds", context: "check")
      case .mixer: tr("mixer", context: "check")
      case .notifications: tr("notifications", context: "check")
      case .doNotDisturb: tr("do-not-disturb", context: "check")
      case .wake: tr("wake", context: "check")
      case .clockChip: tr("rtc", context: "check")
      case .battery: tr("battery", context: "check")
      case .lid: tr("lid", context: "check")
      case .zone: tr("zone", context: "check")
      case .clock: tr("clock", context: "check")
      }
    }
  }

  public enum State: String, Codable, Sendable {
    case ok, warning
    /// An alarm would not be heard.
    case error
    case unknown
  }

  public var name: Name
  public var state: State
  /// The result in words, for the user. It may contain text from other programs.
  public var message: String
  /// How to fix the problem: if possible, a command to type.
  public var fix: String?

  public init(_ name: Name, _ state: State, _ message: String, fix: String? = nil) {
    (self.name, self.state, self.message, self.fix) = (name, state, message, fix)
  }
}

extension Sequence<Check> {
  /// The failed checks because of which an alarm would not be heard.
  public nonisolated var broken: [Check] { filter { $0.state == .error } }
}

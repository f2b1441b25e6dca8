// SPDX-License-Identifier: GPL-3.0-or-later
//
// The chain from an entry in the config to an ear, each link of it a check that holds or not. They
// are examined in `Doctor.swift`; what it means that one does not hold is said here.

import Configuration
import Language
import Persistence
import System

/// One check, as it was found.
public nonisolated struct Check: Hashable, Sendable {
  /// In the order in which they are told.
  public enum Name: String, CaseIterable, Hashable, Sendable {
    case config, pauses, state, bus, agent, autostart, device, sounds, mixer, notifications
    case doNotDisturb = "do-not-disturb"
    case wake
    case clockChip = "rtc"
    case battery, lid, zone, clock

    /// What people are shown; programs get the raw value.
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

  public enum State: String, CaseIterable, Hashable, Sendable {
    case ok, warning
    /// An alarm would not be heard.
    case error
    case unknown
  }

  public var name: Name
  public var state: State
  /// Words for people; may hold what others wrote.
  public var message: String
  /// What mends it: a command to be typed, where one does.
  public var mend: String?

  public init(_ name: Name, _ state: State, _ message: String, mend: String? = nil) {
    (self.name, self.state, self.message, self.mend) = (name, state, message, mend)
  }

  public var json: JSON {
    .object([
      "check": .string(name.rawValue), "state": .string(state.rawValue),
      "message": .string(message), "mend": mend.map(JSON.string),
    ])
  }

  /// As `json` has it; nil for anything else.
  public init?(_ json: JSON) {
    guard let name = json["check"]?.string.flatMap(Name.init),
      let state = json["state"]?.string.flatMap(State.init), let message = json["message"]?.string
    else { return nil }
    self.init(name, state, message, mend: json["mend"]?.string)
  }

  public var entries: [Variant.Entry] {
    Variant.entries([
      "check": .string(name.rawValue), "state": .string(state.rawValue),
      "message": .string(message), "mend": mend.map(Variant.string),
    ])
  }
}

extension Sequence<Check> {
  /// Those without which an alarm would not be heard.
  public nonisolated var broken: [Check] { filter { $0.state == .error } }
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// The links of the chain from an entry in the config to an ear, and whether each holds. They are
// examined in `Doctor.swift`; what it means that one does not hold is said here.

import Configuration
import Language
import Persistence
import System

/// One link, as it was found.
public nonisolated struct Link: Hashable, Sendable {
  /// In the order in which they are told.
  public enum Name: String, CaseIterable, Hashable, Sendable {
    case config, state, bus, agent, autostart, device, sounds, mixer, notifications
    case doNotDisturb = "do-not-disturb"
    case wake
    case clockChip = "rtc"
    case battery, lid, zone, clock

    /// What people are shown; programs get the raw value.
    public var word: String {
      switch self {
      case .config: tr("config", context: "link")
      case .state: tr("state", context: "link")
      case .bus: tr("bus", context: "link")
      case .agent: tr("agent", context: "link")
      case .autostart: tr("autostart", context: "link")
      case .device: tr("device", context: "link")
      case .sounds: tr("sounds", context: "link")
      case .mixer: tr("mixer", context: "link")
      case .notifications: tr("notifications", context: "link")
      case .doNotDisturb: tr("do-not-disturb", context: "link")
      case .wake: tr("wake", context: "link")
      case .clockChip: tr("rtc", context: "link")
      case .battery: tr("battery", context: "link")
      case .lid: tr("lid", context: "link")
      case .zone: tr("zone", context: "link")
      case .clock: tr("clock", context: "link")
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
    let always = [
      Variant.Entry("check", .string(name.rawValue)),
      Variant.Entry("state", .string(state.rawValue)),
      Variant.Entry("message", .string(message)),
    ]
    return always + (mend.map { [Variant.Entry("mend", .string($0))] } ?? [])
  }
}

extension Sequence<Link> {
  /// Those without which an alarm would not be heard.
  public nonisolated var broken: [Link] { filter { $0.state == .error } }
}

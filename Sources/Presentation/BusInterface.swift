// SPDX-License-Identifier: GPL-3.0-or-later
//
// The names under which the agent offers its methods on the bus, and the names of its errors.
// `BusService.swift` in Agent has the methods; `desktop/session/org.belfry.Belfry1.xml` describes
// them for other programs.

import Bus

/// The names of `org.belfry.Belfry1`, the agent's own D-Bus interface.
public enum BusInterface {
  /// The name of the agent on the bus. Belfry's desktop file has the same name.
  public static let name = "org.belfry.Belfry"
  public static let path = "/org/belfry/Belfry"
  public static let interface = "org.belfry.Belfry1"
  public static var peer: Bus.Peer { Bus.Peer(name, interface: interface) }

  /// The reason why a call to the agent failed; belfryd(1) explains each reason. The name of the
  /// D-Bus error ends with `rawValue`.
  public enum Failure: String, CaseIterable, Sendable {
    case notFound = "NotFound"
    case notRinging = "NotRinging"
    case noSnooze = "NoSnooze"
    case ringing = "Ringing"
    case nothingToCome = "NothingToCome"
    case notRunning = "NotRunning"
    case alreadyRunning = "AlreadyRunning"
    case ambiguous = "Ambiguous"
    case tooMany = "TooMany"
    case invalidArgument = "InvalidArgument"
    case unreadable = "Unreadable"
    case notEdited = "NotEdited"
    case notSaved = "NotSaved"

    public var errorName: String { "org.belfry.Error.\(rawValue)" }
  }

  /// The largest number of alarms in one answer. A longer answer would take so much time that it
  /// could delay a ring.
  public static let mostAlarms = 500
  /// The longest snooze, in seconds.
  public static let longestSnooze: Int64 = 366 * 86_400
}

/// The names of `org.freedesktop.Application`, the interface that the desktop's launcher calls.
/// `LauncherService.swift` in Agent carries out the actions.
public enum LauncherInterface {
  public static let name = "org.freedesktop.Application"
  public static var peer: Bus.Peer { Bus.Peer(BusInterface.name, interface: name) }

  /// The actions in the menu of Belfry's launcher entry. The desktop file
  /// `desktop/session/org.belfry.Belfry.desktop` has the same names.
  public enum Action: String, CaseIterable, Sendable {
    case fiveMinutes = "timer-5m"
    case tenMinutes = "timer-10m"
    case editAlarms = "edit-alarms"
    /// GNOME Shell adds an entry "New Window" to the menu unless an action has this name.
    case nextAlarm = "new-window"
  }
}

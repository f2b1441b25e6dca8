// SPDX-License-Identifier: GPL-3.0-or-later
//
// The names under which the agent offers its methods on the bus, and the names of the errors that
// it answers. Agent has the methods (`BusMethod.swift`); `desktop/session/org.belfry.Belfry1.xml`
// describes them for other programs.

import Bus

/// `org.belfry.Belfry1`, the agent's own interface.
public enum BusInterface {
  /// The bus name, which is also the name of the desktop file.
  public nonisolated static let name = "org.belfry.Belfry"
  public nonisolated static let path = "/org/belfry/Belfry"
  public nonisolated static let interface = "org.belfry.Belfry1"
  public static var peer: Bus.Peer { Bus.Peer(name, interface: interface) }

  /// Why a call was refused. The name of the D-Bus error ends with `rawValue`.
  public nonisolated enum Failure: String, CaseIterable, Sendable {
    /// No alarm or timer has this id.
    case notFound = "NotFound"
    /// Nothing is ringing or snoozed, or not under this id.
    case notRinging = "NotRinging"
    /// The alarm has no snooze, or no more snoozes for this ring.
    case noSnooze = "NoSnooze"
    /// The alarm is already ringing or snoozed.
    case ringing = "Ringing"
    /// The alarm has no upcoming ring.
    case nothingToCome = "NothingToCome"
    /// The timer or the stopwatch is not running.
    case notRunning = "NotRunning"
    case alreadyRunning = "AlreadyRunning"
    /// The id was left out, and there are several timers.
    case ambiguous = "Ambiguous"
    /// The agent already has as many timers or laps as it keeps.
    case tooMany = "TooMany"
    case invalidArgument = "InvalidArgument"
    /// A file cannot be read.
    case unreadable = "Unreadable"
    /// The config cannot be changed, because it has an error or cannot be written.
    case notEdited = "NotEdited"
    /// The change was made but cannot be saved: it is lost when the agent restarts.
    case notSaved = "NotSaved"

    public var errorName: String { "org.belfry.Error.\(rawValue)" }
  }

  /// The most alarms in one answer. A longer answer would delay a ring.
  public nonisolated static let mostAlarms = 500
  /// The longest snooze in seconds: a year.
  public nonisolated static let longestSnooze: Int64 = 366 * 86_400
}

/// `org.freedesktop.Application`, which the desktop's launcher calls. `LauncherService.swift` in
/// Agent carries out the actions.
public enum LauncherInterface {
  public nonisolated static let name = "org.freedesktop.Application"
  public static var peer: Bus.Peer { Bus.Peer(BusInterface.name, interface: name) }

  /// The actions in the launcher's menu, as `desktop/session/org.belfry.Belfry.desktop` names them.
  public nonisolated enum Action: String, CaseIterable, Sendable {
    case fiveMinutes = "timer-5m"
    case tenMinutes = "timer-10m"
    case editAlarms = "edit-alarms"
    /// GNOME Shell adds its own entry for a new window unless an action has this name.
    case nextAlarm = "new-window"
  }
}

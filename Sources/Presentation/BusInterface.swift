// SPDX-License-Identifier: GPL-3.0-or-later
//
// The names under which the agent offers its methods on the bus, and the names of the errors that
// it returns. `BusMethod.swift` in Agent has the methods; `desktop/session/org.belfry.Belfry1.xml`
// describes them for other programs.

import Bus

/// The names of `org.belfry.Belfry1`, the agent's own D-Bus interface.
public enum BusInterface {
  /// The name of the agent on the bus, which is also the name of the desktop file.
  public nonisolated static let name = "org.belfry.Belfry"
  public nonisolated static let path = "/org/belfry/Belfry"
  public nonisolated static let interface = "org.belfry.Belfry1"
  public static var peer: Bus.Peer { Bus.Peer(name, interface: interface) }

  /// The reason why a call failed. The name of the D-Bus error ends with `rawValue`.
  public nonisolated enum Failure: String, CaseIterable, Sendable {
    /// No alarm or timer has this id.
    case notFound = "NotFound"
    /// The alarm or timer with this id is not ringing or snoozed. If the call has no id, this error
    /// means that nothing is ringing or snoozed.
    case notRinging = "NotRinging"
    /// The alarm cannot be snoozed, or has used all of its snoozes for this ring.
    case noSnooze = "NoSnooze"
    /// The alarm is already ringing or snoozed.
    case ringing = "Ringing"
    /// The alarm has no upcoming ring.
    case nothingToCome = "NothingToCome"
    case notRunning = "NotRunning"
    case alreadyRunning = "AlreadyRunning"
    /// The call has no id, although there are several timers.
    case ambiguous = "Ambiguous"
    /// The agent already has the most timers or laps that it can keep.
    case tooMany = "TooMany"
    case invalidArgument = "InvalidArgument"
    /// A file that the call needs cannot be read.
    case unreadable = "Unreadable"
    /// The config cannot be changed, because it has an error or cannot be written.
    case notEdited = "NotEdited"
    /// The change was made but cannot be saved, so it is lost when the agent restarts.
    case notSaved = "NotSaved"

    public var errorName: String { "org.belfry.Error.\(rawValue)" }
  }

  /// The most alarms in one answer. A longer answer would take so much time that it could
  /// delay a ring.
  public nonisolated static let mostAlarms = 500
  public nonisolated static let longestSnooze: Int64 = 366 * 86_400
}

/// The names of `org.freedesktop.Application`, the interface that the desktop's launcher calls.
/// `LauncherService.swift` in Agent carries out the actions.
public enum LauncherInterface {
  public nonisolated static let name = "org.freedesktop.Application"
  public static var peer: Bus.Peer { Bus.Peer(BusInterface.name, interface: name) }

  /// The actions in the launcher's menu. `desktop/session/org.belfry.Belfry.desktop` has
  /// the same names.
  public nonisolated enum Action: String, CaseIterable, Sendable {
    case fiveMinutes = "timer-5m"
    case tenMinutes = "timer-10m"
    case editAlarms = "edit-alarms"
    /// GNOME Shell adds an entry of its own for a new window, unless an action has this name.
    case nextAlarm = "new-window"
  }
}

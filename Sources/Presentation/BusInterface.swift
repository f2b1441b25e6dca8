// SPDX-License-Identifier: GPL-3.0-or-later
//
// `org.belfry.Belfry1`: what the agent is called on the bus, and the errors that it answers. Its
// methods are a table in Agent (`BusMethod.swift`); `desktop/session/org.belfry.Belfry1.xml` is for
// whoever writes a client.

import Bus

/// The agent as other programs know it.
public enum BusInterface {
  /// That of its launcher, too, by which desktops know it.
  public nonisolated static let name = "org.belfry.Belfry"
  public nonisolated static let path = "/org/belfry/Belfry"
  public nonisolated static let interface = "org.belfry.Belfry1"
  public static var peer: Bus.Peer { Bus.Peer(name, interface: interface) }

  /// A call that cannot be done; `rawValue` ends the D-Bus error name.
  public nonisolated enum Failure: String, CaseIterable, Sendable {
    /// No alarm, or no timer, has that id.
    case notFound = "NotFound"
    /// Nothing rings or is snoozed under that id, or at all.
    case notRinging = "NotRinging"
    /// It rings, and cannot be snoozed, or not once more.
    case noSnooze = "NoSnooze"
    /// It rings or is snoozed already.
    case ringing = "Ringing"
    /// The alarm has no next ring.
    case nothingToCome = "NothingToCome"
    /// The timer or the stopwatch does not run, or runs already.
    case notRunning = "NotRunning"
    case alreadyRunning = "AlreadyRunning"
    /// No id was given, and there are several timers.
    case ambiguous = "Ambiguous"
    /// There are as many as are kept.
    case tooMany = "TooMany"
    case invalidArgument = "InvalidArgument"
    /// A file cannot be read.
    case unreadable = "Unreadable"
    /// The config cannot be changed: it has a mistake, or cannot be written.
    case notEdited = "NotEdited"
    /// It is done, but what is remembered cannot be written: a restart takes it back.
    case notSaved = "NotSaved"

    public var errorName: String { "org.belfry.Error.\(rawValue)" }
  }

  /// In one answer: what takes longer keeps a ring waiting.
  public nonisolated static let mostAlarms = 500
  /// The longest snooze: a year.
  public nonisolated static let longestSnooze: Int64 = 366 * 86_400
}

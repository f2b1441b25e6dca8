// SPDX-License-Identifier: GPL-3.0-or-later
//
// `org.belfry.Belfry1` as introspection XML, which is also what the bus checks calls by.
// `desktop/org.belfry.Belfry1.xml` is the same text for whoever writes a client. What answers is
// `BusService.swift` in Agent.

import Bus

/// The agent as other programs know it.
public enum BusInterface {
  public nonisolated static let name = "org.belfry.Belfry"
  public nonisolated static let path = "/org/belfry/Belfry"
  public nonisolated static let interface = "org.belfry.Belfry1"
  public static var peer: Bus.Peer { Bus.Peer(name: name, path: path, interface: interface) }

  /// A call that cannot be done; `rawValue` ends the D-Bus error name.
  public nonisolated enum Failure: String, CaseIterable, Sendable {
    /// No alarm, or no timer, has that id.
    case notFound = "NotFound"
    /// Nothing rings or is snoozed under that id, or at all.
    case notRinging = "NotRinging"
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

  public nonisolated static let xml = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    <node name="/org/belfry/Belfry">
      <!--
        The alarm clock agent. Errors are org.belfry.Error.NotFound, .NotRinging, .NothingToCome,
        .NotRunning, .AlreadyRunning, .Ambiguous, .TooMany, .NotEdited, .NotSaved (it is done, but
        cannot be remembered: a restart takes it back) and .InvalidArgument. Moments come twice: "at",
        RFC 3339 with the offset of the machine's zone, and "epoch", seconds since
        1970-01-01T00:00:00Z. Alarms and timers never share an id. A call of more than 65536 bytes is not
        read: org.freedesktop.DBus.Error.LimitsExceeded. A label has 1000 bytes at most.
      -->
      <interface name="org.belfry.Belfry1">
        <!--
          Everything there is to know: "ringing" (aa{sv}), "next" (a{sv}, empty where nothing is to
          come), "alarms" (aa{sv}, by time of day), "missed" (aa{sv}), "timers" (aa{sv}),
          "stopwatch" (a{sv}), "clocks" (aa{sv}, in the order of the config) and "agent" (a{sv}).
          A clock has "label", "city" and "country" where it is a city's, "timezone", "at" (the time
          there), "offset" (x, seconds ahead of here), "day" ("yesterday", "today", "tomorrow"), and
          "sunrise" and "sunset", or "sun", which is "up" or "down" all day.
          "agent" has "alarms" (x), how many there are; of more than 500 there are here those that
          ring or are snoozed and the 500 that ring next.
        -->
        <method name="Status">
          <arg name="status" type="a{sv}" direction="out"/>
        </method>
        <!--
          Alarms as Status tells them, but in the order of the config: 1 to 500 behind the first so
          many, fewer where it ends.
        -->
        <method name="Alarms">
          <arg name="first" type="u" direction="in"/>
          <arg name="count" type="u" direction="in"/>
          <arg name="alarms" type="aa{sv}" direction="out"/>
        </method>
        <!-- What Status has under "agent". -->
        <method name="Agent">
          <arg name="agent" type="a{sv}" direction="out"/>
        </method>
        <!-- Ends what rings or is snoozed under this id, an alarm or a timer; "" ends all that rings. -->
        <method name="Stop">
          <arg name="id" type="s" direction="in"/>
          <arg name="stopped" type="as" direction="out"/>
        </method>
        <!--
          Snoozes what rings or is snoozed under this id, from now; "" snoozes all that rings.
          seconds: 1 to 31622400, or 0 for the first of its own lengths.
        -->
        <method name="Snooze">
          <arg name="id" type="s" direction="in"/>
          <arg name="seconds" type="x" direction="in"/>
          <arg name="snoozed" type="as" direction="out"/>
        </method>
        <!-- The next ring of this alarm will not be. Answers when that would have been. -->
        <method name="Skip">
          <arg name="id" type="s" direction="in"/>
          <arg name="epoch" type="x" direction="out"/>
        </method>
        <!-- It will be after all. -->
        <method name="Unskip">
          <arg name="id" type="s" direction="in"/>
          <arg name="epoch" type="x" direction="out"/>
        </method>
        <!--
          Cities by the beginning of a name or of a word in it, in English, Korean or the language of
          the place, by Korean initial consonants, by country, region or zone; the best match first,
          then the most populous. count: at most so many, 1 to 1000. Each has "city", which is what
          the config takes, "name", "korean", "local", "region", "country", "country_code",
          "population" (x), "latitude" and "longitude" (d), and "timezone", "at", "offset" and "day"
          as clocks have them.
        -->
        <method name="SearchCities">
          <arg name="text" type="s" direction="in"/>
          <arg name="count" type="u" direction="in"/>
          <arg name="cities" type="aa{sv}" direction="out"/>
        </method>
        <!-- The user has read what was missed. -->
        <method name="AcknowledgeMissed"/>
        <!--
          The last rings, the latest last, as `belfry history` with its option for JSON tells them.
          count: 1 to 10000. Fails with org.belfry.Error.Unreadable where the file does.
        -->
        <method name="History">
          <arg name="count" type="u" direction="in"/>
          <arg name="rings" type="aa{sv}" direction="out"/>
        </method>
        <!--
          Would an alarm be heard? What the agent looks at by itself before a ring, as checks with
          "check", "state" ("ok", "warning", "error": it would not be, or "unknown"), "message" and,
          where there is one, "mend". Takes seconds.
        -->
        <method name="Check">
          <arg name="checks" type="aa{sv}" direction="out"/>
        </method>
        <!--
          Writes an alarm to the config. The keys are the config's, with values of type s, as, b, i, u or
          x: "time" (as in "7:30"), "days", "date" (as in "2026-12-24"), "except" and so on. Answers its
          id. This and the next three answer once they have taken effect; where the config has a mistake
          or cannot be written, with .NotEdited.
        -->
        <method name="AddAlarm">
          <arg name="settings" type="a{sv}" direction="in"/>
          <arg name="id" type="s" direction="out"/>
        </method>
        <!--
          Changes these keys of an alarm; "unset" (as) lists keys to take out. Answers its id, which is
          another where it comes from a label or a time that was changed.
        -->
        <method name="EditAlarm">
          <arg name="id" type="s" direction="in"/>
          <arg name="settings" type="a{sv}" direction="in"/>
          <arg name="now" type="s" direction="out"/>
        </method>
        <!-- Takes alarms out of the config, all of them or none. -->
        <method name="RemoveAlarms">
          <arg name="ids" type="as" direction="in"/>
          <arg name="removed" type="as" direction="out"/>
        </method>
        <!--
          The user has taken these alarms out of the config: what rings of them ends at once, though
          they were the last ones in it. An alarm that is there stays.
        -->
        <method name="Forget">
          <arg name="ids" type="as" direction="in"/>
        </method>
        <!-- Switches alarms on or off; one that rings once and is over gets its next date. -->
        <method name="SetEnabled">
          <arg name="ids" type="as" direction="in"/>
          <arg name="enabled" type="b" direction="in"/>
          <arg name="changed" type="as" direction="out"/>
        </method>
        <!--
          Writes a clock to the config, behind the others: a city by one of its names, or a time zone;
          label may be "". Answers what the config calls it. This and the next two answer as AddAlarm
          does.
        -->
        <method name="AddClock">
          <arg name="city" type="s" direction="in"/>
          <arg name="label" type="s" direction="in"/>
          <arg name="name" type="s" direction="out"/>
        </method>
        <!-- Takes the clocks of this label, city or time zone out of the config. -->
        <method name="RemoveClock">
          <arg name="name" type="s" direction="in"/>
          <arg name="removed" type="as" direction="out"/>
        </method>
        <!-- Moves a clock to a place among the others, counted from 1. -->
        <method name="MoveClock">
          <arg name="name" type="s" direction="in"/>
          <arg name="place" type="u" direction="in"/>
          <arg name="moved" type="s" direction="out"/>
        </method>
        <!--
          Starts a timer of "duration" (x, seconds, 1 to 31622400) or, one of the two, of "preset" (s);
          "label" (s) and "sound" (s) may be left out. Answers its id.
        -->
        <method name="StartTimer">
          <arg name="options" type="a{sv}" direction="in"/>
          <arg name="id" type="s" direction="out"/>
        </method>
        <!--
          Of a timer, by its id; "" is the only one that there is. Each answers the id. Cancelled it is
          gone; restarted it runs for what it was started with.
        -->
        <method name="PauseTimer">
          <arg name="id" type="s" direction="in"/>
          <arg name="timer" type="s" direction="out"/>
        </method>
        <method name="ResumeTimer">
          <arg name="id" type="s" direction="in"/>
          <arg name="timer" type="s" direction="out"/>
        </method>
        <method name="CancelTimer">
          <arg name="id" type="s" direction="in"/>
          <arg name="timer" type="s" direction="out"/>
        </method>
        <method name="RestartTimer">
          <arg name="id" type="s" direction="in"/>
          <arg name="timer" type="s" direction="out"/>
        </method>
        <!-- More time for one that runs or is paused; one that rings or is snoozed runs for so long. -->
        <method name="AddToTimer">
          <arg name="id" type="s" direction="in"/>
          <arg name="seconds" type="x" direction="in"/>
          <arg name="timer" type="s" direction="out"/>
        </method>
        <!-- A timer as Status tells it, by its id; "" is the only one that there is. -->
        <method name="Timer">
          <arg name="id" type="s" direction="in"/>
          <arg name="timer" type="a{sv}" direction="out"/>
        </method>
        <!-- All timers, as Status tells them. -->
        <method name="Timers">
          <arg name="timers" type="aa{sv}" direction="out"/>
        </method>
        <!-- Those started before, the latest first, none twice: "duration" (x, seconds), "label" (s). -->
        <method name="RecentTimers">
          <arg name="timers" type="aa{sv}" direction="out"/>
        </method>
        <method name="StopwatchStart"/>
        <method name="StopwatchStop"/>
        <method name="StopwatchLap"/>
        <!-- Back to zero, and stopped. -->
        <method name="StopwatchReset"/>
        <!-- Something that Status tells is other than before. -->
        <signal name="Changed"/>
      </interface>
    </node>

    """
}

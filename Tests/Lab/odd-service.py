#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Has the names of services on a bus, and answers every call with nonsense, or not at all.

    odd-service.py [--system] [--silent] NAME...

The answers have the types that a caller may expect, with odd values, and other types; some are
errors. Each call gets the next answer of its list, so a service is asked again to try them all. The
script also sends the signals of the services with odd values, ten times a second.
"""

import argparse
import itertools
import math

import dbus
import dbus.lowlevel
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

MOST = 2**63 - 1
# What a property may be. The keys are those that Belfry reads.
VALUES = [
    dbus.UInt64(2**64 - 1),
    dbus.Int64(-MOST - 1),
    dbus.Boolean(True),
    dbus.String("\x1b[31mno\u202e" + "x" * 5000),
    dbus.Double(math.nan),
    dbus.Array(["no"] * 500, signature="s"),
    dbus.Dictionary({"a": dbus.Int32(-1)}, signature="sv"),
    dbus.Struct((dbus.Byte(255), dbus.ObjectPath("/")), variant_level=1),
]
KEYS = ["LockedHint", "Active", "IdleHint", "IdleSinceHint", "LidClosed", "NTPSynchronized", "NTP"]
KEYS += ["CanNTP", "ActiveState", "HandleLidSwitch", "Inhibited", "PlaybackStatus"]
REPLIES = [
    ("", []),
    ("u", [2**32 - 1]),
    ("t", [2**64 - 1]),
    ("x", [-MOST - 1]),
    ("b", [True]),
    ("s", ["no" * 1000]),
    ("o", ["/no"]),
    ("v", [dbus.UInt64(2**64 - 1, variant_level=1)]),
    ("as", [["no"] * 100]),
    ("a{sv}", [dict.fromkeys(KEYS, VALUES[0])]),
    ("(sx)", [("no", MOST)]),
    ("ssss", ["", "", "\x1b[2J", "1.2"]),
]
SIGNALS = [
    ("/org/freedesktop/login1", "org.freedesktop.login1.Manager", "PrepareForSleep", "s"),
    ("/org/freedesktop/login1", "org.freedesktop.DBus.Properties", "PropertiesChanged", "b"),
    ("/org/xfce/ScreenSaver", "org.xfce.ScreenSaver", "ActiveChanged", "s"),
    ("/org/gnome/ScreenSaver", "org.gnome.ScreenSaver", "ActiveChanged", "x"),
]
SIGNAL_VALUES = {"s": "no", "b": True, "x": MOST}

turns = {}


def answer(message, turn):
    """Returns the answer number `turn` to a call."""
    if turn % 7 == 6:
        return dbus.lowlevel.ErrorMessage(message, "org.example.Odd", "\x1b[31modd")
    reply = dbus.lowlevel.MethodReturnMessage(message)
    if message.get_member() == "Get" and turn % 3:
        reply.append(VALUES[turn % len(VALUES)], signature="v")
    elif message.get_member() == "GetAll" and turn % 3:
        values = dict(zip(KEYS, itertools.islice(itertools.cycle(VALUES), turn, None)))
        reply.append(dbus.Dictionary(values, signature="sv"), signature="a{sv}")
    else:
        signature, values = REPLIES[turn % len(REPLIES)]
        reply.append(*values, signature=signature)
    return reply


def called(connection, message, is_silent):
    if message.get_type() != dbus.lowlevel.MESSAGE_TYPE_METHOD_CALL:
        return dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED
    member = f"{message.get_interface()}.{message.get_member()}"
    turns[member] = turns.get(member, -1) + 1
    print(member, flush=True)
    if not is_silent:
        connection.send_message(answer(message, turns[member]))
    return dbus.lowlevel.HANDLER_RESULT_HANDLED


def announce(connection):
    for path, interface, member, signature in SIGNALS:
        signal = dbus.lowlevel.SignalMessage(path, interface, member)
        signal.append(SIGNAL_VALUES[signature], signature=signature)
        connection.send_message(signal)
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--system", action="store_true")
    parser.add_argument("--silent", action="store_true")
    parser.add_argument("names", nargs="+")
    options = parser.parse_args()
    DBusGMainLoop(set_as_default=True)
    bus = dbus.SystemBus() if options.system else dbus.SessionBus()
    names = [dbus.service.BusName(name, bus) for name in options.names]
    bus.add_message_filter(lambda bus, message: called(bus, message, options.silent))
    if not options.silent:
        GLib.timeout_add(100, announce, bus)
    print("ready", len(names), flush=True)
    GLib.MainLoop().run()


if __name__ == "__main__":
    import dbus.service

    main()

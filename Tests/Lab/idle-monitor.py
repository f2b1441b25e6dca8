#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports on the session bus how long keyboard and pointer have not been used, as a desktop does.

idle-monitor.py monitor: GNOME's interface, in milliseconds; saver-ms or saver-s: a screen saver
that counts milliseconds or seconds; saver-0: a screen saver that does not count. When this program
starts, keyboard and pointer have not been used for an hour; SIGUSR1 means that they are used.
"""

import signal
import sys
import time

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

MONITOR = """
<node><interface name="org.gnome.Mutter.IdleMonitor">
  <method name="GetIdletime"><arg type="t" direction="out"/></method>
</interface></node>
"""
SAVER = """
<node><interface name="org.freedesktop.ScreenSaver">
  <method name="GetSessionIdleTime"><arg type="u" direction="out"/></method>
</interface></node>
"""
kind = sys.argv[1]
last = time.monotonic() - 3600


def answer(_connection, _sender, _path, _interface, _method, _arguments, invocation):
    idle = time.monotonic() - last
    if kind == "monitor":
        return invocation.return_value(GLib.Variant("(t)", (int(idle * 1000),)))
    value = {"saver-ms": int(idle * 1000), "saver-s": int(idle), "saver-0": 0}[kind]
    invocation.return_value(GLib.Variant("(u)", (value,)))


def used():
    global last
    last = time.monotonic()
    print("used", flush=True)
    return True


def named(connection, _name):
    is_monitor = kind == "monitor"
    path = "/org/gnome/Mutter/IdleMonitor/Core" if is_monitor else "/ScreenSaver"
    interface = Gio.DBusNodeInfo.new_for_xml(MONITOR if is_monitor else SAVER).interfaces[0]
    connection.register_object(path, interface, answer, None, None)
    print("ready", flush=True)


name = "org.gnome.Mutter.IdleMonitor" if kind == "monitor" else "org.freedesktop.ScreenSaver"
Gio.bus_own_name(Gio.BusType.SESSION, name, Gio.BusNameOwnerFlags.NONE, named, None, None)
GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, used)
GLib.MainLoop().run()

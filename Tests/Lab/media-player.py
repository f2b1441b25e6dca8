#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A media player on the bus (MPRIS) that plays nothing: it changes its status when it is called.

media-player.py NAME STATUS: takes the name org.mpris.MediaPlayer2.NAME and begins as Playing,
Paused or Stopped. It prints each change. With --slow, it reports a change a second later.
"""

import argparse

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

PLAYER = "org.mpris.MediaPlayer2.Player"
XML = f"""
<node>
  <interface name="org.mpris.MediaPlayer2">
    <property name="Identity" type="s" access="read"/>
  </interface>
  <interface name="{PLAYER}">
    <method name="Play"/>
    <method name="Pause"/>
    <method name="PlayPause"/>
    <method name="Stop"/>
    <property name="PlaybackStatus" type="s" access="read"/>
    <property name="CanControl" type="b" access="read"/>
    <property name="CanPlay" type="b" access="read"/>
    <property name="CanPause" type="b" access="read"/>
  </interface>
</node>
"""


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("status")
    parser.add_argument("--refuse", action="store_true", help="cannot be paused")
    parser.add_argument("--slow", action="store_true", help="report changes late")
    parser.add_argument(
        "--large", type=int, default=0, metavar="BYTES", help="send so many bytes in each message"
    )
    return parser.parse_args()


class Player:
    def __init__(self, arguments, connection):
        self.arguments = arguments
        self.status = arguments.status
        self.padding = " " * arguments.large
        if arguments.large:
            GLib.timeout_add(1000, self.announce, connection)
        for interface in Gio.DBusNodeInfo.new_for_xml(XML).interfaces:
            connection.register_object(
                "/org/mpris/MediaPlayer2", interface, self.called, self.property, None
            )

    def property(self, _connection, _sender, _path, _interface, name):
        if name == "PlaybackStatus":
            return GLib.Variant("s", self.status + self.padding)
        if name == "Identity":
            return GLib.Variant("s", self.arguments.name)
        return GLib.Variant("b", True)

    def called(self, connection, _sender, _path, _interface, method, _parameters, invocation):
        if self.arguments.refuse and method == "Pause":
            invocation.return_dbus_error("org.belfry.Test.Refused", "it goes on")
            return
        if method == "PlayPause":
            method = "Pause" if self.status == "Playing" else "Play"
        self.status = {"Play": "Playing", "Pause": "Paused", "Stop": "Stopped"}[method]
        print(self.status, flush=True)
        invocation.return_value(None)
        if self.arguments.slow:
            GLib.timeout_add(1000, lambda: not self.announce(connection))
        else:
            self.announce(connection)

    def announce(self, connection):
        changed = {"PlaybackStatus": GLib.Variant("s", self.status + self.padding)}
        connection.emit_signal(
            None,
            "/org/mpris/MediaPlayer2",
            "org.freedesktop.DBus.Properties",
            "PropertiesChanged",
            GLib.Variant("(sa{sv}as)", (PLAYER, changed, [])),
        )
        return GLib.SOURCE_CONTINUE


def main():
    arguments = options()
    loop = GLib.MainLoop()
    Gio.bus_own_name(
        Gio.BusType.SESSION,
        "org.mpris.MediaPlayer2." + arguments.name,
        Gio.BusNameOwnerFlags.NONE,
        lambda connection, _name: Player(arguments, connection),
        lambda _connection, _name: print("ready", flush=True),
        lambda _connection, _name: loop.quit(),
    )
    loop.run()


if __name__ == "__main__":
    main()

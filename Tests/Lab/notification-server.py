#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A notification server that misbehaves as its options say, or behaves like a real server according
to that server's source. It draws nothing.

A test plays the person over the bus, with `org.belfry.Test` on the same object: Press(title, key),
Click(title) beside the buttons, Cross(title) on the x, Quit(); Visible() returns the numbers of the
notifications that a person sees. What the server was asked to show can be read from the bus.
"""

import argparse
import os
import signal

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
XML = """
<node>
  <interface name="org.freedesktop.Notifications">
    <method name="Notify">
      <arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
      <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
      <arg type="a{sv}" direction="in"/><arg type="i" direction="in"/>
      <arg type="u" direction="out"/>
    </method>
    <method name="CloseNotification"><arg type="u" direction="in"/></method>
    <method name="GetCapabilities"><arg type="as" direction="out"/></method>
    <method name="GetServerInformation">
      <arg type="s" direction="out"/><arg type="s" direction="out"/>
      <arg type="s" direction="out"/><arg type="s" direction="out"/>
    </method>
    <property name="Inhibited" type="b" access="read"/>
    <signal name="NotificationClosed"><arg type="u"/><arg type="u"/></signal>
    <signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
  </interface>
  <interface name="org.belfry.Test">
    <method name="Press"><arg type="s" direction="in"/><arg type="s" direction="in"/></method>
    <method name="Click"><arg type="s" direction="in"/></method>
    <method name="Cross"><arg type="s" direction="in"/></method>
    <method name="Visible"><arg type="au" direction="out"/></method>
    <method name="Quit"/>
  </interface>
</node>
"""


# The behaviour of each server, according to its source. `click` and `cross`: the signals after a
# click on the notification, and after a click on its close button, in order. `hides`: after how
# many seconds the server removes a critical notification that should never expire, without sending
# a signal. `expires`: the same, but the server sends the signal "expired". `after_update`: the
# server does so only if the notification was updated. `opens`: before the signals of a press or a
# click, the server opens Belfry, as a click on its icon does.
SERVERS = {
    "dunst": {"name": "dunst", "click": [2]},
    "fnott": {"name": "fnott", "click": [2]},
    # COSMIC sends the two signals of a click in random order.
    "cosmic": {"name": "cosmic-notifications", "click": [2, "default"], "cross": [2]},
    "swaync": {"name": "SwayNotificationCenter", "click": ["default", 2], "cross": [2]},
    "quickshell": {"name": "quickshell", "click": ["default", 2], "cross": [2], "hides": 15},
    "noctalia": {"name": "noctalia", "click": [2], "cross": [2], "expires": 2},
    "phosh": {"name": "Phosh Notify Daemon", "click": ["default", 2], "opens": True},
    "mate": {"name": "Notification Daemon", "click": ["default", 2], "cross": [1]},
    "elementary": {
        "name": "io.elementary.notifications",
        "click": ["default", 2],
        "cross": [2],
        "expires": 2,
        "after_update": True,
    },
}


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--no-actions", action="store_true", help="have no buttons")
    parser.add_argument("--no-markup", action="store_true", help="take the body as it is")
    parser.add_argument("--zero", action="store_true", help="answer with the number 0")
    parser.add_argument("--refuse", action="store_true", help="answer with an error")
    parser.add_argument(
        "--close-at-once", type=int, metavar="REASON", help="close what is posted before answering"
    )
    parser.add_argument("--keep", action="store_true", help="do not close what was answered")
    parser.add_argument(
        "--hang", action="store_true", help="hang in the first Notify, until somebody sends SIGCONT"
    )
    parser.add_argument(
        "--lose", action="store_true", help="never answer the first question who it is"
    )
    parser.add_argument("--name", default="unruly", help="what it calls itself")
    parser.add_argument("--inhibited", action="store_true", help="say that it must not disturb")
    parser.add_argument("--like", choices=SERVERS, help="behave as that one does")
    parser.add_argument(
        "--large", type=int, default=0, metavar="BYTES", help="have a capability of so many bytes"
    )
    parser.add_argument("--delay", type=float, default=0, help="seconds before Notify is answered")
    arguments = parser.parse_args()
    arguments.habits = SERVERS.get(arguments.like, {})
    arguments.name = arguments.habits.get("name", arguments.name)
    return arguments


class Server:
    def __init__(self, arguments, connection, loop):
        self.arguments = arguments
        self.loop = loop
        self.connection = connection
        self.shown = set()
        # The title of each shown notification, by its number, once `Notify` has been answered.
        self.titles = {}
        self.waiting = []
        self.hidden = set()
        self.expiries = {}
        self.last = 0
        for interface in Gio.DBusNodeInfo.new_for_xml(XML).interfaces:
            connection.register_object(PATH, interface, self.called, self.property, None)

    def property(self, connection, sender, path, interface, name):
        # Other servers than Plasma do not have this property.
        return GLib.Variant("b", True) if self.arguments.inhibited else None

    def called(self, _connection, _sender, _path, _interface, method, parameters, invocation):
        getattr(self, method)(invocation, *parameters.unpack())

    def signal(self, name, signature, *values):
        self.connection.emit_signal(None, PATH, NAME, name, GLib.Variant(signature, values))

    def close(self, number, reason):
        if number in self.shown:
            self.shown.remove(number)
            self.titles.pop(number, None)
            self.hidden.discard(number)
            self.forget_expiry(number)
            self.signal("NotificationClosed", "(uu)", number, reason)

    def forget_expiry(self, number):
        source = self.expiries.pop(number, None)
        if source:
            GLib.source_remove(source)

    def expire(self, number):
        del self.expiries[number]
        if "hides" in self.arguments.habits:
            self.hidden.add(number)
        else:
            self.close(number, 1)
        return GLib.SOURCE_REMOVE

    def start_expiry(self, number, is_update):
        """Hidden notifications stay hidden when they are updated, as on quickshell."""
        habits = self.arguments.habits
        seconds = habits.get("hides") or habits.get("expires")
        if not seconds or (habits.get("after_update") and not is_update):
            return
        self.forget_expiry(number)
        milliseconds = int(seconds * 1000)
        self.expiries[number] = GLib.timeout_add(milliseconds, self.expire, number)

    def Notify(self, invocation, _app, replaces, _icon, title, _body, _actions, _hints, _timeout):
        if self.arguments.hang:
            self.arguments.hang = False
            os.kill(os.getpid(), signal.SIGSTOP)
        if self.arguments.refuse:
            invocation.return_dbus_error("org.belfry.Test.Refused", "no notifications today")
            return
        is_update = replaces in self.shown
        if replaces not in self.shown:
            self.last += 1
            replaces = self.last
        self.shown.add(replaces)
        self.start_expiry(replaces, is_update)
        if self.arguments.close_at_once:
            self.close(replaces, self.arguments.close_at_once)
        number = 0 if self.arguments.zero else replaces
        milliseconds = int(self.arguments.delay * 1000)
        GLib.timeout_add(milliseconds, self.answer, invocation, replaces, number, title)

    def answer(self, invocation, shown, number, title):
        invocation.return_value(GLib.Variant("(u)", (number,)))
        if shown in self.shown:
            self.titles[shown] = title
            waiting, self.waiting = self.waiting, []
            for each in waiting:
                self.act(*each)
        return GLib.SOURCE_REMOVE

    def act(self, title, action):
        """Calls `action` with the number of the notification `title`. If there is no such
        notification, for example because it has just expired, calls `action` once there is one.
        """
        number = next((each for each in self.titles if self.titles[each] == title), None)
        if number is None:
            self.waiting.append((title, action))
        else:
            action(number)

    def CloseNotification(self, invocation, number):
        self.close(number, 3)
        invocation.return_value(None)

    def GetCapabilities(self, invocation):
        capabilities = ["body"]
        if not self.arguments.no_actions:
            capabilities.append("actions")
        if not self.arguments.no_markup:
            capabilities.append("body-markup")
        if self.arguments.large:
            capabilities.append("x" * self.arguments.large)
        invocation.return_value(GLib.Variant("(as)", (capabilities,)))

    def GetServerInformation(self, invocation):
        if self.arguments.lose:
            self.arguments.lose = False
            return
        names = (self.arguments.name, "Belfry's tests", "1", "1.2")
        invocation.return_value(GLib.Variant("(ssss)", names))

    def Press(self, invocation, title, key):
        signals = [key] if self.arguments.keep else [key, 2]
        self.act(title, lambda number: self.respond(number, signals))
        invocation.return_value(None)

    def respond(self, number, signals):
        if self.arguments.habits.get("opens"):
            self.connection.call(
                "org.belfry.Belfry",
                "/org/belfry/Belfry",
                "org.freedesktop.Application",
                "Activate",
                GLib.Variant("(a{sv})", ({},)),
                None,
                Gio.DBusCallFlags.NONE,
                -1,
                None,
            )
        self.follow(number, signals)

    def follow(self, number, signals):
        for each in signals:
            if isinstance(each, str):
                self.signal("ActionInvoked", "(us)", number, each)
            else:
                self.close(number, each)

    def Click(self, invocation, title):
        self.act(title, lambda number: self.respond(number, self.arguments.habits["click"]))
        invocation.return_value(None)

    def Cross(self, invocation, title):
        self.act(title, lambda number: self.follow(number, self.arguments.habits["cross"]))
        invocation.return_value(None)

    def Visible(self, invocation):
        visible = sorted(self.shown - self.hidden)
        invocation.return_value(GLib.Variant("(au)", (visible,)))

    def Quit(self, invocation):
        invocation.return_value(None)
        GLib.idle_add(self.loop.quit)


def main():
    loop = GLib.MainLoop()
    arguments = options()
    Gio.bus_own_name(
        Gio.BusType.SESSION,
        NAME,
        Gio.BusNameOwnerFlags.NONE,
        lambda connection, _name: Server(arguments, connection, loop),
        lambda _connection, _name: print("ready", flush=True),
        lambda _connection, _name: loop.quit(),
    )
    loop.run()


if __name__ == "__main__":
    main()

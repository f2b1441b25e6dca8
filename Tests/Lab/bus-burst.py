#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls a method of the agent many times at once, without waiting for the answers.

    bus-burst.py [--callers N] [--leave] METHOD COUNT ARGUMENTS

Each of N callers has a connection of its own, and makes COUNT calls with ARGUMENTS, which are
written as GLib writes values: "('seoul', uint32 9)". Prints how many calls were answered and how
many were refused with each error, or with --leave, leaves the bus at once.
"""

import argparse
import collections

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

NAME, PATH, INTERFACE = "org.belfry.Belfry", "/org/belfry/Belfry", "org.belfry.Belfry1"


def connect():
    address = Gio.dbus_address_get_for_bus_sync(Gio.BusType.SESSION, None)
    flags = (
        Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT
        | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    )
    return Gio.DBusConnection.new_for_address_sync(address, flags, None, None)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--callers", type=int, default=1)
    parser.add_argument("--leave", action="store_true")
    parser.add_argument("method")
    parser.add_argument("count", type=int)
    parser.add_argument("arguments")
    options = parser.parse_args()
    connections = [connect() for _ in range(options.callers)]
    results = collections.Counter()
    loop = GLib.MainLoop()

    def answered(connection, result):
        try:
            connection.call_finish(result)
            results["answered"] += 1
        except GLib.Error as error:
            results[Gio.DBusError.get_remote_error(error) or error.message] += 1
        if sum(results.values()) == options.count * options.callers:
            loop.quit()

    values = GLib.Variant.parse(None, options.arguments, None, None)
    for connection in connections:
        for _ in range(options.count):
            connection.call(
                NAME, PATH, INTERFACE, options.method, values, None, 0, 100_000, None, answered
            )
    for connection in connections:
        connection.flush_sync(None)
    print("sent", flush=True)
    if not options.leave:
        loop.run()
        for name, count in sorted(results.items()):
            print(name, count, flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls every method of the agent with values that its interface does not promise to accept.

    bus-caller.py    prints a line for each call, in columns: method, "as declared" or "otherwise",
                     arguments, and the error's name or "done"

The agent names its methods, so a new method needs no change here.
"""

import itertools
import math
import time
import xml.etree.ElementTree as ElementTree

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

NAME, PATH, INTERFACE = "org.belfry.Belfry", "/org/belfry/Belfry", "org.belfry.Belfry1"

# Values of each type that a careless or hostile program might send.
STRINGS = ["", "no-such", "\a\x1b[31m\x7f", "two\nlines", "\u202eabc\u200b", "../../etc/passwd"]
STRINGS += ["%s%n", "a" * 60_000, "\U0001f514" * 1000, "-1", "nan"]
VALUES = {
    "s": STRINGS,
    "o": ["/", "/org/belfry/Belfry/nothing"],
    "g": ["", "a{sv}"],
    "b": [True, False],
    "y": [0, 255],
    "n": [-(2**15), -1, 0, 2**15 - 1],
    "q": [0, 2**16 - 1],
    "i": [-(2**31), -1, 0, 2**31 - 1],
    "u": [0, 2**32 - 1],
    "x": [-(2**63), -(2**53), -1, 0, 31_622_401, 2**53, 2**63 - 1],
    "t": [0, 2**63, 2**64 - 1],
    "d": [math.nan, math.inf, -math.inf, -1.0, -0.0, 5e-324, 1.7e308],
    "as": [[], [""], ["no-such"] * 10_000, ["a" * 100_000]],
    "v": [GLib.Variant("s", "no-such"), GLib.Variant("d", math.nan)],
    "a{sv}": [
        {},
        {"no-such": GLib.Variant("s", "")},
        {"label": GLib.Variant("d", math.nan), "id": GLib.Variant("as", [])},
        {str(number): GLib.Variant("x", -1) for number in range(10_000)},
    ],
}
# While one argument of a call gets odd values, the other arguments have these values.
PLAIN = {"s": "no-such", "x": 1, "i": 1, "u": 1, "t": 1, "d": 1.0, "b": True, "as": ["no-such"]}
OTHERS = ["s", "x", "d", "as", "a{sv}", "b", "v"]


def is_small(value):
    return not hasattr(value, "__len__") or len(value) < 100


def plain(kind):
    return PLAIN.get(kind, VALUES.get(kind, [0])[0])


def variants(kinds, values):
    return GLib.Variant("(" + "".join(kinds) + ")", tuple(values))


def arguments(kinds):
    """Returns the arguments to try with a method that takes `kinds`."""
    yield variants([], [])
    yield variants(kinds + ["s"], [plain(kind) for kind in kinds] + ["one too many"])
    for index, kind in enumerate(kinds):
        for other in OTHERS:
            if other != kind:
                changed = kinds[:index] + [other] + kinds[index + 1 :]
                yield variants(changed, [plain(each) for each in changed])
        for value in VALUES.get(kind, []):
            values = [plain(each) for each in kinds]
            values[index] = value
            yield variants(kinds, values)
    # Try only the first 50 combinations of small values, because all of them would take too long.
    small = [[each for each in VALUES.get(kind, []) if is_small(each)] for kind in kinds]
    for values in itertools.islice(itertools.product(*small), 50):
        yield variants(kinds, values)


def methods(connection):
    """Returns the name and argument types of each method of the agent."""
    answer = connection.call_sync(
        NAME, PATH, "org.freedesktop.DBus.Introspectable", "Introspect", None, None, 0, -1, None
    )
    for method in ElementTree.fromstring(answer.unpack()[0]).iterfind(
        f"interface[@name='{INTERFACE}']/method"
    ):
        kinds = [
            each.get("type") for each in method.iter("arg") if each.get("direction", "in") == "in"
        ]
        yield method.get("name"), kinds


def call(connection, interface, method, parameters):
    try:
        connection.call_sync(NAME, PATH, interface, method, parameters, None, 0, 10_000, None)
        return "done"
    except GLib.Error as error:
        return Gio.DBusError.get_remote_error(error) or error.message


def table(connection):
    properties = "org.freedesktop.DBus.Properties"
    declared = dict(methods(connection))
    tried = [
        (INTERFACE, method, each) for method, kinds in declared.items() for each in arguments(kinds)
    ]
    tried += [(INTERFACE, "NoSuch", each) for each in arguments(["s", "x"])]
    tried += [("org.belfry.NoSuch", "Stop", variants(["s"], [""]))]
    tried += [(properties, "Get", variants(["s", "s"], [INTERFACE, "NoSuch"]))]
    tried += [(properties, "Set", variants(["s", "s", "v"], [INTERFACE, "NoSuch", plain("v")]))]
    for interface, method, parameters in tried:
        kinds = "(" + "".join(declared.get(method, "none")) + ")"
        form = "as declared" if parameters.get_type_string() == kinds else "otherwise"
        shown = ascii(parameters.print_(False)[:200])
        answer = call(connection, interface, method, parameters)
        print(method, form, shown, answer, sep="\t", flush=True)


def main():
    table(Gio.bus_get_sync(Gio.BusType.SESSION, None))


if __name__ == "__main__":
    main()

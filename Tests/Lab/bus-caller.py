#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls the agent as nobody should: with all that its interface does not say, or far too often.

    bus-caller.py table               a line for each call, in columns: method, "as declared" or
                                      "otherwise", arguments, the error's name or "done"
    bus-caller.py chance SEED COUNT   COUNT calls of each method with anything; "late" and the
                                      milliseconds for each answer later than a second
    bus-caller.py flood SECONDS RATE [METHOD [ARGUMENTS...]]
                                      calls a second, without waiting; says how many, and the errors

What there is to call is asked of the agent, so that a new method is tried without a word here.
"""

import collections
import itertools
import math
import os
import random
import socket
import struct
import sys
import threading
import time
import xml.etree.ElementTree as ElementTree

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

NAME, PATH, INTERFACE = "org.belfry.Belfry", "/org/belfry/Belfry", "org.belfry.Belfry1"

# Of each type, what a careless or hostile program would send; not more than is read at all, which
# `text` below tries.
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
# What goes beside the one that is tried.
PLAIN = {"s": "no-such", "x": 1, "i": 1, "u": 1, "t": 1, "d": 1.0, "b": True, "as": ["no-such"]}
OTHERS = ["s", "x", "d", "as", "a{sv}", "b", "v"]


def is_small(value):
    return not hasattr(value, "__len__") or len(value) < 100


def plain(kind):
    return PLAIN.get(kind, VALUES.get(kind, [0])[0])


def variants(kinds, values):
    return GLib.Variant("(" + "".join(kinds) + ")", tuple(values))


def arguments(kinds):
    """All that is tried with a method that takes `kinds`."""
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
    # All of the small ones together, as far as there is time.
    small = [[each for each in VALUES.get(kind, []) if is_small(each)] for kind in kinds]
    for values in itertools.islice(itertools.product(*small), 200):
        yield variants(kinds, values)


def methods(connection):
    """Name and argument types of each method of the agent."""
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


def authenticated():
    """A bare socket to the bus, past the greeting."""
    address = os.environ["DBUS_SESSION_BUS_ADDRESS"].split("path=")[1].split(",")[0]
    bus = socket.socket(socket.AF_UNIX)
    bus.connect(address)
    bus.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
    assert bus.recv(1000).startswith(b"OK")
    bus.sendall(b"BEGIN\r\n")
    hello = Gio.DBusMessage.new_method_call(
        "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "Hello"
    )
    hello.set_serial(1)
    bus.sendall(hello.to_blob(0))
    return bus


def errors(bus, found):
    """Counts the answers by the error that they name."""
    unread = b""
    while True:
        piece = bus.recv(1 << 20)
        if not piece:
            return
        unread += piece
        while len(unread) >= 16:
            size = Gio.DBusMessage.bytes_needed(unread[:16])
            if len(unread) < size:
                break
            message = Gio.DBusMessage.new_from_blob(unread[:size], 0)
            unread = unread[size:]
            found[message.get_error_name() or message.get_message_type().value_nick] += 1


def flood(connection, seconds, rate, only=None, *given):
    # Without "", which is all that rings: that would be answered.
    calls = [(only, GLib.Variant.parse(None, each)) for each in given] or [
        (method, each) for method, kinds in methods(connection) for each in arguments(kinds)
        if only in (None, method)
        if each.get_size() < 1000 and "''" not in each.print_(False)
    ]
    batch, places = bytearray(), []
    for method, parameters in calls:
        message = Gio.DBusMessage.new_method_call(NAME, PATH, INTERFACE, method)
        message.set_body(parameters)
        message.set_serial(1)
        places.append(len(batch) + 8)  # of the serial, in the byte order of this machine
        batch += message.to_blob(0)
    bus = authenticated()
    found = collections.Counter()
    threading.Thread(target=errors, args=(bus, found), daemon=True).start()
    start, sent = time.monotonic(), 0
    print("flooding", flush=True)
    while (elapsed := time.monotonic() - start) < seconds:
        if sent < rate * elapsed:
            # The bus refuses a second call under a number that waits for its answer.
            for serial, place in enumerate(places, sent + 2):
                struct.pack_into("=I", batch, place, serial)
            bus.sendall(batch)
            sent += len(calls)
        else:
            time.sleep(0.002)
    print(f"{sent} calls in {time.monotonic() - start:.1f} s", flush=True)
    while sum(found.values()) < sent and time.monotonic() - start < seconds + 30:
        time.sleep(0.01)
    print(f"answered after {time.monotonic() - start:.1f} s", flush=True)
    for name, count in sorted(found.items()):
        print(count, name, flush=True)


# --------------------------------------------------------------------------------------------------
# By chance

NAMES = ["work", "tea", "t1", "Seoul", "Asia/Tokyo", "no-such", ""]
TEXTS = NAMES + [
    "7:30", "10m", "daily", "weekdays", "2026-12-24", "timer 10m tea", "alarm 7:30 gym", "stop",
    "snooze 5m", "next alarm", "time in seoul", "라면 3분 타이머", "timer\tstart\t1s",
    "add\t07:30\t--label=x", "stop\t--\twork", "timer-5m", "new-window", "clicked", "Carillon",
]
PIECES = [
    "a", "1h ", "é", "\u0301", "a\u0301\u0323", "\u1100\u1161", "ㅅ", "0", "\t", " ", ",", "/", "-", ".",
    "\U0001f468\u200d", "\u202e", "\x1b[31m", "%s", "<b>", "timer 1h ", "한 ", "7시 ",
]
KEYS = [
    "id", "time", "days", "date", "label", "except", "timezone", "enabled", "sound", "volume", "fade_in",
    "snooze", "ring_for", "unanswered", "auto_snoozes", "late", "upcoming", "wake", "on_before", "bedtime", "on_ring", "unset",
    "duration", "preset", "label", "sound", "no-such",
]
# Each is a command that takes seconds by itself.
SELDOM = {"Check"}


def text(chance, depth=0):
    kind = chance.random()
    if kind < 0.5:
        return chance.choice(TEXTS)
    if kind < 0.75:
        return "".join(chance.choice(PIECES) for _ in range(chance.randrange(40)))
    # One in a thousand is longer than what is read at all.
    size = 21 if kind > 0.999 and not depth else chance.randrange(17 >> depth)
    return chance.choice(["", "a", "timer ", "7:30 "]) + chance.choice(PIECES) * (1 << size)


def number(chance, low, high):
    near = chance.choice([low, high, 0, 1, -1, 60, 1000, 31_622_400, chance.randint(low, high)])
    return min(high, max(low, near + chance.choice([-1, 0, 0, 1])))


def value(chance, kind, depth=0):
    """Any value of that type; of a variant, of any type. What is in another is smaller."""
    if kind in WHOLE:
        return number(chance, *WHOLE[kind])
    match kind[0]:
        case "s":
            return text(chance, min(depth, 2))
        case "o" | "g" | "b" | "d":
            return chance.choice(VALUES[kind[0]])
        case "v":
            inner = chance.choice(["s", "s", "as", "b", "i", "u", "x", "x", "d", "t", "a{sv}", "v"])
            inner = inner if depth < 3 else "s"
            return GLib.Variant(inner, value(chance, inner, depth + 1))
        case "(":
            return tuple(value(chance, each, depth + 1) for each in kind[1:-1])
    size = chance.choice([0, 1, 1, 2, 5, 300 >> 3 * depth])
    if kind.startswith("a{"):
        # The keys that a timer or an alarm needs go together.
        some = [chance.choice(KEYS + [text(chance, 2)]) for _ in range(size)]
        found = {key: value(chance, "v", depth + 1) for key in some}
        if chance.random() < 0.5:
            found |= chance.choice([
                {"duration": GLib.Variant("x", chance.choice([1, 2, 600]))},
                {"time": GLib.Variant("s", chance.choice(["7:30", "23:59:59", "7pm"]))},
            ])
        return found
    return [value(chance, kind[1:], depth + 1) for _ in range(size)]


WHOLE = {
    "y": (0, 255), "n": (-(2**15), 2**15 - 1), "q": (0, 2**16 - 1), "i": (-(2**31), 2**31 - 1),
    "u": (0, 2**32 - 1), "x": (-(2**63), 2**63 - 1), "t": (0, 2**64 - 1),
}


class Stalls(threading.Thread):
    """How long this machine has kept a thread waiting that wanted to run: no fault of the agent's."""

    def __init__(self):
        super().__init__(daemon=True)
        self.seconds = 0.0
        self.start()

    def run(self):
        while True:
            start = time.monotonic()
            time.sleep(0.01)
            self.seconds += time.monotonic() - start - 0.01


def everything(connection, path="/"):
    """Path, interface, name and argument types of each method of every object."""
    answer = connection.call_sync(
        NAME, path, "org.freedesktop.DBus.Introspectable", "Introspect", None, None, 0, -1, None
    )
    node = ElementTree.fromstring(answer.unpack()[0])
    for interface in node.iterfind("interface"):
        if interface.get("name").endswith(("Peer", "Introspectable")):
            continue
        for method in interface.iterfind("method"):
            kinds = [
                each.get("type") for each in method.iterfind("arg")
                if each.get("direction", "in") == "in"
            ]
            yield path, interface.get("name"), method.get("name"), kinds
    for child in node.iterfind("node"):
        yield from everything(connection, path.rstrip("/") + "/" + child.get("name"))


def by_chance(connection, seed, count):
    """Calls every method `count` times, in any order, and tells what was answered and how late."""
    chance = random.Random(seed)
    methods = list(everything(connection))
    calls = [each for each in methods for _ in range(20 if each[2] in SELDOM else count)]
    chance.shuffle(calls)
    stalls = Stalls()
    found, slowest, made = collections.Counter(), collections.Counter(), 0
    print(f"{len(calls)} calls of {len(methods)} methods", flush=True)
    for path, interface, method, kinds in calls:
        arguments = variants(kinds, [value(chance, kind) for kind in kinds])
        start, stalled = time.monotonic(), stalls.seconds
        try:
            connection.call_sync(NAME, path, interface, method, arguments, None, 0, 20_000, None)
            found["done"] += 1
            made += method in ("AddAlarm", "AddClock")
        except GLib.Error as error:
            found[Gio.DBusError.get_remote_error(error) or error.message] += 1
        late = int((time.monotonic() - start - (stalls.seconds - stalled)) * 1000)
        slowest[method] = max(slowest[method], late)
        if late > 1000 and method not in SELDOM:
            print("late", late, method, ascii(arguments.print_(False)[:300]), flush=True)
        if made > 40:
            made = 0
            tidy(connection)
    for method, late in slowest.most_common(5):
        print("slowest", late, method, flush=True)
    for name, times in sorted(found.items()):
        print("answer", times, name, flush=True)


def tidy(connection):
    """Takes out what was added, so that the config stays as long as it is."""
    def call(method, arguments=None):
        return connection.call_sync(NAME, PATH, INTERFACE, method, arguments, None, 0, 20_000, None)

    status = call("Status").unpack()[0]
    ids = [each["id"] for each in status["alarms"] if not each["id"].startswith("due-")]
    for name, kind, arguments in [("RemoveAlarms", "(as)", ids)] + [
        ("RemoveClock", "(s)", each.get("label") or each.get("city") or each["timezone"])
        for each in status["clocks"]
    ]:
        try:
            call(name, GLib.Variant(kind, (arguments,)))
        except GLib.Error:
            pass  # The last of that name is gone already.


def main():
    connection = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    if sys.argv[1] == "table":
        table(connection)
    elif sys.argv[1] == "chance":
        by_chance(connection, int(sys.argv[2]), int(sys.argv[3]))
    else:
        flood(connection, float(sys.argv[2]), float(sys.argv[3]), *sys.argv[4:])


if __name__ == "__main__":
    main()

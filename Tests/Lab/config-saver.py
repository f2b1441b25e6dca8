#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Saves the config again and again, in every way in which editors and tools save, while commands
edit it and alarms ring, and checks after each save that nothing was lost or silenced:

    config-saver.py CONFIG COUNT SEED

CONFIG must contain `text(0)` before the agent starts: `config-saver.py CONFIG 0 0` saves that. An
alarm that is then ringing, snoozed, skipped or over must stay so to the end.
"""

import datetime
import json
import os
import random
import subprocess
import sys
import threading
import time

path, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
chance = random.Random(seed)
# When the alarm is due for the first time, as `text(0)` wrote it.
epoch_file = path + ".epoch"


def clock(epoch):
    return datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc)


def alarm(name, *lines):
    return "\n".join(["[[alarm]]", f'id = "{name}"', *lines]) + "\n"


def once(name, epoch):
    moment = clock(epoch)
    return alarm(name, f"date = {moment:%Y-%m-%d}", f"time = {moment:%H:%M:%S}")


def text(number):
    """Returns the text of an editor that has not seen the edits by command."""
    first = float(open(epoch_file).read())
    head = f'# save {number}\n[defaults]\nring_for = "forever"\nupcoming = "0s"\nlate = "1m"\n'
    alarms = [once(name, first) for name in ("ring", "nap", "over")]
    alarms.append(alarm("far", f'time = {clock(first + 7200):%H:%M:%S}', 'days = "daily"'))
    alarms.append(alarm("marker", f'label = "m{number}"', "time = 00:00", "enabled = false"))
    alarms += [once(name, due) for name, due in rings.items()]
    chance.shuffle(alarms)
    return head + "\n".join(alarms)


def write(file, content, flags, pause=0.0):
    """Writes in pieces, perhaps with pauses, into a file that is open all the time."""
    descriptor = os.open(file, os.O_WRONLY | flags, 0o644)
    cuts = sorted(chance.randrange(len(content) + 1) for _ in range(2 if pause else 0))
    for start, end in zip([0, *cuts], [*cuts, len(content)]):
        time.sleep(chance.uniform(0, pause))
        os.write(descriptor, content[start:end])
    os.close(descriptor)


def fast(content):
    write(path, content, os.O_TRUNC)


def slow(content):
    write(path, content, os.O_TRUNC, 0.1)


def very_slow(content):
    write(path, content, os.O_TRUNC, 2)


def emptied_first(content):
    write(path, b"", os.O_TRUNC)
    time.sleep(chance.uniform(0, 0.4))
    write(path, content, os.O_APPEND, 0.05)


def renamed(content):
    target = os.path.realpath(path)
    write(target + ".tmp", content, os.O_CREAT | os.O_TRUNC)
    os.rename(target + ".tmp", target)


def moved_away(content):
    target = os.path.realpath(path)
    try:
        os.rename(target, target + "~")
    except FileNotFoundError:
        pass
    write(target, content, os.O_CREAT | os.O_EXCL, chance.choice([0, 0.01]))


def deleted(content):
    target = os.path.realpath(path)
    os.unlink(target)
    time.sleep(chance.choice([0, 0.001, 0.01]))
    write(target, content, os.O_CREAT | os.O_EXCL)


def linked(content, folder=None):
    """Writes another file each time, and makes the config a symbolic link to it."""
    target = f"{folder or os.path.dirname(os.path.realpath(path))}/real-{chance.randrange(3)}.toml"
    if target == os.path.realpath(path):
        return fast(content)
    write(target, content, os.O_CREAT | os.O_TRUNC)
    os.symlink(target, path + ".link")
    os.rename(path + ".link", path)


def elsewhere(content):
    """Does the same with a file on another file system."""
    linked(content, other)


def plain(content):
    """Replaces the link by a file."""
    write(path + ".tmp", content, os.O_CREAT | os.O_TRUNC)
    os.rename(path + ".tmp", path)


def save(way, content):
    """Saves, and saves again if a busy machine kept the file empty for long. An edit by command may
    replace a file that is empty: nothing shows that an editor will write more."""
    begun = time.monotonic()
    way(content)
    if way is not very_slow and time.monotonic() - begun > 0.8:
        fast(content)


WAYS = [fast, slow, emptied_first, renamed, moved_away, deleted, linked, elsewhere, plain]


def run(*words):
    return subprocess.run(["belfry", *words], capture_output=True, text=True, timeout=60)


def status():
    answer = run("status", "--json")
    if answer.returncode:
        fail(f"no status: {answer.stderr}")
    return json.loads(answer.stdout)


def fail(reason):
    print(f"seed {seed}: {reason}", file=sys.stderr)
    subprocess.run(["rm", "-r", other], check=False)
    os._exit(1)


# MARK: - What others do meanwhile

edits, busy, done = 0, 0, threading.Event()


def edit():
    """Runs commands on alarms that exist or not; each must succeed or say why it does not."""
    global edits, busy
    own = random.Random(seed + 1)
    while not done.is_set():
        name = f"x{own.randrange(4)}"
        words = own.choice([
            ["add", f"{own.randrange(24)}:15", "--days", "daily", "--id", name],
            ["remove", name], ["disable", name], ["enable", name],
            ["edit", name, "--id", f"y{own.randrange(4)}"],
            ["edit", "ring", "--label", f"Ring {own.randrange(99)}"],
            ["edit", "nap", "--volume", str(own.randrange(101))],
            ["edit", "far", "--label", f"Far {own.randrange(99)}"],
        ])
        answer = run(*words)
        edits += 1
        if answer.returncode not in (0, 1) or "crash" in answer.stderr:
            fail(f"{words}: {answer}")
        if "try again" in answer.stderr:
            busy += 1
        time.sleep(own.uniform(0, 0.05))


# MARK: - What has to be so

def check(before, number, since):
    """Waits until the save is in force, and checks the alarms that it does not change."""
    deadline = time.monotonic() + 20
    while True:
        now = status()
        alarms = {alarm["id"]: alarm for alarm in now["alarms"]}
        if alarms.get("marker", {}).get("label") == f"m{number}":
            break
        if time.monotonic() > deadline:
            fail(f"save {number} is not taken in: {alarms.get('marker')}\n{open(path).read()}")
        time.sleep(0.005)
    late.append(time.monotonic() - since)
    same(before, now, number)
    for name, due in list(rings.items()):
        if time.time() > due + 2 + 0.5:
            if alarms.get(name, {}).get("state") != "ringing":
                fail(f"save {number}: {name}, due {time.time() - due:.1f} s ago, does not ring")
            del rings[name]


def same(before, now, number):
    ring = [ring for ring in now["ringing"] if ring["id"] == "ring"]
    if not ring or ring[0]["since"] != before["since"]:
        fail(f"save {number}: the ring ended, or began anew: {now['ringing']}")
    alarms = {alarm["id"]: alarm for alarm in now["alarms"]}
    state = {name: alarms.get(name, {}).get("state") for name in ("nap", "over")}
    if state != {"nap": "snoozed", "over": "over"}:
        fail(f"save {number}: {state}")
    if alarms["nap"]["snoozed_until"] != before["snoozed_until"] or not alarms["far"].get("skipped"):
        fail(f"save {number}: {alarms['nap']} {alarms['far']}")
    if now["missed"]:
        fail(f"save {number}: {now['missed']}")


rings, late = {}, []
if count == 0:
    with open(epoch_file, "w") as file:
        file.write(str(float(int(time.time()) + int(sys.argv[3]))))
    write(path, text(0).encode(), os.O_CREAT | os.O_TRUNC)
    sys.exit()

other = subprocess.run(
    ["mktemp", "-d", "/dev/shm/belfry-saver-XXXXXX"], capture_output=True, text=True, check=True
).stdout.strip()
try:
    first = status()
    before = {
        "since": next(ring["since"] for ring in first["ringing"] if ring["id"] == "ring"),
        "snoozed_until": next(
            alarm["snoozed_until"] for alarm in first["alarms"] if alarm["id"] == "nap"),
    }
    editing = threading.Thread(target=edit)
    editing.start()
    saves = {}
    for number in range(1, count + 1):
        if len(rings) < 2 and chance.random() < 0.05:
            rings[f"t{number}"] = float(int(time.time()) + chance.randrange(3, 6))
        way = very_slow if chance.random() < 0.004 else chance.choice(WAYS)
        content = text(number).encode()
        try:
            save(way, content)
        except (FileNotFoundError, FileExistsError) as error:
            fail(f"save {number}, {way.__name__}: {error}")
        saves[way.__name__] = saves.get(way.__name__, 0) + 1
        check(before, number, time.monotonic())
    done.set()
    editing.join()
    late.sort()
    print(
        f"{count} saves, seed {seed}, {edits} edits, {busy} busy; taken in within"
        f" {late[len(late) // 2] * 1000:.0f} ms, 99 of 100 {late[len(late) * 99 // 100] * 1000:.0f} ms,"
        f" all {late[-1] * 1000:.0f} ms;", ", ".join(f"{k} {v}" for k, v in sorted(saves.items())))
finally:
    done.set()
    subprocess.run(["rm", "-r", other], check=False)

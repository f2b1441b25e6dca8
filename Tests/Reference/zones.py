#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What Belfry's zones and rings are measured against: the same questions answered with Python's
# `zoneinfo`, in another way. Belfry walks intervals of constant offset; this asks for the two folds
# of a local time and searches instants. It shares no code and no table with Belfry.
#
#   zones.py offsets SEED        a line for each zone: its name, then its changes in twelve years and
#                                its offsets at moments of three centuries, by chance
#   zones.py rings SEED COUNT    a line for each of COUNT alarms, many of them near a change: zone,
#                                time, dates, excepted dates, the moment after which, and its rings

import random
import sys
from bisect import bisect
from datetime import date, datetime, time, timedelta, timezone
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

DAY = 86_400
SINCE = int(datetime(2024, 1, 1, tzinfo=timezone.utc).timestamp())
UNTIL = int(datetime(2036, 1, 1, tzinfo=timezone.utc).timestamp())
ZONES = sorted(available_timezones())


def local(zone, instant):
    return datetime.fromtimestamp(instant, ZoneInfo(zone))


def naive(aware):
    return aware.replace(tzinfo=None)


def offset(zone, instant):
    return int(local(zone, instant).utcoffset().total_seconds())


def first(low, high, holds):
    """The first whole second in low < s <= high for which `holds`, which it does from there on."""
    return low + 1 + bisect(range(low + 1, high), False, key=holds)


def look(zone, since, until):
    """The changes of offset in a stretch of time, searched day by day."""
    before = offset(zone, since)
    for instant in range(since, until, DAY):
        after = offset(zone, instant + DAY)
        if after != before:
            yield first(instant, instant + DAY, lambda s: offset(zone, s) == after), after
        before = after


@cache
def changes(zone):
    return list(look(zone, SINCE, UNTIL))


def resolve(zone, day, clock):
    """The first instant at which clocks show this time of this day or a later one, and how that
    came about; None where they never show the day."""
    wanted = datetime.combine(day, clock)
    folds = [wanted.replace(tzinfo=ZoneInfo(zone), fold=fold) for fold in (0, 1)]
    instants = [int(aware.timestamp()) for aware in folds]
    shown = [naive(local(zone, instant)) for instant in instants]
    if shown[0] == wanted:
        return instants[0], "overlap" if instants[1] > instants[0] else ""
    # In a gap the second fold counts with the offset that begins there, and so lies before it.
    low, high = sorted(instants)
    end = first(low - 1, high, lambda s: naive(local(zone, s)) > wanted)
    left, entered = local(zone, end - 1).date(), local(zone, end).date()
    return None if left < day < entered else (end, "gap")


def rings(zone, clock, dates, excepted, after, count):
    """The first rings strictly after an instant."""
    since = local(zone, after).date() - timedelta(days=2)
    if isinstance(dates, date):
        days = [dates]
    else:
        days = (since + timedelta(days=n) for n in range(400))
    found = []
    for day in days:
        if day in excepted or isinstance(dates, set) and day.isoweekday() not in dates:
            continue
        ring = resolve(zone, day, clock)
        if ring and ring[0] > after:
            found.append(ring)
            if len(found) == count:
                break
    return found


def alarm(chance):
    zone = chance.choice(ZONES)
    if chance.random() < 0.8:
        while not changes(zone):
            zone = chance.choice(ZONES)
        change = chance.choice(changes(zone))[0]
        # The first local time that is left out or comes twice, and about as much as do after it.
        moved = min(local(zone, change - 1) + timedelta(seconds=1), local(zone, change), key=naive)
        moved += timedelta(minutes=5 * chance.randint(-4, 16))
        after = change - chance.choice([0, 1, chance.randint(0, DAY), chance.randint(-DAY, 9 * DAY)])
    else:
        after = chance.randint(0, 2 * UNTIL)
        moved = datetime(2000, 1, 1) + timedelta(minutes=chance.randint(0, 1439))
    clock = time(moved.hour, moved.minute, chance.choice([0, 0, 0, moved.second, 1, 59]))
    today = local(zone, after).date()
    dates = chance.choice(["once", today + timedelta(days=chance.randint(-2, 20)), None, None])
    if dates is None:
        dates = set(chance.sample(range(1, 8), chance.choice([1, 2, 5, 7])))
    excepted = {
        today + timedelta(days=chance.randint(-1, 9))
        for _ in range(chance.choice([0, 0, 0, 1, 2, 6]))
    }
    return zone, clock, dates, excepted, after


def tell(zone, clock, dates, excepted, after):
    found = rings(zone, clock, dates, excepted, after, 4 if isinstance(dates, set) else 1)
    if isinstance(dates, set):
        dates = "".join(str(day) for day in sorted(dates))
    print(
        zone, clock, dates, ",".join(str(day) for day in sorted(excepted)), after,
        ",".join(f"{instant} {note}".strip() for instant, note in found), sep="\t")


def main(command, seed, count="0"):
    chance = random.Random(int(seed))
    if command == "rings":
        for _ in range(int(count)):
            tell(*alarm(chance))
        return
    for zone in ZONES:
        moments = [chance.randint(-70 * 365 * DAY, 230 * 365 * DAY) for _ in range(20)]
        print(
            zone, ",".join(f"{at} {seconds}" for at, seconds in changes(zone)),
            ",".join(f"{at} {offset(zone, at)} {local(zone, at).tzname()}" for at in moments),
            sep="\t")


main(*sys.argv[1:])

#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The reference for tests of time zones and rings: computes offsets and rings with Python's
# `zoneinfo`, in another way than Belfry. Belfry goes through intervals of constant offset; this
# script asks for the two folds of a local time and searches instants. It shares no code and no
# table with Belfry.
#
#   zones.py offsets SEED        a line for each zone: its name, then its changes in twelve years
#                                and its offsets at random moments of three centuries
#   zones.py rings SEED COUNT    a line for each of COUNT alarms, many of them near a change: zone,
#                                time, dates, excepted dates, the moment after which, and its rings
#   zones.py rules SEED COUNT    a line for each of COUNT alarms on repeating days, computed by
#                                python-dateutil by RFC 5545: the alarm as the config has it, the
#                                moment after which, the last day that was searched, and its rings

import random
import sys
from bisect import bisect
from datetime import date, datetime, time, timedelta, timezone
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from dateutil.relativedelta import relativedelta
from dateutil.rrule import (
    DAILY, FR, MO, MONTHLY, SA, SU, TH, TU, WE, WEEKLY, YEARLY, rrule, rruleset)

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
    """Returns the first whole second in low < s <= high from which on `holds` is true."""
    return low + 1 + bisect(range(low + 1, high), False, key=holds)


def look(zone, since, until):
    """Returns the changes of offset in a period, searched day by day."""
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
    """Returns the first instant at which clocks show this time of this day or a later one, and why
    it is that instant; None if they never show the day."""
    wanted = datetime.combine(day, clock)
    folds = [wanted.replace(tzinfo=ZoneInfo(zone), fold=fold) for fold in (0, 1)]
    instants = [int(aware.timestamp()) for aware in folds]
    shown = [naive(local(zone, instant)) for instant in instants]
    if shown[0] == wanted:
        return instants[0], "overlap" if instants[1] > instants[0] else ""
    # In a gap, the second fold has the offset after the gap. So its instant is before that of the
    # first fold, and the two must be sorted.
    low, high = sorted(instants)
    end = first(low - 1, high, lambda s: naive(local(zone, s)) > wanted)
    left, entered = local(zone, end - 1).date(), local(zone, end).date()
    return None if left < day < entered else (end, "gap")


def rings(zone, clock, dates, excepted, after, count):
    """Returns the first rings strictly after an instant."""
    since = local(zone, after).date() - timedelta(days=2)
    if isinstance(dates, date):
        days = [dates]
    else:
        days = (since + timedelta(days=n) for n in range(400))
    if isinstance(dates, set):
        days = (day for day in days if day.isoweekday() in dates)
    return rings_on(days, zone, clock, excepted, after, count)


def rings_on(days, zone, clock, excepted, after, count):
    found = []
    for day in days:
        ring = resolve(zone, day, clock)
        # A gap may move the ring to the next day.
        if ring and ring[0] > after and local(zone, ring[0]).date() not in excepted:
            found.append(ring)
            if len(found) == count:
                break
    return found


def moment(chance):
    """Returns a zone, a time of day and a moment, most of them near a change."""
    zone = chance.choice(ZONES)
    if chance.random() < 0.8:
        while not changes(zone):
            zone = chance.choice(ZONES)
        change = chance.choice(changes(zone))[0]
        # The first local time that is skipped or repeated, and times about as far after it.
        moved = min(local(zone, change - 1) + timedelta(seconds=1), local(zone, change), key=naive)
        moved += timedelta(minutes=5 * chance.randint(-4, 16))
        after = change - chance.choice([0, 1, chance.randint(0, DAY), chance.randint(-DAY, 9 * DAY)])
    else:
        after = chance.randint(0, 2 * UNTIL)
        moved = datetime(2000, 1, 1) + timedelta(minutes=chance.randint(0, 1439))
    clock = time(moved.hour, moved.minute, chance.choice([0, 0, 0, moved.second, 1, 59]))
    return zone, clock, after


def alarm(chance):
    zone, clock, after = moment(chance)
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


WEEKDAYS = [MO, TU, WE, TH, FR, SA, SU]
NAMES = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
GROUPS = {"daily": range(7), "weekdays": range(5), "weekends": (5, 6)}
PLACES = {"1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5, "last": -1}
UNITS = {"days": DAILY, "weeks": WEEKLY, "months": MONTHLY, "years": YEARLY}


def name(chance, weekday):
    return chance.choice([NAMES[weekday], NAMES[weekday].upper(), NAMES[weekday][:3].lower()])


def some_days(chance, ordinals):
    """Returns days as the config has them, the weekdays in them, and their places in a month."""
    words, plain, placed = [], [], []
    if chance.random() < (0.4 if ordinals else 1):
        if chance.random() < 0.2:
            group = chance.choice(list(GROUPS))
            words, plain = [group], list(GROUPS[group])
        else:
            plain = chance.sample(range(7), chance.choice([1, 1, 2, 3]))
            words = [name(chance, weekday) for weekday in plain]
    for _ in range(chance.choice([1, 1, 2, 3]) if ordinals else 0):
        place, weekday = chance.choice(list(PLACES)), chance.randrange(7)
        words.append(f"{place} {name(chance, weekday)}")
        placed.append(WEEKDAYS[weekday](PLACES[place]))
    return words, [WEEKDAYS[weekday] for weekday in plain], placed


def dates_of(unit, interval, first, last, plain, placed):
    """Returns the days of a rule, from the first to the last."""
    options = {"dtstart": first, "until": last, "interval": interval}
    if unit == YEARLY:
        options["bymonth"] = first.month
    rules = rruleset()
    if unit == WEEKLY:
        rules.rrule(rrule(unit, wkst=MO, byweekday=plain or None, **options))
    elif plain or placed:
        # dateutil combines the parts of one rule with "and", so each part is a rule of its own.
        for weekdays in (plain, placed):
            if weekdays:
                rules.rrule(rrule(unit, byweekday=weekdays, **options))
    elif unit == DAILY:
        rules.rrule(rrule(unit, **options))
    else:
        # The last day of a month stands for a day that the month does not have.
        days = [first.day] if first.day <= 28 else list(range(28, first.day + 1))
        rules.rrule(rrule(unit, bymonthday=days, bysetpos=-1, **options))
    return rules


def rule(chance):
    zone, clock, after = moment(chance)
    today = local(zone, after).date()
    word = chance.choice([None, *UNITS])
    count = chance.choice([1, 1, 2, 2, 3, 4, 5, 6, 12, chance.randint(1, 60), 1000])
    ordinals = word in (None, "months", "years") and chance.random() < 0.7
    words, plain, placed = [], [], []
    if word is None or word != "days" and (ordinals or word == "weeks" and chance.random() < 0.7):
        words, plain, placed = some_days(chance, ordinals)
    begin = today + timedelta(days=chance.choice(
        [chance.randint(-3, 3), chance.randint(-400, 100), chance.randint(-4000, 2000)]))
    if chance.random() < 0.3:
        # Begin on a day that some months do not have.
        begin = begin.replace(month=chance.choice([1, 2, 2, 8, 12]), day=1)
        begin += relativedelta(months=1)
        begin -= timedelta(days=chance.choice([1, 1, 2, 3]))
    begin = max(begin, date(1, 1, 1))
    has_begin = word is not None or chance.random() < 0.4
    end = today + timedelta(days=chance.choice([chance.randint(0, 9), chance.randint(0, 2000)]))
    has_end = chance.random() < 0.3 and (end >= begin or not has_begin)
    horizon = max(today, begin) + timedelta(days=366 * chance.choice([1, 5, 5, 30]))
    # Without `from`, the days do not depend on the first day, if it is early and begins a month.
    first = begin if has_begin else today.replace(day=1) - relativedelta(months=2)
    days = dates_of(
        UNITS.get(word, MONTHLY), count if word else 1, datetime.combine(first, time()),
        datetime.combine(min(end, horizon) if has_end else horizon, time()), plain, placed)
    excepted = {
        today + timedelta(days=chance.randint(-1, 9))
        for _ in range(chance.choice([0, 0, 0, 1, 2, 6]))
    }
    listed = [str(day) for day in sorted(excepted)]
    for _ in range(chance.choice([0, 0, 1, 2])):
        left = today + timedelta(days=chance.choice([chance.randint(-9, 9), chance.randint(-9, 400)]))
        length = chance.choice([chance.randint(1, 9), chance.randint(1, 90)])
        excepted |= {left + timedelta(days=n) for n in range(length)}
        listed.append(f'"{left}..{left + timedelta(days=length - 1)}"')
    since = datetime.combine(today - timedelta(days=2), time())
    days = (day.date() for day in days.xafter(since, inc=True))
    found = rings_on(days, zone, clock, excepted, after, 4)
    keys = [
        f"time = {clock}", f'timezone = "{zone}"',
        words and "days = " + str(words).replace("'", '"'),
        word and f'every = "{count} {chance.choice([word, word[:-1]])}"',
        has_begin and f"from = {begin}", has_end and f"until = {end}",
        listed and f"except = [{', '.join(listed)}]",
    ]
    print(
        "{ " + ", ".join(key for key in keys if key) + " }", after, horizon,
        ",".join(f"{instant} {note}".strip() for instant, note in found), sep="\t")


def main(command, seed, count="0"):
    chance = random.Random(int(seed))
    if command == "rules":
        for _ in range(int(count)):
            rule(chance)
        return
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

#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The reference for calendars: computes the days of the events in the files
# `Tests/ProgramTests/Calendars/kind-*.ics` in the years 2027 to 2029, in UTC, with `icalendar` and
# `recurring-ical-events` (both from PyPI). It shares no code with Belfry.
#
#   calendars.py >Tests/ICalendarTests/days.txt       a line for each file: its name and its days

from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import icalendar
import recurring_ical_events

# What the libraries refuse or do not follow: an empty RRULE, EXRULE, and EXDATE in UTC for days.
BY_HAND = {
    "kind-empty-values": "2027-01-06 2027-02-06 2027-02-13 2027-02-20",
    "kind-exrule": "2027-01-04 2027-01-05 2027-01-06 2027-01-07 2027-01-08 2027-01-11 2027-01-12 "
                   "2027-01-13 2027-01-14 2027-01-15",
    "kind-mixed-dates": "2027-01-01 2027-01-04 2027-01-05 2027-01-07 2027-01-08 2027-01-29 "
                        "2027-02-05 2027-02-12 2027-02-19 2027-02-26",
}
FOLDER = Path(__file__).parent.parent / "ProgramTests" / "Calendars"


def days(event):
    start, end = event.start, event.end
    if not isinstance(start, datetime):
        last = max(start, end - timedelta(days=1))
    else:
        if start.tzinfo:
            start, end = start.astimezone(timezone.utc), end.astimezone(timezone.utc)
        start, last = start.date(), max(start, end - timedelta(seconds=1)).date()
    return {start + timedelta(days=n) for n in range((last - start).days + 1)}


for file in sorted(FOLDER.glob("kind-*.ics")):
    if file.stem in BY_HAND:
        print(file.stem, BY_HAND[file.stem])
        continue
    calendar = icalendar.Calendar.from_ical(file.read_bytes())
    found = set()
    for event in recurring_ical_events.of(calendar, skip_bad_series=True).between(
            date(2027, 1, 1), date(2030, 1, 1)):
        if event.get("STATUS") != "CANCELLED":
            found |= days(event)
    print(file.stem, *sorted(day for day in found if date(2027, 1, 1) <= day < date(2030, 1, 1)))

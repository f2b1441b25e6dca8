#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Writes the table in `Sources/ICalendar/WindowsZones.swift` again. Its source is CLDR's
# `windowsZones.xml`, in the form in which PyPI's `tzlocal` has it. CLDR keeps old names of zones,
# such as Asia/Calcutta, that are missing on machines without the tz database's old names. So each
# name is replaced by its present name, from the links in PyPI's `tzdata`.
#
#   windows_zones.py            exits with 1 and prints the differences if the table is not the same
#   windows_zones.py --write    writes the table

import difflib
import sys
from importlib.resources import files
from pathlib import Path

from tzlocal.windows_tz import win_tz

SOURCE = Path(__file__).parents[2] / "Sources" / "ICalendar" / "WindowsZones.swift"
BEGIN, END = '  private static let text = """\n', '    """\n'

zi = (files("tzdata") / "zoneinfo" / "tzdata.zi").read_text().splitlines()
present_names = {line.split()[2]: line.split()[1] for line in zi if line.startswith("L ")}
table = "".join(
    f"    {name}={present_names.get(zone, zone)}\n" for name, zone in sorted(win_tz.items()))
before, rest = SOURCE.read_text().split(BEGIN)
present, after = rest.split(END, 1)
if "--write" in sys.argv:
    SOURCE.write_text(before + BEGIN + table + END + after)
elif present != table:
    sys.exit("".join(difflib.unified_diff(present.splitlines(True), table.splitlines(True))))

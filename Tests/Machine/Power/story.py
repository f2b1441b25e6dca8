# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the commands of a user at random: alarms and timers are set, changed and removed, and their
rings are stopped and snoozed. Next: `cut.py`, which runs them and cuts the power.
"""
import copy
import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from world import Item, World


@dataclass
class Command:
    words: str
    # Changes the world if the command takes effect. The argument is the JSON that the command
    # prints, or an empty dictionary if nothing was printed before the cut.
    change: Callable[[World, dict], None]
    # Whether the command may fail: the ring may not have begun yet, or the moment may be past.
    may_fail: bool = False

    def after(self, world: World, reply: dict) -> World:
        world = copy.deepcopy(world)
        self.change(world, reply)
        return world


def time_of_day(moment: float) -> str:
    """Never a whole minute: Belfry writes that without seconds, which only TOML 1.1 allows, and
    Python reads TOML 1.0."""
    moment += int(moment) % 60 == 0
    return time.strftime("%H:%M:%S", time.gmtime(moment))


class Story:
    def __init__(self, chance: random.Random):
        self.chance = chance
        self.count = 0

    def next(self, world: World, now: float) -> Command | None:
        """The next command, or None if the user waits for a moment."""
        chance = self.chance
        rung = [name for name, item in world.items.items() if item.has_rung(now)]
        if rung and chance.random() < 0.6:
            return self._answer(chance.choice(rung))
        # A command for something that is about to ring would have two right outcomes.
        calm = [name for name, item in world.items.items()
                if item.answer == "stopped" or not item.will_ring(now, within=60)]
        daily = [name for name in calm
                 if world.items[name].repeats and world.items[name].answer == ""]
        drawn = chance.choice(["add", "soon", "soon", "timer", "short", "label", "time", "switch",
                               "skip", "remove", "remove", "wait"])
        if drawn == "wait":
            return None
        if drawn in ("timer", "short"):
            return self._timer(chance.randint(2, 5) if drawn == "short" else 3600)
        if drawn == "remove" and calm:
            return self._remove(chance.choice(calm), world)
        if drawn in ("label", "time", "switch", "skip") and daily:
            return self._edit(chance.choice(daily), drawn, world)
        if drawn == "soon":
            return self._add(now + chance.randint(2, 6), chance.random() < 0.5)
        return self._add(now + chance.randint(2, 20) * 3600, True)

    def _new(self, letter: str) -> tuple[str, str]:
        self.count += 1
        return f"{letter}{self.count}", f"Label {self.count}"

    def _add(self, moment: float, repeats: bool) -> Command:
        name, label = self._new("a")
        clock_time = time_of_day(moment)
        date = time.strftime("%Y-%m-%d", time.gmtime(moment))
        days = "--days daily" if repeats else f"--date {date}"

        def change(world: World, reply: dict) -> None:
            # If the moment comes before the reply, the reply names the ring after it.
            next_ring = reply.get("epoch", 0)
            due = next_ring if abs(next_ring - moment) < 60 else None
            world.items[name] = Item(
                False, label, due, time=clock_time, repeats=repeats)
        return Command(f"add {clock_time} {days} --id {name} --label '{label}'", change, True)

    def _timer(self, seconds: int) -> Command:
        name, _ = self._new("t")

        def change(world: World, reply: dict) -> None:
            world.items[name] = Item(True, name, reply.get("epoch"))
        return Command(f"timer {seconds}s --label {name}", change)

    def _answer(self, name: str) -> Command:
        drawn = self.chance.choice(["stop", "stop", "snooze 4s", "snooze 10m"])

        def change(world: World, reply: dict) -> None:
            item = world.items[name]
            if drawn != "stop":
                item.answer, item.due = "snoozed", reply.get("snoozed_until_epoch")
            elif item.is_timer:
                del world.items[name]
            else:
                item.answer = "stopped"
        verb, *length = drawn.split()
        return Command(" ".join([verb, name, *length]), change, True)

    def _remove(self, name: str, world: World) -> Command:
        verb = "timer cancel" if world.items[name].is_timer else "remove"
        return Command(f"{verb} {name}", lambda world, _: world.items.pop(name))

    def _edit(self, name: str, drawn: str, world: World) -> Command:
        item = world.items[name]
        if drawn == "label" or drawn != "switch" and not item.is_enabled:
            _, label = self._new("")
            return Command(f"edit {name} --label '{label}'", set_item(name, label=label))
        if drawn == "switch":
            verb = "disable" if item.is_enabled else "enable"
            return Command(f"{verb} {name}", set_item(name, is_enabled=not item.is_enabled))
        if drawn == "skip":
            verb = "unskip" if item.is_skipped else "skip"
            return Command(f"{verb} {name}", set_item(name, is_skipped=not item.is_skipped))
        clock_time = time_of_day(item.due + self.chance.randint(1, 50) * 60)

        def change(world: World, reply: dict) -> None:
            world.items[name].time = clock_time
            world.items[name].is_skipped = False
            world.items[name].due = reply.get("epoch")
        return Command(f"edit {name} --time {clock_time}", change)


def set_item(name: str, **values) -> Callable[[World, dict], None]:
    def change(world: World, _: dict) -> None:
        for key, value in values.items():
            setattr(world.items[name], key, value)
    return change

# SPDX-License-Identifier: GPL-3.0-or-later
"""What must be true after a power cut: the alarms and timers as the commands had acknowledged them.

`differences` compares this with what the agent and the files say. Next: `story.py`, which draws the
commands.
"""
from dataclasses import dataclass, field

# How far two readings of the time may differ, in seconds. The machine reads whole seconds from its
# hardware clock at each start.
TOLERANCE = 3


@dataclass
class Item:
    """An alarm or a timer. A moment is None if its command had not been acknowledged before the
    cut; then any moment is right."""

    is_timer: bool
    label: str
    due: float | None
    # The following describe alarms.
    time: str = ""
    repeats: bool = False
    is_enabled: bool = True
    is_skipped: bool = False
    # "", "stopped" or "snoozed": how the last ring was answered.
    answer: str = ""

    def has_rung(self, now: float) -> bool:
        return self.due is not None and self.due < now - 1 and self.answer != "stopped"

    def will_ring(self, now: float, within: float) -> bool:
        return self.due is None or self.due < now + within

    def states(self, now: float) -> set[str]:
        """The states that the agent may report."""
        if not self.is_enabled:
            return {"off"}
        if self.answer == "stopped":
            return {"scheduled" if self.repeats else "over"}
        before = "snoozed" if self.answer else "running" if self.is_timer else "scheduled"
        if self.due is None or abs(self.due - now) <= TOLERANCE:
            return {before, "ringing"}
        return {before} if self.due > now else {"ringing"}


@dataclass
class World:
    items: dict[str, Item] = field(default_factory=dict)

    def differences(self, seen: dict) -> list[str]:
        """Compares this world with what was seen; see `look` in `cut.py`."""
        status, now = seen["status"], seen["now"]
        rows = {row["id"]: row for row in status["alarms"] + status["timers"]}
        entries = {entry["id"]: entry for entry in seen["config"].get("alarm", [])}
        missed = {row["id"] for row in status["missed"]}
        found = [f"{name} is there again" for name in rows.keys() - self.items.keys()]
        found += [f"{name} is missed, though it was removed" for name in missed - self.items.keys()]
        found += [f"the agent has a problem: {text}" for text in status["agent"]["problems"]]
        for name, item in self.items.items():
            row = rows.get(name)
            if row is None:
                if not (item.is_timer and name in missed):
                    found.append(f"{name} is lost")
                continue
            entry = row if item.is_timer else entries.get(name, {})
            for place, values in [("agent", row), ("config", entry)]:
                if values.get("label") != item.label:
                    found.append(
                        f"{name}: label {values.get('label')} in the {place}, not {item.label}")
            if not item.is_timer and row["time"] != item.time:
                found.append(f"{name}: time {row['time']}, not {item.time}")
            # The status of an alarm that is switched off does not say whether a ring is skipped.
            if item.is_enabled and row.get("skipped", False) != item.is_skipped:
                found.append(f"{name}: skipped {row.get('skipped', False)}, not {item.is_skipped}")
            found += self._ring_differences(name, item, row, now, name in missed)
        return found

    @staticmethod
    def _ring_differences(
        name: str, item: Item, row: dict, now: float, is_missed: bool
    ) -> list[str]:
        """A ring that was answered does not come back, and one that was due rings or is missed."""
        if is_missed:
            return [f"{name} is missed, though it was {item.answer}"] if item.answer else []
        state, states = row["state"], item.states(now)
        if state not in states:
            due = "" if item.due is None else f"; due {item.due - now:+.0f} s from now"
            return [f"{name} is {state}, not {' or '.join(sorted(states))}{due}"]
        moment = next_moment(row)
        if state != "ringing" and item.is_enabled and moment and item.due:
            if item.answer == "stopped":
                if moment <= item.due:
                    return [f"{name} is due again at {moment:.0f}, though it was stopped"]
            elif abs(moment - item.due) > TOLERANCE:
                return [f"{name} is due at {moment:.0f}, not at {item.due:.0f}"]
        return []

    def adopt(self, seen: dict) -> None:
        """Fills in the moments of a command that took effect without having been acknowledged."""
        status = seen["status"]
        for row in status["alarms"] + status["timers"]:
            item = self.items.get(row["id"])
            if item and item.due is None:
                item.due = next_moment(row) or seen["now"]


def next_moment(row: dict) -> float | None:
    """When an alarm or a timer of the status rings next; None if it is ringing, over or off."""
    if row["state"] == "ringing":
        return None
    return row.get("snoozed_until_epoch", row.get("epoch"))

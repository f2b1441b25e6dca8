# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs commands in the virtual machine, cuts its power, and compares after the next start.

`Tests/Machine/cut` makes the files of the machine and starts this program. The seed decides which
commands run, after which of them the power is cut, how many requests later the disk stops, and
which part of its cache is lost. How the commands and the disk's requests interleave also depends on
the speed of the machine.
"""
import argparse
import json
import random
import time
import tomllib

from disk import Disk
from guest import Guest, PowerCut
from story import Command, Story
from world import World

STATE = "/disk/home/.local/state/belfry"
CONFIG = "/disk/home/.config/belfry/config.toml"
# Everything that is compared, in one command: each part ends with a line of its own. The agent may
# still be starting.
LOOK = "; echo; echo %%%; ".join(
    ["await belfry status --json", "date +%s", f"cat {CONFIG}"]
    + [f"cat {STATE}/{name} 2>/dev/null"
       for name in ("state.toml", "settings.toml", "history.jsonl")]
    + [f"ls {STATE}"])


class Torn(Exception):
    pass


class Run:
    def __init__(self, arguments: argparse.Namespace):
        self.arguments = arguments
        self.chance = random.Random(arguments.seed)
        self.story = Story(self.chance)
        self.socket = f"{arguments.folder}/socket"
        with open(f"{arguments.folder}/disk", "rb") as file:
            self.disk = Disk(file.read(), self.socket, arguments.sabotage == "flush")
        self.world = World()
        self.guest: Guest | None = None
        self.pending: Command | None = None
        # How far the machine's clock is ahead of this one.
        self.ahead = 0.0
        self.acknowledged = 0
        self.commands: list[str] = []

    def start(self) -> Guest:
        self.disk.start(lambda: self.guest.kill())
        folder = self.arguments.folder
        self.guest = Guest(self.arguments.kernel, f"{folder}/initramfs", self.socket)
        return self.guest

    def look(self, guest: Guest) -> dict:
        """Reads what the agent reports and what is in the files. All of them must be whole."""
        _, output = guest.run(LOOK)
        parts = [part.strip() for part in output.split("%%%\n")]
        status, now, config, state, settings, history, names = parts
        try:
            for text in (state, settings):
                tomllib.loads(text)
            for line in history.splitlines():
                json.loads(line)
            if "unreadable" in names:
                raise ValueError(f"the agent found an unreadable file: {names.split()}")
            return {"now": float(now), "status": json.loads(status),
                    "config": tomllib.loads(config)}
        except ValueError as error:
            raise Torn(f"{error}\n{output}") from None

    def compare(self, guest: Guest) -> list[str]:
        """Compares after a start. The command that was running at the cut may have taken effect
        or not."""
        try:
            seen = self.look(guest)
        except Torn as error:
            return [f"a file is torn: {error}"]
        found = self.world.differences(seen)
        if self.pending:
            after = self.pending.after(self.world, {})
            if found and not after.differences(seen):
                self.world, found = after, []
        self.pending = None
        self.world.adopt(seen)
        self.ahead = seen["now"] - time.time()
        return found

    def note(self, text: str) -> None:
        self.commands.append(f"{time.strftime('%T')} {text}")

    def run_commands(self, guest: Guest, before: int, requests: int) -> None:
        """Runs commands until the power is cut: `requests` requests of the disk after this many
        commands, or some commands later if the disk gets no more requests."""
        for number in range(before + 12):
            if number == before:
                self.disk.cut_at(requests)
            command = self.story.next(self.world, time.time() + self.ahead)
            if not command:
                guest.wait(1)
                continue
            self.pending = command
            status, output = guest.run(f"belfry {command.words} --json")
            self.note(f"{status} belfry {command.words}: {' '.join(output.split())}")
            self.pending = None
            if status == 0:
                reply = json.loads(output)
                self.world = command.after(
                    self.world, reply[0] if isinstance(reply, list) else reply)
                self.acknowledged += 1
            elif not command.may_fail:
                raise SystemExit(f"belfry {command.words} failed: {output}")
        self.disk.cut_now()
        guest.wait(10)

    def cut(self, number: int) -> list[str]:
        """Starts the machine, compares, runs commands and cuts the power."""
        began = time.monotonic()
        acknowledged = self.acknowledged
        chance = random.Random(self.chance.random())
        # A single cut comes early, because it is part of every run of the tests.
        before = chance.randint(2, 4 if self.arguments.cuts == 1 else 9)
        # Half of the cuts come right after an acknowledgement, where a missing flush is noticed.
        requests = chance.randint(1, chance.choice([8, 40]))
        is_early = number > 1 and chance.random() < 0.15
        guest = self.start()
        if is_early:
            self.disk.cut_at(requests)
        try:
            guest.wait_for_start()
            found = self.compare(guest)
            if found:
                guest.kill()
                return found
            self.run_commands(guest, before, requests)
        except PowerCut:
            if not self.disk.is_off:
                return ["the machine ended by itself:", *guest.console]
        blocks, kept = self.disk.lose_cache(chance)
        moment = f"running {self.pending.words.split()[0]}" if self.pending else "between commands"
        if is_early:
            moment = "while starting"
        self.note(f"cut {number}")
        print(f"cut {number}: acknowledged commands: {self.acknowledged - acknowledged}, "
              f"{moment}, {kept} of {blocks} cached blocks kept, "
              f"{time.monotonic() - began:.1f} s", flush=True)
        return []

    def run(self) -> int:
        print(f"SEED={self.arguments.seed} repeats these cuts")
        began = time.monotonic()
        for number in range(1, self.arguments.cuts + 1):
            found = self.cut(number)
            if found:
                return self.report(number - 1, found)
        found = self.start_and_compare()
        if found:
            return self.report(self.arguments.cuts, found)
        print(f"cuts: {self.arguments.cuts}, acknowledged commands: {self.acknowledged}, "
              f"nothing lost, {time.monotonic() - began:.0f} s")
        return 0

    def start_and_compare(self) -> list[str]:
        guest = self.start()
        try:
            guest.wait_for_start()
            return self.compare(guest)
        except PowerCut:
            return ["the machine ended by itself:", *guest.console]
        finally:
            guest.kill()

    def report(self, cuts: int, found: list[str]) -> int:
        print(f"After cut {cuts} and {self.acknowledged} acknowledged commands:")
        print("\n".join(f"  {text}" for text in found))
        print("The commands, each with the time of its reply, its exit status and its output:")
        print("\n".join(f"  {text}" for text in self.commands))
        return 1


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cuts", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--sabotage", choices=["none", "fsync", "folder", "flush"], required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--kernel", required=True)
    run = Run(parser.parse_args())
    try:
        return run.run()
    finally:
        if run.guest:
            run.guest.kill()


if __name__ == "__main__":
    raise SystemExit(main())

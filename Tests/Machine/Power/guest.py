# SPDX-License-Identifier: GPL-3.0-or-later
"""The virtual machine: runs QEMU, and commands in the machine over its serial port.

An answer that has left the machine counts as acknowledged, even if the power is cut before the
answer is read here. Next: `init`, for what happens in the machine, and `story.py`.
"""
import base64
import queue
import subprocess
import threading
import time


class PowerCut(Exception):
    """The machine is off, and the command has not been acknowledged."""


class Guest:
    def __init__(self, kernel: str, initramfs: str, socket: str):
        """Boots the machine. A panic ends QEMU, because the kernel then restarts the machine."""
        self.process = subprocess.Popen(
            ["qemu-system-x86_64", "-machine", "pc", "-accel", "tcg", "-m", "512", "-nodefaults",
             "-display", "none", "-nic", "none", "-no-reboot", "-serial", "stdio",
             "-kernel", kernel, "-initrd", initramfs,
             "-append", "console=ttyS0 quiet loglevel=1 panic=-1 clocksource=hpet",
             "-drive", f"if=none,id=disk,format=raw,file=nbd:unix:{socket}",
             "-device", "virtio-blk-pci,drive=disk"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.console: list[str] = []
        self.answers: queue.Queue[tuple[int, int, str] | None] = queue.Queue()
        self.number = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self.process.stdout:
            text = line.decode(errors="replace").rstrip("\r\n")
            words = text.split(" ")
            if text.startswith("=") and len(words) == 3:
                output = base64.b64decode(words[2]).decode(errors="replace")
                self.answers.put((int(words[0][1:]), int(words[1]), output))
            else:
                self.console.append(text)
        self.answers.put(None)

    def wait_for_start(self, patience: float = 180) -> None:
        self._receive(0, patience)

    def run(self, command: str, patience: float = 120) -> tuple[int, str]:
        """Returns the status of a shell command and what it printed."""
        self.number += 1
        try:
            self.process.stdin.write(f"{self.number} {command}\n".encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        return self._receive(self.number, patience)

    def _receive(self, number: int, patience: float) -> tuple[int, str]:
        end = time.monotonic() + patience
        while True:
            try:
                answer = self.answers.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                raise SystemExit(
                    f"the machine did not answer within {patience:.0f} s\n{self.log()}") from None
            if answer is None:
                self.answers.put(None)
                raise PowerCut
            if answer[0] == number:
                return answer[1:]

    def wait(self, seconds: float) -> None:
        """Waits, or raises PowerCut at once if the machine is off by then."""
        try:
            self.process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            return
        raise PowerCut

    def kill(self) -> None:
        """Cuts the power: QEMU ends without another word to its disk."""
        self.process.kill()
        self.process.wait()

    def log(self) -> str:
        return "\n".join(self.console)

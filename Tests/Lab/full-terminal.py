#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs `belfry watch` in a terminal that is full before it draws its first line, and ends it.

No program reads from the terminal. Prints the exit status, and whether the terminal is as it was.
"""
import fcntl, os, pty, signal, struct, subprocess, termios, time
master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
os.set_blocking(slave, False)
try:
    while True: os.write(slave, b"x" * 4096)
except BlockingIOError: pass
os.set_blocking(slave, True)
# strace delays `belfry watch` after each ioctl, so that the signal arrives just after `watch` has
# changed the modes of the terminal.
slow = ["strace", "-D", "-f", "-o", "/dev/null", "-e", "inject=ioctl:delay_exit=100000"]
watch = subprocess.Popen(slow + ["belfry", "watch"], stdin=slave, stdout=slave,
                         env={**os.environ, "TERM": "xterm-256color"})
modes = lambda: termios.tcgetattr(slave)[3] & termios.ICANON
while modes(): time.sleep(0.02)
watch.send_signal(signal.SIGTERM)
print("ended", watch.wait(10), "given back" if modes() else "kept", flush=True)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a program whose log is not read: deaf-log.py pipe|terminal|journal PROGRAM

    pipe      standard error is the named pipe `log` in this folder, which is full
    terminal  standard error is a terminal that is stopped, as by Ctrl-S
    journal   standard error is a socket of a journald that hangs; the program gets its own mount
              namespace, because journald's sockets have fixed paths
"""

import os
import pty
import socket
import subprocess
import sys
import time

JOURNAL = "/run/systemd/journal"


def pipe():
    os.mkfifo("log")
    ends = os.open("log", os.O_RDWR | os.O_NONBLOCK)
    try:
        while True:
            os.write(ends, b"." * 4095 + b"\n")
    except BlockingIOError:
        os.set_blocking(ends, True)
        return ends


def terminal():
    master, slave = pty.openpty()
    os.write(master, b"\x13")
    time.sleep(0.1)  # The kernel needs a moment until it stops the terminal.
    return slave


def journal():
    subprocess.run(["mount", "-t", "tmpfs", "none", "/run"], check=True)
    os.makedirs(JOURNAL)
    global sockets
    stream, datagrams = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    stream.bind(JOURNAL + "/stdout")
    stream.listen()
    datagrams.bind(JOURNAL + "/socket")
    ours, other = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    ours.connect(JOURNAL + "/stdout")
    other.connect(JOURNAL + "/socket")
    other.setblocking(False)
    try:
        while True:
            other.send(b"MESSAGE=full\n")
    except BlockingIOError:
        sockets = stream, datagrams, other
        return ours.detach()


errors = {"pipe": pipe, "terminal": terminal, "journal": journal}[sys.argv[1]]()
program = subprocess.Popen(sys.argv[2:], stderr=errors)
print(program.pid, flush=True)
sys.exit(program.wait())

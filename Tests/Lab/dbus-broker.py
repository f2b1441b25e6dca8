# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs dbus-broker as systemd does, in this process's own view of /run. Only root may do so.

    unshare --mount dbus-broker.py SOCKET CONFIG    becomes the bus on a socket
    dbus-broker.py journal                          only plays the journal, and returns

dbus-broker-launch ends if it cannot reach the journal, so this script plays the journal, and prints
what is logged.
"""

import os
import socket
import subprocess
import sys

JOURNAL = "/run/systemd/journal/socket"


def play_journal():
    os.mkdir(os.path.dirname(JOURNAL))
    journal = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    journal.bind(JOURNAL)
    if os.fork() == 0:
        while True:
            for line in journal.recv(65536).split(b"\n"):
                if line.startswith(b"MESSAGE="):
                    print(line.decode(errors="replace"), file=sys.stderr, flush=True)


def become_bus(path, config):
    os.makedirs("/run/systemd", exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "none", "/run/systemd"], check=True)
    play_journal()
    bus = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    bus.bind(path)
    bus.listen(128)
    print(f"unix:path={path}", flush=True)
    # See sd_listen_fds(3): descriptor 3 is the first one that is passed on.
    os.dup2(bus.fileno(), 3)
    os.set_inheritable(3, True)
    os.environ["LISTEN_FDS"] = "1"
    os.environ["LISTEN_PID"] = str(os.getpid())
    launcher = "dbus-broker-launch"
    os.execvp(launcher, [launcher, "--scope", "user", "--config-file", config])


if sys.argv[1:] == ["journal"]:
    play_journal()
else:
    become_bus(*sys.argv[1:])

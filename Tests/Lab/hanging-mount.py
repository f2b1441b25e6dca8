# SPDX-License-Identifier: GPL-3.0-or-later
"""A disk that does not answer, like a stalled NFS or sshfs: mounts FUSE over FOLDER and answers no
request. A program that looks into the folder waits until this program ends.

    hanging-mount.py FOLDER
"""
import ctypes
import os
import signal
import sys

folder = sys.argv[1].encode()
libc = ctypes.CDLL(None, use_errno=True)
MNT_DETACH = 2


def end(*_):
    libc.umount2(folder, MNT_DETACH)
    os._exit(0)


for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, end)
device = os.open("/dev/fuse", os.O_RDWR)
options = f"fd={device},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()},allow_other"
if libc.mount(b"hanging", folder, b"fuse", 0, options.encode()) != 0:
    sys.exit("mount: " + os.strerror(ctypes.get_errno()))
print("ready", flush=True)
while True:
    signal.pause()

# SPDX-License-Identifier: GPL-3.0-or-later
"""A disk that does not answer, like a stalled NFS or sshfs: mounts FUSE over FOLDER and answers no
request. A program that looks into the folder waits until this program ends. With "writes", only
programs that write wait: the folder looks empty, but no file can be made in it. With "kept", the
kernel has handed over each request, so that it keeps a program that waits even if it is killed.

    hanging-mount.py FOLDER [writes|kept]
"""
import ctypes
import errno
import os
import signal
import struct
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
if not sys.argv[2:]:
    while True:
        signal.pause()
# Kinds of requests, by their numbers in linux/fuse.h. The folder is node 1.
LOOKUP, FORGET, GETATTR, MKNOD, MKDIR, INIT, CREATE, INTERRUPT = 1, 2, 3, 8, 9, 26, 35, 36
while True:
    request = os.read(device, 1 << 20)
    _, kind, unique = struct.unpack_from("=IIQ", request)
    error, body = 0, b""
    if kind == INIT:
        body = struct.pack("=IIIIHHIIHH32x", 7, 31, 4096, 0, 1, 1, 4096, 1, 1, 0)
    elif sys.argv[2] == "kept":
        continue
    elif kind == GETATTR:
        body = struct.pack("=QII6Q10I", 1, 0, 0, 1, *[0] * 8, 0o40700, 2, *[0] * 5)
    elif kind == LOOKUP:
        error = -errno.ENOENT
    elif kind == INTERRUPT:
        # A signal interrupts a program that waits. The kernel names the program's request here.
        unique, error = struct.unpack_from("=Q", request, 40)[0], -errno.EINTR
    elif kind in (FORGET, MKNOD, MKDIR, CREATE):
        continue
    else:
        error = -errno.ENOSYS
    os.write(device, struct.pack("=IiQ", 16 + len(body), error, unique) + body)

# SPDX-License-Identifier: GPL-3.0-or-later
"""A virtual disk whose write cache is lost when the power is cut.

QEMU reads and writes the disk over a socket, with the protocol NBD (network block device). Writes
go to a cache. Only a flush makes them durable, as on a real disk with a write cache. At a cut, the
cache is lost, except for blocks that the disk happened to write early. Next: `guest.py`.
"""
import random
import socket
import struct
import threading

# What the disk writes at once: a file system relies on that for its first block.
BLOCK = 4096
READ, WRITE, DISCONNECT, FLUSH = range(4)
# In the first answer: the newer handshake, without padding. In the second: flush can be used.
NEW_HANDSHAKE, HAS_FLUSH = 3, 1 | 4
EXPORT_NAME, ABORT, INFO, GO = 1, 2, 6, 7
ACKNOWLEDGED, INFORMATION, UNSUPPORTED = 1, 3, 0x80000001


class Disk:
    """`path` is where the socket is made. `drops_flushes` is the sabotage of a disk that reports
    flushed writes as durable although they are not."""

    def __init__(self, image: bytes, path: str, drops_flushes: bool = False):
        self.durable = bytearray(image)
        self.content = bytearray(image)
        self.drops_flushes = drops_flushes
        self.cached: list[tuple[int, bytes]] = []
        self.lock = threading.Lock()
        self.countdown: int | None = None
        self.cut = lambda: None
        self.is_off = False
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def start(self, cut) -> None:
        """Switches the disk on for the next machine, which the function `cut` switches off."""
        with self.lock:
            self.cut = cut
            self.countdown = None
            self.is_off = False

    def cut_at(self, request: int) -> None:
        """Cuts the power when this many more writes and flushes have arrived. The last of them is
        not carried out."""
        with self.lock:
            self.countdown = request

    def cut_now(self) -> None:
        with self.lock:
            self._cut()

    def lose_cache(self, chance: random.Random) -> tuple[int, int]:
        """Drops the cache. Some of its blocks become durable: none, all, or each at random.
        Returns how many blocks were in the cache and how many of them became durable."""
        share = chance.choice([0.0, 0.5, 0.9, 1.0])
        count = kept = 0
        with self.lock:
            for offset, data in self.cached:
                for start in range(0, len(data), BLOCK):
                    count += 1
                    if chance.random() < share:
                        kept += 1
                        block = data[start:start + BLOCK]
                        self.durable[offset + start:offset + start + len(block)] = block
            self.cached = []
            self.content = bytearray(self.durable)
        return count, kept

    def _cut(self) -> None:
        if not self.is_off:
            self.is_off = True
            self.cut()

    # The protocol, see https://github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md

    def _serve(self) -> None:
        while True:
            connection, _ = self.listener.accept()
            try:
                self._greet(connection)
                while self._answer(connection):
                    pass
            except (EOFError, OSError):
                pass
            connection.close()

    def _greet(self, connection: socket.socket) -> None:
        export = struct.pack(">QH", len(self.content), HAS_FLUSH)
        connection.sendall(b"NBDMAGICIHAVEOPT" + struct.pack(">H", NEW_HANDSHAKE))
        receive(connection, 4)
        while True:
            _, option, length = struct.unpack(">8sII", receive(connection, 16))
            receive(connection, length)

            def reply(kind: int, data: bytes = b"") -> None:
                header = struct.pack(">QIII", 0x3E889045565A9, option, kind, len(data))
                connection.sendall(header + data)

            if option == EXPORT_NAME:
                connection.sendall(export)
                return
            if option in (INFO, GO):
                reply(INFORMATION, struct.pack(">H", 0) + export)
                reply(ACKNOWLEDGED)
                if option == GO:
                    return
            elif option == ABORT:
                raise EOFError
            else:
                reply(UNSUPPORTED)

    def _answer(self, connection: socket.socket) -> bool:
        _, _, kind, handle, offset, length = struct.unpack(">IHHQQI", receive(connection, 28))
        data = receive(connection, length) if kind == WRITE else b""
        if kind == DISCONNECT:
            return False
        with self.lock:
            if kind in (WRITE, FLUSH):
                if self.countdown is not None:
                    self.countdown -= 1
                    if self.countdown <= 0:
                        self._cut()
            if self.is_off:
                return False
            if kind == READ:
                data = bytes(self.content[offset:offset + length])
            elif kind == WRITE:
                self.content[offset:offset + length] = data
                self.cached.append((offset, data))
            elif not self.drops_flushes:
                for start, written in self.cached:
                    self.durable[start:start + len(written)] = written
                self.cached = []
        reply = struct.pack(">IIQ", 0x67446698, 0, handle)
        connection.sendall(reply + (data if kind == READ else b""))
        return True


def receive(connection: socket.socket, length: int) -> bytes:
    data = b""
    while len(data) < length:
        part = connection.recv(length - len(data))
        if not part:
            raise EOFError
        data += part
    return data

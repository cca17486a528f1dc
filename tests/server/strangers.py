"""Raw connections, which do what no library would."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import re
import socket
import struct
from typing import Any


class Stranger:
    """A raw connection, from an address that is not trusted as a proxy."""

    def __init__(self, port: int, address: str = "127.0.0.9", *, buffer: int | None = None) -> None:
        self.socket = socket.socket()
        if buffer is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.bind((address, 0))
        self.socket.settimeout(10)
        self.socket.connect(("127.0.0.1", port))
        self.ahead = b""

    def __enter__(self) -> Stranger:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, data: bytes) -> bool:
        """Send data, and return whether all of it was accepted."""
        try:
            self.socket.sendall(data)
        except (ConnectionError, TimeoutError):
            return False
        return True

    def flood(self, data: bytes, total: int, patience: float = 0.3) -> int:
        """Send the same data again and again and read nothing; return how many bytes were accepted."""
        self.socket.settimeout(patience)
        sent = 0
        with contextlib.suppress(ConnectionError, TimeoutError):
            while sent < total:
                sent += self.socket.send(data)
        self.socket.settimeout(10)
        return sent

    def read(self, count: int = 65536) -> bytes:
        try:
            return self.socket.recv(count)
        except ConnectionError:
            return b""

    def read_all(self) -> bytes:
        """Read until the other side closes."""
        found = b""
        while data := self.read():
            found += data
        return found

    def read_answer(self) -> bytes:
        """Read a response with its body."""
        while b"\r\n\r\n" not in self.ahead and (data := self.read()):
            self.ahead += data
        head, _, self.ahead = self.ahead.partition(b"\r\n\r\n")
        found = re.search(rb"content-length: (\d+)", head)
        length = int(found[1]) if found else 0
        while len(self.ahead) < length and (data := self.read()):
            self.ahead += data
        body, self.ahead = self.ahead[:length], self.ahead[length:]
        return head + b"\r\n\r\n" + body

    @property
    def is_closed(self) -> bool:
        """Whether the other side has closed, or closes within half a second."""
        self.socket.settimeout(0.5)
        try:
            return self.read_all() is not None
        except TimeoutError:
            return False
        finally:
            self.socket.settimeout(10)

    # WebSockets.

    def ask_for_socket(self, path: str) -> bytes:
        """Request a WebSocket, and return the head of the response."""
        key = base64.b64encode(os.urandom(16)).decode()
        head = f"GET {path} HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        assert self.send(f"{head}Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        found = b""
        while not found.endswith(b"\r\n\r\n") and (byte := self.socket.recv(1)):
            found += byte
        return found

    def upgrade(self, path: str) -> Stranger:
        answer = self.ask_for_socket(path)
        assert answer.startswith(b"HTTP/1.1 101"), answer
        return self

    def say(self, **message: Any) -> None:
        assert self.send(frame(0x1, json.dumps(message).encode()))

    def hear(self) -> tuple[int, bytes]:
        """Return the opcode and the data of the next frame."""
        kind, length = self._exactly(2)
        if length == 126:
            (length,) = struct.unpack("!H", self._exactly(2))
        elif length == 127:
            (length,) = struct.unpack("!Q", self._exactly(8))
        return kind & 0xF, self._exactly(length)

    def _exactly(self, count: int) -> bytes:
        found = b""
        while len(found) < count:
            data = self.socket.recv(count - len(found))
            assert data, "closed"
            found += data
        return found


def frame(kind: int, data: bytes = b"", *, last: bool = True) -> bytes:
    """Return a frame as clients send it, with a mask of zeros."""
    assert len(data) < 2**16
    length = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack("!H", len(data))
    return bytes([kind | (0x80 if last else 0)]) + length + bytes(4) + data

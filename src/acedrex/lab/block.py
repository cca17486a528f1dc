"""Blocks: what a unit of work has made, in a file of its own with a checksum.

Line 1 names the format, line 2 is the header, a JSON object; then follows a zlib stream of the payload.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from acedrex.errors import Error
from acedrex.lab import files

__all__ = ["MAX_HEADER", "MAX_PAYLOAD", "Block", "read_block", "write_block"]

#: The most bytes of a header and of a payload.
MAX_HEADER, MAX_PAYLOAD = 1 << 20, 1 << 28


@dataclass(frozen=True, slots=True)
class Block:
    """The content of a file."""

    header: Mapping[str, Any]
    """What the payload is, with its ``size`` in bytes and its ``sha256``."""
    payload: bytes


def write_block(path: Path, kind: str, header: Mapping[str, Any], payload: bytes) -> Block:
    """Write a block, and return it with its whole header.

    :param kind: what it has: ``games`` or ``match``.
    :param header: what the payload is, without ``size`` and ``sha256``.
    :raises Error: if the file cannot be written.
    """
    block = Block({**header, "size": len(payload), "sha256": hashlib.sha256(payload).hexdigest()}, payload)
    files.write(path, b"%s\n%s\n%s" % (_first_line(kind), files.words(block.header), zlib.compress(payload, 9)))
    return block


def read_block(path: Path, kind: str) -> Block:
    """Read a block and check that its payload is whole.

    :raises Error: if the file cannot be read, is no block of this kind, or was cut short or altered.
    """
    data = files.read(path, MAX_HEADER + MAX_PAYLOAD)
    first, _, rest = data.partition(b"\n")
    if first != _first_line(kind):
        raise Error(f"{path}: expected {_first_line(kind).decode()!r} in line 1")
    line, newline, packed = rest.partition(b"\n")
    if not newline or len(line) > MAX_HEADER:
        raise Error(f"{path}:2: expected a header of at most {MAX_HEADER:,} bytes")
    header = files.object_of(line, f"{path}:2")
    try:
        size = files.whole(header, "size", 0, MAX_PAYLOAD)
    except Error as error:
        raise Error(f"{path}:2: {error}") from None
    unpacker = zlib.decompressobj()
    try:
        payload = unpacker.decompress(packed, size + 1)
        payload += unpacker.flush(1) if len(payload) <= size else b""
    except zlib.error:
        raise Error(f"{path}: the data was altered") from None
    if not unpacker.eof and len(payload) <= size:
        raise Error(f"{path}: the file was cut short")
    if len(payload) != size or unpacker.unused_data or hashlib.sha256(payload).hexdigest() != header.get("sha256"):
        raise Error(f"{path}: the data was altered")
    return Block(header, payload)


def _first_line(kind: str) -> bytes:
    return f"acedrex {kind} 1".encode()

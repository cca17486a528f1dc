"""Files of jobs: written whole or not at all, and read within limits, since they may come from anywhere."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from acedrex.errors import Error

#: The most bytes of a network.
MAX_NETWORK = 1 << 28

__all__ = ["fingerprint", "object_of", "read", "real", "text_of", "whole", "words", "write"]


def write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, so that neither a crash nor a full disk leaves a part of it.

    :raises Error: if it cannot be written.
    """
    # Another process may write the same file at the same time.
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        if os.name == "posix":  # the new name is on disk too
            folder = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        advice = "free some space and continue" if error.errno == errno.ENOSPC else "everything else was kept"
        raise Error(f"cannot write {path}: {error.strerror or error}; {advice}") from None


def read(path: Path, most: int) -> bytes:
    """Read a file of at most so many bytes.

    :raises Error: if it cannot be read or is larger.
    """
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise Error(f"cannot read {path}: {error.strerror or error}") from None
    if len(data) > most:
        raise Error(f"{path} is larger than the {most:,} bytes that such a file can have")
    return data


def fingerprint(data: bytes) -> str:
    """Return the hash by which manifests and headers name a network."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def words(values: object) -> bytes:
    """Return values as JSON that is the same for the same values."""
    return json.dumps(values, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def object_of(data: bytes, where: object) -> dict[str, Any]:
    """Read a JSON object.

    :param where: where it was found, for the error.
    :raises Error: if it is something else.
    """
    try:
        values = json.loads(data)
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise Error(f"{where}: expected a JSON object")
    return values


def whole(values: Mapping[str, Any], key: str, least: int, most: int) -> int:
    """Return a whole number from a JSON object.

    :raises Error: if it is missing, something else or out of range.
    """
    value = values.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise Error(f"{key}: expected a whole number from {least} to {most}, found {str(value)[:40]!r}")
    return value


def real(values: Mapping[str, Any], key: str, least: float, most: float) -> float:
    """Return a number from a JSON object.

    :raises Error: if it is missing, something else or out of range.
    """
    value = values.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise Error(f"{key}: expected a number from {least:g} to {most:g}, found {str(value)[:40]!r}")
    return value


def text_of(values: Mapping[str, Any], key: str, most: int = 1000) -> str:
    """Return a text from a JSON object.

    :raises Error: if it is missing, something else or too long.
    """
    value = values.get(key)
    if not isinstance(value, str) or len(value) > most:
        raise Error(f"{key}: expected a text of at most {most} characters, found {str(value)[:40]!r}")
    return value

"""Bodies of requests, as JSON or as forms: read by msgspec, within bounds."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar
from urllib.parse import parse_qsl

import msgspec
from fastapi import Request

from acedrex.server.decide import Refusal

T = TypeVar("T")
#: Most bytes of a body.
MOST_BYTES = 64 * 1024
#: Seconds in which a body has to come.
MOST_SECONDS = 120
#: Most fields of a form.
MOST_FIELDS = 32


def body(kind: type[T], most: int = MOST_BYTES) -> Callable[[Request], Awaitable[T]]:
    """Make a dependency that reads a body."""
    decoder = msgspec.json.Decoder(kind)

    async def read(request: Request) -> T:
        return parse(decoder, await content(request, most))

    return read


async def content(request: Request, most: int = MOST_BYTES) -> bytes:
    """Read a body as it is.

    :raises Refusal: if it has too many bytes, or takes too long.
    """
    found = bytearray()
    try:
        async with asyncio.timeout(MOST_SECONDS):
            async for piece in request.stream():
                found += piece
                if len(found) > most:
                    raise Refusal("too_large", f"the request body is larger than {most} bytes")
    except TimeoutError:
        raise Refusal(
            "too_slow", f"the request body did not arrive within {MOST_SECONDS} seconds; send it again"
        ) from None
    return bytes(found)


def parse(decoder: msgspec.json.Decoder[T], content: bytes | str) -> T:
    """Read JSON of a type.

    :raises Refusal: saying what is wrong and where.
    """
    try:
        return decoder.decode(content)
    except msgspec.ValidationError as error:
        raise invalid(error) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refusal("invalid", f"this is not JSON: {error}") from None
    except RecursionError:
        raise Refusal("invalid", "this JSON is nested too deeply") from None


def invalid(error: msgspec.ValidationError) -> Refusal:
    """Say what is not of its type, and where."""
    message, _, where = str(error).partition(" - at `$")
    return Refusal("invalid", message, where.rstrip("`").lstrip(".") or None)


def form(kind: type[T]) -> Callable[[Request], Awaitable[T]]:
    """Make a dependency that reads a form, as lichess's API has it, or JSON; nothing at all is an empty form."""
    read_json = body(kind)

    async def read(request: Request) -> T:
        if request.headers.get("content-type", "").partition(";")[0].strip() == "application/json":
            return await read_json(request)
        text = (await content(request)).decode("utf-8", "replace")
        try:
            return msgspec.convert(dict(parse_qsl(text, max_num_fields=MOST_FIELDS)), kind, strict=False)
        except msgspec.ValidationError as error:
            raise invalid(error) from None
        except ValueError:
            raise Refusal("invalid", f"a form has at most {MOST_FIELDS} fields") from None

    return read

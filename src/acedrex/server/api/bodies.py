"""Request bodies, as JSON or as forms: read by msgspec, within limits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar
from urllib.parse import parse_qsl

import msgspec
from fastapi import Request

from acedrex.server.api.limits import visitor
from acedrex.server.refusal import Refusal
from acedrex.server.services import services_of

T = TypeVar("T")
#: The maximum number of bytes of a body.
MAX_BYTES = 64 * 1024
#: The maximum number of bytes of the bodies that an address is sending.
MAX_ARRIVING = 16 * 1024 * 1024
#: Seconds within which a body must arrive.
BODY_TIMEOUT_S = 120
#: Most fields of a form.
MAX_FIELDS = 32


def json_body(kind: type[T], most: int = MAX_BYTES) -> Callable[[Request], Awaitable[T]]:
    """Return a dependency that reads a JSON body."""
    decoder = msgspec.json.Decoder(kind)

    async def read(request: Request) -> T:
        return parse(decoder, await content(request, most))

    return read


async def content(request: Request, most: int = MAX_BYTES) -> bytes:
    """Read a body as bytes.

    :raises Refusal: if it has too many bytes, or arrives too slowly, or if its address sends too many at once.
    """
    found = bytearray()
    arriving, address = services_of(request).arriving, visitor(request).address
    try:
        async with asyncio.timeout(BODY_TIMEOUT_S):
            async for piece in request.stream():
                found += piece
                arriving[address] += len(piece)
                if len(found) > most:
                    raise Refusal("too_large", f"the request body is larger than {most} bytes")
                if arriving[address] > MAX_ARRIVING:
                    raise Refusal("too_fast", "your address sends too much at once; wait a moment")
    except TimeoutError:
        raise Refusal(
            "too_slow", f"the request body did not arrive within {BODY_TIMEOUT_S} seconds; send it again"
        ) from None
    finally:
        arriving[address] -= len(found)
        if not arriving[address]:
            del arriving[address]
    return bytes(found)


def parse(decoder: msgspec.json.Decoder[T], content: bytes | str) -> T:
    """Decode JSON.

    :raises Refusal: if it is not valid; the refusal says what is wrong and where.
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
    """Return a refusal that says what is invalid, and where."""
    message, _, where = str(error).partition(" - at `$")
    return Refusal("invalid", message, where.rstrip("`").lstrip(".") or None)


def form_body(kind: type[T]) -> Callable[[Request], Awaitable[T]]:
    """Return a dependency that reads a form, as in lichess's API, or JSON; an empty body is an empty form."""
    read_json = json_body(kind)

    async def read(request: Request) -> T:
        if request.headers.get("content-type", "").partition(";")[0].strip() == "application/json":
            return await read_json(request)
        text = (await content(request)).decode("utf-8", "replace")
        try:
            return msgspec.convert(dict(parse_qsl(text, max_num_fields=MAX_FIELDS)), kind, strict=False)
        except msgspec.ValidationError as error:
            raise invalid(error) from None
        except ValueError:
            raise Refusal("invalid", f"a form has at most {MAX_FIELDS} fields") from None

    return read

"""Bodies of requests and answers: read and written by msgspec, told to OpenAPI from the same types."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import msgspec
from fastapi import FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi

from acedrex.server import wire
from acedrex.server.decide import Refusal

T = TypeVar("T")
REF = "#/components/schemas/{name}"
#: Most bytes of a body.
MOST_BYTES = 64 * 1024
#: Seconds in which a body has to come.
MOST_SECONDS = 120
_told: list[Any] = [wire.Problem]


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
                    raise Refusal("too_large", f"a body has at most {most} bytes here")
    except TimeoutError:
        raise Refusal("too_slow", f"a body has to be here within {MOST_SECONDS} seconds; send it again") from None
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
        raise Refusal("invalid", f"this is no JSON: {error}") from None
    except RecursionError:
        raise Refusal("invalid", "this JSON is nested too deeply") from None


def invalid(error: msgspec.ValidationError) -> Refusal:
    """Say what is not of its type, and where."""
    message, _, where = str(error).partition(" - at `$")
    return Refusal("invalid", message, where.rstrip("`").lstrip(".") or None)


def answer(value: Any, status: int = 200) -> Response:
    """Write an answer."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def tells(asked: Any = None, said: Any = None, *, status: int = 200, errors: tuple[int, ...] = ()) -> dict[str, Any]:
    """Tell OpenAPI what a route reads and says: types, or the media types of texts."""
    responses: dict[int | str, Any] = {status: {"description": "Done."}}
    if isinstance(said, str):
        responses[status]["content"] = {said: {"schema": {"type": "string"}}}
    elif said is not None:
        responses[status]["content"] = {"application/json": {"schema": _schema(said)}}
    for code in (400, 408, 413, 429, 503, *errors):
        problem = {"application/json": {"schema": _schema(wire.Problem)}}
        responses[code] = {"description": "Refused.", "content": problem}
    extra: dict[str, Any] = {}
    if isinstance(asked, str):
        extra["requestBody"] = {"required": True, "content": {asked: {"schema": {"type": "string"}}}}
    elif asked is not None:
        extra["requestBody"] = {"required": True, "content": {"application/json": {"schema": _schema(asked)}}}
    found = {"responses": responses, "openapi_extra": extra, "status_code": status}
    # Answers are responses already: this only says what is in them.
    return {**found, "response_class": Response} if isinstance(said, str) else found


def _schema(kind: Any) -> Any:
    _told.append(kind)
    (schema,), _ = msgspec.json.schema_components([kind], ref_template=REF)
    return schema


def describe(app: FastAPI, root: str) -> None:
    """Let an app whose routes are all there tell its OpenAPI, with the schemas of all that was told.

    It is written once, before anybody waits for an answer.

    :param root: the path under which a proxy shows the app.
    """
    servers = [{"url": root}] if root else None
    schema = get_openapi(
        title=app.title, version=app.version, description=app.description, routes=app.routes, servers=servers
    )
    _, components = msgspec.json.schema_components(_told, ref_template=REF)
    schema.setdefault("components", {})["schemas"] = {**components}
    for path in schema["paths"].values():
        for operation in path.values():
            operation["responses"].pop("422", None)
    text = msgspec.json.encode(schema)

    @app.get("/api/openapi.json", include_in_schema=False)
    async def openapi() -> Response:
        return Response(text, media_type="application/json")

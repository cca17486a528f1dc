"""Routes whose handlers declare by their annotations what they read and what they return."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from fastapi import APIRouter, Depends, FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi

from acedrex.server import wire
from acedrex.server.api.bodies import form_body, json_body

T = TypeVar("T")
REF = "#/components/schemas/{name}"
#: The error codes of every route.
COMMON = (400, 408, 413, 429, 503)

_encode = msgspec.json.Encoder().encode


class Encoded(Response, Generic[T]):
    """A response that is already encoded as JSON."""

    media_type = "application/json"


@dataclass(frozen=True)
class Reader:
    """How a body is read if it is not plain JSON of the usual size: ``Annotated[Message, Reader(form_body)]``."""

    make: Callable[[type[Any]], Callable[[Request], Awaitable[Any]]]


#: A body that may be a form.
FORM = Reader(form_body)


def refused(*codes: int) -> dict[int | str, dict[str, Any]]:
    """Document in OpenAPI the error codes of a route, besides the common ones."""
    return {code: {"description": "Refused.", "content": _json(wire.Problem)} for code in codes}


def text_body(media_type: str) -> dict[str, Any]:
    """Document in OpenAPI a body that is a text."""
    return {"requestBody": {"required": True, "content": _text(media_type)}}


class Routes(APIRouter):
    """Routes that read and return messages of :mod:`acedrex.server.wire`.

    A parameter whose type is a message is the body. What a handler returns is written as JSON, ``None`` as an empty
    response; a response that the handler itself has made is an ``Encoded[Message]``, or an
    ``Annotated[Response, "text/plain"]`` with its media type. OpenAPI documents exactly these types.
    """

    def __init__(self, prefix: str, *tags: str) -> None:
        """Start without routes.

        :param prefix: the beginning of their paths.
        :param tags: their tags in OpenAPI.
        """
        super().__init__(prefix=prefix, tags=[*tags])
        #: The types of the messages that are read and returned.
        self.message_types: list[Any] = []

    def add_api_route(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        """Add a route by the annotations of its handler."""
        hints = get_type_hints(endpoint, include_extras=True)
        returned = hints.pop("return")
        status = options.pop("status_code", None) or (204 if returned is type(None) else 200)
        signature = inspect.signature(endpoint)
        parameters = [self._parameter(each, hints[each.name], options) for each in signature.parameters.values()]

        @functools.wraps(endpoint)
        async def handler(**arguments: Any) -> Response:
            answer = await endpoint(**arguments)
            if isinstance(answer, Response):
                return answer
            if answer is None and status == 204:
                return Response(status_code=status)
            return Response(_encode(answer), status, media_type=Encoded.media_type)

        handler.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=parameters, return_annotation=Response
        )
        responses = {status: self._response(returned), **refused(*COMMON), **(options.pop("responses", None) or {})}
        options["response_class"] = Response
        super().add_api_route(path, handler, status_code=status, responses=responses, **options)

    def _parameter(self, parameter: inspect.Parameter, hint: Any, options: dict[str, Any]) -> inspect.Parameter:
        """Make a parameter whose type is a message read the body."""
        kind, *more = get_args(hint) if get_origin(hint) is Annotated else (hint,)
        readers = [each for each in more if isinstance(each, Reader)]
        is_message = not more and isinstance(kind, type) and issubclass(kind, msgspec.Struct)
        if not readers and not is_message:
            return parameter.replace(annotation=hint)
        self.message_types.append(kind)
        options["openapi_extra"] = {"requestBody": {"required": True, "content": _json(kind)}}
        read = readers[0].make(kind) if readers else json_body(kind)
        return parameter.replace(annotation=Annotated[kind, Depends(read)])

    def _response(self, returned: Any) -> dict[str, Any]:
        found: dict[str, Any] = {"description": "Done."}
        if get_origin(returned) is Annotated:
            return found | {"content": _text(returned.__metadata__[0])}
        if returned is type(None):
            return found
        if get_origin(returned) is Encoded:
            (returned,) = get_args(returned)
        self.message_types.append(returned)
        return found | {"content": _json(returned)}


@functools.cache
def _json(kind: Any) -> dict[str, Any]:
    (schema,), _ = msgspec.json.schema_components([kind], ref_template=REF)
    return {"application/json": {"schema": schema}}


def _text(media_type: str) -> dict[str, Any]:
    return {media_type: {"schema": {"type": "string"}}}


def describe(app: FastAPI, all_routes: Iterable[Routes], root: str) -> None:
    """Serve the OpenAPI document of an app to which all routes have been added, with the schemas of all messages.

    It is built once, when it is first asked for, and in a thread, so that no move waits for it.

    :param root: the path under which a proxy serves the app.
    """

    @functools.cache
    def document() -> bytes:
        servers = [{"url": root}] if root else None
        schema = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes, servers=servers
        )
        kinds = [wire.Problem, *(kind for routes in all_routes for kind in routes.message_types)]
        _, components = msgspec.json.schema_components(kinds, ref_template=REF)
        schema.setdefault("components", {})["schemas"] = {**components}
        for path in schema["paths"].values():
            for operation in path.values():
                operation["responses"].pop("422", None)
        return _encode(schema)

    @app.get("/api/openapi.json", include_in_schema=False)
    async def openapi() -> Response:
        return Response(await asyncio.to_thread(document), media_type=Encoded.media_type)

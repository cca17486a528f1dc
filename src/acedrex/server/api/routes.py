"""Routes, whose handlers say by their annotations what they read and what they answer."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from fastapi import APIRouter, Depends, FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi

from acedrex.server import wire
from acedrex.server.api.bodies import body, form

T = TypeVar("T")
REF = "#/components/schemas/{name}"
#: What every route may answer with.
COMMON = (400, 408, 413, 429, 503)

_encode = msgspec.json.Encoder().encode


class Encoded(Response, Generic[T]):
    """A message that is JSON already."""

    media_type = "application/json"


@dataclass(frozen=True)
class Reader:
    """How a message is read, where it is not JSON of a common size: ``Annotated[Message, Reader(form)]``."""

    make: Callable[[type[Any]], Callable[[Request], Awaitable[Any]]]


#: A message that may be a form.
FORM = Reader(form)


def refused(*codes: int) -> dict[int | str, dict[str, Any]]:
    """Tell OpenAPI by which codes a route may refuse, besides those of all."""
    return {code: {"description": "Refused.", "content": _json(wire.Problem)} for code in codes}


def text_body(media_type: str) -> dict[str, Any]:
    """Tell OpenAPI of a body that is a text."""
    return {"requestBody": {"required": True, "content": _text(media_type)}}


class Routes(APIRouter):
    """Routes that read and answer with messages of :mod:`acedrex.server.wire`.

    A parameter whose type is a message is the body. What a handler gives back is written as JSON, ``None`` as no answer
    at all; an answer that the handler itself has made is an ``Encoded[Message]``, or an
    ``Annotated[Response, "text/plain"]`` with its media type. OpenAPI is told just that.
    """

    def __init__(self, prefix: str, *tags: str) -> None:
        """Say where they begin and what they are about."""
        super().__init__(prefix=prefix, tags=[*tags])
        #: The messages that are read and answered.
        self.told: list[Any] = []

    def add_api_route(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        """Add a route by what its handler is annotated with."""
        hints = get_type_hints(endpoint, include_extras=True)
        said = hints.pop("return")
        status = options.pop("status_code", None) or (204 if said is type(None) else 200)
        signature = inspect.signature(endpoint)
        parameters = [self._parameter(one, hints[one.name], options) for one in signature.parameters.values()]

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
        responses = {status: self._response(said), **refused(*COMMON), **(options.pop("responses", None) or {})}
        options["response_class"] = Response
        super().add_api_route(path, handler, status_code=status, responses=responses, **options)

    def _parameter(self, parameter: inspect.Parameter, hint: Any, options: dict[str, Any]) -> inspect.Parameter:
        """Let a message be read from the body."""
        kind, *more = get_args(hint) if get_origin(hint) is Annotated else (hint,)
        readers = [one for one in more if isinstance(one, Reader)]
        is_message = not more and isinstance(kind, type) and issubclass(kind, msgspec.Struct)
        if not readers and not is_message:
            return parameter.replace(annotation=hint)
        self.told.append(kind)
        options["openapi_extra"] = {"requestBody": {"required": True, "content": _json(kind)}}
        read = readers[0].make(kind) if readers else body(kind)
        return parameter.replace(annotation=Annotated[kind, Depends(read)])

    def _response(self, said: Any) -> dict[str, Any]:
        found: dict[str, Any] = {"description": "Done."}
        if get_origin(said) is Annotated:
            return found | {"content": _text(said.__metadata__[0])}
        if said is type(None):
            return found
        if get_origin(said) is Encoded:
            (said,) = get_args(said)
        self.told.append(said)
        return found | {"content": _json(said)}


def _json(kind: Any) -> dict[str, Any]:
    (schema,), _ = msgspec.json.schema_components([kind], ref_template=REF)
    return {"application/json": {"schema": schema}}


def _text(media_type: str) -> dict[str, Any]:
    return {media_type: {"schema": {"type": "string"}}}


def describe(app: FastAPI, all_routes: Iterable[Routes], root: str) -> None:
    """Let an app whose routes are all there tell its OpenAPI, with the schemas of all that was told.

    It is written once, before anybody waits for an answer.

    :param root: the path under which a proxy shows the app.
    """
    servers = [{"url": root}] if root else None
    schema = get_openapi(
        title=app.title, version=app.version, description=app.description, routes=app.routes, servers=servers
    )
    told = [wire.Problem, *(kind for routes in all_routes for kind in routes.told)]
    _, components = msgspec.json.schema_components(told, ref_template=REF)
    schema.setdefault("components", {})["schemas"] = {**components}
    for path in schema["paths"].values():
        for operation in path.values():
            operation["responses"].pop("422", None)
    content = _encode(schema)

    @app.get("/api/openapi.json", include_in_schema=False)
    async def openapi() -> Response:
        return Response(content, media_type=Encoded.media_type)

"""Bodies that may be forms, as those of lichess's API mostly are, or JSON."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar
from urllib.parse import parse_qsl

import msgspec
from fastapi import Request

from acedrex.server.api.bodies import body, content, invalid
from acedrex.server.decide import Refusal

T = TypeVar("T")
#: Most fields of a form.
MOST_FIELDS = 32


def form(kind: type[T]) -> Callable[[Request], Awaitable[T]]:
    """Make a dependency that reads a form or JSON; nothing at all is an empty form."""
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

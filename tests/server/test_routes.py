"""Routes: the annotations of handlers define what they decode, what they answer, and what OpenAPI describes."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Annotated

import httpx
import pytest
from fastapi import FastAPI
from fastapi import Response as HttpResponse

from acedrex.server.api import problems
from acedrex.server.api.routes import FORM, Encoded, Routes, describe, refused, text_body
from acedrex.server.wire import Request, Response

router = Routes("/api", "tests")


class Number(Request):
    """A number."""

    number: int


class Doubled(Response):
    """Twice as much."""

    number: int


@router.post("/double", status_code=201, responses=refused(404))
async def double(asked: Number) -> Doubled:
    """Double a number."""
    return Doubled(asked.number * 2)


@router.post("/form")
async def form(asked: Annotated[Number, FORM]) -> list[Doubled]:
    """Double a number of a form."""
    return [Doubled(asked.number * 2)]


@router.get("/ready")
async def ready() -> Encoded[Doubled]:
    """Give what is written already."""
    return Encoded(b'{"number":4}')


@router.get("/text", openapi_extra=text_body("text/csv"))
async def text() -> Annotated[HttpResponse, "text/plain"]:
    """Give a text."""
    return HttpResponse("four", media_type="text/plain")


@router.delete("/{id}")
async def remove(id: str) -> None:
    """Answer nothing."""


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    """A client of a server that has only these routes."""
    app = FastAPI(openapi_url=None)
    problems.add_to(app)
    app.include_router(router)
    describe(app, [router], "")
    app.state.services = SimpleNamespace(arriving=Counter())
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here/api") as one:
        yield one


async def test_messages_are_decoded_and_answers_encoded(client: httpx.AsyncClient) -> None:
    answer = await client.post("/double", json={"number": 2})
    assert (answer.status_code, answer.json(), answer.headers["content-type"]) == (
        201,
        {"number": 4},
        "application/json",
    )
    assert (await client.post("/double", json={"number": "two"})).json()["where"] == "number"
    assert (await client.post("/form", data={"number": "2"})).json() == [{"number": 4}]
    assert (await client.post("/form", json={"number": 2})).json() == [{"number": 4}]
    assert (await client.get("/ready")).json() == {"number": 4}
    assert (await client.get("/text")).text == "four"
    answer = await client.delete("/7")
    assert (answer.status_code, answer.content) == (204, b"")


async def test_openapi_describes_requests_and_responses(client: httpx.AsyncClient) -> None:
    told = (await client.get("/openapi.json")).json()
    number, doubled = ({"$ref": f"#/components/schemas/{name}"} for name in ("Number", "Doubled"))
    assert {"Number", "Doubled", "Problem"} == told["components"]["schemas"].keys()
    double = told["paths"]["/api/double"]["post"]
    assert double["requestBody"] == {"required": True, "content": {"application/json": {"schema": number}}}
    assert double["responses"].keys() == {"201", "400", "404", "408", "413", "429", "503"}
    assert double["responses"]["201"]["content"] == {"application/json": {"schema": doubled}}
    ready = told["paths"]["/api/ready"]["get"]["responses"]["200"]
    assert ready["content"] == {"application/json": {"schema": doubled}}
    some = told["paths"]["/api/form"]["post"]["responses"]["200"]["content"]["application/json"]["schema"]
    assert some == {"type": "array", "items": doubled}
    text = told["paths"]["/api/text"]["get"]
    assert text["responses"]["200"]["content"].keys() == {"text/plain"}
    assert text["requestBody"]["content"].keys() == {"text/csv"}
    assert "content" not in told["paths"]["/api/{id}"]["delete"]["responses"]["204"]

"""Routes: what handlers are annotated with is what they read, what they answer, and what OpenAPI is told."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import httpx
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


def asked(method: str, path: str, **body: Any) -> httpx.Response:
    app = FastAPI(openapi_url=None)
    problems.add_to(app)
    app.include_router(router)
    describe(app, [router], "")

    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here") as client:
            return await client.request(method, f"/api/{path}", **body)

    return asyncio.run(ask())


def test_messages_are_read_and_answered() -> None:
    answer = asked("POST", "double", json={"number": 2})
    assert (answer.status_code, answer.json(), answer.headers["content-type"]) == (
        201,
        {"number": 4},
        "application/json",
    )
    assert asked("POST", "double", json={"number": "two"}).json()["where"] == "number"
    assert asked("POST", "form", data={"number": "2"}).json() == asked("POST", "form", json={"number": 2}).json()
    assert asked("GET", "ready").json() == {"number": 4}
    assert asked("GET", "text").text == "four"
    answer = asked("DELETE", "7")
    assert (answer.status_code, answer.content) == (204, b"")


def test_openapi_is_told_the_same() -> None:
    told = asked("GET", "openapi.json").json()
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

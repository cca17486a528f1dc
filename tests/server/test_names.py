"""Names and texts that people may choose."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import delete

from acedrex.server import wire
from acedrex.server.archive import pgn_import
from acedrex.server.people import sessions as sessions_module
from acedrex.server.people.names import clean_name, clean_text, printed
from acedrex.server.people.people import People
from acedrex.server.people.sessions import CACHE_SECONDS, Sessions
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import Store
from acedrex.server.storage.tables import people
from tests.server.conftest import Person, Server

BLANK = [
    *("", " ", "\t\n", "\u200b", "\u00ad", "\u2800", "\u3164", "\u115f", "\u1160", "\uffa0", "\u034f", "\ufe0f"),
    *("\u0301\u0302", "\u2800 \u3164\u0301", "\u180e", "\u17b4", "\U0001d159", "\u202e\u2066", "\u3000", "\x00"),
]
ENGINES = [
    *("Acedrex", "acedrex", "Acedrex 10", "ACEDREX-3", "A c e d r e x", "The Acedrex engine", "\u200bAcedrex\u200b 1"),
    "\uff21\uff43\uff45\uff44\uff52\uff45\uff58 \uff11\uff10",  # full-width
    "\U0001d400\U0001d41c\U0001d41e\U0001d41d\U0001d42b\U0001d41e\U0001d431",  # mathematical
    "\u24b6\u24d2\u24d4\u24d3\u24e1\u24d4\u24e7",  # in circles
    "\u0410c\u0435drex 9",  # Cyrillic a and e
    "\u0410\u0421\u0415\u0500R\u0415\u0425",  # all that Cyrillic has
    "\u0391cedr\u03b5\u03c7",  # Greek
    "A\u0301ce\u0302d\u0323rex",  # with marks
    "\u00c1c\u00e9dr\u00ebx",
    "4c3dr3x",
    "A\u2800c\u3164edrex",
]


@pytest.mark.parametrize("text", BLANK, ids=ascii)
def test_invisible_names_and_texts_are_refused(text: str) -> None:
    for clean in (clean_name, clean_text):
        with pytest.raises(Refusal):
            clean(text)


def test_a_character_keeps_four_combining_marks_at_most() -> None:
    heaped = "Z" + "\u0335\u0301" * 30 + "oe\u0308"
    for clean in (clean_name, clean_text, printed):
        assert clean(heaped) == "Z\u0335\u0301\u0335\u0301oe\u0308"
    (record,) = pgn_import.read(f'[White "{heaped}"]\n\n1. e4 *'.encode(), 1, 9, "ana", "k" * 32, {}, 0).records
    assert heaped not in str(record) and clean_text(heaped) in str(record)


@pytest.mark.parametrize("text", ENGINES, ids=ascii)
def test_names_that_resemble_the_engines_are_refused(text: str) -> None:
    with pytest.raises(Refusal, match="engine"):
        clean_name(text)
    assert clean_text(text)


@pytest.mark.parametrize(
    "text",
    ["Ana", "阿娜", "Анна", "Άννα", "آنا", "ก็อต", "Zoë", "O'Neill", "x", "7", "!", "❤️", "Ace", "Cedric", "Alexander"],
)
def test_other_names_are_kept_unchanged(text: str) -> None:
    assert clean_name(text) == text


def test_invisible_characters_are_removed() -> None:
    assert clean_name(" Ana\u2800\u202e\u3164Lucía\n") == "Ana Lucía"


def test_guests_get_a_default_name_and_may_not_be_named_like_the_engine(
    server: Server, ana: Person, bo: Person
) -> None:
    def answer(**body: Any) -> str:
        answer = ana.http.post("/api/guests", json=body)
        return str(answer.json().get("name", answer.status_code))

    assert answer().startswith("Guest ") and answer(name=None).startswith("Guest ")
    for languages, word in (("fr-CA,fr;q=0.9,en;q=0.8", "Invité "), ("de, fr", "Guest "), ("\N{SNOWMAN}", "Guest ")):
        made = ana.http.post("/api/guests", json={}, headers={"Accept-Language": languages.encode()})
        assert made.json()["name"].startswith(word)
    for name in ("", "\u2800", "Acedrex 10"):
        assert answer(name=name) == "400"
        assert ana.http.patch("/api/me", json={"name": name}).status_code == 400
    # The name of a token is private.
    token = ana.http.post("/api/me/tokens", json={"name": "Acedrex on my laptop", "scopes": ["bot:play"]})
    assert token.status_code == 201
    made = ana.match(opponent={"kind": "engine", "level": 10})["match"]
    assert ana.http.get(f"/api/matches/{made}").json()["players"]["black"]["name"] == "Acedrex 10"
    talk = ana.socket(made)
    talk.do(type="chat", text="Good move, Acedrex 10")
    assert talk.snapshot["chat"] == [] and ana.socket(made).snapshot["chat"][0]["text"] == "Good move, Acedrex 10"
    assert talk.do(type="chat", text="\u2800")["type"] == "refused"


async def test_guests_changed_by_another_process_are_read_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    here, elsewhere = Sessions(store), Sessions(store)
    guests = People(store, here)
    ana = await guests.make("Ana")
    assert ana.token is not None

    async def found(sessions: Sessions) -> wire.Person | None:
        session = await sessions.find(ana.token or "")
        return session and session.person

    assert await found(elsewhere) == await found(here) == wire.Person(ana.id, "Ana")
    await guests.rename(ana, "Anna")
    assert await found(here) == wire.Person(ana.id, "Anna")
    later = time.monotonic() + CACHE_SECONDS
    # Patched in this module only: the event loop needs the real time.
    monkeypatch.setattr(sessions_module, "time", SimpleNamespace(monotonic=lambda: later))
    assert await found(elsewhere) == wire.Person(ana.id, "Anna")
    await store.write((delete(people), {}))
    later += CACHE_SECONDS
    assert await found(here) is None

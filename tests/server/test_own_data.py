"""A guest downloads everything, and has everything deleted, over HTTP; other processes notice."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from acedrex import pgn
from acedrex.cli import main
from acedrex.server import ids
from acedrex.server.personal_data import retention
from acedrex.server.personal_data.deletion import DELETED
from tests.conftest import TIMEOUT
from tests.server.conftest import Person, Server, Talk, alter, anyone
from tests.server.services import PostgreSQL
from tests.server.waiting import wait_until

FRIEND = {"kind": "friend"}
RECORD = '[White "A"]\n[Black "B"]\n[Result "1-0"]\n[Variant "chess"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n'


def playing(ana: Person, bo: Person) -> tuple[str, Talk, Talk]:
    """Begin a match by link, with two moves."""
    made = ana.match(opponent=FRIEND)
    bo.sit(made)
    white, black = ana.socket(made["match"]), bo.socket(made["match"])
    white.move("e2e4")
    black.hear("update")
    black.move("e7e5")
    return made["match"], white, black


def forget(person: Person, id: str | None = None) -> httpx.Response:
    return person.http.post("/api/me/deletion", json={"id": person.id if id is None else id})


def is_closed(talk: Talk) -> bool:
    """Wait until a socket is closed."""
    while True:
        try:
            talk.hear("update", "snapshot")
        except ConnectionClosed:
            return True


def shown_name(person: Person, match: str) -> str | None:
    """Return White's name as a new socket shows it, ``None`` if the match was closed before it did."""
    try:
        name: str = person.socket(match).snapshot["players"]["white"]["name"]
    except ConnectionClosed:
        return None
    return name


def test_the_server_says_how_long_data_is_kept(server: Server) -> None:
    said = anyone.get(f"{server.base}/api/privacy").json()
    days = {"unplayed": retention.UNPLAYED, "analyses": retention.REVIEWS, "unused": retention.UNUSED}
    assert said == {**days, "reports": retention.REPORTS}
    page = (Path(__file__).parents[2] / "docs" / "server.md").read_text(encoding="utf-8")
    for sentence in (
        f"matches that ended before the first move after {retention.UNPLAYED} days",
        f"analyses of whole games after {retention.REVIEWS} days",
        f"created anything after {retention.UNUSED} days",
        f"Reports that were handled are deleted after {retention.REPORTS} days",
    ):
        assert sentence in page


def test_the_app_names_what_takes_the_place_of_a_name() -> None:
    locale = Path(__file__).parents[2] / "web" / "app" / "src" / "locale"
    for language in ("en", "fr"):
        texts = json.loads((locale / f"{language}.json").read_text(encoding="utf-8"))
        assert DELETED in texts["data.delete.text"]
        # The server says for how long data is kept; no text repeats it.
        days = {str(retention.UNUSED), str(retention.REVIEWS), str(retention.UNPLAYED)}
        assert not [text for key, text in texts.items() if key.startswith("data.") and any(n in text for n in days)]


def test_a_guest_downloads_everything_as_json_and_as_pgn(server: Server) -> None:
    ana, bo = Person(server, "Ana", "127.0.0.11"), Person(server, "Bo", "127.0.0.12")
    match, white, _ = playing(ana, bo)
    white.do(type="chat", text="hello there")
    ana.match(opponent=FRIEND)
    assert ana.http.post("/api/archive", content=RECORD).json()["stored"] == 1
    token = ana.http.post("/api/me/tokens", json={"name": "my bot", "scopes": ["bot:play"]}).json()
    answer = ana.http.get("/api/me/data")
    assert answer.status_code == 200 and "attachment" in answer.headers["content-disposition"]
    assert answer.headers["cache-control"] == "no-store"
    found = answer.json()
    assert found["person"] == ana.id and found["people"][0]["name"] == "Ana" and found["published"] == []
    assert len(found["matches"]) == 3 and {"hello there"} == {line["text"] for line in found["chat"]}
    assert found["tokens"][0]["name"] == "my bot" and token["token"] not in answer.text
    assert bo.id not in answer.text
    records = ana.http.get("/api/me/data/pgn")
    assert records.headers["content-type"].startswith("application/x-chess-pgn")
    games = [*pgn.Reader(io.StringIO(records.text))]
    assert sorted((game.headers["White"], game.headers["Result"]) for game in games) == [("A", "1-0"), ("Ana", "*")]
    assert match in answer.text
    # Nobody else gets it, nor a token for programs.
    for headers in ({}, {"Authorization": f"Bearer {token['token']}"}):
        for path in ("/api/me/data", "/api/me/data/pgn"):
            assert anyone.get(f"{server.base}{path}", headers=headers).status_code == 401
        asked = anyone.post(f"{server.base}/api/me/deletion", json={"id": ana.id}, headers=headers)
        assert asked.status_code == 401


def test_downloads_are_rate_limited(server: Server) -> None:
    ana = Person(server, "Ana", "127.0.0.13")
    statuses = [ana.http.get("/api/me/data").status_code for _ in range(12)]
    assert statuses[:5] == [200] * 5 and 429 in statuses


def test_a_deleted_guest_is_gone_at_once_and_the_opponent_goes_on(server: Server) -> None:
    ana, bo = Person(server, "Ana", "127.0.0.14"), Person(server, "Bo", "127.0.0.15")
    match, white, black = playing(ana, bo)
    alone = ana.match()["match"]
    token = ana.http.post("/api/me/tokens", json={"name": "bot", "scopes": ["bot:play"]}).json()["token"]
    assert forget(ana, bo.id).status_code == 400
    assert ana.http.get("/api/me").status_code == 200
    assert forget(ana).status_code == 204
    # Also where the token was cached.
    for secret_text in (ana.token, token):
        answer = anyone.get(f"{server.base}/api/account", headers={"Authorization": f"Bearer {secret_text}"})
        assert answer.status_code == 401
    assert ana.http.get("/api/me").status_code == 401
    assert forget(ana).status_code == 401
    assert is_closed(white)
    ending = black.hear("update")["ending"]
    assert ending["reason"] == "resignation" and ending["winner"] == "black"
    # The opponent's socket is closed, too, so that it reads the match without the name.
    wait_until(lambda: shown_name(bo, match) == DELETED)
    pgn_text = bo.http.get(f"/api/matches/{match}/pgn").text
    assert f'[White "{DELETED}"]' in pgn_text and "1. e4 e5 0-1" in pgn_text and "Ana" not in pgn_text
    assert wait_until(lambda: anyone.get(f"{server.base}/api/matches/{alone}").status_code == 404)
    cards = bo.http.get("/api/me/matches").json()
    assert [card["players"] for card in cards] == [{"white": DELETED, "black": "Bo"}]
    asked = anyone.get(f"{server.base}/preview.png?of=/match/{match}")
    assert asked.status_code == 200


def test_another_process_notices_a_deletion(
    start: Callable[..., Server], postgresql: PostgreSQL, tmp_path: Path
) -> None:
    """Also without Redis, by the database."""
    url = postgresql.migrated()
    one = start(ACEDREX_DATABASE_URL=url)
    other = start(ACEDREX_DATABASE_URL=url)
    ana = Person(one, "Ana")
    watched = ana.match()["match"]
    # The other process caches the token, and has a socket of hers.
    headers = {"Authorization": f"Bearer {ana.token}"}
    assert anyone.get(f"{other.base}/api/me", headers=headers).status_code == 200
    talk = Talk(other, watched, ana.token)
    assert forget(ana).status_code == 204
    assert is_closed(talk)
    assert anyone.get(f"{other.base}/api/me", headers=headers).status_code == 401
    assert wait_until(lambda: anyone.get(f"{other.base}/api/matches/{watched}").status_code == 404)


def test_a_server_that_was_killed_goes_on_deleting(start: Callable[..., Server], tmp_path: Path) -> None:
    server = start()
    ana, bo = Person(server, "Ana"), Person(server, "Bo")
    match, _, _ = playing(ana, bo)
    for _ in range(5):
        ana.match()
    assert ana.http.post("/api/archive", content=RECORD).json()["stored"] == 1
    assert forget(ana).status_code == 204
    server.kill()
    server.opened.close()
    # As if the first pass had been due long ago, as it is when a server was away for a while.
    alter(f"sqlite:///{tmp_path}/server.db", "UPDATE deletions SET at = at - 3600000")
    server.start()
    bo = Person(server, "Bo")
    wait_until(lambda: '"forgotten"' in server.log.read_text())
    found = anyone.get(f"{server.base}/api/matches/{match}").json()
    assert found["players"]["white"]["name"] == DELETED and found["phase"] == "over"
    assert server.end() == 0
    lines = [json.loads(line) for line in server.log.read_text().splitlines() if '"forgotten"' in line]
    assert [line["person"] for line in lines] == [ids.reference(ana.id)]
    assert alter(f"sqlite:///{tmp_path}/server.db", f"DELETE FROM matches WHERE card LIKE '%{ana.id}%'") == [0]
    assert server.faults() == []


def test_the_operator_deletes_people_again_after_restoring_an_old_backup(
    start: Callable[..., Server],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    server = start()
    ana = Person(server, "Ana")
    match = ana.match()["match"]
    monkeypatch.setenv("ACEDREX_DATABASE_URL", f"sqlite:///{tmp_path}/server.db")
    assert main(["forget", ids.reference(ana.id), "unknown"]) == 1
    assert "unknown" in capsys.readouterr().err
    assert ana.http.get("/api/me").status_code == 200
    assert main(["forget", ids.reference(ana.id)]) == 0
    assert main(["forget", ids.reference(ana.id)]) == 1, "the token is deleted already"
    assert ana.id in capsys.readouterr().out
    end = time.monotonic() + TIMEOUT
    while ana.http.get("/api/me").status_code != 401:
        assert time.monotonic() < end
        time.sleep(0.1)
    assert wait_until(lambda: anyone.get(f"{server.base}/api/matches/{match}").status_code == 404)

"""Publishing games: permission, versions, withdrawal, reports and refusals."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from acedrex.cli import main
from acedrex.server.games import checker, publishing
from acedrex.server.games.catalogue import Catalogue
from acedrex.server.games.publishing import sign
from tests.server.conftest import Person, Server
from tests.server.waiting import wait_until

KEY = "a key that only the operator knows"
TEXT = (Path(__file__).parents[2] / "games" / "knightmate.toml").read_text().replace('"knightmate"', '"mine"', 1)
SWIFT = '[game]\nid = "swift"\nname = "Swift"\nextends = "chess"\n[pieces.N]\nmove = "NN"\n'


def publish(person: Person, text: str, token: str | None = None) -> Any:
    """Publish a game, and return the answer."""
    return person.http.post("/api/published", json={"definition": text, "token": token})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "games"
    found.mkdir()
    (found / "house.toml").write_text(SWIFT.replace('"swift"', '"house"'))
    return found


@pytest.fixture
def everybody(start: Callable[..., Server], folder: Path) -> Server:
    return start("--games", str(folder), "--publish", "everybody")


def test_publishing_is_off_by_default(start: Callable[..., Server], folder: Path) -> None:
    server = start("--games", str(folder))
    ana = Person(server)
    assert ana.http.get("/api/publishing").json() == {"who": "nobody"}
    answer = publish(ana, SWIFT)
    assert (answer.status_code, answer.json()["code"]) == (403, "may_not_publish")
    assert not (folder / "published").exists()


def test_a_match_keeps_the_rules_that_it_started_with(everybody: Server, folder: Path) -> None:
    ana, bo = Person(everybody), Person(everybody, "Bo")
    made = publish(ana, SWIFT)
    assert made.status_code == 201, made.text
    assert made.json()["id"] == "swift" and len(made.json()["versions"]) == 1
    games = {game["id"]: game["origin"] for game in ana.http.get("/api/games").json()}
    assert (games["swift"], games["house"], games["chess"]) == ("published", "file", "shipped")
    match = ana.match("swift")
    changed = publish(ana, SWIFT.replace('"NN"', '"C"'))
    versions = changed.json()["versions"]
    assert len(versions) == 2 and versions[0] == made.json()["versions"][0]
    talk = ana.socket(match["match"])
    assert any(move["move"] == "b1c3" for move in talk.position["legal"])
    talk.move("b1c3")
    # Requests about this match are answered by its rules, others by those of the current version.
    asked = {"game": "swift", "fen": talk.position["fen"], "square": "b8"}
    by_match = {**asked, "match": match["match"]}
    assert {"c6", "a6"} <= {reach["to"] for reach in ana.http.post("/api/reach", json=by_match).json()}
    assert "c6" not in {reach["to"] for reach in ana.http.post("/api/reach", json=asked).json()}
    assert ana.http.post("/api/idle", json=by_match).json() == {"reason": None}
    played = {"game": "swift", "match": match["match"], "moves": ["b1c3"]}
    assert ana.http.post("/api/position", json=played).status_code == 200
    assert ana.http.post("/api/position", json={**played, "match": None}).status_code == 400
    typed = {"game": "swift", "match": match["match"], "fen": asked["fen"], "moves": ["Nc6"]}
    assert ana.http.post("/api/analysis/moves", json=typed).json()["nodes"][0]["move"] == "b8c6"
    assert ana.http.post("/api/reach", json={**asked, "match": "nothing"}).status_code == 404
    # A new match has the new rules. Unchanged rules do not make a new version.
    later = ana.socket(ana.match("swift")["match"])
    assert not any(move["move"] == "b1c3" for move in later.position["legal"])
    assert len(publish(ana, SWIFT.replace('"NN"', '"C"') + "# Remark.\n").json()["versions"]) == 2
    # A wrong token is refused, though guests need none.
    wrong = publish(ana, SWIFT, "house.0000")
    assert (wrong.status_code, wrong.json()["where"]) == (403, "token")
    # The id belongs to Ana.
    taken = publish(bo, SWIFT)
    assert (taken.status_code, taken.json()["code"]) == (409, "taken_id")
    assert bo.http.post("/api/published/swift/withdrawal", json={}).status_code == 404
    # After its withdrawal the game is not offered, but its matches continue.
    assert ana.http.post("/api/published/swift/withdrawal", json={}).status_code == 204
    assert ana.http.get("/api/games/swift").status_code == 404
    talk.move("b8c6")
    assert publish(bo, SWIFT).status_code == 409
    assert publish(ana, SWIFT).status_code == 201
    assert everybody.faults() == []


def test_a_published_game_can_be_reported_and_then_removed(everybody: Server, folder: Path) -> None:
    ana, bo = Person(everybody), Person(everybody, "Bo")
    publish(ana, SWIFT)
    for _ in range(2):
        assert bo.http.post("/api/published/swift/reports", json={"reason": "Rude name."}).status_code == 204
    record = json.loads((folder / "published" / "swift.json").read_text())
    assert [(report["person"], report["reason"]) for report in record["reports"]] == [(bo.id, "Rude name.")]
    assert '"reported"' in everybody.log.read_text() and "Rude name." not in everybody.log.read_text()
    for id in ("none", "%2E%2E", "a.b", "HOUSE", "house", "x" * 41):
        assert bo.http.post(f"/api/published/{id}/reports", json={"reason": "x"}).status_code in (404, 405)
    assert bo.http.post("/api/published/swift/reports", json={"reason": ""}).status_code == 400
    # The operator removes its file.
    (folder / "published" / "swift.toml").unlink()
    wait_until(lambda: bo.http.get("/api/games/swift").status_code == 404)
    assert bo.http.get("/api/games/house").status_code == 200


def test_a_study_is_the_inventors_page_of_a_published_game(everybody: Server) -> None:
    ana, bo = Person(everybody, "Ana"), Person(everybody, "Bo")
    assert publish(ana, TEXT).status_code == 201

    def make(person: Person, access: str) -> str:
        answer = person.http.post("/api/studies", json={"title": "How I made it", "access": access})
        return str(answer.json()["study"])

    def name(person: Person, study: str | None) -> str:
        answer = person.http.put("/api/published/mine/study", json={"study": study})
        return "" if answer.status_code == 204 else str(answer.json()["code"])

    assert bo.http.get("/api/published/mine/study").json() is None
    assert name(ana, make(ana, "private")) == "private_study"
    assert name(ana, make(bo, "public")) == "no_owner"
    assert name(bo, make(bo, "public")) == "no_such_game"
    study = make(ana, "link")
    assert name(ana, study) == ""
    assert bo.http.get("/api/published/mine/study").json() == {"study": study, "title": "How I made it"}
    # A study that is private again is nobody's page.
    assert ana.http.patch(f"/api/studies/{study}", json={"access": "private"}).status_code == 204
    assert bo.http.get("/api/published/mine/study").json() is None


def test_faulty_slow_and_conflicting_games_are_refused(everybody: Server, folder: Path) -> None:
    ana = Person(everybody)

    def refused(text: str) -> tuple[int, str]:
        answer = publish(ana, text)
        return answer.status_code, answer.json()["message"]

    assert refused(SWIFT.replace('"NN"', '"NX"')) == (400, refused(SWIFT.replace('"NN"', '"NX"'))[1])
    assert "line 6: pieces.N.move" in refused(SWIFT.replace('"NN"', '"NX"'))[1]
    assert refused(SWIFT.replace('"swift"', '"chess"'))[0] == 400
    assert refused(SWIFT.replace('"swift"', '"house"'))[0] == 409
    assert "at most 40" in refused(SWIFT.replace('"swift"', f'"{"x" * 41}"'))[1]
    assert refused("x" * 65_537)[0] == 400
    kinds = "".join(f'[pieces."{letter}"]\nmove = "[K?K?K]"\n' for letter in "ABCDEFGHIJLMNOPQRSTUVWXYZ")
    board = '[game]\nid = "slow"\nboard = "16x16"\nstart = "{}"\n[pieces.K]\nmove = "K"\nroyal = true\n'
    assert "compiling it takes" in refused(board.format("k15/" + "16/" * 14 + "K15") + kinds)[1]
    # What somebody may set up by hand counts too.
    absent = board.format("k15/" + "16/" * 14 + "K15") + '[pieces.A]\nmove = "[Q?Q]"\n'
    assert "at most 0.2 s" in refused(absent)[1]
    assert sorted(path.name for path in (folder / "published").iterdir()) == []
    assert everybody.faults() == []


def test_the_published_games_of_a_person_are_limited(everybody: Server, folder: Path) -> None:
    ana = Person(everybody)
    (folder / "published").mkdir()
    for number in range(10):
        record = {"publisher": f"guest {ana.id}", "versions": [], "reports": []}
        (folder / "published" / f"old-{number}.json").write_text(json.dumps(record))
        (folder / "published" / f"old-{number}.toml").write_text(SWIFT.replace('"swift"', f'"old-{number}"'))
    answer = publish(ana, SWIFT)
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many")
    # A game that is withdrawn makes room at once.
    assert ana.http.post("/api/published/old-3/withdrawal", json={}).status_code == 204
    assert publish(ana, SWIFT).status_code == 201


def test_a_person_publishes_few_new_games_a_day_and_any_number_of_versions(everybody: Server) -> None:
    ana = Person(everybody)
    for number in range(5):
        assert publish(ana, SWIFT.replace('"swift"', f'"new-{number}"')).status_code == 201
    answer = publish(ana, SWIFT.replace('"swift"', '"new-5"'))
    assert (answer.status_code, answer.json()["code"]) == (429, "too_fast")
    assert publish(ana, SWIFT.replace('"swift"', '"new-4"').replace('"NN"', '"C"')).status_code == 201


def test_records_of_withdrawn_games_are_forgotten_when_they_are_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "MAX_PUBLISHED", 2)
    folder = tmp_path / "published"
    folder.mkdir()
    for number in range(12):
        (folder / f"gone-{number}.json").write_text('{"publisher": "guest bo"}')
        os.utime(folder / f"gone-{number}.json", (number, number))
    (folder / "bo.json").write_text('{"publisher": "guest bo"}')
    (folder / "bo.toml").write_text(SWIFT)
    publishing.Publishing(Catalogue(tmp_path), tmp_path, "everybody", None)._claim(folder, "swift", "guest ana")
    kept = {path.stem for path in folder.glob("*.json")}
    assert kept == {"bo", "swift", *(f"gone-{number}" for number in range(4, 12))}


def test_an_unreadable_record_does_not_prevent_publishing(everybody: Server, folder: Path) -> None:
    (folder / "published").mkdir()
    (folder / "published" / "half.json").write_text('{"publisher": ')
    made = publish(Person(everybody), SWIFT)
    assert made.status_code == 201, made.text
    assert sorted(path.name for path in (folder / "published").iterdir()) == ["half.json", "swift.json", "swift.toml"]


def test_a_published_game_belongs_to_its_token(
    start: Callable[..., Server], folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ACEDREX_PUBLISH_KEY", KEY)
    assert main(["publisher", "club"]) == 0
    token = capsys.readouterr().out.strip()
    assert token == sign(KEY, "club")
    server = start("--games", str(folder), "--publish", "tokens", ACEDREX_PUBLISH_KEY=KEY)
    ana, bo = Person(server), Person(server, "Bo")
    for wrong in (None, "club.0000", token[:-1] + "x", "club", "é.1", sign("another key of somebody", "club")):
        assert publish(ana, SWIFT, wrong).status_code == 403
    assert publish(ana, SWIFT, token).status_code == 201
    # The game belongs to the token, whoever uses it.
    assert publish(bo, SWIFT.replace('"NN"', '"C"'), token).status_code == 201
    assert publish(bo, SWIFT, sign(KEY, "others")).status_code == 409


def test_missing_options_for_publishing_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("ACEDREX_PUBLISH_KEY", raising=False)
    monkeypatch.setenv("ACEDREX_DATABASE_URL", f"sqlite:///{tmp_path}/a.db")
    assert main(["serve", "--publish", "everybody"]) == 1 and "--games" in capsys.readouterr().err
    assert main(["serve", "--publish", "tokens", "--games", str(tmp_path)]) == 1
    assert "ACEDREX_PUBLISH_KEY" in capsys.readouterr().err
    assert main(["publisher", "club"]) == 1 and "ACEDREX_PUBLISH_KEY" in capsys.readouterr().err
    monkeypatch.setenv("ACEDREX_PUBLISH_KEY", KEY)
    assert main(["publisher", "a b"]) == 1 and "letters" in capsys.readouterr().err


@pytest.mark.parametrize(("late", "answer"), [((0, 1), None), ((0, 1, 2), "compiling it takes 9.00 s")])
def test_a_game_is_refused_as_slow_only_after_three_slow_attempts(
    monkeypatch: pytest.MonkeyPatch, late: tuple[int, ...], answer: str | None
) -> None:
    begun = itertools.count()
    monkeypatch.setattr(checker.time, "process_time", lambda: 9.0 * (next(begun) in {2 * turn + 1 for turn in late}))
    monkeypatch.setattr(checker, "RANDOM_GAMES", 1)
    found = checker._slow("game.toml", SWIFT)
    assert found is None if answer is None else found and answer in found


@pytest.mark.parametrize("limit", ["STRICT_MOVES", "STRICT_CROWDED"])
def test_a_game_with_a_slow_position_is_refused(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setattr(checker, "RANDOM_GAMES", 1)
    assert checker._slow("game.toml", SWIFT) is None
    monkeypatch.setattr(checker, limit, 0)
    found = checker._slow("game.toml", SWIFT)
    assert found and "listing the moves" in found

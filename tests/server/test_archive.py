"""The archive on either database: searches, openings, imports and exports."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from acedrex import Board, load, pgn
from acedrex.cli import main
from acedrex.server import wire
from acedrex.server.archive import search_index
from acedrex.server.play.rooms import Rooms
from tests.server.conftest import Person, Server, anyone
from tests.server.waiting import wait_until


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on either database."""
    more = {}
    if request.param == "postgresql":
        more["ACEDREX_DATABASE_URL"] = request.getfixturevalue("postgresql").migrated()
    one = Server(tmp_path_factory.mktemp("archive"), **more)
    yield one
    assert one.end() == 0
    assert one.faults() == []


FILE = """
[Event "Casual"]
[White "Ana Lopez"]
[Black "Bo"]
[Date "1924.03.18"]
[Result "1-0"]
[Variant "chess"]

1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0

[White "Ana Lopez"]
[Black "Zoe"]
[Date "1924.??.??"]
[Result "1/2-1/2"]
[Variant "chess"]

1. e4 c5 2. Nf3 { Calm. } (2. d4) 1/2-1/2

[White "Bo"]
[Black "Ana Lopez"]
[Variant "chieftain"]
[Result "0-1"]

1. Ma5,Mp5 Ma8 0-1
"""


def import_records(person: Person, text: str) -> wire.Imported:
    answer = person.http.post("/api/archive", content=text.encode())
    assert answer.status_code == 200, answer.text
    return msgspec.json.decode(answer.content, type=wire.Imported)


def find(person: Person, **asked: Any) -> list[wire.Archived]:
    asked = {"whose": "mine", **asked}
    answer = person.http.get("/api/archive", params=asked)
    assert answer.status_code == 200, answer.text
    return msgspec.json.decode(answer.content, type=wire.ArchivePage).matches


def openings(person: Person, **asked: Any) -> wire.Openings:
    answer = person.http.get("/api/archive/openings", params={"whose": "mine", **asked})
    assert answer.status_code == 200, answer.text
    return msgspec.json.decode(answer.content, type=wire.Openings)


def test_imported_records_are_found_by_every_criterion(ana: Person, bo: Person) -> None:
    assert import_records(ana, FILE) == wire.Imported(3, 0, 0, [])
    assert import_records(ana, FILE) == wire.Imported(0, 3, 0, []), "the same records are recognised"
    found = find(ana)
    assert [one.players.black for one in found] == ["Ana Lopez", "Bo", "Zoe"], "the newest first"
    assert all(one.imported and one.side is None for one in found)
    assert found[1].ending == wire.Ending("checkmate", "white", "1-0", "1-0")
    assert found[2].ending == wire.Ending("recorded", None, "1/2-1/2", "1/2-1/2")
    assert find(bo) == [] and find(ana, whose="public") == []
    assert len(find(ana, game="chess")) == 2 and len(find(ana, game="chieftain")) == 1
    assert len(find(ana, result="white")) == 1 and len(find(ana, result="draw")) == 1
    assert len(find(ana, player="ANA")) == 3 and len(find(ana, player="zo")) == 1 and find(ana, player="oe") == []
    assert len(find(ana, since="1924-03-01", until="1924-03-18")) == 1
    assert len(find(ana, until="1924-01-01")) == 1
    assert [one.moves for one in find(ana, least=4, most=5)] == [5, 5]
    # It opens like any other match, but cannot be continued.
    shown = bo.http.get(f"/api/matches/{found[1].match}").json()
    assert (shown["phase"], shown["seat"], shown["may"]) == ("over", None, [])
    assert [move["san"] for move in shown["moves"]] == ["e4", "e5", "Qh5", "Ke7", "Qxe5#"]


def test_exported_records_equal_the_imported_ones(ana: Person) -> None:
    import_records(ana, FILE)
    answer = ana.http.get("/api/archive/pgn?whose=mine&game=chess")
    assert answer.headers["content-type"].startswith("application/x-chess-pgn")
    games = list(pgn.Reader(io.StringIO(answer.text)))
    assert [game.errors for game in games] == [[], []]
    assert [game.headers["Date"] for game in games] == ["1924.03.18", "1924.??.??"]
    assert [game.headers["Event"] for game in games] == ["Casual", "?"]
    assert [[node.san() for node in game.mainline()] for game in games] == [
        ["e4", "e5", "Qh5", "Ke7", "Qxe5#"],
        ["e4", "c5", "Nf3"],
    ]
    assert import_records(ana, answer.text).known == 2


def test_faults_of_an_import_have_line_numbers(ana: Person) -> None:
    lines = FILE.replace("Qxe5#", "Qxe6").replace('"chieftain"', '"chieftian"')
    told = import_records(ana, lines)
    assert (told.stored, told.left_out) == (1, 2)
    assert [(fault.game, fault.line) for fault in told.faults] == [(1, 9), (3, 21)]
    assert [fault.players for fault in told.faults] == ["Ana Lopez \N{EN DASH} Bo", "Bo \N{EN DASH} Ana Lopez"]
    assert "Qxe6" in told.faults[0].message and "chieftian" in told.faults[1].message
    assert import_records(ana, '[White "A"]\n\n*\n').faults[0].message.endswith("no moves")
    nonsense = import_records(ana, "\x00\xff nonsense [ } ( $")
    assert nonsense.stored == 0
    answer = ana.http.post("/api/archive", content=b"x" * (2 * 1024 * 1024 + 1))
    assert answer.status_code == 413


def test_records_with_a_setup_or_position_are_imported(ana: Person) -> None:
    game = load("maasai")
    setup = game.setups[7]
    board = Board("maasai", setup=setup)
    board.push(board.legal_moves[0])
    other = Board("chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    other.push_san("e4")
    assert import_records(ana, "\n\n".join(str(pgn.Game.from_board(one)) for one in (board, other))).stored == 2
    maasai, chess = find(ana, game="maasai"), find(ana, game="chess")
    assert maasai[0].setup == setup and len(find(ana, setup=setup.lower())) == 1
    number = game.setups.number(setup)
    assert len(find(ana, setup=number)) == 1 and len(find(ana, setup=number, game="maasai")) == 1
    assert find(ana, setup=number + 1) == [] and find(ana, setup=number, game="metamachy") == []
    assert find(ana, setup="9" * 80) == []
    assert maasai[0].ending.reason == "unfinished"
    shown = ana.http.get(f"/api/matches/{chess[0].match}").json()
    assert shown["start_fen"] == "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    assert Board("maasai", ana.http.get(f"/api/matches/{maasai[0].match}").json()["position"]["fen"]) == board
    # An imported game has no players who could chat.
    talk = ana.socket(chess[0].match)
    assert talk.snapshot["may"] == [] and talk.do(type="chat", text="hello")["error"]["code"] == "no_chat"
    assert shown["from_position"] and openings(ana, game="chess", fen=shown["start_fen"]).moves == []


def test_openings_count_results_by_move(ana: Person, bo: Person) -> None:
    import_records(ana, FILE)
    start = openings(ana, game="chess")
    moves = [wire.Opening("e2e4", "e4", wire.Results(1, 1, 0))]
    assert start == wire.Openings(wire.Results(1, 1, 0), moves, setups=False, lab=False)
    board = Board("chess")
    board.push_san("e4")
    answers = openings(ana, game="chess", fen=board.fen())
    assert {(one.san, one.results.white, one.results.draws) for one in answers.moves} == {("e5", 1, 0), ("c5", 0, 1)}
    # The move counters do not matter.
    other = board.fen().replace(" 0 1", " 9 31")
    assert openings(ana, game="chess", fen=other) == answers
    assert [one.san for one in openings(ana, game="chieftain").moves] == ["Ma5"]
    assert openings(bo, game="chess").moves == [] and openings(ana, game="chess", whose="public").moves == []
    assert ana.http.get("/api/archive/openings?game=chess&fen=x").status_code == 400
    assert anyone.get(f"{ana.server.base}/api/archive/openings?game=chess&whose=mine").status_code == 401


def test_the_games_of_the_lab_are_a_tree_of_their_own_which_the_operator_replaces(
    start: Callable[..., Server], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    server = start()
    me = Person(server)
    assert openings(me, game="chess", whose="public").lab is False
    monkeypatch.setenv("ACEDREX_DATABASE_URL", server.environment["ACEDREX_DATABASE_URL"])
    setup = load("maasai").setups[5]
    board = Board("maasai", load("maasai").setup_fen(setup))
    board.push(board.legal_moves[0])
    maasai = pgn.Game.from_board(board)
    maasai.headers["Result"] = "0-1"
    odd = '[Result "1-0"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 1-0\n\n'
    played = "".join(f'[Result "{result}"]\n\n1. {moves} {result}\n\n' for moves, result in PLAYED)
    (tmp_path / "lab.pgn").write_text(f"{played}{odd}{maasai}\n\n")
    assert main(["openings", str(tmp_path / "lab.pgn")]) == 0
    assert capsys.readouterr().out == "4 games in the opening tree, 3 left out.\n"
    chess = openings(me, game="chess", whose="lab")
    assert chess.lab and chess.results == wire.Results(1, 1, 1)
    assert [(one.san, one.results) for one in chess.moves] == [
        ("e4", wire.Results(1, 1, 0)),
        ("d4", wire.Results(0, 0, 1)),
    ]
    found = openings(me, game="maasai", whose="lab")
    assert found.setups and [(one.move, one.results) for one in found.moves] == [(setup, wire.Results(0, 0, 1))]
    # They are no matches, and in nobody else's tree.
    assert openings(me, game="chess", whose="public").moves == [] and find(me, whose="public") == []
    assert me.http.get("/api/archive?whose=lab").status_code == 400
    (tmp_path / "lab.pgn").write_text("1. c4 1-0\n")
    assert main(["openings", str(tmp_path / "lab.pgn")]) == 0
    assert [one.san for one in openings(me, game="chess", whose="lab").moves] == ["c4"]
    assert main(["openings", str(tmp_path / "nothing.pgn")]) == 1
    assert "nothing.pgn" in capsys.readouterr().err


#: The second one has a fault, and the last one no result.
PLAYED = (
    ("e4 e5", "1-0"),
    ("e4 e9", "1-0"),
    ("e4 c5", "1/2-1/2"),
    ("d4 d5", "0-1"),
    ("e4", "*"),
)


def test_lobby_matches_are_archived_publicly_and_others_privately(ana: Person, bo: Person) -> None:
    setup = load("maasai").setups[3]
    made = ana.match("maasai", opponent={"kind": "lobby"}, setup=setup)
    bo.http.post(f"/api/lobby/{made['match']}/accept")
    white, black = ana.socket(made["match"]), bo.socket(made["match"])
    move = white.position["legal"][0]["move"]
    white.move(move)
    black.hear("update")
    assert black.do(type="resign")["type"] == "ack"
    found = wait_until(lambda: find(ana, whose="public", setup=setup))
    assert (found[0].match, found[0].side, found[0].ending.reason) == (made["match"], None, "resignation")
    assert find(bo, result="lost", player="ana")[0].side == "black"
    assert find(bo, result="won") == [] and find(ana, result="lost") == []
    assert openings(ana, game="maasai", whose="public") == wire.Openings(
        wire.Results(1, 0, 0), [wire.Opening(setup, setup, wire.Results(1, 0, 0))], setups=True, lab=False
    )
    fen = load("maasai").setup_fen(setup)
    assert openings(bo, game="maasai", fen=fen).moves[0].move == move
    # A match that is not from the lobby is visible only to its players.
    private = ana.match("chess")
    talk = ana.socket(private["match"])
    talk.move("e2e4")
    talk.do(type="resign")
    mine = wait_until(lambda: find(ana, game="chess"))
    assert mine[0].match == private["match"] and find(ana, whose="public", game="chess") == []
    # Only the first match can be exported by everyone.
    assert ana.http.get("/api/archive/pgn?whose=public").text.count("[Event ") == 1


def test_pages_list_every_match_once(ana: Person) -> None:
    games = []
    for number in range(65):
        board = Board("chess")
        board.push(board.legal_moves[number % 20])
        board.push(board.legal_moves[number // 20])
        record = pgn.Game.from_board(board)
        record.headers["Date"] = f"2001.01.{number % 7 + 1:02}"
        games.append(str(record))
    assert import_records(ana, "\n\n".join(games)).stored == 65
    seen: list[str] = []
    after = None
    pages = 0
    while pages == 0 or after is not None:
        page = ana.http.get("/api/archive", params={"whose": "mine", **({"after": after} if after else {})}).json()
        seen += [one["match"] for one in page["matches"]]
        after = page["next"]
        pages += 1
    assert (pages, len(seen), len(set(seen))) == (3, 65, 65)
    assert ana.http.get("/api/archive/pgn?whose=mine").text.count("[Event ") == 65
    for wrong in ("x", "1", "1.a'b", f"{10**20}.a"):
        assert ana.http.get("/api/archive", params={"after": wrong}).status_code == 400


def test_invalid_searches_are_refused(ana: Person) -> None:
    for asked in ("result=green", "since=tomorrow", "least=-1", "whose=theirs", f"player={'x' * 41}"):
        assert ana.http.get(f"/api/archive?{asked}").status_code == 400, asked
    assert find(ana, player="\0%_") == [] and find(ana, game="nothing") == []
    assert anyone.get(f"{ana.server.base}/api/archive").status_code == 200


def test_exports_are_rate_limited(server: Server) -> None:
    ana = Person(server, "Ana", "127.0.0.41")
    statuses = [ana.http.get("/api/archive/pgn?whose=mine").status_code for _ in range(15)]
    assert set(statuses) == {200, 429}


def test_text_behind_a_game_is_a_fault_of_that_game(ana: Person) -> None:
    """It is no game, and it costs none."""
    texts = ["1. e4 e5 1-0 1-0", "1. d4 d5 * 2. c4 e6 1-0", "1. c4 c5 1-0\n\n1-0", "1. f4 f5 1-0 {good}", "1. a4 1-0"]
    found = import_records(ana, "\n\n".join(texts))
    assert (found.stored, found.left_out) == (2, 3)
    assert [fault.game for fault in found.faults] == [1, 2, 3] and {fault.players for fault in found.faults} == {""}
    assert [(fault.line, fault.message.split(" ", 1)[1]) for fault in found.faults] == [
        (1, "stands after the result"),
        (3, "stands after the result"),
        (7, "belongs to no game; a game begins with tags or 1."),
    ]


async def test_a_match_that_was_deleted_while_it_waited_is_left_alone() -> None:
    async def load(id: str) -> None:
        pass

    async def all_(*_: object) -> list[SimpleNamespace]:
        return [SimpleNamespace(id="gone")]

    rooms = cast(Rooms, SimpleNamespace(load=load, store=SimpleNamespace(all=all_)))
    assert await search_index.archive_portion(rooms) == 1

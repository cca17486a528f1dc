"""What earlier versions left behind can be read; ``tools/make_upgrade_data.py`` makes the data of a release."""

from __future__ import annotations

import gzip
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from acedrex import Board, Engine, Game, Limit, load, pgn
from acedrex.lab import Job
from acedrex.server import wire
from acedrex.server.archive.pgn_export import match_pgn
from acedrex.server.games import catalogue
from acedrex.server.match.decide import Context, decide
from acedrex.server.match.state import Match
from acedrex.server.play import new_match
from acedrex.server.play.rooms import Rooms
from acedrex.server.storage import backup
from acedrex.server.storage.migrate import migrate
from acedrex.server.storage.tables import definitions
from acedrex.server.storage.tables import events as event_table
from acedrex.server.time_source import now
from tests.lab import finish
from tests.server.test_rooms import ANA, process

DATA = Path(__file__).parents[1] / "data" / "upgrade"
RELEASES = sorted(folder.name for folder in DATA.iterdir() if folder.is_dir())
HOUSE = "house"


def expected(release: str) -> list[dict[str, Any]]:
    """Return the matches as the server of a release showed them."""
    told: list[dict[str, Any]] = json.loads((DATA / release / "matches.json").read_text())["matches"]
    assert {state["game"]["game"] for state in told} >= {"chess", "maasai", "chieftain", HOUSE}
    return told


def restored(release: str, how: str, folder: Path) -> str:
    """Return the URL of a database that a release wrote."""
    url = f"sqlite+aiosqlite:///{folder / 'server.db'}"
    if how == "backup":
        assert backup.restore(url, DATA / release / "server.backup") > 0
    else:
        (folder / "server.db").write_bytes(gzip.decompress((DATA / release / "server.db.gz").read_bytes()))
        migrate(url)
    return url


def go_on(match: Match) -> None:
    """Make a move in a match, or see that it is over."""
    if match.phase != "play":
        assert match.phase in ("over", "setup")
        return
    move = match.board.legal_moves[0].uci()
    seat = frozenset({match.turn})
    for event in decide(match, wire.MakeMove(move, match.number, "i"), seat, Context(match.at)):
        match.apply(event)
    assert match.moves[-1].move == move


async def check(rooms: Rooms, release: str) -> None:
    """Check that all matches of a release are read as it showed them, and go on."""
    for told in expected(release):
        match = await rooms.load(told["match"])
        assert match is not None
        assert [made.move for made in match.moves] == [made["move"] for made in told["moves"]]
        assert [made.san for made in match.moves] == [made["san"] for made in told["moves"]]
        assert (match.board.fen(), match.phase) == (told["position"], told["phase"])
        assert (match.ending and match.ending.score) == (told["ending"] and told["ending"]["score"])
        assert match.created.rules_hash == match.game.rules_hash == told["game"]["rules_hash"]
        rows = await rooms.store.all(select(event_table).where(event_table.c.match == match.id))
        text = await rooms.store.definition(match.created.definition)
        record = pgn.read_game(
            io.StringIO(match_pgn(match.id, [(row.number, row.body) for row in rows], text)),
            games={HOUSE: catalogue.plain_game(match.game)},
        )
        assert record is not None and not record.errors
        assert record.end().board().fen() == told["position"]
        go_on(match)
    assert not rooms.set_aside


@pytest.fixture(params=RELEASES)
def release(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=["database", "backup"])
def upgraded(request: pytest.FixtureRequest, release: str, tmp_path: Path) -> str:
    return restored(release, request.param, tmp_path)


async def test_matches_of_earlier_versions_are_read_and_go_on(release: str, upgraded: str) -> None:
    async with process(upgraded) as rooms:
        await check(rooms, release)


async def test_matches_do_not_depend_on_the_texts_of_their_definitions(release: str, upgraded: str) -> None:
    # As if every shipped definition had another comment.
    async with process(upgraded) as rooms:
        for row in await rooms.store.all(select(definitions)):
            assert "extends" not in row.text
            changed = update(definitions).where(definitions.c.hash == row.hash)
            await rooms.store.write((changed.values(text=f"# Another comment.\n{row.text}"), {}))
        await check(rooms, release)


def test_records_of_earlier_versions_are_read_without_errors(release: str) -> None:
    house = Game((DATA / "house.toml").read_text(), "house.toml")
    with (DATA / release / "games.pgn").open() as file:
        records = list(iter(lambda: pgn.read_game(file, games={HOUSE: house}), None))
    told = [state for state in expected(release) if state["phase"] != "setup"]
    assert [record.errors for record in records] == [[]] * len(told)
    moves = [[move.uci() for move in record.mainline_moves()] for record in records]
    assert moves == [[made["move"] for made in state["moves"]] for state in told]
    assert [record.variant.id for record in records] == [state["game"]["game"] for state in told]


@pytest.mark.parametrize("folder", sorted(DATA.glob("*/job")), ids=str)
def test_jobs_of_earlier_versions_are_continued(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "job")
    job = Job.open(tmp_path / "job")
    units = len(job.units())
    finish(job)
    assert len(job.units()) > units > 0


@pytest.mark.parametrize("network", sorted(DATA.glob("*/*.net")), ids=str)
def test_networks_of_earlier_versions_play(network: Path) -> None:
    with Engine(network=network) as engine:
        assert engine.play(Board(network.stem), Limit(nodes=100)).moves


async def test_a_match_keeps_its_rules_when_a_release_changes_them(database: str) -> None:
    """The release before this one is played by a definition of chess in which Knights are Nightriders."""
    riders = Game.stored(load("chess").source.replace('move = "N"', 'move = "NN"'), "chess")

    async with process(database) as rooms:
        asked = wire.NewMatch(game=wire.GameChoice("chess"), opponent=wire.SelfOpponent(), time=wire.NoTime())
        match, steps, _ = new_match.make(riders, asked, ANA, now())
        await rooms.store.add_definition(*catalogue.definition(match.game))
        await rooms.store.write(*steps)
    async with process(database) as rooms:
        room = await rooms.get(match.id)
        for move in ("d2d3", "d7d6", "b1d5", "b8d4"):
            await room.command(wire.MakeMove(move, room.match.number, "i"), frozenset({room.match.turn}))
        snapshot = await room.snapshot("ana")
        state = json.loads(snapshot)
        assert [made["san"] for made in state["moves"]] == ["d3", "d6", "Nd5", "Nd4"]
        assert state["game"]["outdated"] and state["game"]["rules_hash"] == riders.rules_hash
        described = (await catalogue.Catalogue().describing(room.match.game, "fr"))()
        assert described.changed and described.rules_hash == riders.rules_hash
        assert not (await catalogue.Catalogue().describing(load("chess"), "fr"))().changed

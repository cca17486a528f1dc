"""Studies: written by several people at once, read, solved, and taken in and out as PGN."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosedError

from acedrex.server import wire
from acedrex.server.bus import Bus, StudyTouched
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import NEW_PERSON, Store
from acedrex.server.studies import room as studying
from acedrex.server.studies.chapters import draft
from acedrex.server.studies.store import Studies
from tests.conftest import TIMEOUT
from tests.server.conftest import Person, Server, anyone

CHESS = {"title": "Openings", "game": "chess"}
RECORD = """[Event "Lesson"]
[White "Ana"]
[Black "Bo"]

{Look here. [%csl Ge4][%cal Re2e4,Yd2d4]} 1. e4! {Good.} (1. d4 {Also.} 1... d5?) 1... e5 2. Nf3 *

[Variant "magi"]
[ChapterName "A magical one"]

*
"""


class Desk:
    """A conversation over the socket of a study."""

    def __init__(self, server: Server, study: str, person: Person | None) -> None:
        self.connection = server.connect(f"/api/studies/{study}/socket")
        self.ids = iter(range(10**6))
        self.number = 0
        self.say(type="hello", token=person and person.token, after=None)
        self.study = self.hear("study")

    def say(self, **message: Any) -> None:
        self.connection.send(json.dumps(message))

    def hear(self, *types: str) -> dict[str, Any]:
        """Return the next message of one of these types."""
        end = time.monotonic() + TIMEOUT
        while True:
            text = self.connection.recv(max(0.01, end - time.monotonic()))
            message: dict[str, Any] = json.loads(text)
            # The browser's types are generated from these: messages must match them exactly.
            assert json.loads(msgspec.json.encode(msgspec.json.decode(text, type=wire.FromStudy))) == message
            self.number = message.get("number", self.number)
            if message["type"] in types:
                return message

    def do(self, **message: Any) -> dict[str, Any]:
        """Send a command and return the answer to it."""
        id = str(next(self.ids))
        if message["type"] in ("prune", "remove"):
            message.setdefault("seen", self.number)
        self.say(**message, id=id)
        while (answer := self.hear("ack", "refused"))["id"] != id:
            pass
        return answer

    def done(self, **message: Any) -> None:
        answer = self.do(**message)
        assert answer["type"] == "ack", answer

    def chapter(self, id: int = 1) -> dict[str, Any]:
        self.say(type="open", chapter=id, id="open")
        chapter: dict[str, Any] = self.hear("chapter")["chapter"]
        return chapter


def make(person: Person, chapter: dict[str, Any] | None = None, **more: Any) -> str:
    answer = person.http.post(
        "/api/studies", json={"title": "A study", "access": "link", "chapter": chapter or CHESS, **more}
    )
    assert answer.status_code == 201, answer.text
    return str(answer.json()["study"])


def account(person: Person, name: str) -> str:
    answer = person.http.post("/api/me/account", json={"name": name, "password": "correct horse battery"})
    assert answer.status_code == 201, answer.text
    person.token = answer.json()["person"]["token"]
    person.http.headers["Authorization"] = f"Bearer {person.token}"
    return name


def add(owner: Person, study: str, name: str, role: str = "writer") -> None:
    answer = owner.http.put(f"/api/studies/{study}/people/{name}", json={"role": role})
    assert answer.status_code == 204, answer.text


def two(server: Server, ana: Person, bo: Person, name: str) -> tuple[str, Desk, Desk]:
    """Return a study with a chapter, and the desks of two people who write in it."""
    study = make(ana)
    account(bo, name)
    add(ana, study, name)
    return study, Desk(server, study, ana), Desk(server, study, bo)


def moves(chapter: dict[str, Any]) -> list[str]:
    return [node["move"] for node in chapter["nodes"][1:]]


def test_edits_of_two_people_appear_to_each_other(server: Server, ana: Person, bo: Person) -> None:
    _, hers, his = two(server, ana, bo, "BoOne")
    hers.done(type="add", chapter=1, parent=0, moves=["e4", "e7e5"])
    change = his.hear("change")["change"]
    assert [(node["san"], node["parent"]) for node in change["nodes"]] == [("e4", 0), ("e5", 1)]
    his.done(type="comment", chapter=1, node=1, before="", text="The best move.")
    assert hers.hear("change")["change"] == {"type": "commented", "chapter": 1, "node": 1, "text": "The best move."}
    his.done(type="glyph", chapter=1, node=1, nag=1, on=True)
    arrow = {"from": "e2", "to": "e4", "colour": "lapis"}
    hers.done(type="draw", chapter=1, node=1, arrow=arrow, on=True)
    node = his.chapter()["nodes"][1]
    assert (node["comment"], node["nags"], node["arrows"]) == ("The best move.", [1], [arrow])


def test_two_people_who_edit_one_comment_both_keep_their_words(server: Server, ana: Person, bo: Person) -> None:
    _, hers, his = two(server, ana, bo, "BoTwo")
    text = "The Lion takes."
    hers.done(type="comment", chapter=1, node=0, before="", text=text)
    # Both begin with the same text.
    hers.done(type="comment", chapter=1, node=0, before=text, text="The Lion takes twice.")
    his.done(type="comment", chapter=1, node=0, before=text, text="Look: the Lion takes.")
    assert hers.chapter()["nodes"][0]["comment"] == "Look: the Lion takes twice."


def test_the_same_move_of_two_people_is_there_once(server: Server, ana: Person, bo: Person) -> None:
    _, hers, his = two(server, ana, bo, "BoThree")
    for one in (hers, his):
        one.done(type="add", chapter=1, parent=0, moves=["e2e4"])
    his.done(type="add", chapter=1, parent=0, moves=["d2d4"])
    assert moves(hers.chapter()) == ["e2e4", "d2d4"]
    his.done(type="promote", chapter=1, node=2)
    assert moves(hers.chapter()) == ["d2d4", "e2e4"]


def test_a_line_where_somebody_has_just_written_is_not_deleted(server: Server, ana: Person, bo: Person) -> None:
    _, hers, his = two(server, ana, bo, "BoFour")
    hers.done(type="add", chapter=1, parent=0, moves=["e2e4", "e7e5"])
    seen = hers.number
    his.done(type="comment", chapter=1, node=2, before="", text="My word.")
    for command in ({"type": "prune", "chapter": 1, "node": 1}, {"type": "remove", "chapter": 1}):
        assert hers.do(**command, seen=seen)["error"]["code"] == "changed_meanwhile"
    hers.chapter()
    hers.done(type="prune", chapter=1, node=1)
    assert moves(his.chapter()) == []


def test_a_comment_on_a_move_that_was_just_deleted_brings_it_back(server: Server, ana: Person, bo: Person) -> None:
    _, hers, his = two(server, ana, bo, "BoFive")
    hers.done(type="add", chapter=1, parent=0, moves=["e2e4", "e7e5"])
    hers.done(type="prune", chapter=1, node=1)
    his.done(type="comment", chapter=1, node=2, before="", text="My word.")
    chapter = hers.chapter()
    assert (moves(chapter), chapter["nodes"][2]["comment"]) == (["e2e4", "e7e5"], "My word.")


def test_an_illegal_move_is_refused_and_changes_nothing(server: Server, ana: Person) -> None:
    desk = Desk(server, make(ana), ana)
    assert desk.do(type="add", chapter=1, parent=0, moves=["e2e5"])["error"]["code"] == "invalid"
    assert desk.do(type="add", chapter=1, parent=7, moves=["e2e4"])["error"]["code"] == "no_such_node"
    assert desk.do(type="comment", chapter=9, node=0, before="", text="")["error"]["code"] == "no_such_chapter"
    assert moves(desk.chapter()) == []


def test_a_study_is_as_it_was_after_a_restart(tmp_path: Path) -> None:
    server = Server(tmp_path)
    ana = Person(server)
    study = make(ana)
    desk = Desk(server, study, ana)
    desk.done(type="add", chapter=1, parent=0, moves=["e4"])
    # Enough operations for the study to be stored as a whole.
    for number in range(studying.SNAPSHOT + 5):
        while (answer := desk.do(type="glyph", chapter=1, node=1, nag=1 + number % 2, on=True))["type"] == "refused":
            assert answer["error"]["code"] == "too_fast", answer
            time.sleep(0.1)
    before = anyone.get(f"{server.base}/api/studies/{study}/chapters/1").json()
    server.opened.close()
    server.kill()
    server.start()
    after = anyone.get(f"{server.base}/api/studies/{study}/chapters/1").json()
    assert after == before
    assert after["nodes"][1]["nags"] == [1]
    server.end()


def test_a_pgn_becomes_chapters_and_comes_out_the_same(server: Server, ana: Person) -> None:
    study = make(ana)
    answer = ana.http.post(f"/api/studies/{study}/pgn", json={"pgn": RECORD})
    assert answer.status_code == 201, answer.text
    assert answer.json() == {"chapters": [2, 3], "faults": []}
    infos = ana.http.get(f"/api/studies/{study}").json()["chapters"]
    assert [(info["title"], info["game"]) for info in infos[1:]] == [
        ("Ana \N{EN DASH} Bo", "chess"),
        ("A magical one", "magi"),
    ]
    chapter = ana.http.get(f"/api/studies/{study}/chapters/2").json()
    root = chapter["nodes"][0]
    assert root["comment"] == "Look here."
    assert root["arrows"] == [
        {"from": "e4", "to": "e4", "colour": "lapis"},
        {"from": "e2", "to": "e4", "colour": "vermilion"},
        {"from": "d2", "to": "d4", "colour": "gold"},
    ]
    assert moves(chapter) == ["e2e4", "e7e5", "g1f3", "d2d4", "d7d5"]
    text = ana.http.get(f"/api/studies/{study}/pgn?chapter=2").text
    for part in (
        '[StudyName "A study"]',
        "{ [%csl Ge4][%cal Re2e4,Yd2d4] Look here. }",
        "(1. d4 { Also. }\n1... d5 $2)",
    ):
        assert part in text
    again = make(ana)
    assert ana.http.post(f"/api/studies/{again}/pgn", json={"pgn": text}).json()["faults"] == []
    assert ana.http.get(f"/api/studies/{again}/chapters/2").json()["nodes"] == chapter["nodes"]


def test_a_text_without_a_game_is_no_chapter(server: Server, ana: Person) -> None:
    answer = ana.http.post(f"/api/studies/{make(ana)}/pgn", json={"pgn": '[Variant "nothing"]\n\n*\n'})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")


# Who reads.


def test_a_private_study_is_for_its_people_alone(server: Server, ana: Person, bo: Person) -> None:
    study = make(ana, access="private")
    assert bo.http.get(f"/api/studies/{study}").status_code == 404
    with pytest.raises(ConnectionClosedError, match="4404"):
        Desk(server, study, bo)
    account(bo, "BoSix")
    add(ana, study, "BoSix", "reader")
    desk = Desk(server, study, bo)
    assert desk.study["role"] == "reader"
    assert desk.do(type="add", chapter=1, parent=0, moves=["e2e4"])["error"]["code"] == "no_writer"
    # He sees at once that he may write now.
    add(ana, study, "BoSix", "writer")
    assert desk.hear("study")["role"] == "writer"
    desk.done(type="add", chapter=1, parent=0, moves=["e2e4"])
    assert ana.http.delete(f"/api/studies/{study}/people/BoSix").status_code == 204
    assert bo.http.get(f"/api/studies/{study}").status_code == 404


def test_public_studies_are_listed_and_those_by_link_are_not(server: Server, ana: Person) -> None:
    arrow = {"title": "One", "game": "chess", "nodes": [{"parent": -1, "move": "e2e4"}]}
    public, by_link = make(ana, arrow, access="public"), make(ana, arrow)
    listed = {card["study"] for card in anyone.get(f"{server.base}/api/studies").json()["studies"]}
    assert public in listed
    assert by_link not in listed
    mine = ana.http.get("/api/studies?whose=mine").json()["studies"]
    assert {public, by_link} <= {card["study"] for card in mine}
    assert anyone.get(f"{server.base}/api/studies/{by_link}").json()["role"] == "visitor"


def test_only_the_owner_changes_access_people_and_existence(server: Server, ana: Person, bo: Person) -> None:
    study, *_ = two(server, ana, bo, "BoSeven")
    for answer in (
        bo.http.patch(f"/api/studies/{study}", json={"access": "public"}),
        bo.http.put(f"/api/studies/{study}/people/BoSeven", json={"role": "reader"}),
        bo.http.delete(f"/api/studies/{study}"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "no_owner")
    # Whoever does not want to take part any more leaves.
    assert bo.http.delete(f"/api/studies/{study}/people/BoSeven").status_code == 204
    assert ana.http.delete(f"/api/studies/{study}").status_code == 204
    assert ana.http.get(f"/api/studies/{study}").status_code == 404


# Exercises.


def exercise(ana: Person) -> str:
    nodes = [(-1, "e2e4", "Right."), (0, "e7e5", ""), (1, "g1f3", "Done."), (-1, "d2d4", "Not this one.")]
    told = [{"parent": parent, "move": move, "comment": text} for parent, move, text in nodes]
    return make(ana, {"title": "Find it", "game": "chess", "mode": "exercise", "nodes": told, "comment": "White?"})


def test_readers_find_the_moves_of_an_exercise(server: Server, ana: Person, bo: Person) -> None:
    study = exercise(ana)
    chapter = bo.http.get(f"/api/studies/{study}/chapters/1").json()
    assert (len(chapter["nodes"]), chapter["hidden"], chapter["nodes"][0]["comment"]) == (1, True, "White?")

    def attempt(*tried: str, show: bool = False) -> tuple[str, list[str], str, bool]:
        answer = bo.http.post(f"/api/studies/{study}/chapters/1/attempts", json={"moves": tried, "show": show})
        assert answer.status_code == 200, answer.text
        said = answer.json()
        return said["result"]["verdict"], said["result"]["moves"], said["comment"], said["chapter"] is not None

    assert attempt("d2d4") == ("wrong", [], "Not this one.", False)
    assert attempt("a2a3") == ("wrong", [], "", False)
    assert attempt("e2e9") == ("wrong", [], "", False)
    assert attempt("e2e4") == ("right", ["e2e4", "e7e5"], "Right.", False)
    assert attempt("e2e4", "e7e5", "g1f3") == ("solved", ["e2e4", "e7e5", "g1f3"], "Done.", True)
    assert attempt(show=True)[0] == "shown"


def test_readers_who_have_an_exercise_open_do_not_see_its_moves(server: Server, ana: Person, bo: Person) -> None:
    study = exercise(ana)
    hers, his = Desk(server, study, ana), Desk(server, study, bo)
    hers.done(type="add", chapter=1, parent=3, moves=["Nc6"])
    hers.done(type="comment", chapter=1, node=0, before="White?", text="White to move.")
    assert his.hear("change")["change"]["text"] == "White to move."
    hers.done(type="edit", chapter=1, mode="reading")
    assert moves(his.hear("chapter")["chapter"])[-2:] == ["b8c6", "d2d4"]


def test_a_chapter_without_moves_is_no_exercise(server: Server, ana: Person) -> None:
    desk = Desk(server, make(ana), ana)
    assert desk.do(type="edit", chapter=1, mode="exercise")["error"]["code"] == "no_solution"


# Limits.


def test_a_study_has_limits(server: Server, ana: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    study = make(ana)
    desk = Desk(server, study, ana)
    for message in (
        {"type": "comment", "chapter": 1, "node": 0, "before": "", "text": "x" * (wire.MAX_STUDY_COMMENT + 1)},
        {"type": "add", "chapter": 1, "parent": 0, "moves": ["e4"] * 201},
        {"type": "edit", "chapter": 1, "title": "x" * (wire.MAX_TITLE + 1)},
        {"type": "draw", "chapter": 1, "node": 0, "on": True, "arrow": {"from": "z9", "to": "a1", "colour": "gold"}},
    ):
        desk.say(**message, id="x")
        assert desk.hear("refused")["error"]["code"] == "invalid"
    games = "\n\n".join(["1. e4 *"] * (wire.MAX_CHAPTERS + 5))
    answer = ana.http.post(f"/api/studies/{study}/pgn", json={"pgn": games}).json()
    assert len(answer["chapters"]) == wire.MAX_CHAPTERS - 1
    assert str(wire.MAX_CHAPTERS) in answer["faults"][-1]
    refused = ana.http.post(f"/api/studies/{study}/chapters", json=CHESS)
    assert (refused.status_code, refused.json()["code"]) == (409, "too_many")


# Several processes.


class Wire(Bus):
    """A bus between two shelves in one process, whose messages are delivered when the test says so."""

    shared = True

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[Any] = []

    def publish(self, message: Any) -> None:
        self.sent.append(message)


async def people(store: Store, *names: str) -> None:
    for name in names:
        await store.write((NEW_PERSON, {"id": name, "name": name, "import_key": name, "at": 0}))


async def test_two_processes_agree_on_every_operation(store: Store) -> None:
    await people(store, "ana", "bo")
    one, other = Studies(store, Wire()), Studies(store, Wire())
    study = await one.make("ana", "A study", "link")
    from acedrex import load

    chapter = draft(load("chess"), msgspec.convert({**CHESS, "comment": "a"}, wire.NewChapter))
    await study.add("ana", [chapter])
    there = await other.get(study.id)
    nodes = (study, there)
    edits = [
        nodes[place % 2].command("ana", wire.WriteComment(chapter=1, node=0, before="a", text=f"a word{place}", id=""))
        for place in range(6)
    ]
    await asyncio.gather(*edits)
    for room in nodes:
        await room.catch_up()
    text = study.chapter("ana", 1).nodes[0].comment
    assert there.chapter("ana", 1).nodes[0].comment == text
    assert {f"word{place}" for place in range(6)} <= {*text.replace(" ", "").replace("word", " word").split()}


async def test_another_process_hears_what_has_changed(store: Store) -> None:
    await people(store, "ana")
    bus = Wire()
    one, other = Studies(store, bus), Studies(store, Wire())
    study = await one.make("ana", "A study", "link")
    there = await other.get(study.id)
    await study.entitle("ana", "Another title", "private")
    for message in bus.sent:
        await other.receive(message)
    assert (there.title, there.access) == ("Another title", "private")
    await one.delete(study)
    await other.receive(StudyTouched("x", study.id, "gone"))
    with pytest.raises(Refusal):
        await other.get(study.id)


async def test_what_somebody_alone_has_written_goes_with_their_data(store: Store) -> None:
    await people(store, "ana", "bo", "cy")
    study_store = Studies(store, Bus())
    study = await study_store.make("ana", "A study", "link")
    from acedrex import load
    from acedrex.server.people.relations import Known

    nodes = [{"parent": -1, "move": "e2e4"}, {"parent": 0, "move": "e7e5"}]
    chapter = draft(load("chess"), msgspec.convert({**CHESS, "nodes": nodes}, wire.NewChapter))
    await study.add("ana", [chapter])
    for name in ("bo", "cy"):
        await study_store.add(study, Known(name, name, True), "writer")
    for node, (person, before, text) in enumerate((("ana", "", "hers"), ("bo", "", "his"), ("ana", "", "both"))):
        await study.command(person, wire.WriteComment(chapter=1, node=node, before=before, text=text, id=""))
    await study.command("bo", wire.WriteComment(chapter=1, node=2, before="both", text="both of us", id=""))
    await study_store.forget("ana")
    for opened in (study, await Studies(store, Bus()).get(study.id)):
        assert opened.owner == "bo"
        assert [node.comment for node in opened.chapter("bo", 1).nodes] == ["", "his", "both of us"]
        assert "ana" not in opened.authors
    await study_store.forget("bo")
    await study_store.forget("cy")
    with pytest.raises(Refusal):
        await Studies(store, Bus()).get(study.id)

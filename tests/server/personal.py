"""A person of whom the database has something in every table, and another one, who must keep what is theirs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import insert, select

from acedrex import load
from acedrex.server import ids, wire
from acedrex.server.archive import pgn_import, search_index
from acedrex.server.bus import Bus
from acedrex.server.games import catalogue, publishing
from acedrex.server.games.catalogue import Catalogue
from acedrex.server.games.publishing import Publishing
from acedrex.server.match import events
from acedrex.server.match.state import Match
from acedrex.server.play.rooms import Rooms
from acedrex.server.storage import cards
from acedrex.server.storage.store import NEW_LINE, NEW_PERSON, Store
from acedrex.server.storage.tables import (
    accounts,
    attempts,
    blocks,
    calendars,
    codes,
    comparisons,
    conditional_moves,
    conversations,
    dailies,
    days_off,
    entrants,
    findings,
    follows,
    jobs,
    mail_links,
    messages,
    metadata,
    moderation,
    moderators,
    notes,
    notification_settings,
    outbox,
    passkey_challenges,
    passkeys,
    progress,
    push_subscriptions,
    ratings,
    reports,
    results,
    sanctions,
    sessions,
    tokens,
    tournament_events,
    tournaments,
)
from acedrex.server.studies.chapters import draft
from acedrex.server.studies.store import NEW_MEMBER, Studies
from acedrex.server.time_source import now
from tests.server.matches import created

#: Ids as long as real ones, and names that occur nowhere else.
ANA, BO = "anaAnaAna001", "boboBoboBo02"
NAMES = {ANA: "Zephyrine", BO: "Balthazar"}
#: What Ana wrote, and what Bo wrote.
SAID, ANSWERED = "what she said", "what he answered"
RECORD = b"""[Event "Her import"]
[White "Zephyrine at home"]
[Black "Somebody"]
[Result "1-0"]
[Variant "chess"]

1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0
"""
MOVES = ("e2e4", "e7e5", "g1f3")
DEFINITION = '[game]\nid = "her-game"\nname = "A Game"\nextends = "maasai"\n'


def seated(white: str | None, black: str | None, **changes: Any) -> list[events.Event]:
    """Return the events of a match between two people; `None` is the engine, and an empty text is nobody."""
    found: list[events.Event] = [created(at=now(), **changes)]
    for side, person in (("white", white), ("black", black)):
        if person != "":
            level = 1 if person is None else None
            name = NAMES[person] if person else "Acedrex 1"
            found.append(events.Seated(at=now(), side=side, person=person, name=name, level=level))  # type: ignore[arg-type]
    return found


def played(*moves: str) -> list[events.Event]:
    return [events.MovePlayed(at=now(), move=move, spent=0) for move in moves]


async def add(store: Store, id: str, stored: list[events.Event], **more: Any) -> None:
    match = Match(id, stored, load("chess"))
    await store.add_definition(*catalogue.definition(match.game))
    creator = next(event.person for event in stored if isinstance(event, events.Seated) and event.person)
    await store.write(*cards.first_steps(match, stored, creator or "", **more))


async def fill(store: Store, rooms: Rooms) -> None:
    """Store something of Ana in every table that has data of people, and as much of Bo."""
    for person, token in ((ANA, "hers"), (BO, "his")):
        row = {"id": person, "name": NAMES[person], "import_key": ids.hashed(token), "at": now()}
        await store.write((NEW_PERSON, row))
        row = {"id": f"s{token}", "person": person, "token_hash": ids.hashed(token), "device": "Firefox", "at": now()}
        await store.write((insert(sessions), {**row, "seen": now()}))
        row = {"person": person, "handle": NAMES[person].lower(), "password_hash": f"p{token}", "at": now()}
        row |= {"invitation_hash": f"i{token}", "mail": f"{token}@example.org", "new_mail": None, "language": "en"}
        await store.write((insert(accounts), {**row, "recovery_hash": f"r{token}"}))
        row = {"id": f"k{token}", "person": person, "name": "a phone", "credential": token, "public_key": token}
        await store.write((insert(passkeys), {**row, "sign_count": 1, "at": now(), "used": now()}))
        row = {"challenge_hash": f"h{token}", "person": person, "purpose": "mail", "until": now()}
        await store.write((insert(passkey_challenges), row))
        row = {"link_hash": f"l{token}", "person": person, "purpose": "recover", "address": f"{token}@example.org"}
        await store.write((insert(mail_links), {**row, "until": now()}))
        row = {"id": f"m{token}", "person": person, "kind": "notice", "address": f"{token}@example.org", "tries": 0}
        await store.write((insert(outbox), {**row, "about": "password", "at": now(), "due": now()}))
        await store.write(
            (insert(notification_settings), {"person": person, "body": "{}", "lobby": True, "lobby_at": 0})
        )
        row = {"id": f"b{token}", "person": person, "session": f"s{token}", "endpoint": "https://push.example/1"}
        row |= {"p256dh": token, "auth_secret": f"a{token}", "language": "en", "at": now()}
        await store.write((insert(push_subscriptions), row))
        await store.write((insert(progress), {"person": person, "body": '{"days":["2026-11-02"]}', "version": 0}))
        await store.write((insert(codes), {"code_hash": f"c{token}", "person": person, "until": now()}))
        row = {"id": f"t{token}", "person": person, "name": "a bot", "token_hash": ids.hashed(person), "scopes": ""}
        await store.write((insert(tokens), {**row, "at": now()}))
        row = {"person": person, "pool": "chess/live", "rating": 1662.0, "deviation": 290.0, "volatility": 0.06}
        await store.write((insert(ratings), {**row, "wins": 1, "draws": 0, "losses": 0, "at": now()}))
        row = {"id": f"u{token}", "creator": person, "name": f"cup of {NAMES[person]}", "phase": "open", "card": "{}"}
        row |= {"description": SAID if person == ANA else ANSWERED, "starts_at": now(), "at": now(), "number": 1}
        await store.write((insert(tournaments), {**row, "next_at": None}))
        await store.write((insert(tournament_events), {"tournament": f"u{token}", "number": 1, "body": "{}"}))
        row = {"tournament": f"u{token}", "player": 1, "person": person, "name": NAMES[person]}
        await store.write((insert(entrants), row))
        await store.write((insert(calendars), {"person": person, "secret_hash": f"z{token}"}))
        row = {"number": int(person == BO) + 1, "person": person, "game": "magi", "puzzle": 1, "themes": "save"}
        row |= {"solved": True, "at": now(), "rating": 1500.0, "deviation": 350.0, "new": 1662.0}
        await store.write((insert(attempts), {**row, "puzzle_rating": 1200.0, "puzzle_deviation": 200.0}))
        row = {"match": "finished", "side": "white" if person == ANA else "black", "person": person, "game": "chess"}
        await store.write((insert(comparisons), {**row, "positions": 9, "first_choices": 4, "loss": 99, "at": now()}))
        other = BO if person == ANA else ANA
        for table in (follows, blocks):
            await store.write((insert(table), {"person": person, "other": other, "at": now()}))
        await store.write((insert(conversations), {"person": person, "other": other, "last": 1, "read": 0}))
        words = SAID if person == ANA else ANSWERED
        row = {"low": ANA, "high": BO, "id": int(person == BO), "sender": person, "text": words, "at": now()}
        await store.write((insert(messages), row))
        await store.write((insert(moderators), {"person": person, "at": now()}))
        row = {"id": f"r{token}", "reporter": person, "about": other, "text": "", "reason": words, "at": now()}
        await store.write((insert(reports), {**row, "done": False}))
        row = {"id": int(person == BO), "moderator": person, "moderator_name": NAMES[person], "person": other}
        row |= {"person_name": NAMES[other], "action": "mute", "reason": "because", "at": now()}
        await store.write((insert(moderation), row))
        await store.write((insert(days_off), {"person": person, "since": now(), "until": now(), "left": 0}))
        row = {"match": "finished", "side": "white" if person == ANA else "black", "person": person, "number": 9}
        await store.write((insert(conditional_moves), {**row, "fen": "8/8", "body": "[]"}))
        row = {"match": "finished", "person": person, "text": f"note of {token}", "at": now()}
        await store.write((insert(notes), row))
        await store.write((insert(dailies), {"guest": person, "day": "2026-11-02", "at": now()}))
        for done in (True, False):
            job = {"id": f"{token}{done}"[:32], "visitor": person, "body": "{}", "done": done, "at": now()}
            await store.write((insert(jobs), job), (insert(findings), {"job": job["id"], "ply": 0, "body": "{}"}))
    study_store = Studies(store, Bus())
    for person in (ANA, BO):
        other = BO if person == ANA else ANA
        words = {ANA: SAID, BO: ANSWERED}
        study = await study_store.make(person, f"A study of {NAMES[person]}", "link")
        chapter = wire.NewChapter(title="A chapter", game="chess", nodes=[wire.TreeNode(-1, "e2e4")])
        await study.add(person, [draft(load("chess"), chapter)])
        # Bo writes nothing in hers, and so it goes with her.
        row = {"study": study.id, "person": other, "role": "writer" if person == BO else "reader", "at": now()}
        await store.write((NEW_MEMBER, row))
        await study.reread()
        for node, who in enumerate((person, other) if person == BO else (person,)):
            comment = wire.WriteComment(chapter=1, node=node, before="", text=words[who], id="")
            await study.command(who, comment)
    for person in (ANA, BO):
        row = {"person": person, "kind": "muted", "until": None, "reason": "because", "at": now(), "pending": False}
        await store.write((insert(sanctions), row))
    over: list[events.Event] = [events.Resigned(at=now(), by="black")]
    await add(store, "finished", [*seated(ANA, BO, opponent="lobby"), *played(*MOVES), *over])
    before = {f"{side}_{what}": 1500.0 for side in ("white", "black") for what in ("rating", "deviation", "new")}
    for number, (match, white, black) in enumerate((("finished", ANA, BO), ("his", BO, BO))):
        row = {"number": number, "match": match, "pool": "chess/live", "white": white, "black": black}
        await store.write((insert(results), {**row, "points": 1.0, "at": now(), **before}))
    await add(store, "running", [*seated(BO, ANA), *played(*MOVES)])
    await add(store, "begun", seated(BO, ANA))
    await add(store, "alone", [*seated(ANA, ANA, opponent="self"), *played(*MOVES), *over])
    await add(store, "engine", [*seated(ANA, None, opponent="engine"), *played(*MOVES[:2])])
    await add(store, "open", seated(ANA, ""), invite="hash of an invite")
    await add(store, "asked", seated(BO, ""), asked=ANA)
    await add(store, "his", [*seated(BO, BO, opponent="self"), *played(*MOVES), *over])
    await add(store, "his-open", seated(BO, ""), asked=None)
    lines = [
        ("finished", "white", ANA, ANA),
        ("finished", "black", BO, BO),
        # From before authors were stored.
        ("finished", "white", ANA, None),
        ("finished", "black", BO, None),
        # As a spectator.
        ("his", "watcher", ANA, ANA),
        ("his", "white", BO, BO),
    ]
    for id, (match, by, name, person) in enumerate(lines):
        text = SAID if name == ANA else ANSWERED
        row = {"match": match, "id": id, "by": by, "name": NAMES[name], "text": text, "at": now(), "person": person}
        await store.write((NEW_LINE, row))
    for person, text in ((ANA, RECORD), (BO, RECORD.replace(b"Zephyrine at", b"Somebody at").replace(b"Her", b"His"))):
        batch = pgn_import.read(text, 0, 10, person, f"key of {person}", {}, now())
        for record in batch.records:
            await store.write(*pgn_import.steps(record))
    await search_index.archive_portion(rooms)


def published(folder: Path) -> Publishing:
    """Publish a game of Ana's, and a report by her."""
    shelf = folder / "games" / "published"
    shelf.mkdir(parents=True, exist_ok=True)
    version = wire.PublishedVersion("hash", now())
    report = publishing.Report(ANA, "her reason", now())
    for id, owner in (("her-game", ANA), ("his-game", BO)):
        (shelf / f"{id}.toml").write_text(DEFINITION.replace("her-game", id))
        reports = [report, publishing.Report(BO, "his reason", now())]
        record = publishing.Record(f"guest {owner}", [version], reports)
        (shelf / f"{id}.json").write_bytes(msgspec.json.encode(record))
    return Publishing(Catalogue(folder / "games"), folder / "games", "everybody", None)


async def everything(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of all tables."""
    return {table.name: sorted(map(tuple, await store.all(select(table)))) for table in metadata.sorted_tables}

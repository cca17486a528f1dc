"""Studies over HTTP: lists, chapters, people, PGN, and attempts at exercises."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import Path, Query, Request, Response

from acedrex import Error
from acedrex.server import wire
from acedrex.server.api import offload
from acedrex.server.api.bodies import json_body
from acedrex.server.api.games import chosen_game
from acedrex.server.api.limits import spend
from acedrex.server.api.moderation import Moderator
from acedrex.server.api.people import CurrentPerson
from acedrex.server.api.routes import Reader, Routes, refused
from acedrex.server.api.subjects import game_of
from acedrex.server.api.tokens import OptionalPerson
from acedrex.server.games.catalogue import is_strangers
from acedrex.server.people import moderation, relations
from acedrex.server.people.names import clean_text
from acedrex.server.refusal import Refusal
from acedrex.server.services import Served, Services
from acedrex.server.studies import chapters, state
from acedrex.server.studies.room import Study
from acedrex.server.studies.state import Chapter
from acedrex.server.studies.store import WITHDRAWN

router = Routes("/api/studies", "studies")

StudyId = Annotated[str, Path(max_length=32, pattern="^[A-Za-z0-9]+$")]
ChapterId = Annotated[int, Path(ge=1, le=2**31)]
Who = Annotated[str, Path(min_length=1, max_length=80)]
#: Trees and games in PGN have more bytes than other bodies.
LARGE = Reader(partial(json_body, most=2 * 1024 * 1024))

PGN = "application/x-chess-pgn"


@router.get("", responses=refused(401))
async def list_studies(
    request: Request,
    services: Served,
    person: OptionalPerson,
    whose: wire.Whose = "public",
    after: Annotated[str | None, Query(max_length=60)] = None,
) -> wire.StudyPage:
    """List public studies, or one's own and those in which one takes part, those that were changed last first."""
    spend(request, "work", 2)
    if whose == "mine" and person is None:
        raise Refusal("unknown_guest", "your own studies need your token: send Authorization: Bearer TOKEN")
    return await services.studies.listed(person, mine=whose == "mine", after=after)


@router.post("", status_code=201, responses=refused(401, 403, 404, 409))
async def make(
    request: Request, services: Served, person: CurrentPerson, body: Annotated[wire.NewStudy, LARGE]
) -> wire.StudyCreated:
    """Make a study, perhaps with its first chapter."""
    spend(request, "studies", person=person.id)
    first = None if body.chapter is None else await _draft(request, services, body.chapter)
    study = await services.studies.make(person.id, clean_text(body.title), body.access)
    if first is not None:
        await study.add(person.id, [first])
    return wire.StudyCreated(study.id)


async def _draft(request: Request, services: Services, chapter: wire.NewChapter) -> chapters.Draft:
    game = await chosen_game(services, chapter.game, chapter.options)
    chapter.title = clean_text(chapter.title)
    return await offload.run(request, game, len(chapter.nodes), partial(chapters.draft, game, chapter))


@router.get("/{id}", responses=refused(401, 404))
async def get_study(request: Request, services: Served, person: OptionalPerson, id: StudyId) -> wire.Study:
    """Return a study with its people and its chapters, without their moves."""
    spend(request, "work")
    return await (await services.studies.get(id)).told(person)


@router.patch("/{id}", responses=refused(401, 403, 404, 409))
async def change(services: Served, person: CurrentPerson, id: StudyId, body: wire.StudyRequest) -> None:
    """Give a study of one's own another title or other access."""
    study = await services.studies.get(id)
    await study.entitle(person.id, None if body.title is None else clean_text(body.title), body.access)


@router.delete("/{id}", responses=refused(401, 403, 404))
async def delete(services: Served, person: CurrentPerson, id: StudyId) -> None:
    """Delete a study of one's own with all its chapters. Nothing brings it back."""
    study = await services.studies.get(id)
    study.check_owns(person.id)
    await services.studies.delete(study)


# Chapters.


@router.get("/{id}/chapters/{chapter}", responses=refused(401, 404))
async def get_chapter(
    request: Request, services: Served, person: OptionalPerson, id: StudyId, chapter: ChapterId
) -> wire.StudyChapter:
    """Return a chapter with its moves; those of an exercise only to its writers."""
    study = await services.studies.get(id)
    study.check_reads(person)
    found = study.chapter(person, chapter)
    spend(request, "work", 1 + len(found.nodes) / 150)
    return found


@router.post("/{id}/chapters", status_code=201, responses=refused(401, 403, 404, 409))
async def add_chapter(
    request: Request,
    services: Served,
    person: CurrentPerson,
    id: StudyId,
    body: Annotated[wire.NewChapter, LARGE],
) -> wire.ChaptersAdded:
    """Add a chapter to a study."""
    study = await services.studies.get(id)
    await study.check_writes(person.id)
    spend(request, "studies", person=person.id)
    draft = await _draft(request, services, body)
    return wire.ChaptersAdded(await study.add(person.id, [draft]), draft.faults)


@router.post("/{id}/pgn", status_code=201, responses=refused(401, 403, 404, 409))
async def read_pgn(
    request: Request, services: Served, person: CurrentPerson, id: StudyId, body: Annotated[wire.StudyPgn, LARGE]
) -> wire.ChaptersAdded:
    """Add each game of a PGN as a chapter, with variations, comments, glyphs and arrows."""
    study = await services.studies.get(id)
    await study.check_writes(person.id)
    spend(request, "studies", person=person.id)
    games = await services.catalogue.named_in(body.pgn)
    of_a_stranger = next(filter(is_strangers, games.values()), None)
    left = wire.MAX_CHAPTERS - len(study.contents.chapters)
    # A move has at least two characters.
    drafts, faults = await offload.run(
        request, of_a_stranger, len(body.pgn) // 2, partial(chapters.drafts, games, body.pgn, left)
    )
    return wire.ChaptersAdded(await study.add(person.id, drafts), faults)


@router.get("/{id}/pgn", responses=refused(401, 404))
async def write_pgn(
    request: Request,
    services: Served,
    person: OptionalPerson,
    id: StudyId,
    chapter: Annotated[int | None, Query(ge=1, le=2**31)] = None,
) -> Annotated[Response, PGN]:
    """Return a study, or one chapter of it, as PGN. The solutions of exercises are in it."""
    study = await services.studies.get(id)
    study.check_reads(person)
    texts = []
    for one in study.contents.chapters:
        if chapter in (None, one.info.id):
            texts.append(await _written(request, services, study, one))
    if not texts:
        raise Refusal("no_such_chapter", "this study has no such chapter", "chapter")
    headers = {"Content-Disposition": f'attachment; filename="acedrex-study-{id}.pgn"'}
    return Response("\n\n".join(texts) + "\n", media_type=PGN, headers=headers)


async def _written(request: Request, services: Services, study: Study, chapter: Chapter) -> str:
    game = await game_of(services, chapter)
    told = state.told(chapter)
    try:
        return await offload.run(request, game, len(told.nodes), partial(chapters.written, game, told, study.title))
    except Error as error:
        return f"; {chapter.info.title} is left out: {error}"


@router.post("/{id}/chapters/{chapter}/attempts", responses=refused(401, 404))
async def attempt(
    request: Request, services: Served, person: OptionalPerson, id: StudyId, chapter: ChapterId, body: wire.Attempt
) -> wire.StudyAttempt:
    """Judge an attempt at an exercise: the moves of the main line solve it."""
    study = await services.studies.get(id)
    study.check_reads(person)
    found, result, comment = await judged(request, services, study, chapter, body)
    over = result.verdict in ("solved", "shown")
    return wire.StudyAttempt(result, comment, state.told(found) if over else None)


async def judged(
    request: Request, services: Services, study: Study, chapter: int, body: wire.Attempt
) -> tuple[Chapter, wire.AttemptResult, str]:
    """Judge an attempt at an exercise of a study.

    :raises Refusal: if there is no such exercise.
    """
    found = state.chapter_of(study.contents, chapter)
    if found is None or found.info.mode != "exercise" or state.first(found, state.START) is None:
        raise Refusal("no_such_chapter", "this study has no such exercise", "chapter")
    game = await game_of(services, found)
    nodes = state.told(found).nodes
    job = partial(chapters.judge, game, nodes, body)
    result, comment = await offload.run(request, game, len(nodes) if body.show else len(body.moves), job)
    return found, result, comment


# People.


@router.put("/{id}/people/{who}", responses=refused(401, 403, 404, 409))
async def add_person(
    request: Request, services: Served, person: CurrentPerson, id: StudyId, who: Who, body: wire.MemberRequest
) -> None:
    """Let somebody write in a study of one's own, or read it."""
    study = await services.studies.get(id)
    study.check_owns(person.id)
    spend(request, "studies", person=person.id)
    member = await _member(services, study, who)
    if member is None:
        member = await relations.find(services.store, person.id, who)
    await services.studies.add(study, member, body.role)


@router.delete("/{id}/people/{who}", responses=refused(401, 403, 404))
async def remove_person(services: Served, person: CurrentPerson, id: StudyId, who: Who) -> None:
    """Remove somebody from a study of one's own, or oneself from another's."""
    study = await services.studies.get(id)
    study.check_reads(person.id)
    member = await _member(services, study, who)
    if member is None:
        raise relations.no_such_person()
    if member.id != person.id:
        study.check_owns(person.id)
    await services.studies.remove(study, member.id)


async def _member(services: Services, study: Study, who: str) -> relations.Known | None:
    """Return the person of a study whom a request names."""
    found = await relations.known(services.store, study.members, closed=True)
    return next((one for one in found.values() if one.who.casefold() == who.casefold()), None)


# Reports.


@router.post("/{id}/reports", status_code=204, responses=refused(401, 404, 409))
async def report(
    request: Request, services: Served, person: CurrentPerson, id: StudyId, body: wire.StudyReport
) -> None:
    """Report a study that one can read to the moderators."""
    spend(request, "reports", person=person.id)
    study = await services.studies.get(id)
    study.check_reads(person.id)
    owner = (await relations.known(services.store, [study.owner], closed=True)).get(study.owner)
    if owner is None:
        raise relations.no_such_person()
    if owner.id == person.id:
        raise Refusal("yourself", "this study is yours; you can delete it", "study")
    await moderation.report(services.store, person.id, owner, body.reason, None, None, study.title, study=study.id)


@router.post("/{id}/withdrawal", responses=refused(401, 403, 404))
async def withdraw(services: Served, by: Moderator, id: StudyId, body: wire.StudyReport) -> None:
    """Withdraw a study as a moderator: only its people can still read it. It is written into the log."""
    study = await services.studies.get(id)
    owner = (await relations.known(services.store, [study.owner], closed=True)).get(study.owner)
    if owner is None:
        raise relations.no_such_person()
    await moderation.check_may_act(services.store, by, owner)
    step = (WITHDRAWN, {"_study": id})
    await moderation.withdrawn(services.store, by, owner, id, body.reason, step)
    await study.people_changed()

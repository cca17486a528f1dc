"""The playable games: those shipped with Acedrex, and those in a folder of definition files."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import hashlib
import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import msgspec
import structlog
from msgspec import Struct

from acedrex import Board, DefinitionError, Error, languages, lessons, load, plain
from acedrex.game import FEATURED, Game, games, read_definition
from acedrex.server import ids, wire
from acedrex.server.games.checker import CheckResult, Fault, check, listed
from acedrex.server.refusal import Refusal

log = structlog.get_logger()

#: The PGN tag that names the game.
VARIANT = re.compile(r'\[\s*Variant\s*"\s*([\w-]{1,64})\s*"', re.ASCII)
#: The place in a bent slide where the direction of its second leg would be.
BENT = re.compile(r"(?<=[FAGB]\?)(?=R)|(?<=[WDHR]\?)(?=B)")
#: The maximum number of files read from the operator's folder, and from that of published games.
MAX_FILES, MAX_PUBLISHED = 200, 1_000
#: The folder of published games, below that of the operator's.
PUBLISHED = "published"


#: What changes with a file: its modification time in nanoseconds, and its size.
Stamp = tuple[int, int]


class Entry(Struct):
    """A definition file, its text, and the result of its check."""

    changed: Stamp
    text: str
    checked: CheckResult


class Catalogue:
    """All games by id."""

    def __init__(self, folder: Path | None = None) -> None:
        """Start with the shipped games."""
        self._folder = folder
        self._files: dict[str, Entry] = {}
        #: The files of playable games, by the games' ids.
        self._playable: dict[str, str] = {}
        self._refreshing = asyncio.Lock()

    async def refresh(self) -> None:
        """Read new and changed definition files, and forget deleted ones. Faults are only logged, for the operator."""
        if self._folder is not None:
            async with self._refreshing:
                await self._refresh(self._folder)

    async def _refresh(self, folder: Path) -> None:
        stamps = await asyncio.to_thread(_stamps, folder)
        for name in self._files.keys() - stamps.keys():
            del self._files[name]
        changed: dict[str, tuple[Stamp, str, CheckResult | None]] = {}
        for name, stamp in stamps.items():
            if name not in self._files or self._files[name].changed != stamp:
                try:
                    changed[name] = (stamp, *await asyncio.to_thread(_read, folder / name))
                except OSError:
                    self._files.pop(name, None)
        # One process for all, since starting it takes longer than to compile most games.
        unchecked = [(name, text) for name, (_, text, fault) in changed.items() if fault is None]
        results = dict(zip((name for name, _ in unchecked), await check(unchecked), strict=True)) if unchecked else {}
        for name, (stamp, text, fault) in changed.items():
            checked = fault or results[name]
            if checked is not None:
                self._files[name] = Entry(stamp, text, checked)
            else:
                # What is known of the file before stays, and the next refresh checks it again.
                log.warning("check_killed", file=name)
        self._playable = self._by_id()
        for name in changed.keys() & self._files.keys():
            for found in self._faults(name):
                # The fault may be in the game that the definition extends.
                log.warning("definition_fault", definition=name, **msgspec.structs.asdict(found))

    async def watch(self) -> None:
        """Refresh the folder every second, forever."""
        while self._folder is not None:
            await asyncio.sleep(1)
            try:
                await self.refresh()
            except Exception as error:
                log.error("refresh_failed", exc_info=error)

    def _by_id(self) -> dict[str, str]:
        """Return the playable files by game id; of two files with one id the operator's, or else the first, counts."""
        found: dict[str, str] = {}
        for name, entry in sorted(self._files.items(), key=lambda item: item[0].startswith(f"{PUBLISHED}/")):
            summary = entry.checked.summary
            if summary is not None and summary.id not in games():
                found.setdefault(summary.id, name)
        return found

    def _faults(self, name: str) -> list[Fault]:
        """Return the reasons why a file cannot be played."""
        checked = self._files[name].checked
        if checked.summary is None or self._playable.get(checked.summary.id) == name:
            return checked.faults
        message = f"another game already has the id {checked.summary.id!r}; choose another"
        return [Fault(name, 1, 1, "game.id", message)]

    async def game(self, id: str, options: Mapping[str, str] | None = None) -> Game:
        """Load a game, with options chosen. One from a file is compiled when it is asked for, in a thread.

        :raises Refusal: if there is no such game or option.
        """
        if id in games():
            plain = load(id)
        elif name := self._playable.get(id):
            plain = await asyncio.to_thread(compiled, self._files[name].text, name, ())
        else:
            raise Refusal("no_such_game", f"unknown game {id!r}", "game")
        for option, value in (options or {}).items():
            kind = plain.options.get(option)
            if kind is None or value not in kind.values:
                wrong = (
                    "is not one of its options"
                    if kind is None
                    else f"cannot be {value!r}; choose from {', '.join(kind.values)}"
                )
                raise Refusal("no_such_option", f"{plain.name}: {option} {wrong}", f"options.{option}")
        return await asyncio.to_thread(with_options, plain, options) if options else plain

    async def named_in(self, pgn: str) -> dict[str, Game]:
        """Return the games of the folder that a PGN text names, by id; shipped games need no mention."""
        named = set(VARIANT.findall(pgn)) if self._playable else set()
        return {id: await self.game(id) for id in named & self._playable.keys()}

    def summaries(self, language: str | None = None) -> list[wire.GameSummary]:
        """List the games, featured ones first and those of the folder last."""
        shipped = sorted(games(), key=lambda id: (FEATURED.index(id) if id in FEATURED else len(FEATURED), id))
        found = [_summary(*_texts(load(id), language)) for id in shipped]
        for id, name in self._playable.items():
            summary = self._files[name].checked.summary
            assert summary is not None
            found.append(msgspec.structs.replace(summary, origin=self._origin(id)))
        return found

    def is_operators(self, id: str) -> bool:
        """Return whether a file of the operator's has this id."""
        return self._origin(id) == "file"

    def _origin(self, id: str) -> wire.Origin:
        """Return where a game is from; an unknown one is not from a file."""
        if id not in self._playable:
            return "shipped"
        return "published" if self._playable[id].startswith(f"{PUBLISHED}/") else "file"

    async def describing(self, game: Game, language: str | None = None) -> Callable[[], wire.Game]:
        """Return a job that describes a game in full, also one that is no longer offered, or has other rules today."""
        return partial(described, game, language, self._origin(game.id), await self._has_changed(game))

    async def _has_changed(self, game: Game) -> bool:
        try:
            return await self.game(game.id, game.chosen_options) != game
        except Refusal as refusal:
            return refusal.problem.code == "no_such_option"


def _stamps(folder: Path) -> dict[str, Stamp]:
    """Return the definition files of a folder, by their names below it, and which version of each is there."""
    paths = [*sorted(folder.glob("*.toml"))[:MAX_FILES], *sorted((folder / PUBLISHED).glob("*.toml"))[:MAX_PUBLISHED]]
    found = {}
    for path in paths:
        with contextlib.suppress(OSError):
            status = path.stat()
            found[path.relative_to(folder).as_posix()] = (status.st_mtime_ns, status.st_size)
    return found


def _read(path: Path) -> tuple[str, CheckResult | None]:
    """Read a file: its text, or why it is no text."""
    try:
        return read_definition(path), None
    except DefinitionError as error:
        return "", CheckResult(msgspec.convert(error.faults, list[Fault], from_attributes=True))


@functools.lru_cache(maxsize=512)
def compiled(text: str, file: str, options: tuple[tuple[str, str], ...]) -> Game:
    """Compile a definition that has been checked, perhaps by an earlier version of Acedrex."""
    return Game.stored(text, file, dict(options))


def is_strangers(game: Game) -> bool:
    """Return whether somebody has published a game here: what is asked of it may take long."""
    return game.file.startswith(f"{PUBLISHED}/")


def with_options(game: Game, options: Mapping[str, str]) -> Game:
    """Choose options of a game."""
    if not options:
        return game
    if game.id in games() and not game.is_outdated:
        return load(game.id, **options)
    return compiled(game.source, game.file, tuple(sorted(options.items())))


def plain_game(game: Game) -> Game:
    """Return a game with its default options."""
    if game.id in games() and not game.is_outdated:
        return load(game.id)
    return compiled(game.source, game.file, ())


def in_language(game: Game, language: str | None) -> Game:
    """Return a game with its texts in a language, or in English if it has no translation."""
    return game.localized(language) if language in languages() else game


@functools.lru_cache(maxsize=512)
def _definition(source: str, game: Game) -> tuple[str, str]:
    text = game.full_source
    return hashlib.sha256(text.encode()).hexdigest(), text


def definition(game: Game) -> tuple[str, str]:
    """Return the text to store with a match, so that it can continue when its game has changed, and its hash."""
    return _definition(game.source, game)


def restore(text: str, file: str, options: Mapping[str, str], rules_hash: str) -> Game:
    """Load the game of a stored match: today's if its rules are still the same, or else what was stored.

    :raises Error: if the text cannot be read, or has other rules in this version of Acedrex than when it was stored.
    """
    if file in games():
        with contextlib.suppress(Error):  # It may have lost an option.
            today = load(file, **options)
            if today.rules_hash == rules_hash:
                return today
    chosen = tuple(sorted(options.items()))
    game = compiled(text, file, chosen)
    if game.rules_hash != rules_hash:
        # Until November 2026 a slide after "?" went in all directions, and not outward.
        game = compiled(BENT.sub("fsbs", text), file, chosen)
    if game.rules_hash != rules_hash:
        raise Error(f"the definition of {game.name} was read as other rules when it was stored")
    return game


def setup(game: Game, name_or_number: str) -> wire.Setup:
    """Find a setup by its name or number.

    :raises Refusal: if there is no such setup.
    """
    try:
        is_number = name_or_number.isascii() and name_or_number.isdigit()
        name = game.setups.name(int(name_or_number[:9])) if is_number else name_or_number.upper()
        return wire.Setup(name, game.setups.number(name), game.setup_fen(name))
    except Error as error:
        raise Refusal("no_such_setup", str(error), "setup") from None


def start_of(board: Board) -> tuple[str | None, str | None]:
    """Return the setup that a starting position is, or else its FEN if it is not the standard one."""
    game, fen = board.game, board.fen()
    setup = board.setup_name() if len(game.setups) else None
    if setup is not None and game.setup_fen(setup) == fen:
        return setup, None
    return None, None if fen == game.start_fen else fen


def _texts(game: Game, language: str | None) -> tuple[Game, str | None, str]:
    """Return a game in a language, and what decides its texts: games with the same rules compare equal."""
    return in_language(game, language), language, game.source


@functools.lru_cache(maxsize=512)
def _summary(game: Game, language: str | None, source: str) -> wire.GameSummary:
    return wire.GameSummary(**listed(game))


def described(game: Game, language: str | None, origin: wire.Origin, changed: bool) -> wire.Game:
    """Return a game in full."""
    return msgspec.structs.replace(_details(*_texts(game, language), origin), changed=changed)


@functools.lru_cache(maxsize=512)
def _details(game: Game, language: str | None, source: str, origin: wire.Origin) -> wire.Game:
    return wire.Game(
        **listed(game),
        origin=origin,
        link=game.link,
        story=game.story,
        rules=[wire.RuleText(key, game.rule_titles[key], text) for key, text in game.rules.items()],
        scoring=game.scoring,
        rules_hash=game.rules_hash,
        has_check=game.has_check,
        options=[wire.OptionKind(o.name, o.help, o.values, o.default) for o in game.options.values()],
        pieces=plain.piece_types(game),
        setup=plain.setup_phase(game),
        setup_scores=_setup_scores(game) if origin == "shipped" else None,
        not_in_play=not_in_play(game),
    )


def _setup_scores(game: Game) -> wire.SetupScores | None:
    found = lessons.setup_scores(game)
    return None if found is None else msgspec.convert(found, wire.SetupScores, from_attributes=True)


def not_in_play(game: Game) -> dict[str, str]:
    """Return the kinds that are not in play, by letter, with the option that brings them into play, if any."""
    found = {piece.letter: "" for piece in game.pieces if piece.letter not in game.in_play}
    if not found:
        return found
    for option in game.options.values():
        for value in option.values:
            brought = with_options(game, {option.name: value}).in_play
            found |= {letter: option.name for letter, by in found.items() if not by and letter in brought}
    return found


def random_setup(game: Game) -> str:
    """Return the name of a random setup."""
    return game.setups[ids.random_below(len(game.setups))]

"""A bot: accepts challenges, and plays each match with its own process of the program."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from acedrex.board import Board
from acedrex.bot.client import BotError, Client
from acedrex.engine import EngineError, Limit, UciEngine
from acedrex.errors import Error
from acedrex.game import games, load

#: Seconds before reconnecting to a server: at first, and at most.
PAUSE, LONGEST_PAUSE = 1.0, 60.0
#: Errors that a retry cannot fix.
FINAL = ("unknown_token", "unknown_guest", "missing_scope", "address")
#: The server sends at least this number of milliseconds if there is no clock.
NEVER = 2**31 - 1


@dataclass(frozen=True)
class Offer:
    """A challenge that the bot keeps in the lobby: the game, and the seconds per game and increment per turn."""

    game: str
    clock: tuple[int, int] | None = None


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a bot plays."""

    engine: str
    """The command line of a UCI program."""
    options: dict[str, str] = field(default_factory=dict)
    """UCI options of the program, by name."""
    games: tuple[str, ...] = ()
    """The ids of the games to play; by default all that the program knows."""
    variant: str | None = None
    """The program's own name of the only game to play; ``"none"`` if it plays nothing else."""
    matches: int = 1
    """The most matches at once."""
    think: float = 3.0
    """Seconds per turn in matches without a clock."""
    offer: Offer | None = None


class Bot:
    """A bot on a server.

    :param client: the server.
    :param settings: how to play.
    :param say: called with a line of text for each event.
    :raises EngineError: if the program cannot be started, or plays none of the games.
    """

    def __init__(self, client: Client, settings: Settings, say: Callable[[str], None]) -> None:
        self._client = client
        self._settings = settings
        self._say = say
        self._lock = threading.Lock()
        #: Held while a challenge is posted, so that there is only one.
        self._offering = threading.Lock()
        self._playing: set[str] = set()
        #: The id of our challenge in the lobby.
        self._offered: str | None = None
        if settings.variant is not None and len(settings.games) != 1:
            raise EngineError("a bot with a variant plays one game; name it with --game")
        with self._start() as engine:
            wanted = settings.games or games()
            #: The ids of the games that the bot plays.
            self.games = tuple(id for id in wanted if engine.plays(load(id)))
        if not self.games:
            raise EngineError(f"{engine.name} plays none of {', '.join(wanted)}")

    def _start(self) -> UciEngine:
        settings = self._settings
        return UciEngine(settings.engine, options=settings.options, variant=settings.variant)

    def run(self) -> None:
        """Play until the process ends.

        :raises BotError: if the server refuses the bot.
        """
        me = self._client.get("/api/account")
        self._say(f"playing as {me['username']} (id {me['id']}): {', '.join(self.games)}")
        pause = PAUSE
        while True:
            try:
                self._offer()
                for event in self._client.lines("/api/stream/event"):
                    pause = PAUSE
                    self._handle(event, str(me["id"]))
            except BotError as error:
                if error.code in FINAL:
                    raise
                self._say(f"{error}; trying again in {pause:.0f} s")
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _handle(self, event: dict[str, Any], me: str) -> None:
        if event["type"] == "gameStart":
            self._begin(event["game"]["id"])
        elif event["type"] == "challenge" and event["challenge"]["challenger"]["id"] != me:
            challenge = event["challenge"]
            with self._lock:
                busy = len(self._playing - {self._offered})
            accepted = challenge["variant"]["key"] in self.games and busy < self._settings.matches
            with suppress(BotError):  # it may have been withdrawn meanwhile
                if accepted and self._offered is not None and busy + 1 >= self._settings.matches:
                    self._client.post(f"/api/challenge/{self._offered}/cancel")
                self._client.post(f"/api/challenge/{challenge['id']}/{'accept' if accepted else 'decline'}")
                if accepted:  # the next challenge may come before the start of this match
                    self._begin(challenge["id"])
                verb = "accepted" if accepted else "declined"
                self._say(f"{verb} {challenge['challenger']['name']}'s challenge: {challenge['variant']['name']}")

    def _offer(self) -> None:
        """Post a challenge in the lobby, if there should be one and is not."""
        offer = self._settings.offer
        if offer is None:
            return
        with self._offering:
            with self._lock:
                if self._offered is not None or len(self._playing) >= self._settings.matches:
                    return
            fields: dict[str, object] = {"variant": offer.game}
            if offer.clock is not None:
                fields |= {"clock.limit": offer.clock[0], "clock.increment": offer.clock[1]}
            made = self._client.post("/api/challenge/open", **fields)
            self._offered = made["id"]
        self._say(f"waiting in the lobby: {made['variant']['name']}, {made['url']}")
        # Following its stream shows the server that the challenger is online.
        self._begin(made["id"])

    def _begin(self, match: str) -> None:
        with self._lock:
            if match in self._playing:
                return
            self._playing.add(match)
        threading.Thread(target=self._play, args=(match,), daemon=True).start()

    def _play(self, match: str) -> None:
        try:
            with self._start() as engine:
                table = _Table(self._client, match, engine, self._settings.think, self._say)
                while not self._play_on(table):
                    time.sleep(PAUSE)
        except BotError as error:
            self._say(f"{match}: {error}")
        except Error as error:
            self._say(f"{match}: {error}; it is given up")
            self._give_up(match)
        finally:
            with self._lock:
                self._playing.discard(match)
                if self._offered == match:
                    self._offered = None
            with suppress(BotError):
                self._offer()

    def _play_on(self, table: _Table) -> bool:
        """Play until the match is over or the connection is lost; return whether the match is over."""
        try:
            return table.play()
        except BotError as error:
            if error.code != "away":
                raise
            return False

    def _give_up(self, match: str) -> None:
        for word in ("abort", "resign"):
            with suppress(BotError):
                self._client.post(f"/api/bot/game/{match}/{word}")
                return


class _Table:
    """A match that the bot plays."""

    def __init__(self, client: Client, match: str, engine: UciEngine, think: float, say: Callable[[str], None]) -> None:
        self._client = client
        self._path = f"/api/bot/game/{match}"
        self._stream = f"/api/bot/game/stream/{match}"
        self._match = match
        self._engine = engine
        self._think = think
        self._say = say
        self._full: dict[str, Any] = {}
        self._white = True
        self._is_over = False
        self._claim: threading.Timer | None = None

    def play(self) -> bool:
        """Play until the match is over or the stream ends; return whether it is over."""
        me = self._client.get("/api/account")["id"]
        try:
            for event in self._client.lines(self._stream):
                if event["type"] == "gameFull":
                    self._full, event = event, event["state"]
                    self._white = self._full["white"].get("id") == me
                if event["type"] == "gameState":
                    self._state(event)
                elif event["type"] == "opponentGone":
                    self._gone(event)
        finally:
            self._stop_claim()
        return self._is_over

    def _state(self, state: dict[str, Any]) -> None:
        status = state["status"]
        if status == "setup" and not self._white:
            with suppress(BotError):  # White's program may be the one to arrange
                self._client.post(f"{self._path}/setup/random")
        self._is_over = status not in ("created", "setup", "started")
        if self._is_over:
            self._say(f"{self._match} is over: {status}, {state.get('winner', 'nobody')} wins")
        if status != "started":
            return
        variant = self._full["variant"]
        board = Board(load(variant["key"], **variant["options"]), self._full["initialFen"])
        for move in state["moves"].split():
            board.push_uci(move)
        if board.turn != self._white:
            return
        moves = self._engine.play(board, self._limit(state)).moves
        with suppress(BotError):  # the match may be over or a takeback accepted, as the stream will say
            self._client.post(f"{self._path}/move/{','.join(move.uci() for move in moves)}")

    def _limit(self, state: dict[str, Any]) -> Limit:
        # Reserve some time for the connection to the server.
        white, black = (max(50, state[name] - 200) / 1000 for name in ("wtime", "btime"))
        if self._full["clock"]["type"] != "clock" or state["wtime"] >= NEVER:
            return Limit(time=self._think)
        gains = {"white_inc": state["winc"] / 1000, "black_inc": state["binc"] / 1000}
        return Limit(white_clock=white, black_clock=black, **gains)

    def _gone(self, event: dict[str, Any]) -> None:
        self._stop_claim()
        if event["gone"]:
            self._claim = threading.Timer(event.get("claimWinInSeconds", 0) + 1, self._claim_victory)
            self._claim.daemon = True
            self._claim.start()

    def _claim_victory(self) -> None:
        with suppress(BotError):  # the opponent is back
            self._client.post(f"{self._path}/claim-victory")

    def _stop_claim(self) -> None:
        if self._claim is not None:
            self._claim.cancel()

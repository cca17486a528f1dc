"""A bot: it takes challenges, and plays each match with a program of its own."""

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
from acedrex.engine.dialect import choose
from acedrex.errors import Error
from acedrex.game import Game, games, load

#: Seconds until a lost server is asked again: the first time, and at most.
PAUSE, LONGEST_PAUSE = 1.0, 60.0
#: Refusals that asking again does not mend.
FINAL = ("unknown_token", "unknown_guest", "missing_scope", "address")
#: From here on the server means that there is no clock; milliseconds.
NEVER = 2**31 - 1


@dataclass(frozen=True)
class Offer:
    """A challenge that the bot keeps in the lobby: the game, and seconds a game and more a turn."""

    game: str
    clock: tuple[int, int] | None = None


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a bot plays."""

    engine: str
    """The command of a program that speaks UCI."""
    options: dict[str, str] = field(default_factory=dict)
    """Its options."""
    games: tuple[str, ...] = ()
    """Ids of the games that it plays; by default all that the program knows."""
    matches: int = 1
    """How many at once."""
    think: float = 3.0
    """Seconds a turn where there is no clock."""
    offer: Offer | None = None


class Bot:
    """A bot on a server.

    :param say: is told in a line what happens.
    :raises EngineError: if the program cannot be run, or plays none of the games.
    """

    def __init__(self, client: Client, settings: Settings, say: Callable[[str], None]) -> None:
        self._client = client
        self._settings = settings
        self._say = say
        self._lock = threading.Lock()
        self._playing: set[str] = set()
        #: The challenge of ours that waits in the lobby.
        self._offered: str | None = None
        with UciEngine(settings.engine, options=settings.options) as engine:
            known = engine.options.get("UCI_Variant")
            variants = known.choices if known else ("chess",)
            wanted = settings.games or games()
            #: The games that it plays.
            self.games = tuple(id for id in wanted if _plays(engine.name, load(id), variants))
        if not self.games:
            raise EngineError(f"{engine.name} plays none of {', '.join(wanted)}")

    def run(self) -> None:
        """Play for ever.

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
                    self._hear(event, str(me["id"]))
            except BotError as error:
                if error.code in FINAL:
                    raise
                self._say(f"{error}; trying again in {pause:.0f} s")
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _hear(self, event: dict[str, Any], me: str) -> None:
        if event["type"] == "gameStart":
            self._begin(event["game"]["id"])
        elif event["type"] == "challenge" and event["challenge"]["challenger"]["id"] != me:
            asked = event["challenge"]
            with self._lock:
                busy = len(self._playing - {self._offered})
            takes = asked["variant"]["key"] in self.games and busy < self._settings.matches
            with suppress(BotError):  # it may have been withdrawn meanwhile
                if takes and self._offered is not None and busy + 1 >= self._settings.matches:
                    self._client.post(f"/api/challenge/{self._offered}/cancel")
                self._client.post(f"/api/challenge/{asked['id']}/{'accept' if takes else 'decline'}")
                what = "accepted" if takes else "declined"
                self._say(f"{what} {asked['challenger']['name']}'s challenge: {asked['variant']['name']}")

    def _offer(self) -> None:
        """Put a challenge into the lobby, if one should be there and is not."""
        offer = self._settings.offer
        with self._lock:
            if offer is None or self._offered is not None or len(self._playing) >= self._settings.matches:
                return
        fields: dict[str, object] = {"variant": offer.game}
        if offer.clock is not None:
            fields |= {"clock.limit": offer.clock[0], "clock.increment": offer.clock[1]}
        made = self._client.post("/api/challenge/open", **fields)
        self._offered = made["id"]
        self._say(f"waiting in the lobby: {made['variant']['name']}, {made['url']}")
        # Whoever looks at their challenge is known to be there.
        self._begin(made["id"])

    def _begin(self, match: str) -> None:
        with self._lock:
            if match in self._playing:
                return
            self._playing.add(match)
        threading.Thread(target=self._play, args=(match,), daemon=True).start()

    def _play(self, match: str) -> None:
        try:
            with UciEngine(self._settings.engine, options=self._settings.options) as engine:
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
        """Play until the match is over, or the server is away; tell which."""
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


def _plays(program: str, game: Game, variants: tuple[str, ...]) -> bool:
    try:
        choose(game, program, variants)
    except EngineError:
        return False
    return True


class _Table:
    """One match."""

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
        """Play until it is over, or the stream ends; tell whether it is over."""
        me = self._client.get("/api/account")["id"]
        try:
            for said in self._client.lines(self._stream):
                if said["type"] == "gameFull":
                    self._full, said = said, said["state"]
                    self._white = self._full["white"].get("id") == me
                if said["type"] == "gameState":
                    self._state(said)
                elif said["type"] == "opponentGone":
                    self._gone(said)
        finally:
            self._stop_claim()
        return self._is_over

    def _state(self, state: dict[str, Any]) -> None:
        status = state["status"]
        if status == "setup" and not self._white:
            with suppress(BotError):  # White's program may arrange
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
        with suppress(BotError):  # the match may be over, or a take-back granted: the stream says so
            self._client.post(f"{self._path}/move/{','.join(move.uci() for move in moves)}")

    def _limit(self, state: dict[str, Any]) -> Limit:
        # A little is kept for the way to the server.
        white, black = (max(50, state[name] - 200) / 1000 for name in ("wtime", "btime"))
        if self._full["clock"]["type"] != "clock" or state["wtime"] >= NEVER:
            return Limit(time=self._think)
        gains = {"white_inc": state["winc"] / 1000, "black_inc": state["binc"] / 1000}
        return Limit(white_clock=white, black_clock=black, **gains)

    def _gone(self, said: dict[str, Any]) -> None:
        self._stop_claim()
        if said["gone"]:
            self._claim = threading.Timer(said.get("claimWinInSeconds", 0) + 1, self._claim_victory)
            self._claim.daemon = True
            self._claim.start()

    def _claim_victory(self) -> None:
        with suppress(BotError):  # the opponent is back
            self._client.post(f"{self._path}/claim-victory")

    def _stop_claim(self) -> None:
        if self._claim is not None:
            self._claim.cancel()

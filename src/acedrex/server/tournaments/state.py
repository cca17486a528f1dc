"""The state of a tournament, folded from its events: the same events give the same tournament, anywhere."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field, structs

from acedrex.server import wire
from acedrex.server.tournaments import events
from acedrex.server.tournaments.events import Event
from acedrex.server.wire import Correspondence, Side

MINUTE, DAY = 60_000, 86_400_000
#: In a knockout, pairs of games that are added to a level match before the better seed goes on.
EXTRA_PAIRS = 2
#: Wins in a row after which a player of an arena is on fire.
STREAK = 2


class Player(Struct):
    """A player of a tournament."""

    number: int
    rating: int
    provisional: bool
    engine: str | None
    #: The round that was played, or had been, when they entered.
    since: int
    active: bool = True
    removed: bool = False
    #: The rounds that they will sit out, or have.
    byes: set[int] = field(default_factory=set)


class Game(Struct):
    """A game of a pair."""

    match: str
    white: int
    #: White's share of the points, once it is over, and whether both sides had made a move.
    points: float | None = None
    played: bool = False


class Board(Struct):
    """A pair of a round, with its games."""

    number: int
    round: int
    first: int
    second: int
    #: When it was paired.
    at: int
    games: list[Game] = field(default_factory=list)
    #: Whether it was decided without a game, and for whom.
    decided: bool = False
    winner: int | None = None
    #: When its last game ended.
    ended_at: int | None = None
    proposals: dict[int, list[int]] = field(default_factory=dict)
    appointment: int | None = None
    there: set[int] = field(default_factory=set)

    @property
    def players(self) -> tuple[int, int]:
        """Both players."""
        return self.first, self.second

    def other(self, player: int) -> int:
        """Return the opponent of a player."""
        return self.second if player == self.first else self.first

    @property
    def running(self) -> list[Game]:
        """The games that are played now."""
        return [game for game in self.games if game.points is None]

    def game_points(self) -> tuple[float, float]:
        """Return the points of the finished games, of the first and of the second player."""
        first = second = 0.0
        for game in self.games:
            if game.points is not None:
                mine = game.points if game.white == self.first else 1 - game.points
                first, second = first + mine, second + 1 - mine
        return first, second


class RoundRecord(Struct, frozen=True):
    """What a player did in a round."""

    round: int
    opponent: int | None
    #: What it was worth; nothing while it is played.
    points: float | None
    side: Side | None = None
    board: int | None = None
    #: Whether a game was played.
    played: bool = False
    #: Whether the player wanted to sit out the round or was not there, and whether it is a requested bye or a loss by
    #: forfeit: FIDE's requested byes, and voluntary unplayed rounds.
    requested: bool = False
    voluntary: bool = False
    #: The points of the games.
    game_points: float = 0.0
    wins: int = 0


class ArenaRecord(Struct, frozen=True):
    """What a player has done in an arena: the games with what they were worth, and whether the next counts double."""

    points: int
    games: list[RoundRecord]
    on_fire: bool


class Tournament:
    """A tournament: its players, boards and rounds."""

    def __init__(self, id: str, created: events.Created) -> None:
        """Start with the first event."""
        self.id = id
        self.created = created
        self.settings = created.settings
        self.number = 1
        self.at = created.at
        self.phase: wire.TournamentPhase = "open"
        self.players: dict[int, Player] = {}
        self.boards: list[Board] = []
        #: The pairing numbers, where they are not those of the ratings.
        self.order: list[int] = []
        self.starts_at = created.settings.starts_at
        self.started_at: int | None = None
        #: The last round that was paired, and when.
        self.round = 0
        self.paired_at = 0
        #: By round the player without an opponent, and those who sat it out.
        self.bye: dict[int, int] = {}
        self.sat_out: dict[int, set[int]] = {}
        self.finished_at: int | None = None
        self._of_player: dict[int, list[Board]] = {}
        self._by_match: dict[str, Board] = {}
        #: Of those whose boards have not changed since.
        self._of_arena: dict[int, ArenaRecord] = {}

    # What it is.

    @property
    def kind(self) -> wire.TournamentKind:
        """How it is played."""
        return self.settings.kind

    @property
    def by_appointment(self) -> bool:
        """Whether the players of a pair agree on a time."""
        return self.settings.appointment_days is not None

    @property
    def is_slow(self) -> bool:
        """Whether games last for days."""
        return isinstance(self.settings.time, Correspondence)

    @property
    def at_once(self) -> bool:
        """Whether all rounds begin together: of a round robin in which players need not be there at the same time."""
        return self.kind == "round_robin" and (self.is_slow or self.by_appointment)

    @property
    def shown_round(self) -> int:
        """The round that is played; none where there are no rounds, or all are played together."""
        return 0 if self.kind == "arena" or self.at_once else self.round

    @property
    def rounds(self) -> int | None:
        """The number of rounds; none in an arena, and none of those that depend on the players before the start."""
        match self.kind:
            case "swiss":
                return self.settings.rounds
            case "simul":
                return 1
            case "arena":
                return None
        if self.phase == "open":
            return None
        size = len(self.order)
        if self.kind == "knockout":
            return max(1, (size - 1).bit_length())
        return (size - 1 + size % 2) * self.settings.cycles

    @property
    def ends_at(self) -> int | None:
        """When an arena ends."""
        if self.kind != "arena":
            return None
        return (self.started_at or self.starts_at) + self.settings.minutes * MINUTE

    @property
    def host(self) -> int | None:
        """The host of a simul."""
        return 1 if self.kind == "simul" else None

    def active(self) -> list[int]:
        """Return the numbers of the players who still play, those with the higher ratings first."""
        found = [player for player in self.players.values() if player.active]
        return [player.number for player in sorted(found, key=seed)]

    def seeds(self) -> list[int]:
        """Return all players, those with the higher ratings first: their places are the pairing numbers of a Swiss."""
        return [player.number for player in sorted(self.players.values(), key=seed)]

    def boards_of(self, player: int) -> list[Board]:
        """Return the boards of a player, in the order in which they were paired."""
        return self._of_player.get(player, [])

    def board_of(self, match: str) -> Board | None:
        """Return the board of a match."""
        return self._by_match.get(match)

    def in_round(self, round: int) -> list[Board]:
        """Return the boards of a round."""
        return [board for board in self.boards if board.round == round]

    def unfinished(self) -> list[Board]:
        """Return the boards that are not decided yet."""
        return [board for board in self.boards if self.points(board) is None]

    def plays(self, player: int) -> bool:
        """Return whether a player is in a game now."""
        return any(board.running for board in self.boards_of(player)[-3:])

    def until(self, board: Board) -> int | None:
        """Return by when an appointment must have taken place."""
        days = self.settings.appointment_days
        if days is None:
            return None
        # All rounds of a round robin begin together, and have their days one after the other.
        return board.at + days * DAY * (board.round if self.at_once else 1)

    # Points.

    def points(self, board: Board) -> tuple[float, float] | None:
        """Return the points of a pair, of the first and of the second player, once it is decided."""
        if board.decided:
            return float(board.winner == board.first), float(board.winner == board.second)
        games = self.settings.games
        first, second = board.game_points()
        if self.kind == "knockout":
            return self._knockout_points(board, first, second)
        if len(board.games) < games or board.running:
            return None
        if games == 1:
            return first, second
        share = 0.5 if first == second else float(first > second)
        return share, 1 - share

    def _knockout_points(self, board: Board, first: float, second: float) -> tuple[float, float] | None:
        if board.running:
            return None
        games, over = self.settings.games, len(board.games)
        if over <= games and max(first, second) > games / 2:
            return float(first > second), float(second > first)
        # Games are added in pairs, so that nobody has White more often in these.
        if over < games or (over - games) % 2 or (first == second and over < games + 2 * EXTRA_PAIRS):
            return None
        ahead = first > second or (first == second and self._is_seeded_before(board.first, board.second))
        return float(ahead), float(not ahead)

    def _is_seeded_before(self, one: int, other: int) -> bool:
        return self.order.index(one) < self.order.index(other)

    def winner(self, board: Board) -> int | None:
        """Return who won a pair."""
        points = self.points(board)
        if points is None or points[0] == points[1]:
            return None
        return board.first if points[0] > points[1] else board.second

    def record(self, player: int) -> list[RoundRecord]:
        """Return what a player did in each round that was paired."""
        boards = {board.round: board for board in self.boards_of(player)}
        return [
            self._of_board(boards[round], player) if round in boards else self._without(player, round)
            for round in range(1, self.round + 1)
        ]

    def arena_record(self, player: int) -> ArenaRecord:
        """Return what a player has done in an arena.

        A win is worth two points and a draw one; after two wins in a row twice that, until a game is not won. What
        ends after the arena is worth nothing.
        """
        found = self._of_arena.get(player)
        if found is None:
            found = self._of_arena[player] = self._read_arena_record(player)
        return found

    def _read_arena_record(self, player: int) -> ArenaRecord:
        games, total, wins = [], 0, 0
        for board in self.boards_of(player):
            record = self._of_board(board, player)
            in_time = board.ended_at is not None and (self.ends_at is None or board.ended_at <= self.ends_at)
            if record.points is None or not in_time:
                games.append(structs.replace(record, points=None))
                continue
            worth = round(2 * record.points) * (2 if wins >= STREAK else 1)
            games.append(structs.replace(record, points=float(worth)))
            wins = wins + 1 if record.points == 1 else 0
            total += worth
        return ArenaRecord(total, games, wins >= STREAK)

    def _of_board(self, board: Board, player: int) -> RoundRecord:
        is_first = player == board.first
        points, games = self.points(board), board.game_points()
        share = None if points is None else points[not is_first]
        played = any(game.played for game in board.games)
        results = [
            game.points if game.white == player else 1 - game.points for game in board.games if game.points is not None
        ]
        return RoundRecord(
            round=board.round,
            opponent=board.other(player),
            points=share,
            side="white" if is_first else "black",
            board=board.number,
            played=played,
            voluntary=points is not None and not played and share == 0,
            game_points=games[not is_first],
            wins=results.count(1.0) if played else 0,
        )

    def _without(self, player: int, round: int) -> RoundRecord:
        if self.bye.get(round) == player:
            return RoundRecord(round, None, 1.0)
        wanted = player in self.sat_out.get(round, ())
        # Who enters late gets half a point for the last round that they have missed.
        late = self.players[player].since == round
        return RoundRecord(round, None, 0.5 if wanted or late else 0.0, requested=True, voluntary=True)

    # How it goes on.

    def fold(self, more: Iterable[Event]) -> None:
        """Apply the next events."""
        for event in more:
            self.apply(event)

    def apply(self, event: Event) -> None:
        """Apply the next event."""
        self.number += 1
        self.at = max(self.at, event.at)
        match event:
            case events.Entered():
                player = Player(event.player, event.rating, event.provisional, event.engine, self.round)
                self.players[event.player] = player
            case events.Withdrew():
                self.players[event.player].active = False
                self.players[event.player].removed |= event.removed
            case events.Returned():
                self.players[event.player].active = True
            case events.ByeWanted():
                self.players[event.player].byes.add(event.round)
            case events.Moved():
                self.starts_at = event.starts_at
            case events.Started():
                self._of_arena.clear()  # When it ends is known now.
                self.phase, self.order, self.started_at = "running", event.order, event.at
            case events.Paired():
                self._pair(event)
            case events.GameBegan():
                board = self.boards[event.board]
                board.games.append(Game(event.match, event.white))
                self._touch(board)
                self._by_match[event.match] = board
            case events.GameEnded():
                self._end(event)
            case events.Decided():
                board = self.boards[event.board]
                board.decided, board.winner, board.ended_at = True, event.winner, event.at
                self._touch(board)
            case events.TimesProposed():
                self.boards[event.board].proposals[event.player] = event.times
            case events.TimeAgreed():
                board = self.boards[event.board]
                board.appointment, board.there = event.time, set()
            case events.Arrived():
                self.boards[event.board].there.add(event.player)
            case events.Finished():
                self.phase, self.finished_at = "over", event.at
            case events.Cancelled():
                self.phase, self.finished_at = "cancelled", event.at

    def _pair(self, event: events.Paired) -> None:
        self.round, self.paired_at = max(self.round, event.round), event.at
        for first, second in event.pairs:
            board = Board(len(self.boards), event.round, first, second, event.at)
            self.boards.append(board)
            self._touch(board)
            for player in board.players:
                self._of_player.setdefault(player, []).append(board)
        if event.bye is not None:
            self.bye[event.round] = event.bye
        self.sat_out[event.round] = set(event.sits_out)

    def _end(self, event: events.GameEnded) -> None:
        board = self.boards[event.board]
        for game in board.games:
            if game.match == event.match:
                game.points, game.played = event.points, event.played
        board.ended_at = event.at
        self._touch(board)

    def _touch(self, board: Board) -> None:
        for player in board.players:
            self._of_arena.pop(player, None)

    def next_game(self, board: Board) -> int | None:
        """Return who has White in the next game of a pair that can begin now, or ``None`` if none can."""
        if self.points(board) is not None or (board.running and not self.is_slow):
            return None
        if self.is_slow and self.kind != "knockout" and len(board.games) >= self.settings.games:
            return None
        if self.kind == "knockout" and board.running and len(board.games) >= self.settings.games:
            return None
        return board.first if len(board.games) % 2 == 0 else board.second


def seed(player: Player) -> tuple[int, int]:
    """Order players by their ratings, and those with the same by when they entered."""
    return -player.rating, player.number

"""A position with its history: what can be played, and what follows."""

import copy

from . import chesslike, chieftain, fen, outcome, san
from .games import GAMES, read_options, start_fen
from .squares import for_side, write_placement


class Position:
    """Never changed once made: `play` returns another one."""

    game = None
    options = None
    board = None
    turn = "w"
    rights = ""
    ep = ()  # squares where a Pawn may legally take en passant
    victim = None  # the square of the soldier it would take
    halfmove = 0
    fullmove = 1
    start = None  # inside a turn: the position at its start
    plies = ()  # inside a turn: the plies made since
    claimed = False  # Magi: the side to move has claimed the Bare King
    moved = frozenset()  # Chieftain: where the pieces stand that have moved
    assignments = frozenset({frozenset()})  # Chieftain: see chieftain.spend
    captured = False  # Chieftain: whether this turn has captured
    double_pass = False
    history = ()  # keys of all starts of turns so far, this one included

    @classmethod
    def from_fen(cls, game, text, options=None):
        position = cls()
        position.game = GAMES[game]
        position.options = read_options(position.game, options)
        plies = fen.read_into(position, text)
        position = position.with_history(())
        for ply in plies:
            position = position.play(ply)
        return position

    @classmethod
    def initial(cls, game, options=None):
        return cls.from_fen(game, start_fen(GAMES[game], options), options)

    def changed(self, **fields):
        other = copy.copy(self)
        other.__dict__.pop("_moves", None)
        other.__dict__.update(fields)
        return other

    def with_history(self, before):
        return self.changed(history=(*before, self.key()))

    def key(self):
        """What makes two positions the same; only ever asked at starts of turns."""
        placement = write_placement(self.board, self.game.width, self.game.height)
        return (placement, self.turn, self.rights, self.ep)

    @property
    def many_plies(self):
        return self.game.family == "chieftain"

    def moves(self):
        """Legal moves of pieces, as objects."""
        if "_moves" not in self.__dict__:
            rules = chieftain if self.many_plies else chesslike
            self._moves = rules.legal_moves(self)
        return self._moves

    def must_choose(self):
        """Magi: `claim` or `playon` comes first, but mate and stalemate before."""
        if self.many_plies or not chesslike.family(self).needs_choice(self):
            return False
        return bool(self.moves())

    def legal(self):
        """All legal plies, sorted as strings."""
        if self.claimed:
            return []
        if self.must_choose():
            return ["claim", "playon"]
        plies = [move.text for move in self.moves()]
        if self.many_plies and chieftain.may_end(self):
            plies.append("end")
        assert len(plies) == len(set(plies))
        return sorted(plies)

    def play(self, ply):
        if ply not in self.legal():
            raise ValueError(f"illegal ply {ply!r} in {self.fen()}")
        if ply == "end":
            return chieftain.end(self)
        if ply == "claim":
            return self.changed(claimed=True, start=self, plies=("claim",))
        if ply == "playon":
            rights = self.rights + for_side("X", self.turn)
            return self.changed(rights=rights, start=self, plies=("playon",))
        rules = chieftain if self.many_plies else chesslike
        return rules.after(self, self.find(ply))

    def find(self, ply):
        return next(move for move in self.moves() if move.text == ply)

    def in_check(self):
        return not self.many_plies and chesslike.in_check(self)

    def gives_check(self, ply):
        after = self.play(ply)
        return after.turn != self.turn and after.in_check()

    def fen(self):
        return fen.write(self)

    def san(self, ply):
        return san.write(self, ply)

    def outcome(self):
        """None, or a dict of reason, result and score."""
        return outcome.of(self)

    def claimable(self):
        """Draws that the side to move may claim."""
        return outcome.claimable(self)


def perft(position, depth):
    """Leaves after so many plies; dead positions, counters and claims ignored."""
    if depth == 0:
        return 1
    plies = position.legal()
    if depth == 1:
        return len(plies)
    return sum(perft(position.play(ply), depth - 1) for ply in plies)

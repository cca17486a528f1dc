"""Random positions with few pieces, in which puzzles are looked for."""

from __future__ import annotations

import random

from acedrex.board import Board
from acedrex.errors import Error
from acedrex.game import Game, Piece
from acedrex.squares import square, square_file, square_rank


class Placer:
    """Places a few pieces at random, White's near the enemy's royal piece."""

    def __init__(self, game: Game, chance: random.Random) -> None:
        """Create a placer for the kinds of pieces of the starting position."""
        self._game, self._random = game, chance
        start = Board(game)
        kinds = {piece.letter for piece in start.piece_map().values()}
        self._royal = next(piece.letter for piece in game.pieces if piece.royal)
        self.others = [piece.letter for piece in game.pieces if piece.letter in kinds and not piece.royal]
        self._rights = start.rights

    def place(self, teaches: str, *, attacked: bool = False) -> Board | None:
        """Return a random position, usually with White to move; ``None`` if it cannot be played.

        :param attacked: whether the side whose royal piece is near the other's pieces moves.
        """
        game, chance = self._game, self._random
        board = Board(game)
        board.clear()
        fixed = self._fixed(teaches)
        seen = next(iter(fixed), None)
        if seen is None:
            king = self._anywhere() if chance.random() < 0.25 or not game.has_check else self._edge()
        else:
            king = self._near(seen, 4)
        royals = 1 if game.has_check else chance.randint(2, 3)
        pieces = [(self._royal, False, 4) for _ in range(royals - 1)]
        pieces += [(self._royal, True, 5) for _ in range(royals) if Piece(self._royal, True) not in fixed.values()]
        letters = [teaches] if teaches in self.others else self._soldiers()[:1] if teaches == "promotion" else []
        letters += chance.choices(self.others, k=chance.randint(1, 4))
        pieces += [(letter, True, chance.randint(2, 7)) for letter in letters]
        pieces += [(letter, False, 3) for letter in chance.choices(self.others, k=chance.randint(0, 5))]
        fixed.setdefault(king, Piece(self._royal, False))
        if any(at not in game.squares for at in fixed):
            return None
        for at, piece in fixed.items():
            board.set_piece_at(at, piece)
        for letter, white, distance in pieces:
            at = self._near(king, distance)
            if at not in game.squares or board.piece_at(at) is not None:
                return None
            board.set_piece_at(at, Piece(letter, white))
        board.turn = teaches != "en_passant" and not attacked
        fen = board.fen().split(" ")
        for rights in self._rights_for(teaches):
            fen[2] = rights
            try:
                found = Board(game, " ".join(fen))
            except Error:
                continue
            return None if found.is_game_over() else found
        return None

    def _fixed(self, teaches: str) -> dict[int, Piece]:
        """Return the pieces that a rule needs on certain squares."""
        chance, game = self._random, self._game
        home = Board(game).king(True)
        if teaches in ("jump", "castling") and home is not None:
            rook = {square(chance.choice([0, game.files - 1]), 0): Piece("R", True)} if teaches == "castling" else {}
            return {home: Piece(self._royal, True), **rook}
        if teaches == "en_passant":
            victim = chance.choice(sorted(Board(game).pieces(self._soldiers()[0], False)))
            beside = square_file(victim) + chance.choice([-1, 1])
            if 0 <= beside < game.files:
                captor = square(beside, square_rank(victim) - 2)
                return {victim: Piece(self._soldiers()[0], False), captor: Piece(self._soldiers()[0], True)}
        return {}

    def _rights_for(self, teaches: str) -> list[str]:
        rights = "".join(right for right in self._rights if right.isupper())
        if teaches == "jump":
            return ["K"]
        if teaches == "castling":
            return ["K", "Q"] if "Q" in rights else [rights]
        return ["-"]

    def _soldiers(self) -> list[str]:
        return [p.letter for p in self._game.pieces if p.letter in self.others and p.is_soldier] or self.others

    def _anywhere(self) -> int:
        return square(self._random.randrange(self._game.files), self._random.randrange(self._game.ranks))

    def _edge(self) -> int:
        chance, game = self._random, self._game
        along = square(chance.randrange(game.files), chance.choice([0, 1, game.ranks - 1, game.ranks - 2]))
        across = square(chance.choice([0, game.files - 1]), chance.randrange(game.ranks))
        return chance.choice([along, along, across])

    def _near(self, at: int, distance: int) -> int:
        def beside(value: int, size: int) -> int:
            return min(max(value + self._random.randint(-distance, distance), 0), size - 1)

        return square(beside(square_file(at), self._game.files), beside(square_rank(at), self._game.ranks))


def after_double_step(board: Board, chance: random.Random) -> Board | None:
    """Return the position after a move of Black that allows a capture *en passant*; ``None`` if there is none."""
    moves = [move for move in board.legal_moves if move.special is None]
    chance.shuffle(moves)
    for move in moves:
        board.push(move)
        if board.fen().split(" ")[3] != "-":
            return Board(board.game, board.fen())
        board.pop()
    return None


def earlier(board: Board, chance: random.Random) -> Board | None:
    """Return a position one move of each side earlier: a piece of each is where it may have come from.

    ``None`` if that cannot be played.
    """
    before = board.copy(stack=False)
    for color in (not board.turn, board.turn):
        pieces = [(at, piece) for at, piece in before.piece_map().items() if piece.color == color]
        at, piece = chance.choice(pieces)
        origins = [one.to for one in before.reach(at) if before.piece_at(one.to) is None]
        if not origins:
            return None
        before.remove_piece_at(at)
        before.set_piece_at(chance.choice(origins), piece)
    fields = before.fen().split(" ")
    try:
        found = Board(board.game, " ".join([*fields[:3], "-", "0", *fields[5:]]))
    except Error:
        return None
    return None if found.is_game_over() else found

"""PGN: game records as text, read leniently and written to the standard.

A record is a tree, as in python-chess, with one difference: a node is one whole turn, which in some games has several
moves.

>>> import io
>>> from acedrex import pgn
>>> game = pgn.read_game(io.StringIO('''
... [White "Ana"]
... [Variant "chieftain"]
...
... 1. Ma5,Mp5 { Both wings. } (1. Nc4) 1... Ma8 *
... '''))
>>> game.headers["White"], game.variant.name
('Ana', 'Chieftain Chess')
>>> first = game.next()
>>> [move.uci() for move in first.moves], first.comment
(['a4a5', 'p4p5', 'end'], 'Both wings.')
>>> game.variation(1).san()
'Nc4'
"""

from __future__ import annotations

from acedrex.pgn.builder import GameBuilder
from acedrex.pgn.headers import Headers
from acedrex.pgn.mainline import Mainline
from acedrex.pgn.nags import *  # noqa: F403 - thirty names
from acedrex.pgn.nags import __all__ as _nags
from acedrex.pgn.reader import Handle, Reader, read_game, read_headers, skip_game
from acedrex.pgn.record import Game
from acedrex.pgn.start import Games
from acedrex.pgn.text import PgnError
from acedrex.pgn.time_control import TimeControl, TimeControlPart, TimeControlType, parse_time_control
from acedrex.pgn.tree import ChildNode, GameNode, Turn
from acedrex.pgn.visitor import SKIP, BaseVisitor, BoardBuilder
from acedrex.pgn.writer import FileExporter, StringExporter

__all__ = [
    "SKIP",
    "BaseVisitor",
    "BoardBuilder",
    "ChildNode",
    "FileExporter",
    "Game",
    "GameBuilder",
    "GameNode",
    "Games",
    "Handle",
    "Headers",
    "Mainline",
    "PgnError",
    "Reader",
    "StringExporter",
    "TimeControl",
    "TimeControlPart",
    "TimeControlType",
    "Turn",
    "parse_time_control",
    "read_game",
    "read_headers",
    "skip_game",
    *_nags,
]

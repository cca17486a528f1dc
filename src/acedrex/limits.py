"""The limits that people meet, one table for all programs."""

# Made by tools/make_types.py from crates/rules/src/limits.rs. Change that, and run it.

#: The fewest files and ranks of a board.
MIN_SIDE = 3
#: The most files and ranks of a board.
MAX_SIDE = 16
#: The most piece types of a game.
MAX_PIECE_TYPES = 60
#: The most legs of a move in Betza notation.
MAX_LEGS = 16
#: The most moves of a turn.
MAX_TURN_MOVES = 6
#: The most legal moves that a position may have.
MAX_POSITION_MOVES = 4_096
#: The most setups of a game.
MAX_SETUPS = 1_000_000
#: The most bytes of a definition.
MAX_DEFINITION = 65_536
#: The most bytes of a FEN.
MAX_FEN = 4_096
#: The highest level of the engine, its full strength.
MAX_LEVEL = 10
#: The most milliseconds that the engine thinks about a turn of a match.
MAX_THINKING = 3_000
#: The milliseconds that the engine thinks about a hint.
HINT_THINKING = 1_000
#: The most milliseconds that the engine thinks about a position in analysis.
ANALYSIS_THINKING = 30_000
#: The most milliseconds that the engine thinks about each position of a review.
REVIEW_THINKING = 1_000
#: The most positions that the engine searches for each position of a review.
REVIEW_NODES = 400_000
#: The most moves of a line that a review shows.
REVIEW_LINE = 12
#: The most characters of a PGN that is opened in analysis.
MAX_PGN = 1_000_000
#: The most moves of a game in analysis, those of variations included.
MAX_TREE_MOVES = 5_000
#: The most moves of a line that the engine analyses on the server.
MAX_LINE_MOVES = 1_000
#: The most bytes of a file for the archive.
MAX_IMPORT = 2_097_152
#: The most games of a file for the archive.
MAX_IMPORT_GAMES = 1_000
#: The most moves of a game in the archive.
MAX_STORED_MOVES = 2_000
#: The most characters of a comment in PGN.
MAX_COMMENT = 65_536
#: The most characters of a tag's name in PGN.
MAX_TAG_NAME = 64
#: The most characters of a tag's value in PGN.
MAX_TAG_VALUE = 8_192
#: The most tags of a game in PGN, the Seven Tag Roster included.
MAX_TAGS = 256
#: The most characters of a turn in PGN.
MAX_TURN = 512
#: The deepest nesting of variations in PGN.
MAX_DEPTH = 100
#: The most turns of a game in PGN, those of variations included.
MAX_TURNS = 50_000
#: The most characters of all tags and comments of a game in PGN.
MAX_TEXT = 4_194_304
#: The most errors that are listed for a game in PGN.
MAX_ERRORS = 100

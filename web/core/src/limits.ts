// Made by tools/make_types.py from crates/rules/src/limits.rs. Change that, and run it.

/** The fewest files and ranks of a board. */
export const MIN_SIDE = 3;
/** The most files and ranks of a board. */
export const MAX_SIDE = 16;
/** The most piece types of a game. */
export const MAX_PIECE_TYPES = 60;
/** The most legs of a move in Betza notation. */
export const MAX_LEGS = 16;
/** The most moves of a turn. */
export const MAX_TURN_MOVES = 6;
/** The most legal moves that a position may have. */
export const MAX_POSITION_MOVES = 4_096;
/** The most setups of a game. */
export const MAX_SETUPS = 1_000_000;
/** The most bytes of a definition. */
export const MAX_DEFINITION = 65_536;
/** The most bytes of a FEN. */
export const MAX_FEN = 4_096;
/** The highest level of the engine, its full strength. */
export const MAX_LEVEL = 10;
/** The most milliseconds that the engine thinks about a turn of a match. */
export const MAX_THINKING = 3_000;
/** The milliseconds that the engine thinks about a hint. */
export const HINT_THINKING = 1_000;
/** The most milliseconds that the engine thinks about a position in analysis. */
export const ANALYSIS_THINKING = 30_000;
/** The most milliseconds that the engine thinks about each position of a review. */
export const REVIEW_THINKING = 1_000;
/** The most positions that the engine searches for each position of a review. */
export const REVIEW_NODES = 400_000;
/** The most moves of a line that a review shows. */
export const REVIEW_LINE = 12;
/** The most characters of a PGN that is opened in analysis. */
export const MAX_PGN = 1_000_000;
/** The most moves of a game in analysis, those of variations included. */
export const MAX_TREE_MOVES = 5_000;
/** The most moves of a line that the engine analyses on the server. */
export const MAX_LINE_MOVES = 1_000;
/** The most bytes of a file for the archive. */
export const MAX_IMPORT = 2_097_152;
/** The most games of a file for the archive. */
export const MAX_IMPORT_GAMES = 1_000;
/** The most moves of a game in the archive. */
export const MAX_STORED_MOVES = 2_000;
/** The most characters of a comment in PGN. */
export const MAX_COMMENT = 65_536;
/** The most characters of a tag's name in PGN. */
export const MAX_TAG_NAME = 64;
/** The most characters of a tag's value in PGN. */
export const MAX_TAG_VALUE = 8_192;
/** The most tags of a game in PGN, the Seven Tag Roster included. */
export const MAX_TAGS = 256;
/** The most characters of a turn in PGN. */
export const MAX_TURN = 512;
/** The deepest nesting of variations in PGN. */
export const MAX_DEPTH = 100;
/** The most turns of a game in PGN, those of variations included. */
export const MAX_TURNS = 50_000;
/** The most characters of all tags and comments of a game in PGN. */
export const MAX_TEXT = 4_194_304;
/** The most errors that are listed for a game in PGN. */
export const MAX_ERRORS = 100;

/** The languages of games and app. */
export const LANGUAGES = ["en", "fr"] as const;

export type Language = (typeof LANGUAGES)[number];

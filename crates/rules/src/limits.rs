//! The limits that people meet, once for all programs: Python, JavaScript, the server's API and the documentation have
//! them from [`ALL`].

macro_rules! limits {
    ($($name:ident = $value:expr, $meaning:literal;)*) => {
        $(#[doc = concat!("The ", $meaning, ".")] pub const $name: usize = $value;)*
        /// Every limit: its name, its value, and what it limits.
        pub const ALL: &[(&str, usize, &str)] = &[$((stringify!($name), $name, $meaning),)*];
    };
}

limits! {
    MIN_SIDE = 3, "fewest files and ranks of a board";
    MAX_SIDE = 16, "most files and ranks of a board";
    MAX_PIECE_TYPES = 60, "most piece types of a game";
    MAX_LEGS = 16, "most legs of a move in Betza notation";
    MAX_TURN_MOVES = 6, "most moves of a turn";
    MAX_POSITION_MOVES = 4_096, "most legal moves that a position may have";
    MAX_SETUPS = 1_000_000, "most setups of a game";
    MAX_DEFINITION = 64 * 1024, "most bytes of a definition";
    MAX_FEN = 4_096, "most bytes of a FEN";
    MAX_LEVEL = 10, "highest level of the engine, its full strength";
    MAX_THINKING = 3_000, "most milliseconds that the engine thinks about a turn of a match";
    HINT_THINKING = 1_000, "milliseconds that the engine thinks about a hint";
    ANALYSIS_THINKING = 30_000, "most milliseconds that the engine thinks about a position in analysis";
    REVIEW_THINKING = 1_000, "most milliseconds that the engine thinks about each position of a review";
    REVIEW_NODES = 400_000, "most positions that the engine searches for each position of a review";
    REVIEW_LINE = 12, "most moves of a line that a review shows";
    MAX_PGN = 1_000_000, "most characters of a PGN that is opened in analysis";
    MAX_TREE_MOVES = 5_000, "most moves of a game in analysis, those of variations included";
    MAX_LINE_MOVES = 1_000, "most moves of a line that the engine analyses on the server";
    MAX_IMPORT = 2 * 1024 * 1024, "most bytes of a file for the archive";
    MAX_IMPORT_GAMES = 1_000, "most games of a file for the archive";
    MAX_STORED_MOVES = 2_000, "most moves of a game in the archive";
    MAX_COMMENT = 64 * 1024, "most characters of a comment in PGN";
    MAX_TAG_NAME = 64, "most characters of a tag's name in PGN";
    MAX_TAG_VALUE = 8 * 1024, "most characters of a tag's value in PGN";
    MAX_TAGS = 256, "most tags of a game in PGN, the Seven Tag Roster included";
    MAX_TURN = 512, "most characters of a turn in PGN";
    MAX_DEPTH = 100, "deepest nesting of variations in PGN";
    MAX_TURNS = 50_000, "most turns of a game in PGN, those of variations included";
    MAX_TEXT = 4 * 1024 * 1024, "most characters of all tags and comments of a game in PGN";
    MAX_ERRORS = 100, "most errors that are listed for a game in PGN";
}

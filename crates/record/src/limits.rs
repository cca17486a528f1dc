//! The limits of a record.

/// The most characters of a comment.
pub const MAX_COMMENT: usize = 64 * 1024;
/// The most characters of a tag's name.
pub const MAX_TAG_NAME: usize = 64;
/// The most characters of a tag's value.
pub const MAX_TAG_VALUE: usize = 8 * 1024;
/// The most tags, those of the Seven Tag Roster included.
pub const MAX_TAGS: usize = 256;
/// The most characters of a turn.
pub const MAX_TURN: usize = 512;
/// The deepest nesting of variations.
pub const MAX_DEPTH: usize = 100;
/// The most turns, including those of variations.
pub const MAX_TURNS: usize = 50_000;
/// The most characters of all tags and comments together.
pub const MAX_TEXT: usize = 4 * 1024 * 1024;
/// The most errors that are listed.
pub const MAX_ERRORS: usize = 100;

//! The tags of a record that is being read.

use crate::lexer::{Token, result};
use crate::text::quoted;
use rules::limits::{MAX_TAG_NAME, MAX_TAG_VALUE, MAX_TAGS};

/// The Seven Tag Roster: the tags that every record has.
pub const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
/// The tags of the game and its start.
pub const START_TAGS: [&str; 6] = ["Variant", "Options", "Arrangement", "RulesHash", "SetUp", "FEN"];

/// A tag that only XBoard writes: the moves of the pieces of a game that an engine has described to it.
pub(crate) const XBOARD: &str = "VariantMen";

/// The value of the tag `Termination` for a reason why a game ended, in the words of the PGN standard.
pub fn termination(reason: &str) -> &'static str {
    match reason {
        "time" => "time forfeit",
        "abandonment" | "failed" => "abandoned",
        "illegal_turn" => "rules infraction",
        "adjudicated_win" | "adjudicated_draw" | "too_long" | "proven" => "adjudication",
        "unfinished" | "aborted" | "declined" => "unterminated",
        _ => "normal",
    }
}

/// The tags read so far.
#[derive(Clone, Default)]
pub(crate) struct Tags {
    /// Those that can be stored, in their order.
    pub kept: Vec<(String, String)>,
    /// Those of the start, even if they cannot be stored.
    pub start: Vec<(String, String)>,
    /// Names and places of all that were taken.
    pub places: Vec<(String, usize, usize)>,
}

impl Tags {
    pub fn has(&self, name: &str) -> bool {
        self.places.iter().any(|(other, ..)| other == name)
    }

    pub fn place(&self, name: &str) -> Option<(usize, usize)> {
        self.places.iter().find(|(other, ..)| other == name).map(|(_, line, column)| (*line, *column))
    }

    /// The tag `Result`, if it tells one.
    pub fn result(&self) -> Option<&str> {
        let found = self.kept.iter().find(|(name, _)| name == "Result").map(|(_, value)| value.as_str());
        found.filter(|value| *value != "*")
    }

    /// The name and value of a tag as they are kept. Tags are written without tabs.
    pub fn written(token: &Token) -> (&str, String) {
        let mut value = token.value.replace('\t', " ");
        if START_TAGS.contains(&token.text.as_str()) {
            value = value.trim().into();
        } else if token.text == "Result" {
            let told = match value.trim() {
                "" => "*",
                other => result(other).unwrap_or(other),
            };
            value = told.into();
        }
        (&token.text, value)
    }

    /// Keeps a tag.
    ///
    /// # Errors
    /// Says why it cannot be stored.
    pub fn put(&mut self, token: &Token, name: &str, value: String) -> Result<(), String> {
        let is_start = START_TAGS.contains(&name);
        if is_start {
            self.start.push((name.into(), value.clone()));
            self.places.push((name.into(), token.line, token.column));
        }
        if name == XBOARD {
            self.start.push((name.into(), value.clone()));
        }
        let others = self.kept.iter().filter(|(name, _)| !ROSTER.contains(&name.as_str())).count();
        if name.len() > MAX_TAG_NAME {
            return Err(format!(
                "{} is not a tag; a name has up to {MAX_TAG_NAME} letters, digits and _+#=:-",
                quoted(name)
            ));
        }
        if name == "Result" && result(&value) != Some(value.as_str()) {
            return Err(format!("tag Result: {} where 1-0, 0-1, 1/2-1/2 or * was expected", quoted(&value)));
        }
        if !ROSTER.contains(&name) && ROSTER.len() + others >= MAX_TAGS {
            return Err(format!("tag {name}: a record has at most {MAX_TAGS} tags"));
        }
        let length = value.chars().count();
        if length > MAX_TAG_VALUE {
            return Err(format!("tag {name}: {length} characters; at most {MAX_TAG_VALUE}"));
        }
        if !is_start {
            self.places.push((name.into(), token.line, token.column));
        }
        self.kept.push((name.into(), value));
        Ok(())
    }
}

//! A game ready to be played: its definition, its options and its compiled rules. `loading` makes it.

use crate::definition::Definition;
use crate::piece::{PieceType, Symbol};
use crate::setup::Setups;
use crate::tables::Rules;
use std::sync::OnceLock;

/// A loaded game.
pub struct Game {
    /// Its definition.
    pub definition: Definition,
    /// The tables compiled from it.
    pub rules: Rules,
    /// The text of its file.
    pub source: String,
    /// The name of its file.
    pub file: String,
    pub(crate) setups: OnceLock<Setups>,
}

impl Game {
    /// Returns the piece type with this symbol.
    pub fn piece_type_of(&self, symbol: Symbol) -> Option<PieceType> {
        self.definition.piece_type_of(symbol)
    }

    /// The one piece type whose name, or another name of it, begins with a letter: other programs write a Horse as `H`.
    pub(crate) fn piece_type_by_initial(&self, letter: char) -> Option<PieceType> {
        let begins = |name: &String| name.chars().next().is_some_and(|first| first.eq_ignore_ascii_case(&letter));
        let piece_types = self.definition.piece_types.iter();
        let mut found = piece_types.enumerate().filter(|(_, kind)| begins(&kind.name) || kind.also.iter().any(begins));
        let (index, _) = found.next()?;
        found.next().is_none().then_some(PieceType(index as u8))
    }

    /// The symbol of a piece type.
    pub fn symbol(&self, kind: PieceType) -> Symbol {
        self.definition.piece_types[kind.index()].symbol
    }

    /// The setups.
    pub fn setups(&self) -> &Setups {
        self.setups.get_or_init(|| Setups::new(&self.definition))
    }

    /// The options that differ from their defaults.
    pub fn chosen(&self) -> impl Iterator<Item = (&str, &str)> {
        let options = self.definition.options.iter().filter(|option| option.chosen != option.default);
        options.map(|option| (option.name.as_str(), option.chosen.as_str()))
    }
}

//! Where records begin and end. Only the kinds and the order of tokens decide it, so that a record has the same bounds
//! whether its moves are read or skipped.

use crate::lexer::{Kind, Token};
use rules::Square;

/// What is known of the bounds of the record that is being read.
#[derive(Clone, Default)]
pub(crate) struct Bounds {
    /// Whether another record precedes it in the text.
    pub is_later: bool,
    pub has_tags: bool,
    /// How many turns stand outside brackets.
    turns: usize,
    /// Whether any turn was read, in brackets or not.
    pub moving: bool,
    /// Whether a number that begins a game was read.
    numbered: bool,
    pub depth: usize,
    /// Whether its result was read.
    pub ended: bool,
    /// Whether an empty line follows the last token that is not a comment.
    blank: bool,
    /// Whether it has anything that makes it a record where no other precedes it.
    touched: bool,
    /// Whether a text was found that belongs to no record, and is skipped up to the next empty line.
    pub straying: bool,
}

/// What a token is to the record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// The first token of the next record.
    Next,
    /// A part of the record.
    Inside,
    /// A part that stands where it does not belong, but can still be read.
    Misplaced(&'static str),
    /// What follows the result; the first such token is an error.
    Surplus,
    /// Text that belongs to no record.
    Stray,
}

impl Bounds {
    pub fn new(is_later: bool) -> Bounds {
        Bounds { is_later, ..Bounds::default() }
    }

    /// Whether there is a record.
    pub fn is_record(&self) -> bool {
        self.has_tags || self.moving || (self.touched && !self.is_later)
    }

    /// Says what a token is to the record, and takes note of it. `has` is whether the record has a tag already.
    pub fn take(&mut self, token: &Token, has: impl Fn(&str) -> bool) -> Part {
        let part = self.part(token, has);
        if part == Part::Next {
            return part;
        }
        match token.kind {
            Kind::Blank => {
                (self.blank, self.straying) = (true, false);
                return part;
            }
            Kind::Comment => {
                self.touched = true;
                return part;
            }
            _ => self.blank = false,
        }
        self.touched = true;
        if matches!(part, Part::Surplus | Part::Stray) {
            self.straying = true;
            return part;
        }
        match token.kind {
            Kind::Tag => {
                self.has_tags |= !self.moving;
                (self.ended, self.straying) = (false, false);
            }
            Kind::Open => self.depth += 1,
            Kind::Close => self.depth = self.depth.saturating_sub(1),
            Kind::Number { fresh } => self.numbered |= fresh,
            Kind::Turn => {
                (self.moving, self.ended) = (true, false);
                self.turns += usize::from(self.depth == 0);
            }
            Kind::Result => self.ended |= self.depth == 0,
            Kind::Comment | Kind::Blank | Kind::Glyph | Kind::Error => {}
        }
        part
    }

    fn part(&self, token: &Token, has: impl Fn(&str) -> bool) -> Part {
        if self.ended {
            return self.part_after_result(token);
        }
        match token.kind {
            Kind::Tag if self.moving => match token.first && (self.blank || token.text == "Event") {
                true => Part::Next,
                false => Part::Misplaced("a tag stands among the moves"),
            },
            Kind::Tag if self.has_tags && self.blank && (token.text == "Event" || has(&token.text)) => Part::Next,
            Kind::Number { fresh: true } if token.first && self.depth == 0 => {
                match self.turns >= 2 || (self.turns == 1 && self.blank) {
                    true => Part::Next,
                    false => Part::Inside,
                }
            }
            Kind::Comment | Kind::Blank | Kind::Tag => Part::Inside,
            _ if self.moving || self.has_tags || self.numbered => Part::Inside,
            _ if self.straying => Part::Stray,
            Kind::Number { .. } => Part::Inside,
            Kind::Turn if !self.is_later && is_like_a_move(&token.text) => Part::Inside,
            Kind::Turn => Part::Stray,
            _ if self.is_later => Part::Stray,
            _ => Part::Inside,
        }
    }

    fn part_after_result(&self, token: &Token) -> Part {
        match token.kind {
            Kind::Comment => Part::Inside,
            Kind::Blank => match self.has_tags || self.moving {
                true => Part::Next,
                false => Part::Inside,
            },
            Kind::Tag if self.has_tags || self.moving => Part::Next,
            Kind::Tag => Part::Misplaced("the result stands before the tags"),
            Kind::Number { fresh: true } if self.moving => Part::Next,
            Kind::Number { .. } => match self.moving {
                true => Part::Surplus,
                false => Part::Inside,
            },
            Kind::Turn if !self.moving && (self.has_tags || self.numbered || is_like_a_move(&token.text)) => {
                Part::Misplaced("the result stands before the moves")
            }
            _ => Part::Surplus,
        }
    }
}

/// Whether a word could be a move: it has a square in it, or castles or passes.
fn is_like_a_move(text: &str) -> bool {
    let square = (0..text.len()).any(|at| text.get(at..).and_then(Square::read).is_some());
    let special = ["O-O", "0-0", "OO", "00", "--", "Z0", "@@@@", "pass", "end", "claim", "playon"];
    square || special.iter().any(|word| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word)))
}

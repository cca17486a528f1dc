//! The stored events of a match, in order.
//!
//! Databases and browsers have their field names in them: fields may be added, but none may change its meaning.

use crate::clock::TimeControl;
use rules::Color;
use serde::Serialize;
use std::collections::BTreeMap;

/// A side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

impl Side {
    /// Both sides.
    pub const BOTH: [Side; 2] = [Side::White, Side::Black];

    /// The opponent's side.
    pub fn other(self) -> Side {
        if self == Side::White { Side::Black } else { Side::White }
    }

    /// The side's color on a board.
    pub fn color(self) -> Color {
        if self == Side::White { Color::White } else { Color::Black }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.color().name()
    }
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        if color == Color::White { Side::White } else { Side::Black }
    }
}

/// A value for each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Sides<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

impl<T> std::ops::Index<Side> for Sides<T> {
    type Output = T;
    fn index(&self, side: Side) -> &T {
        if side == Side::White { &self.white } else { &self.black }
    }
}

impl<T> std::ops::IndexMut<Side> for Sides<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        if side == Side::White { &mut self.white } else { &mut self.black }
    }
}

/// What can be offered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum What {
    /// A draw.
    Draw,
    /// A takeback.
    Takeback,
    /// A rematch.
    Rematch,
}

impl What {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            What::Draw => "draw",
            What::Takeback => "takeback",
            What::Rematch => "rematch",
        }
    }
}

/// What can be claimed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Claim {
    /// A draw by the rules.
    Draw,
    /// A win, because the opponent has left.
    Left,
}

/// The score of a match and its rematches.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Series {
    /// The points of the player who is White now.
    pub white: f64,
    /// The points of the player who is Black now.
    pub black: f64,
    /// The finished games.
    pub games: u32,
}

/// How a match was created.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Created {
    /// Milliseconds of the epoch, as in every event.
    pub at: i64,
    /// The game's id.
    pub game: String,
    /// The name of its file.
    pub file: String,
    /// The options that differ from their defaults.
    pub options: BTreeMap<String, String>,
    /// The hash of the definition's text, which is stored separately.
    pub definition: String,
    /// The hash of the rules.
    pub rules_hash: String,
    /// `engine`, `friend`, `lobby`, `self` or `import`.
    pub opponent: String,
    /// The time control.
    pub time: TimeControl,
    /// The side that was asked for: `white`, `black` or `random`; with `opponent` the opponent chooses.
    pub side: String,
    /// The setup, if it is known.
    pub setup: Option<String>,
    /// Who chooses the setup: `player` or `engine`.
    pub arranging: Option<String>,
    /// Whether hints are allowed.
    pub hints: bool,
    /// The starting position, if it is neither the standard one nor a setup.
    pub fen: Option<String>,
    /// The tags of an imported game.
    pub tags: BTreeMap<String, String>,
    /// The score of the earlier matches of which this one is the rematch; the sides are those of this match.
    pub series: Option<Series>,
    /// Whether it changes the players' ratings.
    pub rated: bool,
    /// The tournament to which it belongs: nobody can abort it or take moves back, and its clock runs from the start.
    pub tournament: Option<String>,
}

/// An event, and its time in milliseconds of the epoch.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "type")]
pub enum Event {
    /// The match was created.
    #[serde(rename = "created")]
    Created(Box<Created>),
    /// A guest, or the engine at a level, took a seat.
    #[serde(rename = "seat")]
    Seated {
        /// When.
        at: i64,
        /// The side.
        side: Side,
        /// The person; none for the engine and where data was deleted.
        person: Option<String>,
        /// The name.
        name: String,
        /// The engine's level.
        level: Option<u8>,
    },
    /// The opponent chose the side of the creator, who changes over.
    #[serde(rename = "swap")]
    SidesSwapped {
        /// When.
        at: i64,
    },
    /// Black, the engine or a random draw chose the setup.
    #[serde(rename = "setup")]
    SetupChosen {
        /// When.
        at: i64,
        /// Its name.
        name: String,
        /// Who chose; nobody if the engine did or time ran out.
        by: Option<Side>,
    },
    /// A move, and how long it took on the clock.
    #[serde(rename = "ply")]
    MovePlayed {
        /// When.
        at: i64,
        /// In coordinates. Stored events keep the names that they were first stored with.
        ply: String,
        /// Milliseconds.
        spent: i64,
    },
    /// The last move of an unfinished turn was taken back.
    #[serde(rename = "undo")]
    Undone {
        /// When.
        at: i64,
    },
    /// A side made an offer.
    #[serde(rename = "offer")]
    Offered {
        /// When.
        at: i64,
        /// What.
        what: What,
        /// Who.
        by: Side,
        /// The moves that a takeback undoes.
        plies: Option<usize>,
    },
    /// The other side answered an offer.
    #[serde(rename = "answer")]
    Answered {
        /// When.
        at: i64,
        /// What.
        what: What,
        /// Who answers.
        by: Side,
        /// The answer.
        accept: bool,
        /// The id of the new match.
        rematch: Option<String>,
        /// The time that a takeback leaves each side; older takebacks left the clocks as they were.
        left: Option<Sides<i64>>,
    },
    /// A side claimed a draw by the rules, or a win because the opponent left.
    #[serde(rename = "claim")]
    Claimed {
        /// When.
        at: i64,
        /// What.
        what: Claim,
        /// Who.
        by: Side,
    },
    /// A side resigned.
    #[serde(rename = "resign")]
    Resigned {
        /// When.
        at: i64,
        /// Who.
        by: Side,
    },
    /// The match was aborted, or its challenge declined.
    #[serde(rename = "abort")]
    Aborted {
        /// When.
        at: i64,
        /// Who.
        by: Side,
    },
    /// A side's time ran out.
    #[serde(rename = "flag")]
    Flagged {
        /// When.
        at: i64,
        /// Whose.
        side: Side,
    },
    /// An imported game ended, with the result in its tags.
    #[serde(rename = "recorded")]
    Recorded {
        /// When.
        at: i64,
        /// `1-0`, `0-1`, `1/2-1/2` or `*`.
        result: String,
    },
    /// The server was down: the clock continues as if it had been started at `since`.
    #[serde(rename = "pause")]
    Paused {
        /// When.
        at: i64,
        /// From when the clock continues.
        since: i64,
    },
    /// A side has days off, in which its clock does not run. They replace those that it had.
    #[serde(rename = "off")]
    DaysOff {
        /// When.
        at: i64,
        /// Whose.
        side: Side,
        /// From when.
        since: i64,
        /// Until when.
        until: i64,
    },
}

impl Event {
    /// When it happened.
    pub fn at(&self) -> i64 {
        match self {
            Event::Created(created) => created.at,
            Event::Seated { at, .. }
            | Event::SidesSwapped { at }
            | Event::SetupChosen { at, .. }
            | Event::MovePlayed { at, .. }
            | Event::Undone { at }
            | Event::Offered { at, .. }
            | Event::Answered { at, .. }
            | Event::Claimed { at, .. }
            | Event::Resigned { at, .. }
            | Event::Aborted { at, .. }
            | Event::Flagged { at, .. }
            | Event::Recorded { at, .. }
            | Event::Paused { at, .. }
            | Event::DaysOff { at, .. } => *at,
        }
    }
}

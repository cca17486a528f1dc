//! A definition compiled into the tables that generation and legality read.

use crate::definition::{EndDefinition, Goal, TurnDefinition};
use crate::geometry::Geometry;
use crate::piece::{Color, Kind, Piece};
use crate::set::Set;
use crate::square::Square;
use crate::walk::Walk;
use arrayvec::ArrayVec;
use std::sync::{Arc, OnceLock};

/// One set of squares for each square.
pub type Table = [Set; 256];

/// Stands for "no right" and "no range".
pub const NONE: u8 = 0xFF;

/// A leap that needs squares underway to be empty, from one square.
#[derive(Clone, Debug)]
pub struct Conditional {
    /// Where it leads.
    pub to: Square,
    /// May end on an empty square.
    pub quiet: bool,
    /// May end on an enemy.
    pub capture: bool,
    /// Leaves squares to be taken on en passant.
    pub track: bool,
    /// The number of the right it needs, or [`NONE`].
    pub right: u8,
    /// A way there: squares that must be empty.
    pub way: Set,
    /// Other ways; one is enough.
    pub more: Vec<Set>,
}

impl Conditional {
    /// All ways there.
    pub fn ways(&self) -> impl Iterator<Item = &Set> {
        std::iter::once(&self.way).chain(&self.more)
    }

    /// Whether one of the ways is free.
    #[inline]
    pub fn is_free(&self, occupied: &Set) -> bool {
        !self.way.meets(occupied) || self.more.iter().any(|way| !way.meets(occupied))
    }
}

/// What a piece does along one of the eight directions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Line {
    /// Number of the direction.
    pub direction: u8,
    /// One step in square numbers.
    pub by: u8,
    /// It slides to empty squares and onto enemies, and that is all.
    pub is_slide: bool,
    /// How far it slides.
    pub range: u8,
    /// Slides to empty squares.
    pub quiet: bool,
    /// Captures the first piece.
    pub capture: bool,
    /// Goes on behind one piece to empty squares.
    pub hop_quiet: bool,
    /// Captures the first piece behind one piece.
    pub hop_capture: bool,
}

/// A slide that begins with one step or leap in another direction.
#[derive(Clone, Debug)]
pub struct Bent {
    /// The first step.
    pub first: (i8, i8),
    /// Numbers of the directions in which it may go on.
    pub arms: Vec<u8>,
    /// Ends on empty squares.
    pub quiet: bool,
    /// Ends on enemies.
    pub capture: bool,
}

/// A walk that fits no table and is followed leg by leg.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FreeWalk {
    /// The walk, in this side's directions.
    pub walk: Walk,
    /// Where it may begin.
    pub from: Set,
    /// Where it may lead, way included.
    pub board: Set,
    /// The number of the right it needs, or [`NONE`].
    pub right: u8,
}

/// Steps of all pieces of a kind at once.
#[derive(Clone, Debug)]
pub struct Shift {
    /// Squares from which there is such a step.
    pub from: Set,
    /// How far, in square numbers.
    pub by: i32,
    /// Ends on empty squares.
    pub quiet: bool,
    /// Ends on enemies.
    pub capture: bool,
    /// How far the squares lie that must be empty.
    pub over: Vec<i32>,
    /// The number of the right it needs, or [`NONE`].
    pub right: u8,
}

/// Everything about one kind of one side.
#[derive(Clone, Debug)]
pub struct PieceRules {
    /// Whether it leaps at all.
    pub leaps: bool,
    /// Number of the table of leaps to empty squares.
    pub quiet: u16,
    /// Number of the table of leaps onto enemies.
    pub capture: u16,
    /// Number of the table of leaps that capture en passant.
    pub takes: u16,
    /// For each square its conditional leaps; empty where the kind has none. Shared by both sides where they move alike.
    pub conditionals: Arc<[Vec<Conditional>]>,
    /// Slides and hops.
    pub lines: Vec<Line>,
    /// Bent slides.
    pub bents: Vec<Bent>,
    /// Everything else.
    pub walks: Vec<FreeWalk>,
    /// Two of the ways above can lead to the same square: gather targets before emitting.
    pub gather: bool,
    /// How far it attacks by sliding, by direction; 0 not at all.
    pub slide_range: [u8; 8],
    /// Whether it attacks behind one piece, by direction.
    pub hops: [bool; 8],
    /// Number of the table of all squares it might attack in ways that are neither leaps nor lines; 0 if none.
    pub traced: u16,
    /// What it may become.
    pub promotes_to: Vec<Kind>,
    /// Number of the table of leaps that promote, if not all its plies do.
    pub promotes_by: Option<u16>,
    /// All that it does as steps, for counting many pieces at once; empty if it does too many or other things.
    pub shifts: Vec<Shift>,
}

/// What a right allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RightKind {
    /// The castling of this number.
    Castling(usize),
    /// A first move from this square.
    FirstMove(Square),
    /// The King's jump.
    Jump,
    /// This side has played on.
    PlayedOn,
    /// The previous turn was a pass.
    Passed,
}

/// A right: its FEN letter, its side and what it allows.
#[derive(Clone, Copy, Debug)]
pub struct Right {
    /// The letter, small for Black.
    pub letter: char,
    /// Whose it is.
    pub color: Color,
    /// What it allows.
    pub kind: RightKind,
}

/// A castling of one side.
#[derive(Clone, Debug)]
pub struct Castling {
    /// Number of its right.
    pub right: u8,
    /// The King's way.
    pub king: (Square, Square),
    /// The partner's way.
    pub rook: (Square, Square),
    /// The partner.
    pub partner: Piece,
    /// Squares that must be empty.
    pub empty: Set,
    /// Squares on which the King may not be attacked.
    pub safe: Vec<Square>,
    /// Whether the King goes towards the last file (`O-O`).
    pub short: bool,
}

/// A jump of the King from one square.
#[derive(Clone, Debug)]
pub struct Jump {
    /// Where to.
    pub to: Square,
    /// The squares of which one must be safe.
    pub middles: ArrayVec<Square, 2>,
}

/// The compiled rules of a game.
pub struct Rules {
    /// Files of the board.
    pub files: u8,
    /// Ranks of the board.
    pub ranks: u8,
    /// All squares.
    pub board: Set,
    /// Lines of the grid.
    pub geometry: &'static Geometry,
    /// By direction and square, how many steps to the edge.
    pub steps: Box<[[u8; 256]; 8]>,
    /// Tables that pieces name by number; number 0 is empty.
    pub tables: Vec<Box<Table>>,
    /// By [`Piece::index`].
    pub pieces: Vec<PieceRules>,
    /// By [`Piece::index`], the walks that all the rest is compiled from.
    pub walks: Vec<Vec<FreeWalk>>,
    /// The most royal pieces that a side begins with.
    pub start_royals: u32,
    /// How many kinds there are.
    pub kinds: usize,
    /// By kind, whether it is royal.
    pub royal: Vec<bool>,
    /// The royal kinds.
    pub royals: Vec<Kind>,
    /// By kind, whether it cannot walk back and its moves reset the count of quiet plies.
    pub soldier: Vec<bool>,
    /// By kind, whether it is bound to squares of one colour.
    pub color_bound: Vec<bool>,
    /// By kind, whether it or what it may become ever changes.
    pub promotes: Vec<bool>,
    /// By kind, whether it slides or hops along the eight directions.
    pub liner: Vec<bool>,
    /// By kind, whether it attacks in ways that must be traced.
    pub tracer: Vec<bool>,
    /// By kind, whether some way of attacking fits no critical line.
    pub odd: bool,
    /// By side and target, from where some leap might capture on it.
    pub leap_zone: [Box<Table>; 2],
    /// By side, where promotion is compulsory and where it is a choice.
    pub promotion: [(Set, Set); 2],
    /// By side and kind, the most there may be after promotion; `None` for no limit.
    pub promotion_limit: Option<[Vec<u16>; 2]>,
    /// The rights, in FEN order.
    pub rights: Vec<Right>,
    /// By square, the rights lost when a ply begins or ends there.
    pub rights_lost: Box<[u64; 256]>,
    /// By side, the rights lost when the royal piece moves.
    pub royal_rights: [u64; 2],
    /// By square, the number of its first-move right, or [`NONE`].
    pub first_right: Box<[u8; 256]>,
    /// By side, squares that count as passed when a first move leaves them.
    pub en_passant_left: [Set; 2],
    /// Whether some kind can be taken en passant.
    pub has_en_passant: bool,
    /// By side.
    pub castlings: [Vec<Castling>; 2],
    /// By side and square, the King's jumps; empty where there are none.
    pub jumps: [Vec<Vec<Jump>>; 2],
    /// By side, the number of the jump's right, or [`NONE`].
    pub jump_right: [u8; 2],
    /// By side, the number of the "has played on" right, or [`NONE`].
    pub played_on: [u8; 2],
    /// The mask of the "was a pass" right.
    pub passed: u64,
    /// By range, the squares in command from each square.
    pub command: Option<Box<Table>>,
    /// How a turn is made up.
    pub turn: TurnDefinition,
    /// How the game ends.
    pub end: EndDefinition,
    /// Whether a turn may have more than one ply.
    pub multi: bool,
    /// Seeds the keys.
    pub hash: u64,
    /// By kind, whether King and one such piece can mate a King at all, found when first asked.
    pub(crate) can_mate: Vec<OnceLock<bool>>,
}

impl Rules {
    /// The rules of a piece.
    #[inline]
    pub fn piece(&self, piece: Piece) -> &PieceRules {
        &self.pieces[piece.index()]
    }

    /// A table by number.
    #[inline]
    pub fn table(&self, number: u16) -> &Table {
        &self.tables[number as usize]
    }

    /// Whether there is check and mate.
    #[inline]
    pub fn has_check(&self) -> bool {
        self.end.goal == Goal::Checkmate
    }
}

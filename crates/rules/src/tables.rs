//! A definition compiled into the tables that generation and legality use.

use crate::definition::{Condition, EndDefinition, Goal, Safety, TurnDefinition};
use crate::geometry::Geometry;
use crate::piece::{Color, Piece, PieceType};
use crate::set::Set;
use crate::square::Square;
use crate::walk::Walk;
use arrayvec::ArrayVec;
use std::sync::{Arc, OnceLock};

/// One set of squares for each square.
pub type Table = [Set; 256];

/// Stands for "no right" and "no range".
pub const NONE: u8 = 0xFF;

/// A leap from one square that needs other squares to be empty.
#[derive(Clone, Debug)]
pub struct Conditional {
    /// Its destination.
    pub to: Square,
    /// Whether it may end on an empty square.
    pub quiet: bool,
    /// Whether it may end on an enemy.
    pub capture: bool,
    /// Whether it leaves a track for en passant.
    pub track: bool,
    /// The number of the right it needs, or [`NONE`].
    pub right: u8,
    /// A path: squares that must be empty.
    pub path: Set,
    /// Other paths; one free path is enough.
    pub more: Vec<Set>,
}

impl Conditional {
    /// All paths.
    pub fn paths(&self) -> impl Iterator<Item = &Set> {
        std::iter::once(&self.path).chain(&self.more)
    }

    /// Whether one of the paths is free.
    #[inline]
    pub fn is_free(&self, occupied: &Set) -> bool {
        !self.path.meets(occupied) || self.more.iter().any(|path| !path.meets(occupied))
    }
}

/// What conditional leaps from one square attack along one path.
#[derive(Clone, Debug)]
pub struct PathAttack {
    /// The squares that must be empty.
    pub path: Set,
    /// The number of the right that it needs, or [`NONE`].
    pub right: u8,
    /// The squares attacked.
    pub to: Set,
}

/// What a piece does along one of the eight directions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Line {
    /// Index of the direction.
    pub direction: u8,
    /// One step, as a difference of square numbers.
    pub by: u8,
    /// Whether it slides to empty squares and onto enemies, and does nothing else.
    pub is_slide: bool,
    /// How far it slides.
    pub range: u8,
    /// Whether it slides to empty squares.
    pub quiet: bool,
    /// Whether it captures the first piece.
    pub capture: bool,
    /// Whether it hops over one piece to empty squares.
    pub hop_quiet: bool,
    /// Whether it hops over one piece and captures the next.
    pub hop_capture: bool,
}

/// A slide that begins with one step or leap in another direction.
#[derive(Clone, Debug)]
pub struct Bent {
    /// The first step.
    pub first: (i8, i8),
    /// The indexes of the directions in which it may continue.
    pub arms: Vec<u8>,
    /// Whether it may end on empty squares.
    pub quiet: bool,
    /// Whether it may end on enemies.
    pub capture: bool,
}

/// A walk that fits no table and is followed leg by leg.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FreeWalk {
    /// The walk, in this side's directions.
    pub walk: Walk,
    /// Where it may begin.
    pub from: Set,
    /// The squares that it may cross and end on.
    pub board: Set,
    /// The number of the right it needs, or [`NONE`].
    pub right: u8,
}

/// A leap of all pieces of a type at once.
#[derive(Clone, Debug)]
pub struct Shift {
    /// The squares from which this leap exists.
    pub from: Set,
    /// The leap, as a difference of square numbers.
    pub by: i32,
    /// Whether it may end on empty squares.
    pub quiet: bool,
    /// Whether it may end on enemies.
    pub capture: bool,
    /// The squares that must be empty, as differences of square numbers.
    pub over: Vec<i32>,
    /// The number of the right it needs, or [`NONE`].
    pub right: u8,
}

/// Everything about one piece type of one side.
#[derive(Clone, Debug)]
pub struct PieceRules {
    /// Whether it has leaps.
    pub leaps: bool,
    /// Number of the table of leaps to empty squares.
    pub quiet: u16,
    /// Number of the table of leaps onto enemies.
    pub capture: u16,
    /// Number of the table of leaps that capture en passant.
    pub en_passant: u16,
    /// By square, its conditional leaps; empty if the piece type has none. Shared by both sides if they move alike.
    pub conditionals: Arc<[Vec<Conditional>]>,
    /// By square, what those attack. The leaps of one path are together, so that a path is looked at once.
    pub reaches: Arc<[Vec<PathAttack>]>,
    /// Slides and hops.
    pub lines: Vec<Line>,
    /// Bent slides.
    pub bents: Vec<Bent>,
    /// Everything else.
    pub walks: Vec<FreeWalk>,
    /// Whether two of the walks above can lead to the same square: then targets are gathered before moves are emitted.
    pub gather: bool,
    /// How far it attacks by sliding, by direction; 0 if not at all.
    pub slide_range: [u8; 8],
    /// Whether it attacks behind one piece, by direction.
    pub hops: [bool; 8],
    /// Number of the table of all squares that it might attack other than by leaps and along lines; 0 if none.
    pub path_attacks: u16,
    /// How it promotes.
    pub promotions: Vec<Promotion>,
    /// All squares where it must or may promote.
    pub zone: Set,
    /// Number of the table of moves that might promote, if not all that end in the zone do.
    pub promoting: Option<u16>,
    /// All its moves as leaps, for counting many pieces at once; empty if it has too many or other moves.
    pub shifts: Vec<Shift>,
}

/// A way in which a piece type of one side promotes.
#[derive(Clone, Debug)]
pub struct Promotion {
    /// What it may become.
    pub to: Vec<PieceType>,
    /// Squares where it must promote.
    pub at: Set,
    /// Squares where it may promote.
    pub optional: Set,
    /// Number of the table of moves that promote so, if not all do.
    pub by: Option<u16>,
    /// Whether only captures do, or only moves that capture nothing.
    pub captures: Option<bool>,
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
    /// Its side.
    pub color: Color,
    /// What it allows.
    pub kind: RightKind,
}

/// A castling of one side.
#[derive(Clone, Debug)]
pub struct Castling {
    /// Number of its right.
    pub right: u8,
    /// The King's origin and destination.
    pub king: (Square, Square),
    /// The partner's origin and destination.
    pub rook: (Square, Square),
    /// The King, or what moves like it where there is no check.
    pub mover: Piece,
    /// The partner.
    pub partner: Piece,
    /// Squares that must be empty.
    pub empty: Set,
    /// Squares on which the King may not be attacked.
    pub safe: Vec<Square>,
    /// Whether the King moves towards the last file (`O-O`).
    pub short: bool,
}

/// A jump of the King from one square.
#[derive(Clone, Debug)]
pub struct Jump {
    /// The destination.
    pub to: Square,
    /// The squares of which at least one must be safe.
    pub middles: ArrayVec<Square, 2>,
}

/// Which material can win, found by trying positions; each answer is computed on first use.
#[derive(Debug)]
pub(crate) struct Wins {
    /// Whether a bare King can win against a bare King.
    pub(crate) bare: OnceLock<bool>,
    /// By piece type, whether King and one such piece can mate a bare King.
    pub(crate) alone: Vec<OnceLock<bool>>,
    /// Whether pieces that are all bound to one colour might mate.
    pub(crate) bound: OnceLock<bool>,
    /// Whether a King might give check to a King.
    pub(crate) checks: OnceLock<bool>,
}

/// The compiled rules of a game.
pub struct Rules {
    /// Files of the board.
    pub files: u8,
    /// Ranks of the board.
    pub ranks: u8,
    /// All squares of the board.
    pub board: Set,
    /// Lines of the grid.
    pub geometry: Arc<Geometry>,
    /// By direction and square, the number of steps to the edge.
    pub steps: Box<[[u8; 256]; 8]>,
    /// Tables that pieces name by number; number 0 is empty.
    pub tables: Vec<Box<Table>>,
    /// By [`Piece::index`].
    pub pieces: Vec<PieceRules>,
    /// By [`Piece::index`], the walks from which all other tables are compiled.
    pub walks: Vec<Vec<FreeWalk>>,
    /// The most royal pieces that a side begins with.
    pub start_royals: u32,
    /// By side, whether it begins without a royal piece.
    pub kingless: [bool; 2],
    /// The number of piece types.
    pub piece_types: usize,
    /// By piece type, whether it is royal.
    pub royal: Vec<bool>,
    /// The royal piece types.
    pub royals: Vec<PieceType>,
    /// By piece type, whether all its moves go forward.
    pub soldier: Vec<bool>,
    /// By piece type, whether its moves reset the counter of quiet moves.
    pub progress: Vec<bool>,
    /// By piece type, whether it is bound to squares of one colour.
    pub color_bound: Vec<bool>,
    /// By piece type, whether it promotes.
    pub promotes: Vec<bool>,
    /// By piece type, whether it slides or hops along the eight directions.
    pub is_slider_or_hopper: Vec<bool>,
    /// By piece type, whether it has attacks that are neither plain leaps nor lines.
    pub has_path_attacks: Vec<bool>,
    /// Whether some piece type captures by a free walk, which critical lines do not cover.
    pub has_uncovered_attacks: bool,
    /// By side and target, the squares from which some leap might capture on it.
    pub leap_zone: [Box<Table>; 2],
    /// By side and piece type, the most pieces there may be after promotion; `None` for no limit.
    pub promotion_limit: Option<[Vec<u16>; 2]>,
    /// The rights, in FEN order.
    pub rights: Vec<Right>,
    /// By square, the rights lost when a move begins or ends there.
    pub rights_lost: Box<[u64; 256]>,
    /// By side, the rights lost when the royal piece moves.
    pub royal_rights: [u64; 2],
    /// By square, the number of its first-move right, or [`NONE`].
    pub first_right: Box<[u8; 256]>,
    /// By side, squares that count as passed when a first move leaves them.
    pub en_passant_left: [Set; 2],
    /// Whether some piece type can capture en passant.
    pub has_en_passant: bool,
    /// By side, its castlings.
    pub castlings: [Vec<Castling>; 2],
    /// By side and square, the King's jumps; empty where there are none.
    pub jumps: [Vec<Vec<Jump>>; 2],
    /// By side, the number of the jump's right, or [`NONE`].
    pub jump_right: [u8; 2],
    /// By side, the number of the "has played on" right, or [`NONE`].
    pub played_on: [u8; 2],
    /// The mask of the "was a pass" right.
    pub passed: u64,
    /// By square, the squares within command range.
    pub command: Option<Box<Table>>,
    /// What makes up a turn.
    pub turn: TurnDefinition,
    /// How the game ends.
    pub end: EndDefinition,
    /// By side, the conditions that end the game, with its squares.
    pub conditions: [Vec<Condition>; 2],
    /// By side, the checks that it must give, 0 where they are not counted; `None` if no side's are.
    pub checks: Option<[u8; 2]>,
    /// Whether a turn may have more than one move.
    pub multi: bool,
    /// The seed of the keys.
    pub hash: u64,
    /// Which material can win.
    pub(crate) wins: Wins,
}

impl Promotion {
    /// Whether a move between two squares might promote so.
    #[inline]
    pub(crate) fn leads(&self, rules: &Rules, from: Square, to: Square) -> bool {
        (self.at.contains(to) || self.optional.contains(to))
            && self.by.is_none_or(|table| rules.table(table)[from.index()].contains(to))
    }
}

impl PieceRules {
    /// Whether it promotes.
    #[inline]
    pub fn promotes(&self) -> bool {
        !self.promotions.is_empty()
    }

    /// The squares where a piece coming from this square might promote.
    #[inline]
    pub(crate) fn zone_from(&self, rules: &Rules, from: Square) -> Set {
        match self.promoting {
            None => self.zone,
            Some(table) => self.zone & rules.table(table)[from.index()],
        }
    }

    /// Whether it must promote on a square, wherever it came from.
    pub fn must_promote(&self, square: Square) -> bool {
        self.promotions.iter().any(|way| way.by.is_none() && way.captures.is_none() && way.at.contains(square))
    }
}

impl Rules {
    /// The name of what a right allows, and the square that it is about: of castling the partner's.
    pub fn named_right(&self, right: &Right) -> (&'static str, Option<Square>) {
        match right.kind {
            RightKind::Castling(number) => {
                let castling = &self.castlings[right.color.index()][number];
                (if castling.short { "kingside" } else { "queenside" }, Some(castling.rook.0))
            }
            RightKind::FirstMove(square) => ("first_move", Some(square)),
            RightKind::Jump => ("jump", None),
            RightKind::PlayedOn => ("played_on", None),
            RightKind::Passed => ("passed", None),
        }
    }

    /// The rules of a piece.
    #[inline]
    pub fn piece(&self, piece: Piece) -> &PieceRules {
        &self.pieces[piece.index()]
    }

    /// The pieces of a side that promote to a piece type.
    pub fn promoted_from(&self, color: Color, kind: PieceType) -> impl Iterator<Item = &PieceRules> {
        let own = self.pieces.iter().skip(color.index()).step_by(2);
        own.filter(move |piece| piece.promotions.iter().any(|way| way.to.contains(&kind)))
    }

    /// A table by number.
    #[inline]
    pub fn table(&self, number: u16) -> &Table {
        &self.tables[number as usize]
    }

    /// Whether some moves are not legal because of what the side's other moves do, or what they do to the other side.
    #[inline]
    pub fn restricts_moves(&self) -> bool {
        self.turn.must_capture || !self.turn.may_check
    }

    /// Whether a side may have several royal pieces, in a game with check.
    #[inline]
    pub fn has_many_kings(&self) -> bool {
        self.end.royals != Safety::Only
    }

    /// Whether the game has check, and each side always one royal piece.
    pub(crate) fn has_one_king_each(&self) -> bool {
        self.has_check() && !self.has_many_kings() && self.kingless == [false, false]
    }

    /// Whether the game has check and checkmate.
    #[inline]
    pub fn has_check(&self) -> bool {
        self.end.goal == Goal::Checkmate
    }
}

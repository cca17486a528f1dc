//! A game's definition, read and checked: everything in its file, before it is compiled into tables.

use crate::piece::{Color, PieceType, Symbol};
use crate::set::Set;
use crate::square::{Square, mirror};
use crate::walk::Walk;

/// The pieces on their squares.
pub type Placement = Vec<(Square, Color, PieceType)>;

/// A whole game as its file defines it.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Names and texts.
    pub texts: Texts,
    /// Files of the board, 3 to 16.
    pub files: u8,
    /// Ranks of the board, 3 to 16.
    pub ranks: u8,
    /// Squares of the rectangle that do not belong to the board: the `*` of the start.
    pub holes: Set,
    /// FEN of the start.
    pub start: String,
    /// The pieces on their squares at the start.
    pub placement: Placement,
    /// The piece types, in the order of the file.
    pub piece_types: Vec<PieceTypeDefinition>,
    /// Where and how pieces promote.
    pub promotion: Promotion,
    /// Squares that count as passed when a first move leaves them, for White.
    pub en_passant_left: Set,
    /// Castlings of White, Black's being mirrored.
    pub castlings: Vec<CastlingDefinition>,
    /// The King's jump.
    pub jump: Option<JumpDefinition>,
    /// What makes up a turn.
    pub turn: TurnDefinition,
    /// How the game ends.
    pub end: EndDefinition,
    /// The groups of the setup phase.
    pub setup: Vec<SetupGroup>,
    /// The switches and their values.
    pub options: Vec<OptionDefinition>,
}

/// Names and texts of a game.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// The id.
    pub id: String,
    /// The name.
    pub name: String,
    /// The inventor.
    pub author: String,
    /// The year of invention.
    pub year: Option<i64>,
    /// Where the rules are published.
    pub link: String,
    /// One sentence.
    pub summary: String,
    /// Some paragraphs.
    pub story: String,
    /// Help texts of the special rules, by key.
    pub rules: Vec<(String, String)>,
}

/// One piece type.
#[derive(Clone, Debug)]
pub struct PieceTypeDefinition {
    /// Its symbol.
    pub symbol: Symbol,
    /// English name.
    pub name: String,
    /// Other names, the inventor's first.
    pub also: Vec<String>,
    /// The Betza notation.
    pub notation: String,
    /// The notation as walks of White's piece.
    pub walks: Vec<Walk>,
    /// Whether Black's moves are White's turned by half a circle, and not mirrored: what goes left for both.
    pub turned: bool,
    /// Whether it is the King.
    pub royal: bool,
    /// Values by source, in units of the source.
    pub values: Vec<(String, f64)>,
    /// One sentence.
    pub help: String,
    /// Id of its drawing, or a drawing as path data.
    pub art: String,
    /// What it may become, in the order in which choices are offered.
    pub promotes_to: Vec<PieceType>,
    /// The leaps that promote, if not all its moves do.
    pub promotes_by: Option<Vec<Walk>>,
    /// The notation of `promotes_by`.
    pub promotes_by_notation: String,
    /// Its own ways to promote, which stand in place of [`Definition::promotion`]; `promotes_to` is all they offer.
    pub promotions: Vec<OwnPromotion>,
    /// The squares it never leaves, for White.
    pub within: Option<Set>,
    /// The name of the zone in `within`.
    pub zone: String,
    /// Extra squares from which it attacks an enemy royal.
    pub sees: Vec<Walk>,
    /// The notation of `sees`.
    pub sees_notation: String,
    /// Extra moves by square.
    pub from: Vec<ExtraMoves>,
}

/// Moves that a piece type has only on some squares.
#[derive(Clone, Debug)]
pub struct ExtraMoves {
    /// The squares, for White.
    pub squares: Set,
    /// The notation.
    pub notation: String,
    /// The moves.
    pub walks: Vec<Walk>,
    /// The letter of the right that such a move needs, if it needs one.
    pub right: Option<RightName>,
}

/// The letter of a first-move right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RightName {
    /// Each square's own file letter.
    File,
    /// One letter.
    Letter(char),
}

/// Where promotion happens.
#[derive(Clone, Debug, Default)]
pub struct Promotion {
    /// Squares where White must promote.
    pub at: Set,
    /// Squares where White may promote.
    pub optional: Set,
    /// Whether promotion allows no more of a piece type on the board than at the start.
    pub limited: bool,
    /// The most pieces of some types that promotion allows on the board.
    pub limits: Vec<(PieceType, u16)>,
}

/// A way in which one piece type promotes. Its squares are White's in any case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnPromotion {
    /// What the piece may become, in the order in which choices are offered.
    pub to: Vec<PieceType>,
    /// Squares where it must promote.
    pub at: Set,
    /// Squares where it may promote.
    pub optional: Set,
    /// The squares that it must come from; `None` for all.
    pub from: Option<Set>,
    /// Whether only captures promote so, or only moves that capture nothing; `None` for both.
    pub captures: Option<bool>,
    /// The side that may promote so; `None` for both.
    pub side: Option<Color>,
}

/// A castling of White.
#[derive(Clone, Debug)]
pub struct CastlingDefinition {
    /// The right's letter.
    pub right: char,
    /// The King's origin and destination.
    pub king: (Square, Square),
    /// The partner's origin and destination.
    pub rook: (Square, Square),
    /// The side that may castle so; `None` for both. The squares are White's in any case.
    pub side: Option<Color>,
}

impl CastlingDefinition {
    /// Whether a side may castle so.
    pub fn is_of(&self, color: Color) -> bool {
        self.side.is_none_or(|side| side == color)
    }
}

/// The King's jump.
#[derive(Clone, Debug)]
pub struct JumpDefinition {
    /// The right's letter.
    pub right: char,
    /// The leaps, for White.
    pub steps: Vec<(i8, i8)>,
}

/// The number of moves in a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TurnLength {
    /// A fixed number.
    Moves(u8),
    /// One for each royal piece at the start of the turn.
    Royals,
}

/// What makes up a turn.
#[derive(Clone, Debug)]
pub struct TurnDefinition {
    /// The most moves.
    pub length: TurnLength,
    /// The number of moves of White's first turn, if it is shorter.
    pub first: Option<u8>,
    /// Whether `end` may end it early.
    pub may_end: bool,
    /// Whether `end` may be its first move, a pass.
    pub may_pass: bool,
    /// Whether no piece may move twice.
    pub once_each: bool,
    /// Whether giving check ends it.
    pub ends_on_check: bool,
    /// Whether each move uses up a royal piece within range.
    pub command: Option<Command>,
    /// Whether a side that can capture must.
    pub must_capture: bool,
    /// Whether a move may give check.
    pub may_check: bool,
}

/// The command rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Command {
    /// The distance in King's moves; 15 reaches everywhere.
    pub range: u8,
    /// Whether royal pieces command each other.
    pub royals: bool,
}

/// The goal of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Mate the one royal piece.
    Checkmate,
    /// Capture the last royal piece; there is no check.
    CaptureRoyals,
    /// Only what [`EndDefinition::conditions`] and a side without moves decide; there are no royal pieces.
    Conditions,
}

/// Which of its royal pieces a side must keep safe from capture, if mate is the goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Safety {
    /// It has only one.
    Only,
    /// The last: as long as it has several, they are pieces like others.
    Last,
    /// Each of them.
    Every,
    /// One of them: it is in check when all are attacked.
    One,
}

/// What an ending brings a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It has won.
    Win,
    /// The game is drawn.
    Draw,
    /// It has lost.
    Loss,
}

impl Verdict {
    /// Its name in a definition.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Win => "win",
            Verdict::Draw => "draw",
            Verdict::Loss => "loss",
        }
    }
}

/// What must hold of a side for a condition to end the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Test {
    /// It has few pieces of one of some piece types, of all its pieces together if there are none, while the other side
    /// has enough of them.
    Extinct {
        /// The piece types.
        kinds: Vec<PieceType>,
        /// The most that it may have left.
        at_most: u32,
        /// The fewest that the other side must have.
        against: u32,
    },
    /// It has pieces on some squares.
    Reach {
        /// The squares, for White.
        squares: Set,
        /// The piece types; empty for all.
        kinds: Vec<PieceType>,
        /// How many of its pieces.
        count: u32,
    },
    /// It has given check this often.
    Checks(u8),
}

/// A condition that ends the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    /// What must hold of a side.
    pub test: Test,
    /// What that brings the side.
    pub verdict: Verdict,
    /// The side that it is about; `None` for both.
    pub side: Option<Color>,
    /// Whether the side that it is bad for may still answer with one move.
    pub answer: bool,
}

/// The bare King's claim in four-point scoring.
#[derive(Clone, Debug, Default)]
pub struct BareKing {
    /// Piece types of which the claimant needs one.
    pub claim: Vec<PieceType>,
    /// Piece types that may not be on the board.
    pub never: Vec<PieceType>,
}

/// How the game ends.
#[derive(Clone, Debug)]
pub struct EndDefinition {
    /// The goal.
    pub goal: Goal,
    /// Which royal pieces must be safe.
    pub royals: Safety,
    /// What mate brings the side that is mated.
    pub checkmate: Verdict,
    /// What stalemate brings the side without moves.
    pub stalemate: Verdict,
    /// Whether the side with fewer pieces wins in stalemate instead; with as many it is a draw.
    pub fewer_wins_stalemate: bool,
    /// Conditions that end the game, in the order of the file.
    pub conditions: Vec<Condition>,
    /// Whether four points are divided.
    pub four_points: bool,
    /// The bare King's claim; its lists are empty without four-point scoring.
    pub bare_king: BareKing,
    /// Whether dead positions are drawn.
    pub dead_positions: bool,
    /// How often a position must occur for a claim, and for the game to end; 0 for never.
    pub repetition: (u32, u32),
    /// What the last repetition brings the side that brought it about.
    pub repetition_result: Verdict,
    /// Whether a side loses by a repetition since whose first position each of its moves has given check.
    pub perpetual_check_loses: bool,
    /// Moves without progress for a claim, and for the game to end; 0 for never.
    pub quiet: (u32, u32),
    /// The piece types whose moves are progress; `None` for the soldiers.
    pub progress: Option<Vec<PieceType>>,
}

/// One group of the setup phase.
#[derive(Clone, Debug)]
pub struct SetupGroup {
    /// White's squares, in the order of the name.
    pub squares: Vec<Square>,
    /// The pieces to place.
    pub pieces: Vec<PieceType>,
    /// Piece types that only go to some of the squares.
    pub only: Vec<(PieceType, Set)>,
}

/// An option.
#[derive(Clone, Debug)]
pub struct OptionDefinition {
    /// Its name.
    pub name: String,
    /// One sentence.
    pub help: String,
    /// The possible values, as text.
    pub values: Vec<String>,
    /// The default value.
    pub default: String,
    /// The value chosen here.
    pub chosen: String,
}

impl PieceTypeDefinition {
    /// All its walks, those that depend on the square included.
    pub fn all_walks(&self) -> impl Iterator<Item = &Walk> {
        self.walks.iter().chain(self.from.iter().flat_map(|extra| &extra.walks))
    }

    /// Whether all its moves go forward.
    pub fn is_soldier(&self) -> bool {
        self.all_walks().all(Walk::goes_forward) && self.all_walks().next().is_some()
    }

    /// A walk of White's piece as a side makes it.
    pub fn walk_of(&self, walk: &Walk, color: Color) -> Walk {
        match color {
            Color::White => walk.clone(),
            Color::Black if self.turned => walk.turned(),
            Color::Black => walk.mirrored(),
        }
    }
}

impl Definition {
    /// All squares of the board.
    pub fn board(&self) -> Set {
        Set::board(self.files, self.ranks).minus(self.holes)
    }

    /// The piece type that takes part in a castling from one of its squares, which are White's.
    pub fn castling_piece(&self, castling: &CastlingDefinition, square: Square) -> Option<PieceType> {
        let color = castling.side.unwrap_or(Color::White);
        let at = if color == Color::White { square } else { mirror(square, self.ranks) };
        self.placement.iter().find(|(there, side, _)| *there == at && *side == color).map(|(_, _, kind)| *kind)
    }

    /// Whether the moves of a piece type are progress.
    pub fn makes_progress(&self, kind: PieceType) -> bool {
        match &self.end.progress {
            None => self.piece_types[kind.index()].is_soldier(),
            Some(piece_types) => piece_types.contains(&kind),
        }
    }

    /// Returns the piece type with this symbol.
    pub fn piece_type_of(&self, symbol: Symbol) -> Option<PieceType> {
        self.piece_types.iter().position(|kind| kind.symbol == symbol).map(|index| PieceType(index as u8))
    }
}

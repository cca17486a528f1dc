//! One move of a player, packed into 32 bits.

use crate::piece::PieceType;
use crate::square::Square;

/// What a move does besides carrying a piece from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum MoveTag {
    /// A move or capture, with or without promotion.
    Normal = 0,
    /// A move past squares on which its piece may then be captured en passant.
    Passing = 1,
    /// A capture en passant.
    EnPassant = 2,
    /// Castling, given as the King's own move.
    Castling = 3,
    /// The King's jump.
    Jump = 4,
    /// Ends the turn early, or passes.
    End = 5,
    /// Claims the bare King's three points.
    Claim = 6,
    /// Declines that claim for good.
    PlayOn = 7,
    /// Passes the turn to the other side: for analysis, never legal in a game.
    Null = 8,
}

/// A move: origin, destination, promotion and tag.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u32);

const NO_PROMOTION: u32 = 0xFF;

impl Move {
    /// `end`.
    pub const END: Move = Move(NO_PROMOTION << 16 | (MoveTag::End as u32) << 24);
    /// `claim`.
    pub const CLAIM: Move = Move(NO_PROMOTION << 16 | (MoveTag::Claim as u32) << 24);
    /// `playon`.
    pub const PLAY_ON: Move = Move(NO_PROMOTION << 16 | (MoveTag::PlayOn as u32) << 24);
    /// The null move.
    pub const NULL: Move = Move(NO_PROMOTION << 16 | (MoveTag::Null as u32) << 24);

    /// A piece's move without promotion.
    #[inline]
    pub const fn new(from: Square, to: Square, tag: MoveTag) -> Move {
        Move(from.0 as u32 | (to.0 as u32) << 8 | NO_PROMOTION << 16 | (tag as u32) << 24)
    }

    /// A piece's move with promotion.
    #[inline]
    pub const fn promoting(from: Square, to: Square, tag: MoveTag, kind: PieceType) -> Move {
        Move(from.0 as u32 | (to.0 as u32) << 8 | (kind.0 as u32) << 16 | (tag as u32) << 24)
    }

    /// The origin; `a1` if no piece moves.
    #[inline]
    pub const fn from(self) -> Square {
        Square(self.0 as u8)
    }

    /// The destination; `a1` if no piece moves.
    #[inline]
    pub const fn to(self) -> Square {
        Square((self.0 >> 8) as u8)
    }

    /// What the piece becomes.
    #[inline]
    pub const fn promotion(self) -> Option<PieceType> {
        let kind = (self.0 >> 16 & 0xFF) as u8;
        if kind == 0xFF { None } else { Some(PieceType(kind)) }
    }

    /// What else it does.
    #[inline]
    pub const fn tag(self) -> MoveTag {
        match self.0 >> 24 {
            1 => MoveTag::Passing,
            2 => MoveTag::EnPassant,
            3 => MoveTag::Castling,
            4 => MoveTag::Jump,
            5 => MoveTag::End,
            6 => MoveTag::Claim,
            7 => MoveTag::PlayOn,
            8 => MoveTag::Null,
            _ => MoveTag::Normal,
        }
    }

    /// Whether a piece moves (false for `end`, `claim`, `playon` and the null move).
    #[inline]
    pub const fn moves_piece(self) -> bool {
        self.0 >> 24 < MoveTag::End as u32
    }

    /// Whether two moves are written alike: the same squares and promotion, whatever the tag, or the same word.
    #[inline]
    pub fn same_text(self, other: Move) -> bool {
        self.0 & 0xFF_FFFF == other.0 & 0xFF_FFFF
            && self.moves_piece() == other.moves_piece()
            && (self.moves_piece() || self.0 == other.0)
    }
}

impl std::fmt::Debug for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self.tag() {
            MoveTag::End => write!(f, "end"),
            MoveTag::Claim => write!(f, "claim"),
            MoveTag::PlayOn => write!(f, "playon"),
            MoveTag::Null => write!(f, "0000"),
            tag => {
                write!(f, "{}{}", self.from(), self.to())?;
                if let Some(kind) = self.promotion() {
                    write!(f, "={}", kind.0)?;
                }
                if tag == MoveTag::Normal { Ok(()) } else { write!(f, "({tag:?})") }
            }
        }
    }
}

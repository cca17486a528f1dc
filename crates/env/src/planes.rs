//! Positions as planes: one byte for each square of the board, as one side sees it.

use crate::cell;
use rules::definition::TurnLength;
use rules::tables::RightKind;
use rules::{Board, Color, Game, PieceType, Rules, Square};

/// The most royal pieces of a side, and so the most moves of a turn that has one for each.
const MAX_ROYALS: u8 = 6;

/// What a plane shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plane {
    /// 1 on the squares of the own pieces of a type.
    Own(PieceType),
    /// 1 on the squares of the other side's pieces of a type.
    Enemy(PieceType),
    /// 1 on the squares where a capture en passant may end.
    EnPassant,
    /// 1 on the squares where the other side may capture en passant what has moved in this turn.
    EnPassantNext,
    /// 1 on the squares of the pieces that have moved in this turn and may not move again.
    Moved,
    /// Everywhere, how many more moves the turn may have.
    MovesLeft,
    /// Everywhere 1 if the own side holds the right of this number.
    OwnRight(u8),
    /// Everywhere 1 if the other side holds the right of this number.
    EnemyRight(u8),
    /// Everywhere 1 if the last turn was a pass.
    Passed,
    /// Everywhere, how often the position at the start of the turn has occurred before.
    Repetitions,
    /// Everywhere, the moves without progress, at most 255.
    Quiet,
    /// Everywhere 1 if the own side is White.
    White,
}

/// The planes of a game, in order.
pub struct Planes {
    planes: Vec<Plane>,
    highest: Vec<u8>,
    /// The rights of White and of Black, in the same order.
    rights: [Vec<usize>; 2],
    files: u8,
    ranks: u8,
}

impl Planes {
    /// The planes of a game: pieces first, then what the board does not show.
    pub fn new(game: &Game) -> Planes {
        let rules = &game.rules;
        let piece_types = || (0..rules.piece_types as u8).map(PieceType);
        let mut planes: Vec<Plane> = piece_types().map(Plane::Own).chain(piece_types().map(Plane::Enemy)).collect();
        if rules.has_en_passant {
            planes.push(Plane::EnPassant);
        }
        if rules.has_en_passant && rules.multi {
            planes.push(Plane::EnPassantNext);
        }
        if rules.turn.once_each {
            planes.push(Plane::Moved);
        }
        if rules.multi {
            planes.push(Plane::MovesLeft);
        }
        let rights = Color::BOTH.map(|color| rights_of(rules, color));
        let numbers = || 0..rights[0].len() as u8;
        planes.extend(numbers().map(Plane::OwnRight).chain(numbers().map(Plane::EnemyRight)));
        if rules.passed != 0 {
            planes.push(Plane::Passed);
        }
        if rules.end.repetition != (0, 0) {
            planes.push(Plane::Repetitions);
        }
        if rules.end.quiet != (0, 0) {
            planes.push(Plane::Quiet);
        }
        planes.push(Plane::White);
        let highest = planes.iter().map(|plane| highest(rules, *plane)).collect();
        Planes { planes, highest, rights, files: rules.files, ranks: rules.ranks }
    }

    /// What each plane shows.
    pub fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// Planes, ranks and files.
    pub fn shape(&self) -> (usize, usize, usize) {
        (self.planes.len(), usize::from(self.ranks), usize::from(self.files))
    }

    /// The number of bytes of a position.
    pub fn size(&self) -> usize {
        self.planes.len() * self.cells()
    }

    fn cells(&self) -> usize {
        usize::from(self.ranks) * usize::from(self.files)
    }

    /// The name of a plane, for people and programs: `own P`, `enemy right K`.
    pub fn name(&self, game: &Game, plane: Plane) -> String {
        let letter = |right: u8| game.rules.rights[self.rights[0][usize::from(right)]].letter;
        match plane {
            Plane::Own(kind) => format!("own {}", game.symbol(kind)),
            Plane::Enemy(kind) => format!("enemy {}", game.symbol(kind)),
            Plane::EnPassant => "en passant".into(),
            Plane::EnPassantNext => "en passant next".into(),
            Plane::Moved => "moved".into(),
            Plane::MovesLeft => "moves left".into(),
            Plane::OwnRight(right) => format!("own right {}", letter(right)),
            Plane::EnemyRight(right) => format!("enemy right {}", letter(right)),
            Plane::Passed => "passed".into(),
            Plane::Repetitions => "repetitions".into(),
            Plane::Quiet => "quiet moves".into(),
            Plane::White => "white".into(),
        }
    }

    /// The highest value of each plane.
    pub fn highest(&self) -> &[u8] {
        &self.highest
    }

    /// Writes the planes of a position as a side sees it.
    ///
    /// # Panics
    /// If `out` does not have [`Planes::size`] bytes.
    pub fn write(&self, board: &Board, us: Color, out: &mut [u8]) {
        assert_eq!(out.len(), self.size());
        out.fill(0);
        let (rules, position) = (&board.game().rules, board.position());
        let (state, cells) = (position.state(), self.cells());
        let at = |square: Square| cell(square, us, (self.files, self.ranks));
        for square in position.occupied() {
            let piece = position.piece(square).expect("occupied");
            let side = if piece.color() == us { 0 } else { rules.piece_types };
            out[(side + piece.piece_type().index()) * cells + at(square)] = 1;
        }
        let right = |number: u8, color: Color| {
            let found = self.rights[color.index()][usize::from(number)];
            u8::from(state.rights >> found & 1 != 0)
        };
        for ((plane, highest), out) in
            self.planes.iter().zip(&self.highest).zip(out.chunks_mut(cells)).skip(2 * rules.piece_types)
        {
            let mut mark = |square: Square| out[at(square)] = 1;
            let everywhere = match *plane {
                Plane::Own(_) | Plane::Enemy(_) => continue,
                Plane::EnPassant => {
                    state.en_passant.iter().flat_map(|track| track.landings()).for_each(mark);
                    continue;
                }
                Plane::EnPassantNext => {
                    state.new_en_passant.iter().flat_map(|track| track.landings()).for_each(mark);
                    continue;
                }
                Plane::Moved => {
                    state.moved.iter().for_each(|square| mark(*square));
                    continue;
                }
                Plane::MovesLeft => u32::from(position.turn_length(rules).saturating_sub(state.moves)),
                Plane::OwnRight(number) => u32::from(right(number, us)),
                Plane::EnemyRight(number) => u32::from(right(number, !us)),
                Plane::Passed => u32::from(state.rights & rules.passed != 0),
                Plane::Repetitions => board.repetitions() - 1,
                Plane::Quiet => state.halfmove,
                Plane::White => u32::from(us == Color::White),
            };
            if everywhere > 0 {
                out.fill(everywhere.min(u32::from(*highest)) as u8);
            }
        }
    }
}

/// The highest value of a plane.
fn highest(rules: &Rules, plane: Plane) -> u8 {
    // Without a limit that ends the game, the count is cut off.
    let forced = |(_, limit): (u32, u32)| if limit == 0 { 255 } else { limit.min(255) as u8 };
    match plane {
        Plane::MovesLeft => match rules.turn.length {
            TurnLength::Moves(moves) => moves,
            TurnLength::Royals => MAX_ROYALS,
        },
        Plane::Repetitions => forced(rules.end.repetition) - 1,
        Plane::Quiet => forced(rules.end.quiet),
        _ => 1,
    }
}

/// The rights of a side by number, in the same order for both, without that of a pass.
fn rights_of(rules: &Rules, color: Color) -> Vec<usize> {
    let of = |right: &rules::tables::Right| right.color == color && right.kind != RightKind::Passed;
    (0..rules.rights.len()).filter(|number| of(&rules.rights[*number])).collect()
}

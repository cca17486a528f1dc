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
    /// Everywhere, how often the own side has given check.
    OwnChecks,
    /// Everywhere, how often the other side has given check.
    EnemyChecks,
    /// 1 on the squares of a board with holes.
    Board,
    /// Everywhere 1 if the own side is White.
    White,
}

/// The planes of a game, in order.
pub struct Planes {
    planes: Vec<Plane>,
    highest: Vec<u8>,
    /// The rights of White and of Black that have the same letter; a side may lack some.
    rights: Vec<[Option<usize>; 2]>,
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
        let rights = rights_of(rules);
        let numbers = || 0..rights.len() as u8;
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
        if rules.checks.is_some() {
            planes.extend([Plane::OwnChecks, Plane::EnemyChecks]);
        }
        if !game.definition.holes.is_empty() {
            planes.push(Plane::Board);
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
        let letter = |right: u8| {
            let held = self.rights[usize::from(right)].iter().flatten().next().expect("a side holds it");
            game.rules.rights[*held].letter.to_ascii_uppercase()
        };
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
            Plane::OwnChecks => "own checks".into(),
            Plane::EnemyChecks => "enemy checks".into(),
            Plane::Board => "board".into(),
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
            let found = self.rights[usize::from(number)][color.index()];
            found.is_some_and(|found| state.rights >> found & 1 != 0)
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
                Plane::OwnChecks => u32::from(state.checks[us.index()]),
                Plane::EnemyChecks => u32::from(state.checks[(!us).index()]),
                Plane::Board => {
                    rules.board.into_iter().for_each(mark);
                    continue;
                }
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
        Plane::OwnChecks | Plane::EnemyChecks => rules.checks.map_or(0, |checks| checks[0].max(checks[1])),
        _ => 1,
    }
}

/// The rights of both sides, those with the same letter together, without that of a pass.
fn rights_of(rules: &Rules) -> Vec<[Option<usize>; 2]> {
    let mut found: Vec<(char, [Option<usize>; 2])> = Vec::new();
    for (number, right) in rules.rights.iter().enumerate().filter(|(_, right)| right.kind != RightKind::Passed) {
        let letter = right.letter.to_ascii_uppercase();
        let place = found.iter().position(|(other, _)| *other == letter).unwrap_or_else(|| {
            found.push((letter, [None; 2]));
            found.len() - 1
        });
        found[place].1[right.color.index()] = Some(number);
    }
    found.into_iter().map(|(_, pair)| pair).collect()
}

//! Holds solutions against the core: in a position of a solution, the core's legal moves and the values of the
//! positions they lead to must give the value of the position itself.

use super::Study;
use super::solution::Arrangement;
use super::steps::{BARE, STRONG};
use rules::{Board, Cell, Color, Move, Piece, PieceType, Position, Square, mix, write_pieces};

impl Study {
    /// Compares positions of a set, drawn at random, and every position of one longest win with the core. Returns how
    /// many were compared.
    ///
    /// # Errors
    /// If one differs; the text has its FEN.
    pub(super) fn check(&self, piece_types: &[PieceType], seed: u64, count: usize) -> Result<u64, String> {
        let (solution, squares) = (&self.solved[piece_types], &self.ground.squares);
        let (mut checked, mut state) = (0, seed);
        let mut draw = |below: usize| {
            state = mix(state.wrapping_add(1));
            (state % below as u64) as usize
        };
        // Most draws are positions; the limit only ends a search where there are none.
        for _ in 0..20 * count {
            let (number, bare) = (draw(solution.len()), squares[draw(squares.len())]);
            if !solution.exists(number) || checked >= 2 * count as u64 {
                continue;
            }
            for turn in [STRONG, BARE] {
                let position = self.position(piece_types, &solution.arrangement(&self.ground, number), bare, turn);
                if let Some(position) = position.filter(|position| position.problems(&self.game.rules).is_empty()) {
                    self.compare(position)?;
                    checked += 1;
                }
            }
        }
        let Some((_, mut position)) = self.longest(piece_types, None) else { return Ok(checked) };
        loop {
            checked += 1;
            let Some(mv) = self.compare(position.clone())? else { return Ok(checked) };
            position.make(&self.game.rules, mv);
        }
    }

    /// A position, unless two pieces would share a square.
    pub(super) fn position(
        &self,
        piece_types: &[PieceType],
        arrangement: &Arrangement,
        bare: Square,
        turn: Color,
    ) -> Option<Position> {
        let rules = &self.game.rules;
        let royal = rules.royals[0];
        let mut position = Position::empty();
        position.set_turn(turn);
        position.set(rules, arrangement.king, Cell::full(Piece::new(STRONG, royal)));
        for (kind, square) in piece_types.iter().zip(arrangement.pieces) {
            position.set(rules, square, Cell::full(Piece::new(STRONG, *kind)));
        }
        if arrangement.occupied.contains(bare) {
            return None;
        }
        position.set(rules, bare, Cell::full(Piece::new(BARE, royal)));
        Some(position)
    }

    /// In how many moves the side with the pieces wins, by the solutions; `None` if it does not.
    pub(super) fn value(&self, position: &Position) -> Option<u32> {
        let royal = |color| position.royals(color).first().expect("a King");
        let (king, bare) = (royal(STRONG), royal(BARE));
        let men = position.by_color(STRONG).without(king).into_iter();
        let mut men: Vec<(PieceType, Square)> =
            men.filter_map(|square| Some((position.piece(square)?.piece_type(), square))).collect();
        men.sort_unstable_by_key(|(kind, square)| (kind.index(), *square));
        let piece_types: Vec<PieceType> = men.iter().map(|(kind, _)| *kind).collect();
        let mut pieces = [Square(0); 2];
        men.iter().zip(&mut pieces).for_each(|((_, square), piece)| *piece = *square);
        let solution = &self.solved[&piece_types];
        let (number, map) = solution.find(&self.ground, king, pieces);
        let bare = self.ground.maps[map][bare.index()];
        if position.turn() == STRONG {
            solution.won(&self.ground, number, bare)
        } else {
            solution.lost(&self.ground, number, bare)
        }
    }

    /// Compares one position, and returns a best move; `None` if there is no move or none wins.
    fn compare(&self, mut position: Position) -> Result<Option<Move>, String> {
        let rules = &self.game.rules;
        let mut moves = Vec::new();
        position.legal_moves(rules, &mut moves);
        let mut values = Vec::with_capacity(moves.len());
        for mv in moves {
            let undo = position.make(rules, mv);
            values.push((self.value(&position), mv));
            position.unmake(rules, undo);
        }
        let won = |(value, mv): &(Option<u32>, Move)| value.map(|moves| (moves, *mv));
        let (expected, best) = if position.turn() == STRONG {
            let best = values.iter().filter_map(won).min_by_key(|(moves, _)| *moves);
            (best.map(|(moves, _)| moves + 1), best.map(|(_, mv)| mv))
        } else if values.is_empty() {
            (position.without_moves(rules, position.is_check(rules)).winner.map(|_| 0), None)
        } else if values.iter().any(|(value, _)| value.is_none()) {
            (None, None)
        } else {
            let last = values.iter().filter_map(won).max_by_key(|(moves, _)| *moves);
            (last.map(|(moves, _)| moves), last.map(|(_, mv)| mv))
        };
        let found = self.value(&position);
        if found == expected {
            return Ok(best);
        }
        let words = |value: Option<u32>| value.map_or("no win".into(), |moves| format!("a win in {moves}"));
        let pieces = write_pieces(&self.game, &position);
        Err(format!(
            "{pieces} with {:?} to move: {}, but by the core {}",
            position.turn(),
            words(found),
            words(expected)
        ))
    }

    /// The text of a position.
    pub(super) fn fen(&self, position: Position) -> String {
        Board::from_position(self.game.clone(), position).fen()
    }
}

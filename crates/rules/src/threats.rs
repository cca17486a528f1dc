//! Attacks and threats, for people who look at a position.

use crate::board::Board;
use crate::piece::{Color, Piece};
use crate::square::Square;

impl Board {
    /// How many pieces of each side attack each square, White's first; squares that nothing attacks are left out.
    pub fn attack_counts(&self) -> Vec<(Square, [u32; 2])> {
        let (rules, position) = (&self.game().rules, self.position());
        let occupied = position.occupied();
        let count = |square, color| position.attackers(rules, color, square, &occupied).count();
        let counts = rules.board.into_iter().map(|square| (square, Color::BOTH.map(|color| count(square, color))));
        counts.filter(|(_, counts)| *counts != [0, 0]).collect()
    }

    /// The captures that win something, of either side: of pieces that nothing defends, and by pieces of less value.
    pub fn threats(&self) -> Vec<(Square, Square)> {
        let (rules, position) = (&self.game().rules, self.position());
        let occupied = position.occupied();
        let mut threats = Vec::new();
        for square in occupied {
            let piece = position.piece(square).expect("a piece on an occupied square");
            let attackers = position.attackers(rules, !piece.color(), square, &occupied);
            let defended =
                !attackers.is_empty() && !position.attackers(rules, piece.color(), square, &occupied).is_empty();
            let wins = |from: &Square| {
                !defended || position.piece(*from).is_some_and(|attacker| self.worth(attacker) < self.worth(piece))
            };
            threats.extend(attackers.into_iter().filter(wins).map(|from| (from, square)));
        }
        threats
    }

    /// A piece's value, from the first of the game's lists that has it; a royal piece is worth most.
    fn worth(&self, piece: Piece) -> f64 {
        let kind = &self.game().definition.piece_types[piece.piece_type().index()];
        if kind.royal { f64::INFINITY } else { kind.values.first().map_or(0.0, |(_, value)| *value) }
    }
}

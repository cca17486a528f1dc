//! Plausible games: pieces capture, are rarely given away, and approach the enemy's royal pieces.

use judge::Random;
use rules::{Board, Game, Move, Rules, Square, read_board};
use std::sync::Arc;

/// A player that looks one move ahead.
pub struct Player<'a> {
    rules: &'a Rules,
    /// By kind, the mean of the values in the game's definition.
    values: Vec<f64>,
    /// By side, the weight of chance.
    carelessness: [f64; 2],
}

impl Player<'_> {
    /// Creates a player. One side may play worse than the other, so that games are decided.
    pub fn new<'a>(game: &'a Game, random: &mut Random) -> Player<'a> {
        let mean =
            |values: &[(String, f64)]| values.iter().map(|(_, value)| value).sum::<f64>() / values.len().max(1) as f64;
        let values = game.definition.kinds.iter().map(|kind| mean(&kind.values)).collect();
        let carelessness = [(); 2].map(|()| *random.pick(&[0.5, 1.0, 3.0, 6.0]));
        Player { rules: &game.rules, values, carelessness }
    }

    /// Chooses a move.
    pub fn choose(&self, board: &Board, random: &mut Random) -> Move {
        let carelessness = self.carelessness[board.turn().index()];
        let mut best = (f64::MIN, Move::END);
        for mv in board.legal_moves() {
            let score = self.score(board, mv) + carelessness * random.below(1000) as f64 / 1000.0;
            if score > best.0 {
                best = (score, mv);
            }
        }
        best.1
    }

    fn score(&self, board: &Board, mv: Move) -> f64 {
        if !mv.moves_piece() {
            return -2.0;
        }
        let (position, us) = (board.position(), board.turn());
        let value = |square: Square| position.piece(square).map_or(0.0, |piece| self.values[piece.kind().index()]);
        let (from, to) = (mv.from(), mv.to());
        let mover = value(from);
        let mut score = value(to) + mv.promotion().map_or(0.0, |kind| self.values[kind.index()] - mover);
        let occupied = position.occupied();
        if !position.attackers(self.rules, !us, to, &occupied).is_empty() {
            let covered = position.attackers(self.rules, us, to, &occupied).without(from).is_empty();
            score -= if covered { mover } else { mover / 2.0 };
        }
        if position.gives_check(self.rules, mv) {
            score += 0.5;
        }
        let near = |square: Square| position.royals(!us).into_iter().map(|royal| royal.distance(square)).min();
        let nearer = f64::from(near(from).unwrap_or(0)) - f64::from(near(to).unwrap_or(0));
        let royal = position.royals(us).contains(from);
        score + if royal { -0.5 } else { 0.15 * nearer }
    }
}

/// Returns the start of a game, in any of its setups.
pub fn start(game: &Arc<Game>, random: &mut Random) -> Board {
    let setups = game.setups().count();
    if setups == 0 {
        return Board::new(Arc::clone(game));
    }
    let name = game.setups().name(1 + random.number() % setups).expect("numbered");
    let fen = game.setups().fen(&game.definition, &name).expect("a setup's own name");
    read_board(game, &fen).expect("a setup")
}

/// Returns a FEN as of a position without history: its count of quiet moves is 0.
pub fn fresh_fen(board: &Board) -> String {
    let fen = board.fen();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[4] = "0";
    fields.join(" ")
}

/// The squares within a number of King's steps.
pub fn around(rules: &Rules, center: Square, distance: u8) -> Vec<Square> {
    rules.board.into_iter().filter(|square| square.distance(center) <= distance).collect()
}

//! Forced mates and won pieces by exhaustive search: tries every move of the attacker and every reply, with no evaluation
//! and no pruning.

use rules::definition::Definition;
use rules::{Game, Move, Position, Rules};
use std::collections::HashMap;

/// Proves what the side to move can force in games with check and turns of one move.
///
/// The goal is mate or, where pieces count, also to win a piece for nothing: to capture one that is not a soldier, while
/// the enemy, from the first move of the line to its reply to that capture, can neither capture anything nor promote.
///
/// Draws by repetition and by the count of quiet turns are ignored: no line is long enough for them.
pub struct Mates {
    pieces_count: bool,
    /// The most positions that may be visited.
    most: u64,
    /// Whether the side to move wins within a number of its turns, by the position's key and that number.
    known: HashMap<(u64, u32), bool>,
    /// By the attacker's remaining turns, the reply that refuted a line last. It is tried first, to save time.
    refutation: Vec<Move>,
    /// Positions visited after a move of the attacker.
    pub nodes: u64,
}

/// A proof would visit more positions than allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLong;

impl Mates {
    /// Creates a prover with nothing cached, which may visit so many positions.
    pub fn new(most: u64, pieces_count: bool) -> Mates {
        Mates { pieces_count, most, known: HashMap::new(), refutation: Vec::new(), nodes: 0 }
    }

    /// Returns every move with which the side to move forces the goal within `turns` of its turns, that one included.
    ///
    /// # Errors
    /// If that takes too many positions.
    pub fn keys(&mut self, game: &Game, position: &mut Position, turns: u32) -> Result<Vec<Move>, TooLong> {
        let mut keys = Vec::new();
        for mv in legal(&game.rules, position) {
            if self.forces(game, position, mv, turns)? {
                keys.push(mv);
            }
        }
        Ok(keys)
    }

    /// Whether the side to move forces the goal within `turns` of its turns.
    ///
    /// # Errors
    /// If that takes too many positions.
    pub fn wins(&mut self, game: &Game, position: &mut Position, turns: u32) -> Result<bool, TooLong> {
        let rules = &game.rules;
        if turns == 0 {
            return Ok(false);
        }
        let id = (position.key(rules), turns);
        if turns > 1
            && let Some(known) = self.known.get(&id)
        {
            return Ok(*known);
        }
        let mut moves = legal(rules, position);
        // The last move gives check or captures; before it, such moves come first because they are fast to refute.
        let forcing = |mv: &Move| position.gives_check(rules, *mv) || (self.pieces_count && gains(position, *mv));
        if turns == 1 {
            moves.retain(forcing);
        } else {
            moves.sort_by_cached_key(|mv| !forcing(mv));
        }
        let mut found = false;
        for mv in moves {
            if self.forces(game, position, mv, turns)? {
                found = true;
                break;
            }
        }
        if turns > 1 {
            self.known.insert(id, found);
        }
        Ok(found)
    }

    /// Whether this move forces the goal within `turns` turns of its side, itself included.
    fn forces(&mut self, game: &Game, position: &mut Position, mv: Move, turns: u32) -> Result<bool, TooLong> {
        let takes = self.pieces_count && takes_a_piece(&game.definition, position, mv);
        let undo = position.make(&game.rules, mv);
        let lost = self.is_lost(game, position, turns - 1, takes);
        position.unmake(&game.rules, undo);
        lost
    }

    /// Whether the side to move has lost, or will have within `turns` turns of the other side whatever it replies.
    fn is_lost(&mut self, game: &Game, position: &mut Position, turns: u32, taken: bool) -> Result<bool, TooLong> {
        let rules = &game.rules;
        self.nodes += 1;
        if self.nodes > self.most {
            return Err(TooLong);
        }
        if turns == 0 && !self.pieces_count {
            return Ok(position.is_check(rules) && !position.has_move(rules));
        }
        let mut replies = legal(rules, position);
        if replies.is_empty() {
            return Ok(position.is_check(rules));
        }
        if self.pieces_count {
            if replies.iter().any(|reply| gains(position, *reply)) {
                return Ok(false);
            }
            if taken {
                return Ok(true);
            }
        }
        if turns == 0 {
            return Ok(false);
        }
        let slot = turns as usize;
        if self.refutation.len() <= slot {
            self.refutation.resize(slot + 1, Move::END);
        }
        if let Some(index) = replies.iter().position(|reply| *reply == self.refutation[slot]) {
            replies.swap(0, index);
        }
        for reply in replies {
            let undo = position.make(rules, reply);
            let won = self.wins(game, position, turns);
            position.unmake(rules, undo);
            if !won? {
                self.refutation[slot] = reply;
                return Ok(false);
            }
        }
        Ok(true)
    }
}

pub(crate) fn legal(rules: &Rules, position: &Position) -> Vec<Move> {
    let mut moves = Vec::with_capacity(128);
    position.legal_moves(rules, &mut moves);
    moves
}

/// Whether a move captures or promotes.
fn gains(position: &Position, mv: Move) -> bool {
    mv.promotion().is_some() || position.captured(mv).is_some()
}

/// Whether a move captures a piece that is not a soldier.
fn takes_a_piece(definition: &Definition, position: &Position, mv: Move) -> bool {
    position.captured(mv).is_some_and(|(_, piece)| !definition.piece_types[piece.piece_type().index()].is_soldier())
}

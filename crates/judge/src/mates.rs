//! Forced mates by exhaustive search: tries every move of the attacker and every reply, with no evaluation and no
//! pruning.

use rules::{Move, Position, Rules};
use std::collections::HashMap;

/// Proves forced mates in games with check and turns of one move. Ignores draws by repetition and by the count of quiet
/// turns: from a position without history no line is long enough for them.
pub struct Mates<'a> {
    rules: &'a Rules,
    /// Whether the side to move mates within a number of its turns, by the position's key and that number.
    known: HashMap<(u64, u32), bool>,
    /// By the attacker's remaining turns, the reply that refuted a line last. It is tried first, to save time.
    refutation: Vec<Move>,
    /// Positions visited.
    pub nodes: u64,
}

impl<'a> Mates<'a> {
    /// Creates a prover with nothing cached.
    pub fn new(rules: &'a Rules) -> Mates<'a> {
        assert!(rules.has_check() && !rules.multi, "mates are proved in games with check and one move per turn");
        Mates { rules, known: HashMap::new(), refutation: Vec::new(), nodes: 0 }
    }

    /// Returns every move with which the side to move forces mate within `turns` of its turns, that one included.
    pub fn keys(&mut self, position: &mut Position, turns: u32) -> Vec<Move> {
        let mut moves = Vec::new();
        position.legal_moves(self.rules, &mut moves);
        moves.retain(|mv| self.forces(position, *mv, turns));
        moves
    }

    /// Whether the side to move forces mate within `turns` of its turns.
    pub fn mates(&mut self, position: &mut Position, turns: u32) -> bool {
        if turns == 0 {
            return false;
        }
        let id = (position.key(self.rules), turns);
        if turns > 1
            && let Some(known) = self.known.get(&id)
        {
            return *known;
        }
        self.nodes += 1;
        let mut moves = Vec::with_capacity(128);
        position.legal_moves(self.rules, &mut moves);
        // The last move of a mate gives check; before it, checks come first because they are fast to refute.
        if turns == 1 {
            moves.retain(|mv| position.gives_check(self.rules, *mv));
        } else {
            moves.sort_by_cached_key(|mv| !position.gives_check(self.rules, *mv));
        }
        let found = moves.into_iter().any(|mv| self.forces(position, mv, turns));
        if turns > 1 {
            self.known.insert(id, found);
        }
        found
    }

    /// Whether this move forces mate within `turns` turns of its side, itself included.
    pub fn forces(&mut self, position: &mut Position, mv: Move, turns: u32) -> bool {
        let undo = position.make(self.rules, mv);
        let lost = self.is_lost(position, turns - 1);
        position.unmake(self.rules, undo);
        lost
    }

    /// Whether the side to move is mated, or will be within `turns` turns of the other side whatever it replies.
    fn is_lost(&mut self, position: &mut Position, turns: u32) -> bool {
        self.nodes += 1;
        if turns == 0 {
            return position.is_check(self.rules) && !position.has_move(self.rules);
        }
        let mut replies = Vec::with_capacity(128);
        position.legal_moves(self.rules, &mut replies);
        if replies.is_empty() {
            return position.is_check(self.rules);
        }
        let slot = turns as usize;
        if self.refutation.len() <= slot {
            self.refutation.resize(slot + 1, Move::END);
        }
        if let Some(index) = replies.iter().position(|reply| *reply == self.refutation[slot]) {
            replies.swap(0, index);
        }
        for reply in replies {
            let undo = position.make(self.rules, reply);
            let mated = self.mates(position, turns);
            position.unmake(self.rules, undo);
            if !mated {
                self.refutation[slot] = reply;
                return false;
            }
        }
        true
    }
}

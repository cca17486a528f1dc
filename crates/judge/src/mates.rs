//! Forced mates by exhaustive search: tries every move of the attacker and every reply, with no evaluation and no
//! pruning.

use rules::{Ply, Position, Rules};
use std::collections::HashMap;

/// Proves forced mates in games with check and turns of one move. Ignores draws by repetition and by the count of quiet
/// moves: from a position without history no line is long enough for them.
pub struct Mates<'a> {
    rules: &'a Rules,
    /// Whether the side to move mates within a number of its moves, by the position's key and that number.
    known: HashMap<(u64, u32), bool>,
    /// By the attacker's remaining moves, the reply that refuted a line last. It is tried first, to save time.
    refutation: Vec<Ply>,
    /// Positions visited.
    pub nodes: u64,
}

impl<'a> Mates<'a> {
    /// Creates a prover with nothing cached.
    pub fn new(rules: &'a Rules) -> Mates<'a> {
        assert!(rules.has_check() && !rules.multi, "mates are proved in games with check and one move per turn");
        Mates { rules, known: HashMap::new(), refutation: Vec::new(), nodes: 0 }
    }

    /// Returns every move with which the side to move forces mate within `moves` of its moves, that one included.
    pub fn keys(&mut self, position: &mut Position, moves: u32) -> Vec<Ply> {
        let mut plies = Vec::new();
        position.legal_plies(self.rules, &mut plies);
        plies.retain(|ply| self.forces(position, *ply, moves));
        plies
    }

    /// Whether the side to move forces mate within `moves` of its moves.
    pub fn mates(&mut self, position: &mut Position, moves: u32) -> bool {
        if moves == 0 {
            return false;
        }
        let id = (position.key(self.rules), moves);
        if moves > 1
            && let Some(known) = self.known.get(&id)
        {
            return *known;
        }
        self.nodes += 1;
        let mut plies = Vec::with_capacity(128);
        position.legal_plies(self.rules, &mut plies);
        // The last move of a mate gives check; before it, checks come first because they are fast to refute.
        if moves == 1 {
            plies.retain(|ply| position.gives_check(self.rules, *ply));
        } else {
            plies.sort_by_cached_key(|ply| !position.gives_check(self.rules, *ply));
        }
        let found = plies.into_iter().any(|ply| self.forces(position, ply, moves));
        if moves > 1 {
            self.known.insert(id, found);
        }
        found
    }

    /// Whether this move forces mate within `moves` moves of its side, itself included.
    pub fn forces(&mut self, position: &mut Position, ply: Ply, moves: u32) -> bool {
        let undo = position.make(self.rules, ply);
        let lost = self.is_lost(position, moves - 1);
        position.unmake(self.rules, undo);
        lost
    }

    /// Whether the side to move is mated, or will be within `moves` moves of the other side whatever it replies.
    fn is_lost(&mut self, position: &mut Position, moves: u32) -> bool {
        self.nodes += 1;
        if moves == 0 {
            return position.is_check(self.rules) && !position.has_ply(self.rules);
        }
        let mut replies = Vec::with_capacity(128);
        position.legal_plies(self.rules, &mut replies);
        if replies.is_empty() {
            return position.is_check(self.rules);
        }
        let slot = moves as usize;
        if self.refutation.len() <= slot {
            self.refutation.resize(slot + 1, Ply::END);
        }
        if let Some(index) = replies.iter().position(|reply| *reply == self.refutation[slot]) {
            replies.swap(0, index);
        }
        for reply in replies {
            let undo = position.make(self.rules, reply);
            let mated = self.mates(position, moves);
            position.unmake(self.rules, undo);
            if !mated {
                self.refutation[slot] = reply;
                return false;
            }
        }
        true
    }
}

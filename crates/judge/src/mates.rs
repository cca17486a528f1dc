//! Forced mates by exhaustive search: every ply of the attacker and every reply is tried, nothing is judged or guessed.

use rules::{Ply, Position, Rules};
use std::collections::HashMap;

/// Proves forced mates in games with check and turns of one ply. Draws by repetition and by quiet plies are left aside: no
/// line is long enough for them, from a position without history.
pub struct Mates<'a> {
    rules: &'a Rules,
    /// Whether the side to move mates within so many of its plies, by the position's key.
    known: HashMap<(u64, u32), bool>,
    /// By plies left to the attacker, the reply that last refuted one. Tried first: it only saves time.
    refutation: Vec<Ply>,
    /// Positions looked at.
    pub nodes: u64,
}

impl<'a> Mates<'a> {
    /// A prover that knows nothing yet.
    pub fn new(rules: &'a Rules) -> Mates<'a> {
        assert!(rules.has_check() && !rules.multi, "mates are proved in games with check and one ply a turn");
        Mates { rules, known: HashMap::new(), refutation: Vec::new(), nodes: 0 }
    }

    /// Every ply after which the side to move mates within so many of its plies, that one included, whatever is replied.
    pub fn keys(&mut self, position: &mut Position, moves: u32) -> Vec<Ply> {
        let mut plies = Vec::new();
        position.legal_plies(self.rules, &mut plies);
        plies.retain(|ply| self.forces(position, *ply, moves));
        plies
    }

    /// Whether the side to move mates within so many of its plies, whatever is replied.
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
        // The last ply of a mate gives check; before, checks come first because they are fast to refute.
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

    /// Whether this ply mates or leads to mate within so many plies of its side, itself included.
    pub fn forces(&mut self, position: &mut Position, ply: Ply, moves: u32) -> bool {
        let undo = position.make(self.rules, ply);
        let lost = self.is_lost(position, moves - 1);
        position.unmake(self.rules, undo);
        lost
    }

    /// Whether the side to move is mated, or will be within so many plies of the other side whatever it replies.
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

//! How a search decides that a game is over. It builds on the predicates of the rules, and differs from them on
//! purpose:
//!
//! - A claimable draw is a draw: the side that is worse off would claim it.
//! - A first repetition within the search is a draw: what was best once is best again.
//! - Where turns are too many to try each, a position that the game has had before is a draw: the reply that repeats it
//!   again may not be among those searched.
//! - *No legal move* is tested last, when the search has found none.

use crate::score::{DRAW, Score, of_outcome};
use crate::turns::searches_turns;
use crate::worker::Worker;
use rules::{Rules, earliest_draw};

impl Worker {
    /// The score of a game that is over or as good as drawn, before any move is searched.
    #[inline]
    pub(crate) fn adjudicate(&self, rules: &Rules, ply: usize) -> Option<Score> {
        let frame = &self.frames[ply];
        let state = self.position.state();
        if let Some(outcome) = self.position.decided(rules) {
            return Some(of_outcome(&outcome, self.position.turn(), frame.turns));
        }
        if state.moves > 0 || frame.null {
            return None;
        }
        let quiet = earliest_draw(rules.end.quiet);
        let drawn = frame.double_pass
            || (quiet > 0 && state.halfmove >= quiet && (!frame.in_check || self.position.has_move(rules)))
            || self.position.drawn_by_material(rules).is_some();
        if drawn {
            return Some(DRAW);
        }
        if earliest_draw(rules.end.repetition) == 0 || state.halfmove < 4 {
            return None;
        }
        let back = self.repeats(if searches_turns(rules) { 1 } else { 2 })?;
        let outcome = rules.repeated(&self.keys[self.keys.len() - 1 - back..], self.position.turn());
        Some(if outcome.winner.is_none() { DRAW } else { of_outcome(&outcome, self.position.turn(), frame.turns) })
    }

    /// The score of a position without a legal move.
    pub(crate) fn without_moves(&self, rules: &Rules, ply: usize) -> Score {
        let frame = &self.frames[ply];
        of_outcome(&self.position.without_moves(rules, frame.in_check), self.position.turn(), frame.turns)
    }

    /// How many turns ago the position has occurred before in this search, or `enough` times in the game.
    fn repeats(&self, enough: u32) -> Option<usize> {
        let last = self.keys.len() - 1;
        let reach = (self.position.state().halfmove as usize).min(last);
        let mut before_root = 0;
        for back in (4..=reach).step_by(2) {
            if self.keys[last - back] == self.keys[last] {
                before_root += 1;
                if last - back >= self.game_keys.saturating_sub(1) || before_root == enough {
                    return Some(back);
                }
            }
        }
        None
    }
}

//! Which pieces win against a bare King, and in how many moves: exhaustive retrograde analysis on the real board.
//!
//! A [`Study`] solves sets of at most two pieces that stand beside a King against a bare King. How pieces move and what
//! they attack is asked of the core, on boards with one or two pieces; every solution is then compared with the core's
//! legal moves, position by position (see `check`). All rights count as lost, and draws by repetition, by quiet moves
//! and by dead positions are ignored.

mod check;
mod ground;
mod report;
mod solution;
mod steps;

use ground::Ground;
pub use report::{Class, Report};
use rules::{Game, PieceType};
use solution::Solution;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most squares of a board on which two pieces are studied: the positions grow with the cube of it.
const MAX_SQUARES: usize = 144;

/// The most bytes of the solutions on which one set depends by promotion, itself included: all are in memory at once.
const MAX_BYTES: usize = 2 << 30;

/// Positions drawn for the comparison with the core, for each side to move.
const CHECKED: usize = 2_000;

/// The solutions of one game.
pub struct Study {
    game: Arc<Game>,
    ground: Ground,
    /// By their piece types, in ascending order.
    solved: BTreeMap<Vec<PieceType>, Solution>,
}

impl Study {
    /// Creates a study with nothing solved.
    ///
    /// # Errors
    /// If the game ends in ways that retrograde analysis of a bare King does not cover; the text says which.
    pub fn new(game: Arc<Game>) -> Result<Study, String> {
        let ground = Ground::new(&game)?;
        Ok(Study { game, ground, solved: BTreeMap::new() })
    }

    /// Why a set cannot be studied; `None` if it can.
    pub fn refusal(&mut self, piece_types: &[PieceType]) -> Option<String> {
        let sorted = sorted(piece_types);
        if sorted.len() > 2 {
            return Some("sets have at most two pieces".into());
        }
        if sorted.len() == 2 && self.ground.squares.len() > MAX_SQUARES {
            return Some(format!("two pieces are studied on at most {MAX_SQUARES} squares"));
        }
        let mut needed = Vec::new();
        if let Err(reason) = self.collect(&sorted, &mut Vec::new(), &mut needed) {
            return Some(reason);
        }
        let bytes: usize = needed.iter().map(|set| Solution::bytes(&self.ground, set)).sum();
        (bytes > MAX_BYTES).then(|| format!("with all promotions the solutions need more than {} GB", MAX_BYTES >> 30))
    }

    /// Solves a set and whatever it can become, and compares the solution with the core.
    ///
    /// # Errors
    /// If it is refused (see [`Study::refusal`]), a win is longer than a byte can count, or the solution contradicts
    /// the core.
    pub fn report(&mut self, piece_types: &[PieceType], seed: u64) -> Result<Report, String> {
        let piece_types = sorted(piece_types);
        if let Some(reason) = self.refusal(&piece_types) {
            return Err(reason);
        }
        let mut needed = Vec::new();
        self.collect(&piece_types, &mut Vec::new(), &mut needed)?;
        for set in needed {
            if !self.solved.contains_key(&set) {
                let solution = Solution::solve(&self.game.rules, &self.ground, &set, &self.solved)?;
                self.solved.insert(set, solution);
            }
        }
        let checked = self.check(&piece_types, seed, CHECKED)?;
        Ok(self.write_report(&piece_types, checked))
    }

    /// Lists the sets to solve for a set, each after those it depends on: what is left after a capture or a promotion.
    fn collect(
        &mut self,
        set: &[PieceType],
        above: &mut Vec<Vec<PieceType>>,
        needed: &mut Vec<Vec<PieceType>>,
    ) -> Result<(), String> {
        if needed.iter().any(|known| known == set) {
            return Ok(());
        }
        if above.iter().any(|known| known == set) {
            return Err("its pieces promote in a circle".into());
        }
        above.push(set.to_vec());
        for index in 0..set.len() {
            let mut rest = set.to_vec();
            let kind = rest.remove(index);
            self.collect(&rest, above, needed)?;
            for becomes in self.ground.learn(&self.game, kind)?.becomes() {
                if self.ground.may_promote(&self.game.rules, becomes, &rest) {
                    let promoted: Vec<PieceType> = rest.iter().copied().chain([becomes]).collect();
                    self.collect(&sorted(&promoted), above, needed)?;
                }
            }
        }
        above.pop();
        needed.push(set.to_vec());
        Ok(())
    }
}

fn sorted(piece_types: &[PieceType]) -> Vec<PieceType> {
    let mut sorted = piece_types.to_vec();
    sorted.sort_unstable_by_key(|kind| kind.index());
    sorted
}

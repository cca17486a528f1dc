//! The only solution of a puzzle for learners, by exhaustive search without an engine.

use crate::mates::{Mates, TooLong, legal};
use matches::Goal;
use rules::{Board, Game, Move, Position};
use std::collections::HashSet;
use std::sync::Arc;

/// A defender is lost if it is mated within this number of the enemy's moves.
const THREATENED: u32 = 2;

/// Solves puzzles within a number of positions.
pub struct Solver {
    game: Arc<Game>,
    mates: Mates,
    goal: Goal,
    /// The royal pieces to capture within a turn.
    takes: u32,
    /// The positions that may still be visited within turns.
    left: u64,
}

impl Solver {
    /// Creates a solver that may visit `most` positions. Only captures within a turn take other than one royal piece.
    pub fn new(game: &Arc<Game>, goal: Goal, takes: u32, most: u64) -> Solver {
        Solver { game: game.clone(), mates: Mates::new(most, goal == Goal::Win), goal, takes, left: most }
    }

    /// Returns the only solution, with replies if the goal has them; `None` if there is not exactly one with `moves`
    /// moves of the solver, or if fewer are enough. The moves of a turn are in one of their orders.
    ///
    /// # Errors
    /// If that takes too many positions.
    pub fn solve(&mut self, position: &Position, moves: u32) -> Result<Option<Vec<Move>>, TooLong> {
        if moves == 0 || self.takes == 0 {
            return Ok(None);
        }
        let mut position = position.clone();
        match self.goal {
            Goal::Mate | Goal::Win => self.line(&mut position, moves),
            Goal::Defence => self.defence(&mut position),
            Goal::TurnMate | Goal::Capture | Goal::Save => self.turn(&mut position, moves),
        }
    }

    /// Whether these moves are the only solution, in the texts of [`rules::move_text`].
    ///
    /// # Errors
    /// If that takes too many positions.
    pub fn is_solution(&mut self, position: &Position, line: &[String]) -> Result<bool, TooLong> {
        if line.is_empty() || self.takes == 0 {
            return Ok(false);
        }
        let game = self.game.clone();
        let text = |mv: &Move| rules::move_text(&game, *mv);
        if !matches!(self.goal, Goal::Mate | Goal::Win) {
            let found = self.solve(position, line.len() as u32)?;
            let set = |texts: Vec<String>| texts.into_iter().collect::<HashSet<String>>();
            return Ok(found.is_some_and(|found| set(found.iter().map(text).collect()) == set(line.to_vec())));
        }
        let mut position = position.clone();
        let moves = line.len().div_ceil(2) as u32;
        if moves > 1 && self.mates.wins(&game, &mut position, moves - 1)? {
            return Ok(false);
        }
        for (index, wanted) in line.iter().enumerate() {
            if index % 2 == 0 {
                let keys = self.mates.keys(&game, &mut position, moves - index as u32 / 2)?;
                if keys.iter().map(text).ne([wanted.clone()]) {
                    return Ok(false);
                }
            }
            let Some(mv) = legal(&game.rules, &position).into_iter().find(|mv| text(mv) == *wanted) else {
                return Ok(false);
            };
            position.make(&game.rules, mv);
        }
        Ok(true)
    }

    /// A line in which each move is the only one that forces the goal, and after which reply that is so to the end.
    fn line(&mut self, position: &mut Position, moves: u32) -> Result<Option<Vec<Move>>, TooLong> {
        let game = self.game.clone();
        if moves > 1 && self.mates.wins(&game, position, moves - 1)? {
            return Ok(None);
        }
        let keys = self.mates.keys(&game, position, moves)?;
        let [key] = keys[..] else { return Ok(None) };
        if moves == 1 {
            return Ok(Some(vec![key]));
        }
        let mut after = position.clone();
        after.make(&game.rules, key);
        for reply in legal(&game.rules, &after) {
            let undo = after.make(&game.rules, reply);
            let rest = self.line(&mut after, moves - 1)?;
            after.unmake(&game.rules, undo);
            if let Some(rest) = rest {
                return Ok(Some([vec![key, reply], rest].concat()));
            }
        }
        Ok(None)
    }

    /// The only move after which the enemy cannot force mate soon.
    fn defence(&mut self, position: &mut Position) -> Result<Option<Vec<Move>>, TooLong> {
        let (game, mut only) = (self.game.clone(), None);
        for mv in legal(&game.rules, position) {
            let undo = position.make(&game.rules, mv);
            let mated = self.mates.wins(&game, position, THREATENED)?;
            position.unmake(&game.rules, undo);
            if !mated && only.replace(vec![mv]).is_some() {
                return Ok(None);
            }
        }
        Ok(only)
    }

    /// The only moves within a turn that reach the goal, in any order.
    fn turn(&mut self, position: &mut Position, moves: u32) -> Result<Option<Vec<Move>>, TooLong> {
        let fewest = if self.goal == Goal::Save { 0 } else { self.takes };
        for fewer in fewest..moves {
            if self.ways(position, fewer, &mut |_| false)? {
                return Ok(None);
            }
        }
        let mut only: Option<(Vec<Move>, HashSet<Move>)> = None;
        let other = self.ways(position, moves, &mut |way| match &only {
            None => {
                only = Some((way.to_vec(), way.iter().copied().collect()));
                true
            }
            Some((_, set)) => way.iter().copied().collect::<HashSet<Move>>() == *set,
        })?;
        Ok(only.filter(|_| !other).map(|(way, _)| way))
    }

    /// Calls `on_way` with every sequence of `moves` moves that reaches the goal, until it returns false; returns whether it did.
    fn ways(
        &mut self,
        position: &mut Position,
        moves: u32,
        on_way: &mut dyn FnMut(&[Move]) -> bool,
    ) -> Result<bool, TooLong> {
        let mut made = Vec::new();
        if self.goal == Goal::Save {
            self.saving(position, moves, &mut made, on_way)
        } else {
            self.reaching(position, moves, self.takes, &mut made, on_way)
        }
    }

    /// Sequences that mate with the last move or, in games without check, capture `takes` royal pieces by then.
    fn reaching(
        &mut self,
        position: &mut Position,
        moves: u32,
        takes: u32,
        made: &mut Vec<Move>,
        on_way: &mut dyn FnMut(&[Move]) -> bool,
    ) -> Result<bool, TooLong> {
        self.count()?;
        let game = self.game.clone();
        let (rules, us) = (&game.rules, position.turn());
        for mv in legal(&game.rules, position).into_iter().filter(|mv| mv.moves_piece()) {
            let reached = if rules.has_check() {
                self.mates_at_once(position, mv)
            } else {
                position.royals(!us).contains(mv.to())
            };
            let left = takes - u32::from(reached);
            made.push(mv);
            let mut ended = false;
            if moves == 1 && left == 0 {
                ended = !on_way(made);
            } else if 0 < left && left < moves {
                let undo = position.make(rules, mv);
                if position.turn() == us {
                    ended = self.reaching(position, moves - 1, left, made, on_way)?;
                }
                position.unmake(rules, undo);
            }
            made.pop();
            if ended {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Sequences after which no royal piece can be captured in the next turn.
    fn saving(
        &mut self,
        position: &mut Position,
        moves: u32,
        made: &mut Vec<Move>,
        on_way: &mut dyn FnMut(&[Move]) -> bool,
    ) -> Result<bool, TooLong> {
        let game = self.game.clone();
        let (rules, us) = (&game.rules, position.turn());
        if moves == 0 {
            let mut after = position.clone();
            if legal(&game.rules, &after).contains(&Move::END) {
                after.make(rules, Move::END);
            }
            let over = Board::from_position(game.clone(), after.clone()).outcome(false).is_some();
            let saved = over || (after.turn() != us && !self.captures_royal(&mut after)?);
            return Ok(saved && !on_way(made));
        }
        for mv in legal(&game.rules, position).into_iter().filter(|mv| mv.moves_piece()) {
            let undo = position.make(rules, mv);
            made.push(mv);
            let ended = if position.turn() == us {
                self.saving(position, moves - 1, made, on_way)?
            } else {
                let saved = moves == 1 && !self.captures_royal(&mut position.clone())?;
                saved && !on_way(made)
            };
            made.pop();
            position.unmake(rules, undo);
            if ended {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the side to move can capture a royal piece in what is left of its turn.
    ///
    /// # Errors
    /// If that takes too many positions.
    pub fn captures_royal(&mut self, position: &mut Position) -> Result<bool, TooLong> {
        self.captures(position, &mut HashSet::new())
    }

    fn captures(&mut self, position: &mut Position, met: &mut HashSet<u64>) -> Result<bool, TooLong> {
        self.count()?;
        let game = self.game.clone();
        let (rules, us) = (&game.rules, position.turn());
        let royals = position.royals(!us);
        let mut moves = legal(&game.rules, position);
        moves.retain(|mv| mv.moves_piece());
        if moves.iter().any(|mv| royals.contains(mv.to())) {
            return Ok(true);
        }
        if position.turn_length(rules).saturating_sub(position.state().moves) <= 1 {
            return Ok(false);
        }
        for mv in moves {
            let undo = position.make(rules, mv);
            let found = position.turn() == us && met.insert(position.key(rules)) && self.captures(position, met)?;
            position.unmake(rules, undo);
            if found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn mates_at_once(&self, position: &mut Position, mv: Move) -> bool {
        let rules = &self.game.rules;
        if !position.gives_check(rules, mv) {
            return false;
        }
        let undo = position.make(rules, mv);
        let mated = position.is_check(rules) && !position.has_move(rules);
        position.unmake(rules, undo);
        mated
    }

    fn count(&mut self) -> Result<(), TooLong> {
        self.left = self.left.checked_sub(1).ok_or(TooLong)?;
        Ok(())
    }
}

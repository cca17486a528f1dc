//! The null move: passes the turn and changes nothing else. Analysis uses it to find threats.

use crate::board::{Board, MoveError};
use crate::moves::Move;

impl Board {
    /// Makes the null move. It may be made at the start of a turn in a game that goes on, and not in check, since the
    /// other side could capture the King. It is not a pass: a game that lets players pass does not count it as one.
    ///
    /// # Errors
    /// [`MoveError::Illegal`] says why it cannot be made.
    pub fn null_move(&self) -> Result<Move, MoveError> {
        let (rules, position) = (&self.game().rules, self.position());
        let refused = |why: &str| Err(MoveError::Illegal(format!("a null move cannot be made here: {why}")));
        if self.moves_in_turn() > 0 {
            return refused("the turn has already started");
        }
        if position.decided(rules).is_some() {
            return refused("the game is over");
        }
        if position.must_decide(rules) {
            return refused("play claim or playon first");
        }
        if position.is_check(rules) {
            return refused(&format!("{:?} is in check", self.turn()));
        }
        Ok(Move::NULL)
    }
}

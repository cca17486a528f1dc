//! Where games begin, and the random numbers that draw it.

use rules::{Board, Game, mix, read_board};
use std::sync::Arc;

/// Where games begin.
#[derive(Clone)]
pub(crate) enum Start {
    Board(Box<Board>),
    RandomSetup,
}

impl Start {
    /// From a FEN, or else a random setup of the game.
    pub fn new(game: &Arc<Game>, fen: Option<&str>, claim_draws: bool) -> Result<Start, String> {
        let board = match fen {
            None if game.setups().count() > 0 => {
                return match game.unplayable_setup() {
                    None => Ok(Start::RandomSetup),
                    Some((name, why)) => Err(format!("the setup {name} cannot be played: {why}; choose a setup")),
                };
            }
            None => Board::new(Arc::clone(game)),
            Some(fen) => read_board(game, fen).map_err(|error| format!("{}: {}", error.field, error.message))?,
        };
        match board.outcome(claim_draws) {
            Some(outcome) => Err(format!("the game is over in the position to begin from: {}", outcome.reason.name())),
            None => Ok(Start::Board(Box::new(board))),
        }
    }

    pub fn board(&self, game: &Arc<Game>, random: &mut u64) -> Board {
        match self {
            Start::Board(board) => (**board).clone(),
            Start::RandomSetup => {
                let setups = game.setups();
                let name = setups.name(1 + next(random) % setups.count()).expect("numbered");
                let fen = setups.fen(&game.definition, &name).expect("named");
                read_board(game, &fen).expect("a setup can be played")
            }
        }
    }
}

/// The next random number.
pub(crate) fn next(random: &mut u64) -> u64 {
    *random = mix(*random);
    *random
}

/// The beginning of the random numbers of one game of a batch.
pub(crate) fn stream(seed: u64, game: usize) -> u64 {
    mix(mix(seed) ^ game as u64)
}

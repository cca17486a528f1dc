//! The engine plays against itself.

use crate::games::{Ending, MAX_MOVES, Played};
use engine::evaluation::Evaluator;
use engine::score::{DECIDED, MATED};
use engine::{Engine, Limits, TimeLimit};
use rules::{Board, Color, Game, Move, mix, read_board};
use std::sync::Arc;

/// Turns after which a game is left unfinished.
const LONGEST: usize = 400;
/// So many turns in a row a win must have been proven for the same side.
const AGREED: usize = 2;
/// The size of the transposition table, which holds the nodes of one game.
const MEGABYTES: usize = 4;

/// How games are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Nodes a turn.
    pub nodes: u64,
    /// Random moves before the engine begins.
    pub opening: usize,
    /// The seed of the openings: a different one gives different games.
    pub seed: u64,
}

/// Plays games against itself; the number of a game and the style decide everything about it.
pub struct Player {
    engine: Engine,
    style: Style,
}

impl Player {
    /// A player with an evaluator of its game.
    ///
    /// # Errors
    /// If there is no memory for the transposition table.
    pub fn new(evaluator: Arc<Evaluator>, style: Style) -> std::io::Result<Player> {
        Ok(Player { engine: Engine::with_evaluator(evaluator, 1, MEGABYTES)?, style })
    }

    /// Plays the game with a number, from any start position of the game.
    ///
    /// # Errors
    /// If the setup that is drawn cannot be played.
    pub fn play(&mut self, number: u64) -> Result<Played, String> {
        let mut random = Random(mix(mix(self.style.seed) ^ number));
        let board = any_start(self.engine.game(), &mut random)?;
        Ok(self.play_on(board, random))
    }

    /// Plays the game with a number from a position in which the game is not over.
    pub fn play_from(&mut self, start: Board, number: u64) -> Played {
        self.play_on(start, Random(mix(mix(self.style.seed) ^ number)))
    }

    fn play_on(&mut self, mut board: Board, mut random: Random) -> Played {
        let game = Arc::clone(self.engine.game());
        let half_points = board.agreement().half_points;
        let mut played = Played { start: board.fen(), moves: Vec::new(), half_points, ending: Ending::Unfinished };
        for _ in 0..self.style.opening {
            let moves = board.legal_moves();
            if moves.is_empty() || board.outcome(false).is_some() {
                break;
            }
            let mv = moves[random.below(moves.len() as u64) as usize];
            played.moves.push((mv, None));
            board.push(mv);
        }
        self.engine.clear();
        let (mut proven, mut decided) = (Proven::default(), None);
        for turns in 0.. {
            if let Some(outcome) = board.outcome(true) {
                (played.half_points, played.ending) = (outcome.half_points, Ending::Rules(outcome.reason));
                break;
            }
            if let Some(half_points) = decided {
                (played.half_points, played.ending) = (half_points, Ending::Proven);
                break;
            }
            if turns == LONGEST || played.moves.len() > MAX_MOVES / 2 {
                break;
            }
            let (turn, white, bound) = self.think(&board);
            played.moves.extend(turn.iter().enumerate().map(|(at, mv)| (*mv, (at == 0).then_some(white))));
            decided = proven.after(white, bound, game.rules.end.four_points);
            turn.into_iter().for_each(|mv| board.push(mv));
        }
        played
    }

    /// A turn, its score for White, and whether that is a lower or an upper bound.
    fn think(&mut self, board: &Board) -> (Vec<Move>, i32, Option<bool>) {
        let limits = Limits { nodes: Some(self.style.nodes), ..Limits::default() };
        let watch = Engine::watch(TimeLimit::default(), false);
        let decision = self.engine.search(board, &limits, &watch, &mut |_| {});
        let line = decision.report.and_then(|report| report.lines.into_iter().next()).expect("the game is not over");
        match board.turn() {
            Color::White => (decision.turn, line.score, line.bound),
            Color::Black => (decision.turn, -line.score, line.bound.map(|lower| !lower)),
        }
    }
}

/// A start position of the game, any setup as likely as any other.
fn any_start(game: &Arc<Game>, random: &mut Random) -> Result<Board, String> {
    let setups = game.setups();
    if setups.count() == 0 {
        return Ok(Board::new(Arc::clone(game)));
    }
    let name = setups.name(1 + random.below(setups.count())).expect("numbered from 1");
    let fen = setups.fen(&game.definition, &name).expect("the setup's own name");
    read_board(game, &fen).map_err(|error| format!("the setup {name} cannot be played: {error}"))
}

/// A stream of numbers that a seed decides.
struct Random(u64);

impl Random {
    /// The next number, below a bound.
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = mix(self.0);
        self.0 % bound
    }
}

/// Counts the turns for which the search has proven the same result.
#[derive(Default)]
struct Proven {
    half_points: (u8, u8),
    turns: usize,
}

impl Proven {
    /// Returns the points of White and Black, doubled, once they have been proven for long enough.
    fn after(&mut self, white: i32, bound: Option<bool>, four_points: bool) -> Option<(u8, u8)> {
        let won = white >= DECIDED && bound != Some(false);
        let lost = white <= -DECIDED && bound != Some(true);
        let (most, least) = match (four_points, white.abs() >= MATED) {
            (false, _) => (2, 0),
            (true, true) => (8, 0),
            (true, false) => (6, 2),
        };
        let half_points = if won { (most, least) } else { (least, most) };
        self.turns = match won || lost {
            true if self.turns > 0 && self.half_points == half_points => self.turns + 1,
            true => 1,
            false => 0,
        };
        self.half_points = half_points;
        (self.turns >= AGREED).then_some(half_points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_decisive_scores_in_a_row_prove_a_result() {
        let results = |scores: &[(i32, Option<bool>)], four_points| {
            let mut proven = Proven::default();
            scores.iter().map(|(white, bound)| proven.after(*white, *bound, four_points)).collect::<Vec<_>>()
        };
        let mate = MATED + 5;
        assert_eq!(results(&[(mate, None), (mate, Some(true))], false), [None, Some((2, 0))]);
        assert_eq!(results(&[(-mate, None), (-mate, Some(false))], true), [None, Some((0, 8))]);
        assert_eq!(results(&[(DECIDED, None), (DECIDED + 9, None)], true), [None, Some((6, 2))]);
        for unproven in [
            [(mate, None), (12_000, None), (mate, None)],
            [(mate, None), (-mate, None), (mate, None)],
            [(mate, None), (mate, Some(false)), (mate, None)],
            [(-mate, None), (-mate, Some(true)), (-mate, None)],
        ] {
            assert_eq!(results(&unproven, false), [None; 3]);
        }
        assert_eq!(results(&[(mate, None), (DECIDED, None)], true), [None; 2], "all points, then three");
    }
}

//! Which positions of games are learnt from, and what they teach.

use crate::games::{Ending, Played, Score};
use engine::network::SCALE;
use rules::{Board, Game, Move};
use std::collections::HashSet;
use std::sync::Arc;

/// Positions with scores beyond this are left out: they are decided, and would only teach exaggeration.
const DECIDED: Score = 3_000;
/// One game in this many is held out, to measure what has been learnt. Positions of one game are alike, so whole games
/// are held out.
const HELD_OUT: usize = 50;

/// Picks the quiet positions of games, each position once.
#[derive(Default)]
pub(crate) struct Quiet {
    seen: HashSet<u64>,
    games: usize,
}

impl Quiet {
    /// Calls `each` with the positions of games that were not seen before, the result to expect for White, and whether
    /// they are held out.
    ///
    /// # Errors
    /// Names the game that is not one of `game`.
    pub fn each(
        &mut self,
        game: &Arc<Game>,
        games: &[Played],
        lambda: f64,
        mut each: impl FnMut(&Board, f64, bool),
    ) -> Result<(), String> {
        for played in games {
            self.games += 1;
            let held_out = self.games.is_multiple_of(HELD_OUT);
            let mut labels = labels(played, lambda).into_iter();
            played
                .replay(game, |board, mv, score| {
                    let label = labels.next().expect("one for each move");
                    let decided = score.is_none_or(|score| score.abs() >= DECIDED);
                    if !decided && is_quiet(board, mv) && self.seen.insert(board.position().key(&game.rules)) {
                        each(board, label, held_out);
                    }
                })
                .map_err(|fault| format!("game {}: {fault}", self.games))?;
        }
        Ok(())
    }
}

/// Whether a position is quiet enough for a static evaluation: at the start of a turn, without check, and its best move
/// takes nothing and does not promote.
pub(crate) fn is_quiet(board: &Board, mv: Move) -> bool {
    let position = board.position();
    let takes = mv.moves_piece() && position.piece(mv.to()).is_some();
    !takes && mv.promotion().is_none() && position.state().moves == 0 && !position.is_check(&board.game().rules)
}

/// By move, the result to expect for White: the score of the position, blended with the scores of later positions, with
/// decreasing weight, and finally with the result (temporal differences, Sutton 1988). A single search misses what lies
/// just beyond its horizon, and a result alone is noisy.
fn labels(played: &Played, lambda: f64) -> Vec<f64> {
    let mut later = (played.ending != Ending::Unfinished).then(|| played.share());
    let mut labels: Vec<f64> = (played.moves.iter().rev())
        .map(|(_, score)| {
            let Some(score) = score else { return later.unwrap_or(0.5) };
            let own = chance(f64::from(*score) / f64::from(SCALE));
            let label = later.map_or(own, |later| own + lambda * (later - own));
            later = Some(label);
            label
        })
        .collect();
    labels.reverse();
    labels
}

/// The logistic curve.
pub(crate) fn chance(score: f64) -> f64 {
    1.0 / (1.0 + (-score).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(scores: &[Option<Score>], half_points: (u8, u8), ending: Ending) -> Played {
        let moves = scores.iter().map(|score| (Move::END, *score)).collect();
        Played { start: String::new(), moves, half_points, ending }
    }

    #[test]
    fn labels_blend_a_score_with_later_scores_and_the_result() {
        let reason = Ending::Rules(rules::Reason::Checkmate);
        let won = played(&[None, Some(0), Some(330), None], (2, 0), reason);
        let last = chance(1.0) + 0.8 * (1.0 - chance(1.0));
        let first = 0.5 + 0.8 * (last - 0.5);
        let expected = [first, first, last, 1.0];
        assert!(labels(&won, 0.8).iter().zip(expected).all(|(label, expected)| (label - expected).abs() < 1e-12));
        assert_eq!(labels(&won, 1.0), [1.0; 4], "the result alone");
        assert_eq!(labels(&won, 0.0)[1..3], [0.5, chance(1.0)], "the scores alone");
    }

    #[test]
    fn an_unfinished_game_has_no_result_to_learn_from() {
        let unfinished = played(&[Some(0), Some(330)], (1, 1), Ending::Unfinished);
        assert_eq!(labels(&unfinished, 0.8)[1], chance(1.0));
        let drawn = played(&[Some(0), Some(330)], (1, 1), Ending::Rules(rules::Reason::FiftyMoves));
        assert!(labels(&drawn, 0.8)[1] < chance(1.0));
    }
}

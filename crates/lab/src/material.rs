//! The pieces of quiet positions, for regressions on results.

use crate::games::Played;
use crate::quiet::is_quiet;
use rules::{Color, Game, PieceType, Position};
use std::sync::Arc;

/// By piece type, White's pieces minus Black's.
pub fn difference(game: &Game, position: &Position) -> Vec<i16> {
    (0..game.rules.piece_types)
        .map(|kind| {
            let pieces = |color| position.pieces(color, PieceType(kind as u8)).count() as i16;
            pieces(Color::White) - pieces(Color::Black)
        })
        .collect()
}

/// Up to `most` quiet positions of a game that lie evenly apart, as [`difference`]s.
///
/// # Errors
/// If the game cannot be replayed.
pub fn quiet_differences(game: &Arc<Game>, played: &Played, most: usize) -> Result<Vec<Vec<i16>>, String> {
    let mut all = Vec::new();
    played.replay(game, |board, mv, score| {
        if score.is_some() && is_quiet(board, mv) {
            all.push(difference(game, board.position()));
        }
    })?;
    let (found, taken) = (all.len(), most.min(all.len()));
    Ok((0..taken).map(|number| std::mem::take(&mut all[(2 * number + 1) * found / (2 * taken)])).collect())
}

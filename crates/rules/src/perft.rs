//! Perft: counts the leaves of the tree of legal moves.

use crate::moves::Move;
use crate::position::Position;
use crate::tables::Rules;

/// Returns the number of sequences of `depth` legal moves. Draws by counters, by claims and by dead positions do not
/// end a sequence; other ends of the game do.
pub fn perft(rules: &Rules, position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves(rules),
        _ => divide(rules, position, depth).into_iter().map(|(_, nodes)| nodes).sum(),
    }
}

/// Returns the count below each first move.
fn divide(rules: &Rules, position: &mut Position, depth: u32) -> Vec<(Move, u64)> {
    let mut moves = Vec::new();
    position.legal_moves(rules, &mut moves);
    moves
        .into_iter()
        .map(|mv| {
            let undo = position.make(rules, mv);
            let nodes = perft(rules, position, depth.saturating_sub(1));
            position.unmake(rules, undo);
            (mv, nodes)
        })
        .collect()
}

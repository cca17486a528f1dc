//! Static exchange evaluation (SEE): what a series of captures on one square comes to.
//!
//! Every piece that might take part is listed once. Each time, the cheapest piece of a side that attacks the square
//! *now* captures next: lines are examined again as pieces leave, so mounts that appear and disappear, and paths of
//! bent sliders that open, count as they should.

use crate::evaluation::Evaluator;
use arrayvec::ArrayVec;
use rules::{Effect, Move, MoveTag, Piece, Position, Rules, Square};

/// Stands for a royal piece, which captures last.
const ROYAL: i32 = 100_000;

/// Whether the exchange that begins with this move wins at least `threshold` centipawns (SEE).
pub fn wins_at_least(rules: &Rules, evaluator: &Evaluator, position: &Position, mv: Move, threshold: i32) -> bool {
    let Some(effect) = position.effect(rules, mv).filter(|_| !matches!(mv.tag(), MoveTag::Castling | MoveTag::Jump))
    else {
        return threshold <= 0;
    };
    let Effect { piece: moved, becomes, to, .. } = effect;
    let mut occupied = effect.occupied(position.occupied());
    let value = |piece: Piece| {
        if rules.royal[piece.piece_type().index()] { ROYAL } else { evaluator.value(piece.piece_type()) }
    };
    let mut balance = -threshold;
    balance += effect.captured.map_or(0, |(_, captured)| value(captured));
    if becomes != moved {
        balance += value(becomes) - value(moved);
    }
    if balance < 0 {
        return false;
    }
    balance -= value(becomes);
    if balance >= 0 {
        return true;
    }
    let candidates = candidates(rules, position, to);
    let mut side = !moved.color();
    let mut ours = false;
    // Now `balance` is what the side that has just captured keeps if its piece is captured.
    loop {
        let mut next: Option<(Square, i32)> = None;
        for &(square, piece) in &candidates {
            let worth = value(piece);
            if piece.color() == side
                && occupied.contains(square)
                && square != to
                && next.is_none_or(|(_, least)| worth < least)
                && position.piece_attacks(rules, piece, square, to, &occupied)
            {
                next = Some((square, worth));
            }
        }
        let Some((square, worth)) = next else { return !ours };
        if worth == ROYAL && rules.has_check() {
            // A King captures only an undefended piece.
            let defended = candidates.iter().any(|&(other, piece)| {
                piece.color() != side
                    && occupied.contains(other)
                    && other != to
                    && position.piece_attacks(rules, piece, other, to, &occupied.without(square))
            });
            if defended {
                return !ours;
            }
        }
        occupied.remove(square);
        // The capturing side gains what stood there; it is fine with that if even losing its own piece leaves it ahead.
        balance = -balance - 1 - worth;
        ours = !ours;
        side = !side;
        if balance >= 0 {
            return !ours;
        }
    }
}

/// The pieces that might capture on a square now or once others have left.
fn candidates(rules: &Rules, position: &Position, to: Square) -> ArrayVec<(Square, Piece), 128> {
    let mut list = ArrayVec::new();
    let occupied = position.occupied();
    let leapers = (rules.leap_zone[0][to.index()] & position.by_color(rules::Color::White))
        | (rules.leap_zone[1][to.index()] & position.by_color(rules::Color::Black));
    let others = position.possible_distant_attackers(rules, to);
    for square in (leapers | others) & occupied {
        if list.try_push((square, position.piece(square).expect("occupied"))).is_err() {
            break;
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge::{Random, sample};
    use rules::{Board, Cell, Game, shipped};
    use std::sync::Arc;

    /// What the side to move wins by capturing on a square, the cheapest piece first, or by not capturing; every
    /// attacker is found again on a real board.
    fn brute(rules: &Rules, evaluator: &Evaluator, position: &Position, to: Square, side: rules::Color) -> i32 {
        let value = |piece: Piece| {
            if rules.royal[piece.piece_type().index()] { ROYAL } else { evaluator.value(piece.piece_type()) }
        };
        let occupied = position.occupied();
        let victim = position.piece(to).expect("something to take");
        let attackers = position.by_color(side).into_iter().filter_map(|from| {
            let piece = position.piece(from)?;
            position.piece_attacks(rules, piece, from, to, &occupied).then_some((value(piece), from, piece))
        });
        let Some((_, from, piece)) = attackers.min_by_key(|(value, from, _)| (*value, *from)) else { return 0 };
        let mut after = position.clone();
        after.set(rules, from, Cell::EMPTY);
        after.set(rules, to, Cell::full(piece));
        (value(victim) - brute(rules, evaluator, &after, to, !side)).max(0)
    }

    #[test]
    fn a_king_captures_where_only_a_cannon_behind_it_aims() {
        let game = Arc::new(Game::shipped("xiangqi", &[]).unwrap_or_else(|faults| panic!("{}", faults[0])));
        let evaluator = Evaluator::new(Arc::clone(&game));
        let wins = |fen: &str| {
            let board = rules::read_board(&game, fen).expect("a position");
            let mv = board.parse_move("a1d1").unwrap();
            let worth = |text: &str| {
                let square = Square::parse(text).expect("a square");
                evaluator.value(board.position().piece(square).expect("a piece").piece_type())
            };
            let all = worth("d1") - worth("a1") + worth("d2");
            wins_at_least(&game.rules, &evaluator, board.position(), mv, all)
        };
        // Chariot takes Horse, Soldier takes Chariot, General takes Soldier: then nothing stands before the Cannon.
        assert!(wins("5k3/9/9/9/9/9/9/9/3p5/R2nK1c2 w - - 0 1"));
        assert!(!wins("4k4/9/9/9/9/9/9/5K3/3p5/R2n2c2 w - - 0 1"));
    }

    #[test]
    fn exchanges_agree_with_brute_force() {
        let mut random = Random::new(23);
        let mut judged = 0;
        for id in shipped() {
            let game = Arc::new(Game::shipped(id, &[]).unwrap_or_else(|faults| panic!("{}", faults[0])));
            let evaluator = Evaluator::new(Arc::clone(&game));
            let rules = &game.rules;
            for _ in 0..sample(2, 6) {
                let mut board = Board::new(Arc::clone(&game));
                for _ in 0..80 {
                    if board.outcome(false).is_some() {
                        break;
                    }
                    let position = board.position();
                    let moves = board.legal_moves();
                    for mv in moves.iter().filter(|mv| mv.moves_piece() && position.piece(mv.to()).is_some()) {
                        if mv.promotion().is_some() || mv.tag() != MoveTag::Normal {
                            continue;
                        }
                        let (piece, victim) =
                            (position.piece(mv.from()).expect("own"), position.piece(mv.to()).expect("full"));
                        // Equal pieces in different places may capture in another order; Kings are bound by check.
                        if rules.royal[piece.piece_type().index()] || rules.royal[victim.piece_type().index()] {
                            continue;
                        }
                        let mut after = position.clone();
                        after.set(rules, mv.from(), Cell::EMPTY);
                        after.set(rules, mv.to(), Cell::full(piece));
                        let gain = evaluator.value(victim.piece_type())
                            - brute(rules, &evaluator, &after, mv.to(), !piece.color()).min(ROYAL / 2);
                        if gain.abs() > ROYAL / 4 {
                            continue;
                        }
                        judged += 1;
                        for threshold in [gain, gain + 1] {
                            assert_eq!(
                                wins_at_least(rules, &evaluator, position, *mv, threshold),
                                threshold <= gain,
                                "{} {mv:?}: {gain}",
                                board.fen()
                            );
                        }
                    }
                    board.push(*random.pick(&moves));
                }
            }
        }
        assert!(judged > sample(1_000, 3_000), "{judged}");
    }
}

//! Scores: centipawns for the side to move, and above them the scores of decided games.

use rules::{Color, Outcome};

/// A search's result: centipawns for the side to move, or a decided score.
pub type Score = i32;

/// Higher than any score.
pub const INFINITE: Score = 32_000;
/// A win with all points, on the spot.
pub const MATE: Score = 31_000;
/// The most turns from the root that a search reaches.
pub const MAX_PLY: usize = 128;
/// Scores from here on are proven wins.
pub const MATED: Score = MATE - 1_000;
/// Three of four points: by a bare King's claim, or by stalemate.
pub const THREE_POINTS: Score = 15_000;
/// Scores from here on are proven three-point wins.
pub const DECIDED: Score = THREE_POINTS - 1_000;
/// The highest score of an evaluation.
pub const MAX_EVALUATION: Score = 12_000;
/// A draw.
pub const DRAW: Score = 0;

/// Stands for "no score" in tables.
pub const NONE: Score = 32_001;

/// Lost, `turns` turns from the root.
pub const fn lost_in(turns: i32) -> Score {
    turns - MATE
}

/// Three points for the side to move, `turns` turns from the root.
pub const fn three_points_in(turns: i32) -> Score {
    THREE_POINTS - turns
}

/// The score of an outcome for a side, `turns` turns from the root.
#[inline]
pub fn of_outcome(outcome: &Outcome, us: Color, turns: i32) -> Score {
    let won = if outcome.is_by_three_points() { three_points_in(turns) } else { -lost_in(turns) };
    match outcome.winner {
        Some(winner) if winner == us => won,
        Some(_) => -won,
        None => DRAW,
    }
}

/// Converts a decided score for the table: counted from the position itself instead of from the root.
pub fn to_table(score: Score, turns: i32) -> Score {
    match score {
        NONE => NONE,
        _ if score >= DECIDED => score + turns,
        _ if score <= -DECIDED => score - turns,
        _ => score,
    }
}

/// The inverse of [`to_table`].
pub fn from_table(score: Score, turns: i32) -> Score {
    match score {
        NONE => NONE,
        _ if score >= DECIDED => score - turns,
        _ if score <= -DECIDED => score + turns,
        _ => score,
    }
}

/// The chances of winning, drawing and losing, in thousandths, by a logistic curve: a win is as likely as not at two
/// Pawns up, and the scale is one Pawn.
///
/// ```
/// assert_eq!(engine::score::chances(200), [500, 482, 18]);
/// ```
pub fn chances(score: Score) -> [u32; 3] {
    let winning = |score: f64| (1000.0 / (1.0 + ((200.0 - score) / 100.0).min(50.0).exp())).round() as u32;
    let (wins, losses) = (winning(score.into()), winning(-f64::from(score)));
    [wins, 1000 - wins - losses, losses]
}

/// The turns of both sides until mate, negative if the side to move is mated; `None` for all other scores.
///
/// ```
/// use engine::score::{MATE, lost_in, turns_to_mate};
/// assert_eq!(turns_to_mate(MATE - 3), Some(3));
/// assert_eq!(turns_to_mate(lost_in(2)), Some(-2));
/// assert_eq!(turns_to_mate(150), None);
/// ```
pub fn turns_to_mate(score: Score) -> Option<i32> {
    if score >= MATED {
        Some(MATE - score)
    } else if score <= -MATED {
        Some(-MATE - score)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_counts_the_turns_to_the_end_from_the_position_itself() {
        // Mate in seven turns from the root is mate in three from a position four turns away, and in five from the root
        // where the position is found again after two.
        for seven in [lost_in(7), -lost_in(7), three_points_in(7), -three_points_in(7)] {
            let three = to_table(seven, 4);
            let five = from_table(three, 2);
            assert_eq!((from_table(three, 4), (three - seven).abs(), (five - seven).abs()), (seven, 4, 2));
            assert!((three.abs() > seven.abs()) && five.abs() > seven.abs());
        }
        assert_eq!((to_table(100, 4), from_table(-100, 4), from_table(NONE, 4)), (100, -100, NONE));
    }
}

//! How games end: the reason, the winner and the score. No other module works any of them out.
//!
//! A board knows its own outcome ([`Board::outcome`]), and the outcome if a player forfeits or both agree on a draw
//! ([`Board::forfeit`], [`Board::agreement`]). The search, which tests for legal moves last and counts claimable draws
//! as draws, uses the same predicates of [`Position`].

use crate::board::Board;
use crate::definition::{EndDefinition, Goal, Verdict};
use crate::moves::Move;
use crate::piece::Color;
use crate::position::{CHECK, Position};
use crate::tables::{NONE, Rules};
use std::cmp::Ordering;

/// Why a game is over, or why a draw may be claimed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Reason {
    /// The King is attacked and no move parries it.
    Checkmate,
    /// No legal move, and no check.
    Stalemate,
    /// The last royal piece has been captured.
    RoyalsCaptured,
    /// A bare King's points were claimed.
    BareKing,
    /// Both Kings are bare.
    BareKings,
    /// Mate is impossible.
    DeadPosition,
    /// The position has occurred often enough for a claim, usually three times.
    ThreefoldRepetition,
    /// The position has occurred often enough to end the game, usually five times.
    FivefoldRepetition,
    /// Enough moves without progress for a claim, usually fifty.
    FiftyMoves,
    /// Enough moves without progress to end the game, usually 75.
    SeventyFiveMoves,
    /// Two passes in a row.
    DoublePass,
    /// No piece can move, in a game without check.
    NoMoves,
    /// A player resigned.
    Resignation,
    /// A player's time ran out.
    Time,
    /// A player left and did not come back.
    Abandonment,
    /// The players agreed on a draw.
    Agreement,
    /// A side has too few pieces, or too few of a type.
    Extinction,
    /// A side has its pieces on squares that decide the game.
    SquaresReached,
    /// A side has given check often enough.
    ChecksGiven,
    /// A side has repeated a position by giving check with every move.
    PerpetualCheck,
}

impl Reason {
    /// Every reason. Packed games store its place in this list, so new ones come last.
    pub const ALL: [Reason; 20] = [
        Reason::Checkmate,
        Reason::Stalemate,
        Reason::RoyalsCaptured,
        Reason::BareKing,
        Reason::BareKings,
        Reason::DeadPosition,
        Reason::ThreefoldRepetition,
        Reason::FivefoldRepetition,
        Reason::FiftyMoves,
        Reason::SeventyFiveMoves,
        Reason::DoublePass,
        Reason::NoMoves,
        Reason::Resignation,
        Reason::Time,
        Reason::Abandonment,
        Reason::Agreement,
        Reason::Extinction,
        Reason::SquaresReached,
        Reason::ChecksGiven,
        Reason::PerpetualCheck,
    ];

    /// The reasons for which a player forfeits the game.
    pub const FORFEITS: [Reason; 3] = [Reason::Resignation, Reason::Time, Reason::Abandonment];

    /// The reasons that have a limit of the game's: how often a position must occur, or how many moves without progress
    /// there must be.
    pub const COUNTED: [Reason; 4] =
        [Reason::ThreefoldRepetition, Reason::FivefoldRepetition, Reason::FiftyMoves, Reason::SeventyFiveMoves];

    /// The limit of a draw by a count in a game; `None` for other reasons and where the game has no such draw.
    pub fn limit(self, end: &EndDefinition) -> Option<u32> {
        let limit = match self {
            Reason::ThreefoldRepetition => end.repetition.0,
            Reason::FivefoldRepetition => end.repetition.1,
            Reason::FiftyMoves => end.quiet.0,
            Reason::SeventyFiveMoves => end.quiet.1,
            _ => 0,
        };
        (limit > 0).then_some(limit)
    }

    /// A stable name, for programs.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::RoyalsCaptured => "royals_captured",
            Reason::BareKing => "bare_king",
            Reason::BareKings => "bare_kings",
            Reason::DeadPosition => "dead_position",
            Reason::ThreefoldRepetition => "threefold_repetition",
            Reason::FivefoldRepetition => "fivefold_repetition",
            Reason::FiftyMoves => "fifty_moves",
            Reason::SeventyFiveMoves => "seventyfive_moves",
            Reason::DoublePass => "double_pass",
            Reason::NoMoves => "no_moves",
            Reason::Resignation => "resignation",
            Reason::Time => "time",
            Reason::Abandonment => "abandonment",
            Reason::Agreement => "agreement",
            Reason::Extinction => "extinction",
            Reason::SquaresReached => "squares_reached",
            Reason::ChecksGiven => "checks_given",
            Reason::PerpetualCheck => "perpetual_check",
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The reason.
    pub reason: Reason,
    /// The winner; `None` if drawn.
    pub winner: Option<Color>,
    /// The points of White and Black, doubled: a draw in classic scoring is (1, 1).
    pub half_points: (u8, u8),
}

impl Outcome {
    /// A draw.
    fn drawn(rules: &Rules, reason: Reason) -> Outcome {
        Outcome { reason, winner: None, half_points: if rules.end.four_points { (4, 4) } else { (1, 1) } }
    }

    /// All points for the winner, or a draw if there is none.
    pub(crate) fn decisive(rules: &Rules, reason: Reason, winner: Option<Color>) -> Outcome {
        match winner {
            Some(winner) => Outcome::won(rules, reason, winner),
            None => Outcome::drawn(rules, reason),
        }
    }

    /// All points for the winner.
    fn won(rules: &Rules, reason: Reason, winner: Color) -> Outcome {
        Outcome::divided(reason, winner, if rules.end.four_points { (8, 0) } else { (2, 0) })
    }

    /// Three of four points for the winner.
    fn won_by_three_points(reason: Reason, winner: Color) -> Outcome {
        Outcome::divided(reason, winner, (6, 2))
    }

    fn divided(reason: Reason, winner: Color, (most, least): (u8, u8)) -> Outcome {
        let half_points = if winner == Color::White { (most, least) } else { (least, most) };
        Outcome { reason, winner: Some(winner), half_points }
    }

    /// Whether the loser keeps one point of four.
    pub fn is_by_three_points(&self) -> bool {
        self.winner.is_some() && self.half_points.0.min(self.half_points.1) > 0
    }

    /// The result in PGN: `1-0`, `0-1` or `1/2-1/2`.
    pub fn result(&self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// The score as people write it: the result, or four points such as `3-1`.
    pub fn score(&self) -> String {
        match self.half_points {
            (1, 1) => "1/2-1/2".into(),
            (white, black) => format!("{}-{}", white / 2, black / 2),
        }
    }
}

impl Position {
    /// The outcome on the board, as far as it is known without looking for a move: by a claim, by the capture of the last
    /// royal piece, or by a condition.
    #[inline]
    pub fn decided(&self, rules: &Rules) -> Option<Outcome> {
        if self.state().claimed {
            return Some(Outcome::won_by_three_points(Reason::BareKing, self.turn()));
        }
        if rules.end.goal == Goal::CaptureRoyals
            && let Some(lost) = Color::BOTH.into_iter().find(|color| self.royals(*color).is_empty())
        {
            return Some(Outcome::won(rules, Reason::RoyalsCaptured, !lost));
        }
        if rules.has_conditions() { self.by_condition(rules) } else { None }
    }

    /// The outcome when the side to move, in check or not, has no legal move.
    pub fn without_moves(&self, rules: &Rules, in_check: bool) -> Outcome {
        let (us, end) = (self.turn(), &rules.end);
        let reason = match (rules.has_check(), in_check) {
            (true, true) => Reason::Checkmate,
            (true, false) => Reason::Stalemate,
            (false, _) => Reason::NoMoves,
        };
        if end.fewer_wins_stalemate && reason != Reason::Checkmate {
            return match self.by_color(us).count().cmp(&self.by_color(!us).count()) {
                Ordering::Less => Outcome::won(rules, reason, us),
                Ordering::Equal => Outcome::drawn(rules, reason),
                Ordering::Greater => Outcome::won(rules, reason, !us),
            };
        }
        match if reason == Reason::Checkmate { end.checkmate } else { end.stalemate } {
            Verdict::Loss => Outcome::won(rules, reason, !us),
            Verdict::Win => Outcome::won(rules, reason, us),
            Verdict::Draw if reason == Reason::Stalemate && end.four_points && !self.has_played_on(rules) => {
                Outcome::won_by_three_points(reason, !us)
            }
            Verdict::Draw => Outcome::drawn(rules, reason),
        }
    }

    /// The draw by insufficient material, if there is one.
    #[inline]
    pub fn drawn_by_material(&self, rules: &Rules) -> Option<Reason> {
        if rules.end.four_points {
            (self.occupied().count() == 2).then_some(Reason::BareKings)
        } else {
            self.is_dead(rules).then_some(Reason::DeadPosition)
        }
    }

    /// Whether a side has declined the bare King's points, and now needs a full win.
    fn has_played_on(&self, rules: &Rules) -> bool {
        Color::BOTH.iter().any(|color| {
            let right = rules.played_on[color.index()];
            right != NONE && self.state().rights >> right & 1 != 0
        })
    }

    /// Whether a side could still win if the other lost on time: a bare King cannot, and once a side has played on,
    /// neither side can.
    fn can_win_on_time(&self, rules: &Rules, color: Color) -> bool {
        !rules.has_check()
            || rules.can_win_by_condition()
            || (self.by_color(color).count() > 1 && !self.has_played_on(rules))
    }
}

impl Board {
    /// The outcome, if the game is over. With `claim_draw`, also if the side to move may claim a draw.
    pub fn outcome(&self, claim_draw: bool) -> Option<Outcome> {
        self.outcome_given(claim_draw, || self.position().has_move(&self.game().rules))
    }

    /// The outcome, for a caller that has listed the legal moves and so can say whether there is one.
    pub fn outcome_given(&self, claim_draw: bool, has_move: impl FnOnce() -> bool) -> Option<Outcome> {
        let (rules, position) = (&self.game().rules, self.position());
        if let Some(outcome) = position.decided(rules) {
            return Some(outcome);
        }
        if !has_move() {
            return Some(position.without_moves(rules, position.is_check(rules)));
        }
        let claimed = || self.claims().next().filter(|_| claim_draw).map(|reason| Outcome::drawn(rules, reason));
        self.ended().or_else(claimed)
    }

    /// The outcome if a side forfeits; `None` if the reason is not one of [`Reason::FORFEITS`].
    pub fn forfeit(&self, reason: Reason, loser: Color) -> Option<Outcome> {
        let rules = &self.game().rules;
        let won = match reason {
            Reason::Resignation => true,
            Reason::Time | Reason::Abandonment => self.position().can_win_on_time(rules, !loser),
            _ => return None,
        };
        Some(if won { Outcome::won(rules, reason, !loser) } else { Outcome::drawn(rules, reason) })
    }

    /// The outcome if the players agree on a draw.
    pub fn agreement(&self) -> Outcome {
        Outcome::drawn(&self.game().rules, Reason::Agreement)
    }

    /// The draws that the side to move may claim for the position on the board.
    pub fn claimable(&self) -> Vec<Reason> {
        if self.outcome(false).is_some() { Vec::new() } else { self.claims().collect() }
    }

    /// The outcome that ends the game automatically although there are legal moves.
    fn ended(&self) -> Option<Outcome> {
        let (rules, position) = (&self.game().rules, self.position());
        let end = &rules.end;
        let reason = if let Some(reason) = position.drawn_by_material(rules) {
            reason
        } else if self.is_double_pass() {
            Reason::DoublePass
        } else if is_reached(end.repetition.1, self.repetitions()) {
            return Some(rules.repeated(self.repeated_keys(), self.turn()));
        } else if is_reached(end.quiet.1, position.state().halfmove) {
            Reason::SeventyFiveMoves
        } else {
            return None;
        };
        Some(Outcome::drawn(rules, reason))
    }

    /// The draws that may be claimed at the start of a turn if the game is not over.
    fn claims(&self) -> impl Iterator<Item = Reason> {
        let (end, state) = (&self.game().rules.end, self.position().state());
        let starts = state.moves == 0;
        let draws = || self.game().rules.repeated(self.repeated_keys(), self.turn()).winner.is_none();
        let repeated = starts && is_reached(end.repetition.0, self.repetitions()) && draws();
        let quiet = starts && is_reached(end.quiet.0, state.halfmove);
        let repeated = repeated.then_some(Reason::ThreefoldRepetition);
        repeated.into_iter().chain(quiet.then_some(Reason::FiftyMoves))
    }

    /// Whether the last two turns were passes.
    fn is_double_pass(&self) -> bool {
        let passed = self.game().rules.passed;
        self.position().state().rights & passed != 0
            && self.moves().next_back() == Some(Move::END)
            && self.was_passed_before_last_turn()
    }
}

impl Rules {
    /// The outcome when a position has occurred again: `keys` are those of the turns from its first occurrence to the
    /// last, and it is `turn`'s turn.
    pub fn repeated(&self, keys: &[u64], turn: Color) -> Outcome {
        let end = &self.end;
        if end.perpetual_check_loses {
            // From the last position backwards, those in which a side may have been checked are every second one.
            let is_checked = |skipped: usize| {
                let turns = keys.iter().skip(1).rev().skip(skipped).step_by(2);
                keys.len() > skipped + 1 && turns.clone().all(|key| key & CHECK != 0)
            };
            match (is_checked(0), is_checked(1)) {
                (true, false) => return Outcome::won(self, Reason::PerpetualCheck, turn),
                (false, true) => return Outcome::won(self, Reason::PerpetualCheck, !turn),
                _ => {}
            }
        }
        let winner = match end.repetition_result {
            Verdict::Win => Some(!turn),
            Verdict::Draw => None,
            Verdict::Loss => Some(turn),
        };
        Outcome::decisive(self, Reason::FivefoldRepetition, winner)
    }
}

/// The lowest count at which the game is drawn, by a claim or automatically, with limits as in [`EndDefinition`]; 0 for
/// never.
pub fn earliest_draw((claimed, forced): (u32, u32)) -> u32 {
    if claimed == 0 || forced == 0 { claimed.max(forced) } else { claimed.min(forced) }
}

/// Whether a count has reached its limit; a limit of 0 is never reached.
fn is_reached(limit: u32, count: u32) -> bool {
    limit > 0 && count >= limit
}

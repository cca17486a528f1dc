//! How games end: the reason, the winner and the score.

use crate::board::Board;
use crate::piece::Color;

/// Why a game is over, or may be claimed to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Reason {
    /// The King is attacked and nothing helps.
    Checkmate,
    /// No legal ply, and no check.
    Stalemate,
    /// The last royal piece has been captured.
    RoyalsCaptured,
    /// A bare King's points were claimed.
    BareKing,
    /// Both Kings are bare.
    BareKings,
    /// No mate is possible any more.
    DeadPosition,
    /// The position has occurred three times: a claim.
    ThreefoldRepetition,
    /// The position has occurred five times.
    FivefoldRepetition,
    /// Fifty moves without progress: a claim.
    FiftyMoves,
    /// Seventy-five moves without progress.
    SeventyFiveMoves,
    /// Two passes running.
    DoublePass,
    /// No piece can move, in a game without check.
    NoMoves,
}

impl Reason {
    /// A name that does not change: for programs.
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
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Why.
    pub reason: Reason,
    /// Who won; nobody if drawn.
    pub winner: Option<Color>,
    /// The points of White and Black, doubled: a classic draw is (1, 1).
    pub half_points: (u8, u8),
}

impl Outcome {
    /// PGN's result: `1-0`, `0-1` or `1/2-1/2`.
    pub fn result(&self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// The score as it is told: the result, or the four points such as `3-1`.
    pub fn score(&self) -> String {
        match self.half_points {
            (1, 1) => "1/2-1/2".into(),
            (white, black) => format!("{}-{}", white / 2, black / 2),
        }
    }
}

impl Board {
    /// The outcome, if the game is over. With `claim_draw`, also if the side to move may claim a draw.
    pub fn outcome(&self, claim_draw: bool) -> Option<Outcome> {
        let rules = &self.game().rules;
        let position = self.position();
        let state = position.state();
        let us = state.turn;
        let end = &rules.end;
        if state.claimed {
            return Some(self.decided(Reason::BareKing, us, 3));
        }
        if !rules.has_check() {
            let lost = Color::BOTH.into_iter().find(|color| position.royals(*color).is_empty());
            if let Some(lost) = lost {
                return Some(self.decided(Reason::RoyalsCaptured, !lost, 4));
            }
        }
        if !position.has_ply(rules) {
            let played_on = Color::BOTH.iter().any(|color| {
                let right = rules.played_on[color.index()];
                right != crate::rules::NONE && state.rights >> right & 1 != 0
            });
            return Some(if !rules.has_check() {
                if end.stalemate_loses { self.decided(Reason::NoMoves, !us, 4) } else { self.drawn(Reason::NoMoves) }
            } else if position.is_check(rules) {
                self.decided(Reason::Checkmate, !us, 4)
            } else if end.stalemate_loses {
                self.decided(Reason::Stalemate, !us, 4)
            } else if end.four_points && !played_on {
                self.decided(Reason::Stalemate, !us, 3)
            } else {
                self.drawn(Reason::Stalemate)
            });
        }
        if end.four_points && position.occupied().count() == 2 {
            return Some(self.drawn(Reason::BareKings));
        }
        if self.is_double_pass() {
            return Some(self.drawn(Reason::DoublePass));
        }
        if !end.four_points && position.is_dead(rules) {
            return Some(self.drawn(Reason::DeadPosition));
        }
        let reached = |limit: u32, count: u32| limit > 0 && count >= limit;
        let repetitions = self.repetitions();
        if reached(end.repetition.1, repetitions) {
            return Some(self.drawn(Reason::FivefoldRepetition));
        }
        if reached(end.quiet.1, state.halfmove) {
            return Some(self.drawn(Reason::SeventyFiveMoves));
        }
        if claim_draw {
            return self.claimable().first().map(|reason| self.drawn(*reason));
        }
        None
    }

    /// The draws that the side to move may claim for the position on the board.
    pub fn claimable(&self) -> Vec<Reason> {
        let end = &self.game().rules.end;
        let mut reasons = Vec::new();
        if self.position().state().plies > 0 || self.outcome(false).is_some() {
            return reasons;
        }
        if end.repetition.0 > 0 && self.repetitions() >= end.repetition.0 {
            reasons.push(Reason::ThreefoldRepetition);
        }
        if end.quiet.0 > 0 && self.position().state().halfmove >= end.quiet.0 {
            reasons.push(Reason::FiftyMoves);
        }
        reasons
    }

    /// Whether the last two turns were passes.
    fn is_double_pass(&self) -> bool {
        let mut last = self.plies().rev();
        let passed = self.game().rules.passed;
        let state = self.position().state();
        state.rights & passed != 0 && last.next() == Some(crate::ply::Ply::END) && self.was_passed_before_last_turn()
    }

    fn drawn(&self, reason: Reason) -> Outcome {
        let half_points = if self.game().rules.end.four_points { (4, 4) } else { (1, 1) };
        Outcome { reason, winner: None, half_points }
    }

    fn decided(&self, reason: Reason, winner: Color, points: u8) -> Outcome {
        let (most, least) = match (self.game().rules.end.four_points, points) {
            (false, _) => (2, 0),
            (true, 3) => (6, 2),
            (true, _) => (8, 0),
        };
        let half_points = if winner == Color::White { (most, least) } else { (least, most) };
        Outcome { reason, winner: Some(winner), half_points }
    }
}

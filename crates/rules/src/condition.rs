//! Conditions that end a game besides mate and the capture of royal pieces: pieces lost, squares reached, checks given.

use crate::definition::{Condition, Goal, Test, Verdict};
use crate::outcome::{Outcome, Reason};
use crate::piece::Color;
use crate::position::Position;
use crate::set::Set;
use crate::tables::Rules;

impl Position {
    /// The outcome by a condition of the game, if one ends it now.
    #[cold]
    pub(crate) fn by_condition(&self, rules: &Rules) -> Option<Outcome> {
        let outcome = self.by_held_conditions(rules)?;
        let may_answer = outcome.winner == Some(!self.state.turn)
            && self.held_conditions(rules).all(|(_, condition)| condition.answer)
            && self.can_answer(rules, outcome);
        (!may_answer).then_some(outcome)
    }

    /// The outcome by the conditions that hold, as if none could be answered.
    fn by_held_conditions(&self, rules: &Rules) -> Option<Outcome> {
        let mut held = self.held_conditions(rules);
        let (color, condition) = held.next()?;
        let winner = condition.winner(color);
        let agreed = held.all(|(color, other)| other.winner(color) == winner);
        Some(Outcome::decisive(rules, condition.reason(), winner.filter(|_| agreed)))
    }

    fn held_conditions<'a>(&'a self, rules: &'a Rules) -> impl Iterator<Item = (Color, &'a Condition)> {
        let each = |color: Color| rules.conditions[color.index()].iter().map(move |condition| (color, condition));
        Color::BOTH.into_iter().flat_map(each).filter(|(color, condition)| self.holds_of(&condition.test, *color))
    }

    fn holds_of(&self, test: &Test, color: Color) -> bool {
        let (own, other) = (self.by_color(color), self.by_color(!color));
        match test {
            Test::Extinct { kinds, at_most, against } => {
                let is_extinct = |all: Set| (all & own).count() <= *at_most && (all & other).count() >= *against;
                if kinds.is_empty() {
                    is_extinct(self.occupied())
                } else {
                    kinds.iter().any(|kind| is_extinct(self.by_type(*kind)))
                }
            }
            Test::Reach { squares, kinds, count } => {
                let mut there = own & *squares;
                if !kinds.is_empty() {
                    there &= kinds.iter().fold(Set::EMPTY, |all, kind| all | self.by_type(*kind));
                }
                there.count() >= *count
            }
            Test::Checks(checks) => self.state.checks[color.index()] >= *checks,
        }
    }

    /// Whether the side to move, for which this outcome is bad, has a legal move after which another one holds, or none.
    fn can_answer(&self, rules: &Rules, outcome: Outcome) -> bool {
        let mut moves = Vec::new();
        self.answers(rules, &mut moves);
        let mut after = self.clone();
        moves.into_iter().any(|mv| {
            let undo = after.make(rules, mv);
            let other = after.by_held_conditions(rules);
            after.unmake(rules, undo);
            other.is_none_or(|other| other.winner != outcome.winner)
        })
    }
}

impl Condition {
    /// The winner, if the condition holds of a side.
    fn winner(&self, color: Color) -> Option<Color> {
        match self.verdict {
            Verdict::Win => Some(color),
            Verdict::Draw => None,
            Verdict::Loss => Some(!color),
        }
    }

    fn reason(&self) -> Reason {
        match self.test {
            Test::Extinct { .. } => Reason::Extinction,
            Test::Reach { .. } => Reason::SquaresReached,
            Test::Checks(_) => Reason::ChecksGiven,
        }
    }
}

impl Rules {
    /// Whether conditions can end the game.
    #[inline]
    pub fn has_conditions(&self) -> bool {
        !self.end.conditions.is_empty()
    }

    /// Whether a bare King might win by a condition: all but checks can come true without another piece.
    pub(crate) fn can_win_by_condition(&self) -> bool {
        self.end.goal == Goal::Conditions || self.end.conditions.iter().any(|c| !matches!(c.test, Test::Checks(_)))
    }

    /// Whether bare Kings might still end the game by a condition: by walking somewhere.
    pub(crate) fn can_win_by_walking(&self) -> bool {
        self.end.conditions.iter().any(|condition| matches!(condition.test, Test::Reach { .. }))
    }
}

//! Explains to people why a piece has no legal move.

use crate::board::Board;
use crate::moves::Move;
use crate::set::Set;
use crate::shipped::sentence;
use crate::square::Square;

/// The range of a command that reaches everywhere.
const EVERYWHERE: u8 = 15;

/// Why a piece of the side to move has no legal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Idle {
    /// It has moved in this turn and may not move again.
    Moved,
    /// No royal piece can command it any more.
    OutOfCommand,
    /// Every move of it would leave the King in check.
    Check,
    /// Another piece can capture, and a capture is compulsory.
    MustCapture,
    /// Every move of it would give check, which is not allowed.
    MayNotCheck,
    /// It reaches no square.
    Blocked,
}

impl Board {
    /// Explains why the piece on a square has no legal move; `None` if it has one, and if none of its side's pieces may
    /// move now.
    pub fn why_idle(&self, from: Square) -> Option<Idle> {
        let (rules, position) = (&self.game().rules, self.position());
        if !position.cell(from).is(self.turn()) || self.why_nothing().is_some() {
            return None;
        }
        let mut moves = Vec::new();
        position.legal_moves_of(rules, Set::of(from), &mut moves);
        if moves.iter().any(|mv| mv.moves_piece()) {
            None
        } else if position.state().moved.contains(&from) {
            Some(Idle::Moved)
        } else if !position.movers(rules).contains(from) {
            Some(Idle::OutOfCommand)
        } else if position.reach(rules, from).is_empty() {
            Some(Idle::Blocked)
        } else if self.must_capture() {
            Some(Idle::MustCapture)
        } else if rules.turn.may_check || position.is_check(rules) {
            Some(Idle::Check)
        } else {
            Some(Idle::MayNotCheck)
        }
    }

    /// Puts the reason of [`why_idle`](Board::why_idle) into a sentence of a language, English if it has none.
    pub fn why_idle_in(&self, language: &str, from: Square) -> Option<String> {
        let key = match self.why_idle(from)? {
            Idle::Moved => "moved",
            Idle::Check => "check",
            Idle::MustCapture => "must_capture",
            Idle::MayNotCheck => "may_not_check",
            Idle::Blocked => "blocked",
            Idle::OutOfCommand => self.out_of_command(from),
        };
        let say = |key: &str| sentence(language, "idle", key).expect("English has every sentence");
        let definition = &self.game().definition;
        let range = definition.turn.command.map_or(0, |command| command.range).to_string();
        Some(say(key).replace("{royal}", &self.royals_named(say("or"))).replace("{range}", &range))
    }

    /// Whether a capture is compulsory now.
    pub(crate) fn must_capture(&self) -> bool {
        let captures = |mv: &Move| self.position().captured(*mv).is_some();
        self.game().rules.turn.must_capture && self.legal_moves().first().is_some_and(captures)
    }

    /// The key of the sentence that says why nothing commands a piece.
    fn out_of_command(&self, from: Square) -> &'static str {
        let Some(command) = self.game().definition.turn.command else { return "none_left" };
        let is_royal =
            self.position().piece(from).is_some_and(|piece| self.game().rules.royals.contains(&piece.piece_type()));
        match command.range {
            _ if is_royal && !(command.range > 0 && command.royals) => "itself_spent",
            0 => "royals_only",
            1 => "not_adjacent",
            EVERYWHERE => "none_left",
            _ => "out_of_range",
        }
    }

    /// The names of the royal piece types, joined by a word.
    fn royals_named(&self, or: &str) -> String {
        let mut names: Vec<&str> = Vec::new();
        for kind in self.game().definition.piece_types.iter().filter(|kind| kind.royal) {
            if !names.contains(&kind.name.as_str()) {
                names.push(&kind.name);
            }
        }
        match &names[..] {
            [first @ .., last] if !first.is_empty() => format!("{} {or} {last}", first.join(", ")),
            _ => names.concat(),
        }
    }
}

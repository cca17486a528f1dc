//! What puzzles ask for.

/// What the moves of a puzzle reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Mate, whatever the enemy replies.
    Mate,
    /// Win a piece for nothing, or mate.
    Win,
    /// Avoid being mated in two moves, with one move.
    Defence,
    /// Mate with the last move of one turn.
    TurnMate,
    /// Capture royal pieces within one turn, in games without check.
    Capture,
    /// Leave no royal piece to be captured in the next turn.
    Save,
}

impl Goal {
    /// All goals.
    pub const ALL: [Goal; 6] = [Goal::Mate, Goal::Win, Goal::Defence, Goal::TurnMate, Goal::Capture, Goal::Save];

    /// The name that stored puzzles have for it.
    pub fn name(self) -> &'static str {
        match self {
            Goal::Mate => "mate",
            Goal::Win => "win",
            Goal::Defence => "defence",
            Goal::TurnMate => "turn_mate",
            Goal::Capture => "capture",
            Goal::Save => "save",
        }
    }

    /// Reads a name.
    ///
    /// # Errors
    /// If no goal has it.
    pub fn parse(name: &str) -> Result<Goal, String> {
        Goal::ALL.into_iter().find(|goal| goal.name() == name).ok_or_else(|| {
            let names = Goal::ALL.map(Goal::name).join(", ");
            format!("{name:?} is not the goal of a puzzle; expected one of {names}")
        })
    }

    /// Whether the enemy replies to each move but the last. Otherwise the moves are one turn, or a part of it.
    pub fn has_replies(self) -> bool {
        matches!(self, Goal::Mate | Goal::Win | Goal::Defence)
    }
}

//! Staged move picking: the hash move, good captures, quiet moves by history, bad captures.
//!
//! Each stage is generated only when it is reached, so that a node that cuts off early generates few moves.

use crate::evaluation::Evaluator;
use crate::exchange;
use crate::history::{self, History, Step};
use crate::threats::Threats;
use rules::{Move, Position, Rules};

/// What move ordering depends on.
pub struct Context<'a> {
    pub rules: &'a Rules,
    pub evaluator: &'a Evaluator,
    pub history: &'a History,
    pub position: &'a Position,
    pub before: [Step; 2],
    pub killers: [Option<Move>; 2],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Table,
    MakeTactical,
    Good,
    MakeQuiet,
    Quiet,
    Bad,
    Done,
}

/// Yields moves one by one.
pub struct Picker {
    stage: Stage,
    table: Option<Move>,
    /// Captures and promotions only.
    tactical_only: bool,
    /// Captures that win at least this by SEE are good.
    threshold: i32,
    moves: Vec<Move>,
    scores: Vec<i32>,
    bad: Vec<Move>,
    next: usize,
    threats: Option<Threats>,
}

impl Picker {
    /// Creates an empty picker; pickers are reused to save allocations.
    pub fn new() -> Picker {
        Picker {
            stage: Stage::Done,
            table: None,
            tactical_only: false,
            threshold: 0,
            moves: Vec::with_capacity(128),
            scores: Vec::with_capacity(128),
            bad: Vec::with_capacity(32),
            next: 0,
            threats: None,
        }
    }

    /// Starts a node. The hash move must be legal.
    pub fn begin(&mut self, table: Option<Move>, tactical_only: bool, threshold: i32) {
        self.stage = Stage::Table;
        self.table = table;
        self.tactical_only = tactical_only;
        self.threshold = threshold;
        self.bad.clear();
        self.threats = None;
    }

    /// Skips the remaining quiet moves.
    pub fn skip_quiet(&mut self) {
        if self.stage == Stage::Quiet {
            self.stage = Stage::Bad;
            self.next = 0;
        }
    }

    /// Returns the next move.
    pub fn next(&mut self, context: &Context) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::MakeTactical;
                    if self.table.is_some() {
                        return self.table;
                    }
                }
                Stage::MakeTactical => {
                    if context.position.must_decide(context.rules) {
                        self.moves.clear();
                        self.stage = Stage::MakeQuiet;
                        continue;
                    }
                    context.position.tactical_moves(context.rules, &mut self.moves);
                    self.scores.clear();
                    self.scores.extend(self.moves.iter().map(|mv| tactical_score(context, *mv)));
                    (self.stage, self.next) = (Stage::Good, 0);
                }
                Stage::Good => match self.take_best() {
                    Some(mv) => {
                        if exchange::wins_at_least(
                            context.rules,
                            context.evaluator,
                            context.position,
                            mv,
                            self.threshold,
                        ) {
                            return Some(mv);
                        }
                        self.bad.push(mv);
                    }
                    None if self.tactical_only => self.stage = Stage::Done,
                    None => self.stage = Stage::MakeQuiet,
                },
                Stage::MakeQuiet => {
                    if context.position.must_decide(context.rules) {
                        context.position.legal_moves(context.rules, &mut self.moves);
                    } else {
                        context.position.quiet_moves(context.rules, &mut self.moves);
                    }
                    self.scores.clear();
                    let threats = self.threats(context.evaluator, context.position);
                    self.scores.extend(self.moves.iter().map(|mv| quiet_score(context, *mv, threats)));
                    (self.stage, self.next) = (Stage::Quiet, 0);
                }
                Stage::Quiet => match self.take_best() {
                    Some(mv) => return Some(mv),
                    None => (self.stage, self.next) = (Stage::Bad, 0),
                },
                Stage::Bad => match self.bad.get(self.next) {
                    Some(mv) => {
                        self.next += 1;
                        return Some(*mv);
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// The threats to the side to move, found when they are first asked for.
    pub fn threats(&mut self, evaluator: &Evaluator, position: &Position) -> Threats {
        *self.threats.get_or_insert_with(|| Threats::of(evaluator, position))
    }

    /// Whether the move returned last loses material by SEE.
    pub fn is_bad(&self) -> bool {
        self.stage == Stage::Bad
    }

    /// Takes the best of the remaining moves, the hash move excluded.
    fn take_best(&mut self) -> Option<Move> {
        loop {
            let mut scores = self.scores.get(self.next..)?.iter().enumerate();
            let (mut at, mut best) = scores.next().map(|(at, score)| (at, *score))?;
            for (other, &score) in scores {
                if score > best {
                    (at, best) = (other, score);
                }
            }
            self.moves.swap(self.next, self.next + at);
            self.scores.swap(self.next, self.next + at);
            self.next += 1;
            let mv = self.moves[self.next - 1];
            if Some(mv) != self.table {
                return Some(mv);
            }
        }
    }
}

fn tactical_score(context: &Context, mv: Move) -> i32 {
    let piece = context.position.piece(mv.from()).expect("a legal move has a piece on its origin");
    let gained = context.position.captured(mv).map_or(0, |(_, piece)| context.evaluator.value(piece.piece_type()));
    let promoted =
        mv.promotion().map_or(0, |kind| context.evaluator.value(kind) - context.evaluator.value(piece.piece_type()));
    let learnt = context.history.capture(piece, mv.to(), history::class(gained));
    16 * (gained + promoted) - context.evaluator.value(piece.piece_type()) + learnt / 8
}

fn quiet_score(context: &Context, mv: Move, threats: Threats) -> i32 {
    let Some(piece) = context.position.piece(mv.from()).filter(|_| mv.moves_piece()) else { return 0 };
    let killer = if context.killers.contains(&Some(mv)) { 12_000 } else { 0 };
    context.history.quiet(piece, mv, context.before, threats.danger(context.evaluator, piece, mv)) + killer
}

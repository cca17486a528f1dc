//! Staged move picking: the hash move, good captures, quiet moves by history, bad captures.
//!
//! Each stage is generated only when it is reached, so that a node that cuts off early generates few moves.

use crate::evaluation::Evaluator;
use crate::exchange;
use crate::history::{self, History, Step};
use rules::{Ply, Position, Rules};

/// What move ordering depends on.
pub struct Context<'a> {
    pub rules: &'a Rules,
    pub evaluator: &'a Evaluator,
    pub history: &'a History,
    pub position: &'a Position,
    pub before: [Step; 2],
    pub killers: [Option<Ply>; 2],
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
    table: Option<Ply>,
    /// Captures and promotions only.
    tactical_only: bool,
    /// Captures that win at least this by SEE are good.
    threshold: i32,
    plies: Vec<Ply>,
    scores: Vec<i32>,
    bad: Vec<Ply>,
    next: usize,
}

impl Picker {
    /// Creates an empty picker; pickers are reused to save allocations.
    pub fn new() -> Picker {
        Picker {
            stage: Stage::Done,
            table: None,
            tactical_only: false,
            threshold: 0,
            plies: Vec::with_capacity(128),
            scores: Vec::with_capacity(128),
            bad: Vec::with_capacity(32),
            next: 0,
        }
    }

    /// Starts a node. The hash move must be legal.
    pub fn begin(&mut self, table: Option<Ply>, tactical_only: bool, threshold: i32) {
        self.stage = Stage::Table;
        self.table = table;
        self.tactical_only = tactical_only;
        self.threshold = threshold;
        self.bad.clear();
    }

    /// Skips the remaining quiet moves.
    pub fn skip_quiet(&mut self) {
        if self.stage == Stage::Quiet {
            self.stage = Stage::Bad;
            self.next = 0;
        }
    }

    /// Returns the next move.
    pub fn next(&mut self, context: &Context) -> Option<Ply> {
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
                        self.plies.clear();
                        self.stage = Stage::MakeQuiet;
                        continue;
                    }
                    context.position.tactical_plies(context.rules, &mut self.plies);
                    self.scores.clear();
                    self.scores.extend(self.plies.iter().map(|ply| tactical_score(context, *ply)));
                    (self.stage, self.next) = (Stage::Good, 0);
                }
                Stage::Good => match self.take_best() {
                    Some(ply) => {
                        if exchange::wins_at_least(
                            context.rules,
                            context.evaluator,
                            context.position,
                            ply,
                            self.threshold,
                        ) {
                            return Some(ply);
                        }
                        self.bad.push(ply);
                    }
                    None if self.tactical_only => self.stage = Stage::Done,
                    None => self.stage = Stage::MakeQuiet,
                },
                Stage::MakeQuiet => {
                    if context.position.must_decide(context.rules) {
                        context.position.legal_plies(context.rules, &mut self.plies);
                    } else {
                        context.position.quiet_plies(context.rules, &mut self.plies);
                    }
                    self.scores.clear();
                    self.scores.extend(self.plies.iter().map(|ply| quiet_score(context, *ply)));
                    (self.stage, self.next) = (Stage::Quiet, 0);
                }
                Stage::Quiet => match self.take_best() {
                    Some(ply) => return Some(ply),
                    None => (self.stage, self.next) = (Stage::Bad, 0),
                },
                Stage::Bad => match self.bad.get(self.next) {
                    Some(ply) => {
                        self.next += 1;
                        return Some(*ply);
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Whether the move returned last loses material by SEE.
    pub fn is_bad(&self) -> bool {
        self.stage == Stage::Bad
    }

    /// Takes the best of the remaining moves, the hash move excluded.
    fn take_best(&mut self) -> Option<Ply> {
        loop {
            let mut scores = self.scores.get(self.next..)?.iter().enumerate();
            let (mut at, mut best) = scores.next().map(|(at, score)| (at, *score))?;
            for (other, &score) in scores {
                if score > best {
                    (at, best) = (other, score);
                }
            }
            self.plies.swap(self.next, self.next + at);
            self.scores.swap(self.next, self.next + at);
            self.next += 1;
            let ply = self.plies[self.next - 1];
            if Some(ply) != self.table {
                return Some(ply);
            }
        }
    }
}

fn tactical_score(context: &Context, ply: Ply) -> i32 {
    let piece = context.position.piece(ply.from()).expect("a legal ply has a piece on its origin");
    let gained = context.position.captured(ply).map_or(0, |(_, piece)| context.evaluator.value(piece.kind()));
    let promoted =
        ply.promotion().map_or(0, |kind| context.evaluator.value(kind) - context.evaluator.value(piece.kind()));
    let learnt = context.history.capture(piece, ply.to(), history::class(gained));
    16 * (gained + promoted) - context.evaluator.value(piece.kind()) + learnt / 8
}

fn quiet_score(context: &Context, ply: Ply) -> i32 {
    let Some(piece) = context.position.piece(ply.from()).filter(|_| ply.moves_piece()) else { return 0 };
    let killer = if context.killers.contains(&Some(ply)) { 12_000 } else { 0 };
    context.history.quiet(piece, ply, context.before) + killer
}

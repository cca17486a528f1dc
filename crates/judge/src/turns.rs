//! What a turn of several moves can capture, by exhaustive search: tries every sequence of moves, and visits no
//! position twice.

use rules::{Color, Move, Position, Rules, Set, Square};
use std::collections::HashSet;

/// Proves what a turn can capture, in games of several moves per turn in which no piece moves twice and all royal
/// pieces must be captured.
pub struct Captures<'a> {
    rules: &'a Rules,
    /// By piece and square, where it might capture on some board: a piece whose targets are all out of reach never
    /// captures.
    reach: Vec<Vec<Set>>,
    /// Positions visited.
    pub nodes: u64,
}

/// What to capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CaptureKind {
    /// Royal pieces.
    Royal,
    /// Any pieces.
    Any,
}

/// One search: whose turn it is, how many moves the turn may have, and the positions visited.
struct Search {
    us: Color,
    kind: CaptureKind,
    most_moves: usize,
    /// How many targets may remain.
    remaining: u32,
    met: HashSet<u64>,
    made: Vec<Move>,
}

impl<'a> Captures<'a> {
    /// Creates a prover for these rules.
    pub fn new(rules: &'a Rules) -> Captures<'a> {
        assert!(!rules.has_check() && rules.turn.once_each, "captures are proved where no piece moves twice in a turn");
        let reach = rules.walks.iter().map(|walks| {
            let ends = |square: Square| {
                let capturing = walks.iter().filter(|free| free.walk.capture);
                capturing.fold(Set::EMPTY, |all, free| all | free.walk.possible_targets(square, &free.board))
            };
            (0..=255).map(|square| ends(Square(square))).collect()
        });
        Captures { rules, reach: reach.collect(), nodes: 0 }
    }

    /// The rules of the game.
    pub fn rules(&self) -> &'a Rules {
        self.rules
    }

    /// Returns a turn of the side to move, of at most `most_moves` moves, that captures at least `captured` targets;
    /// `None` if there is none.
    pub fn find(
        &mut self,
        position: &mut Position,
        kind: CaptureKind,
        captured: u32,
        most_moves: usize,
    ) -> Option<Vec<Move>> {
        let us = position.turn();
        let remaining = targets(position, us, kind).count().checked_sub(captured)?;
        let mut search = Search { us, kind, most_moves, remaining, met: HashSet::new(), made: Vec::new() };
        self.search(position, &mut search).then_some(search.made)
    }

    fn search(&mut self, position: &mut Position, search: &mut Search) -> bool {
        let targets = targets(position, search.us, search.kind);
        let wanted = targets.count().saturating_sub(search.remaining);
        if wanted == 0 {
            return true;
        }
        let left = search.most_moves - search.made.len();
        let captors = self.captors(position, search.us, targets);
        if position.turn() != search.us || left < wanted as usize || captors.count() < wanted {
            return false;
        }
        // If every move left must capture, only captures are generated.
        let from = if left == wanted as usize { captors } else { !Set::EMPTY };
        if !search.met.insert(position.key(self.rules)) {
            return false;
        }
        self.nodes += 1;
        let mut moves = Vec::with_capacity(128);
        position.legal_moves_of(self.rules, from, &mut moves);
        moves.retain(|mv| mv.moves_piece());
        if left == wanted as usize {
            moves.retain(|mv| targets.contains(mv.to()));
        }
        for mv in moves {
            let undo = position.make(self.rules, mv);
            search.made.push(mv);
            let found = self.search(position, search);
            position.unmake(self.rules, undo);
            if found {
                return true;
            }
            search.made.pop();
        }
        false
    }

    /// The pieces of a side that have not moved in this turn and might capture one of these on some board.
    fn captors(&self, position: &Position, us: Color, targets: Set) -> Set {
        let waiting = position.by_color(us).minus(position.state().moved.iter().copied().collect());
        let might = |from: &Square| {
            position.piece(*from).is_some_and(|piece| self.reach[piece.index()][from.index()].meets(&targets))
        };
        waiting.into_iter().filter(might).collect()
    }

    /// Whether the side to move can capture no royal piece in this turn.
    pub fn is_safe(&mut self, position: &mut Position) -> bool {
        let most = usize::from(position.turn_length(self.rules));
        self.find(position, CaptureKind::Royal, 1, most).is_none()
    }

    /// Returns moves with which the side to move captures a royal piece in this turn and, if it then ends its turn,
    /// loses none in return.
    pub fn find_for_nothing(&mut self, position: &mut Position) -> Option<Vec<Move>> {
        let us = position.turn();
        let most_moves = usize::from(position.turn_length(self.rules));
        let remaining = position.royals(!us).count();
        let mut search =
            Search { us, kind: CaptureKind::Royal, most_moves, remaining, met: HashSet::new(), made: Vec::new() };
        self.search_for_nothing(position, &mut search).then_some(search.made)
    }

    fn search_for_nothing(&mut self, position: &mut Position, search: &mut Search) -> bool {
        let targets = position.royals(!search.us);
        if targets.count() < search.remaining {
            return targets.is_empty() || self.loses_none(position, search.us);
        }
        if position.turn() != search.us || self.captors(position, search.us, targets).is_empty() {
            return false;
        }
        let left = search.most_moves - search.made.len();
        if !search.met.insert(position.key(self.rules)) {
            return false;
        }
        self.nodes += 1;
        let mut moves = Vec::with_capacity(128);
        position.legal_moves(self.rules, &mut moves);
        moves.retain(|mv| mv.moves_piece() && (left > 1 || targets.contains(mv.to())));
        for mv in moves {
            let undo = position.make(self.rules, mv);
            search.made.push(mv);
            let found = self.search_for_nothing(position, search);
            position.unmake(self.rules, undo);
            if found {
                return true;
            }
            search.made.pop();
        }
        false
    }

    /// Whether a side that ends its turn here, if it has not ended yet, loses no royal piece in the next.
    fn loses_none(&mut self, position: &Position, us: Color) -> bool {
        let mut after = position.clone();
        if after.turn() == us {
            after.make(self.rules, Move::END);
        }
        self.is_safe(&mut after)
    }

    /// Whether each turn of the side to move either leaves no royal piece to be captured or loses one for nothing.
    /// `None` if the search would visit more than `most` positions.
    pub fn must_be_safe(&mut self, position: &Position, most: u64) -> Option<bool> {
        let mut met = HashSet::new();
        let mut threats = Vec::new();
        let end = self.nodes + most;
        self.each_turn_is_safe_or_loses(&mut position.clone(), position.turn(), end, &mut met, &mut threats)
    }

    fn each_turn_is_safe_or_loses(
        &mut self,
        position: &mut Position,
        us: Color,
        end: u64,
        met: &mut HashSet<u64>,
        threats: &mut Vec<Vec<Move>>,
    ) -> Option<bool> {
        if self.nodes > end {
            return None;
        }
        self.nodes += 1;
        if position.turn() != us {
            if let Some(at) = threats.iter().position(|threat| self.works_for_nothing(position, threat)) {
                threats.swap(0, at);
                return Some(true);
            }
            return Some(match self.find_for_nothing(position) {
                Some(threat) => {
                    threats.insert(0, threat);
                    true
                }
                None => self.is_safe(position),
            });
        }
        let mut moves = Vec::with_capacity(128);
        position.legal_moves(self.rules, &mut moves);
        for mv in moves {
            let undo = position.make(self.rules, mv);
            let new = met.insert(position.key(self.rules));
            let holds = !new || self.each_turn_is_safe_or_loses(position, us, end, met, threats)?;
            position.unmake(self.rules, undo);
            if !holds {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Whether moves that captured a royal piece for nothing elsewhere do so here too.
    fn works_for_nothing(&mut self, position: &Position, threat: &[Move]) -> bool {
        let Some(after) = after_threat(self.rules, position, threat) else { return false };
        after.royals(!position.turn()).is_empty() || self.loses_none(&after, position.turn())
    }
}

/// Returns the position after moves of one turn that capture a royal piece; `None` if they are not legal here or
/// capture none.
pub fn after_threat(rules: &Rules, position: &Position, threat: &[Move]) -> Option<Position> {
    let us = position.turn();
    let mut after = position.clone();
    let mut moves = Vec::new();
    for mv in threat {
        after.legal_moves_of(rules, Set::of(mv.from()), &mut moves);
        if after.turn() != us || !moves.contains(mv) {
            return None;
        }
        after.make(rules, *mv);
    }
    (after.royals(!us).count() < position.royals(!us).count()).then_some(after)
}

/// The enemy pieces to capture.
fn targets(position: &Position, us: Color, kind: CaptureKind) -> Set {
    match kind {
        CaptureKind::Royal => position.royals(!us),
        CaptureKind::Any => position.by_color(!us),
    }
}

//! For user interfaces: where a piece could go, and on what path.

use crate::board::Board;
use crate::moves::{Move, MoveTag};
use crate::piece::Piece;
use crate::position::Position;
use crate::set::Set;
use crate::square::Square;
use crate::tables::{FreeWalk, Rules};
use crate::walk::{Path, Walk};

/// What a piece may do on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReachKind {
    /// Move there if it is empty.
    Move,
    /// Capture there.
    Capture,
    /// Either.
    Both,
}

/// One square that a piece reaches, and the path to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reach {
    /// The square.
    pub to: Square,
    /// Whether it moves or captures there.
    pub kind: ReachKind,
    /// The piece hopped over.
    pub mount: Option<Square>,
    /// The squares stepped on, the destination last: one for a leap, more for slides, bent slides and several legs.
    pub path: Vec<Square>,
    /// Where each leg ends, the destination last.
    pub legs: Vec<Square>,
}

impl Reach {
    /// How the square is reached, in a word.
    pub fn kind_name(&self) -> &'static str {
        match (self.mount, self.kind) {
            (Some(_), _) => "hop",
            (None, ReachKind::Move) => "move",
            (None, ReachKind::Capture) => "capture",
            (None, ReachKind::Both) => "both",
        }
    }
}

impl Position {
    /// Where the piece on a square could go, either side's, whoever is to move: the empty squares and enemies that its
    /// own walks reach, ignoring check. Special moves (castling, en passant, the King's jump) are not included; the
    /// legal moves have them.
    pub fn reach(&self, rules: &Rules, from: Square) -> Vec<Reach> {
        let Some(piece) = self.piece(from) else { return Vec::new() };
        let (occupied, enemy) = (self.occupied(), self.by_color(!piece.color()));
        let mut reached: Vec<Reach> = Vec::new();
        for FreeWalk { walk, from: origins, board, right } in &rules.walks[piece.index()] {
            if !origins.contains(from) || !self.holds(*right) {
                continue;
            }
            walk.paths(from, board, &occupied, &mut |path| {
                let to = path.to();
                let kind = if walk.quiet && !occupied.contains(to) {
                    ReachKind::Move
                } else if walk.capture && enemy.contains(to) {
                    ReachKind::Capture
                } else {
                    return;
                };
                let new = describe(path, walk, from, kind);
                match reached.iter_mut().find(|old| old.to == to && old.kind == kind) {
                    Some(old) if new.path.len() < old.path.len() => *old = new,
                    Some(_) => {}
                    None => reached.push(new),
                }
            });
        }
        reached.sort_by_key(|reach| reach.to);
        reached
    }
}

fn describe(path: &Path, walk: &Walk, from: Square, kind: ReachKind) -> Reach {
    let mut legs = Vec::new();
    let mut leg = 0;
    let mut before = from;
    for (index, square) in path.squares.iter().enumerate() {
        let step = walk.legs[leg].step;
        let ends = index + 1 == path.squares.len() || {
            let next = path.squares[index + 1];
            let turns = square.offset(step.0, step.1) != Some(next);
            turns || path.mounts.contains(square) || walk.legs[leg].max == 1
        };
        if ends {
            legs.push(*square);
            leg = (leg + 1).min(walk.legs.len() - 1);
        }
        before = *square;
    }
    debug_assert_eq!(before, path.to());
    Reach { to: path.to(), kind, mount: path.mounts.first().copied(), path: path.squares.to_vec(), legs }
}

/// What a legal move does, for user interfaces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveInfo {
    /// The captured piece, and its square.
    pub captured: Option<(Square, Piece)>,
    /// The path of the piece; `None` for castling, jumps, en passant and moves without a piece.
    pub reach: Option<Reach>,
    /// The partner's origin and destination, if it is castling.
    pub partner: Option<(Square, Square)>,
    /// Whether it gives check.
    pub check: bool,
    /// Whether the turn is over after it.
    pub ends_turn: bool,
}

impl Board {
    /// The squares that a legal move touches, each once: its origin, its path and its destination; none for a special
    /// move.
    pub fn touched(&self, mv: Move) -> Vec<Square> {
        let mut touched = Vec::new();
        if mv.moves_piece() {
            let path = self.move_info(mv).reach.map_or_else(Vec::new, |reach| reach.path);
            for square in [mv.from()].into_iter().chain(path).chain([mv.to()]) {
                if !touched.contains(&square) {
                    touched.push(square);
                }
            }
        }
        touched
    }

    /// The squares that the last move touched; none before the first.
    pub fn last_touched(&self) -> Vec<Square> {
        let mut before = self.with_past(1);
        before.pop().map_or_else(Vec::new, |mv| before.touched(mv))
    }

    /// What a legal move does.
    pub fn move_info(&self, mv: Move) -> MoveInfo {
        self.move_info_of(mv, &self.position().reach(&self.game().rules, mv.from()))
    }

    /// What a legal move does, whose piece reaches these squares. The moves of one piece share them.
    pub(crate) fn move_info_of(&self, mv: Move, reaches: &[Reach]) -> MoveInfo {
        let rules = &self.game().rules;
        let position = self.position();
        let mut after = position.clone();
        after.make(rules, mv);
        let effect = position.effect(rules, mv);
        let plain = matches!(mv.tag(), MoveTag::Normal | MoveTag::Passing);
        MoveInfo {
            captured: effect.and_then(|effect| effect.captured),
            reach: reaches.iter().find(|reach| plain && reach.to == mv.to()).cloned(),
            partner: effect.and_then(|effect| effect.partner).map(|partner| (partner.from, partner.to)),
            check: position.gives_check(rules, mv),
            ends_turn: after.turn() != position.turn(),
        }
    }
}

/// A board on which a piece shows all its moves, for diagrams: the piece in the middle of an empty board, with pieces
/// to hop over if it hops.
pub struct Diagram {
    /// Files of the diagram's board.
    pub files: u8,
    /// Ranks of the diagram's board.
    pub ranks: u8,
    /// Where the piece stands.
    pub origin: Square,
    /// Squares with a piece to hop over.
    pub mounts: Vec<Square>,
    /// What it reaches.
    pub reach: Vec<Reach>,
}

/// Draws the diagram of White's piece on a board of up to 11x11.
pub fn diagram(rules: &Rules, piece: Piece) -> Diagram {
    let (files, ranks) = (rules.files.min(11), rules.ranks.min(11));
    let origin = Square::new(files / 2, ranks / 2);
    let board = Set::board(files, ranks);
    let walks: Vec<&Walk> = rules.walks[piece.index()].iter().map(|free| &free.walk).collect();
    let hops = walks.iter().any(|walk| walk.legs.iter().any(|leg| leg.mount));
    let mut mounts = Vec::new();
    if hops {
        for (step, distance) in crate::square::DIRECTIONS.iter().zip([2, 2, 3, 2, 2, 2, 3, 2]) {
            mounts.extend(origin.offset(step.0 * distance, step.1 * distance).filter(|square| board.contains(*square)));
        }
        let met = |mount: &Square| {
            let occupied = Set::of(*mount);
            let mut used = false;
            for walk in &walks {
                walk.paths(origin, &board, &occupied, &mut |path| used |= path.mounts.contains(mount));
            }
            used
        };
        mounts.retain(met);
    }
    let occupied: Set = mounts.iter().copied().collect();
    let mut reached: Vec<Reach> = Vec::new();
    for walk in &walks {
        walk.paths(origin, &board, &occupied, &mut |path| {
            let to = path.to();
            if occupied.contains(to) {
                return;
            }
            let kind = match (walk.quiet, walk.capture) {
                (true, true) => ReachKind::Both,
                (true, false) => ReachKind::Move,
                _ => ReachKind::Capture,
            };
            let new = describe(path, walk, origin, kind);
            match reached.iter_mut().find(|old| old.to == to) {
                None => reached.push(new),
                Some(old) if old.kind == kind => {
                    if new.path.len() < old.path.len() {
                        *old = new;
                    }
                }
                Some(old) => old.kind = ReachKind::Both,
            }
        });
    }
    reached.sort_by_key(|reach| reach.to);
    Diagram { files, ranks, origin, mounts, reach: reached }
}

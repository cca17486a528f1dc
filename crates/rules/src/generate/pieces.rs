//! Pieces that are not royal: lists or counts their targets and promotions.

use super::Scene;
use super::sinks::*;
use crate::moves::{Move, MoveTag};
use crate::piece::{Color, Piece, PieceType};
use crate::position::Position;
use crate::set::Set;
use crate::square::{DIRECTIONS, Square};
use crate::tables::{NONE, PieceRules, Rules};
use arrayvec::ArrayVec;

/// What a piece becomes when it arrives in a promotion zone.
struct Arrival {
    /// Whether it may stay what it is.
    stays: bool,
    /// What it may become.
    piece_types: ArrayVec<PieceType, { PieceType::MAX }>,
}

/// The targets of a piece: empty squares, enemies, and empty squares that it reaches leaving a track.
pub(super) struct Targets {
    pub quiet: Set,
    pub capture: Set,
    track: Set,
}

impl Position {
    pub(super) fn generate_pieces<S: Sink, F: Filter>(&self, rules: &Rules, pieces: Set, filter: &F, sink: &mut S) {
        let scene = self.scene(rules, self.state.turn);
        for kind in (0..rules.piece_types as u8).map(PieceType) {
            let set = self.by_type[kind.index()] & pieces;
            if set.is_empty() {
                continue;
            }
            let spec = rules.piece(Piece::new(scene.us, kind));
            if S::COUNTS && !spec.shifts.is_empty() && set.count() as usize * 2 >= spec.shifts.len() {
                self.count_together(&scene, spec, set, filter, sink);
                continue;
            }
            for from in set {
                self.generate_piece(&scene, spec, from, filter, sink);
                if sink.is_done() {
                    return;
                }
            }
        }
    }

    /// Counts the moves of all pieces of a type that only leaps, by shifting the whole set.
    pub(super) fn count_together<S: Sink, F: Filter>(
        &self,
        scene: &Scene,
        spec: &PieceRules,
        set: Set,
        filter: &F,
        sink: &mut S,
    ) {
        for shift in &spec.shifts {
            let mut movers = set & shift.from;
            if shift.right != NONE && (movers.is_empty() || !self.holds(shift.right)) {
                continue;
            }
            for over in &shift.over {
                movers &= scene.empty.shift(-over);
            }
            let targets = movers.shift(shift.by);
            let mut legal = Set::EMPTY;
            if shift.quiet {
                legal |= filter.legal_targets(targets & scene.empty, shift.by, false);
            }
            if shift.capture {
                legal |= filter.legal_targets(targets & scene.enemy, shift.by, true);
            }
            if !spec.promotes() {
                sink.add(legal.count());
                continue;
            }
            sink.add(legal.minus(spec.zone).count());
            for to in legal & spec.zone {
                let from = Square((i32::from(to.0) - shift.by) as u8);
                let arrival = self.arrives_as(scene.rules, spec, from, to, scene.enemy.contains(to));
                sink.add(arrival.piece_types.len() as u32 + u32::from(arrival.stays));
            }
        }
    }

    #[inline]
    pub(super) fn generate_piece<S: Sink, F: Filter>(
        &self,
        scene: &Scene,
        spec: &PieceRules,
        from: Square,
        filter: &F,
        sink: &mut S,
    ) {
        let (rules, promotes) = (scene.rules, spec.promotes());
        if spec.gather {
            let targets = self.targets(scene, spec, from);
            self.emit(scene, spec, from, filter.targets(from, targets.quiet, targets.capture), sink);
            self.emit_tracks(scene, spec, from, filter.targets(from, targets.track, Set::EMPTY), sink);
            return;
        }
        if spec.leaps {
            let mut quiet = rules.table(spec.quiet)[from.index()] & scene.empty;
            if !S::QUIET && !promotes {
                quiet = Set::EMPTY;
            }
            let capture = rules.table(spec.capture)[from.index()] & scene.enemy;
            let leaps = filter.targets(from, quiet, capture);
            if promotes {
                self.emit(scene, spec, from, leaps, sink);
            } else {
                sink.moves(from, leaps);
            }
        }
        if spec.conditionals.get(from.index()).is_some_and(|list| !list.is_empty()) {
            let targets = self.conditional_targets(scene, spec, from);
            self.emit(scene, spec, from, filter.targets(from, targets.quiet, targets.capture), sink);
            self.emit_tracks(scene, spec, from, filter.targets(from, targets.track, Set::EMPTY), sink);
        }
        let mut one = |to: Square, capture: bool| {
            if !S::QUIET && !capture && !promotes {
                return;
            }
            if filter.allows(from, to, capture) {
                if promotes {
                    self.emit(scene, spec, from, Set::of(to), sink);
                } else {
                    sink.plain(from, to, capture);
                }
            }
        };
        self.walk_lines(scene, spec, from, &mut one);
        self.walk_bents(scene, spec, from, &mut one);
    }

    /// Moves that leave a track.
    fn emit_tracks<S: Sink>(&self, scene: &Scene, spec: &PieceRules, from: Square, targets: Set, sink: &mut S) {
        for to in targets {
            self.emit_arrival(scene, spec, from, to, MoveTag::Passing, sink);
        }
    }

    /// Adds the moves to these squares, promotions included.
    pub(super) fn emit<S: Sink>(&self, scene: &Scene, spec: &PieceRules, from: Square, targets: Set, sink: &mut S) {
        if !spec.promotes() {
            return sink.moves(from, targets);
        }
        let zone = spec.zone_from(scene.rules, from);
        sink.moves(from, targets.minus(zone));
        for to in targets & zone {
            self.emit_arrival(scene, spec, from, to, MoveTag::Normal, sink);
        }
    }

    /// Adds the moves to one square, promotions included.
    pub(super) fn emit_arrival<S: Sink>(
        &self,
        scene: &Scene,
        spec: &PieceRules,
        from: Square,
        to: Square,
        tag: MoveTag,
        sink: &mut S,
    ) {
        if !spec.promotes() || !spec.zone_from(scene.rules, from).contains(to) {
            return sink.mv(Move::new(from, to, tag));
        }
        let captures = tag == MoveTag::EnPassant || scene.enemy.contains(to);
        let arrival = self.arrives_as(scene.rules, spec, from, to, captures);
        if arrival.stays {
            sink.mv(Move::new(from, to, tag));
        }
        let tag = if tag == MoveTag::Passing { MoveTag::Normal } else { tag };
        for kind in arrival.piece_types {
            sink.mv(Move::promoting(from, to, tag, kind));
        }
    }

    /// Whether promotion lets the piece on a square end on another, with a capture or without: false if it must promote
    /// and there is nothing left to become.
    pub(crate) fn may_arrive(&self, rules: &Rules, from: Square, to: Square, captures: bool) -> bool {
        let spec = rules.piece(self.piece(from).expect("a piece that goes somewhere"));
        let arrival = self.arrives_as(rules, spec, from, to, captures);
        arrival.stays || !arrival.piece_types.is_empty()
    }

    fn arrives_as(&self, rules: &Rules, spec: &PieceRules, from: Square, to: Square, captures: bool) -> Arrival {
        let us = self.state.turn;
        let mut arrival = Arrival { stays: true, piece_types: ArrayVec::new() };
        for way in &spec.promotions {
            if !way.leads(rules, from, to) || way.captures.is_some_and(|wanted| wanted != captures) {
                continue;
            }
            arrival.stays &= !way.at.contains(to);
            for &kind in &way.to {
                let left = rules
                    .promotion_limit
                    .as_ref()
                    .is_none_or(|limit| self.pieces(us, kind).count() < u32::from(limit[us.index()][kind.index()]));
                if left && !arrival.piece_types.contains(&kind) {
                    arrival.piece_types.push(kind);
                }
            }
        }
        arrival
    }

    /// Adds the conditional leaps whose path is free.
    fn conditional_targets(&self, scene: &Scene, spec: &PieceRules, from: Square) -> Targets {
        let mut targets = Targets { quiet: Set::EMPTY, capture: Set::EMPTY, track: Set::EMPTY };
        for conditional in spec.conditionals.get(from.index()).into_iter().flatten() {
            let empty = scene.empty.contains(conditional.to);
            let wanted = (conditional.quiet && empty) || (conditional.capture && scene.enemy.contains(conditional.to));
            if wanted && self.holds(conditional.right) && conditional.is_free(&scene.occupied) {
                let set = match conditional.track {
                    true if empty => &mut targets.track,
                    true => continue,
                    false if empty => &mut targets.quiet,
                    false => &mut targets.capture,
                };
                set.insert(conditional.to);
            }
        }
        targets
    }

    /// Returns all squares that a piece may move to.
    pub(super) fn targets(&self, scene: &Scene, spec: &PieceRules, from: Square) -> Targets {
        let mut targets = self.conditional_targets(scene, spec, from);
        let Targets { quiet, capture, .. } = &mut targets;
        *quiet |= scene.rules.table(spec.quiet)[from.index()] & scene.empty;
        *capture |= scene.rules.table(spec.capture)[from.index()] & scene.enemy;
        let mut one = |to: Square, captures: bool| if captures { capture.insert(to) } else { quiet.insert(to) };
        self.walk_lines(scene, spec, from, &mut one);
        self.walk_bents(scene, spec, from, &mut one);
        for free in spec.walks.iter().filter(|free| free.from.contains(from) && self.holds(free.right)) {
            free.walk.paths(from, &free.board, &scene.occupied, &mut |path| {
                let to = path.to();
                if free.walk.quiet && scene.empty.contains(to) {
                    quiet.insert(to);
                } else if free.walk.capture && scene.enemy.contains(to) {
                    capture.insert(to);
                }
            });
        }
        targets
    }

    #[inline]
    pub(super) fn walk_lines(
        &self,
        scene: &Scene,
        spec: &PieceRules,
        from: Square,
        one: &mut impl FnMut(Square, bool),
    ) {
        for line in &spec.lines {
            let edge = scene.rules.steps[line.direction as usize & 7][from.index()];
            let slide = edge.min(line.range);
            if line.is_slide {
                self.slide(from, line.by, slide, scene.us, one);
                continue;
            }
            let hops = line.hop_quiet || line.hop_capture;
            let most = if hops { edge } else { slide };
            let mut square = from.0;
            let mut steps = 0;
            let mut hopped = false;
            while steps < most {
                steps += 1;
                square = square.wrapping_add(line.by);
                let cell = self.cells[square as usize];
                let (quiet, capture) = match hopped {
                    true => (line.hop_quiet, line.hop_capture),
                    false => (line.quiet && steps <= slide, line.capture && steps <= slide),
                };
                if cell.is_empty() {
                    if quiet {
                        one(Square(square), false);
                    }
                    continue;
                }
                if capture && cell.is(!scene.us) {
                    one(Square(square), true);
                }
                if hopped || !hops {
                    break;
                }
                hopped = true;
            }
        }
    }

    /// Up to `most` steps over empty squares, the first enemy included.
    #[inline(always)]
    pub(super) fn slide(&self, from: Square, by: u8, most: u8, us: Color, one: &mut impl FnMut(Square, bool)) {
        let mut square = from.0;
        for _ in 0..most {
            square = square.wrapping_add(by);
            let cell = self.cells[square as usize];
            if !cell.is_empty() {
                if cell.is(!us) {
                    one(Square(square), true);
                }
                break;
            }
            one(Square(square), false);
        }
    }

    #[inline]
    pub(super) fn walk_bents(
        &self,
        scene: &Scene,
        spec: &PieceRules,
        from: Square,
        one: &mut impl FnMut(Square, bool),
    ) {
        let (rules, us) = (scene.rules, scene.us);
        for bent in &spec.bents {
            let Some(corner) = from.offset(bent.first.0, bent.first.1).filter(|corner| rules.board.contains(*corner))
            else {
                continue;
            };
            if !self.cell(corner).is_empty() {
                continue;
            }
            for &arm in &bent.arms {
                let step = DIRECTIONS[arm as usize];
                let by = (step.0 + step.1 * 16) as u8;
                let mut square = corner.0;
                for _ in 0..rules.steps[arm as usize][corner.index()] {
                    square = square.wrapping_add(by);
                    if square == from.0 {
                        break;
                    }
                    let cell = self.cells[square as usize];
                    if cell.is_empty() {
                        if bent.quiet {
                            one(Square(square), false);
                        }
                        continue;
                    }
                    if bent.capture && cell.is(!us) {
                        one(Square(square), true);
                    }
                    break;
                }
            }
        }
    }
}

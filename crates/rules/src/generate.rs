//! Legal plies: generated, counted, or just asked whether there is one.

use crate::legality::Legality;
use crate::piece::{Color, Kind, Piece};
use crate::ply::{Ply, PlyTag};
use crate::position::Position;
use crate::rules::{NONE, PieceRules, Rules};
use crate::set::Set;
use crate::square::{DIRECTIONS, Square};
use crate::turn;
use arrayvec::ArrayVec;

/// What generation does with a ply.
trait Sink {
    /// A ply.
    fn ply(&mut self, ply: Ply);
    /// Several plain plies of one piece.
    fn plies(&mut self, from: Square, targets: Set);
    /// Whether no more is wanted.
    fn is_done(&self) -> bool {
        false
    }
    /// Whether soldiers may be counted together.
    const COUNTS: bool = false;
    /// So many more plies.
    fn add(&mut self, _count: u32) {}
}

impl Sink for Vec<Ply> {
    #[inline]
    fn ply(&mut self, ply: Ply) {
        self.push(ply);
    }
    #[inline]
    fn plies(&mut self, from: Square, targets: Set) {
        for to in targets {
            self.push(Ply::new(from, to, PlyTag::Normal));
        }
    }
}

/// Counts plies.
struct Count(u64);

impl Sink for Count {
    #[inline]
    fn ply(&mut self, _: Ply) {
        self.0 += 1;
    }
    #[inline]
    fn plies(&mut self, _: Square, targets: Set) {
        self.0 += u64::from(targets.count());
    }
    const COUNTS: bool = true;
    #[inline]
    fn add(&mut self, count: u32) {
        self.0 += u64::from(count);
    }
}

/// Stops at the first ply.
struct Any(bool);

impl Sink for Any {
    fn ply(&mut self, _: Ply) {
        self.0 = true;
    }
    fn plies(&mut self, _: Square, targets: Set) {
        self.0 |= !targets.is_empty();
    }
    fn is_done(&self) -> bool {
        self.0
    }
}

/// Which moves of pieces that are not royal are legal.
trait Filter {
    fn allows(&self, from: Square, to: Square, capture: bool) -> bool;

    fn targets(&self, from: Square, quiet: Set, capture: Set) -> Set {
        let quiet = quiet.into_iter().filter(|to| self.allows(from, *to, false));
        let capture = capture.into_iter().filter(|to| self.allows(from, *to, true));
        quiet.chain(capture).collect()
    }

    /// The same for many pieces that all go `by` square numbers.
    fn together(&self, targets: Set, by: i32, capture: bool) -> Set {
        let from = |to: Square| Square((i32::from(to.0) - by) as u8);
        targets.into_iter().filter(|to| self.allows(from(*to), *to, capture)).collect()
    }
}

/// All are.
struct Free;

impl Filter for Free {
    #[inline]
    fn allows(&self, _: Square, _: Square, _: bool) -> bool {
        true
    }
    #[inline]
    fn targets(&self, _: Square, quiet: Set, capture: Set) -> Set {
        quiet | capture
    }
    #[inline]
    fn together(&self, targets: Set, _: i32, _: bool) -> Set {
        targets
    }
}

/// All that keep off some empty squares.
struct Avoid(Set);

impl Filter for Avoid {
    #[inline]
    fn allows(&self, _: Square, to: Square, _: bool) -> bool {
        !self.0.contains(to)
    }
    #[inline]
    fn targets(&self, _: Square, quiet: Set, capture: Set) -> Set {
        (quiet | capture).minus(self.0)
    }
    #[inline]
    fn together(&self, targets: Set, _: i32, _: bool) -> Set {
        targets.minus(self.0)
    }
}

/// Those that the critical lines allow.
impl Filter for Legality {
    #[inline]
    fn allows(&self, from: Square, to: Square, capture: bool) -> bool {
        Legality::allows(self, from, to, capture)
    }
}

/// Those that do not expose the King, tried one by one.
struct Tried<'a>(&'a Position, &'a Rules);

impl Filter for Tried<'_> {
    fn allows(&self, from: Square, to: Square, capture: bool) -> bool {
        !self.0.exposes(self.1, from, to, capture.then_some(to))
    }
}

/// What generation looks at again and again.
struct Scene<'a> {
    rules: &'a Rules,
    us: Color,
    occupied: Set,
    empty: Set,
    enemy: Set,
    /// Where arriving is or may be promoting.
    zone: Set,
}

/// What becomes of a piece that promotes where it arrives.
struct Arrival {
    /// It may stay what it is.
    stays: bool,
    /// What it may become.
    kinds: ArrayVec<Kind, { Kind::MAX }>,
}

impl Position {
    /// All legal plies, in no order that stays the same between versions.
    pub fn legal_plies(&self, rules: &Rules, plies: &mut Vec<Ply>) {
        plies.clear();
        if self.must_decide(rules) && !self.state.claimed && self.has_piece_ply(rules) {
            plies.extend([Ply::CLAIM, Ply::PLAY_ON]);
            return;
        }
        self.generate(rules, self.movers(rules), plies);
    }

    /// The legal plies of the pieces on some squares, and of none.
    pub fn legal_plies_of(&self, rules: &Rules, from: Set, plies: &mut Vec<Ply>) {
        plies.clear();
        if self.must_decide(rules) {
            return self.legal_plies(rules, plies);
        }
        self.generate(rules, self.movers(rules) & from, plies);
    }

    /// All plies that the pieces' ways of moving allow, the King's safety left aside. Castling and the King's jump, which are
    /// defined by safety, are those that are legal. For judging legality by making each ply and looking.
    pub fn pseudo_legal_plies(&self, rules: &Rules, plies: &mut Vec<Ply>) {
        plies.clear();
        if self.is_over(rules) {
            return;
        }
        self.generate_pieces(rules, self.movers(rules), &Free, plies);
        if let Some(king) = self.royals(self.state.turn).first().filter(|_| rules.has_check() && !self.is_check(rules))
        {
            self.generate_castling(rules, king, plies);
            self.generate_jumps(rules, king, plies);
        }
        for track in self.state.tracks.iter() {
            for to in track.landings() {
                for from in self.takers(rules, to) {
                    let spec = rules.piece(self.piece(from).expect("a taker"));
                    self.emit_arrival(&self.scene(rules, self.state.turn), spec, from, to, PlyTag::EnPassant, plies);
                }
            }
        }
        if self.may_end(rules) {
            plies.push(Ply::END);
        }
    }

    /// How many legal plies there are.
    pub fn count_plies(&self, rules: &Rules) -> u64 {
        if self.must_decide(rules) && !self.state.claimed && self.has_piece_ply(rules) {
            return 2;
        }
        let mut count = Count(0);
        self.generate(rules, self.movers(rules), &mut count);
        count.0
    }

    /// Whether there is a legal ply.
    pub fn has_ply(&self, rules: &Rules) -> bool {
        self.may_end(rules) || self.has_piece_ply(rules)
    }

    /// Whether there is a legal move of a piece.
    pub fn has_piece_ply(&self, rules: &Rules) -> bool {
        let mut any = Any(false);
        self.generate_moves(rules, self.movers(rules), &mut any);
        any.0
    }

    /// Whether `end` is legal.
    pub fn may_end(&self, rules: &Rules) -> bool {
        let allowed = if self.state.plies > 0 { rules.turn.may_end } else { rules.turn.may_pass };
        allowed && !self.is_over(rules) && !self.is_check(rules)
    }

    /// Whether the game has ended by a decision that leaves no ply: a claim, or the last royal piece gone.
    pub(crate) fn is_over(&self, rules: &Rules) -> bool {
        self.state.claimed
            || (!rules.has_check() && (self.royals(Color::White).is_empty() || self.royals(Color::Black).is_empty()))
    }

    /// The pieces that may move as far as the turn's own rules go.
    pub fn movers(&self, rules: &Rules) -> Set {
        let own = self.by_color(self.state.turn);
        if !rules.multi {
            return own;
        }
        own.minus(self.state.moved.iter().copied().collect()) & turn::commanded(self, rules)
    }

    fn generate<S: Sink>(&self, rules: &Rules, movers: Set, sink: &mut S) {
        self.generate_moves(rules, movers, sink);
        if self.may_end(rules) {
            sink.ply(Ply::END);
        }
    }

    fn generate_moves<S: Sink>(&self, rules: &Rules, movers: Set, sink: &mut S) {
        if self.is_over(rules) {
            return;
        }
        let us = self.state.turn;
        let king = if rules.has_check() { self.royals(us).first() } else { None };
        let Some(king) = king else {
            self.generate_pieces(rules, movers, &Free, sink);
            self.generate_en_passant(rules, movers, sink);
            return;
        };
        let pieces = movers.without(king);
        let check;
        if rules.odd {
            check = self.is_check(rules);
            self.generate_pieces(rules, pieces, &Tried(self, rules), sink);
        } else {
            let mut legality = Legality::new();
            legality.look(self, rules, king, us);
            check = legality.check;
            if legality.overflow {
                self.generate_pieces(rules, pieces, &Tried(self, rules), sink);
            } else if check {
                self.generate_pieces(rules, pieces, &legality, sink);
            } else {
                let held = pieces & legality.pinned;
                if legality.danger.is_empty() {
                    self.generate_pieces(rules, pieces.minus(held), &Free, sink);
                } else {
                    self.generate_pieces(rules, pieces.minus(held), &Avoid(legality.danger), sink);
                }
                if !held.is_empty() && !sink.is_done() {
                    self.generate_pieces(rules, held, &legality, sink);
                }
            }
        }
        if sink.is_done() {
            return;
        }
        if movers.contains(king) {
            self.generate_king(rules, king, sink);
            if !check {
                self.generate_castling(rules, king, sink);
                self.generate_jumps(rules, king, sink);
            }
        }
        self.generate_en_passant(rules, movers, sink);
    }

    fn scene<'a>(&self, rules: &'a Rules, us: Color) -> Scene<'a> {
        let occupied = self.occupied();
        let (at, optional) = rules.promotion[us.index()];
        let empty = rules.board.minus(occupied);
        Scene { rules, us, occupied, empty, enemy: self.by_color(!us), zone: at | optional }
    }

    fn generate_pieces<S: Sink, F: Filter>(&self, rules: &Rules, pieces: Set, filter: &F, sink: &mut S) {
        let scene = self.scene(rules, self.state.turn);
        for kind in (0..rules.kinds as u8).map(Kind) {
            let set = self.by_kind[kind.index()] & pieces;
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

    /// Counts the plies of all pieces of a kind that only leaps, by shifting the whole set.
    fn count_together<S: Sink, F: Filter>(&self, scene: &Scene, spec: &PieceRules, set: Set, filter: &F, sink: &mut S) {
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
                legal |= filter.together(targets & scene.empty, shift.by, false);
            }
            if shift.capture {
                legal |= filter.together(targets & scene.enemy, shift.by, true);
            }
            if spec.promotes_to.is_empty() {
                sink.add(legal.count());
                continue;
            }
            sink.add(legal.minus(scene.zone).count());
            for to in legal & scene.zone {
                let arrival = self.arrives_as(scene.rules, spec, to);
                sink.add(arrival.kinds.len() as u32 + u32::from(arrival.stays));
            }
        }
    }

    #[inline]
    fn generate_piece<S: Sink, F: Filter>(
        &self,
        scene: &Scene,
        spec: &PieceRules,
        from: Square,
        filter: &F,
        sink: &mut S,
    ) {
        let (rules, promotes) = (scene.rules, !spec.promotes_to.is_empty());
        if spec.gather {
            let (quiet, capture) = self.targets(scene, spec, from);
            self.emit(scene, spec, from, filter.targets(from, quiet, capture), sink);
            self.generate_tracks(scene, spec, from, filter, sink);
            return;
        }
        if spec.leaps {
            let quiet = rules.table(spec.quiet)[from.index()] & scene.empty;
            let capture = rules.table(spec.capture)[from.index()] & scene.enemy;
            let leaps = filter.targets(from, quiet, capture);
            if promotes {
                self.emit(scene, spec, from, leaps, sink);
            } else {
                sink.plies(from, leaps);
            }
        }
        if !spec.conditionals.is_empty() {
            let (quiet, capture) = self.conditional_targets(scene, spec, from, false);
            self.emit(scene, spec, from, filter.targets(from, quiet, capture), sink);
            self.generate_tracks(scene, spec, from, filter, sink);
        }
        let mut one = |to: Square, capture: bool| {
            if filter.allows(from, to, capture) {
                if promotes {
                    self.emit(scene, spec, from, Set::of(to), sink);
                } else {
                    sink.ply(Ply::new(from, to, PlyTag::Normal));
                }
            }
        };
        self.walk_lines(scene, spec, from, &mut one);
        self.walk_bents(scene, spec, from, &mut one);
    }

    /// Moves that leave a track.
    fn generate_tracks<S: Sink, F: Filter>(
        &self,
        scene: &Scene,
        spec: &PieceRules,
        from: Square,
        filter: &F,
        sink: &mut S,
    ) {
        if spec.conditionals.is_empty() {
            return;
        }
        let (quiet, _) = self.conditional_targets(scene, spec, from, true);
        for to in filter.targets(from, quiet, Set::EMPTY) {
            self.emit_arrival(scene, spec, from, to, PlyTag::Track, sink);
        }
    }

    /// Plies to these squares, promotions included.
    fn emit<S: Sink>(&self, scene: &Scene, spec: &PieceRules, from: Square, targets: Set, sink: &mut S) {
        if spec.promotes_to.is_empty() {
            return sink.plies(from, targets);
        }
        let zone = promoting(scene, spec, from);
        sink.plies(from, targets.minus(zone));
        for to in targets & zone {
            self.emit_arrival(scene, spec, from, to, PlyTag::Normal, sink);
        }
    }

    /// A ply to one square, or what it may be with promotions.
    fn emit_arrival<S: Sink>(
        &self,
        scene: &Scene,
        spec: &PieceRules,
        from: Square,
        to: Square,
        tag: PlyTag,
        sink: &mut S,
    ) {
        if spec.promotes_to.is_empty() || !promoting(scene, spec, from).contains(to) {
            return sink.ply(Ply::new(from, to, tag));
        }
        let arrival = self.arrives_as(scene.rules, spec, to);
        if arrival.stays {
            sink.ply(Ply::new(from, to, tag));
        }
        let tag = if tag == PlyTag::Track { PlyTag::Normal } else { tag };
        for kind in arrival.kinds {
            sink.ply(Ply::promoting(from, to, tag, kind));
        }
    }

    /// Whether the piece on a square may end on another as far as promotion goes: not where it must promote and nothing is left.
    pub(crate) fn may_arrive(&self, rules: &Rules, from: Square, to: Square) -> bool {
        let spec = rules.piece(self.piece(from).expect("a piece that goes somewhere"));
        let promotes = promoting(&self.scene(rules, self.state.turn), spec, from).contains(to);
        let arrival = self.arrives_as(rules, spec, to);
        !promotes || arrival.stays || !arrival.kinds.is_empty()
    }

    fn arrives_as(&self, rules: &Rules, spec: &PieceRules, to: Square) -> Arrival {
        let us = self.state.turn;
        let (at, optional) = rules.promotion[us.index()];
        let mut arrival = Arrival { stays: true, kinds: ArrayVec::new() };
        if spec.promotes_to.is_empty() || !(at.contains(to) || optional.contains(to)) {
            return arrival;
        }
        arrival.stays = !at.contains(to);
        for &kind in &spec.promotes_to {
            let left = rules
                .promotion_limit
                .as_ref()
                .is_none_or(|limit| self.pieces(us, kind).count() < u32::from(limit[us.index()][kind.index()]));
            if left {
                arrival.kinds.push(kind);
            }
        }
        arrival
    }

    /// Conditional leaps whose way is free: empty squares and enemies to go to.
    fn conditional_targets(&self, scene: &Scene, spec: &PieceRules, from: Square, track: bool) -> (Set, Set) {
        let (mut quiet, mut capture) = (Set::EMPTY, Set::EMPTY);
        let Some(list) = spec.conditionals.get(from.index()) else { return (quiet, capture) };
        for conditional in list.iter().filter(|c| c.track == track) {
            let empty = scene.empty.contains(conditional.to);
            let wanted = (conditional.quiet && empty) || (conditional.capture && scene.enemy.contains(conditional.to));
            if wanted && self.holds(conditional.right) && conditional.is_free(&scene.occupied) {
                if empty { &mut quiet } else { &mut capture }.insert(conditional.to);
            }
        }
        (quiet, capture)
    }

    /// All squares that a piece may move to and all that it may capture on, apart from moves that leave a track.
    fn targets(&self, scene: &Scene, spec: &PieceRules, from: Square) -> (Set, Set) {
        let mut quiet = scene.rules.table(spec.quiet)[from.index()] & scene.empty;
        let mut capture = scene.rules.table(spec.capture)[from.index()] & scene.enemy;
        let (more_quiet, more_capture) = self.conditional_targets(scene, spec, from, false);
        quiet |= more_quiet;
        capture |= more_capture;
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
        (quiet, capture)
    }

    #[inline]
    fn walk_lines(&self, scene: &Scene, spec: &PieceRules, from: Square, one: &mut impl FnMut(Square, bool)) {
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

    /// Up to so many steps over empty squares, the first enemy included.
    #[inline(always)]
    fn slide(&self, from: Square, by: u8, most: u8, us: Color, one: &mut impl FnMut(Square, bool)) {
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
    fn walk_bents(&self, scene: &Scene, spec: &PieceRules, from: Square, one: &mut impl FnMut(Square, bool)) {
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

    fn generate_king<S: Sink>(&self, rules: &Rules, king: Square, sink: &mut S) {
        let spec = rules.piece(self.piece(king).expect("a King"));
        let (quiet, capture) = self.targets(&self.scene(rules, self.state.turn), spec, king);
        let safe = (quiet | capture).into_iter().filter(|to| self.is_safe_for_king(rules, king, *to)).collect();
        sink.plies(king, safe);
    }

    /// Whether a King lifted from its square would not be attacked on another, what stands there removed.
    pub(crate) fn is_safe_for_king(&self, rules: &Rules, king: Square, square: Square) -> bool {
        let them = !self.state.turn;
        let occupied = self.occupied().without(king).without(square);
        !self.attacked(rules, square, them, self.by_color(them).without(square), &occupied)
    }

    fn generate_castling<S: Sink>(&self, rules: &Rules, king: Square, sink: &mut S) {
        let us = self.state.turn;
        for castling in &rules.castlings[us.index()] {
            if !self.holds(castling.right)
                || castling.king.0 != king
                || self.piece(castling.rook.0) != Some(castling.partner)
                || castling.empty.meets(&self.occupied())
            {
                continue;
            }
            let mut occupied = self.occupied().without(king).without(castling.rook.0);
            occupied = occupied.with(castling.rook.1).with(castling.king.1);
            if castling.safe.iter().all(|square| self.is_safe_for_king(rules, king, *square))
                && !self.attacked(rules, castling.king.1, !us, self.by_color(!us), &occupied)
            {
                sink.ply(Ply::new(king, castling.king.1, PlyTag::Castling));
            }
        }
    }

    fn generate_jumps<S: Sink>(&self, rules: &Rules, king: Square, sink: &mut S) {
        let us = self.state.turn.index();
        if rules.jumps[us].is_empty() || !self.holds(rules.jump_right[us]) {
            return;
        }
        for jump in &rules.jumps[us][king.index()] {
            if self.cell(jump.to).is_empty()
                && jump.middles.iter().any(|middle| self.is_safe_for_king(rules, king, *middle))
                && self.is_safe_for_king(rules, king, jump.to)
            {
                sink.ply(Ply::new(king, jump.to, PlyTag::Jump));
            }
        }
    }

    fn generate_en_passant<S: Sink>(&self, rules: &Rules, movers: Set, sink: &mut S) {
        for track in self.state.tracks.iter() {
            for to in track.landings() {
                for from in self.takers(rules, to) & movers {
                    if rules.has_check() && self.exposes(rules, from, to, Some(track.victim)) {
                        continue;
                    }
                    let spec = rules.piece(self.piece(from).expect("a taker"));
                    self.emit_arrival(&self.scene(rules, self.state.turn), spec, from, to, PlyTag::EnPassant, sink);
                }
            }
        }
    }
}

/// Where a piece that promotes does so when it comes from a square.
#[inline]
fn promoting(scene: &Scene, spec: &PieceRules, from: Square) -> Set {
    match spec.promotes_by {
        None => scene.zone,
        Some(table) => scene.zone & scene.rules.table(table)[from.index()],
    }
}

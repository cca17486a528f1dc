//! Compiles one piece type of one side: sorts its walks into leap tables, lines, bent slides, conditional leaps and
//! free walks.

use crate::hash::mix;
use crate::set::Set;
use crate::square::{DIRECTIONS, Square, direction_of};
use crate::tables::*;
use crate::walk::Walk;
use std::collections::HashMap;

/// Paths with more squares that must be empty than this are followed instead of put into a table.
const MAX_PATH: u32 = 4;
/// Walks with more paths than this are followed as well.
const MAX_TABLED_PATHS: usize = 100_000;

/// Piece types with more classes of leaps than this are counted piece by piece.
const MAX_SHIFTS: usize = 12;

/// The tables made so far, so that equal ones are shared.
pub(super) struct Tables {
    pub(super) all: Vec<Box<Table>>,
    by_hash: HashMap<u64, u16>,
}

impl Tables {
    /// Creates the list with the empty table as number 0.
    pub(super) fn new() -> Tables {
        let mut tables = Tables { all: Vec::new(), by_hash: HashMap::new() };
        tables.number(Box::new([Set::EMPTY; 256]));
        tables
    }

    /// Returns the number of a table, that of an equal one if there is one.
    pub(super) fn number(&mut self, table: Box<Table>) -> u16 {
        let words = table.iter().enumerate().filter(|(_, set)| !set.is_empty());
        let hash = words.fold(0, |hash, (square, set)| set.0.iter().fold(mix(hash ^ square as u64), |h, w| mix(h ^ w)));
        let number = *self.by_hash.entry(hash).or_insert(self.all.len() as u16);
        if usize::from(number) == self.all.len() {
            self.all.push(table);
        }
        number
    }
}

/// The walks of one piece type of one side, sorted by how they are generated.
struct Sorted {
    quiet: Box<Table>,
    capture: Box<Table>,
    en_passant: Box<Table>,
    conditionals: Vec<Vec<Conditional>>,
    lines: Vec<Line>,
    bents: Vec<Bent>,
    walks: Vec<FreeWalk>,
}

impl Sorted {
    fn new() -> Sorted {
        let empty = || Box::new([Set::EMPTY; 256]);
        Sorted {
            quiet: empty(),
            capture: empty(),
            en_passant: empty(),
            conditionals: Vec::new(),
            lines: Vec::new(),
            bents: Vec::new(),
            walks: Vec::new(),
        }
    }

    fn add(&mut self, free_walk: &FreeWalk, board: Set) {
        let FreeWalk { walk, from, board: within, right } = free_walk;
        let free = *within == board && *from == board && *right == NONE && !walk.track;
        let unit = |index: usize| direction_of(walk.legs[index].step);
        if walk.en_passant {
            from.into_iter().for_each(|o| self.en_passant[o.index()] |= walk.possible_targets(o, within));
        }
        match walk.legs[..] {
            [leg] if leg.max > 1 && free && unit(0).is_some() => {
                let line = line_at(&mut self.lines, unit(0).expect("a direction") as u8);
                if (line.quiet || line.capture) && line.range != leg.max {
                    // Two ranges in one direction: the second becomes a free walk.
                    self.walks.push(free_walk.clone());
                } else {
                    line.range = leg.max;
                    line.quiet |= walk.quiet;
                    line.capture |= walk.capture;
                }
            }
            [first, second]
                if free
                    && first.mount
                    && first.step == second.step
                    && first.max == 15
                    && second.max == 15
                    && unit(0).is_some() =>
            {
                let line = line_at(&mut self.lines, unit(0).expect("a direction") as u8);
                line.hop_quiet |= walk.quiet;
                line.hop_capture |= walk.capture;
            }
            [first, second] if free && !first.mount && first.max == 1 && second.max == 15 && unit(1).is_some() => {
                let arm = unit(1).expect("a direction") as u8;
                let same = |bent: &&mut Bent| {
                    bent.first == first.step && bent.quiet == walk.quiet && bent.capture == walk.capture
                };
                match self.bents.iter_mut().find(same) {
                    Some(bent) => bent.arms.push(arm),
                    None => self.bents.push(Bent {
                        first: first.step,
                        arms: vec![arm],
                        quiet: walk.quiet,
                        capture: walk.capture,
                    }),
                }
            }
            _ => {
                let Some(paths) = bounded_paths(walk, *from, *within) else {
                    self.walks.push(free_walk.clone());
                    return;
                };
                for (origin, to, path) in paths {
                    self.add_path(walk, origin, to, path, *right);
                }
            }
        }
    }

    /// Adds one path of a walk: to the tables of leaps if nothing has to be empty on the way and no right is needed.
    fn add_path(&mut self, walk: &Walk, origin: Square, to: Square, path: Set, right: u8) {
        // A single step passes no square and leaves no track.
        let track = walk.track && !path.is_empty();
        if path.is_empty() && right == NONE {
            if walk.quiet {
                self.quiet[origin.index()].insert(to);
            }
            if walk.capture {
                self.capture[origin.index()].insert(to);
            }
            return;
        }
        let covered = !track
            && (!walk.quiet || self.quiet[origin.index()].contains(to))
            && (!walk.capture || self.capture[origin.index()].contains(to));
        if covered {
            return;
        }
        self.conditionals.resize(256, Vec::new());
        let list = &mut self.conditionals[origin.index()];
        let same = |c: &&mut Conditional| {
            (c.to, c.quiet, c.capture, c.track, c.right) == (to, walk.quiet, walk.capture, track, right)
        };
        match list.iter_mut().find(same) {
            Some(conditional) if conditional.paths().any(|other| *other == path) => {}
            Some(conditional) => conditional.more.push(path),
            None => list.push(Conditional {
                to,
                quiet: walk.quiet,
                capture: walk.capture,
                track,
                right,
                path,
                more: Vec::new(),
            }),
        }
    }

    /// Whether a step that leaves a track for captures en passant is also written as a walk that leaves none.
    fn has_track_written_twice(&self, placed: &[FreeWalk]) -> bool {
        let twice = |from: usize, c: &Conditional| {
            let origin = Square(from as u8);
            let also = |free: &FreeWalk| {
                let (walk, board) = (&free.walk, &free.board);
                let plain = walk.quiet && !walk.track && free.from.contains(origin);
                plain && walk.possible_targets(origin, board).contains(c.to)
            };
            c.track && placed.iter().any(also)
        };
        (0..self.conditionals.len()).any(|from| self.conditionals[from].iter().any(|c| twice(from, c)))
    }

    /// The squares attacked from each origin by whatever is neither a leap nor a line.
    fn path_attacks(&self, board: Set, steps: &[[u8; 256]; 8]) -> Box<Table> {
        let mut path_attacks = Box::new([Set::EMPTY; 256]);
        for origin in board {
            let set = &mut path_attacks[origin.index()];
            if let Some(list) = self.conditionals.get(origin.index()) {
                list.iter().filter(|c| c.capture).for_each(|c| set.insert(c.to));
            }
            for bent in self.bents.iter().filter(|bent| bent.capture) {
                let Some(corner) = origin.offset(bent.first.0, bent.first.1).filter(|c| board.contains(*c)) else {
                    continue;
                };
                for &arm in &bent.arms {
                    let step = DIRECTIONS[arm as usize];
                    let mut square = corner;
                    for _ in 0..steps[arm as usize][corner.index()] {
                        square = square.offset(step.0, step.1).expect("counted");
                        set.insert(square);
                    }
                }
            }
            for free in self.walks.iter().filter(|free| free.walk.capture && free.from.contains(origin)) {
                *set |= free.walk.possible_targets(origin, &free.board);
            }
            set.remove(origin);
        }
        path_attacks
    }
}

/// Returns `None` if one step is written both with and without en passant.
pub(super) fn piece_rules(
    placed: &[FreeWalk],
    board: Set,
    steps: &[[u8; 256]; 8],
    tables: &mut Tables,
) -> Option<PieceRules> {
    let mut sorted = Sorted::new();
    for free_walk in placed {
        sorted.add(free_walk, board);
    }
    if sorted.has_track_written_twice(placed) {
        return None;
    }
    for line in &mut sorted.lines {
        line.is_slide = line.quiet && line.capture && !line.hop_quiet && !line.hop_capture;
    }
    remove_covered(&mut sorted, steps);
    let path_attacks = sorted.path_attacks(board, steps);
    let Sorted { quiet, capture, en_passant, conditionals, lines, bents, walks } = sorted;
    let mut slide_range = [0; 8];
    let mut hops = [false; 8];
    for line in &lines {
        if line.capture {
            slide_range[line.direction as usize] = line.range;
        }
        hops[line.direction as usize] |= line.hop_capture;
    }
    let plain = lines.is_empty() && bents.is_empty() && walks.is_empty();
    let shifts = if plain { shifts(&quiet, &capture, &conditionals) } else { Vec::new() };
    let leaps = quiet.iter().zip(capture.iter()).any(|(quiet, capture)| !(*quiet | *capture).is_empty());
    let mut rules = PieceRules {
        leaps,
        quiet: tables.number(quiet),
        capture: tables.number(capture),
        en_passant: tables.number(en_passant),
        reaches: conditionals.iter().enumerate().map(|(from, list)| reaches(Square(from as u8), list)).collect(),
        conditionals: conditionals.into(),
        lines,
        bents,
        walks,
        gather: false,
        slide_range,
        hops,
        path_attacks: tables.number(path_attacks),
        promotions: Vec::new(),
        zone: Set::EMPTY,
        promoting: None,
        shifts,
    };
    rules.gather = overlaps(&rules, board, steps, &tables.all);
    if rules.gather {
        rules.shifts.clear();
    }
    Some(rules)
}

/// What conditional leaps from one square attack, by path and right.
fn reaches(from: Square, leaps: &[Conditional]) -> Vec<PathAttack> {
    let mut reaches: Vec<PathAttack> = Vec::new();
    for leap in leaps.iter().filter(|leap| leap.capture && leap.to != from) {
        for path in leap.paths() {
            match reaches.iter_mut().find(|reach| reach.path == *path && reach.right == leap.right) {
                Some(reach) => reach.to.insert(leap.to),
                None => reaches.push(PathAttack { path: *path, right: leap.right, to: Set::of(leap.to) }),
            }
        }
    }
    reaches
}

fn line_at(lines: &mut Vec<Line>, direction: u8) -> &mut Line {
    let index = lines.iter().position(|line| line.direction == direction).unwrap_or_else(|| {
        let step = DIRECTIONS[direction as usize];
        lines.push(Line { direction, by: (step.0 + 16 * step.1) as u8, ..Line::default() });
        lines.len() - 1
    });
    &mut lines[index]
}

/// Returns every path of a walk from each of its origins, if all are short and need no mount. Only paths returned here
/// can leave a track, so those that do may be long: they go straight ahead, and there are few.
fn bounded_paths(walk: &Walk, from: Set, board: Set) -> Option<Vec<(Square, Square, Set)>> {
    if walk.legs.iter().any(|leg| leg.mount || leg.max > 5 && !walk.track) {
        return None;
    }
    let mut paths = Vec::with_capacity(from.count() as usize);
    let mut short = true;
    for origin in from {
        walk.possible_paths(origin, &board, &mut |path| {
            let empty: Set = path.empties().collect();
            short &= (walk.track || empty.count() <= MAX_PATH) && !empty.contains(path.to());
            paths.push((origin, path.to(), empty));
        });
        if !short || paths.len() > MAX_TABLED_PATHS {
            return None;
        }
    }
    Some(paths)
}

/// Removes leaps and conditional leaps that a table or the first step of a line already covers.
fn remove_covered(sorted: &mut Sorted, steps: &[[u8; 256]; 8]) {
    let Sorted { quiet, capture, conditionals, lines, .. } = sorted;
    for line in lines {
        let step = DIRECTIONS[line.direction as usize];
        for from in (0..=255).map(Square) {
            if steps[line.direction as usize][from.index()] == 0 {
                continue;
            }
            let next = from.offset(step.0, step.1).expect("a step to the edge is left");
            if line.quiet {
                quiet[from.index()].remove(next);
            }
            if line.capture {
                capture[from.index()].remove(next);
            }
        }
    }
    for (from, list) in conditionals.iter_mut().enumerate() {
        for conditional in list.iter_mut() {
            conditional.quiet &= !quiet[from].contains(conditional.to);
            conditional.capture &= !capture[from].contains(conditional.to);
        }
        list.retain(|conditional| conditional.quiet || conditional.capture);
    }
}

/// Whether two of a piece's walks could reach the same square in the same position.
fn overlaps(rules: &PieceRules, board: Set, steps: &[[u8; 256]; 8], tables: &[Box<Table>]) -> bool {
    if !rules.walks.is_empty() {
        return true;
    }
    for from in board {
        let mut seen = tables[rules.quiet as usize][from.index()] | tables[rules.capture as usize][from.index()];
        let mut twice = false;
        // A square is either empty or not, so a quiet and a capturing walk never both end there. But pieces that move
        // and capture differently are rare, and treating them as overlapping is safe.
        let (mut quiet, mut capture) = (Set::EMPTY, Set::EMPTY);
        for c in rules.conditionals.get(from.index()).into_iter().flatten() {
            twice |= c.quiet && quiet.contains(c.to) || c.capture && capture.contains(c.to);
            if c.quiet {
                quiet.insert(c.to);
            }
            if c.capture {
                capture.insert(c.to);
            }
        }
        seen |= quiet | capture;
        let mut meet = |square: Square| {
            twice |= seen.contains(square);
            seen.insert(square);
        };
        let ray = |from: Square, direction: u8, most: u8, meet: &mut dyn FnMut(Square)| {
            let step = DIRECTIONS[direction as usize];
            let mut square = from;
            for _ in 0..steps[direction as usize][from.index()].min(most) {
                square = square.offset(step.0, step.1).expect("counted");
                meet(square);
            }
        };
        for line in &rules.lines {
            let hop = line.hop_quiet || line.hop_capture;
            ray(from, line.direction, if hop { 15 } else { line.range }, &mut meet);
        }
        for bent in &rules.bents {
            if let Some(corner) = from.offset(bent.first.0, bent.first.1).filter(|c| board.contains(*c)) {
                bent.arms.iter().for_each(|arm| ray(corner, *arm, 15, &mut meet));
            }
        }
        if twice {
            return true;
        }
    }
    false
}

/// The leaps of a piece type, grouped by their offset, if the groups are few enough.
fn shifts(quiet: &Table, capture: &Table, conditionals: &[Vec<Conditional>]) -> Vec<Shift> {
    let far = |from: Square, to: Square| i32::from(to.0) - i32::from(from.0);
    let mut shifts: Vec<Shift> = Vec::new();
    let mut add = |from: Square, new: Shift| {
        let same = |old: &&mut Shift| {
            (old.by, old.quiet, old.capture, old.right) == (new.by, new.quiet, new.capture, new.right)
                && old.over.iter().eq(&new.over)
        };
        match shifts.iter_mut().find(same) {
            Some(old) => old.from.insert(from),
            None => shifts.push(new),
        }
        shifts.len() <= MAX_SHIFTS
    };
    for from in (0..=255).map(Square) {
        let (q, c) = (quiet[from.index()], capture[from.index()]);
        for to in q | c {
            let new = Shift {
                from: Set::of(from),
                by: far(from, to),
                quiet: q.contains(to),
                capture: c.contains(to),
                over: Vec::new(),
                right: NONE,
            };
            if !add(from, new) {
                return Vec::new();
            }
        }
        for conditional in conditionals.get(from.index()).into_iter().flatten() {
            let new = Shift {
                from: Set::of(from),
                by: far(from, conditional.to),
                quiet: conditional.quiet,
                capture: conditional.capture,
                over: conditional.path.into_iter().map(|square| far(from, square)).collect(),
                right: conditional.right,
            };
            if !conditional.more.is_empty() || !add(from, new) {
                return Vec::new();
            }
        }
    }
    shifts
}

//! Compiles a definition's walks into leap tables, lines, bents, conditional leaps and free walks.

use crate::definition::{Definition, KindDefinition, RightName, TurnLength};
use crate::geometry::Geometry;
use crate::hash::hash_text;
use crate::piece::{Color, Kind, Piece};
use crate::rules::*;
use crate::set::Set;
use crate::setup::mirror;
use crate::square::{DIRECTIONS, Square, direction_of};
use crate::walk::Walk;
use std::sync::OnceLock;

/// Ways with more squares to be empty than this are followed instead of tabled.
const MAX_WAY: u32 = 4;
/// Kinds with more sorts of leaps than this are counted piece by piece.
const MAX_SHIFTS: usize = 12;
/// The most plies that a position may have.
const MAX_PLIES: usize = 4096;

/// A walk of one side with where and by what right it begins.
struct Placed {
    walk: Walk,
    from: Set,
    right: u8,
}

pub(crate) fn compile(definition: &Definition) -> Result<Rules, String> {
    let (files, ranks) = (definition.files, definition.ranks);
    let board = Set::board(files, ranks);
    let flip = |set: Set| -> Set { set.into_iter().map(|square| mirror(square, ranks)).collect() };
    let rights = rights(definition)?;
    let steps = steps_to_edge(board);
    let mut tables = Tables { all: vec![Box::new([Set::EMPTY; 256])] };
    let mut pieces = Vec::new();
    let mut walks = Vec::new();
    for (index, kind) in definition.kinds.iter().enumerate() {
        for color in Color::BOTH {
            let turned = |walk: &Walk| if color == Color::White { walk.clone() } else { walk.mirrored() };
            let side = |set: Set| if color == Color::White { set } else { flip(set) };
            let starts: Set = definition
                .placement
                .iter()
                .filter(|(_, side, kind)| *side == color && kind.index() == index)
                .map(|(square, _, _)| *square)
                .collect();
            let mut placed: Vec<Placed> = kind
                .walks
                .iter()
                .map(|walk| Placed { walk: turned(walk), from: if walk.initial { starts } else { board }, right: NONE })
                .collect();
            for extra in &kind.from {
                for walk in &extra.walks {
                    let squares = side(extra.squares);
                    if extra.right.is_none() {
                        placed.push(Placed { walk: turned(walk), from: squares, right: NONE });
                        continue;
                    }
                    for square in squares {
                        let right = number_of(&rights, |r| r.color == color && r.kind == RightKind::FirstMove(square));
                        placed.push(Placed { walk: turned(walk), from: Set::of(square), right });
                    }
                }
            }
            let within = kind.within.map_or(board, side);
            walks.push(
                placed
                    .iter()
                    .map(|placed| FreeWalk {
                        walk: placed.walk.clone(),
                        from: placed.from & within,
                        board: within,
                        right: placed.right,
                    })
                    .collect(),
            );
            let mut rules = piece_rules(&placed, within, board, &steps, &mut tables).ok_or_else(|| {
                format!("{} makes the same step with en passant and without: write it once", kind.name)
            })?;
            rules.promotes_to = kind.promotes_to.clone();
            rules.promotes_by = kind.promotes_by.as_ref().map(|walks| {
                let mut table = Box::new([Set::EMPTY; 256]);
                for walk in walks.iter().map(turned) {
                    for from in board {
                        walk.possible_paths(from, &board, &mut |path| table[from.index()].insert(path.to()));
                    }
                }
                rules.shifts.clear();
                tables.number(table)
            });
            for walk in kind.sees.iter().map(turned) {
                let direction = direction_of(walk.legs[0].step).expect("checked by the reader");
                rules.slide_range[direction] = rules.slide_range[direction].max(walk.legs[0].max);
            }
            pieces.push(rules);
        }
    }
    unambiguous(definition, &pieces, &tables.all)?;
    let most = plies_bound(definition, &walks);
    if most > MAX_PLIES {
        return Err(format!("a position could have up to {most} plies; at most {MAX_PLIES}"));
    }
    let kinds = definition.kinds.len();
    let each = |f: &dyn Fn(&PieceRules) -> bool| -> Vec<bool> {
        (0..kinds).map(|kind| f(&pieces[2 * kind]) || f(&pieces[2 * kind + 1])).collect()
    };
    let liner = each(&|p| p.slide_range.iter().any(|range| *range > 0) || p.hops.contains(&true));
    let tracer = each(&|p| p.traced != 0);
    let odd = pieces.iter().any(|p| p.walks.iter().any(|free| free.walk.capture));
    let promotes = each(&|p| !p.promotes_to.is_empty());
    let leap_zone = Color::BOTH.map(|color| {
        let mut zone = Box::new([Set::EMPTY; 256]);
        for piece in pieces.iter().skip(color.index()).step_by(2) {
            for (from, targets) in tables.all[piece.capture as usize].iter().enumerate() {
                for to in *targets {
                    zone[to.index()].insert(Square(from as u8));
                }
            }
        }
        zone
    });
    let mut rights_lost = Box::new([0u64; 256]);
    let mut first_right = Box::new([NONE; 256]);
    let mut royal_rights = [0u64; 2];
    let castlings = Color::BOTH.map(|color| castlings(definition, color, &rights));
    for (number, right) in rights.iter().enumerate() {
        let mask = 1u64 << number;
        match right.kind {
            RightKind::Castling(index) => {
                royal_rights[right.color.index()] |= mask;
                rights_lost[castlings[right.color.index()][index].rook.0.index()] |= mask;
            }
            RightKind::FirstMove(square) => {
                rights_lost[square.index()] |= mask;
                first_right[square.index()] = number as u8;
            }
            RightKind::Jump => royal_rights[right.color.index()] |= mask,
            RightKind::PlayedOn | RightKind::Passed => {}
        }
    }
    let of_kind = |kind: RightKind| {
        Color::BOTH.map(|color| number_of(&rights, |right| right.kind == kind && right.color == color))
    };
    let last = definition.promotion.at;
    let optional = definition.promotion.optional;
    Ok(Rules {
        files,
        ranks,
        board,
        geometry: Geometry::get(),
        steps,
        kinds,
        royal: definition.kinds.iter().map(|kind| kind.royal).collect(),
        royals: (0..kinds).filter(|kind| definition.kinds[*kind].royal).map(|kind| Kind(kind as u8)).collect(),
        soldier: definition.kinds.iter().map(KindDefinition::is_soldier).collect(),
        color_bound: definition.kinds.iter().map(|kind| kind.all_walks().all(keeps_color)).collect(),
        promotes,
        liner,
        tracer,
        odd,
        leap_zone,
        promotion: [(last, optional), (flip(last), flip(optional))],
        promotion_limit: definition.promotion.limited.then(|| {
            Color::BOTH.map(|color| {
                let count = |kind: usize| {
                    definition
                        .placement
                        .iter()
                        .filter(|(_, side, other)| *side == color && other.index() == kind)
                        .count() as u16
                };
                (0..kinds).map(count).collect()
            })
        }),
        rights_lost,
        royal_rights,
        first_right,
        en_passant_left: [definition.en_passant_left, flip(definition.en_passant_left)],
        has_en_passant: pieces.iter().any(|p| p.takes != 0),
        castlings,
        jumps: Color::BOTH.map(|color| jumps(definition, color, board)),
        jump_right: of_kind(RightKind::Jump),
        played_on: of_kind(RightKind::PlayedOn),
        passed: rights.iter().position(|right| right.kind == RightKind::Passed).map_or(0, |bit| 1 << bit),
        command: definition.turn.command.map(|command| {
            let mut table = Box::new([Set::EMPTY; 256]);
            for from in board {
                table[from.index()] = board.into_iter().filter(|to| from.distance(*to) <= command.range).collect();
            }
            table
        }),
        turn: definition.turn.clone(),
        end: definition.end.clone(),
        multi: definition.turn.length != TurnLength::Plies(1),
        hash: hash_text(&definition.canonical()),
        can_mate: (0..kinds).map(|_| OnceLock::new()).collect(),
        start_royals: Color::BOTH
            .map(|color| {
                let royal =
                    |(_, side, kind): &&(Square, Color, Kind)| *side == color && definition.kinds[kind.index()].royal;
                definition.placement.iter().filter(royal).count() as u32
            })
            .into_iter()
            .max()
            .unwrap_or(0),
        rights,
        walks,
        pieces,
        tables: tables.all,
    })
}

fn number_of(rights: &[Right], wanted: impl Fn(&Right) -> bool) -> u8 {
    rights.iter().position(wanted).map_or(NONE, |number| number as u8)
}

/// The rights in FEN order: castlings, first moves, the jump, "has played on", "was a pass".
fn rights(definition: &Definition) -> Result<Vec<Right>, String> {
    let mut rights: Vec<Right> = Vec::new();
    let cased = |letter: char, color| if color == Color::White { letter } else { letter.to_ascii_lowercase() };
    for color in Color::BOTH {
        for (index, castling) in definition.castlings.iter().enumerate() {
            let kind = RightKind::Castling(index);
            rights.push(Right { letter: cased(castling.right, color), color, kind });
        }
    }
    for color in Color::BOTH {
        for extra in definition.kinds.iter().flat_map(|kind| &kind.from) {
            let Some(name) = extra.right else { continue };
            for square in extra.squares {
                let letter = match name {
                    RightName::File => (b'A' + square.file()) as char,
                    RightName::Letter(letter) => letter,
                };
                let square = if color == Color::White { square } else { mirror(square, definition.ranks) };
                rights.push(Right { letter: cased(letter, color), color, kind: RightKind::FirstMove(square) });
            }
        }
    }
    for color in Color::BOTH {
        if let Some(jump) = &definition.jump {
            rights.push(Right { letter: cased(jump.right, color), color, kind: RightKind::Jump });
        }
    }
    for color in Color::BOTH {
        if definition.end.four_points {
            rights.push(Right { letter: cased('X', color), color, kind: RightKind::PlayedOn });
        }
    }
    if definition.turn.may_pass {
        rights.push(Right { letter: 'p', color: Color::Black, kind: RightKind::Passed });
    }
    if rights.len() > 64 {
        return Err(format!("{} rights; at most 64", rights.len()));
    }
    for (index, right) in rights.iter().enumerate() {
        if rights[..index].iter().any(|other| other.letter == right.letter) {
            return Err(format!("two rights have the letter {:?}", right.letter));
        }
    }
    Ok(rights)
}

fn steps_to_edge(board: Set) -> Box<[[u8; 256]; 8]> {
    let mut steps = Box::new([[0u8; 256]; 8]);
    for (number, step) in DIRECTIONS.iter().enumerate() {
        for from in board {
            let mut square = from;
            while let Some(next) = square.offset(step.0, step.1).filter(|next| board.contains(*next)) {
                steps[number][from.index()] += 1;
                square = next;
            }
        }
    }
    steps
}

/// Tables already made, so that equal ones are shared.
struct Tables {
    all: Vec<Box<Table>>,
}

impl Tables {
    fn number(&mut self, table: Box<Table>) -> u16 {
        let found = self.all.iter().position(|other| **other == *table);
        found.unwrap_or_else(|| {
            self.all.push(table);
            self.all.len() - 1
        }) as u16
    }
}

/// `None` where one step is written both as open to en passant and as not.
fn piece_rules(
    placed: &[Placed],
    within: Set,
    board: Set,
    steps: &[[u8; 256]; 8],
    tables: &mut Tables,
) -> Option<PieceRules> {
    let empty = || Box::new([Set::EMPTY; 256]);
    let (mut quiet, mut capture, mut takes) = (empty(), empty(), empty());
    let mut conditionals: Vec<Vec<Conditional>> = Vec::new();
    let mut lines: Vec<Line> = Vec::new();
    let mut bents: Vec<Bent> = Vec::new();
    let mut walks: Vec<FreeWalk> = Vec::new();
    let everywhere = within == board;
    for Placed { walk, from, right } in placed {
        let free = everywhere && *from == board && *right == NONE && !walk.track;
        let unit = |index: usize| direction_of(walk.legs[index].step);
        match walk.legs[..] {
            [leg] if leg.max > 1 && free && unit(0).is_some() => {
                let line = line_at(&mut lines, unit(0).expect("a direction") as u8);
                if (line.quiet || line.capture) && line.range != leg.max {
                    // Two ranges in one direction: keep the second as a walk of its own.
                    walks.push(FreeWalk { walk: walk.clone(), from: *from, board: within, right: *right });
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
                let line = line_at(&mut lines, unit(0).expect("a direction") as u8);
                line.hop_quiet |= walk.quiet;
                line.hop_capture |= walk.capture;
            }
            [first, second] if free && !first.mount && first.max == 1 && second.max == 15 && unit(1).is_some() => {
                let arm = unit(1).expect("a direction") as u8;
                let same = |bent: &&mut Bent| {
                    bent.first == first.step && bent.quiet == walk.quiet && bent.capture == walk.capture
                };
                match bents.iter_mut().find(same) {
                    Some(bent) => bent.arms.push(arm),
                    None => bents.push(Bent {
                        first: first.step,
                        arms: vec![arm],
                        quiet: walk.quiet,
                        capture: walk.capture,
                    }),
                }
            }
            _ => {
                let Some(ways) = bounded_ways(walk, *from & within, within) else {
                    walks.push(FreeWalk { walk: walk.clone(), from: *from & within, board: within, right: *right });
                    continue;
                };
                for (origin, to, way) in ways {
                    if walk.en_passant {
                        takes[origin.index()].insert(to);
                    }
                    // A single step passes nothing and leaves no track.
                    let track = walk.track && !way.is_empty();
                    if way.is_empty() && *right == NONE {
                        if walk.quiet {
                            quiet[origin.index()].insert(to);
                        }
                        if walk.capture {
                            capture[origin.index()].insert(to);
                        }
                        continue;
                    }
                    conditionals.resize(256, Vec::new());
                    let list = &mut conditionals[origin.index()];
                    let same = |c: &&mut Conditional| {
                        (c.to, c.quiet, c.capture, c.track, c.right) == (to, walk.quiet, walk.capture, track, *right)
                    };
                    match list.iter_mut().find(same) {
                        Some(conditional) if conditional.ways().any(|other| *other == way) => {}
                        Some(conditional) => conditional.more.push(way),
                        None => list.push(Conditional {
                            to,
                            quiet: walk.quiet,
                            capture: walk.capture,
                            track,
                            right: *right,
                            way,
                            more: Vec::new(),
                        }),
                    }
                }
            }
        }
    }
    let twice = |from: usize, c: &Conditional| {
        let others = conditionals[from].iter().any(|other| !other.track && other.quiet && other.to == c.to);
        c.track && (others || quiet[from].contains(c.to))
    };
    if (0..conditionals.len()).any(|from| conditionals[from].iter().any(|c| twice(from, c))) {
        return None;
    }
    for line in &mut lines {
        line.is_slide = line.quiet && line.capture && !line.hop_quiet && !line.hop_capture;
    }
    trim(&lines, steps, &mut quiet, &mut capture, &mut conditionals);
    let mut slide_range = [0; 8];
    let mut hops = [false; 8];
    for line in &lines {
        if line.capture {
            slide_range[line.direction as usize] = line.range;
        }
        hops[line.direction as usize] |= line.hop_capture;
    }
    let mut traced = empty();
    for origin in board {
        let set = &mut traced[origin.index()];
        if let Some(list) = conditionals.get(origin.index()) {
            list.iter().filter(|c| c.capture).for_each(|c| set.insert(c.to));
        }
        for bent in bents.iter().filter(|bent| bent.capture) {
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
        for free in walks.iter().filter(|free| free.walk.capture && free.from.contains(origin)) {
            free.walk.possible_paths(origin, &free.board, &mut |path| set.insert(path.to()));
        }
        set.remove(origin);
    }
    let plain = lines.is_empty() && bents.is_empty() && walks.is_empty();
    let shifts = if plain { shifts(&quiet, &capture, &conditionals) } else { Vec::new() };
    let leaps = quiet.iter().zip(capture.iter()).any(|(quiet, capture)| !(*quiet | *capture).is_empty());
    let mut rules = PieceRules {
        leaps,
        quiet: tables.number(quiet),
        capture: tables.number(capture),
        takes: tables.number(takes),
        conditionals,
        lines,
        bents,
        walks,
        gather: false,
        slide_range,
        hops,
        traced: tables.number(traced),
        promotes_to: Vec::new(),
        promotes_by: None,
        shifts,
    };
    rules.gather = overlaps(&rules, board, steps, &tables.all);
    Some(rules)
}

fn line_at(lines: &mut Vec<Line>, direction: u8) -> &mut Line {
    let index = lines.iter().position(|line| line.direction == direction).unwrap_or_else(|| {
        let step = DIRECTIONS[direction as usize];
        lines.push(Line { direction, by: (step.0 + 16 * step.1) as u8, ..Line::default() });
        lines.len() - 1
    });
    &mut lines[index]
}

/// Every way of a walk from each of its origins, if they are all short and need no mount.
fn bounded_ways(walk: &Walk, from: Set, board: Set) -> Option<Vec<(Square, Square, Set)>> {
    if walk.legs.iter().any(|leg| leg.mount || leg.max > 5) {
        return None;
    }
    let mut ways = Vec::new();
    let mut short = true;
    for origin in from {
        walk.possible_paths(origin, &board, &mut |path| {
            let way: Set = path.empties().collect();
            short &= way.count() <= MAX_WAY && !way.contains(path.to());
            ways.push((origin, path.to(), way));
        });
        if !short || ways.len() > 100_000 {
            return None;
        }
    }
    Some(ways)
}

/// Drops leaps and conditional leaps that a table or a line's first step already covers.
fn trim(
    lines: &[Line],
    steps: &[[u8; 256]; 8],
    quiet: &mut Table,
    capture: &mut Table,
    conditionals: &mut [Vec<Conditional>],
) {
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

/// Whether two ways of moving could reach the same square in the same position.
fn overlaps(rules: &PieceRules, board: Set, steps: &[[u8; 256]; 8], tables: &[Box<Table>]) -> bool {
    if !rules.walks.is_empty() {
        return true;
    }
    for from in board {
        let mut seen = tables[rules.quiet as usize][from.index()] | tables[rules.capture as usize][from.index()];
        let mut twice = false;
        // Quiet and capture ends exclude each other, but pieces that do both in different ways are rare: count them as one.
        let mut quiet_or_capture: Vec<(Square, bool, bool)> = Vec::new();
        if let Some(list) = rules.conditionals.get(from.index()) {
            for c in list {
                twice |=
                    quiet_or_capture.iter().any(|(to, q, x)| *to == c.to && ((*q && c.quiet) || (*x && c.capture)));
                quiet_or_capture.push((c.to, c.quiet, c.capture));
            }
        }
        for (to, _, _) in quiet_or_capture {
            seen.insert(to);
        }
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

/// The leaps of a kind sorted by how far they go, if that makes few enough sorts.
fn shifts(quiet: &Table, capture: &Table, conditionals: &[Vec<Conditional>]) -> Vec<Shift> {
    let far = |from: Square, to: Square| i32::from(to.0) - i32::from(from.0);
    let mut shifts: Vec<Shift> = Vec::new();
    let mut add = |from: Square, new: Shift| {
        let same = |old: &&mut Shift| {
            (old.by, old.quiet, old.capture, &old.over, old.right)
                == (new.by, new.quiet, new.capture, &new.over, new.right)
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
                over: conditional.way.into_iter().map(|square| far(from, square)).collect(),
                right: conditional.right,
            };
            if !conditional.more.is_empty() || !add(from, new) {
                return Vec::new();
            }
        }
    }
    shifts
}

/// Whether a walk always ends on a square of the colour it began on.
fn keeps_color(walk: &Walk) -> bool {
    let odd = |leg: &crate::walk::Leg| (leg.step.0 + leg.step.1) % 2 != 0;
    let fixed: i32 = walk.legs.iter().filter(|leg| leg.max == 1).map(|leg| i32::from(odd(leg))).sum();
    fixed % 2 == 0 && !walk.legs.iter().any(|leg| leg.max > 1 && odd(leg))
}

fn castlings(definition: &Definition, color: Color, rights: &[Right]) -> Vec<Castling> {
    let side = |square: Square| if color == Color::White { square } else { mirror(square, definition.ranks) };
    let row = |from: Square, to: Square| -> Vec<Square> {
        let (low, high) = (from.file().min(to.file()), from.file().max(to.file()));
        (low..=high).map(|file| Square::new(file, from.rank())).collect()
    };
    let kind_at =
        |square: Square| definition.placement.iter().find(|(at, _, _)| *at == square).map(|(_, _, kind)| *kind);
    definition
        .castlings
        .iter()
        .enumerate()
        .map(|(index, castling)| {
            let king = (side(castling.king.0), side(castling.king.1));
            let rook = (side(castling.rook.0), side(castling.rook.1));
            let mut empty: Set = row(king.0, king.1).into_iter().collect();
            empty |= row(rook.0, rook.1).into_iter().collect();
            empty |= row(king.0, rook.0).into_iter().collect();
            Castling {
                right: number_of(rights, |right| right.color == color && right.kind == RightKind::Castling(index)),
                king,
                rook,
                partner: Piece::new(color, kind_at(castling.rook.0).expect("checked by the reader")),
                empty: empty.without(king.0).without(rook.0),
                safe: row(king.0, king.1),
                short: king.1.file() > king.0.file(),
            }
        })
        .collect()
}

/// The jumps from every square, with the squares of which one must be safe: the one between, or for a Knight-like
/// jump its orthogonal and its diagonal neighbour on the way.
fn jumps(definition: &Definition, color: Color, board: Set) -> Vec<Vec<Jump>> {
    let Some(jump) = &definition.jump else { return Vec::new() };
    let mut jumps = vec![Vec::new(); 256];
    for from in board {
        for &(x, y) in &jump.steps {
            let y = if color == Color::White { y } else { -y };
            let Some(to) = from.offset(x, y).filter(|to| board.contains(*to)) else { continue };
            let middles = match (x.abs(), y.abs()) {
                (1, 2) => vec![(0, y / 2), (x, y / 2)],
                (2, 1) => vec![(x / 2, 0), (x / 2, y)],
                _ => vec![(x / 2, y / 2)],
            };
            let middles = middles.into_iter().filter_map(|(x, y)| from.offset(x, y)).collect();
            jumps[from.index()].push(Jump { to, middles });
        }
    }
    jumps
}

/// A bound on the plies of any position: every piece of a side, or what it may become, reaches all that it ever could.
fn plies_bound(definition: &Definition, walks: &[Vec<FreeWalk>]) -> usize {
    let targets = |kind: usize| -> usize {
        let free = &walks[2 * kind];
        let reached = |from: Square| {
            let mut set = Set::EMPTY;
            for FreeWalk { walk, from: origins, board, .. } in free {
                if origins.contains(from) {
                    walk.possible_paths(from, board, &mut |path| set.insert(path.to()));
                }
            }
            set.count() as usize
        };
        let most = Set::board(definition.files, definition.ranks).into_iter().map(reached).max().unwrap_or(0);
        most * definition.kinds[kind].promotes_to.len().max(1)
    };
    let by_kind: Vec<usize> = (0..definition.kinds.len()).map(targets).collect();
    let most = |kind: Kind| {
        let becomes = definition.kinds[kind.index()].promotes_to.iter();
        becomes.map(|to| by_kind[to.index()]).max().unwrap_or(0).max(by_kind[kind.index()])
    };
    let side = |color: Color| {
        let own = definition.placement.iter().filter(|(_, side, _)| *side == color);
        own.map(|(_, _, kind)| most(*kind)).sum::<usize>()
    };
    side(Color::White).max(side(Color::Black)) + 64
}

/// Refuses rules under which two different plies would read the same.
fn unambiguous(definition: &Definition, pieces: &[PieceRules], tables: &[Box<Table>]) -> Result<(), String> {
    for (index, piece) in pieces.iter().enumerate() {
        let name = &definition.kinds[index / 2].name;
        let takes = &tables[piece.takes as usize];
        let quiet = &tables[piece.quiet as usize];
        let slides = piece.lines.iter().any(|line| line.quiet || line.hop_quiet);
        if piece.takes != 0
            && (slides
                || !piece.bents.is_empty()
                || !piece.walks.is_empty()
                || (0..256).any(|from| takes[from].meets(&quiet[from]))
                || piece.conditionals.iter().zip(takes.iter()).any(|(list, takes)| {
                    list.iter().any(|conditional| conditional.quiet && takes.contains(conditional.to))
                }))
        {
            return Err(format!(
                "{name} captures en passant where it may also go without capturing: the two would read the same"
            ));
        }
    }
    let reaches = |from: Square, to: Square| {
        definition.kinds.iter().filter(|kind| kind.royal).flat_map(|kind| &kind.walks).any(|walk| {
            let mut found = false;
            walk.possible_paths(from, &Set::board(definition.files, definition.ranks), &mut |path| {
                found |= path.to() == to
            });
            found
        })
    };
    for castling in &definition.castlings {
        if reaches(castling.king.0, castling.king.1) {
            return Err(format!("castling to {} reads like the King's own move", castling.king.1));
        }
    }
    if let Some(jump) = &definition.jump {
        let middle = Square::new(7, 7);
        for (x, y) in &jump.steps {
            if definition.kinds.iter().filter(|kind| kind.royal).flat_map(|kind| &kind.walks).any(|walk| {
                let mut found = false;
                walk.possible_paths(middle, &Set::board(16, 16), &mut |path| {
                    found |= Some(path.to()) == middle.offset(*x, *y)
                });
                found
            }) {
                return Err("a jump of the King reads like its own move".into());
            }
        }
    }
    Ok(())
}

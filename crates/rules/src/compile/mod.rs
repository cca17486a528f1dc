//! Compiles a definition into rules.

mod bounds;
mod pieces;
mod special;

use bounds::{MAX_PATHS, moves_bound, paths_bound, unambiguous};
use pieces::{Tables, piece_rules};
use special::{castlings, checks, conditions, jumps, number_of, promotion_limit, promotions, rights};

use crate::canonical::canonical;
use crate::definition::{Definition, Goal, PieceTypeDefinition, Safety, TurnLength};
use crate::geometry::Geometry;
use crate::hash::hash_text;
use crate::limits::MAX_POSITION_MOVES;
use crate::piece::{Color, PieceType};
use crate::set::Set;
use crate::square::{DIRECTIONS, Square, direction_of, mirror};
use crate::tables::*;
use crate::walk::Walk;
use std::sync::OnceLock;

/// Compiles a definition.
///
/// # Errors
/// A key and a sentence, if the definition exceeds the limits of the tables or would make notation ambiguous.
pub(crate) fn compile(definition: &Definition) -> Result<Rules, (String, String)> {
    let (files, ranks) = (definition.files, definition.ranks);
    let board = definition.board();
    let flip = |set: Set| mirrored(set, ranks) & board;
    let paths = paths_bound(definition);
    if paths > MAX_PATHS {
        let message =
            format!("the pieces have {paths} paths over the board; at most {MAX_PATHS}: use fewer sliding legs");
        return Err(("pieces".into(), message));
    }
    let rights = rights(definition)?;
    let steps = steps_to_edge(board);
    let (pieces, walks, tables) = compile_pieces(definition, board, &steps, &rights)?;
    unambiguous(definition, &pieces, &tables, &walks)?;
    let most = moves_bound(definition, &pieces, &tables, &steps);
    if most > MAX_POSITION_MOVES {
        return Err((
            "pieces".into(),
            format!("a position could have up to {most} moves; at most {MAX_POSITION_MOVES}"),
        ));
    }
    let piece_types = definition.piece_types.len();
    let each = |f: &dyn Fn(&PieceRules) -> bool| -> Vec<bool> {
        (0..piece_types).map(|kind| f(&pieces[2 * kind]) || f(&pieces[2 * kind + 1])).collect()
    };
    let is_slider_or_hopper = each(&|p| p.slide_range.iter().any(|range| *range > 0) || p.hops.contains(&true));
    let has_path_attacks = each(&|p| p.path_attacks != 0);
    let has_uncovered_attacks = pieces.iter().any(|p| p.walks.iter().any(|free| free.walk.capture));
    let promotes = each(&PieceRules::promotes);
    let leap_zone = Color::BOTH.map(|color| leap_zone(&pieces, &tables, color, board));
    let mut rights_lost = Box::new([0u64; 256]);
    let mut first_right = Box::new([NONE; 256]);
    let mut royal_rights = [0u64; 2];
    let castlings = Color::BOTH.map(|color| castlings(definition, color, &rights));
    for (number, right) in rights.iter().enumerate() {
        let mask = 1u64 << number;
        match right.kind {
            RightKind::Castling(index) => {
                let castling = &castlings[right.color.index()][index];
                rights_lost[castling.rook.0.index()] |= mask;
                if definition.end.royals == Safety::Only && definition.end.goal == Goal::Checkmate {
                    royal_rights[right.color.index()] |= mask;
                } else {
                    rights_lost[castling.king.0.index()] |= mask;
                }
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
    let start_royals = Color::BOTH.map(|color| {
        let royal = |(_, side, kind): &&(Square, Color, PieceType)| {
            *side == color && definition.piece_types[kind.index()].royal
        };
        definition.placement.iter().filter(royal).count() as u32
    });
    let conditions = Color::BOTH.map(|color| conditions(definition, color));
    Ok(Rules {
        files,
        ranks,
        board,
        geometry: Geometry::of(definition.holes),
        steps,
        piece_types,
        royal: definition.piece_types.iter().map(|kind| kind.royal).collect(),
        royals: (0..piece_types)
            .filter(|kind| definition.piece_types[*kind].royal)
            .map(|kind| PieceType(kind as u8))
            .collect(),
        soldier: definition.piece_types.iter().map(PieceTypeDefinition::is_soldier).collect(),
        progress: (0..piece_types).map(|kind| definition.makes_progress(PieceType(kind as u8))).collect(),
        color_bound: definition.piece_types.iter().map(|kind| kind.all_walks().all(keeps_color)).collect(),
        promotes,
        is_slider_or_hopper,
        has_path_attacks,
        has_uncovered_attacks,
        leap_zone,
        promotion_limit: promotion_limit(definition),
        rights_lost,
        royal_rights,
        first_right,
        en_passant_left: [definition.en_passant_left, flip(definition.en_passant_left)],
        has_en_passant: pieces.iter().any(|p| p.en_passant != 0),
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
        checks: checks(&conditions),
        conditions,
        multi: definition.turn.length != TurnLength::Moves(1),
        hash: hash_text(&canonical(definition)),
        wins: Wins {
            bare: OnceLock::new(),
            alone: (0..piece_types).map(|_| OnceLock::new()).collect(),
            bound: OnceLock::new(),
            checks: OnceLock::new(),
        },
        start_royals: start_royals.into_iter().max().unwrap_or(0),
        kingless: start_royals.map(|count| count == 0),
        rights,
        walks,
        pieces,
        tables,
    })
}

type CompiledPieces = (Vec<PieceRules>, Vec<Vec<FreeWalk>>, Vec<Box<Table>>);

/// Returns the rules of all piece types, White's before Black's, their walks in that order, and the tables they share.
fn compile_pieces(
    definition: &Definition,
    board: Set,
    steps: &[[u8; 256]; 8],
    rights: &[Right],
) -> Result<CompiledPieces, (String, String)> {
    let mut tables = Tables::new();
    let mut pieces = Vec::new();
    let mut walks: Vec<Vec<FreeWalk>> = Vec::new();
    for (index, kind) in definition.piece_types.iter().enumerate() {
        let by_side = Color::BOTH.map(|color| placed_walks(definition, index, color, rights));
        let compile = |placed: &[FreeWalk], tables: &mut Tables| {
            piece_rules(placed, board, steps, tables).ok_or_else(|| {
                let message = "the same step is written with en passant and without; write it once";
                (format!("pieces.{}.move", kind.symbol), message.to_string())
            })
        };
        let white = compile(&by_side[0], &mut tables)?;
        let same = same_walks(&by_side[0], &by_side[1]);
        let black = if same { white.clone() } else { compile(&by_side[1], &mut tables)? };
        walks.extend(by_side);
        for (color, mut rules) in Color::BOTH.into_iter().zip([white, black]) {
            let turned = |walk: &Walk| kind.walk_of(walk, color);
            rules.promotions = promotions(definition, kind, color, board, &mut tables);
            rules.zone = rules.promotions.iter().fold(Set::EMPTY, |zone, way| zone | way.at | way.optional);
            if rules.promotions.iter().any(|way| way.by.is_some()) {
                let mut any = Box::new([Set::EMPTY; 256]);
                for way in &rules.promotions {
                    let moves = |from: Square| way.by.map_or(board, |table| tables.all[table as usize][from.index()]);
                    board.into_iter().for_each(|from| any[from.index()] |= (way.at | way.optional) & moves(from));
                }
                rules.promoting = Some(tables.number(any));
                rules.shifts.clear();
            }
            if rules.promotions.iter().any(|way| way.captures.is_some()) {
                rules.shifts.clear();
            }
            for walk in kind.sees.iter().map(turned) {
                let direction = direction_of(walk.legs[0].step).expect("checked by the reader");
                rules.slide_range[direction] = rules.slide_range[direction].max(walk.legs[0].max);
            }
            pieces.push(rules);
        }
    }
    Ok((pieces, walks, tables.all))
}

/// By square, the squares from which some piece type of a side captures there with a leap.
fn leap_zone(pieces: &[PieceRules], tables: &[Box<Table>], color: Color, board: Set) -> Box<Table> {
    // All piece types together first, so that each target is reversed once.
    let mut together = Box::new([Set::EMPTY; 256]);
    for piece in pieces.iter().skip(color.index()).step_by(2) {
        let leaps = &tables[piece.capture as usize];
        together.iter_mut().zip(leaps.iter()).for_each(|(all, targets)| *all |= *targets);
    }
    let mut zone = Box::new([Set::EMPTY; 256]);
    for from in board {
        together[from.index()].into_iter().for_each(|to| zone[to.index()].insert(from));
    }
    zone
}

/// All walks of a piece type of one side, with the squares on which each may begin and the right that it needs.
fn placed_walks(definition: &Definition, index: usize, color: Color, rights: &[Right]) -> Vec<FreeWalk> {
    let kind = &definition.piece_types[index];
    let all = definition.board();
    let turned = |walk: &Walk| kind.walk_of(walk, color);
    let side = |set: Set| if color == Color::White { set } else { mirrored(set, definition.ranks) } & all;
    let board = kind.within.map_or(all, side);
    let own = |entry: &&(Square, Color, PieceType)| entry.1 == color && entry.2.index() == index;
    let starts: Set = definition.placement.iter().filter(own).map(|(square, _, _)| *square).collect();
    let mut placed = Vec::new();
    let mut place = |walk: &Walk, from: Set, right: u8| {
        placed.push(FreeWalk { walk: turned(walk), from: from & board, board, right });
    };
    for walk in &kind.walks {
        place(walk, if walk.initial { starts } else { all }, NONE);
    }
    for extra in &kind.from {
        let squares = side(extra.squares);
        for walk in &extra.walks {
            if extra.right.is_none() {
                place(walk, squares, NONE);
                continue;
            }
            for square in squares {
                let right = number_of(rights, |r| r.color == color && r.kind == RightKind::FirstMove(square));
                place(walk, Set::of(square), right);
            }
        }
    }
    placed
}

/// Whether two lists hold the same walks in any order.
fn same_walks(some: &[FreeWalk], others: &[FreeWalk]) -> bool {
    some.len() == others.len() && some.iter().all(|walk| others.contains(walk))
}

/// The squares opposite these, as the other side sees them.
fn mirrored(set: Set, ranks: u8) -> Set {
    set.into_iter().map(|square| mirror(square, ranks)).collect()
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

/// Whether a walk always ends on a square of the colour it began on.
fn keeps_color(walk: &Walk) -> bool {
    let odd = |leg: &crate::walk::Leg| (leg.step.0 + leg.step.1) % 2 != 0;
    let fixed: i32 = walk.legs.iter().filter(|leg| leg.max == 1).map(|leg| i32::from(odd(leg))).sum();
    fixed % 2 == 0 && !walk.legs.iter().any(|leg| leg.max > 1 && odd(leg))
}

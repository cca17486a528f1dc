//! Refuses definitions that are too large or whose notation would be ambiguous.

use crate::definition::Definition;
use crate::piece::{Color, PieceType};
use crate::set::Set;
use crate::square::Square;
use crate::tables::*;
use crate::walk::Walk;

/// The most paths over the board that the pieces of a definition may have together.
pub(super) const MAX_PATHS: u64 = 8_000_000;

/// A bound on the paths of all pieces from all squares, so that following them stays fast.
pub(super) fn paths_bound(definition: &Definition) -> u64 {
    let longest = u64::from(definition.files.max(definition.ranks)) - 1;
    let squares = u64::from(definition.files) * u64::from(definition.ranks);
    let paths = |walk: &Walk| {
        let legs = walk.legs.iter().map(|leg| u64::from(leg.max).min(longest));
        legs.fold(squares, u64::saturating_mul)
    };
    let walks = definition.piece_types.iter().flat_map(|kind| kind.all_walks().chain(&kind.sees));
    walks.fold(0, |sum, walk| sum.saturating_add(paths(walk)))
}

/// A bound on the moves of any position: every piece of a side, or what it may become, reaches all squares that it ever
/// could.
pub(super) fn moves_bound(
    definition: &Definition,
    pieces: &[PieceRules],
    tables: &[Box<Table>],
    steps: &[[u8; 256]; 8],
) -> usize {
    let board = definition.board();
    let along = |from: Square, direction: u8| usize::from(steps[direction as usize][from.index()]);
    let targets = |piece: &PieceRules| -> usize {
        let reached = |from: Square| {
            let at = from.index();
            let mut set = tables[piece.quiet as usize][at] | tables[piece.capture as usize][at];
            set |= tables[piece.path_attacks as usize][at];
            piece.conditionals.get(at).into_iter().flatten().for_each(|conditional| set.insert(conditional.to));
            for free in piece.walks.iter().filter(|free| !free.walk.capture) {
                set |= free.walk.possible_targets(from, &free.board);
            }
            let lines: usize = piece.lines.iter().map(|line| along(from, line.direction)).sum();
            let arms = piece.bents.iter().filter(|bent| !bent.capture).flat_map(|bent| {
                let corner = from.offset(bent.first.0, bent.first.1);
                corner.into_iter().flat_map(move |corner| bent.arms.iter().map(move |arm| along(corner, *arm)))
            });
            set.count() as usize + lines + arms.sum::<usize>()
        };
        board.into_iter().map(reached).max().unwrap_or(0)
    };
    let choices = |piece: usize| definition.piece_types[piece / 2].promotes_to.len().max(1);
    let by_piece: Vec<usize> = pieces.iter().enumerate().map(|(at, piece)| targets(piece) * choices(at)).collect();
    let most = |kind: PieceType| {
        let becomes = definition.piece_types[kind.index()].promotes_to.iter();
        becomes.map(|to| by_piece[2 * to.index()]).max().unwrap_or(0).max(by_piece[2 * kind.index()])
    };
    let side = |color: Color| {
        let own = definition.placement.iter().filter(|(_, side, _)| *side == color);
        own.map(|(_, _, kind)| most(*kind)).sum::<usize>()
    };
    side(Color::White).max(side(Color::Black)) + 64
}

/// Refuses rules under which two different moves would have the same notation.
pub(super) fn unambiguous(
    definition: &Definition,
    pieces: &[PieceRules],
    tables: &[Box<Table>],
    walks: &[Vec<FreeWalk>],
) -> Result<(), (String, String)> {
    for (index, walks) in walks.iter().enumerate() {
        let symbol = definition.piece_types[index / 2].symbol;
        let en_passant = &tables[pieces[index].en_passant as usize];
        let meets = |free: &FreeWalk| {
            let targets = |from: Square| free.walk.possible_targets(from, &free.board);
            free.walk.quiet && free.from.into_iter().any(|from| en_passant[from.index()].meets(&targets(from)))
        };
        if pieces[index].en_passant != 0 && walks.iter().any(meets) {
            let message =
                "it captures en passant where it can also move without capturing: both would be written the same";
            return Err((format!("pieces.{symbol}"), message.to_string()));
        }
    }
    let reaches = |kind: PieceType, from: Square, to: Square| {
        definition.piece_types[kind.index()].walks.iter().any(|walk| {
            let mut found = false;
            walk.possible_paths(from, &definition.board(), &mut |path| found |= path.to() == to);
            found
        })
    };
    for castling in &definition.castlings {
        let mover = definition.castling_piece(castling, castling.king.0).expect("checked by the reader");
        if reaches(mover, castling.king.0, castling.king.1) {
            let message = format!("castling to {} would be written like an ordinary King move", castling.king.1);
            return Err(("castling".into(), message));
        }
    }
    if let Some(jump) = &definition.jump {
        let middle = Square::new(7, 7);
        for (x, y) in &jump.steps {
            if definition.piece_types.iter().filter(|kind| kind.royal).flat_map(|kind| &kind.walks).any(|walk| {
                let mut found = false;
                walk.possible_paths(middle, &Set::board(16, 16), &mut |path| {
                    found |= Some(path.to()) == middle.offset(*x, *y)
                });
                found
            }) {
                let message = "a King's jump would be written like an ordinary King move";
                return Err(("royal_jump".into(), message.into()));
            }
        }
    }
    Ok(())
}

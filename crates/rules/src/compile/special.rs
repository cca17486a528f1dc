//! Rights, promotion, castling, the King's jump and conditions that end the game.

use super::mirrored;
use super::pieces::Tables;
use crate::definition::{Condition, Definition, PieceTypeDefinition, RightName, Test};
use crate::piece::{Color, Piece, PieceType};
use crate::set::Set;
use crate::square::{Square, mirror};
use crate::tables::*;

/// The rights in FEN order: castlings, first moves, the jump, "has played on", "was a pass".
pub(super) fn rights(definition: &Definition) -> Result<Vec<Right>, (String, String)> {
    let mut rights: Vec<Right> = Vec::new();
    let cased = |letter: char, color| if color == Color::White { letter } else { letter.to_ascii_lowercase() };
    for color in Color::BOTH {
        for (index, castling) in definition.castlings.iter().filter(|castling| castling.is_of(color)).enumerate() {
            let kind = RightKind::Castling(index);
            rights.push(Right { letter: cased(castling.right, color), color, kind });
        }
    }
    for color in Color::BOTH {
        for extra in definition.piece_types.iter().flat_map(|kind| &kind.from) {
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
        return Err(("pieces".into(), format!("{} rights; at most 64", rights.len())));
    }
    for (index, right) in rights.iter().enumerate() {
        if rights[..index].iter().any(|other| other.letter == right.letter) {
            let key = if matches!(right.kind, RightKind::Castling(_)) { "castling" } else { "pieces" };
            return Err((key.into(), format!("two rights have the letter {:?}; give each its own", right.letter)));
        }
    }
    Ok(rights)
}

pub(super) fn number_of(rights: &[Right], wanted: impl Fn(&Right) -> bool) -> u8 {
    rights.iter().position(wanted).map_or(NONE, |number| number as u8)
}

/// How a piece type of one side promotes: in its own ways, or as the game's pieces do.
pub(super) fn promotions(
    definition: &Definition,
    kind: &PieceTypeDefinition,
    color: Color,
    board: Set,
    tables: &mut Tables,
) -> Vec<Promotion> {
    let side = |set: Set| if color == Color::White { set } else { mirrored(set, definition.ranks) };
    let mut table = |moves: &dyn Fn(Square) -> Set| {
        let mut table = Box::new([Set::EMPTY; 256]);
        board.into_iter().for_each(|from| table[from.index()] = moves(from));
        tables.number(table)
    };
    if kind.promotions.is_empty() && !kind.promotes_to.is_empty() {
        let by = kind.promotes_by.as_ref().map(|walks| {
            let walks: Vec<_> = walks.iter().map(|walk| kind.walk_of(walk, color)).collect();
            table(&|from| walks.iter().fold(Set::EMPTY, |to, walk| to | walk.possible_targets(from, &board)))
        });
        let (at, optional) = (side(definition.promotion.at), side(definition.promotion.optional));
        return vec![Promotion { to: kind.promotes_to.clone(), at, optional, by, captures: None }];
    }
    let own = kind.promotions.iter().filter(|way| way.side.is_none_or(|side| side == color));
    own.map(|way| {
        let by =
            way.from.map(side).map(|squares| table(&|from| if squares.contains(from) { board } else { Set::EMPTY }));
        Promotion { to: way.to.clone(), at: side(way.at), optional: side(way.optional), by, captures: way.captures }
    })
    .collect()
}

/// By side and piece type, the most pieces there may be after promotion; `None` for no limit.
pub(super) fn promotion_limit(definition: &Definition) -> Option<[Vec<u16>; 2]> {
    let promotion = &definition.promotion;
    let of_side = |color: Color| {
        let limit = |number: usize| {
            let kind = PieceType(number as u8);
            let given = promotion.limits.iter().find(|(other, _)| *other == kind).map(|(_, most)| *most);
            let own = definition.placement.iter().filter(|(_, side, other)| (*side, *other) == (color, kind));
            given.unwrap_or(if promotion.limited { own.count() as u16 } else { u16::MAX })
        };
        (0..definition.piece_types.len()).map(limit).collect()
    };
    (promotion.limited || !promotion.limits.is_empty()).then(|| Color::BOTH.map(of_side))
}

pub(super) fn castlings(definition: &Definition, color: Color, rights: &[Right]) -> Vec<Castling> {
    let side = |square: Square| if color == Color::White { square } else { mirror(square, definition.ranks) };
    let row = |from: Square, to: Square| -> Vec<Square> {
        let (low, high) = (from.file().min(to.file()), from.file().max(to.file()));
        (low..=high).map(|file| Square::new(file, from.rank())).collect()
    };
    definition
        .castlings
        .iter()
        .filter(|castling| castling.is_of(color))
        .enumerate()
        .map(|(index, castling)| {
            let piece = |square| {
                let kind = definition.castling_piece(castling, square);
                Piece::new(color, kind.expect("checked by the reader"))
            };
            let (mover, partner) = (piece(castling.king.0), piece(castling.rook.0));
            let king = (side(castling.king.0), side(castling.king.1));
            let rook = (side(castling.rook.0), side(castling.rook.1));
            let mut empty: Set = row(king.0, king.1).into_iter().collect();
            empty |= row(rook.0, rook.1).into_iter().collect();
            empty |= row(king.0, rook.0).into_iter().collect();
            Castling {
                right: number_of(rights, |right| right.color == color && right.kind == RightKind::Castling(index)),
                king,
                rook,
                mover,
                partner,
                empty: empty.without(king.0).without(rook.0),
                safe: row(king.0, king.1),
                short: king.1.file() > king.0.file(),
            }
        })
        .collect()
}

/// The jumps from every square, with the squares of which at least one must be safe: the square between, or for a
/// Knight's leap the adjacent orthogonal and diagonal squares on the way.
pub(super) fn jumps(definition: &Definition, color: Color, board: Set) -> Vec<Vec<Jump>> {
    let Some(jump) = &definition.jump else { return Vec::new() };
    let zones = definition.piece_types.iter().filter(|kind| kind.royal).filter_map(|kind| kind.within);
    let side = |zone| if color == Color::White { zone } else { mirrored(zone, definition.ranks) };
    let within = zones.fold(board, |within, zone| within & side(zone));
    let mut jumps = vec![Vec::new(); 256];
    for from in board {
        for &(x, y) in &jump.steps {
            let y = if color == Color::White { y } else { -y };
            let Some(to) = from.offset(x, y).filter(|to| within.contains(*to)) else { continue };
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

/// The conditions that a side can fulfil, with its squares.
pub(super) fn conditions(definition: &Definition, color: Color) -> Vec<Condition> {
    let own = definition.end.conditions.iter().filter(|condition| condition.side.is_none_or(|side| side == color));
    let turned = |condition: &Condition| {
        let mut condition = condition.clone();
        if let (Test::Reach { squares, .. }, Color::Black) = (&mut condition.test, color) {
            *squares = mirrored(*squares, definition.ranks);
        }
        condition
    };
    own.map(turned).collect()
}

/// By side, the most checks that a condition asks for; `None` if there is none.
pub(super) fn checks(conditions: &[Vec<Condition>; 2]) -> Option<[u8; 2]> {
    let wanted = |condition: &Condition| if let Test::Checks(checks) = condition.test { checks } else { 0 };
    let most = conditions.each_ref().map(|conditions| conditions.iter().map(wanted).max().unwrap_or(0));
    (most != [0, 0]).then_some(most)
}

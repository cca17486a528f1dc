//! FENs of other programs: what is wrong in their rights and counters is left out, and said.

use crate::board::{Board, replay};
use crate::fen::{FenError, MAX_FEN, fail, read_count, read_position, read_tracks};
use crate::game::Game;
use crate::piece::Color;
use crate::position::Position;
use crate::rules::RightKind;
use crate::square::Square;
use crate::text::shorten;
use crate::validate::Problem;
use std::sync::Arc;

/// Reads a FEN as records of other programs have it, and returns the board with a sentence for each thing that was
/// changed: rights without their pieces, rights by the file of the Rook (as in Shredder-FEN) or King, an en passant
/// field that names no squares, and counters that are missing or no numbers.
///
/// # Errors
/// Returns a [`FenError`] if the placement or the side to move is wrong, or the position cannot be played.
pub fn repair_board(game: &Arc<Game>, text: &str) -> Result<(Board, Vec<String>), FenError> {
    if let Ok(board) = crate::read_board(game, text) {
        return Ok((board, Vec::new()));
    }
    if text.len() > MAX_FEN || !text.is_ascii() {
        return crate::read_board(game, text).map(|board| (board, Vec::new()));
    }
    let mut changes = Vec::new();
    let mut fields: Vec<&str> = text.split_whitespace().collect();
    if fields.len() < 6 {
        let usual = ["", "w", "-", "-", "0", "1"];
        if fields.len() != 4 {
            changes.push(format!("the FEN has {} of six fields; the others are as at the start", fields.len()));
        }
        fields.extend(&usual[fields.len()..]);
    }
    let mut position = read_position(game, &[fields[0], fields[1], "-", "-", "0", "1"])?;
    position.state.rights = 0;
    let mut count = |field: &'static str, text: &str, otherwise: u32| {
        read_count(field, text).unwrap_or_else(|error| {
            changes.push(format!("{error}; it is read as {otherwise}"));
            otherwise
        })
    };
    position.state.halfmove = count("quiet moves", fields[4], 0);
    position.state.fullmove = count("move number", fields[5], 1).max(1);
    if fields[2] != "-" {
        fields[2].chars().for_each(|letter| changes.extend(add_right(game, &mut position, letter).err()));
    }
    if let Err(error) = read_tracks(game, &mut position, fields[3]) {
        changes.push(format!("{error}; it is left out"));
    }
    if let Some(problem) = position.problems(&game.rules).first() {
        return fail(problem.field(), problem.describe(game));
    }
    let moves = fields.get(6).map_or_else(Vec::new, |moves| moves.split(',').collect());
    Ok((replay(game, (position, moves))?, changes))
}

/// Adds the right that a letter stands for, or says why it is left out.
fn add_right(game: &Game, position: &mut Position, letter: char) -> Result<(), String> {
    let rights = &game.rules.rights;
    let named = rights.iter().position(|right| right.letter == letter);
    let Some(bit) = named.or_else(|| right_on_file(game, position, letter)) else {
        return Err(format!(
            "FEN, rights: {:?} is no right of this game; it is left out",
            shorten(&letter.to_string())
        ));
    };
    let mut with = position.clone();
    with.state.rights |= 1 << bit;
    let without_piece = |problem: &&Problem| matches!(problem, Problem::RightWithoutPiece(_));
    match with.problems(&game.rules).iter().find(without_piece) {
        Some(problem) => Err(format!("FEN, rights: {}; it is left out", problem.describe(game))),
        None => {
            *position = with;
            Ok(())
        }
    }
}

/// The right of the piece on a file: capital letters are White's.
fn right_on_file(game: &Game, position: &Position, letter: char) -> Option<usize> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let file = (letter.to_ascii_lowercase() as u32).checked_sub('a' as u32)?;
    let on = |square: Square| u32::from(square.file()) == file;
    let fits = |right: &crate::rules::Right, king: bool| match right.kind {
        RightKind::Castling(index) => {
            let castling = &game.rules.castlings[color.index()][index];
            on(if king { castling.king.0 } else { castling.rook.0 })
        }
        RightKind::FirstMove(square) => on(square),
        RightKind::Jump => position.royals(color).into_iter().any(on),
        RightKind::PlayedOn | RightKind::Passed => false,
    };
    [false, true]
        .into_iter()
        .find_map(|king| game.rules.rights.iter().position(|right| right.color == color && fits(right, king)))
}

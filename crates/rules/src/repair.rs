//! FENs of other programs: what is wrong in their rights and counters is left out, and said.

use crate::board::{Board, replay};
use crate::fen::{FenError, fail, read_count, read_en_passant, read_position, take_checks};
use crate::game::Game;
use crate::limits::MAX_FEN;
use crate::piece::{Color, Symbol};
use crate::position::Position;
use crate::square::Square;
use crate::tables::RightKind;
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
    let placement = with_own_letters(game, text.split_whitespace().next().unwrap_or_default());
    let mut fields: Vec<&str> = text.split_whitespace().collect();
    let checks = take_checks(game, &mut fields).unwrap_or_else(|error| {
        changes.push(format!("{error}; no checks are counted"));
        [0, 0]
    });
    if fields.len() < 6 {
        let usual = ["", "w", "-", "-", "0", "1"];
        if fields.len() != 4 {
            changes.push(format!("the FEN has {} of six fields; the others are as at the start", fields.len()));
        }
        fields.extend(&usual[fields.len()..]);
    }
    let mut position = read_position(game, &[&placement, fields[1], "-", "-", "0", "1"])?;
    position.state.checks = checks;
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
    if let Err(error) = read_en_passant(game, &mut position, fields[3]) {
        changes.push(format!("{error}; it is left out"));
    }
    if let Some(problem) = position.problems(&game.rules).first() {
        return fail(problem.field(), problem.describe(game));
    }
    let moves = fields.get(6).map_or_else(Vec::new, |moves| moves.split(',').collect());
    Ok((replay(game, (position, moves))?, changes))
}

/// Reads a FEN as XBoard writes it. It has its own notion of rights: it reports castling; of other pieces with a special
/// first move it names the files of those on the outer ranks that have not moved, such as a King that may jump. All
/// other rights are held if they can be, those of a King if it is on its starting square. Squares count from rank 0 on
/// boards with ten ranks.
///
/// # Errors
/// Returns a [`FenError`] if the text is not a position of the game.
pub fn read_xboard_board(game: &Arc<Game>, text: &str) -> Result<Board, FenError> {
    if text.len() > MAX_FEN || !text.is_ascii() {
        return crate::read_board(game, text);
    }
    let mut fields: Vec<&str> = text.split_whitespace().collect();
    let checks = take_checks(game, &mut fields)?;
    fields.extend(["", "w", "-", "-", "0", "1"].iter().skip(fields.len()));
    let placement = with_own_letters(game, fields[0]);
    let mut position = read_position(game, &[&placement, fields[1], "-", "-", fields[4], fields[5]])?;
    position.state.checks = checks;
    let start = read_position(game, &game.definition.start.split(' ').collect::<Vec<_>>()).expect("checked on loading");
    for (bit, right) in game.rules.rights.iter().enumerate().filter(|(bit, _)| start.state.rights >> bit & 1 != 0) {
        let named = |letter: char| fields[2].contains(letter);
        let royal = position.royals(right.color).into_iter().next();
        let held = match (right.kind, royal) {
            (RightKind::Castling(_), _) => named(right.letter),
            (RightKind::Jump, Some(royal)) if royal.rank() == 0 || royal.rank() + 1 == game.rules.ranks => {
                let file = (b'a' + royal.file()) as char;
                named(right.letter) || named(if right.color == Color::White { file.to_ascii_uppercase() } else { file })
            }
            (RightKind::Jump, _) => royal == start.royals(right.color).into_iter().next(),
            _ => true,
        };
        if held {
            position = with_right(game, &position, bit).unwrap_or(position);
        }
    }
    let shifted = match fields[3].split_at_checked(1) {
        Some((file, rank)) if game.rules.ranks == 10 => {
            rank.parse::<u8>().map_or("-".into(), |rank| format!("{file}{}", u32::from(rank) + 1))
        }
        _ => fields[3].to_string(),
    };
    // A square that is none, or that no piece has passed, is no right.
    let _ = read_en_passant(game, &mut position, &shifted);
    match position.problems(&game.rules).first() {
        Some(problem) => fail(problem.field(), problem.describe(game)),
        None => Ok(Board::from_position(Arc::clone(game), position)),
    }
}

/// A placement with the letters of other programs replaced by those of the game.
fn with_own_letters(game: &Game, placement: &str) -> String {
    let mut found = String::with_capacity(placement.len());
    let mut rest = placement;
    while let Some(c) = rest.chars().next() {
        let read = Symbol::read(rest);
        let length = read.map_or(c.len_utf8(), |(_, _, length)| length);
        match read {
            Some((symbol, color, 1)) if game.piece_type_of(symbol).is_none() => match game.piece_type_by_initial(c) {
                Some(kind) => found += &game.symbol(kind).cased(color).to_string(),
                None => found.push(c),
            },
            _ => found += &rest[..length],
        }
        rest = &rest[length..];
    }
    found
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
    *position = with_right(game, position, bit)
        .map_err(|problem| format!("FEN, rights: {}; it is left out", problem.describe(game)))?;
    Ok(())
}

/// The position with one right more, if its pieces are in their places.
fn with_right(game: &Game, position: &Position, bit: usize) -> Result<Position, Problem> {
    let mut with = position.clone();
    with.state.rights |= 1 << bit;
    let problems = with.problems(&game.rules);
    match problems.into_iter().find(|problem| matches!(problem, Problem::RightWithoutPiece(_))) {
        Some(problem) => Err(problem),
        None => Ok(with),
    }
}

/// The right of the piece on a file: capital letters are White's.
fn right_on_file(game: &Game, position: &Position, letter: char) -> Option<usize> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let file = (letter.to_ascii_lowercase() as u32).checked_sub('a' as u32)?;
    let on = |square: Square| u32::from(square.file()) == file;
    let fits = |right: &crate::tables::Right, king: bool| match right.kind {
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

//! FEN: six fields, one more inside a turn, and one more where checks are counted.

use crate::definition::Placement;
use crate::game::Game;
use crate::limits::MAX_FEN;
use crate::piece::{Color, Piece, PieceType, Symbol};
use crate::placement::write_placement;
use crate::position::{EnPassant, MAX_COUNT, Position};
use crate::set::Set;
use crate::square::Square;
use crate::tables::{NONE, RightKind};
use crate::validate::Problem;
use std::fmt;

/// An error in a FEN: the field and what is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FenError {
    /// The field.
    pub field: &'static str,
    /// The text found and what was expected.
    pub message: String,
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "FEN, {}: {}", self.field, self.message)
    }
}

impl std::error::Error for FenError {}

pub(crate) fn fail<T>(field: &'static str, message: impl Into<String>) -> Result<T, FenError> {
    Err(FenError { field, message: message.into().chars().take(300).collect() })
}

/// Reads a piece type at the start of a text: the piece type, its side and the number of bytes read.
type ReadKind<'a> = &'a dyn Fn(&str) -> Option<(PieceType, Color, usize)>;

/// Reads the placement field: the pieces, and the squares that it marks as holes with `*`.
pub(crate) fn read_placement(text: &str, files: u8, ranks: u8, kind: ReadKind) -> Result<(Placement, Set), String> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != usize::from(ranks) {
        return Err(format!("{} ranks where {ranks} were expected", rows.len()));
    }
    let (mut placement, mut holes) = (Vec::new(), Set::EMPTY);
    for (index, row) in rows.iter().enumerate() {
        let rank = ranks - 1 - index as u8;
        let mut file = 0usize;
        let mut rest = *row;
        while let Some(first) = rest.chars().next() {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            if digits > 0 {
                match rest[..digits].parse::<usize>() {
                    Ok(run @ 1..=16) if !rest.starts_with('0') => file += run,
                    _ => {
                        return Err(format!(
                            "rank {}: {:?} is not a number of empty squares",
                            rank + 1,
                            &rest[..digits]
                        ));
                    }
                }
                rest = &rest[digits..];
                continue;
            }
            if first == '*' {
                if file < usize::from(files) {
                    holes.insert(Square::new(file as u8, rank));
                }
                file += 1;
                rest = &rest[1..];
                continue;
            }
            let Some((kind, color, length)) = kind(rest) else {
                return Err(format!("rank {}: {first:?} is not a piece of this game", rank + 1));
            };
            if file < usize::from(files) {
                placement.push((Square::new(file as u8, rank), color, kind));
            }
            file += 1;
            rest = &rest[length..];
        }
        if file != usize::from(files) {
            return Err(format!("rank {} ({row:?}) has {file} squares where {files} were expected", rank + 1));
        }
    }
    Ok((placement, holes))
}

/// A FEN's position at the start of the turn, and the texts of the moves made since.
pub(crate) type Read<'a> = (Position, Vec<&'a str>);

/// Reads a FEN of six fields, of seven within a turn, or of four: then the counters are as at the start of a game.
///
/// With `playable` false, the position may be one that is still being edited.
pub(crate) fn read<'a>(game: &Game, text: &'a str, playable: bool) -> Result<Read<'a>, FenError> {
    if text.len() > MAX_FEN {
        return fail("length", format!("{} bytes; at most {MAX_FEN}", text.len()));
    }
    let text = text.trim();
    if let Some(character) = text.chars().find(|c| c.is_control() || !c.is_ascii()) {
        return fail("text", format!("the character {character:?} is not allowed in a FEN"));
    }
    let mut fields: Vec<&str> = text.split(' ').filter(|field| !field.is_empty()).collect();
    let checks = take_checks(game, &mut fields)?;
    match fields.len() {
        4 => fields.extend(["0", "1"]),
        6 | 7 => {}
        count => {
            let expected = "six, or seven inside a turn, or four without counters, were expected";
            return fail("fields", format!("{count} fields where {expected}"));
        }
    }
    let mut position = read_position(game, &fields[..6])?;
    position.state.checks = checks;
    if let Some(problem) = position.problems(&game.rules).first().filter(|_| playable) {
        return fail(problem.field(), problem.describe(game));
    }
    let moves = fields.get(6).map_or_else(Vec::new, |moves| moves.split(',').collect());
    Ok((position, moves))
}

/// Takes the field of checks out of a FEN's fields, and returns how many each side has given. It has the checks that are
/// still to be given, White's first, before the counters (`3+3`), or at the end those that were given (`+0+0`).
pub(crate) fn take_checks(game: &Game, fields: &mut Vec<&str>) -> Result<[u8; 2], FenError> {
    let Some(wanted) = game.rules.checks else { return Ok([0, 0]) };
    let Some(at) = (4..fields.len()).find(|at| fields[*at].contains('+')) else { return Ok([0, 0]) };
    let field = fields.remove(at);
    let given = field.strip_prefix('+');
    let numbers: Vec<u8> = given.unwrap_or(field).split('+').filter_map(|number| number.parse().ok()).collect();
    match numbers[..] {
        [white, black] if white <= wanted[0] && black <= wanted[1] => Ok(match given {
            Some(_) => [white, black],
            None => [wanted[0] - white, wanted[1] - black],
        }),
        _ => {
            let most = format!("{}+{}", wanted[0], wanted[1]);
            fail("checks", format!("{field:?} where the checks still to be given were expected, at most {most}"))
        }
    }
}

pub(crate) fn read_position(game: &Game, fields: &[&str]) -> Result<Position, FenError> {
    let rules = &game.rules;
    let placement = read_placement(fields[0], rules.files, rules.ranks, &|text| {
        let (symbol, color, length) = Symbol::read(text)?;
        Some((game.piece_type_of(symbol)?, color, length))
    });
    let mut position = Position::empty();
    let (placement, holes) = placement.or_else(|message| fail("placement", message))?;
    if let Some(square) = (holes & rules.board).first() {
        return fail("placement", format!("'*' marks holes in the board, and {square} is none"));
    }
    for (square, color, kind) in placement {
        if !rules.board.contains(square) {
            return fail("placement", format!("there is a piece on {square}, which is a hole in the board"));
        }
        position.add(rules, square, Piece::new(color, kind));
    }
    position.state.turn = match fields[1] {
        "w" => Color::White,
        "b" => Color::Black,
        other => return fail("side to move", format!("{other:?} where w or b was expected")),
    };
    position.state.rights = read_rights(game, fields[2])?;
    position.state.halfmove = read_count("quiet moves", fields[4])?;
    // Programs that count from 0 mean the first move by it.
    position.state.fullmove = read_count("move number", fields[5])?.max(1);
    read_en_passant(game, &mut position, fields[3])?;
    Ok(position)
}

pub(crate) fn read_count(field: &'static str, text: &str) -> Result<u32, FenError> {
    match text.parse::<u32>() {
        Ok(number) if number <= MAX_COUNT && text.bytes().all(|c| c.is_ascii_digit()) => Ok(number),
        _ => fail(field, format!("{text:?} where a number from 0 to {MAX_COUNT} was expected")),
    }
}

fn read_rights(game: &Game, text: &str) -> Result<u64, FenError> {
    if text == "-" {
        return Ok(0);
    }
    let mut rights = 0u64;
    let order = |rights: u64| if rights == 0 { 0 } else { 64 - rights.leading_zeros() as usize };
    for letter in text.chars() {
        let Some(bit) = game.rules.rights.iter().position(|right| right.letter == letter) else {
            let letters: String = game.rules.rights.iter().map(|right| right.letter).collect();
            let known = if letters.is_empty() { "-".into() } else { format!("- or some of {letters}") };
            return fail("rights", format!("{letter:?} in {text:?} where {known} was expected"));
        };
        if rights >> bit & 1 != 0 {
            return fail("rights", format!("{letter:?} appears twice in {text:?}"));
        }
        if bit < order(rights) {
            let letters: String = game.rules.rights.iter().map(|right| right.letter).collect();
            return fail("rights", format!("{text:?} is out of order; the order is {letters}"));
        }
        rights |= 1 << bit;
    }
    Ok(rights)
}

pub(crate) fn read_en_passant(game: &Game, position: &mut Position, text: &str) -> Result<(), FenError> {
    if text == "-" {
        return Ok(());
    }
    let rules = &game.rules;
    let mut squares = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        match Square::read(rest).filter(|(square, _)| rules.board.contains(*square)) {
            Some((square, length)) => {
                squares.push(square);
                rest = &rest[length..];
            }
            None => return fail("en passant", format!("{text:?} where - or squares of the board were expected")),
        }
    }
    let mover = !position.state.turn;
    let ahead: i8 = if mover == Color::White { 1 } else { -1 };
    let mut en_passant: Vec<EnPassant> = Vec::new();
    for passed in squares {
        let mut next = Some(passed);
        while let Some(square) = next.filter(|s| rules.board.contains(*s) && position.cell(*s).is_empty()) {
            next = square.offset(0, ahead);
        }
        let Some(victim) = next.filter(|s| rules.board.contains(*s) && position.cell(*s).is(mover)) else { continue };
        if could_have_passed(game, position, victim, passed) {
            let ranks = 1 << passed.rank();
            match en_passant.iter_mut().find(|track| track.victim == victim) {
                Some(track) => track.ranks |= ranks,
                None => en_passant.push(EnPassant { victim, ranks }),
            }
        }
    }
    en_passant.sort_unstable_by_key(|track| track.victim);
    for track in en_passant {
        if position.state.en_passant.is_full() {
            return fail("en passant", format!("{text:?} names more pieces than a turn can have moved"));
        }
        position.state.en_passant.push(track);
    }
    position.keep_tracks(rules);
    Ok(())
}

/// Whether a step to `victim` could just have passed, or left, `square`.
fn could_have_passed(game: &Game, position: &Position, victim: Square, square: Square) -> bool {
    let rules = &game.rules;
    let piece = position.piece(victim).expect("a victim");
    let color = piece.color();
    let spec = rules.piece(piece);
    let occupied = position.occupied();
    let back: i8 = if color == Color::White { -1 } else { 1 };
    let mut origin = victim.offset(0, back);
    // In a turn of several moves another piece may have moved onto the origin since.
    let mut free = true;
    while let Some(from) = origin.filter(|from| free && rules.board.contains(*from)) {
        free = position.cell(from).is_empty();
        if !free && !rules.multi {
            break;
        }
        origin = from.offset(0, back);
        let unheld = |right: u8| right == NONE || position.state.rights >> right & 1 == 0;
        let stepped = spec.conditionals.get(from.index()).is_some_and(|list| {
            list.iter().any(|c| c.to == victim && c.track && unheld(c.right) && c.is_free(&occupied))
        });
        let passed = rules.geometry.between(from, victim).contains(square) && stepped;
        let first = rules.first_right[from.index()];
        let left = square == from
            && rules.en_passant_left[color.index()].contains(from)
            && first != NONE
            && unheld(first)
            && rules.rights[first as usize].kind == RightKind::FirstMove(from)
            && (stepped || rules.table(spec.quiet)[from.index()].contains(victim));
        if passed || left {
            return true;
        }
    }
    false
}

/// Writes the rights field.
pub fn write_rights(game: &Game, position: &Position) -> String {
    let rights = &game.rules.rights;
    let held = rights.iter().enumerate().filter(|(bit, _)| position.state.rights >> bit & 1 != 0);
    let letters: String = held.map(|(_, right)| right.letter).collect();
    if letters.is_empty() { "-".into() } else { letters }
}

/// Sets the rights of a position that is being edited, from the third field of a FEN.
///
/// # Errors
/// Names the first letter that is not a right, or whose pieces are not in their places; the position is unchanged.
pub fn set_rights(game: &Game, position: &mut Position, text: &str) -> Result<(), FenError> {
    let mut other = position.clone();
    other.state.rights = read_rights(game, text)?;
    other.restart_turn();
    let problems = other.problems(&game.rules);
    if let Some(problem) = problems.iter().find(|problem| matches!(problem, Problem::RightWithoutPiece(_))) {
        return fail(problem.field(), problem.describe(game));
    }
    *position = other;
    Ok(())
}

/// Those of some rights whose pieces are in place, as the third field of a FEN.
pub fn possible_rights(game: &Game, position: &Position, rights: &str) -> String {
    let possible: String = rights.chars().filter(|right| can_have(game, position, *right)).collect();
    if possible.is_empty() { "-".into() } else { possible }
}

/// Whether a position that is being edited has the pieces that a right needs.
pub(crate) fn can_have(game: &Game, position: &Position, right: char) -> bool {
    right != '-' && set_rights(game, &mut position.clone(), right.encode_utf8(&mut [0; 4])).is_ok()
}

/// Writes the pieces of a position, the first field of a FEN.
pub fn write_pieces(game: &Game, position: &Position) -> String {
    write_placement((game.rules.files, game.rules.ranks), game.definition.holes, &|square| {
        let piece = position.piece(square)?;
        Some(game.symbol(piece.piece_type()).cased(piece.color()).to_string())
    })
}

/// Writes a position at the start of a turn: six fields, seven where checks are counted.
pub(crate) fn write_position(game: &Game, position: &Position) -> String {
    let rows = write_pieces(game, position);
    let mut landings: Vec<Square> = position.state.en_passant.iter().flat_map(|track| track.landings()).collect();
    landings.sort_unstable();
    landings.dedup();
    let en_passant: String = landings.iter().map(Square::to_string).collect();
    let en_passant = if en_passant.is_empty() { "-" } else { &en_passant };
    let left = |wanted: [u8; 2], color: usize| wanted[color] - position.state.checks[color];
    let checks = game.rules.checks.map(|wanted| format!("{}+{} ", left(wanted, 0), left(wanted, 1)));
    format!(
        "{rows} {} {} {} {}{} {}",
        position.turn().letter(),
        write_rights(game, position),
        en_passant,
        checks.unwrap_or_default(),
        position.state.halfmove,
        position.state.fullmove
    )
}

impl Problem {
    /// The FEN field that a problem belongs to.
    pub(crate) fn field(&self) -> &'static str {
        match self {
            Problem::RightWithoutPiece(_) => "rights",
            Problem::OppositeCheck => "side to move",
            _ => "placement",
        }
    }
}

//! Positions and moves in JSON, as boards in browsers show them. A server sends a position after every move, and building
//! it from Python objects would be most of its work.

use crate::board::Board;
use crate::fen::{can_have, write_pieces, write_rights};
use crate::moves::Move;
use crate::reach::{MoveInfo, Reach};
use crate::set::Set;
use crate::square::Square;
use std::fmt::{Display, Write};
use std::sync::LazyLock;

/// The names of all squares, by number, in quotes.
static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| (0..=255).map(|at| format!("\"{}\"", Square(at))).collect());

/// Writes a position in the shape of Python's `acedrex.shapes.Position`, with these legal moves and the names of the
/// squares that the last move touched.
pub fn position_json(board: &Board, legal: &[Move], last: &[String]) -> String {
    let game = board.game();
    let (position, rules) = (board.position(), &game.rules);
    let turn_moves: Vec<Move> = board.moves().skip(board.stack_len() - board.moves_in_turn()).collect();
    let kings = position.attacked_kings(rules, board.turn());
    let mut out = String::with_capacity(4096 + legal.len() * 320);
    key(&mut out, "{", "fen", |out| word(out, &board.fen()));
    key(&mut out, ",", "turn", |out| word(out, board.turn().name()));
    key(&mut out, ",", "ply", |out| number(out, board.stack_len()));
    key(&mut out, ",", "pieces", |out| pieces(out, board));
    key(&mut out, ",", "turn_moves", |out| list(out, &turn_moves, |out, mv| word(out, &board.move_text(*mv))));
    key(&mut out, ",", "moves_left", |out| number(out, board.moves_left()));
    key(&mut out, ",", "moved", |out| list(out, moved(&turn_moves), name));
    key(&mut out, ",", "in_command", |out| {
        maybe(out, rules.multi.then(|| position.movers(rules)), |out, movers| list(out, movers, name));
    });
    key(&mut out, ",", "commanders", |out| {
        let movers = if rules.command.is_some() { position.movers(rules) } else { Set::EMPTY };
        list(out, movers, |out, square| {
            key(out, "{", "square", |out| name(out, square));
            key(out, ",", "by", |out| list(out, position.commanders(rules, square), name));
            out.push('}');
        });
    });
    key(&mut out, ",", "last_turn", |out| {
        list(out, if rules.multi { last_turn(board) } else { Vec::new() }, |out, (path, before)| {
            key(out, "{", "path", |out| list(out, path, name));
            key(out, ",", "before", |out| word(out, &before));
            out.push('}');
        });
    });
    key(&mut out, ",", "check", |out| list(out, kings, name));
    let mut reached: Option<(Square, Vec<Reach>)> = None;
    key(&mut out, ",", "legal", |out| {
        list(out, legal, |out, mv| {
            // The moves of a piece stand together.
            reached.take_if(|(from, _)| *from != mv.from());
            let (_, reaches) = reached.get_or_insert_with(|| (mv.from(), position.reach(rules, mv.from())));
            legal_move(out, board, *mv, &board.move_info_of(*mv, reaches));
        });
    });
    key(&mut out, ",", "last", |out| list(out, last, |out, name| word(out, name)));
    key(&mut out, ",", "claimable", |out| list(out, board.claimable(), |out, reason| word(out, reason.name())));
    out.push('}');
    out
}

/// Writes the position of a board as [`position_json`] does, with all legal moves and the last move as the board knows it.
pub fn board_json(board: &Board) -> String {
    let legal = if board.outcome(false).is_none() { board.legal_moves() } else { Vec::new() };
    let last: Vec<String> = board.last_touched().iter().map(Square::to_string).collect();
    position_json(board, &legal, &last)
}

/// Writes how many pieces attack each square and which captures win something, in the shape of `wire.Attacks`.
pub fn attacks_json(board: &Board) -> String {
    let mut out = String::new();
    key(&mut out, "{", "squares", |out| {
        list(out, board.attack_counts(), |out, (square, [white, black])| {
            key(out, "{", "square", |out| name(out, square));
            key(out, ",", "white", |out| number(out, white));
            key(out, ",", "black", |out| number(out, black));
            out.push('}');
        });
    });
    key(&mut out, ",", "threats", |out| list(out, board.threats(), squares));
    out.push('}');
    out
}

/// Writes a position that is being edited, the rights that it could have and why it cannot be played, in the shape of
/// `wire.Edited`.
pub fn edited_json(board: &Board) -> String {
    let (game, position) = (board.game(), board.position());
    let rules = &game.rules;
    let held = write_rights(game, position);
    let known = write_rights(game, Board::new(game.clone()).position()) + &held;
    let mut out = String::new();
    key(&mut out, "{", "fen", |out| word(out, &board.fen()));
    key(&mut out, ",", "pieces", |out| pieces(out, board));
    key(&mut out, ",", "turn", |out| word(out, board.turn().name()));
    key(&mut out, ",", "rights", |out| word(out, &held));
    let rights = rules.rights.iter().filter(|right| known.contains(right.letter));
    key(&mut out, ",", "known_rights", |out| {
        list(out, rights, |out, right| {
            let (what, square) = rules.named_right(right);
            key(out, "{", "letter", |out| text(out, right.letter));
            key(out, ",", "side", |out| word(out, right.color.name()));
            key(out, ",", "what", |out| word(out, what));
            key(out, ",", "square", |out| maybe(out, square, name));
            key(out, ",", "possible", |out| number(out, can_have(game, position, right.letter)));
            out.push('}');
        });
    });
    key(&mut out, ",", "problems", |out| {
        list(out, position.problems(rules), |out, problem| {
            key(out, "{", "name", |out| word(out, problem.name()));
            key(out, ",", "message", |out| escaped(out, &problem.describe(game)));
            out.push('}');
        });
    });
    out.push('}');
    out
}

fn pieces(out: &mut String, board: &Board) {
    let (game, position) = (board.game(), board.position());
    list(out, position.occupied(), |out, square| {
        let piece = position.piece(square).expect("a piece on an occupied square");
        key(out, "{", "square", |out| name(out, square));
        key(out, ",", "letter", |out| text(out, game.symbol(piece.piece_type())));
        key(out, ",", "side", |out| word(out, piece.color().name()));
        out.push('}');
    });
}

/// Writes squares that a piece reaches, each in the shape of `acedrex.shapes.Reach`.
pub fn reaches_json(reaches: &[Reach]) -> String {
    let mut out = String::new();
    list(&mut out, reaches, reach);
    out
}

/// Writes a legal move and what it does in the shape of `acedrex.shapes.LegalMove`.
pub fn move_json(board: &Board, mv: Move) -> String {
    let mut out = String::new();
    legal_move(&mut out, board, mv, &board.move_info(mv));
    out
}

fn legal_move(out: &mut String, board: &Board, mv: Move, info: &MoveInfo) {
    let square = |square| mv.moves_piece().then_some(square);
    let kind = match (&info.reach, info.captured) {
        (Some(reach), _) => reach.kind_name(),
        (None, Some(_)) => "capture",
        (None, None) => "move",
    };
    key(out, "{", "move", |out| word(out, &board.move_text(mv)));
    key(out, ",", "from", |out| maybe(out, square(mv.from()), name));
    key(out, ",", "to", |out| maybe(out, square(mv.to()), name));
    key(out, ",", "promotion", |out| maybe(out, mv.promotion().map(|kind| board.game().symbol(kind)), text));
    key(out, ",", "reach", |out| maybe(out, info.reach.as_ref(), reach));
    key(out, ",", "kind", |out| word(out, kind));
    key(out, ",", "captured_on", |out| maybe(out, info.captured.map(|(square, _)| square), name));
    key(out, ",", "partner", |out| maybe(out, info.partner, squares));
    key(out, ",", "check", |out| out.push_str(if info.check { "true" } else { "false" }));
    key(out, ",", "ends_turn", |out| out.push_str(if info.ends_turn { "true" } else { "false" }));
    out.push('}');
}

fn reach(out: &mut String, reach: &Reach) {
    key(out, "{", "to", |out| name(out, reach.to));
    key(out, ",", "kind", |out| word(out, reach.kind_name()));
    key(out, ",", "mount", |out| maybe(out, reach.mount, name));
    key(out, ",", "path", |out| list(out, reach.path.iter().copied(), name));
    key(out, ",", "legs", |out| list(out, reach.legs.iter().copied(), name));
    out.push('}');
}

fn squares(out: &mut String, (from, to): (Square, Square)) {
    key(out, "{", "from", |out| name(out, from));
    key(out, ",", "to", |out| name(out, to));
    out.push('}');
}

/// The moves of the current turn or, at its start, of the turn before: the squares that each touched, its origin first,
/// and the pieces before it in FEN.
fn last_turn(board: &Board) -> Vec<(Vec<Square>, String)> {
    let mut board = board.with_past(1);
    let mut found = Vec::new();
    while let Some(mv) = board.pop() {
        if !mv.moves_piece() {
            continue;
        }
        let path = board.touched(mv);
        found.push((path, write_pieces(board.game(), board.position())));
    }
    found.reverse();
    found
}

/// The squares of the pieces that have moved in this turn.
fn moved(moves: &[Move]) -> Vec<Square> {
    let mut squares = Vec::new();
    for mv in moves.iter().filter(|mv| mv.moves_piece()) {
        squares.retain(|square| *square != mv.from());
        squares.push(mv.to());
    }
    squares
}

/// Writes a key and its value, with what stands before it: `{` or `,`.
pub fn key(out: &mut String, before: &str, name: &str, value: impl FnOnce(&mut String)) {
    out.push_str(before);
    word(out, name);
    out.push(':');
    value(out);
}

/// Writes a text that needs no escaping.
pub fn word(out: &mut String, value: &str) {
    out.push('"');
    out.push_str(value);
    out.push('"');
}

/// Writes any text.
pub fn escaped(out: &mut String, value: &str) {
    out.push('"');
    for letter in value.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            '\n' => out.push_str("\\n"),
            '\0'..='\x1f' => write!(out, "\\u{:04x}", letter as u32).expect("writing to a String never fails"),
            _ => out.push(letter),
        }
    }
    out.push('"');
}

/// Writes the name of a square.
pub fn name(out: &mut String, square: Square) {
    out.push_str(&NAMES[usize::from(square.0)]);
}

fn text(out: &mut String, value: impl Display) {
    write!(out, "\"{value}\"").expect("writing to a String never fails");
}

/// Writes a number.
pub fn number(out: &mut String, value: impl Display) {
    write!(out, "{value}").expect("writing to a String never fails");
}

/// Writes a value, or `null` if there is none.
pub fn maybe<T>(out: &mut String, value: Option<T>, some: impl FnOnce(&mut String, T)) {
    match value {
        Some(value) => some(out, value),
        None => out.push_str("null"),
    }
}

/// Writes a list.
pub fn list<T>(out: &mut String, items: impl IntoIterator<Item = T>, mut item: impl FnMut(&mut String, T)) {
    out.push('[');
    for (at, value) in items.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        item(out, value);
    }
    out.push(']');
}

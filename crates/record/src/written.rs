//! Turns as people and programs write them.

use crate::glyphs;
use rules::{Board, Move};
use std::sync::Arc;

/// Makes a move whose promotion is not written, to the first piece that is legal. Returns its moves and what it is.
pub(crate) fn push_with_promotion(board: &mut Board, text: &str) -> Option<(Vec<Move>, String)> {
    let bare = text.trim_end_matches(['+', '#']);
    if !bare.ends_with(|c: char| c.is_ascii_digit()) || bare.contains(',') {
        return None;
    }
    let game = Arc::clone(board.game());
    let mut kinds: Vec<_> = game.definition.piece_types.iter().flat_map(|kind| kind.promotes_to.clone()).collect();
    kinds.dedup();
    kinds.into_iter().find_map(|kind| {
        let read_as = format!("{bare}={}", game.symbol(kind));
        Some((board.push_turn(&read_as).ok()?, read_as))
    })
}

/// The rank 0 or 10 of a square in a turn: what it is tells where ranks begin to count.
pub(crate) fn outer_rank(text: &str) -> Option<u8> {
    let at = |index: usize| text.as_bytes().get(index).copied().unwrap_or_default();
    (0..text.len()).filter(|index| at(*index).is_ascii_lowercase()).find_map(|file| {
        match (at(file + 1), at(file + 2)) {
            (b'0', _) => Some(0),
            (b'1', b'0') => Some(10),
            _ => None,
        }
    })
}

/// A turn whose ranks count from 0, with ranks that count from 1.
pub(crate) fn ranks_from_one(text: &str) -> String {
    if text.starts_with('0') {
        return text.into(); // castling
    }
    let (mut found, mut rest) = (String::new(), text);
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let length = rest[start..].bytes().take_while(u8::is_ascii_digit).count();
        let (before, number) = (&rest[..start], &rest[start..start + length]);
        let rank = number.parse::<u32>().map_or_else(|_| number.into(), |rank| rank.saturating_add(1).to_string());
        found += before;
        found += &rank;
        rest = &rest[start + length..];
    }
    found + rest
}

/// Whether a word marks the move before it: `e.p.`, or a check that stands apart.
pub(crate) fn is_mark(text: &str) -> bool {
    let bare = text.trim_end_matches(['+', '#', '!', '?']);
    matches!(bare, "" | "e.p." | "ep" | "e.p" | "ep." | "mate")
}

/// Takes the glyphs from the moves of a turn, but not a `!` that belongs to the symbol of a promotion.
pub(crate) fn without_glyphs(board: &Board, text: &str) -> (String, Vec<u8>) {
    let game = board.game();
    let marked = |symbol: &str| {
        let symbol = rules::Symbol::parse(&symbol.to_ascii_uppercase());
        symbol.is_some_and(|symbol| game.piece_type_of(symbol).is_some())
    };
    let (mut moves, mut glyphs) = (Vec::new(), Vec::new());
    for mv in text.split(',') {
        let promotion = mv.rfind(|c: char| c.is_ascii_digit()).map(|digit| &mv[digit + 1..]);
        let symbol = promotion.map(|rest| rest.trim_start_matches(['=', '/', '('])).unwrap_or_default();
        let kept = match symbol.get(..2).filter(|symbol| symbol.ends_with('!') && marked(symbol)) {
            Some(found) => mv.len() - symbol.len() + found.len(),
            None => 0,
        };
        let (rest, found) = glyphs::split(mv, kept);
        moves.push(rest);
        glyphs.extend(found);
    }
    (moves.join(","), glyphs)
}

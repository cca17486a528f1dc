//! Random positions of few pieces, the defender's King mostly near an edge and the attacker's pieces near it.

use crate::games::around;
use judge::Random;
use rules::{Board, Cell, Color, Game, Kind, Piece, Position, Square, read_board};
use std::sync::Arc;

/// Returns a position with both Kings, two to four pieces of the attacker, who is to move, and up to three of the
/// defender; `None` if the random position is not playable.
pub fn place(game: &Arc<Game>, random: &mut Random) -> Option<Board> {
    let rules = &game.rules;
    let us = *random.pick(&Color::BOTH);
    let mut position = Position::empty();
    position.set_turn(us);
    let squares: Vec<Square> = rules.board.into_iter().collect();
    let edge: Vec<Square> =
        squares.iter().copied().filter(|s| s.rank() <= 1 || s.rank() + 2 >= rules.ranks || s.file() == 0).collect();
    let anywhere = random.one_in(4);
    let enemy_king = *random.pick(if anywhere { &squares } else { &edge });
    let others: Vec<Kind> = (0..rules.kinds as u8).map(Kind).filter(|kind| !rules.royal[kind.index()]).collect();
    let mut put = |at: Square, color: Color, kind: Kind| {
        let free = position.cell(at).is_empty();
        if free {
            position.set(rules, at, Cell::full(Piece::new(color, kind)));
        }
        free
    };
    put(enemy_king, !us, rules.royals[0]);
    put(*random.pick(&around(rules, enemy_king, 4)), us, rules.royals[0]).then_some(())?;
    for _ in 0..random.range(2, 4) {
        let near = around(rules, enemy_king, random.range(2, 8) as u8);
        put(*random.pick(&near), us, *random.pick(&others)).then_some(())?;
    }
    for _ in 0..random.below(4) {
        put(*random.pick(&around(rules, enemy_king, 3)), !us, *random.pick(&others)).then_some(())?;
    }
    // The FEN sets what the position remembers besides its pieces: here, which King may still jump.
    let fen = Board::from_position(Arc::clone(game), position).fen();
    let rights = if rules.jump_right[0] == rules::tables::NONE { "-" } else { *random.pick(&["-", "Kk", "K", "k"]) };
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[2] = rights;
    read_board(game, &fields.join(" ")).ok()
}

/// Returns a skirmish of few pieces, one to four of them royal on each side, placed at random close to each other.
pub fn skirmish(game: &Arc<Game>, random: &mut Random) -> Option<Board> {
    let rules = &game.rules;
    let kinds: Vec<Kind> = game.definition.placement.iter().map(|(_, _, kind)| *kind).collect();
    let others: Vec<Kind> = kinds.into_iter().filter(|kind| !rules.royal[kind.index()]).collect();
    let squares: Vec<Square> = rules.board.into_iter().collect();
    let near = around(rules, *random.pick(&squares), 4);
    let mut position = Position::empty();
    position.set_turn(*random.pick(&Color::BOTH));
    for color in Color::BOTH {
        let royals = random.range(1, 4);
        for index in 0..royals + random.range(2, 6) {
            let at = *random.pick(&near);
            let kind = if index < royals { rules.royals[0] } else { *random.pick(&others) };
            position.cell(at).is_empty().then_some(())?;
            position.set(rules, at, Cell::full(Piece::new(color, kind)));
        }
    }
    let fen = Board::from_position(Arc::clone(game), position).fen();
    read_board(game, &fen).ok()
}

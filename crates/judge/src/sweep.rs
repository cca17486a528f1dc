//! Checks millions of moves: legality and check are tested by making each move, looking at the King and unmaking it.

use crate::random::Random;
use rules::{Board, Game, Move, read_board};
use std::sync::Arc;

/// Plays random games until `moves` moves are checked. Only for games with check. Calls `report` after every game with
/// the number of moves checked so far and the reason for the game's end.
///
/// # Errors
/// The first disagreement, with the FEN.
pub fn sweep(game: &Arc<Game>, seed: u64, moves: u64, report: &mut dyn FnMut(u64, &str)) -> Result<u64, String> {
    let mut random = Random::new(seed);
    let setups = game.setups().count();
    let mut judged = 0;
    while judged < moves {
        let mut board = Board::new(Arc::clone(game));
        if setups > 0 {
            let name = game.setups().name(1 + random.number() % setups).expect("numbered");
            let fen = game.setups().fen(&game.definition, &name)?;
            board = read_board(game, &fen).map_err(|error| error.to_string())?;
        }
        let reason = loop {
            if let Some(outcome) = board.outcome(false) {
                break outcome.reason.name();
            }
            let legal = judge(&mut board, &mut random).map_err(|message| format!("{}: {message}", board.fen()))?;
            board.push(*random.pick(&legal));
            judged += 1;
            if judged >= moves {
                break "unfinished";
            }
        };
        report(judged, reason);
    }
    Ok(judged)
}

fn judge(board: &mut Board, random: &mut Random) -> Result<Vec<Move>, String> {
    let game = Arc::clone(board.game());
    let rules = &game.rules;
    let us = board.turn();
    let legal = board.legal_moves();
    if board.position().must_decide(rules) {
        return Ok(legal);
    }
    let mut pseudo = Vec::new();
    board.position().pseudo_legal_moves(rules, &mut pseudo);
    let mut position = board.position().clone();
    let mut allowed = 0;
    for mv in pseudo {
        let undo = position.make(rules, mv);
        let exposed = position.is_attacked_royal(rules, us);
        let check = position.is_attacked_royal(rules, !us);
        position.unmake(rules, undo);
        if legal.contains(&mv) == exposed {
            return Err(format!("{mv:?} leaves the King attacked: {exposed}"));
        }
        if !exposed {
            allowed += 1;
            if board.position().gives_check(rules, mv) != check {
                return Err(format!("{mv:?} gives check: {check}"));
            }
        }
    }
    if allowed != legal.len() || board.position().count_moves(rules) != legal.len() as u64 {
        return Err(format!("{allowed} moves by trial, {} listed", legal.len()));
    }
    if position != *board.position() || !position.is_consistent(rules) {
        return Err("a move unmade leaves something behind, or the key is wrong".into());
    }
    let mv = *random.pick(&legal);
    let (text, san) = (board.move_text(mv), board.san(mv));
    if board.parse_move(&text).ok() != Some(mv) || board.parse_san(&san).ok() != Some(mv) {
        return Err(format!("{text} or {san} does not read back as {mv:?}"));
    }
    if random.one_in(4) {
        let fen = board.fen();
        let read = read_board(&game, &fen).map_err(|error| format!("its own FEN is refused: {error}"))?;
        if read.position() != board.position() || read.fen() != fen {
            return Err(format!("the FEN reads back as {}", read.fen()));
        }
    }
    Ok(legal)
}

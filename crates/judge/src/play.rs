//! Random play that checks the rules against brute force at every position.

use crate::brute::{Brute, assignable, turn_length};
use crate::random::Random;
use rules::definition::Goal;
use rules::tables::NONE;
use rules::{Board, Color, Game, Move, MoveTag, Set, Square, read_board};
use std::sync::Arc;

/// The result of a random game.
#[derive(Default, Clone, Copy, Debug)]
pub struct Played {
    /// Moves made.
    pub moves: u64,
    /// Whether the game ended by its rules.
    pub ended: bool,
}

/// The current turn as the judge follows it: the squares of the commanders by number, the commanders that could order
/// each move made, and the squares of the pieces that have moved.
#[derive(Default)]
struct Turn {
    commanders: Vec<Square>,
    orders: Vec<Vec<usize>>,
    moved: Vec<Square>,
}

/// Plays one random game and returns its result.
///
/// # Errors
/// The first disagreement, with the FEN.
pub fn play_seed(game: &Arc<Game>, seed: u64, max_plies: usize) -> Result<Played, String> {
    let mut random = Random::new(seed);
    let setups = game.setups().count();
    let mut board = Board::new(Arc::clone(game));
    if setups > 0 && random.one_in(2) {
        let name = game.setups().name(1 + random.number() % setups).expect("numbered");
        let fen = game.setups().fen(&game.definition, &name).map_err(|error| format!("setup {name}: {error}"))?;
        board = read_board(game, &fen).map_err(|error| format!("setup {name}: {error}"))?;
    }
    play(&mut board, &mut random, max_plies)
}

/// Plays on from a board at the start of a turn.
///
/// # Errors
/// The first disagreement, with the FEN.
pub fn play(board: &mut Board, random: &mut Random, max_plies: usize) -> Result<Played, String> {
    let mut turn = begin_turn(board);
    let mut played = Played::default();
    while played.moves < max_plies as u64 {
        let moves = judge(board, &turn, random).map_err(|message| format!("{}: {message}", board.fen()))?;
        if board.outcome(false).is_some() || moves.is_empty() {
            played.ended = true;
            break;
        }
        let mv = choose(board, &moves, random);
        step(board, mv, &mut turn)
            .map_err(|message| format!("{} after {}: {message}", board.fen(), board.move_text(mv)))?;
        played.moves += 1;
    }
    Ok(played)
}

/// A random move; captures and special moves are somewhat likelier, so that games make progress.
fn choose(board: &Board, moves: &[Move], random: &mut Random) -> Move {
    let mv = *random.pick(moves);
    let dull = mv.tag() == MoveTag::Normal && board.position().cell(mv.to()).is_empty() && mv.promotion().is_none();
    if dull && random.one_in(4) { *random.pick(moves) } else { mv }
}

fn begin_turn(board: &Board) -> Turn {
    Turn { commanders: board.position().royals(board.turn()).into_iter().collect(), ..Turn::default() }
}

/// The commanders that could order a move of the piece on a square.
fn orders(board: &Board, turn: &Turn, from: Square) -> Vec<usize> {
    let Some(command) = board.game().rules.turn.command else { return Vec::new() };
    let royal = turn.commanders.contains(&from);
    let able =
        |(_, at): &(usize, &Square)| from.distance(**at) <= command.range && (command.royals || !royal || **at == from);
    turn.commanders.iter().enumerate().filter(able).map(|(number, _)| number).collect()
}

/// What may be captured en passant, as the position stores it.
fn en_passant(board: &Board) -> Vec<(Square, Vec<Square>)> {
    board.position().state().en_passant.iter().map(|track| (track.victim, track.landings().collect())).collect()
}

fn brute_moves(board: &Board, turn: &Turn, en_passant: &[(Square, Vec<Square>)]) -> Vec<(Move, Option<Square>)> {
    let game = Arc::clone(board.game());
    let rules = &game.rules;
    if is_over(board, turn) {
        return Vec::new();
    }
    let may_move = |from: Square| {
        if rules.turn.once_each && turn.moved.contains(&from) {
            return false;
        }
        if rules.turn.command.is_none() {
            return true;
        }
        let mut all = turn.orders.clone();
        all.push(orders(board, turn, from));
        assignable(&all)
    };
    let brute = Brute::new(board, &game);
    brute.allowed(brute.moves(en_passant, &may_move))
}

/// Whether the game is over whatever moves there are.
fn is_over(board: &Board, turn: &Turn) -> bool {
    let game = Arc::clone(board.game());
    let position = board.position();
    let captured = |color: &Color| position.royals(*color).is_empty();
    if position.state().claimed || (game.rules.end.goal == Goal::CaptureRoyals && Color::BOTH.iter().any(captured)) {
        return true;
    }
    let brute = Brute::new(board, &game);
    let checks = position.state().checks;
    let Some((winner, final_)) = brute.condition(checks) else { return false };
    let us = board.turn();
    if final_ || winner != Some(!us) || !turn.moved.is_empty() {
        return true;
    }
    let answers = brute.allowed(brute.moves(&en_passant(board), &|_| true));
    let changes = |(mv, victim): &(Move, Option<Square>)| {
        let after = brute.after(*mv, *victim);
        let mut checks = checks;
        count_check(&game, &mut checks, us, after.in_check(!us));
        after.condition(checks).is_none_or(|(other, _)| other != winner)
    };
    !answers.iter().any(changes)
}

/// Counts a check given by a side, if the game wants more of it.
fn count_check(game: &Game, checks: &mut [u8; 2], by: Color, given: bool) {
    let wanted = game.rules.checks.is_some_and(|wanted| checks[by.index()] < wanted[by.index()]);
    checks[by.index()] += u8::from(given && wanted);
}

/// Checks everything that the rules say about a position against brute force; returns the legal moves.
fn judge(board: &Board, turn: &Turn, random: &mut Random) -> Result<Vec<Move>, String> {
    let game = Arc::clone(board.game());
    let rules = &game.rules;
    let position = board.position();
    let moves = board.legal_moves();
    let brute = brute_moves(board, turn, &en_passant(board));
    let state = position.state();
    let over = is_over(board, turn);
    let mut wanted: Vec<Move> = brute.iter().map(|(mv, _)| *mv).collect();
    if position.must_decide(rules) && !wanted.is_empty() {
        wanted = vec![Move::CLAIM, Move::PLAY_ON];
    } else if !over
        && ((rules.turn.may_end && state.moves > 0) || (rules.turn.may_pass && state.moves == 0))
        && !Brute::new(board, &game).in_check(board.turn())
    {
        wanted.push(Move::END);
    }
    for mv in &moves {
        if !wanted.contains(mv) {
            return Err(format!("{mv:?} is generated; brute force has {wanted:?}"));
        }
        if moves.iter().filter(|other| other.same_text(*mv)).count() > 1 {
            return Err(format!("{mv:?} is generated twice"));
        }
    }
    if let Some(mv) = wanted.iter().find(|mv| !moves.contains(mv)) {
        return Err(format!("{mv:?} is not generated"));
    }
    check_halves(board, &moves)?;
    if position.count_moves(rules) != moves.len() as u64 {
        return Err(format!("{} moves counted, {} listed", position.count_moves(rules), moves.len()));
    }
    if position.has_move(rules) == moves.is_empty() {
        return Err("has_ply is wrong".into());
    }
    let plain = Brute::new(board, &game);
    if position.is_check(rules) != plain.in_check(board.turn()) {
        return Err("is_check is wrong".into());
    }
    let before = position.clone();
    let mut moving = position.clone();
    for (mv, victim) in &brute {
        if !moves.contains(mv) {
            continue;
        }
        let check = plain.after(*mv, *victim).in_check(!board.turn());
        if position.gives_check(rules, *mv) != check {
            return Err(format!("{mv:?} gives check: {check} by brute force"));
        }
        let undo = moving.make(rules, *mv);
        let mut checks = before.state().checks;
        count_check(&game, &mut checks, board.turn(), check);
        if moving.state().checks != checks {
            return Err(format!("{mv:?} leaves {:?} checks, {checks:?} by brute force", moving.state().checks));
        }
        if !moving.is_consistent(rules) {
            return Err(format!("after {mv:?} the sets or the key are wrong"));
        }
        moving.unmake(rules, undo);
        if moving != before {
            return Err(format!("unmaking {mv:?} does not restore the position"));
        }
    }
    texts(board, &moves, random)?;
    Ok(moves)
}

/// Checks that captures and promotions together with the quiet moves are all legal moves, and checks the squares that
/// each piece attacks.
fn check_halves(board: &Board, moves: &[Move]) -> Result<(), String> {
    let (position, game) = (board.position(), board.game());
    let rules = &game.rules;
    let number = |mv: &Move| (mv.from(), mv.to(), mv.promotion(), mv.tag() as u8);
    if !position.must_decide(rules) {
        let (mut tactical, mut all) = (Vec::new(), Vec::new());
        position.tactical_moves(rules, &mut tactical);
        position.quiet_moves(rules, &mut all);
        let enemy = position.by_color(!position.turn());
        let is_tactical = |mv: &Move| {
            mv.moves_piece() && enemy.contains(mv.to()) || mv.tag() == MoveTag::EnPassant || mv.promotion().is_some()
        };
        if let Some(mv) = tactical.iter().find(|mv| !is_tactical(mv)).or(all.iter().find(|mv| is_tactical(mv))) {
            return Err(format!("{mv:?} is in the wrong half of the moves"));
        }
        all.extend(tactical);
        all.sort_by_key(number);
        let mut moves = moves.to_vec();
        moves.sort_by_key(number);
        if all != moves {
            return Err(format!("the halves together are {all:?}, the whole is {moves:?}"));
        }
    }
    let occupied = position.occupied();
    for from in occupied {
        let piece = position.piece(from).expect("occupied");
        // A piece type with `sees` may attack an enemy King where it could not capture.
        if !game.definition.piece_types[piece.piece_type().index()].sees.is_empty() {
            continue;
        }
        let set = position.attack_set(rules, piece, from);
        let other = rules.board.without(from).into_iter();
        let other = other.filter(|to| position.piece_attacks(rules, piece, from, *to, &occupied)).collect();
        if set != other {
            return Err(format!("the piece on {from} attacks {set:?} as a set, {other:?} square by square"));
        }
    }
    Ok(())
}

/// Checks that FEN, coordinates and SAN read back as what was written.
fn texts(board: &Board, moves: &[Move], random: &mut Random) -> Result<(), String> {
    let fen = board.fen();
    let read = read_board(board.game(), &fen).map_err(|error| format!("its own FEN is refused: {error}"))?;
    if read.position() != board.position() {
        return Err("reading the FEN gives another position".into());
    }
    if read.fen() != fen || read.key() != board.key() {
        return Err(format!("the FEN reads back as {}", read.fen()));
    }
    for mv in moves {
        let text = board.move_text(*mv);
        if board.parse_move(&text).ok() != Some(*mv) {
            return Err(format!("{text} does not read back as {mv:?}"));
        }
    }
    for _ in 0..moves.len().min(3) {
        let mv = *random.pick(moves);
        let san = board.san(mv);
        match board.parse_san(&san) {
            Ok(read) if read == mv => {}
            other => return Err(format!("SAN {san} of {mv:?} reads back as {other:?}")),
        }
    }
    Ok(())
}

/// Makes a move and checks its effect on the turn and on en passant.
fn step(board: &mut Board, mv: Move, turn: &mut Turn) -> Result<(), String> {
    let game = Arc::clone(board.game());
    let rules = &game.rules;
    let color = board.turn();
    let quiet = board.position().cell(mv.to()).is_empty();
    let rights = board.position().state().rights;
    let made = board.position().state().moves as usize;
    let length = turn_length(board, turn.commanders.len());
    let was = en_passant(board);
    board.push(mv);
    if !mv.moves_piece() {
        let passed = board.turn() != color;
        if passed != (mv == Move::END) {
            return Err("the turn passes at the wrong move".into());
        }
        if passed {
            *turn = begin_turn(board);
        }
        return Ok(());
    }
    // The commanders still stand where they stood before the move.
    turn.orders.push(orders(board, turn, mv.from()));
    turn.moved.retain(|square| *square != mv.from());
    turn.moved.push(mv.to());
    if let Some(commander) = turn.commanders.iter_mut().find(|at| **at == mv.from()) {
        *commander = mv.to();
    }
    let passed = board.turn() != color;
    let over = rules.end.goal == Goal::CaptureRoyals && board.position().royals(!color).is_empty()
        || Brute::new(board, &game).condition(board.position().state().checks).is_some();
    let mut should = made + 1 >= length || over;
    if !should {
        // Treat the position as if the turn went on.
        let mut going = Brute::new(board, &game);
        going.set_turn(color);
        should = rules.turn.ends_on_check && going.in_check(!color);
        if !should {
            let mut remaining = was.clone();
            if mv.tag() != MoveTag::EnPassant {
                remaining.clear();
            }
            remaining.retain(|(victim, _)| board.position().cell(*victim).is(!color));
            let may_move = |from: Square| {
                if rules.turn.once_each && turn.moved.contains(&from) {
                    return false;
                }
                let mut all = turn.orders.clone();
                all.push(orders(board, turn, from));
                rules.turn.command.is_none() || assignable(&all)
            };
            should = going.allowed(going.moves(&remaining, &may_move)).is_empty();
        }
    }
    if passed != should {
        return Err(if passed { "the turn passes but should go on" } else { "the turn goes on but should pass" }.into());
    }
    if passed {
        if length == 1 {
            new_tracks(board, mv, quiet, rights)?;
        }
        *turn = begin_turn(board);
    }
    Ok(())
}

/// The squares of captures en passant after a move must be those that its walk passed, as far as a capture there is legal.
fn new_tracks(board: &Board, mv: Move, quiet: bool, rights: u64) -> Result<(), String> {
    let game = Arc::clone(board.game());
    let rules = &game.rules;
    let mover = !board.turn();
    let mut landings: Vec<Square> = Vec::new();
    if let (true, None, Some(piece)) = (quiet, mv.promotion(), board.position().piece(mv.to())) {
        let mut occupied = board.position().occupied();
        occupied.remove(mv.to());
        occupied.insert(mv.from());
        if mv.tag() == MoveTag::Passing {
            for free in
                rules.walks[piece.index()].iter().filter(|free| free.walk.track && free.from.contains(mv.from()))
            {
                if free.right == NONE || rights >> free.right & 1 != 0 {
                    free.walk.paths(mv.from(), &free.board, &occupied, &mut |path| {
                        if path.to() == mv.to() {
                            landings.extend(path.empties());
                        }
                    });
                }
            }
        }
        let right = rules.first_right[mv.from().index()];
        let straight = mv.from().file() == mv.to().file();
        let left = rules.en_passant_left[mover.index()].contains(mv.from());
        if left && straight && right != NONE && rights >> right & 1 != 0 && mv.tag() != MoveTag::EnPassant {
            landings.push(mv.from());
        }
    }
    let all = [(mv.to(), landings)];
    let turn = begin_turn(board);
    let commanded = |from: Square| rules.turn.command.is_none() || !orders(board, &turn, from).is_empty();
    let takeable: Set = Brute::new(board, &game)
        .moves(&all, &commanded)
        .iter()
        .filter(|(mv, _)| mv.tag() == MoveTag::EnPassant)
        .map(|(mv, _)| mv.to())
        .collect();
    let stored: Set = en_passant(board).into_iter().flat_map(|(_, landings)| landings).collect();
    if stored != takeable {
        return Err(format!("en passant on {stored:?}, but {takeable:?} by brute force"));
    }
    Ok(())
}

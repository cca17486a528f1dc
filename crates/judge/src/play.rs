//! Random play that checks the rules against brute force at every position.

use crate::brute::{Brute, assignable, turn_length};
use crate::random::Random;
use rules::definition::Goal;
use rules::rules::NONE;
use rules::{Board, Color, Game, Ply, PlyTag, Set, Square, read_board};
use std::sync::Arc;

/// The result of a random game.
#[derive(Default, Clone, Copy, Debug)]
pub struct Played {
    /// Moves made.
    pub plies: u64,
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
    while played.plies < max_plies as u64 {
        let plies = judge(board, &turn, random).map_err(|message| format!("{}: {message}", board.fen()))?;
        if board.outcome(false).is_some() || plies.is_empty() {
            played.ended = true;
            break;
        }
        let ply = choose(board, &plies, random);
        step(board, ply, &mut turn)
            .map_err(|message| format!("{} after {}: {message}", board.fen(), board.ply_text(ply)))?;
        played.plies += 1;
    }
    Ok(played)
}

/// A random move; captures and special moves are somewhat likelier, so that games make progress.
fn choose(board: &Board, plies: &[Ply], random: &mut Random) -> Ply {
    let ply = *random.pick(plies);
    let dull = ply.tag() == PlyTag::Normal && board.position().cell(ply.to()).is_empty() && ply.promotion().is_none();
    if dull && random.one_in(4) { *random.pick(plies) } else { ply }
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

/// The en passant tracks that the position stores.
fn tracks(board: &Board) -> Vec<(Square, Vec<Square>)> {
    board.position().state().tracks.iter().map(|track| (track.victim, track.landings().collect())).collect()
}

fn brute_moves(board: &Board, turn: &Turn, tracks: &[(Square, Vec<Square>)]) -> Vec<(Ply, Option<Square>)> {
    let game = Arc::clone(board.game());
    let rules = &game.rules;
    let over = board.position().state().claimed
        || (rules.end.goal == Goal::CaptureRoyals
            && Color::BOTH.iter().any(|color| board.position().royals(*color).is_empty()));
    if over {
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
    Brute::new(board, &game).moves(tracks, &may_move)
}

/// Checks everything that the rules say about a position against brute force; returns the legal moves.
fn judge(board: &Board, turn: &Turn, random: &mut Random) -> Result<Vec<Ply>, String> {
    let game = Arc::clone(board.game());
    let rules = &game.rules;
    let position = board.position();
    let plies = board.legal_plies();
    let brute = brute_moves(board, turn, &tracks(board));
    let state = position.state();
    let over = state.claimed || (!rules.has_check() && Color::BOTH.iter().any(|c| position.royals(*c).is_empty()));
    let mut wanted: Vec<Ply> = brute.iter().map(|(ply, _)| *ply).collect();
    if position.must_decide(rules) && !wanted.is_empty() {
        wanted = vec![Ply::CLAIM, Ply::PLAY_ON];
    } else if !over
        && ((rules.turn.may_end && state.plies > 0) || (rules.turn.may_pass && state.plies == 0))
        && !Brute::new(board, &game).in_check(board.turn())
    {
        wanted.push(Ply::END);
    }
    for ply in &plies {
        if !wanted.contains(ply) {
            return Err(format!("{ply:?} is generated; brute force has {wanted:?}"));
        }
        if plies.iter().filter(|other| other.same_text(*ply)).count() > 1 {
            return Err(format!("{ply:?} is generated twice"));
        }
    }
    if let Some(ply) = wanted.iter().find(|ply| !plies.contains(ply)) {
        return Err(format!("{ply:?} is not generated"));
    }
    check_halves(board, &plies)?;
    if position.count_plies(rules) != plies.len() as u64 {
        return Err(format!("{} plies counted, {} listed", position.count_plies(rules), plies.len()));
    }
    if position.has_ply(rules) == plies.is_empty() {
        return Err("has_ply is wrong".into());
    }
    let plain = Brute::new(board, &game);
    if position.is_check(rules) != plain.in_check(board.turn()) {
        return Err("is_check is wrong".into());
    }
    let before = position.clone();
    let mut moving = position.clone();
    for (ply, victim) in &brute {
        if !plies.contains(ply) {
            continue;
        }
        let check = plain.after(*ply, *victim).in_check(!board.turn());
        if position.gives_check(rules, *ply) != check {
            return Err(format!("{ply:?} gives check: {check} by brute force"));
        }
        let undo = moving.make(rules, *ply);
        if !moving.is_consistent(rules) {
            return Err(format!("after {ply:?} the sets or the key are wrong"));
        }
        moving.unmake(rules, undo);
        if moving != before {
            return Err(format!("unmaking {ply:?} does not restore the position"));
        }
    }
    texts(board, &plies, random)?;
    Ok(plies)
}

/// Checks that captures and promotions together with the quiet moves are all legal moves, and checks the squares that
/// each piece attacks.
fn check_halves(board: &Board, plies: &[Ply]) -> Result<(), String> {
    let (position, game) = (board.position(), board.game());
    let rules = &game.rules;
    let number = |ply: &Ply| (ply.from(), ply.to(), ply.promotion(), ply.tag() as u8);
    if !position.must_decide(rules) {
        let (mut tactical, mut all) = (Vec::new(), Vec::new());
        position.tactical_plies(rules, &mut tactical);
        position.quiet_plies(rules, &mut all);
        let enemy = position.by_color(!position.turn());
        let is_tactical = |ply: &Ply| {
            ply.moves_piece() && enemy.contains(ply.to()) || ply.tag() == PlyTag::EnPassant || ply.promotion().is_some()
        };
        if let Some(ply) = tactical.iter().find(|ply| !is_tactical(ply)).or(all.iter().find(|ply| is_tactical(ply))) {
            return Err(format!("{ply:?} is in the wrong half of the plies"));
        }
        all.extend(tactical);
        all.sort_by_key(number);
        let mut plies = plies.to_vec();
        plies.sort_by_key(number);
        if all != plies {
            return Err(format!("the halves together are {all:?}, the whole is {plies:?}"));
        }
    }
    let occupied = position.occupied();
    for from in occupied {
        let piece = position.piece(from).expect("occupied");
        // A kind with `sees` may attack an enemy King where it could not capture.
        if !game.definition.kinds[piece.kind().index()].sees.is_empty() {
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
fn texts(board: &Board, plies: &[Ply], random: &mut Random) -> Result<(), String> {
    let fen = board.fen();
    let read = read_board(board.game(), &fen).map_err(|error| format!("its own FEN is refused: {error}"))?;
    if read.position() != board.position() {
        return Err("reading the FEN gives another position".into());
    }
    if read.fen() != fen || read.key() != board.key() {
        return Err(format!("the FEN reads back as {}", read.fen()));
    }
    for ply in plies {
        let text = board.ply_text(*ply);
        if board.parse_ply(&text).ok() != Some(*ply) {
            return Err(format!("{text} does not read back as {ply:?}"));
        }
    }
    for _ in 0..plies.len().min(3) {
        let ply = *random.pick(plies);
        let san = board.san(ply);
        match board.parse_san(&san) {
            Ok(read) if read == ply => {}
            other => return Err(format!("SAN {san} of {ply:?} reads back as {other:?}")),
        }
    }
    Ok(())
}

/// Makes a move and checks its effect on the turn and on en passant.
fn step(board: &mut Board, ply: Ply, turn: &mut Turn) -> Result<(), String> {
    let game = Arc::clone(board.game());
    let rules = &game.rules;
    let color = board.turn();
    let quiet = board.position().cell(ply.to()).is_empty();
    let rights = board.position().state().rights;
    let made = board.position().state().plies as usize;
    let length = turn_length(board, turn.commanders.len());
    let was = tracks(board);
    board.push(ply);
    if !ply.moves_piece() {
        let passed = board.turn() != color;
        if passed != (ply == Ply::END) {
            return Err("the turn passes at the wrong ply".into());
        }
        if passed {
            *turn = begin_turn(board);
        }
        return Ok(());
    }
    // The commanders still stand where they stood before the move.
    turn.orders.push(orders(board, turn, ply.from()));
    turn.moved.retain(|square| *square != ply.from());
    turn.moved.push(ply.to());
    if let Some(commander) = turn.commanders.iter_mut().find(|at| **at == ply.from()) {
        *commander = ply.to();
    }
    let passed = board.turn() != color;
    let over = !rules.has_check() && board.position().royals(!color).is_empty();
    let mut should = made + 1 >= length || over;
    if !should {
        // Treat the position as if the turn went on.
        let mut going = Brute::new(board, &game);
        going.set_turn(color);
        should = rules.turn.ends_on_check && going.in_check(!color);
        if !should {
            let mut remaining = was.clone();
            if ply.tag() != PlyTag::EnPassant {
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
            should = going.moves(&remaining, &may_move).is_empty();
        }
    }
    if passed != should {
        return Err(if passed { "the turn passes but should go on" } else { "the turn goes on but should pass" }.into());
    }
    if passed {
        if length == 1 {
            new_tracks(board, ply, quiet, rights)?;
        }
        *turn = begin_turn(board);
    }
    Ok(())
}

/// The en passant tracks after a move must be the squares that its walk passed, as far as a capture there is legal.
fn new_tracks(board: &Board, ply: Ply, quiet: bool, rights: u64) -> Result<(), String> {
    let game = Arc::clone(board.game());
    let rules = &game.rules;
    let mover = !board.turn();
    let mut landings: Vec<Square> = Vec::new();
    if let (true, None, Some(piece)) = (quiet, ply.promotion(), board.position().piece(ply.to())) {
        let mut occupied = board.position().occupied();
        occupied.remove(ply.to());
        occupied.insert(ply.from());
        if ply.tag() == PlyTag::Track {
            for free in
                rules.walks[piece.index()].iter().filter(|free| free.walk.track && free.from.contains(ply.from()))
            {
                if free.right == NONE || rights >> free.right & 1 != 0 {
                    free.walk.paths(ply.from(), &free.board, &occupied, &mut |path| {
                        if path.to() == ply.to() {
                            landings.extend(path.empties());
                        }
                    });
                }
            }
        }
        let right = rules.first_right[ply.from().index()];
        let straight = ply.from().file() == ply.to().file();
        let left = rules.en_passant_left[mover.index()].contains(ply.from());
        if left && straight && right != NONE && rights >> right & 1 != 0 && ply.tag() != PlyTag::EnPassant {
            landings.push(ply.from());
        }
    }
    let all = [(ply.to(), landings)];
    let turn = begin_turn(board);
    let commanded = |from: Square| rules.turn.command.is_none() || !orders(board, &turn, from).is_empty();
    let takeable: Set = Brute::new(board, &game)
        .moves(&all, &commanded)
        .iter()
        .filter(|(ply, _)| ply.tag() == PlyTag::EnPassant)
        .map(|(ply, _)| ply.to())
        .collect();
    let stored: Set = tracks(board).into_iter().flat_map(|(_, landings)| landings).collect();
    if stored != takeable {
        return Err(format!("en passant on {stored:?}, but {takeable:?} by brute force"));
    }
    Ok(())
}

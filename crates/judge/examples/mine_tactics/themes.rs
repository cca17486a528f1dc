//! The themes of a mate, found from its solution.

use judge::Mates;
use rules::{Board, Move, MoveTag, Position, Rules, Square};

/// The themes of a puzzle with one key move. A theme of the mating moves counts only if some reply allows no other
/// mate.
pub fn themes(board: &Board, key: Move, moves: u32) -> Vec<String> {
    let rules = &board.game().rules;
    let mut found: Vec<&str> = Vec::new();
    let mut position = board.position().clone();
    let quiet = position.cell(key.to()).is_empty() && key.promotion().is_none() && key.tag() != MoveTag::EnPassant;
    let check = position.gives_check(rules, key);
    if quiet && !check {
        found.push("quiet key");
    }
    if !check && !position.attackers(rules, !board.turn(), key.to(), &position.occupied()).is_empty() {
        found.push("offer");
    }
    found.extend(of_move(key));
    position.make(rules, key);
    let mut mates = Mates::new(rules);
    for left in (2..moves).rev() {
        play_longest_defence(rules, &mut mates, &mut position, left);
    }
    let mut replies = Vec::new();
    position.legal_moves(rules, &mut replies);
    for reply in replies {
        found.extend(of_move(reply).filter(|theme| *theme == "king's jump" || *theme == "en passant"));
        let undo = position.make(rules, reply);
        let ends: Vec<Vec<&str>> =
            mates.keys(&mut position, 1).into_iter().map(|mate| of_mate(rules, &mut position, mate)).collect();
        let (first, others) = ends.split_first().expect("every reply is answered by mate");
        found.extend(first.iter().filter(|theme| others.iter().all(|end| end.contains(theme))));
        position.unmake(rules, undo);
    }
    found.sort_unstable();
    found.dedup();
    found.into_iter().map(String::from).collect()
}

/// Plays the reply that holds out longest, and the answer to it.
fn play_longest_defence(rules: &Rules, mates: &mut Mates, position: &mut Position, left: u32) {
    let mut replies = Vec::new();
    position.legal_moves(rules, &mut replies);
    let mut longest = None;
    for reply in replies {
        let undo = position.make(rules, reply);
        if !mates.mates(position, left - 1) || longest.is_none() {
            longest = Some(reply);
        }
        position.unmake(rules, undo);
    }
    position.make(rules, longest.expect("no mate yet"));
    let answer = mates.keys(position, left)[0];
    position.make(rules, answer);
}

fn of_move(mv: Move) -> impl Iterator<Item = &'static str> {
    let tag = match mv.tag() {
        MoveTag::Jump => Some("king's jump"),
        MoveTag::Castling => Some("castling"),
        MoveTag::EnPassant => Some("en passant"),
        MoveTag::Passing => Some("double step"),
        _ => None,
    };
    tag.into_iter().chain(mv.promotion().map(|_| "promotion"))
}

/// The themes of a mating move.
fn of_mate(rules: &Rules, position: &mut Position, mate: Move) -> Vec<&'static str> {
    let us = position.turn();
    let king = position.royals(!us).first().expect("a King");
    let mut found: Vec<&str> = of_move(mate).collect();
    let undo = position.make(rules, mate);
    let checkers = position.attackers(rules, us, king, &position.occupied());
    if checkers.count() > 1 {
        found.push("double check");
    } else if !checkers.contains(mate.to()) {
        found.push("discovered check");
    }
    for from in checkers {
        let spec = rules.piece(position.piece(from).expect("a checker"));
        let direction = rules.geometry.direction(from, king);
        let between = *rules.geometry.between(from, king) & position.occupied();
        if direction.is_some_and(|direction| spec.hops[direction]) && between.count() == 1 {
            found.push("hopper");
            if between.contains(mate.to()) {
                found.push("mount added");
            }
        } else if !spec.bents.is_empty() && bends(from, king) {
            found.push("bent slider");
        } else if direction.is_some_and(|direction| spec.slide_range[direction] >= from.distance(king)) {
            found.push("slider");
        } else {
            found.push("leaper");
        }
    }
    position.unmake(rules, undo);
    found
}

/// Whether two squares are neither neighbours nor on a line.
fn bends(from: Square, to: Square) -> bool {
    let (files, ranks) = (from.file().abs_diff(to.file()), from.rank().abs_diff(to.rank()));
    from.distance(to) > 1 && files != 0 && ranks != 0 && files != ranks
}

//! Finds turns that capture a royal piece: directly, or after preparing moves of the same turn.
//!
//! Three kinds of move prepare a capture: a piece unblocks an attacker's path, a royal piece comes near enough to
//! command the attacker, or it comes near enough to command another royal piece that does. Only those are tried.

use rules::{Move, Piece, Position, Rules, Set};

/// Returns the first moves of a turn up to the capture of a royal piece, or `None`. Visits at most `budget` positions.
pub fn capture_of_royal(rules: &Rules, position: &Position, budget: &mut u32) -> Option<Vec<Move>> {
    let us = position.turn();
    let left = position.turn_length(rules).saturating_sub(position.state().moves);
    let mut line = Vec::new();
    let attackers = attackers(rules, position, position.royals(!us));
    if attackers.is_empty() || left == 0 {
        return None;
    }
    // Short turns first: the longest are too many to search them all.
    (1..=left).any(|most| search(rules, position, most, budget, &mut line)).then_some(line)
}

fn search(rules: &Rules, position: &Position, left: u8, budget: &mut u32, line: &mut Vec<Move>) -> bool {
    if *budget == 0 {
        return false;
    }
    *budget -= 1;
    let us = position.turn();
    let targets = position.royals(!us);
    let attackers = attackers(rules, position, targets).minus(position.state().moved.iter().copied().collect());
    let mut moves = Vec::with_capacity(64);
    position.legal_moves_of(rules, attackers, &mut moves);
    if let Some(mv) = moves.iter().find(|mv| mv.moves_piece() && targets.contains(mv.to())) {
        line.push(*mv);
        return true;
    }
    if left <= 1 {
        return false;
    }
    // Pieces that block, and royals that could command an attacker that has no commander now.
    let movers = position.movers(rules);
    let mut helpers = Set::EMPTY;
    for attacker in attackers {
        let piece = position.piece(attacker).expect("an attacker");
        helpers |= blockers(rules, position, piece, attacker, targets);
    }
    let idle = attackers.minus(movers);
    let far = helpers.minus(movers);
    let royals = position.royals(us);
    let mut others = Vec::with_capacity(64);
    position.legal_moves_of(rules, helpers | if (idle | far).is_empty() { Set::EMPTY } else { royals }, &mut others);
    for mv in others {
        if !mv.moves_piece() {
            continue;
        }
        let clears = helpers.contains(mv.from());
        let reached = rules.command.as_ref().map_or(Set::EMPTY, |command| command[mv.to().index()]);
        // A royal piece that commands another spares the other its own command.
        let relays = left > 2 && royals.contains(mv.from()) && reached.meets(&royals.without(mv.from()));
        if !clears && !relays && !reached.meets(&(idle | far)) {
            continue;
        }
        let mut next = position.clone();
        next.make(rules, mv);
        if next.turn() != us {
            continue;
        }
        line.push(mv);
        if search(rules, &next, left - 1, budget, line) {
            return true;
        }
        line.pop();
    }
    false
}

/// The pieces that could capture a royal piece if nothing blocked them and they were commanded.
fn attackers(rules: &Rules, position: &Position, targets: Set) -> Set {
    let us = position.turn();
    let mut attackers = Set::EMPTY;
    for target in targets {
        for from in (rules.leap_zone[us.index()][target.index()] | position.possible_distant_attackers(rules, target))
            & position.by_color(us)
        {
            attackers.insert(from);
        }
    }
    attackers
}

/// Own pieces whose departure might unblock an attacker.
fn blockers(rules: &Rules, position: &Position, piece: Piece, attacker: rules::Square, targets: Set) -> Set {
    let spec = rules.piece(piece);
    let own = position.by_color(position.turn());
    let mut set = Set::EMPTY;
    if let Some(list) = spec.conditionals.get(attacker.index()) {
        for conditional in list.iter().filter(|conditional| conditional.capture && targets.contains(conditional.to)) {
            conditional.paths().for_each(|path| set |= *path & own);
        }
    }
    if rules.is_slider_or_hopper[piece.piece_type().index()] {
        for target in targets & *rules.geometry.lines(attacker) {
            set |= *rules.geometry.between(attacker, target) & own;
        }
    }
    if !spec.bents.is_empty() || !spec.walks.is_empty() {
        for target in targets {
            let near = |square: &rules::Square| square.distance(attacker) <= target.distance(attacker);
            set |= own.into_iter().filter(near).collect::<Set>();
        }
    }
    set.without(attacker)
}

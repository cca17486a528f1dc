//! Finds turns that capture a royal piece: directly, or after preparing moves of the same turn.
//!
//! Three kinds of move prepare a capture: a piece unblocks an attacker's path, a royal piece comes near enough to
//! command the attacker, or it comes near enough to command another royal piece that does. Only those are tried.

use rules::{Piece, Ply, Position, Rules, Set};

/// Returns the first moves of a turn up to the capture of a royal piece, or `None`. Visits at most `budget` positions.
pub fn capture_of_royal(rules: &Rules, position: &Position, budget: &mut u32) -> Option<Vec<Ply>> {
    let us = position.turn();
    let left = position.turn_length(rules).saturating_sub(position.state().plies);
    let mut line = Vec::new();
    let attackers = attackers(rules, position, position.royals(!us));
    if attackers.is_empty() || left == 0 {
        return None;
    }
    // Short turns first: the longest are too many to search them all.
    (1..=left).any(|most| search(rules, position, most, budget, &mut line)).then_some(line)
}

fn search(rules: &Rules, position: &Position, left: u8, budget: &mut u32, line: &mut Vec<Ply>) -> bool {
    if *budget == 0 {
        return false;
    }
    *budget -= 1;
    let us = position.turn();
    let targets = position.royals(!us);
    let attackers = attackers(rules, position, targets).minus(position.state().moved.iter().copied().collect());
    let mut plies = Vec::with_capacity(64);
    position.legal_plies_of(rules, attackers, &mut plies);
    if let Some(ply) = plies.iter().find(|ply| ply.moves_piece() && targets.contains(ply.to())) {
        line.push(*ply);
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
    position.legal_plies_of(rules, helpers | if (idle | far).is_empty() { Set::EMPTY } else { royals }, &mut others);
    for ply in others {
        if !ply.moves_piece() {
            continue;
        }
        let clears = helpers.contains(ply.from());
        let reached = rules.command.as_ref().map_or(Set::EMPTY, |command| command[ply.to().index()]);
        // A royal piece that commands another spares the other its own command.
        let relays = left > 2 && royals.contains(ply.from()) && reached.meets(&royals.without(ply.from()));
        if !clears && !relays && !reached.meets(&(idle | far)) {
            continue;
        }
        let mut next = position.clone();
        next.make(rules, ply);
        if next.turn() != us {
            continue;
        }
        line.push(ply);
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
    if rules.is_slider_or_hopper[piece.kind().index()] {
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

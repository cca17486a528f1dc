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
    let hunters = hunters(rules, position, position.royals(!us));
    if hunters.is_empty() || left == 0 {
        return None;
    }
    // Short turns first: the longest are too many to search them all.
    (1..=left).any(|most| hunt(rules, position, most, budget, &mut line)).then_some(line)
}

fn hunt(rules: &Rules, position: &Position, left: u8, budget: &mut u32, line: &mut Vec<Ply>) -> bool {
    if *budget == 0 {
        return false;
    }
    *budget -= 1;
    let us = position.turn();
    let targets = position.royals(!us);
    let hunters = hunters(rules, position, targets).minus(position.state().moved.iter().copied().collect());
    let mut plies = Vec::with_capacity(64);
    position.legal_plies_of(rules, hunters, &mut plies);
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
    for hunter in hunters {
        let piece = position.piece(hunter).expect("a hunter");
        helpers |= in_the_way(rules, position, piece, hunter, targets);
    }
    let idle = hunters.minus(movers);
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
        if hunt(rules, &next, left - 1, budget, line) {
            return true;
        }
        line.pop();
    }
    false
}

/// The pieces that could capture a royal piece if nothing blocked them and they were commanded.
fn hunters(rules: &Rules, position: &Position, targets: Set) -> Set {
    let us = position.turn();
    let mut hunters = Set::EMPTY;
    for target in targets {
        for from in (rules.leap_zone[us.index()][target.index()] | position.lines_and_traces(rules, target))
            & position.by_color(us)
        {
            hunters.insert(from);
        }
    }
    hunters
}

/// Own pieces whose departure might unblock an attacker.
fn in_the_way(rules: &Rules, position: &Position, piece: Piece, hunter: rules::Square, targets: Set) -> Set {
    let spec = rules.piece(piece);
    let own = position.by_color(position.turn());
    let mut set = Set::EMPTY;
    if let Some(list) = spec.conditionals.get(hunter.index()) {
        for conditional in list.iter().filter(|conditional| conditional.capture && targets.contains(conditional.to)) {
            conditional.ways().for_each(|way| set |= *way & own);
        }
    }
    if rules.liner[piece.kind().index()] {
        for target in targets & *rules.geometry.lines(hunter) {
            set |= *rules.geometry.between(hunter, target) & own;
        }
    }
    if !spec.bents.is_empty() || !spec.walks.is_empty() {
        for target in targets {
            let near = |square: &rules::Square| square.distance(hunter) <= target.distance(hunter);
            set |= own.into_iter().filter(near).collect::<Set>();
        }
    }
    set.without(hunter)
}

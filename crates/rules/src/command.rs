//! Command: which royal pieces a turn of several moves may have used up.
//!
//! Players do not name the commander of a move. A turn is legal if its moves can be assigned distinct commanders, so
//! the position stores every set of commanders that may have been used: one bit for each subset of at most six, the
//! commanders being numbered by their squares.

use crate::set::Set;
use crate::square::Square;
use crate::tables::Rules;

/// The sets that may be spent at the start of a turn: only the empty set.
pub(crate) const NONE_SPENT: u64 = 1;
/// For each commander, the subsets without it.
const WITHOUT: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0F0F_0F0F_0F0F_0F0F,
    0x00FF_00FF_00FF_00FF,
    0x0000_FFFF_0000_FFFF,
    0x0000_0000_FFFF_FFFF,
];

/// The squares that an unused commander of these royal pieces reaches.
pub(crate) fn commanded(spent_sets: u64, royals: Set, rules: &Rules) -> Set {
    let Some(table) = &rules.command else { return !Set::EMPTY };
    let mut reached = Set::EMPTY;
    if royals.count() > 6 {
        return reached;
    }
    for (number, commander) in royals.into_iter().enumerate() {
        if spent_sets & WITHOUT[number] != 0 {
            reached |= commanded_by(rules, &table[commander.index()], royals, commander);
        }
    }
    reached
}

/// The unused commanders of these royal pieces that reach a square.
pub(crate) fn commanders(spent_sets: u64, royals: Set, rules: &Rules, from: Square) -> Set {
    let Some(table) = &rules.command else { return Set::EMPTY };
    let unused = royals.into_iter().zip(WITHOUT).filter(|(_, without)| spent_sets & without != 0);
    let reaches =
        |commander: &Square| commanded_by(rules, &table[commander.index()], royals, *commander).contains(from);
    unused.map(|(commander, _)| commander).filter(reaches).collect()
}

fn commanded_by(rules: &Rules, reach: &Set, royals: Set, commander: Square) -> Set {
    if rules.turn.command.is_some_and(|command| command.royals) { *reach } else { reach.minus(royals).with(commander) }
}

/// The sets that may be spent after a piece went from `from` to `to`: each of the old ones with each commander that could have
/// commanded it. `now` are the royal pieces after the move.
pub(crate) fn spend(old: u64, now: Set, rules: &Rules, from: Square, to: Square) -> u64 {
    let Some(table) = &rules.command else { return old };
    let royal_moved = now.contains(to);
    let before = if royal_moved { now.without(to).with(from) } else { now };
    let mut new = 0u64;
    for (number, commander) in before.into_iter().enumerate() {
        if commanded_by(rules, &table[commander.index()], before, commander).contains(from) {
            new |= (old & WITHOUT[number]) << (1u32 << number);
        }
    }
    if royal_moved {
        new = renumber(new, before, now, from, to);
    }
    new
}

/// Renumbers the commanders after one of them has moved.
fn renumber(spent_sets: u64, before: Set, now: Set, from: Square, to: Square) -> u64 {
    let place: Vec<usize> = before
        .into_iter()
        .take(6)
        .map(|square| {
            let square = if square == from { to } else { square };
            now.into_iter().position(|other| other == square).expect("a commander moved, none vanished")
        })
        .collect();
    if place.iter().enumerate().all(|(old, new)| old == *new) {
        return spent_sets;
    }
    (0..64u32).filter(|subset| spent_sets >> subset & 1 != 0).fold(0, |sum, subset| {
        let moved: u32 =
            place.iter().enumerate().filter(|(old, _)| subset >> old & 1 != 0).map(|(_, new)| 1 << new).sum();
        sum | 1 << moved
    })
}

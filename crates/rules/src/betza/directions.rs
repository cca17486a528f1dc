//! The steps that direction letters name: absolute for a first leg, relative to the previous leg for a later one.

use crate::square::DIRECTIONS;

/// The direction of a straight step; an oblique step is returned unchanged.
pub(super) fn unit(step: (i8, i8)) -> (i8, i8) {
    if is_straight(step) { (step.0.signum(), step.1.signum()) } else { step }
}

/// Whether a step goes along a rank, file or diagonal.
pub(super) fn is_straight(step: (i8, i8)) -> bool {
    step.0 == 0 || step.1 == 0 || step.0.abs() == step.1.abs()
}

/// The four or eight steps of a family, clockwise from straight ahead.
pub(super) fn all_steps((small, large): (i8, i8)) -> Vec<(i8, i8)> {
    let mut steps = Vec::new();
    for (x, y) in [(small, large), (large, small)] {
        for (sx, sy) in [(1, 1), (1, -1), (-1, -1), (-1, 1)] {
            let step = (x * sx, y * sy);
            if !steps.contains(&step) {
                steps.push(step);
            }
        }
    }
    steps
}

/// Whether a straight step is along a diagonal.
pub(super) fn is_diagonal((x, y): (i8, i8)) -> bool {
    x != 0 && y != 0
}

/// The step of a straight family that leads on from an oblique one most nearly in its direction.
pub(super) fn outward((x, y): (i8, i8), family: (i8, i8)) -> (i8, i8) {
    let size = family.0.abs().max(family.1.abs());
    let diagonal = is_diagonal(family);
    let along = |one: i8, other: i8| if diagonal || one.abs() > other.abs() { one.signum() * size } else { 0 };
    (along(x, y), along(y, x))
}

/// Whether a step is among the directions that the letters name.
pub(super) fn wants(letters: &[u8], (x, y): (i8, i8)) -> bool {
    if letters.is_empty() {
        return true;
    }
    let orthogonal = x == 0 || y == 0;
    let oblique = !is_straight((x, y));
    let narrow = y.abs() > x.abs();
    let side = |letter: u8| match letter {
        b'f' => y > 0,
        b'b' => y < 0,
        b'l' => x < 0,
        b'r' => x > 0,
        b's' => x != 0,
        _ => y != 0,
    };
    let mut wanted = false;
    let mut rest = letters;
    while let Some((&first, tail)) = rest.split_first() {
        let second = tail.first().copied();
        let pair = match (first, second) {
            (b'f' | b'b', Some(b'l' | b'r')) | (b'l' | b'r', Some(b'f' | b'b')) => !orthogonal,
            (b'f' | b'b', Some(b's')) => !orthogonal,
            (a, Some(b)) if a == b && matches!(a, b'f' | b'b' | b'l' | b'r') => oblique,
            _ => false,
        };
        if !pair {
            wanted |= match first {
                b's' if oblique => !narrow,
                b'v' if oblique => narrow,
                letter => side(letter),
            };
            rest = tail;
            continue;
        }
        let second = second.expect("a pair has a second letter");
        rest = &tail[1..];
        if first == second {
            let along = if matches!(first, b'f' | b'b') { narrow } else { !narrow };
            let mut this = side(first) && along;
            if let Some((&third, after)) = rest.split_first() {
                let across = if matches!(first, b'f' | b'b') { b"lr" } else { b"fb" };
                if across.contains(&third) {
                    this &= side(third);
                    rest = after;
                }
            }
            wanted |= this;
        } else if second == b's' {
            wanted |= side(first) && (!oblique || !narrow);
        } else {
            wanted |= side(first) && side(second);
        }
    }
    wanted
}

/// Turns, in eighths clockwise, that the letters of a later leg name.
fn relative_turns(letters: &[u8]) -> Vec<usize> {
    if letters.is_empty() {
        return (0..8).collect();
    }
    let mut turns = Vec::new();
    let mut rest = letters;
    while let Some((&first, tail)) = rest.split_first() {
        let (these, used): (&[usize], usize) = match (first, tail.first()) {
            (b'f', Some(b's')) => (&[1, 7], 2),
            (b'b', Some(b's')) => (&[3, 5], 2),
            (b'f', Some(b'r')) => (&[1], 2),
            (b'f', Some(b'l')) => (&[7], 2),
            (b'b', Some(b'r')) => (&[3], 2),
            (b'b', Some(b'l')) => (&[5], 2),
            (b'f', _) => (&[0], 1),
            (b'b', _) => (&[4], 1),
            (b'r', _) => (&[2], 1),
            (b'l', _) => (&[6], 1),
            (b's', _) => (&[2, 6], 1),
            _ => (&[0, 4], 1),
        };
        turns.extend_from_slice(these);
        rest = &rest[used..];
    }
    turns.sort_unstable();
    turns.dedup();
    turns
}

/// The directions of a later leg.
pub(super) const RELATIVE: [&str; 12] = ["f", "b", "l", "r", "s", "v", "fl", "fr", "fs", "bl", "br", "bs"];

/// The steps of a straight family in directions relative to an absolute one.
pub(super) fn relative_steps(direction: usize, letters: &[u8], family: (i8, i8)) -> Vec<(i8, i8)> {
    let size = family.0.abs().max(family.1.abs());
    let diagonal = is_diagonal(family);
    let steps = relative_turns(letters).into_iter().map(|turn| DIRECTIONS[(direction + turn) % 8]);
    steps.filter(|d| (d.0 != 0 && d.1 != 0) == diagonal).map(|d| (d.0 * size, d.1 * size)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sequence_of_direction_letters_selects_a_step() {
        let mut texts = vec![Vec::new()];
        for _ in 0..4 {
            texts = texts
                .iter()
                .flat_map(|text: &Vec<u8>| b"fblrsv".map(|letter| [&text[..], &[letter]].concat()))
                .collect();
            for (text, family) in texts.iter().flat_map(|text| [(0, 1), (1, 1), (1, 2)].map(|family| (text, family))) {
                assert!(all_steps(family).into_iter().any(|step| wants(text, step)), "{text:?} {family:?}");
            }
        }
    }
}

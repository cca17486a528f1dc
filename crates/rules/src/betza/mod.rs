//! Reads Betza notation, in the dialect used for large variants, into walks.

mod directions;

use crate::limits::MAX_LEGS;
use crate::square::direction_of;
use crate::walk::{Leg, Walk};
use directions::{RELATIVE, all_steps, is_diagonal, is_straight, outward, relative_steps, unit, wants};

/// The most walks that one notation may expand to.
const MAX_WALKS: usize = 1024;
const UNLIMITED: u8 = 15;
const CAPTURE_UNDERWAY: &str = "Acedrex has no captures on the way; 'c' belongs to the last leg";

/// An error in a notation, with its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BetzaError {
    /// Byte offset in the notation.
    pub at: usize,
    /// The text found and what was expected.
    pub message: String,
}

type Result<T> = std::result::Result<T, BetzaError>;

/// Reads a notation such as `FyafsF`, `mRcpR` or `WD[W-fD]` into walks for White, without duplicates.
///
/// # Errors
/// A [`BetzaError`] gives the position and the error: an unknown atom or modifier, a direction that the atom does not
/// have, an unclosed bracket, more than 16 legs or 1,024 walks. An empty notation has no walks.
///
/// ```
/// let walks = rules::betza::parse("N").unwrap();
/// assert_eq!(walks.len(), 8);
/// assert!(rules::betza::parse("fX").unwrap_err().message.contains("X"));
/// ```
pub fn parse(text: &str) -> Result<Vec<Walk>> {
    Ok(elements(text)?.into_iter().flat_map(|(_, walks)| walks).collect())
}

/// Splits a notation into its parts, each an atom or a bracket with its modifiers (`mfW` and `cfF` of `mfWcfF`), and
/// returns with each the walks that it adds to those before it.
///
/// # Errors
/// As [`parse`].
pub fn elements(text: &str) -> Result<Vec<(&str, Vec<Walk>)>> {
    if !text.is_ascii() {
        return Err(BetzaError { at: 0, message: "only ASCII letters, digits and []-?(), are expected".into() });
    }
    let mut reader = Reader { text: text.as_bytes(), at: 0 };
    let (mut elements, mut all) = (Vec::new(), Vec::new());
    while reader.peek().is_some() {
        let start = reader.at;
        let read = if reader.peek() == Some(b'[') { reader.bracket()? } else { reader.element()? };
        let known = all.len();
        for walk in read {
            if !all.contains(&walk) {
                all.push(walk);
            }
        }
        if all.len() > MAX_WALKS {
            return Err(BetzaError { at: start, message: format!("this expands to more than {MAX_WALKS} paths") });
        }
        elements.push((&text[start..reader.at], all[known..].to_vec()));
    }
    Ok(elements)
}

/// Letters and signs of other dialects of the notation: what they mean there, and what to write here.
const FOREIGN: [(&str, &str, &str); 17] = [
    ("L", "a Camel", "write C"),
    ("J", "a Zebra", "write Z"),
    ("O", "castling", "use [[castling]]"),
    ("U", "a leap to any square", "leave it out"),
    ("XY", "longer leaps", "write the leap with its two distances, as in (1,4)"),
    ("I", "moves of another piece", "leave it out"),
    ("@", "drops", "put every piece on the board in game.start"),
    ("*", "any number of steps", "write N0 or NN for an unlimited ride, W3 for up to three steps"),
    ("0123456789", "a number before an atom", "the number goes after the atom, as in W3"),
    (" ,;.:/|+&", "separators", "write the parts one after the other, as in RN"),
    ("){}", "groups", "write one of W F D A H N C Z G, a leap as in (1,4), or legs in brackets, as in [W-fD]"),
    ("j", "leaps over a piece only", "write a bracket with a hop, as in [pW-fW]"),
    ("zq", "crooked and circular moves", "join the legs in brackets, as in [F?lF?rF]"),
    ("o", "moves round the edges of the board", "leave it out"),
    ("h", "half of the directions", "name directions with f b l r s v, as in flN"),
    ("dk", "captures of own pieces or of royals only", "pieces capture any enemy; sees = \"...\" attacks royals only"),
    ("tuwx", "bending, unloading and lending moves", "join the legs in brackets, as in [F?fsR]"),
];

/// The modifiers before an atom.
#[derive(Clone, Default)]
struct Modifiers {
    at: usize,
    /// Direction letters in order.
    directions: Vec<u8>,
    quiet: bool,
    capture: bool,
    en_passant: bool,
    initial: bool,
    lame: bool,
    track: bool,
    /// `p`: hop over one piece and on.
    hop: bool,
    /// `g`: hop and land on the next square.
    land: bool,
    /// `y`: a step turns into a slide.
    slide_on: bool,
}

impl Modifiers {
    fn modes(&self) -> (bool, bool) {
        match (self.quiet, self.capture || self.en_passant) {
            (false, false) => (true, true),
            modes => modes,
        }
    }
}

/// An atom's steps and its range.
#[derive(Clone)]
struct Atom {
    at: usize,
    /// How the atom is written.
    name: String,
    /// One representative step and the range of each family of the atom.
    families: Vec<((i8, i8), u8)>,
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn fail<T>(&self, at: usize, message: impl Into<String>) -> Result<T> {
        Err(BetzaError { at, message: message.into() })
    }

    /// The error for a letter that has no meaning here: what it means elsewhere and what to write instead, or what was
    /// expected.
    fn unknown<T>(&self, at: usize, what: &str, expected: &str) -> Result<T> {
        let letter = self.text[at] as char;
        match FOREIGN.iter().find(|(letters, ..)| letters.contains(letter)) {
            Some((_, meaning, instead)) => {
                self.fail(at, format!("'{letter}', elsewhere {meaning}, is not supported; {instead}"))
            }
            None => self.fail(at, format!("unknown {what} '{letter}'; expected one of {expected}")),
        }
    }

    /// Modifiers up to an atom; each `a` begins the modifiers of another leg.
    fn modifiers(&mut self) -> Result<Vec<Modifiers>> {
        let mut legs = vec![Modifiers { at: self.at, ..Modifiers::default() }];
        while let Some(letter) = self.peek().filter(u8::is_ascii_lowercase) {
            let at = self.at;
            self.at += 1;
            let now = legs.last_mut().expect("never empty");
            match letter {
                b'f' | b'b' | b'l' | b'r' | b's' | b'v' => now.directions.push(letter),
                b'm' => now.quiet = true,
                b'c' => now.capture = true,
                b'e' => now.en_passant = true,
                b'i' => now.initial = true,
                b'n' if now.lame => now.track = true,
                b'n' => now.lame = true,
                b'p' => now.hop = true,
                b'g' => now.land = true,
                b'y' => now.slide_on = true,
                b'a' => legs.push(Modifiers { at, ..Modifiers::default() }),
                _ => return self.unknown(at, "modifier", "m c e f b l r s v i n p g y a"),
            }
            if legs.len() > MAX_LEGS {
                return self.fail(at, format!("more than {MAX_LEGS} legs"));
            }
        }
        Ok(legs)
    }

    fn atom(&mut self) -> Result<Atom> {
        let at = self.at;
        let Some(letter) = self.peek() else {
            return self.fail(at, "ends without an atom; expected one of W F D A H N C Z G K R B Q (");
        };
        self.at += 1;
        let mut families: Vec<((i8, i8), u8)> = match letter {
            b'(' => vec![(self.distances(at)?, 1)],
            b'W' => vec![((0, 1), 1)],
            b'F' => vec![((1, 1), 1)],
            b'D' => vec![((0, 2), 1)],
            b'A' => vec![((2, 2), 1)],
            b'N' => vec![((1, 2), 1)],
            b'H' => vec![((0, 3), 1)],
            b'C' => vec![((1, 3), 1)],
            b'Z' => vec![((2, 3), 1)],
            b'G' => vec![((3, 3), 1)],
            b'K' => vec![((0, 1), 1), ((1, 1), 1)],
            b'R' => vec![((0, 1), UNLIMITED)],
            b'B' => vec![((1, 1), UNLIMITED)],
            b'Q' => vec![((0, 1), UNLIMITED), ((1, 1), UNLIMITED)],
            _ => return self.unknown(at, "atom", "W F D A H N C Z G K R B Q ( or ["),
        };
        let name = String::from_utf8_lossy(&self.text[at..self.at]).into_owned();
        let range = if self.peek() == Some(letter) && !matches!(letter, b'(' | b'K' | b'R' | b'B' | b'Q') {
            self.at += 1;
            Some(UNLIMITED)
        } else {
            self.number(at)?
        };
        if let Some(range) = range {
            families.iter_mut().for_each(|family| family.1 = range);
        }
        Ok(Atom { at, name, families })
    }

    /// The two distances of a leap such as `(1,4)`, the smaller first.
    fn distances(&mut self, at: usize) -> Result<(i8, i8)> {
        let wrong = "a leap in parentheses has two distances from 0 to 15, not both 0, as in (1,4)";
        let length = self.text[self.at..].iter().position(|&sign| sign == b')');
        let inside = length.and_then(|length| std::str::from_utf8(&self.text[self.at..self.at + length]).ok());
        let Some((first, second)) = inside.and_then(|inside| inside.split_once(',')) else {
            return self.fail(at, wrong);
        };
        self.at += first.len() + second.len() + 2;
        let distance = |digits: &str| {
            let plain = matches!(digits.len(), 1 | 2) && digits.bytes().all(|sign| sign.is_ascii_digit());
            digits.parse().ok().filter(|distance: &i8| plain && *distance <= 15)
        };
        match (distance(first), distance(second)) {
            (Some(first), Some(second)) if first + second > 0 => Ok((first.min(second), first.max(second))),
            _ => self.fail(at, wrong),
        }
    }

    fn number(&mut self, at: usize) -> Result<Option<u8>> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        match &self.text[start..self.at] {
            [] => Ok(None),
            b"0" => Ok(Some(UNLIMITED)),
            digits => match std::str::from_utf8(digits).ok().and_then(|d| d.parse().ok()) {
                Some(range @ 1..=15) => Ok(Some(range)),
                _ => self.fail(at, "a range is 1 to 15, or 0 for no limit"),
            },
        }
    }

    /// Modifiers and an atom outside brackets.
    fn element(&mut self) -> Result<Vec<Walk>> {
        let modifiers = self.modifiers()?;
        let atom = self.atom()?;
        let (first, rest) = modifiers.split_first().expect("never empty");
        let last = modifiers.last().expect("never empty");
        if rest.is_empty() {
            if first.slide_on {
                return self.fail(first.at, "'y' needs an 'a' after it, as in FyafsF");
            }
            return self.plain(first, &atom);
        }
        if modifiers.iter().any(|m| m.lame || m.land) {
            return self.fail(first.at, "'n' and 'g' do not go with 'a'; use a bracket");
        }
        let mut walks = first_legs(first, &atom);
        for (index, now) in rest.iter().enumerate() {
            let before = &modifiers[index];
            if before.capture {
                return self.fail(before.at, CAPTURE_UNDERWAY);
            }
            for walk in &mut walks {
                walk.last_mut().expect("a leg").mount = before.hop;
            }
            let range = if modifiers[..=index].iter().any(|m| m.slide_on) { UNLIMITED } else { atom.families[0].1 };
            let steps = Atom { families: vec![((0, 1), range), ((1, 1), range)], ..atom.clone() };
            walks = self.extend(walks, now, &steps, false)?;
        }
        if last.hop {
            return self.fail(last.at, "'p' cannot be on the last leg; another leg must follow the hop");
        }
        let all = modifiers.iter().any(|m| m.initial);
        Ok(walks.into_iter().map(|legs| finish(legs, last, all)).collect())
    }

    /// One leg, possibly lame or hopping.
    fn plain(&self, modifiers: &Modifiers, atom: &Atom) -> Result<Vec<Walk>> {
        let mut walks = Vec::new();
        for leg in first_legs(modifiers, atom).into_iter().map(|legs| legs[0]) {
            let legs = if modifiers.hop || modifiers.land {
                if modifiers.lame || (modifiers.hop && modifiers.land) {
                    return self.fail(modifiers.at, "'p', 'g' and 'n' exclude each other");
                }
                let on = if modifiers.land { 1 } else { leg.max };
                vec![Leg { mount: true, ..leg }, Leg { max: on, ..leg }]
            } else if modifiers.lame {
                lame(leg, modifiers.track).ok_or_else(|| BetzaError {
                    at: atom.at,
                    message: format!(
                        "'n' has no meaning for {}; it goes with D A H G N (one leap), or 'nn' with W3",
                        atom.name
                    ),
                })?
            } else {
                vec![leg]
            };
            if modifiers.track && (leg.step.0 != 0 || leg.step.1 <= 0 || !modifiers.quiet || modifiers.capture) {
                return self.fail(modifiers.at, "'nn' is for moves straight forward without capture, as in fmnnD");
            }
            walks.push(finish(legs, modifiers, modifiers.initial));
        }
        Ok(walks)
    }

    /// `[leg-leg?leg]`.
    fn bracket(&mut self) -> Result<Vec<Walk>> {
        let open = self.at;
        self.at += 1;
        let mut walks: Vec<Vec<Leg>> = Vec::new();
        let mut finished = Vec::new();
        let mut count = 0;
        let mut initial = false;
        let mut may_stop = false;
        loop {
            let mut modifiers = self.modifiers()?;
            if modifiers.len() > 1 || modifiers[0].slide_on || modifiers[0].lame || modifiers[0].land {
                return self.fail(modifiers[0].at, "inside brackets a leg has m c i p and directions only");
            }
            let now = modifiers.pop().expect("never empty");
            let atom = self.atom()?;
            initial |= now.initial;
            walks = if count == 0 { first_legs(&now, &atom) } else { self.extend(walks, &now, &atom, may_stop)? };
            count += 1;
            if count > MAX_LEGS {
                return self.fail(atom.at, format!("more than {MAX_LEGS} legs"));
            }
            let separator = self.peek();
            may_stop = separator == Some(b'?');
            self.at += 1;
            match separator {
                Some(b']') if now.hop => {
                    return self.fail(now.at, "'p' cannot be on the last leg; another leg must follow the hop");
                }
                Some(b']') => {
                    finished.extend(walks.into_iter().map(|legs| finish(legs, &now, initial)));
                    return Ok(finished);
                }
                Some(b'-' | b'?') if now.capture => {
                    return self.fail(now.at, CAPTURE_UNDERWAY);
                }
                Some(b'?') if now.hop => {
                    return self.fail(now.at, "a hop cannot stop on its screen, the piece it leaps over; use '-'");
                }
                Some(b'?') => finished.extend(walks.iter().map(|legs| finish(legs.clone(), &now, initial))),
                Some(b'-') => {
                    for walk in &mut walks {
                        walk.last_mut().expect("a leg").mount = now.hop;
                    }
                }
                Some(_) => return self.unknown(self.at - 1, "sign", "- ? or ], which end a leg"),
                None => return self.fail(open, "this bracket is never closed; expected ']'"),
            }
        }
    }

    /// Adds a leg in directions relative to the leg before, on which the piece may stop or not.
    fn extend(
        &self,
        walks: Vec<Vec<Leg>>,
        modifiers: &Modifiers,
        atom: &Atom,
        may_stop: bool,
    ) -> Result<Vec<Vec<Leg>>> {
        let mut extended = Vec::new();
        for legs in &walks {
            let before = legs.last().expect("a leg").step;
            for &(family, max) in &atom.families {
                let steps = if let Some(direction) = direction_of(unit(before)) {
                    if is_straight(family) {
                        // `[F?R]`, as inventors write the Griffon.
                        let bends = may_stop && max > 1 && is_diagonal(family) != is_diagonal(before);
                        let outward = bends && modifiers.directions.is_empty() && atom.families.len() == 1;
                        relative_steps(
                            direction,
                            if outward { b"fs".as_slice() } else { &modifiers.directions },
                            family,
                        )
                    } else if modifiers.directions.is_empty() {
                        all_steps(family)
                    } else {
                        return self.fail(modifiers.at, "an oblique leap takes no direction after another leg");
                    }
                } else if modifiers.directions == [b'f'] && all_steps(family).contains(&before) {
                    vec![before]
                } else if modifiers.directions == [b'f'] && is_straight(family) {
                    vec![outward(before, family)]
                } else {
                    return self.fail(
                        modifiers.at,
                        "after an oblique leap the way leads straight on, with f: [N?fN], [N?fB] or [N?fR]",
                    );
                };
                extended.extend(steps.into_iter().filter_map(|step| with_leg(legs, step, max)));
                if extended.len() > MAX_WALKS {
                    return self.fail(atom.at, format!("this expands to more than {MAX_WALKS} paths"));
                }
            }
        }
        if extended.is_empty() {
            let follows = |letters: &&str| {
                walks.iter().any(|legs| {
                    let direction = direction_of(unit(legs.last().expect("a leg").step)).expect("no oblique leap");
                    atom.families.iter().any(|&(family, max)| {
                        let mut steps = relative_steps(direction, letters.as_bytes(), family).into_iter();
                        steps.any(|step| with_leg(legs, step, max).is_some())
                    })
                })
            };
            let allowed: Vec<&str> = RELATIVE.into_iter().filter(follows).collect();
            let name = &atom.name;
            return self
                .fail(modifiers.at, format!("{name} has no such direction here; there are {}", allowed.join(" ")));
        }
        Ok(extended)
    }
}

/// The legs with one more; `None` if they lead back to the origin.
fn with_leg(legs: &[Leg], step: (i8, i8), max: u8) -> Option<Vec<Leg>> {
    let mut longer = legs.to_vec();
    longer.push(Leg { step, max, mount: false });
    (total(&longer) != Some((0, 0))).then_some(longer)
}

fn finish(legs: Vec<Leg>, last: &Modifiers, initial: bool) -> Walk {
    let (quiet, capture) = last.modes();
    Walk { legs, quiet, capture, track: last.track, en_passant: last.en_passant, initial }
}

/// The total offset if every leg is a single step.
fn total(legs: &[Leg]) -> Option<(i8, i8)> {
    legs.iter().try_fold((0i8, 0i8), |sum, leg| {
        (leg.max == 1).then_some((sum.0.checked_add(leg.step.0)?, sum.1.checked_add(leg.step.1)?))
    })
}

/// The first legs of an atom, in the directions given.
fn first_legs(modifiers: &Modifiers, atom: &Atom) -> Vec<Vec<Leg>> {
    let mut legs = Vec::new();
    for &(family, max) in &atom.families {
        for step in all_steps(family) {
            if wants(&modifiers.directions, step) {
                legs.push(vec![Leg { step, max, mount: false }]);
            }
        }
    }
    legs
}

/// A leap made of single steps whose squares must all be free; `None` if that is redundant or ambiguous.
fn lame(leg: Leg, track: bool) -> Option<Vec<Leg>> {
    let (x, y) = leg.step;
    let size = x.abs().max(y.abs());
    if leg.max > 1 {
        return (track && size == 1).then(|| vec![leg]);
    }
    let step = |step| Leg { step, max: 1, mount: false };
    if is_straight(leg.step) && size > 1 {
        return Some(vec![step(unit(leg.step)); size as usize]);
    }
    match (x.abs(), y.abs()) {
        (1, 2) => Some(vec![step((0, y.signum())), step((x, y.signum()))]),
        (2, 1) => Some(vec![step((x.signum(), 0)), step((x.signum(), y))]),
        _ => None,
    }
}

//! The weights of the evaluation's features: estimated from how pieces move, or read from a file of tuned numbers.

use super::features::{Feature, PIECE_TYPE_TABLE, PieceTypeFeature, PieceTypeTraits, SIDE_TABLE, SideFeature};
use rules::definition::{Definition, Test, Verdict};
use rules::{Cell, Color, Game, Piece, PieceType, Position, mix};

/// Units of a weight per centipawn.
pub const UNIT: i32 = 16;

/// A weight in the middlegame and in the endgame.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tapered {
    /// With all pieces on the board.
    pub middle: i32,
    /// With few pieces left.
    pub end: i32,
}

impl Tapered {
    /// Creates a weight from its value in each phase.
    pub const fn new(middle: i32, end: i32) -> Tapered {
        Tapered { middle, end }
    }

    /// The weight times `count`.
    #[inline]
    pub fn times(self, count: i32) -> Tapered {
        Tapered { middle: self.middle * count, end: self.end * count }
    }
}

impl std::ops::AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Tapered) {
        self.middle += other.middle;
        self.end += other.end;
    }
}

impl std::ops::SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Tapered) {
        self.middle -= other.middle;
        self.end -= other.end;
    }
}

/// The weights of a game: those of each piece type, then those of a side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    piece_types: usize,
    values: Vec<Tapered>,
}

include!(concat!(env!("OUT_DIR"), "/tuned.rs"));

impl Weights {
    /// Returns the weights tuned for a game that ships with Acedrex, or else estimated ones.
    pub fn of_game(game: &Game) -> Weights {
        let tuned = TUNED.iter().find(|(id, _)| *id == game.definition.texts.id);
        let read = tuned.and_then(|(_, text)| Weights::read(text, game).ok());
        read.unwrap_or_else(|| Weights::estimate(game))
    }

    /// Estimates weights for any game, from the values in its definition or, without those, from how pieces move.
    pub fn estimate(game: &Game) -> Weights {
        let rules = &game.rules;
        let mut values = Vec::with_capacity(rules.piece_types * PieceTypeFeature::PLACES + SideFeature::PLACES);
        for (number, value) in piece_values(game).into_iter().enumerate() {
            let kind = PieceTypeTraits {
                value,
                is_king: rules.royal[number] && rules.has_check(),
                is_captured_royal: rules.royal[number] && !rules.has_check(),
                is_soldier: rules.soldier[number],
                is_hopper: is_hopper(game, PieceType(number as u8)),
                captures_royals: !rules.has_check(),
                obeys_command: rules.command.is_some(),
            };
            values.extend(estimates(&PIECE_TYPE_TABLE, &kind));
        }
        values.extend(estimates(&SIDE_TABLE, &()));
        Weights { piece_types: rules.piece_types, values }
    }

    /// The number of weights.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none: never, as a game has at least one piece type.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// A weight by its number.
    #[inline]
    pub fn at(&self, index: usize) -> Tapered {
        self.values[index]
    }

    /// Changes a weight.
    pub fn set(&mut self, index: usize, weight: Tapered) {
        self.values[index] = weight;
    }

    /// The number of a piece type's feature.
    #[inline]
    pub fn of_type(kind: PieceType, feature: PieceTypeFeature) -> usize {
        kind.index() * PieceTypeFeature::PLACES + feature.first()
    }

    /// The number of a side's feature.
    #[inline]
    pub fn of_side(&self, feature: SideFeature) -> usize {
        self.of_side_place(feature, 0)
    }

    /// The number of a side's feature for a count, from 0.
    #[inline]
    pub fn of_side_place(&self, feature: SideFeature, number: usize) -> usize {
        self.piece_types * PieceTypeFeature::PLACES + feature.place(number)
    }

    /// The value of a piece type in centipawns, the mean of both phases.
    pub fn value(&self, kind: PieceType) -> i32 {
        let weight = self.at(Weights::of_type(kind, PieceTypeFeature::Value));
        (weight.middle + weight.end) / (2 * UNIT)
    }

    /// Writes the weights as text, a line each: `kind Q mobility 31 40`, `side passed.3 120 240`.
    pub fn write(&self, definition: &Definition) -> String {
        let line = |name: &String, weight: &Tapered| format!("{name} {} {}\n", weight.middle, weight.end);
        names(definition).iter().zip(&self.values).map(|(name, weight)| line(name, weight)).collect()
    }

    /// Reads what [`Weights::write`] wrote. Weights missing from the text keep their estimates.
    ///
    /// # Errors
    /// Names the line and what was expected there.
    pub fn read(text: &str, game: &Game) -> Result<Weights, String> {
        let mut weights = Weights::estimate(game);
        let names = names(&game.definition);
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let mut words = line.rsplitn(3, ' ');
            let mut next = || words.next()?.parse::<i32>().ok().filter(|weight| weight.abs() <= 1_000_000);
            let (end, middle) = (next(), next());
            let index = words.next().and_then(|name| names.iter().position(|other| other == name));
            let (Some(middle), Some(end), Some(index)) = (middle, end, index) else {
                return Err(format!(
                    "weights, line {}: expected a feature of the game such as {} and two whole numbers up to a million",
                    number + 1,
                    names[0]
                ));
            };
            weights.values[index] = Tapered::new(middle, end);
        }
        Ok(weights)
    }
}

/// The estimated weights of a table's features, in their order.
fn estimates<Traits>(table: &[Feature<Traits>], traits: &Traits) -> Vec<Tapered> {
    let weight = |(middle, end): (f64, f64)| {
        let units = |worth: f64| (worth * f64::from(UNIT)).round() as i32;
        Tapered::new(units(middle), units(end))
    };
    table
        .iter()
        .flat_map(|feature| (0..feature.width).map(move |place| weight((feature.estimate)(traits, place))))
        .collect()
}

/// The names of all weights, in their order.
fn names(definition: &Definition) -> Vec<String> {
    fn of<Traits>(table: &[Feature<Traits>], whose: &str) -> Vec<String> {
        let names = table.iter().flat_map(|feature| {
            (0..feature.width).map(move |place| match feature.width {
                1 => format!("{whose} {}", feature.name),
                _ => format!("{whose} {}.{place}", feature.name),
            })
        });
        names.collect()
    }
    let piece_types =
        definition.piece_types.iter().flat_map(|kind| of(&PIECE_TYPE_TABLE, &format!("kind {}", kind.symbol)));
    piece_types.chain(of(&SIDE_TABLE, "side")).collect()
}

/// Whether a piece type captures only by hopping.
fn is_hopper(game: &Game, kind: PieceType) -> bool {
    game.rules.piece(Piece::new(Color::White, kind)).lines.iter().any(|line| line.hop_capture && !line.capture)
}

/// The value of each piece type in centipawns: from the definition if it gives one, otherwise from mobility. If the
/// definition gives values but none for a soldier, as is usual for inventors who count in Pawns, the lowest estimated
/// soldier is the unit.
fn piece_values(game: &Game) -> Vec<f64> {
    let piece_types = &game.definition.piece_types;
    let mut values: Vec<Option<f64>> = piece_types
        .iter()
        .map(|kind| {
            let sum: f64 = kind.values.iter().map(|(_, value)| value).sum();
            (!kind.values.is_empty()).then(|| 100.0 * sum / kind.values.len() as f64)
        })
        .collect();
    let soldiers: Vec<usize> = (0..piece_types.len()).filter(|number| game.rules.soldier[*number]).collect();
    if values.iter().any(Option::is_some) && soldiers.iter().all(|number| values[*number].is_none()) {
        let worth = |number: &usize| estimate(game, PieceType(*number as u8));
        if let Some(least) = soldiers.into_iter().min_by(|a, b| worth(a).total_cmp(&worth(b))) {
            values[least] = Some(100.0);
        }
    }
    let value = |(number, given): (usize, Option<f64>)| {
        if game.rules.royal[number] && game.rules.has_check() && !game.rules.has_many_kings() {
            return 0.0;
        }
        let kind = PieceType(number as u8);
        let worth = given.unwrap_or_else(|| estimate(game, kind)).clamp(10.0, 5_000.0);
        if wins_when_lost(game, kind) { -worth } else { worth }
    };
    values.into_iter().enumerate().map(value).collect()
}

/// Whether a side wins by losing its pieces of a type.
fn wins_when_lost(game: &Game, kind: PieceType) -> bool {
    game.definition.end.conditions.iter().any(|condition| match &condition.test {
        Test::Extinct { kinds, .. } => condition.verdict == Verdict::Win && (kinds.is_empty() || kinds.contains(&kind)),
        _ => false,
    })
}

/// Estimates a value in centipawns from the mean number of squares that a piece moves to or attacks on boards filled to
/// a third at random. The curve is fitted to the Knight, Rook and Queen on 8x8.
fn estimate(game: &Game, kind: PieceType) -> f64 {
    const ROUNDS: u64 = 4;
    let rules = &game.rules;
    let piece = Piece::new(Color::White, kind);
    let other = (0..rules.piece_types as u8).map(PieceType).find(|other| !rules.royal[other.index()]).unwrap_or(kind);
    let (mut squares, mut samples) = (0, 0);
    for round in 0..ROUNDS {
        let mut filled = Position::empty();
        for square in rules.board {
            let chance = mix(round << 8 | u64::from(square.0));
            if chance % 100 < 34 {
                let color = if chance >> 32 & 1 == 0 { Color::White } else { Color::Black };
                filled.set(rules, square, Cell::full(Piece::new(color, other)));
            }
        }
        for square in rules.board {
            let before = filled.cell(square);
            filled.set(rules, square, Cell::full(piece));
            let attacks = filled.attack_set(rules, piece, square).minus(filled.by_color(Color::White)).count();
            squares += attacks as usize + filled.reach(rules, square).len();
            samples += 2;
            filled.set(rules, square, before);
        }
    }
    let mobility = squares as f64 / f64::from(samples);
    30.0 + 42.0 * mobility + 1.1 * mobility * mobility
}

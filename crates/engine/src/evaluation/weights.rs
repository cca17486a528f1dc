//! What each feature of a position is worth: estimated from how pieces move, or read from a file of tuned numbers.

use rules::definition::Definition;
use rules::{Cell, Color, Game, Kind, Piece, Position, mix};

/// Steps of a centipawn in which weights are kept.
pub const UNIT: i32 = 16;

/// A weight in the middlegame and in the endgame.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tapered {
    /// While most pieces are on the board.
    pub middle: i32,
    /// When most are gone.
    pub end: i32,
}

impl Tapered {
    /// A weight in each phase.
    pub const fn new(middle: i32, end: i32) -> Tapered {
        Tapered { middle, end }
    }

    /// The weight so many times.
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

/// What is counted for each kind of piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum KindFeature {
    /// Pieces.
    Value,
    /// Eighths of the way up the board from its middle.
    Advance,
    /// Nearness to the middle files, in sixteenths.
    File,
    /// Nearness to the middle ranks, in sixteenths.
    Rank,
    /// Eight times the root of the safe squares that it attacks.
    Mobility,
    /// Squares beside an enemy royal that it attacks count two, those around them one.
    Zone,
    /// Pieces attacked by an enemy soldier.
    Chased,
    /// Pieces attacked by an enemy piece of a lesser class.
    Harried,
    /// Pieces attacked and not defended.
    Hanging,
    /// Pieces that no royal commands.
    Uncommanded,
    /// Where royals are captured: steps nearer to the nearest enemy royal than the longest board is.
    Nearness,
}

/// How many features each kind has.
pub const KIND_FEATURES: usize = 11;
/// Their names in files.
pub const KIND_NAMES: [&str; KIND_FEATURES] =
    ["value", "advance", "file", "rank", "mobility", "zone", "chased", "harried", "hanging", "uncommanded", "nearness"];

/// The most attackers of a zone that are told apart.
pub const ATTACKERS: usize = 8;
/// The most weak squares that are told apart.
pub const WEAK: usize = 8;
/// The most steps to promotion that are told apart.
pub const PASSED: usize = 8;

/// What is counted for a side as a whole. Features that are counted by a number take the places after theirs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum SideFeature {
    /// The side is to move.
    Tempo,
    /// Own pieces beside a royal.
    Shelter,
    /// Soldiers defended by soldiers.
    Chain,
    /// Pairs of colour-bound pieces on both colours.
    Pair,
    /// Soldiers without another on the files beside theirs.
    Isolated,
    /// Soldiers behind another on their file.
    Doubled,
    /// Own soldiers near a royal.
    Guard,
    /// Where royals are captured: eight times the root of the squares that each attacks and no enemy piece does.
    Flight,
    /// So many pieces attack the zone of an enemy royal.
    Attackers,
    /// So many squares beside an enemy royal are attacked, and defended by royals at most.
    Weak = 8 + ATTACKERS,
    /// Soldiers that no enemy soldier can stop, by their steps to promotion.
    Passed = 8 + ATTACKERS + WEAK,
    /// Where all royals must be captured, so many are left.
    Royals = 8 + ATTACKERS + WEAK + PASSED,
}

/// The most royals that are told apart.
pub const ROYALS: usize = 7;
/// How many features a side has.
pub const SIDE_FEATURES: usize = 8 + ATTACKERS + WEAK + PASSED + ROYALS;
/// Their names in files, with the number of places that each takes.
pub const SIDE_NAMES: [(&str, usize); 12] = [
    ("tempo", 1),
    ("shelter", 1),
    ("chain", 1),
    ("pair", 1),
    ("isolated", 1),
    ("doubled", 1),
    ("guard", 1),
    ("flight", 1),
    ("attackers", ATTACKERS),
    ("weak", WEAK),
    ("passed", PASSED),
    ("royals", ROYALS),
];

/// The weights of a game: those of each kind, then those of a side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    kinds: usize,
    values: Vec<Tapered>,
}

include!(concat!(env!("OUT_DIR"), "/tuned.rs"));

impl Weights {
    /// The weights tuned for a game that ships with Acedrex, or else estimated ones.
    pub fn of_game(game: &Game) -> Weights {
        let tuned = TUNED.iter().find(|(id, _)| *id == game.definition.texts.id);
        let read = tuned.and_then(|(_, text)| Weights::read(text, game).ok());
        read.unwrap_or_else(|| Weights::estimate(game))
    }

    /// Weights for any game, from the values in its definition or, without those, from how pieces move.
    pub fn estimate(game: &Game) -> Weights {
        let definition = &game.definition;
        let kinds = definition.kinds.len();
        let mut weights = Weights { kinds, values: vec![Tapered::default(); kinds * KIND_FEATURES + SIDE_FEATURES] };
        let mut set = |index: usize, middle: f64, end: f64| {
            let unit = f64::from(UNIT);
            weights.values[index] = Tapered::new((middle * unit).round() as i32, (end * unit).round() as i32);
        };
        for (number, value) in piece_values(game).into_iter().enumerate() {
            let mut of = |feature: KindFeature, middle: f64, end: f64| {
                set(number * KIND_FEATURES + feature as usize, middle, end);
            };
            let royal = game.rules.royal[number];
            let soldier = game.rules.soldier[number];
            let hopper = is_hopper(game, Kind(number as u8));
            of(
                KindFeature::Value,
                value,
                value
                    * if soldier {
                        1.15
                    } else if hopper {
                        0.85
                    } else {
                        1.0
                    },
            );
            if royal && game.rules.has_check() {
                of(KindFeature::Advance, -3.0, 1.0);
                of(KindFeature::File, -1.5, 1.5);
                of(KindFeature::Rank, 0.0, 2.0);
                continue;
            }
            of(KindFeature::Advance, if soldier { 2.0 } else { 0.5 }, if soldier { 5.0 } else { 0.5 });
            of(KindFeature::File, if soldier { 0.7 } else { 1.0 }, if soldier { 0.0 } else { 1.0 });
            of(KindFeature::Rank, 0.6, 0.3);
            if !soldier {
                let light = (value / 300.0).clamp(0.3, 2.0);
                of(KindFeature::Mobility, 1.6 * light.sqrt(), 1.6 * light.sqrt());
                of(KindFeature::Zone, 2.5 * light.sqrt(), 0.5);
                of(KindFeature::Chased, -0.10 * value, -0.08 * value);
                of(KindFeature::Harried, -0.05 * value, -0.05 * value);
            }
            if royal {
                of(KindFeature::Chased, -0.5 * value, -0.5 * value);
            }
            of(KindFeature::Hanging, -0.06 * value, -0.06 * value);
            if !game.rules.has_check() {
                of(KindFeature::Nearness, 0.0, 14.0);
            }
            if game.rules.command.is_some() {
                of(KindFeature::Uncommanded, -0.35 * value, -0.25 * value);
            }
        }
        let first = kinds * KIND_FEATURES;
        set(first + SideFeature::Tempo as usize, 14.0, 8.0);
        set(first + SideFeature::Shelter as usize, 8.0, 1.0);
        set(first + SideFeature::Chain as usize, 6.0, 3.0);
        set(first + SideFeature::Pair as usize, 25.0, 35.0);
        set(first + SideFeature::Isolated as usize, -6.0, -8.0);
        set(first + SideFeature::Doubled as usize, -6.0, -12.0);
        set(first + SideFeature::Guard as usize, 8.0, 0.0);
        set(first + SideFeature::Flight as usize, 1.0, 2.0);
        for count in 0..WEAK {
            let worth = [0.0, 8.0, 20.0, 36.0, 55.0, 75.0, 95.0, 110.0][count];
            set(first + SideFeature::Weak as usize + count, worth, 0.2 * worth);
        }
        for count in 0..ATTACKERS {
            let worth = [0.0, 0.0, 8.0, 24.0, 45.0, 65.0, 80.0, 90.0][count];
            set(first + SideFeature::Attackers as usize + count, worth, 0.0);
        }
        // The fewer royals, the more each is worth.
        for count in 0..ROYALS {
            let worth = [-4000.0, -1500.0, -600.0, -150.0, 0.0, 0.0, 0.0][count];
            set(first + SideFeature::Royals as usize + count, worth, worth);
        }
        for steps in 0..PASSED {
            let worth = [180.0, 140.0, 100.0, 65.0, 40.0, 25.0, 15.0, 8.0][steps];
            set(first + SideFeature::Passed as usize + steps, 0.4 * worth, worth);
        }
        weights
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none: never.
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

    /// The number of a kind's feature.
    #[inline]
    pub fn of_kind(kind: Kind, feature: KindFeature) -> usize {
        kind.index() * KIND_FEATURES + feature as usize
    }

    /// The number of a side's feature.
    #[inline]
    pub fn of_side(&self, feature: SideFeature) -> usize {
        self.kinds * KIND_FEATURES + feature as usize
    }

    /// Centipawns of a kind, the mean of both phases.
    pub fn value(&self, kind: Kind) -> i32 {
        let weight = self.at(Weights::of_kind(kind, KindFeature::Value));
        (weight.middle + weight.end) / (2 * UNIT)
    }

    /// The weights as a text, a line each: `kind Q mobility 31 40`, `side passed.3 120 240`.
    pub fn write(&self, definition: &Definition) -> String {
        let line = |name: &String, weight: &Tapered| format!("{name} {} {}\n", weight.middle, weight.end);
        names(definition).iter().zip(&self.values).map(|(name, weight)| line(name, weight)).collect()
    }

    /// Reads what [`Weights::write`] wrote. What the text leaves out keeps its estimate.
    ///
    /// # Errors
    /// A sentence that names the line and what was expected.
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

/// The names of all weights, in their order.
fn names(definition: &Definition) -> Vec<String> {
    let kinds = definition.kinds.iter();
    let mut names: Vec<String> =
        kinds.flat_map(|kind| KIND_NAMES.map(|feature| format!("kind {} {feature}", kind.token))).collect();
    for (name, places) in SIDE_NAMES {
        let place = |place| if places == 1 { format!("side {name}") } else { format!("side {name}.{place}") };
        names.extend((0..places).map(place));
    }
    names
}

/// Whether it captures only by hopping: such a piece loses value as the board empties.
fn is_hopper(game: &Game, kind: Kind) -> bool {
    game.rules.piece(Piece::new(Color::White, kind)).lines.iter().any(|line| line.hop_capture && !line.capture)
}

/// Centipawns of each kind: from the definition where it tells them, from mobility where it does not. Where values are told but none
/// for a soldier, as inventors do who count in Pawns, the least soldier is the unit.
fn piece_values(game: &Game) -> Vec<f64> {
    let kinds = &game.definition.kinds;
    let mut values: Vec<Option<f64>> = kinds
        .iter()
        .map(|kind| {
            let sum: f64 = kind.values.iter().map(|(_, value)| value).sum();
            (!kind.values.is_empty()).then(|| 100.0 * sum / kind.values.len() as f64)
        })
        .collect();
    let soldiers: Vec<usize> = (0..kinds.len()).filter(|number| game.rules.soldier[*number]).collect();
    if values.iter().any(Option::is_some) && soldiers.iter().all(|number| values[*number].is_none()) {
        let worth = |number: &usize| estimate(game, Kind(*number as u8));
        if let Some(least) = soldiers.into_iter().min_by(|a, b| worth(a).total_cmp(&worth(b))) {
            values[least] = Some(100.0);
        }
    }
    let value = |(number, told): (usize, Option<f64>)| match told {
        _ if game.rules.royal[number] && game.rules.has_check() => 0.0,
        Some(value) => value.clamp(10.0, 5_000.0),
        None => estimate(game, Kind(number as u8)).clamp(10.0, 5_000.0),
    };
    values.into_iter().enumerate().map(value).collect()
}

/// Centipawns from the mean number of squares that a piece goes to or attacks on boards filled to a third at random. The curve was
/// laid through Knight, Rook and Queen on eight by eight.
fn estimate(game: &Game, kind: Kind) -> f64 {
    const ROUNDS: u64 = 4;
    let rules = &game.rules;
    let piece = Piece::new(Color::White, kind);
    let other = (0..rules.kinds as u8).map(Kind).find(|other| !rules.royal[other.index()]).unwrap_or(kind);
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

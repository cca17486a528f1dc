//! The evaluation: a weighted sum of features, the same features for every game.
//!
//! Piece-square values are updated incrementally ([`Sums`]); the rest is counted at each evaluation: mobility, pieces
//! near a royal, attacked and hanging pieces, passed soldiers, command. Everything is linear in the weights, so that
//! they can be tuned.

mod conditions;
mod features;
mod places;
mod royals;
mod soldiers;
mod weights;

pub use features::{PieceTypeFeature, SideFeature};
pub use weights::{Tapered, UNIT, Weights};

use self::conditions::Conditions;
use self::places::{Place, front, place};
use self::royals::DEGREES;
use crate::network::{Network, Neurons};
use crate::score::{MAX_EVALUATION, Score};
use rules::{Color, Effect, Game, Piece, PieceType, Position, Set, Square, mix};
use std::sync::Arc;

/// The part of the evaluation that is updated incrementally.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sums {
    /// Piece-square values: White's less Black's.
    placed: Tapered,
    /// The game phase: the sum of the phase weights of the pieces on the board.
    phase: i32,
    /// Keys of the soldiers, and of White's and Black's other pieces.
    keys: [u64; 3],
    /// The accumulator of the network, if the game has one.
    neurons: Neurons,
}

impl Sums {
    /// The sums of an empty board.
    pub const NONE: Sums = Sums { placed: Tapered::new(0, 0), phase: 0, keys: [0; 3], neurons: Neurons::NONE };

    /// Keys of the soldiers, and of White's and Black's other pieces.
    pub fn keys(&self) -> [u64; 3] {
        self.keys
    }
}

/// Receives the features of a position: White's count as positive, Black's as negative.
pub trait Tally {
    /// Counts a feature: positive for White, negative for Black.
    fn add(&mut self, feature: usize, count: i32);
}

/// The weighted sum.
struct Total<'a> {
    weights: &'a Weights,
    sum: Tapered,
}

impl Tally for Total<'_> {
    #[inline]
    fn add(&mut self, feature: usize, count: i32) {
        self.sum += self.weights.at(feature).times(count);
    }
}

/// The number of classes into which pieces are divided by value.
pub(crate) const CLASSES: usize = 3;

/// The class of a value in centipawns.
fn class(value: i32) -> usize {
    const BOUNDS: [i32; CLASSES - 1] = [450, 800];
    BOUNDS.iter().take_while(|bound| value > **bound).count()
}

/// The squares that a side's pieces attack, soldiers excluded.
struct Attacks {
    /// By class: attacked by pieces of the class and of all below it.
    upto: [Set; CLASSES],
    /// Attacked by the King.
    royal: Set,
}

/// Evaluates positions of one game.
pub struct Evaluator {
    game: Arc<Game>,
    network: Option<Network>,
    weights: Weights,
    /// By piece and square.
    placed: Vec<[Tapered; 256]>,
    /// By side and square.
    places: [Vec<Place>; 2],
    /// By side and square: the squares from which an enemy soldier would stop a soldier there.
    front: [Vec<Set>; 2],
    /// The squares beside a square, and those one step further.
    beside: Vec<Set>,
    around: Vec<Set>,
    /// Where royals are captured: the distances in King's moves from a square to every other.
    distances: Vec<[u8; 256]>,
    /// By piece type, its weight in the game phase.
    phase: Vec<i32>,
    full_phase: i32,
    /// By piece type, the class of its value.
    class: Vec<usize>,
    /// The files, each as the set of its squares.
    files: Vec<Set>,
    mobility: [i32; 257],
    /// The piece types that threaten more valuable ones, and the lowest class that they threaten.
    threatening: Vec<(PieceType, usize)>,
    /// Colour-bound piece types.
    bound: Vec<PieceType>,
    dark: Set,
    conditions: Option<Conditions>,
}

impl Evaluator {
    /// Creates an evaluator: with the network that ships for the game, or else with its tuned weights, or else with
    /// estimated ones.
    pub fn new(game: Arc<Game>) -> Evaluator {
        let network = Network::of_game(&game);
        network.and_then(|network| Evaluator::with_network(Arc::clone(&game), network).ok()).unwrap_or_else(|| {
            let weights = Weights::of_game(&game);
            Evaluator::with_weights(game, weights)
        })
    }

    /// Creates an evaluator with the network of a file instead of the one that ships; empty bytes stand for none.
    ///
    /// # Errors
    /// If the file is not a network of this game.
    pub fn with_network_file(game: Arc<Game>, bytes: &[u8]) -> Result<Evaluator, String> {
        if bytes.is_empty() {
            let weights = Weights::of_game(&game);
            return Ok(Evaluator::with_weights(game, weights));
        }
        let network = Network::read(bytes, &game)?;
        Evaluator::with_network(game, network)
    }

    /// Creates an evaluator with a network, and with the weights to which it is added.
    ///
    /// # Errors
    /// If those weights cannot be read.
    pub fn with_network(game: Arc<Game>, network: Network) -> Result<Evaluator, String> {
        let weights = match network.weights() {
            Some(text) => Weights::read(text, &game)?,
            None => Weights::of_game(&game),
        };
        Ok(Evaluator { network: Some(network), ..Evaluator::with_weights(game, weights) })
    }

    /// Creates an evaluator with these weights.
    pub fn with_weights(game: Arc<Game>, weights: Weights) -> Evaluator {
        let rules = &game.rules;
        let places = Color::BOTH.map(|color| (0..=255).map(|square| place(rules, color, Square(square))).collect());
        let piece_types = 0..rules.piece_types as u8;
        let mut placed = vec![[Tapered::default(); 256]; 2 * rules.piece_types];
        for kind in piece_types.clone().map(PieceType) {
            for color in Color::BOTH {
                let piece = Piece::new(color, kind);
                for square in rules.board {
                    let place: &Place = &Vec::<Place>::as_slice(&places[color.index()])[square.index()];
                    let mut total = Total { weights: &weights, sum: Tapered::default() };
                    place_features(kind, place, sign(color), &mut total);
                    placed[piece.index()][square.index()] = total.sum;
                }
            }
        }
        let phase: Vec<i32> = piece_types
            .clone()
            .map(PieceType)
            .map(|kind| {
                let counts = !rules.soldier[kind.index()] && !rules.royal[kind.index()];
                if counts { weights.value(kind).abs() } else { 0 }
            })
            .collect();
        let full_phase = game.definition.placement.iter().map(|(_, _, kind)| phase[kind.index()]).sum::<i32>().max(1);
        let ring = |square: u8, near: u8, far: u8| {
            let at = Square(square);
            rules.board.into_iter().filter(|other| (near..=far).contains(&at.distance(*other))).collect()
        };
        let front = Color::BOTH.map(|color| (0..=255).map(|square| front(rules, color, Square(square))).collect());
        let class = |kind: PieceType| class(weights.value(kind));
        let threatening = piece_types.clone().map(PieceType).filter(|kind| !rules.royal[kind.index()]);
        let lowest = |kind: PieceType| if rules.soldier[kind.index()] { 0 } else { class(kind) + 1 };
        let threatening = threatening.map(|kind| (kind, lowest(kind))).filter(|(_, class)| *class < CLASSES).collect();
        Evaluator {
            threatening,
            placed,
            places,
            front,
            beside: (0..=255).map(|square| ring(square, 0, 1)).collect(),
            around: (0..=255).map(|square| ring(square, 2, 2)).collect(),
            distances: (0..=255)
                .filter(|_| !rules.has_check())
                .map(|from| std::array::from_fn(|to| Square(from).distance(Square(to as u8))))
                .collect(),
            phase,
            full_phase,
            class: piece_types.clone().map(PieceType).map(class).collect(),
            files: (0..rules.files)
                .map(|file| rules.board.into_iter().filter(|square| square.file() == file).collect())
                .collect(),
            mobility: std::array::from_fn(|count| (8.0 * (count as f64).sqrt()).round() as i32),
            bound: piece_types
                .map(PieceType)
                .filter(|kind| rules.color_bound[kind.index()] && !rules.royal[kind.index()])
                .collect(),
            dark: rules.board.into_iter().filter(|square| (square.file() + square.rank()) % 2 == 0).collect(),
            conditions: Conditions::new(&game),
            weights,
            network: None,
            game,
        }
    }

    /// Its network.
    pub fn network(&self) -> Option<&Network> {
        self.network.as_ref()
    }

    /// Whether a full evaluation costs little more than the incremental part.
    pub fn is_quick(&self) -> bool {
        self.network.as_ref().is_some_and(|network| !network.card().added)
    }

    /// The weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The value of a piece type, in centipawns.
    #[inline]
    pub fn value(&self, kind: PieceType) -> i32 {
        self.weights.value(kind)
    }

    /// The piece types that threaten more valuable ones, and the lowest class that they threaten.
    pub(crate) fn threatening(&self) -> impl Iterator<Item = (PieceType, usize)> {
        self.threatening.iter().copied()
    }

    /// The class of a piece type if it can be threatened by weaker ones.
    #[inline]
    pub(crate) fn threatened_class(&self, kind: PieceType) -> Option<usize> {
        let rules = &self.game.rules;
        (!rules.soldier[kind.index()] && !rules.royal[kind.index()]).then(|| self.class[kind.index()])
    }

    /// Computes the sums of a position from scratch.
    pub fn sums(&self, position: &Position) -> Sums {
        let mut sums = Sums::NONE;
        if let Some(network) = &self.network {
            sums.neurons = network.begin(Color::BOTH.map(|color| position.royals(color)));
        }
        for square in position.occupied() {
            self.add_piece(&mut sums, square, position.piece(square).expect("occupied"));
        }
        sums
    }

    /// Returns the sums after a move that led to `position` and had this effect.
    pub fn sums_after(&self, sums: &Sums, after: &Position, effect: Option<&Effect>) -> Sums {
        let mut sums = *sums;
        let Some(effect) = effect else { return sums };
        effect.each_leaving(|square, piece| self.remove_piece(&mut sums, square, piece));
        effect.each_arriving(|square, piece| self.add_piece(&mut sums, square, piece));
        if let Some(network) = &self.network
            && self.game.rules.royal[effect.piece.piece_type().index()]
        {
            network.follow_royal(&mut sums.neurons, after, effect.piece.color(), effect.to);
        }
        sums
    }

    #[inline]
    fn add_piece(&self, sums: &mut Sums, square: Square, piece: Piece) {
        sums.placed += self.placed[piece.index()][square.index()];
        sums.phase += self.phase[piece.piece_type().index()];
        self.flip(sums, square, piece);
        if let Some(network) = &self.network {
            network.add_piece(&mut sums.neurons, square, piece);
        }
    }

    #[inline]
    fn remove_piece(&self, sums: &mut Sums, square: Square, piece: Piece) {
        sums.placed -= self.placed[piece.index()][square.index()];
        sums.phase -= self.phase[piece.piece_type().index()];
        self.flip(sums, square, piece);
        if let Some(network) = &self.network {
            network.remove_piece(&mut sums.neurons, square, piece);
        }
    }

    #[inline]
    fn flip(&self, sums: &mut Sums, square: Square, piece: Piece) {
        let key = mix((piece.index() as u64) << 8 | u64::from(square.0));
        let class = if self.game.rules.soldier[piece.piece_type().index()] { 0 } else { 1 + piece.color().index() };
        sums.keys[class] ^= key;
    }

    /// The evaluation in centipawns, for the side to move.
    pub fn evaluate(&self, position: &Position, sums: &Sums) -> Score {
        let judged = self.network.as_ref().map_or(0, |network| {
            network.evaluate(&sums.neurons, position.turn(), position.occupied().count() as usize)
        });
        if self.is_quick() {
            return judged.clamp(-MAX_EVALUATION, MAX_EVALUATION);
        }
        let hunt = self.hunt(position);
        let mut total = Total { weights: &self.weights, sum: sums.placed };
        self.features(position, hunt, &mut total);
        // Of won games a network has mostly seen how they are not won: the more a side hunts, the less it counts.
        let judged = judged * (DEGREES - hunt.abs()) / DEGREES;
        (self.finish(position, total.sum, sums.phase) + judged).clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    /// The incremental part of the evaluation, in centipawns for the side to move.
    pub fn rough(&self, position: &Position, sums: &Sums) -> Score {
        self.finish(position, sums.placed, sums.phase)
    }

    /// What White gains by a move in the middlegame, in centipawns, by piece-square values alone.
    pub fn rough_gain(&self, effect: &Effect) -> Score {
        let mut gain = 0;
        effect.each_leaving(|square, piece| gain -= self.placed[piece.index()][square.index()].middle);
        effect.each_arriving(|square, piece| gain += self.placed[piece.index()][square.index()].middle);
        gain / UNIT
    }

    /// The worth of having the move, in centipawns.
    pub fn tempo(&self) -> Score {
        self.weights.at(self.weights.of_side(SideFeature::Tempo)).middle / UNIT
    }

    fn finish(&self, position: &Position, sum: Tapered, phase: i32) -> Score {
        let phase = phase.min(self.full_phase);
        let blend = i64::from(sum.middle) * i64::from(phase) + i64::from(sum.end) * i64::from(self.full_phase - phase);
        let score = (blend / i64::from(self.full_phase) / i64::from(UNIT)) as i32;
        let score = if position.turn() == Color::White { score } else { -score };
        score.clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    /// The game phase in thousandths: 1000 with all pieces on the board.
    pub fn phase(&self, sums: &Sums) -> i32 {
        sums.phase.min(self.full_phase) * 1000 / self.full_phase
    }

    /// Counts every feature of a position, piece-square features included.
    pub fn all_features(&self, position: &Position, tally: &mut impl Tally) {
        for square in position.occupied() {
            let piece = position.piece(square).expect("occupied");
            place_features(
                piece.piece_type(),
                &self.places[piece.color().index()][square.index()],
                sign(piece.color()),
                tally,
            );
        }
        self.features(position, self.hunt(position), tally);
    }

    fn features(&self, position: &Position, hunt: i32, tally: &mut impl Tally) {
        let rules = &self.game.rules;
        let us = position.turn();
        tally.add(self.weights.of_side(SideFeature::Tempo), sign(us));
        let soldiers = Color::BOTH.map(|color| self.soldiers(position, color, tally));
        let attacks = Color::BOTH.map(|color| self.pieces(position, color, soldiers[(!color).index()], tally));
        for color in Color::BOTH {
            let (sign, them) = (sign(color), (!color).index());
            let own = position.by_color(color);
            let guarded = attacks[color.index()].upto[CLASSES - 1] | soldiers[color.index()];
            let defended = guarded | attacks[color.index()].royal;
            let attacked = attacks[them].upto[CLASSES - 1] | attacks[them].royal | soldiers[them];
            let chased = own & soldiers[them];
            let hanging = (own & attacked).minus(defended);
            let royals = position.royals(color);
            if !rules.has_check() {
                self.capturable_royals(position, color, attacked, hunt, tally);
            }
            for square in (chased | hanging).minus(royals) {
                let kind = position.piece(square).expect("own").piece_type();
                if chased.contains(square) && !rules.soldier[kind.index()] {
                    tally.add(Weights::of_type(kind, PieceTypeFeature::AttackedBySoldier), sign);
                } else if hanging.contains(square) {
                    tally.add(Weights::of_type(kind, PieceTypeFeature::Hanging), sign);
                }
            }
            for class in 1..CLASSES {
                let lesser = attacks[them].upto[class - 1];
                for square in (own & lesser).minus(royals) {
                    let kind = position.piece(square).expect("own").piece_type();
                    if self.class[kind.index()] == class {
                        tally.add(Weights::of_type(kind, PieceTypeFeature::AttackedByMinor), sign);
                    }
                }
            }
            let mut near = Set::EMPTY;
            for king in royals {
                let beside = self.beside[king.index()];
                tally.add(self.weights.of_side(SideFeature::Shelter), sign * ((beside & own).count() as i32 - 1));
                near |= beside | self.around[king.index()];
                if rules.has_check() {
                    let weak = (beside & (attacks[them].upto[CLASSES - 1] | soldiers[them])).minus(guarded).count();
                    let feature = self.weights.of_side_place(SideFeature::Weak, weak as usize);
                    tally.add(feature, -sign);
                }
            }
            self.structure(position, color, near, tally);
            for kind in &self.bound {
                let pieces = position.pieces(color, *kind);
                let dark = (pieces & self.dark).count() as i32;
                let pairs = dark.min(pieces.count() as i32 - dark);
                if pairs > 0 {
                    tally.add(self.weights.of_side(SideFeature::Pair), sign * pairs);
                }
            }
            self.command(position, color, hunt, tally);
        }
        if let Some(conditions) = &self.conditions {
            conditions.count(rules, &self.weights, position, tally);
        }
    }

    /// Counts the features of a side's other pieces; returns the squares that they attack.
    fn pieces(&self, position: &Position, color: Color, chasers: Set, tally: &mut impl Tally) -> Attacks {
        let (rules, sign) = (&self.game.rules, sign(color));
        let (mut beside, mut around) = (Set::EMPTY, Set::EMPTY);
        for king in position.royals(!color) {
            beside |= self.beside[king.index()];
            around |= self.around[king.index()];
        }
        let safe = rules.board.minus(position.by_color(color)).minus(chasers);
        let mut attacks = Attacks { upto: [Set::EMPTY; CLASSES], royal: Set::EMPTY };
        let mut attackers = 0;
        for kind in (0..rules.piece_types).filter(|kind| !rules.soldier[*kind]).map(|kind| PieceType(kind as u8)) {
            let piece = Piece::new(color, kind);
            for square in position.pieces(color, kind) {
                let set = position.attack_set(rules, piece, square);
                if rules.royal[kind.index()] && rules.has_check() {
                    attacks.royal |= set;
                    continue;
                }
                attacks.upto[self.class[kind.index()]] |= set;
                let count = (set & safe).count() as usize;
                tally.add(Weights::of_type(kind, PieceTypeFeature::Mobility), sign * self.mobility[count]);
                if set.meets(&beside) {
                    attackers += 1;
                    let zone = 2 * (set & beside).count() + (set & around).count();
                    tally.add(Weights::of_type(kind, PieceTypeFeature::Zone), sign * zone as i32);
                }
            }
        }
        for class in 1..CLASSES {
            attacks.upto[class] |= attacks.upto[class - 1];
        }
        if attackers > 0 {
            let feature = self.weights.of_side_place(SideFeature::Attackers, attackers);
            tally.add(feature, sign);
        }
        attacks
    }
}

#[inline]
fn sign(color: Color) -> i32 {
    if color == Color::White { 1 } else { -1 }
}

fn place_features(kind: PieceType, place: &Place, sign: i32, tally: &mut impl Tally) {
    tally.add(Weights::of_type(kind, PieceTypeFeature::Value), sign);
    tally.add(Weights::of_type(kind, PieceTypeFeature::Advance), sign * place.advance);
    tally.add(Weights::of_type(kind, PieceTypeFeature::File), sign * place.file);
    tally.add(Weights::of_type(kind, PieceTypeFeature::Rank), sign * place.rank);
}

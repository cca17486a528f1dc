//! A small network that evaluates positions of one game.
//!
//! An efficiently updatable network (NNUE). Each side sees the board from its own end, mirrored so that its King is on
//! the left half; every piece on its square is an input. The first layer is updated incrementally ([`Neurons`]), once
//! for each side. Its values are clipped and squared and multiplied by the output weights of a bucket, chosen by the
//! number of pieces left. All arithmetic is in integers, so every machine computes the same score.

use crate::card::{Card, default_rules};
use rules::{Color, Game, Piece, Position, Set, Square};

/// The most neurons of the first layer, for each side: 128 keep the sums of the output within 32 bits.
pub const MAX_NEURONS: usize = 128;
/// Neurons are computed in blocks of so many, and a network has a whole number of blocks.
pub const BLOCK: usize = 32;
/// Buckets of output weights, by the number of pieces left.
pub const BUCKETS: usize = 4;
/// The value at which a neuron is clipped; it stands for 1.
pub const FULL: i16 = 255;
/// The value of an output weight that stands for 1.
pub const OUTPUT_UNIT: i32 = 64;
/// The score in centipawns at which a side scores some 73 %: the scale of the logistic curve.
pub const SCALE: i32 = 330;

/// Some neurons of one side, or their weights.
type Block = [i16; BLOCK];

/// The accumulator: the neurons of both sides, and whether each side sees the board mirrored. Blocks that a network
/// lacks are zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Neurons {
    rows: [[Block; MAX_NEURONS / BLOCK]; 2],
    mirrored: [bool; 2],
}

impl Neurons {
    /// An empty accumulator.
    pub const NONE: Neurons = Neurons { rows: [[[0; BLOCK]; MAX_NEURONS / BLOCK]; 2], mirrored: [false; 2] };
}

/// The inputs of a game's network, and how many neurons they feed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    piece_types: usize,
    files: usize,
    ranks: usize,
    /// The number of pieces at the start.
    pieces: usize,
    /// Whether each side sees the board mirrored so that its King is on the left half.
    mirrors: bool,
    neurons: usize,
}

impl Shape {
    /// The numbers of neurons that a network may have for each side.
    pub const NEURONS: [usize; 4] = [BLOCK, 2 * BLOCK, 3 * BLOCK, MAX_NEURONS];

    /// Returns the shape for a game, with a number of neurons a side.
    ///
    /// # Panics
    /// If networks cannot have so many.
    pub fn of(game: &Game, neurons: usize) -> Shape {
        assert!(Shape::NEURONS.contains(&neurons), "{neurons} neurons");
        let rules = &game.rules;
        let pieces = game.definition.placement.len().max(1);
        let (files, ranks) = (rules.files.into(), rules.ranks.into());
        Shape { piece_types: rules.piece_types, files, ranks, pieces, mirrors: rules.has_check(), neurons }
    }

    /// The number of inputs.
    pub fn inputs(&self) -> usize {
        2 * self.piece_types * self.files * self.ranks
    }

    /// The number of parameters.
    pub fn numbers(&self) -> usize {
        (self.inputs() + 1 + 2 * BUCKETS) * self.neurons + BUCKETS
    }

    /// The neurons of each side.
    pub fn neurons(&self) -> usize {
        self.neurons
    }

    /// The index of the input for a piece on a square, as a side sees it.
    #[inline]
    pub fn input(&self, side: Color, mirrored: bool, square: Square, piece: Piece) -> usize {
        let (file, rank) = (usize::from(square.file()), usize::from(square.rank()));
        let file = if mirrored { self.files - 1 - file } else { file };
        let rank = if side == Color::Black { self.ranks - 1 - rank } else { rank };
        let kind = usize::from(piece.color() != side) * self.piece_types + piece.piece_type().index();
        (kind * self.ranks + rank) * self.files + file
    }

    /// Whether a side with its royals on these squares sees the board mirrored.
    #[inline]
    pub fn is_mirrored(&self, royals: Set) -> bool {
        self.mirrors && royals.into_iter().any(|square| 2 * usize::from(square.file()) > self.files - 1)
    }

    /// The bucket of output weights for a number of pieces on the board.
    #[inline]
    pub fn bucket(&self, pieces: usize) -> usize {
        (pieces.saturating_sub(1) * BUCKETS / self.pieces).min(BUCKETS - 1)
    }

    /// The piece types of both sides, the files and the ranks.
    pub fn sizes(&self) -> (usize, usize, usize) {
        (2 * self.piece_types, self.files, self.ranks)
    }
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Shape { piece_types, files, ranks, neurons, .. } = self;
        // Stored networks begin with this text.
        write!(f, "{piece_types} kinds, {files} files, {ranks} ranks, {neurons} neurons, {BUCKETS} buckets")
    }
}

/// The parameters of a network.
pub struct Network {
    card: Card,
    weights: String,
    shape: Shape,
    /// The blocks of each input, then those of the bias.
    rows: Vec<Block>,
    /// By bucket: the blocks of weights for the side to move, then those for the other side.
    output: Vec<Block>,
    output_bias: [i16; BUCKETS],
}

include!(concat!(env!("OUT_DIR"), "/networks.rs"));

impl Network {
    /// Returns the network that ships for a game, if there is one.
    pub fn of_game(game: &Game) -> Option<Network> {
        let (_, bytes) = NETWORKS.iter().find(|(id, _)| *id == game.definition.texts.id)?;
        Network::read(bytes, game).ok()
    }

    /// The networks that ship, by the id of their game.
    pub fn shipped() -> impl Iterator<Item = (&'static str, &'static [u8])> {
        NETWORKS.iter().copied()
    }

    /// Reads a network: lines that describe it, weights of features as text if it is added to them, then its parameters
    /// as 16-bit little-endian integers.
    ///
    /// # Errors
    /// Says what was expected: a file of another game, or of another definition of this game, is refused.
    pub fn read(bytes: &[u8], game: &Game) -> Result<Network, String> {
        let (card, found, weights, numbers) = Card::read(bytes)?;
        let (id, rules) = (&game.definition.texts.id, default_rules(game));
        if card.game != *id {
            return Err(format!("this network plays {:?}, not {id:?}", card.game));
        }
        if card.rules != rules {
            let other = card.rules;
            return Err(format!(
                "this network was trained under other rules of {id}: their hash is {other:016x}, not {rules:016x}"
            ));
        }
        let mut shapes = Shape::NEURONS.map(|neurons| Shape::of(game, neurons)).into_iter();
        let Some(shape) = shapes.find(|shape| shape.to_string() == found) else {
            let (expected, neurons) = (Shape::of(game, BLOCK), Shape::NEURONS);
            return Err(format!("this network has {found}; expected {expected} (neurons may be {neurons:?})"));
        };
        let wanted = 2 * shape.numbers();
        if numbers.len() != wanted {
            return Err(format!("expected {wanted} bytes after the header, not {}", numbers.len()));
        }
        let mut numbers = numbers.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        let mut next = || numbers.next().expect("counted");
        let mut blocks =
            |rows: usize| (0..rows * shape.neurons / BLOCK).map(|_| std::array::from_fn(|_| next())).collect();
        let (rows, output) = (blocks(shape.inputs() + 1), blocks(2 * BUCKETS));
        let output_bias = std::array::from_fn(|_| next());
        Ok(Network { card, weights: weights.into(), shape, rows, output, output_bias })
    }

    /// Writes a network of a game: its shape, and numbers in the order in which [`Network::read`] reads them. With the
    /// weights of features, it is added to them.
    pub fn write(
        game: &Game,
        shape: Shape,
        weights: Option<&str>,
        recipe: String,
        log: String,
        numbers: impl Iterator<Item = i16>,
    ) -> Vec<u8> {
        let (game_id, added) = (game.definition.texts.id.clone(), weights.is_some());
        let card = Card { game: game_id, rules: default_rules(game), added, recipe, log };
        let weights = weights.unwrap_or_default();
        let mut bytes = card.header(&shape.to_string(), weights.len()).into_bytes();
        bytes.extend(weights.bytes());
        numbers.for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes
    }

    /// Its parameters, in the order in which they are read and written.
    pub fn parameters(&self) -> impl Iterator<Item = i16> {
        self.rows.iter().chain(&self.output).flatten().chain(&self.output_bias).copied()
    }

    /// Its inputs and neurons.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The blocks of an input, or of the bias, which comes after the last input.
    #[inline]
    fn row(&self, index: usize) -> &[Block] {
        let blocks = self.shape.neurons / BLOCK;
        &self.rows[index * blocks..][..blocks]
    }

    /// The weights of features to which it is added, as text.
    pub fn weights(&self) -> Option<&str> {
        self.card.added.then_some(&self.weights)
    }

    /// What its file says of itself.
    pub fn card(&self) -> &Card {
        &self.card
    }

    /// Returns the accumulator of an empty board, mirrored for each side as its royals on these squares require.
    pub fn begin(&self, royals: [Set; 2]) -> Neurons {
        let mut neurons = Neurons { mirrored: royals.map(|royals| self.shape.is_mirrored(royals)), ..Neurons::NONE };
        Color::BOTH.into_iter().for_each(|side| self.empty(&mut neurons, side));
        neurons
    }

    /// Gives a side the neurons that it has on an empty board.
    fn empty(&self, neurons: &mut Neurons, side: Color) {
        let bias = self.row(self.shape.inputs());
        neurons.rows[side.index()][..bias.len()].copy_from_slice(bias);
    }

    /// Handles a royal's move: if the side's view becomes mirrored, or stops being so, its neurons are recomputed for
    /// the position.
    pub fn follow_royal(&self, neurons: &mut Neurons, position: &Position, side: Color, to: Square) {
        let mirrored = self.shape.is_mirrored(Set::of(to));
        if mirrored == neurons.mirrored[side.index()] {
            return;
        }
        neurons.mirrored[side.index()] = mirrored;
        self.empty(neurons, side);
        for square in position.occupied() {
            self.add::<1>(neurons, side, square, position.piece(square).expect("occupied"));
        }
    }

    /// Adds a piece on a square.
    #[inline]
    pub fn add_piece(&self, neurons: &mut Neurons, square: Square, piece: Piece) {
        Color::BOTH.into_iter().for_each(|side| self.add::<1>(neurons, side, square, piece));
    }

    /// Removes a piece from a square.
    #[inline]
    pub fn remove_piece(&self, neurons: &mut Neurons, square: Square, piece: Piece) {
        Color::BOTH.into_iter().for_each(|side| self.add::<-1>(neurons, side, square, piece));
    }

    #[inline]
    fn add<const SIGN: i16>(&self, neurons: &mut Neurons, side: Color, square: Square, piece: Piece) {
        let row = self.row(self.shape.input(side, neurons.mirrored[side.index()], square, piece));
        for (neurons, weights) in neurons.rows[side.index()].iter_mut().zip(row) {
            for (neuron, weight) in neurons.iter_mut().zip(weights) {
                *neuron = neuron.wrapping_add(SIGN * weight);
            }
        }
    }

    /// The evaluation in centipawns, for the side to move.
    pub fn evaluate(&self, neurons: &Neurons, us: Color, pieces: usize) -> i32 {
        let bucket = self.shape.bucket(pieces);
        let blocks = self.shape.neurons / BLOCK;
        let (own, other) = self.output[2 * bucket * blocks..][..2 * blocks].split_at(blocks);
        let sum = weighted_sum(&neurons.rows[us.index()], own) + weighted_sum(&neurons.rows[(!us).index()], other);
        let full = i32::from(FULL);
        let score = i64::from(sum / full + i32::from(self.output_bias[bucket]) * OUTPUT_UNIT);
        (score * i64::from(SCALE) / i64::from(full * OUTPUT_UNIT)) as i32
    }
}

/// The output of a side: its neurons, clipped and squared (SCReLU), times their weights. A weight is below 2, so that
/// it fits in 16 bits times a full neuron.
#[inline]
fn weighted_sum(neurons: &[Block], weights: &[Block]) -> i32 {
    let mut sum = 0;
    for (neurons, weights) in neurons.iter().zip(weights) {
        for (neuron, weight) in neurons.iter().zip(weights) {
            let clipped = (*neuron).clamp(0, FULL);
            sum += i32::from(clipped.wrapping_mul(*weight)) * i32::from(clipped);
        }
    }
    sum
}

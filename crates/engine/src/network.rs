//! A small network that evaluates positions of one game.
//!
//! An efficiently updatable network (NNUE). Each side sees the board from its own end, mirrored so that its King is on
//! the left half; every piece on its square is an input. The first layer is updated incrementally ([`Neurons`]), once
//! for each side. Its values are clipped and squared and multiplied by the output weights of a bucket, chosen by the
//! number of pieces left. All arithmetic is in integers, so every machine computes the same score.

use crate::card::{Card, default_rules};
use rules::{Color, Game, Piece, Position, Set, Square};

/// Neurons of the first layer, for each side.
pub const WIDTH: usize = 32;
/// Buckets of output weights, by the number of pieces left.
pub const BUCKETS: usize = 4;
/// The value at which a neuron is clipped; it stands for 1.
pub const FULL: i16 = 255;
/// The value of an output weight that stands for 1.
pub const OUTPUT_UNIT: i32 = 64;
/// The score in centipawns at which a side scores some 73 %: the scale of the logistic curve.
pub const SCALE: i32 = 330;

/// The neurons of one side.
pub type Row = [i16; WIDTH];

/// The accumulator: the neurons of both sides, and whether each side sees the board mirrored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Neurons {
    rows: [Row; 2],
    mirrored: [bool; 2],
}

impl Neurons {
    /// An empty accumulator.
    pub const NONE: Neurons = Neurons { rows: [[0; WIDTH]; 2], mirrored: [false; 2] };
}

/// The inputs of a game's network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    kinds: usize,
    files: usize,
    ranks: usize,
    /// The number of pieces at the start.
    pieces: usize,
    /// Whether each side sees the board mirrored so that its King is on the left half.
    mirrors: bool,
}

impl Shape {
    /// Returns the shape for a game.
    pub fn of(game: &Game) -> Shape {
        let rules = &game.rules;
        let pieces = game.definition.placement.len().max(1);
        let (files, ranks) = (rules.files.into(), rules.ranks.into());
        Shape { kinds: rules.kinds, files, ranks, pieces, mirrors: rules.has_check() }
    }

    /// The number of inputs.
    pub fn inputs(&self) -> usize {
        2 * self.kinds * self.files * self.ranks
    }

    /// The number of parameters.
    pub fn numbers(&self) -> usize {
        self.inputs() * WIDTH + WIDTH + BUCKETS * (2 * WIDTH + 1)
    }

    /// The index of the input for a piece on a square, as a side sees it.
    #[inline]
    pub fn input(&self, side: Color, mirrored: bool, square: Square, piece: Piece) -> usize {
        let (file, rank) = (usize::from(square.file()), usize::from(square.rank()));
        let file = if mirrored { self.files - 1 - file } else { file };
        let rank = if side == Color::Black { self.ranks - 1 - rank } else { rank };
        let kind = usize::from(piece.color() != side) * self.kinds + piece.kind().index();
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

    /// The kinds of both sides, the files and the ranks.
    pub fn sizes(&self) -> (usize, usize, usize) {
        (2 * self.kinds, self.files, self.ranks)
    }
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Shape { kinds, files, ranks, .. } = self;
        write!(f, "{kinds} kinds, {files} files, {ranks} ranks, {WIDTH} neurons, {BUCKETS} buckets")
    }
}

/// The parameters of a network.
pub struct Network {
    card: Card,
    weights: String,
    shape: Shape,
    rows: Vec<Row>,
    bias: Row,
    /// By bucket: weights for the side to move, then for the other side.
    output: [[Row; 2]; BUCKETS],
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
        let (id, shape, rules) = (&game.definition.texts.id, Shape::of(game), default_rules(game));
        if card.game != *id {
            return Err(format!("this network plays {:?}, not {id:?}", card.game));
        }
        if card.rules != rules {
            let other = card.rules;
            return Err(format!(
                "this network was trained under other rules of {id}: their hash is {other:016x}, not {rules:016x}"
            ));
        }
        if found != shape.to_string() {
            return Err(format!("this network has {found}; expected {shape}"));
        }
        let wanted = 2 * shape.numbers();
        if numbers.len() != wanted {
            return Err(format!("expected {wanted} bytes after the header, not {}", numbers.len()));
        }
        let mut numbers = numbers.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        let mut next = || numbers.next().expect("counted");
        Ok(Network {
            card,
            weights: weights.into(),
            rows: (0..shape.inputs()).map(|_| std::array::from_fn(|_| next())).collect(),
            bias: std::array::from_fn(|_| next()),
            output: std::array::from_fn(|_| std::array::from_fn(|_| std::array::from_fn(|_| next()))),
            output_bias: std::array::from_fn(|_| next()),
            shape,
        })
    }

    /// Writes a network of a game: numbers in the order in which [`Network::read`] reads them. With the weights of
    /// features, it is added to them.
    pub fn write(
        game: &Game,
        weights: Option<&str>,
        recipe: String,
        log: String,
        numbers: impl Iterator<Item = i16>,
    ) -> Vec<u8> {
        let (game_id, added) = (game.definition.texts.id.clone(), weights.is_some());
        let card = Card { game: game_id, rules: default_rules(game), added, recipe, log };
        let weights = weights.unwrap_or_default();
        let mut bytes = card.header(&Shape::of(game).to_string(), weights.len()).into_bytes();
        bytes.extend(weights.bytes());
        numbers.for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes
    }

    /// Its parameters, in the order in which they are read and written.
    pub fn parameters(&self) -> impl Iterator<Item = i16> {
        let rows = self.rows.iter().flatten().chain(&self.bias);
        rows.chain(self.output.as_flattened().as_flattened()).chain(&self.output_bias).copied()
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
        Neurons { rows: [self.bias; 2], mirrored: royals.map(|royals| self.shape.is_mirrored(royals)) }
    }

    /// Handles a royal's move: if the side's view becomes mirrored, or stops being so, its neurons are recomputed for
    /// the position.
    pub fn follow_royal(&self, neurons: &mut Neurons, position: &Position, side: Color, to: Square) {
        let mirrored = self.shape.is_mirrored(Set::of(to));
        if mirrored == neurons.mirrored[side.index()] {
            return;
        }
        neurons.mirrored[side.index()] = mirrored;
        neurons.rows[side.index()] = self.bias;
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
        let row = &self.rows[self.shape.input(side, neurons.mirrored[side.index()], square, piece)];
        for (neuron, weight) in neurons.rows[side.index()].iter_mut().zip(row) {
            *neuron = neuron.wrapping_add(SIGN * weight);
        }
    }

    /// The evaluation in centipawns, for the side to move.
    pub fn evaluate(&self, neurons: &Neurons, us: Color, pieces: usize) -> i32 {
        let bucket = self.shape.bucket(pieces);
        let output = &self.output[bucket];
        let sum = weighted_sum(&neurons.rows[us.index()], &output[0])
            + weighted_sum(&neurons.rows[(!us).index()], &output[1]);
        let full = i32::from(FULL);
        let score = sum / full + i32::from(self.output_bias[bucket]) * OUTPUT_UNIT;
        score * SCALE / (full * OUTPUT_UNIT)
    }
}

/// The output of a side: its neurons, clipped and squared (SCReLU), times their weights. A weight is below 2, so that
/// it fits in 16 bits times a full neuron.
#[inline]
fn weighted_sum(neurons: &Row, weights: &Row) -> i32 {
    let mut sum = 0;
    for (neuron, weight) in neurons.iter().zip(weights) {
        let clipped = (*neuron).clamp(0, FULL);
        sum += i32::from(clipped.wrapping_mul(*weight)) * i32::from(clipped);
    }
    sum
}

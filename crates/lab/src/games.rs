//! Games packed into bytes, column by column; `docs/lab-format.md` describes the format.
//!
//! Moves are stored by their squares, so that the data outlives changes of move generation. Similar numbers stand side
//! by side, so that a general compressor packs them well.

use rules::{Board, Game, Move, MoveTag, PieceType, Reason, Square, read_board};
use std::sync::Arc;

/// A score as the search gives it, in centipawns.
pub type Score = i32;

/// Scores are stored up to this; it stands for a proven win.
pub const MOST: Score = 16_000;
/// The most bytes that are read as one block of games.
pub const MAX_BYTES: usize = 1 << 28;
/// The most moves of a game.
pub const MAX_MOVES: usize = 20_000;

/// Bytes that stand for special moves in the column of promotions; below them, one more than the piece type.
const SPECIAL: [(u8, Move); 3] = [(255, Move::END), (254, Move::CLAIM), (253, Move::PLAY_ON)];

/// Why a game of the data ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// By the rules.
    Rules(Reason),
    /// The search proved a win.
    Proven,
    /// It was not played to its end. Its points are those of a draw, but nobody knows.
    Unfinished,
}

impl Ending {
    /// Every ending, in the order of its number in packed games.
    pub fn all() -> impl Iterator<Item = Ending> {
        [Ending::Unfinished, Ending::Proven].into_iter().chain(Reason::ALL.map(Ending::Rules))
    }

    /// A stable name, for programs.
    pub fn name(self) -> &'static str {
        match self {
            Ending::Rules(reason) => reason.name(),
            Ending::Proven => "proven",
            Ending::Unfinished => "unfinished",
        }
    }
}

/// A game that was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The position before the first move, in FEN.
    pub start: String,
    /// The moves, each with its score in centipawns for White; a random move and the later moves of a turn have none.
    pub moves: Vec<(Move, Option<Score>)>,
    /// The points of White and Black, doubled.
    pub half_points: (u8, u8),
    /// Why it ended.
    pub ending: Ending,
}

impl Played {
    /// Calls `each` with the board before every move, the move and its score; returns the board after the last.
    ///
    /// # Errors
    /// Says which move is not legal, or what is wrong with the start.
    pub fn replay(&self, game: &Arc<Game>, mut each: impl FnMut(&Board, Move, Option<Score>)) -> Result<Board, String> {
        let mut board = read_board(game, &self.start).map_err(|error| format!("{:?}: {error}", self.start))?;
        for (number, (wanted, score)) in self.moves.iter().enumerate() {
            let Some(mv) = board.find(*wanted) else {
                return Err(format!("move {}, {wanted:?}, is not legal in {}", number + 1, board.fen()));
            };
            each(&board, mv, *score);
            board.push(mv);
        }
        Ok(board)
    }

    /// White's share of the points, from 0 to 1.
    pub fn share(&self) -> f64 {
        let (white, black) = self.half_points;
        f64::from(white) / f64::from(white + black).max(1.0)
    }
}

/// Packs games into bytes.
pub fn pack(game: &Game, games: &[Played]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let starts = games.iter().map(|played| played.start.as_str()).collect::<Vec<_>>().join("\n");
    bytes.extend((games.len() as u32).to_le_bytes());
    bytes.extend((starts.len() as u32).to_le_bytes());
    bytes.extend(starts.as_bytes());
    games.iter().for_each(|played| bytes.extend((played.moves.len() as u16).to_le_bytes()));
    bytes.extend(games.iter().map(|played| played.half_points.0));
    bytes.extend(games.iter().map(|played| played.half_points.1));
    let ending = |played: &Played| Ending::all().position(|ending| ending == played.ending).expect("one of all") as u8;
    bytes.extend(games.iter().map(ending));
    let files = game.rules.files;
    let number = |square: Square| square.rank() * files + square.file();
    let moves = || games.iter().flat_map(|played| &played.moves).map(|(mv, _)| *mv);
    bytes.extend(moves().map(|mv| if mv.moves_piece() { number(mv.from()) } else { 0 }));
    bytes.extend(moves().map(|mv| if mv.moves_piece() { number(mv.to()) } else { 0 }));
    let special = |mv: Move| SPECIAL.iter().find(|(_, other)| *other == mv).map(|(byte, _)| *byte);
    bytes.extend(moves().map(|mv| special(mv).unwrap_or(mv.promotion().map_or(0, |kind| kind.0 + 1))));
    let scores: Vec<u16> = games.iter().flat_map(differences).collect();
    bytes.extend(scores.iter().map(|score| *score as u8));
    bytes.extend(scores.iter().map(|score| (score >> 8) as u8));
    bytes
}

/// By move: 0 without a score, otherwise one more than the zigzag number of the difference to the score before.
fn differences(played: &Played) -> impl Iterator<Item = u16> + '_ {
    let mut last = 0;
    played.moves.iter().map(move |(_, score)| {
        let Some(score) = score else { return 0 };
        let score = score.clamp(&-MOST, &MOST);
        let difference = score - last;
        last = *score;
        (1 + (difference << 1 ^ difference >> 31)) as u16
    })
}

/// Takes parts off the front of bytes that may be cut short.
struct Parts<'a>(&'a [u8]);

impl<'a> Parts<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (part, rest) = self
            .0
            .split_at_checked(count)
            .ok_or_else(|| format!("cut short: {count} more bytes expected, not {}", self.0.len()))?;
        self.0 = rest;
        Ok(part)
    }

    fn number(&mut self) -> Result<usize, String> {
        Ok(u32::from_le_bytes(self.take(4)?.try_into().expect("four bytes")) as usize)
    }
}

/// Unpacks games. Their moves are not checked until they are replayed.
///
/// # Errors
/// Says what is wrong with the bytes.
pub fn unpack(game: &Game, bytes: &[u8]) -> Result<Vec<Played>, String> {
    if bytes.len() > MAX_BYTES {
        return Err(format!("{} bytes of games: at most {MAX_BYTES} are read at once", bytes.len()));
    }
    let mut parts = Parts(bytes);
    let (count, text) = (parts.number()?, parts.number()?);
    let starts = std::str::from_utf8(parts.take(text)?).map_err(|_| "the starts are not UTF-8")?;
    let lengths = parts.take(2 * count)?.chunks_exact(2).map(|two| usize::from(u16::from_le_bytes([two[0], two[1]])));
    let lengths: Vec<usize> = lengths.collect();
    let starts: Vec<&str> = if count == 0 { Vec::new() } else { starts.split('\n').collect() };
    if starts.len() != count {
        return Err(format!("{count} games, but {} starts", starts.len()));
    }
    if let Some(length) = lengths.iter().find(|length| **length > MAX_MOVES) {
        return Err(format!("a game of {length} moves: at most {MAX_MOVES} are read"));
    }
    let (white, black, endings) = (parts.take(count)?, parts.take(count)?, parts.take(count)?);
    let all = lengths.iter().sum();
    let (from, to, promotion) = (parts.take(all)?, parts.take(all)?, parts.take(all)?);
    let (low, high) = (parts.take(all)?, parts.take(all)?);
    if !parts.0.is_empty() {
        return Err(format!("{} bytes too many at the end", parts.0.len()));
    }
    let mut at = 0;
    let mut games = Vec::with_capacity(count);
    for (number, (start, length)) in starts.into_iter().zip(&lengths).enumerate() {
        let fault = |what: String| format!("game {}: {what}", number + 1);
        let mut moves = Vec::with_capacity(*length);
        let mut last = 0;
        for at in at..at + length {
            let mv = read_move(game, from[at], to[at], promotion[at]).map_err(fault)?;
            let score = match u16::from_le_bytes([low[at], high[at]]) {
                0 => None,
                stored => {
                    let zigzag = Score::from(stored) - 1;
                    last += (zigzag >> 1) ^ -(zigzag & 1);
                    Some(last)
                }
            };
            if last.abs() > MOST {
                return Err(fault(format!("a score of {last}: at most {MOST} is possible")));
            }
            moves.push((mv, score));
        }
        at += length;
        // Nobody has half a point of four: the sum tells classic points from four.
        let half_points = (white[number], black[number]);
        if !matches!(u16::from(half_points.0) + u16::from(half_points.1), 2 | 8) {
            return Err(fault(format!(
                "{} and {} doubled points: they must be 2 or 8 together",
                half_points.0, half_points.1
            )));
        }
        let ending = Ending::all().nth(endings[number].into());
        let ending = ending.ok_or_else(|| fault(format!("ending number {} does not exist", endings[number])))?;
        games.push(Played { start: start.into(), moves, half_points, ending });
    }
    Ok(games)
}

fn read_move(game: &Game, from: u8, to: u8, promotion: u8) -> Result<Move, String> {
    if let Some((_, mv)) = SPECIAL.iter().find(|(byte, _)| *byte == promotion) {
        return Ok(*mv);
    }
    let (files, ranks) = (u16::from(game.rules.files), u16::from(game.rules.ranks));
    let square = |number: u8| {
        let number = u16::from(number);
        let inside = number < files * ranks;
        inside.then(|| Square::new((number % files) as u8, (number / files) as u8))
    };
    let (Some(from), Some(to)) = (square(from), square(to)) else {
        return Err(format!("a move from square {from} to {to}: the board has {}", files * ranks));
    };
    match promotion.checked_sub(1) {
        None => Ok(Move::new(from, to, MoveTag::Normal)),
        Some(kind) if usize::from(kind) < game.rules.piece_types => {
            Ok(Move::promoting(from, to, MoveTag::Normal, PieceType(kind)))
        }
        Some(kind) => Err(format!("promotion to piece type {kind}: the game has {}", game.rules.piece_types)),
    }
}

//! What happens in games: how many moves there are, what the pieces do, how often each special rule occurs.

use crate::games::Played;
use rules::{Board, Game, Move, MoveTag, Set, Square};
use std::sync::Arc;

/// What the pieces of a type did.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct PieceTypeCounts {
    /// Pieces of the start positions.
    pub started: u64,
    /// Those of them that were neither captured nor promoted.
    pub survived: u64,
    /// Moves, whether they captured or not.
    pub moves: u64,
    /// Moves that captured.
    pub captures: u64,
    /// Pieces that were captured, promoted ones too.
    pub captured: u64,
    /// Promotions to this piece type.
    pub promotions: u64,
    /// The squares that moves with a path stepped on, the destination included.
    pub steps: u64,
    /// The moves with a path: all but castling, jumps of Kings and captures en passant.
    pub paths: u64,
}

/// What counts as a special rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A capture en passant.
    EnPassant,
    /// Castling.
    Castling,
    /// The King's jump.
    Jump,
    /// A promotion.
    Promotion,
    /// A move that could be captured en passant.
    Passing,
    /// A move over another piece.
    Hop,
    /// A move that changes its direction.
    Bend,
    /// A move that gives check.
    Check,
    /// A turn that ended early, or a pass.
    End,
    /// A bare King's points were claimed.
    Claim,
    /// That claim was declined.
    PlayOn,
}

impl Event {
    /// Every event, in the order of the counts.
    pub const ALL: [Event; 11] = [
        Event::EnPassant,
        Event::Castling,
        Event::Jump,
        Event::Promotion,
        Event::Passing,
        Event::Hop,
        Event::Bend,
        Event::Check,
        Event::End,
        Event::Claim,
        Event::PlayOn,
    ];

    /// A stable name, for programs.
    pub fn name(self) -> &'static str {
        match self {
            Event::EnPassant => "en_passant",
            Event::Castling => "castling",
            Event::Jump => "jump",
            Event::Promotion => "promotion",
            Event::Passing => "track",
            Event::Hop => "hop",
            Event::Bend => "bend",
            Event::Check => "check",
            Event::End => "end",
            Event::Claim => "claim",
            Event::PlayOn => "playon",
        }
    }
}

/// Counts over games. Random moves at the start of a game count only for the survival of pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Census {
    /// By piece type.
    pub piece_types: Vec<PieceTypeCounts>,
    /// By event: the games in which it happened, and how often it happened.
    pub events: [(u64, u64); Event::ALL.len()],
    /// By turn since the start: the positions at its beginning, and their legal moves.
    pub branching: Vec<(u64, u64)>,
    /// By game, its turns.
    pub turns: Vec<u32>,
}

impl Census {
    /// Without games.
    pub fn new(game: &Game) -> Census {
        Census {
            piece_types: vec![PieceTypeCounts::default(); game.rules.piece_types],
            events: [(0, 0); Event::ALL.len()],
            branching: Vec::new(),
            turns: Vec::new(),
        }
    }

    /// Counts a game.
    ///
    /// # Errors
    /// If it cannot be replayed.
    pub fn add(&mut self, game: &Arc<Game>, played: &Played) -> Result<(), String> {
        let random = played.moves.iter().take_while(|(_, score)| score.is_none()).count();
        let (mut number, mut turns) = (0, 0);
        let mut mover = None;
        let mut originals: Option<Set> = None;
        let mut happened = [0; Event::ALL.len()];
        let last = played.replay(game, |board, mv, _| {
            let alive = originals.get_or_insert_with(|| self.count_start(board));
            if mover.replace(board.turn()) != Some(board.turn()) {
                turns += 1;
                if number >= random {
                    self.count_choice(turns - 1, board.legal_moves().len() as u64);
                }
            }
            if number >= random {
                self.count_move(board, mv, &mut happened);
            }
            *alive = after(*alive, board, mv);
            number += 1;
        })?;
        for square in originals.unwrap_or(last.position().occupied()) {
            let piece = last.position().piece(square).expect("an original piece is still there");
            self.piece_types[piece.piece_type().index()].survived += 1;
        }
        self.turns.push(turns as u32);
        for (event, times) in self.events.iter_mut().zip(happened) {
            event.0 += u64::from(times > 0);
            event.1 += times;
        }
        Ok(())
    }

    /// Counts the pieces of a start position; returns their squares.
    fn count_start(&mut self, board: &Board) -> Set {
        let pieces = board.position().occupied();
        for square in pieces {
            let piece = board.position().piece(square).expect("it is occupied");
            self.piece_types[piece.piece_type().index()].started += 1;
        }
        pieces
    }

    fn count_choice(&mut self, turn: usize, moves: u64) {
        if self.branching.len() <= turn {
            self.branching.resize(turn + 1, (0, 0));
        }
        self.branching[turn].0 += 1;
        self.branching[turn].1 += moves;
    }

    fn count_move(&mut self, board: &Board, mv: Move, happened: &mut [u64; Event::ALL.len()]) {
        let info = board.move_info(mv);
        let by_tag = match mv.tag() {
            MoveTag::EnPassant => Some(Event::EnPassant),
            MoveTag::Passing => Some(Event::Passing),
            MoveTag::Castling => Some(Event::Castling),
            MoveTag::Jump => Some(Event::Jump),
            MoveTag::End => Some(Event::End),
            MoveTag::Claim => Some(Event::Claim),
            MoveTag::PlayOn => Some(Event::PlayOn),
            MoveTag::Normal | MoveTag::Null => None,
        };
        let facts = [
            (Event::Promotion, mv.promotion().is_some()),
            (Event::Hop, info.reach.as_ref().is_some_and(|reach| reach.mount.is_some())),
            (Event::Bend, info.reach.as_ref().is_some_and(|reach| bends(mv.from(), &reach.legs))),
            (Event::Check, info.check),
        ];
        for event in facts.into_iter().filter_map(|(event, is)| is.then_some(event)).chain(by_tag) {
            happened[event as usize] += 1;
        }
        if let Some((_, piece)) = info.captured {
            self.piece_types[piece.piece_type().index()].captured += 1;
        }
        if let Some(kind) = mv.promotion() {
            self.piece_types[kind.index()].promotions += 1;
        }
        if let Some(piece) = mv.moves_piece().then(|| board.position().piece(mv.from())).flatten() {
            let counts = &mut self.piece_types[piece.piece_type().index()];
            counts.moves += 1;
            counts.captures += u64::from(info.captured.is_some());
            if let Some(reach) = info.reach {
                counts.paths += 1;
                counts.steps += reach.path.len() as u64;
            }
        }
    }
}

/// Whether a path changes its direction.
fn bends(from: Square, legs: &[Square]) -> bool {
    let direction = |from: Square, to: Square| {
        let (files, ranks) = (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8);
        let unit = (1..=files.abs().max(ranks.abs())).rev().find(|unit| files % unit == 0 && ranks % unit == 0);
        unit.map(|unit| (files / unit, ranks / unit))
    };
    let mut before = from;
    let mut directions = legs.iter().map(|leg| direction(std::mem::replace(&mut before, *leg), *leg));
    let first = directions.next();
    directions.any(|other| Some(other) != first)
}

/// Where the original pieces stand after a move: a captured one is gone, and so is one that promotes.
fn after(alive: Set, board: &Board, mv: Move) -> Set {
    let Some(effect) = board.position().effect(&board.game().rules, mv) else { return alive };
    let mut left = alive;
    effect.each_leaving(|square, _| left = left.without(square));
    if alive.contains(effect.from) && effect.becomes == effect.piece {
        left = left.with(effect.to);
    }
    match effect.partner {
        Some(partner) if alive.contains(partner.from) => left.with(partner.to),
        _ => left,
    }
}

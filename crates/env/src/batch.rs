//! Many games at once, stepped together and written into the caller's arrays.

use crate::ending::{self, ILLEGAL_ACTION, LENGTH_LIMIT, RUNNING};
use crate::start::{Start, next, stream};
use crate::{Actions, Planes};
use rules::{Board, Color, Game, Move, read_unfinished_board};
use std::mem::take;
use std::sync::{Arc, Mutex};

/// How many shares there are for each thread: a thread that starts late or is slowed down leaves some to the others.
const SHARES: usize = 8;

/// What happens to a game that is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Autoreset {
    /// Nothing: it waits for a reset, and its actions are ignored.
    Disabled,
    /// The next step ignores its action and begins a new game.
    NextStep,
    /// The step that ends it begins a new game at once.
    SameStep,
}

/// How the games of a batch are played.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// What happens to a game that is over.
    pub autoreset: Autoreset,
    /// The number of moves after which a game is stopped; `None` for no limit.
    pub max_moves: Option<u32>,
    /// Whether a draw that may be claimed ends the game.
    pub claim_draws: bool,
    /// The number of threads.
    pub threads: usize,
}

/// The arrays that a call writes, each with an entry for each game, in order. What goes into an empty one is not
/// computed.
#[derive(Default)]
pub struct Outputs<'a> {
    /// [`Planes::size`] bytes for each game.
    pub observations: &'a mut [u8],
    /// The last planes of the games that ended in this step; the others are left as they are.
    pub final_observations: &'a mut [u8],
    /// A 1 for each legal action: as many entries for each game as there are actions.
    pub legal_actions_mask: &'a mut [i8],
    /// The legal actions of all games one after the other, as many as fit.
    pub legal_actions: &'a mut [i64],
    /// Where the legal actions of each game begin, and at last where those of the last game end.
    pub legal_offsets: &'a mut [i64],
    /// The side to move: 0 for White, 1 for Black.
    pub current_player: &'a mut [i8],
    /// The rewards of White and Black.
    pub rewards: &'a mut [f32],
    /// Whether the game ended by its rules or by an illegal action.
    pub terminated: &'a mut [bool],
    /// Whether it was stopped at its greatest length.
    pub truncated: &'a mut [bool],
    /// How it ended, as a number of [`crate::endings`].
    pub endings: &'a mut [u8],
}

impl<'a> Outputs<'a> {
    /// Cuts off the part of the first games; the legal actions, whose number is not known yet, stay.
    fn cut(&mut self, games: usize, planes: usize, actions: usize) -> Outputs<'a> {
        fn cut<'a, T>(array: &mut &'a mut [T], length: usize) -> &'a mut [T] {
            let whole = take(array);
            let (part, rest) = whole.split_at_mut(length.min(whole.len()));
            *array = rest;
            part
        }
        Outputs {
            observations: cut(&mut self.observations, games * planes),
            final_observations: cut(&mut self.final_observations, games * planes),
            legal_actions_mask: cut(&mut self.legal_actions_mask, games * actions),
            legal_actions: &mut [],
            legal_offsets: &mut [],
            current_player: cut(&mut self.current_player, games),
            rewards: cut(&mut self.rewards, games * 2),
            terminated: cut(&mut self.terminated, games),
            truncated: cut(&mut self.truncated, games),
            endings: cut(&mut self.endings, games),
        }
    }
}

/// The part of an array that belongs to one game; `None` if the array is left out.
fn row<T>(array: &mut [T], place: usize, width: usize) -> Option<&mut [T]> {
    array.get_mut(place * width..(place + 1) * width)
}

/// One game of a batch.
#[derive(Clone)]
struct Slot {
    board: Board,
    /// The legal moves; none if the game is over.
    legal: Vec<Move>,
    random: u64,
    /// The number of moves made.
    moves: u32,
    /// Whether the game is over and has not begun anew.
    over: bool,
    /// How the game ended, if it is over or the last step ended it.
    ending: u8,
    /// The rewards of the last step.
    rewards: [f32; 2],
}

impl Slot {
    fn begin(&mut self, start: &Start) {
        self.board = start.board(&Arc::clone(self.board.game()), &mut self.random);
        (self.moves, self.over) = (0, false);
        self.generate();
    }

    fn generate(&mut self) {
        self.board.position().legal_moves(&self.board.game().rules, &mut self.legal);
    }

    fn end(&mut self, ending: u8, rewards: [f32; 2]) {
        (self.ending, self.rewards, self.over) = (ending, rewards, true);
        self.legal.clear();
    }

    /// Makes a move; returns whether the game is over.
    fn step(&mut self, action: i64, table: &Actions, style: &Style) {
        (self.ending, self.rewards) = (RUNNING, [0.0; 2]);
        let us = self.board.turn();
        let wanted = table.of(action, us);
        let found = wanted.and_then(|wanted| self.legal.iter().copied().find(|mv| mv.same_text(wanted)));
        let Some(mv) = found else {
            let rewards = if us == Color::White { [-1.0, 1.0] } else { [1.0, -1.0] };
            return self.end(ILLEGAL_ACTION, rewards);
        };
        self.make(mv, style);
    }

    /// Makes a legal move.
    fn make(&mut self, mv: Move, style: &Style) {
        self.board.push(mv);
        self.board.forget();
        self.moves += 1;
        self.generate();
        match self.board.outcome_given(style.claim_draws, || !self.legal.is_empty()) {
            Some(outcome) => self.end(ending::number(&outcome), ending::rewards(&outcome)),
            None if style.max_moves.is_some_and(|most| self.moves >= most) => self.end(LENGTH_LIMIT, [0.0; 2]),
            None => {}
        }
    }

    /// Returns a random legal move; `None` if the game is over.
    fn random_move(&mut self) -> Option<Move> {
        let count = self.legal.len() as u64;
        (count > 0).then(|| self.legal[(next(&mut self.random) % count) as usize])
    }
}

/// The state of a game, to be written down.
#[derive(Clone, Debug)]
pub struct Saved {
    /// The position, with the moves of the turn.
    pub fen: String,
    /// The keys of the positions that may still be repeated, and of this one.
    pub keys: Vec<u64>,
    /// The state of its random numbers.
    pub random: u64,
    /// The number of moves made.
    pub moves: u32,
    /// Whether it is over and has not begun anew.
    pub over: bool,
    /// How it ended, as a number of [`crate::endings`].
    pub ending: u8,
    /// The rewards of the last step.
    pub rewards: [f32; 2],
}

/// What a thread works on at a time: some of the games, their part of the arrays, and a place for their legal actions.
struct Share<'a> {
    slots: &'a mut [Slot],
    /// The number of the first game.
    first: usize,
    out: Outputs<'a>,
    legal: Vec<i64>,
    /// For each game, where its legal actions end.
    ends: Vec<usize>,
}

impl Share<'_> {
    /// Makes a move in a game, or begins it anew.
    fn step(&mut self, place: usize, action: i64, batch: &Shared) {
        let slot = &mut self.slots[place];
        if slot.over {
            slot.rewards = [0.0; 2];
            if batch.style.autoreset == Autoreset::NextStep {
                slot.ending = RUNNING;
                slot.begin(&batch.start);
            }
            return;
        }
        slot.step(action, &batch.actions, &batch.style);
        if slot.over {
            if let Some(out) = row(self.out.final_observations, place, batch.planes.size()) {
                batch.planes.write(&slot.board, slot.board.turn(), out);
            }
            if batch.style.autoreset == Autoreset::SameStep {
                slot.begin(&batch.start);
            }
        }
    }

    /// Writes the state of a game.
    fn write(&mut self, place: usize, batch: &Shared, list: bool) {
        let (actions, planes) = (&batch.actions, &batch.planes);
        let (slot, out) = (&self.slots[place], &mut self.out);
        let turn = slot.board.turn();
        let number = |mv: &Move| actions.number(*mv, turn).expect("every legal move is possible");
        if let Some(out) = row(out.observations, place, planes.size()) {
            planes.write(&slot.board, turn, out);
        }
        if let Some(out) = row(out.legal_actions_mask, place, actions.moves().len()) {
            out.fill(0);
            slot.legal.iter().for_each(|mv| out[number(mv) as usize] = 1);
        }
        if list {
            self.legal.extend(slot.legal.iter().map(|mv| i64::from(number(mv))));
            self.ends.push(self.legal.len());
        }
        if let Some(out) = row(out.rewards, place, 2) {
            out.copy_from_slice(&slot.rewards);
        }
        let truncated = slot.ending == LENGTH_LIMIT;
        out.current_player.get_mut(place).into_iter().for_each(|out| *out = turn.index() as i8);
        out.terminated.get_mut(place).into_iter().for_each(|out| *out = slot.ending != RUNNING && !truncated);
        out.truncated.get_mut(place).into_iter().for_each(|out| *out = truncated);
        out.endings.get_mut(place).into_iter().for_each(|out| *out = slot.ending);
    }
}

/// What all games of a batch share.
struct Shared {
    game: Arc<Game>,
    actions: Actions,
    planes: Planes,
    style: Style,
    start: Start,
}

/// Many games of one kind.
#[derive(Clone)]
pub struct Batch {
    shared: Arc<Shared>,
    slots: Vec<Slot>,
}

impl Batch {
    /// Begins `games` games, from a FEN or else from random setups. Games that begin anew by themselves begin there
    /// again.
    ///
    /// # Errors
    /// If the FEN is not a position of the game, or the game is over there.
    pub fn new(game: Arc<Game>, games: usize, style: Style, fen: Option<&str>, seed: u64) -> Result<Batch, String> {
        let start = Start::new(&game, fen, style.claim_draws)?;
        let new = |number: usize| {
            let board = Board::new(Arc::clone(&game));
            let random = stream(seed, number);
            let mut slot =
                Slot { board, legal: Vec::new(), random, moves: 0, over: false, ending: RUNNING, rewards: [0.0; 2] };
            slot.begin(&start);
            slot
        };
        let slots = (0..games).map(new).collect();
        let (actions, planes) = (Actions::new(&game), Planes::new(&game));
        Ok(Batch { shared: Arc::new(Shared { game, actions, planes, style, start }), slots })
    }

    /// Returns a batch of copies of the games with these numbers; `None` if there is no such game.
    pub fn pick(&self, games: &[usize]) -> Option<Batch> {
        let slots = games.iter().map(|game| self.slots.get(*game).cloned()).collect::<Option<_>>()?;
        Some(Batch { shared: Arc::clone(&self.shared), slots })
    }

    /// The state of every game.
    pub fn save(&self) -> Vec<Saved> {
        let saved = |slot: &Slot| Saved {
            fen: slot.board.fen(),
            keys: slot.board.keys().to_vec(),
            random: slot.random,
            moves: slot.moves,
            over: slot.over,
            ending: slot.ending,
            rewards: slot.rewards,
        };
        self.slots.iter().map(saved).collect()
    }

    /// Continues the games of another batch of the same game: as many as this one has.
    ///
    /// # Errors
    /// If there are more or fewer, or one cannot be read; nothing is changed then.
    pub fn restore(&mut self, saved: Vec<Saved>) -> Result<(), String> {
        if saved.len() != self.slots.len() {
            return Err(format!("{} games where the batch has {}", saved.len(), self.slots.len()));
        }
        let read = |saved: Saved| {
            let board = read_unfinished_board(&self.shared.game, &saved.fen).map_err(|error| error.to_string())?;
            let board = board.with_keys(saved.keys).ok_or("the keys of a game are not those of its position")?;
            let Saved { random, moves, over, ending, rewards, .. } = saved;
            let mut slot = Slot { board, legal: Vec::new(), random, moves, over, ending, rewards };
            if !over {
                slot.generate();
            }
            Ok(slot)
        };
        self.slots = saved.into_iter().map(read).collect::<Result<_, String>>()?;
        Ok(())
    }

    /// The numbers of moves.
    pub fn actions(&self) -> &Actions {
        &self.shared.actions
    }

    /// The layout of positions.
    pub fn planes(&self) -> &Planes {
        &self.shared.planes
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        self.slots.len()
    }

    /// The board of a game; of the moves that led to it, it has only those of the turn.
    pub fn board(&self, game: usize) -> Option<&Board> {
        self.slots.get(game).map(|slot| &slot.board)
    }

    /// Begins the chosen games anew, from a FEN if one is given, and with new random numbers if a seed is.
    ///
    /// # Errors
    /// If the FEN is not a position of the game, or the game is over there; nothing is changed then.
    pub fn reset(&mut self, chosen: &[bool], fen: Option<&str>, seed: Option<u64>) -> Result<(), String> {
        let Shared { game, style, start, .. } = &*self.shared;
        let other = fen.map(|fen| Start::new(game, Some(fen), style.claim_draws)).transpose()?;
        for (number, slot) in self.slots.iter_mut().enumerate().filter(|(number, _)| chosen[*number]) {
            if let Some(seed) = seed {
                slot.random = stream(seed, number);
            }
            (slot.ending, slot.rewards) = (RUNNING, [0.0; 2]);
            slot.begin(other.as_ref().unwrap_or(start));
        }
        Ok(())
    }

    /// Makes a move in each game and writes the state; returns the number of legal actions of all games. An action that
    /// is not legal loses the game.
    pub fn step(&mut self, actions: &[i64], out: Outputs) -> usize {
        self.divide(out, |share, place, shared| share.step(place, actions[share.first + place], shared))
    }

    /// Writes the state; returns the number of legal actions of all games.
    pub fn write(&mut self, out: Outputs) -> usize {
        self.divide(out, |_, _, _| ())
    }

    /// Makes up to `moves` random legal moves in each game and writes the state, like as many steps; a game that is
    /// over begins anew at once or, without automatic resets, stays.
    pub fn play_random(&mut self, moves: u32, out: Outputs) -> usize {
        self.divide(out, |share, place, shared| {
            let slot = &mut share.slots[place];
            for _ in 0..moves {
                match slot.random_move() {
                    Some(mv) => slot.make(mv, &shared.style),
                    None if shared.style.autoreset == Autoreset::Disabled => break,
                    None => slot.begin(&shared.start),
                }
            }
            if slot.over && shared.style.autoreset != Autoreset::Disabled {
                slot.begin(&shared.start);
            }
            if !slot.over {
                (slot.ending, slot.rewards) = (RUNNING, [0.0; 2]);
            }
        })
    }

    /// Chooses a random legal action for each game; 0 where the game is over.
    pub fn sample(&mut self, actions: &mut [i64]) {
        for (slot, action) in self.slots.iter_mut().zip(actions) {
            let number = slot.random_move().and_then(|mv| self.shared.actions.number(mv, slot.board.turn()));
            *action = number.map_or(0, i64::from);
        }
    }

    /// Works on each game by its place in a share, divided among the threads, and writes the state; returns the number
    /// of legal actions.
    fn divide(&mut self, mut out: Outputs, work: impl Fn(&mut Share, usize, &Shared) + Sync) -> usize {
        let shared = &*self.shared;
        let threads = shared.style.threads.max(1);
        let size = self.slots.len().div_ceil(if threads == 1 { 1 } else { threads * SHARES }).max(1);
        let list = !out.legal_actions.is_empty() || !out.legal_offsets.is_empty();
        let mut shares: Vec<Share> = Vec::new();
        for (number, slots) in self.slots.chunks_mut(size).enumerate() {
            let out = out.cut(slots.len(), shared.planes.size(), shared.actions.moves().len());
            shares.push(Share { slots, first: number * size, out, legal: Vec::new(), ends: Vec::new() });
        }
        // Every thread has shares of its own, which are near its core since the last call, and then helps others.
        let own = shares.len().div_ceil(threads).max(1);
        let queues: Vec<_> = shares.chunks_mut(own).map(|part| Mutex::new(part.iter_mut())).collect();
        let next = |thread: usize| {
            (0..queues.len()).find_map(|step| {
                let queue = &queues[(thread + step) % queues.len()];
                let mut left = queue.lock().expect("no thread panics while it takes a share");
                if step == 0 { left.next() } else { left.next_back() }
            })
        };
        let help = |thread: usize| {
            while let Some(share) = next(thread) {
                // Game by game, while its memory is near.
                for place in 0..share.slots.len() {
                    work(share, place, shared);
                    share.write(place, shared, list);
                }
            }
        };
        std::thread::scope(|scope| {
            for thread in 1..queues.len() {
                let help = &help;
                scope.spawn(move || help(thread));
            }
            help(0);
        });
        drop(queues);
        collect(&shares, out.legal_actions, out.legal_offsets)
    }
}

/// Writes the legal actions of all shares, as many as fit, and where those of each game begin; returns their number.
fn collect(shares: &[Share], actions: &mut [i64], offsets: &mut [i64]) -> usize {
    let mut offsets = offsets.iter_mut();
    offsets.next().into_iter().for_each(|first| *first = 0);
    let mut total = 0;
    for share in shares {
        for (end, offset) in share.ends.iter().zip(offsets.by_ref()) {
            *offset = (total + end) as i64;
        }
        let room = actions.len().saturating_sub(total).min(share.legal.len());
        if room > 0 {
            actions[total..total + room].copy_from_slice(&share.legal[..room]);
        }
        total += share.legal.len();
    }
    total
}

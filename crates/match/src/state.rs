//! The state of a match, folded from its events: the same events give the same match, at any time and anywhere.

use crate::clock::{Running, TimeControl};
use crate::event::{Claim, Created, Event, Series, Side, Sides, What};
use rules::{Board, Game, Outcome, Reason};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a match is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// It waits for a player.
    Open,
    /// The setup is being chosen.
    Setup,
    /// It is being played.
    Play,
    /// It has ended.
    Over,
}

/// The player of a side; the engine has a level and no person.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Seat {
    /// The person.
    pub person: Option<String>,
    /// The name.
    pub name: String,
    /// The engine's level.
    pub level: Option<u8>,
}

/// A move that was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MoveMade {
    /// In coordinates.
    #[serde(rename = "move")]
    pub text: String,
    /// In SAN.
    pub san: String,
    /// Who made it.
    pub side: Side,
    /// The move number.
    pub turn: u32,
    /// How long it took on the clock.
    pub spent_ms: i64,
}

/// An offer that waits for an answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Offer {
    /// What.
    pub what: What,
    /// Who offers it.
    pub by: Side,
    /// The moves that a takeback undoes.
    pub moves: Option<usize>,
}

/// How a match ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Ending {
    /// The name of a [`Reason`], or `aborted`, `declined`, `unfinished` or `recorded`.
    pub reason: String,
    /// Who won.
    pub winner: Option<Side>,
    /// The points.
    pub score: String,
    /// As PGN writes it.
    pub result: String,
    /// The limit of a draw by a count.
    pub limit: Option<u32>,
}

/// A match: players, moves, clocks, offers, and how it ended.
#[derive(Clone)]
pub struct Match {
    /// How it was created.
    pub created: Arc<Created>,
    /// The number of its last event.
    pub number: u32,
    /// The number of the last event that changed the position; a move must be based on it.
    pub moved: u32,
    /// When its last event happened.
    pub at: i64,
    /// What it is doing.
    pub phase: Phase,
    /// Who plays.
    pub seats: Sides<Option<Seat>>,
    /// The setup, once it is known.
    pub setup: Option<String>,
    /// The position, with the moves.
    pub board: Board,
    /// The turns that the starting position counts as finished.
    turns_before: i64,
    /// The moves.
    pub moves: Vec<MoveMade>,
    /// The time that each side has again if the moves from this one on are taken back; `None` without a clock.
    pub restored: Vec<Option<Sides<i64>>>,
    /// What the clock of its side showed after each move; `None` without a clock, and in correspondence.
    pub shown: Vec<Option<i64>>,
    /// The clock.
    pub clock: Option<Running>,
    /// The offers that wait for an answer.
    pub offers: Vec<Offer>,
    /// What was offered by whom since the turn last passed.
    pub offered: Vec<(Side, What)>,
    /// How it ended.
    pub ending: Option<Ending>,
    /// The id of the rematch.
    pub rematch: Option<String>,
}

/// What a match is besides its position, its moves and how it was created.
#[derive(Serialize)]
struct State<'a> {
    number: u32,
    moved: u32,
    at: i64,
    phase: Phase,
    seats: BTreeMap<Side, &'a Seat>,
    setup: &'a Option<String>,
    turn: Side,
    turns: i64,
    clock: Option<Running>,
    offers: &'a [Offer],
    ending: &'a Option<Ending>,
    rematch: &'a Option<String>,
    series: Series,
    engine: Option<Side>,
    engine_due: bool,
}

impl Serialize for Match {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let state = State {
            number: self.number,
            moved: self.moved,
            at: self.at,
            phase: self.phase,
            seats: Side::BOTH.into_iter().filter_map(|side| Some((side, self.seats[side].as_ref()?))).collect(),
            setup: &self.setup,
            turn: self.turn(),
            turns: self.turns(),
            clock: self.clock,
            offers: &self.offers,
            ending: &self.ending,
            rematch: &self.rematch,
            series: self.series(),
            engine: self.engine(),
            engine_due: self.engine_due(),
        };
        state.serialize(serializer)
    }
}

fn turns(board: &Board) -> i64 {
    2 * (i64::from(board.position().state().fullmove) - 1) + i64::from(board.turn() == rules::Color::Black)
}

/// Why events are not those of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenError(pub String);

impl std::fmt::Display for BrokenError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BrokenError {}

fn broken(message: impl std::fmt::Display) -> BrokenError {
    BrokenError(message.to_string())
}

impl Match {
    /// Starts with the first event, in the game that it names, with its options.
    ///
    /// # Errors
    /// If the game has no such position or setup.
    pub fn new(created: Created, game: &Arc<Game>) -> Result<Match, BrokenError> {
        let board = start(game, created.fen.as_deref(), created.setup.as_deref())?;
        Ok(Match {
            number: 1,
            moved: 1,
            at: created.at,
            phase: Phase::Open,
            seats: Sides::default(),
            setup: created.setup.clone(),
            turns_before: turns(&board),
            board,
            moves: Vec::new(),
            restored: Vec::new(),
            shown: Vec::new(),
            clock: None,
            offers: Vec::new(),
            offered: Vec::new(),
            ending: None,
            rematch: None,
            created: Arc::new(created),
        })
    }

    /// Builds a match from its events, of which the first says how it was created.
    ///
    /// # Errors
    /// If they are not those of a match.
    pub fn fold(events: impl IntoIterator<Item = Event>, game: &Arc<Game>) -> Result<Match, BrokenError> {
        let mut events = events.into_iter();
        let Some(Event::Created(created)) = events.next() else { return Err(broken("the first event is missing")) };
        let mut found = Match::new(*created, game)?;
        for (index, event) in events.enumerate() {
            found.apply(&event).map_err(|error| broken(format!("event {}: {error}", index + 2)))?;
        }
        Ok(found)
    }

    /// The side to move.
    pub fn turn(&self) -> Side {
        self.board.turn().into()
    }

    /// The time control that the clock is shown by: while the setup is chosen, one number.
    pub fn shown_time(&self) -> TimeControl {
        if self.phase == Phase::Setup { TimeControl::None } else { self.created.time }
    }

    /// The number of turns that were finished in this match.
    pub fn turns(&self) -> i64 {
        turns(&self.board) - self.turns_before
    }

    /// The score of this match, if it has one, and of the earlier matches of its series.
    pub fn series(&self) -> Series {
        let before = self.created.series.unwrap_or_default();
        let Some(ending) = self.ending.as_ref().filter(|ending| ending.result != "*") else { return before };
        let points = |text: &str| match text.split_once('/') {
            Some((above, below)) => above.parse::<f64>().unwrap_or(0.0) / below.parse::<f64>().unwrap_or(1.0),
            None => text.parse().unwrap_or(0.0),
        };
        let (white, black) = ending.score.split_once('-').unwrap_or_default();
        Series { white: before.white + points(white), black: before.black + points(black), games: before.games + 1 }
    }

    /// The sides that a person plays.
    pub fn seats_of(&self, person: &str) -> Vec<Side> {
        let is = |side: &Side| self.seats[*side].as_ref().is_some_and(|seat| seat.person.as_deref() == Some(person));
        Side::BOTH.into_iter().filter(is).collect()
    }

    /// The side that the engine plays; if it plays both, the side to move.
    pub fn engine(&self) -> Option<Side> {
        let turn = self.turn();
        [turn, turn.other()]
            .into_iter()
            .find(|side| self.seats[*side].as_ref().is_some_and(|seat| seat.level.is_some()))
    }

    /// How many milliseconds the engine may think about its turn: not much of what is left on its clock.
    pub fn thinking(&self, now: i64) -> i64 {
        let most = rules::limits::MAX_THINKING as i64;
        let live = self.clock.filter(|_| !matches!(self.created.time, TimeControl::Correspondence { .. }));
        live.map_or(most, |clock| (clock.left_at(now)[self.turn()] / 30).clamp(50, most))
    }

    /// Whether the engine must move or choose the setup.
    pub fn engine_due(&self) -> bool {
        match self.phase {
            Phase::Setup => self.created.arranging.as_deref() == Some("engine"),
            Phase::Play => self.engine() == Some(self.turn()),
            _ => false,
        }
    }

    /// Applies the next event.
    ///
    /// # Errors
    /// If it is no event of this match; then the match must not be used any more.
    pub fn apply(&mut self, event: &Event) -> Result<(), BrokenError> {
        self.number += 1;
        self.at = event.at();
        match event {
            Event::Created(_) => return Err(broken("a match is created only once")),
            Event::Seated { at, side, person, name, level } => {
                self.seats[*side] = Some(Seat { person: person.clone(), name: name.clone(), level: *level });
                if self.seats.white.is_some() && self.seats.black.is_some() {
                    self.begin(*at);
                }
            }
            Event::SidesSwapped { .. } if self.phase != Phase::Open => return Err(broken("the sides are settled")),
            Event::SidesSwapped { .. } => {
                let Sides { white, black } = std::mem::take(&mut self.seats);
                self.seats = Sides { white: black, black: white };
            }
            Event::SetupChosen { at, name, .. } => {
                self.setup = Some(name.clone());
                self.board = start(self.board.game(), None, Some(name))?;
                self.moved = self.number;
                self.play(*at);
            }
            Event::MovePlayed { at, ply, spent } => self.make(ply, *spent, *at)?,
            Event::Undone { .. } => {
                self.pop(1)?;
                // What is to be taken back is one move less.
                for offer in &mut self.offers {
                    offer.moves = offer.moves.map(|moves| moves.saturating_sub(1));
                }
                self.offers.retain(|offer| offer.moves != Some(0));
            }
            Event::Offered { what, by, plies, .. } => {
                if plies.is_some_and(|plies| plies > self.moves.len()) {
                    return Err(broken("more moves are to be taken back than were made"));
                }
                self.offers.retain(|offer| offer.what != *what);
                self.offers.push(Offer { what: *what, by: *by, moves: *plies });
                if !self.offered.contains(&(*by, *what)) {
                    self.offered.push((*by, *what));
                }
            }
            Event::Answered { at, what, accept, rematch, left, .. } => {
                self.answer(*what, *accept, rematch.clone(), *left, *at)?;
            }
            Event::Claimed { at, what: Claim::Draw, .. } => {
                let outcome = self.board.outcome(true).ok_or_else(|| broken("there is no draw to claim"))?;
                self.finish(outcome, None, *at);
            }
            Event::Claimed { at, what: Claim::Left, by } => self.forfeit(Reason::Abandonment, by.other(), *at),
            Event::Resigned { at, by } => self.forfeit(Reason::Resignation, *by, *at),
            Event::Flagged { at, side } => self.forfeit(Reason::Time, *side, *at),
            Event::Aborted { at, by } => {
                // Only the person challenged can abort without a seat: that declines the challenge.
                self.end(unscored(if self.seats[*by].is_some() { "aborted" } else { "declined" }), *at);
            }
            Event::Recorded { at, result } if result == "*" => self.end(unscored("unfinished"), *at),
            Event::Recorded { at, result } => {
                let loser = match result.as_str() {
                    "1-0" => Some(Side::Black),
                    "0-1" => Some(Side::White),
                    _ => None,
                };
                let outcome = match loser {
                    Some(loser) => self.board.forfeit(Reason::Resignation, loser.color()).expect("resigning forfeits"),
                    None => self.board.agreement(),
                };
                self.finish(outcome, Some("recorded"), *at);
            }
            Event::Paused { since, .. } => {
                if let Some(clock) = &mut self.clock {
                    clock.since = *since;
                }
            }
            Event::DaysOff { at, side, since, until } => {
                if let Some(clock) = &mut self.clock {
                    clock.rest(*side, *since, *until, *at);
                }
            }
        }
        Ok(())
    }

    /// What both sides have left when their last moves are taken back.
    pub(crate) fn left_before(&self, moves: usize) -> Option<Sides<i64>> {
        let at = self.restored.len().checked_sub(moves)?;
        self.restored.get(at).copied().flatten()
    }

    /// Starts, once both seats are taken, with the setup or the first turn.
    fn begin(&mut self, at: i64) {
        self.moved = self.number;
        if self.created.arranging.is_none() {
            return self.play(at);
        }
        self.phase = Phase::Setup;
        let control = self.created.time;
        if control != TimeControl::None {
            let left = Sides { white: control.initial(), black: control.for_setup() };
            let mut clock = Running::new(left, Sides::default());
            clock.run(Side::Black, at);
            self.clock = Some(clock);
        }
    }

    fn play(&mut self, at: i64) {
        self.phase = Phase::Play;
        let control = self.created.time;
        if control != TimeControl::None {
            let off = self.clock.map(|clock| clock.off).unwrap_or_default();
            self.clock = Some(Running::new(Sides { white: control.initial(), black: control.initial() }, off));
            self.run(at);
        }
    }

    /// Starts the clock of the side to move. Live clocks start after the first turn of each side, but in a tournament
    /// at once, so that nobody waits for somebody who does not come.
    fn run(&mut self, at: i64) {
        let starts_later = !matches!(self.created.time, TimeControl::Correspondence { .. });
        let waits = self.turns() < 2 && starts_later && self.created.tournament.is_none();
        let turn = self.turn();
        if let Some(clock) = &mut self.clock {
            clock.running = None;
            clock.since = at;
            if !waits {
                clock.run(turn, at);
            }
        }
    }

    fn make(&mut self, text: &str, spent: i64, at: i64) -> Result<(), BrokenError> {
        let mover = self.turn();
        let mv = self.board.parse_move(text).map_err(broken)?;
        let turn = self.board.position().state().fullmove;
        self.moves.push(MoveMade { text: text.into(), san: self.board.san(mv), side: mover, turn, spent_ms: spent });
        self.board.push(mv);
        self.moved = self.number;
        self.offers.retain(|offer| offer.what != What::Takeback && offer.by == mover);
        let control = self.created.time;
        self.restored.push(self.clock.as_mut().map(|clock| {
            clock.left[mover] -= spent;
            clock.used += spent;
            clock.since = at;
            let mut again = clock.left;
            again[mover] = control.before_move(clock.left[mover], clock.used);
            again
        }));
        if self.turn() != mover {
            self.offered.clear();
            if let Some(clock) = &mut self.clock {
                if clock.running.is_some() {
                    clock.left[mover] = control.after_turn(clock.left[mover], clock.used);
                }
                clock.used = 0;
            }
            self.run(at);
        }
        let live = self.clock.filter(|_| !matches!(control, TimeControl::Correspondence { .. }));
        self.shown.push(live.map(|clock| clock.show(control, at).of(mover)));
        if let Some(outcome) = self.board.outcome(false) {
            self.finish(outcome, None, at);
        }
        Ok(())
    }

    fn pop(&mut self, count: usize) -> Result<(), BrokenError> {
        for _ in 0..count {
            self.board.pop().ok_or_else(|| broken("there is no move to take back"))?;
            self.moves.pop();
            self.restored.pop();
            self.shown.pop();
        }
        self.moved = self.number;
        Ok(())
    }

    fn answer(
        &mut self,
        what: What,
        accept: bool,
        rematch: Option<String>,
        left: Option<Sides<i64>>,
        at: i64,
    ) -> Result<(), BrokenError> {
        let index = self.offers.iter().position(|offer| offer.what == what);
        let offer = self.offers.remove(index.ok_or_else(|| broken("nothing was offered"))?);
        match what {
            _ if !accept => {}
            What::Draw => self.finish(self.board.agreement(), None, at),
            What::Rematch => self.rematch = rematch,
            What::Takeback => {
                if let Some(clock) = &mut self.clock {
                    clock.stop(at);
                }
                self.pop(offer.moves.unwrap_or(0))?;
                self.offers.clear();
                self.offered.clear();
                if let Some(clock) = &mut self.clock {
                    clock.left = left.unwrap_or(clock.left);
                    clock.used = 0;
                }
                self.run(at);
            }
        }
        Ok(())
    }

    fn forfeit(&mut self, reason: Reason, loser: Side, at: i64) {
        let outcome = self.board.forfeit(reason, loser.color()).expect("these reasons forfeit");
        self.finish(outcome, None, at);
    }

    /// Ends with an outcome, for its own reason or one that the board does not know.
    fn finish(&mut self, outcome: Outcome, reason: Option<&str>, at: i64) {
        let limit = outcome.reason.limit(&self.board.game().rules.end);
        let ending = Ending {
            reason: reason.unwrap_or(outcome.reason.name()).into(),
            winner: outcome.winner.map(Side::from),
            score: outcome.score(),
            result: outcome.result().into(),
            limit,
        };
        self.end(ending, at);
    }

    fn end(&mut self, ending: Ending, at: i64) {
        if let Some(clock) = &mut self.clock {
            clock.stop(at);
        }
        self.ending = Some(ending);
        self.phase = Phase::Over;
        self.offers.clear();
        self.offered.clear();
    }
}

fn unscored(reason: &str) -> Ending {
    Ending { reason: reason.into(), winner: None, score: "*".into(), result: "*".into(), limit: None }
}

/// The board at the start: the game's own, a setup's or that of a FEN.
fn start(game: &Arc<Game>, fen: Option<&str>, setup: Option<&str>) -> Result<Board, BrokenError> {
    let arranged = setup.map(|name| game.setups().fen(&game.definition, name)).transpose().map_err(broken)?;
    let fen = fen.or(arranged.as_deref()).unwrap_or(&game.definition.start);
    rules::read_board(game, fen).map_err(broken)
}

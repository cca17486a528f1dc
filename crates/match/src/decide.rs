//! Decides what a command does to a match: the events that it causes, or a refusal. The match is not changed.

use crate::clock::TimeControl;
use crate::event::{Claim, Event, Side, What};
use crate::state::{Match, Phase};
use rules::Board;
use serde::Serialize;

/// The maximum number of events of a match. Only endless moving and undoing reaches it.
const MAX_EVENTS: u32 = 20_000;

/// Why a command is refused: a code for programs, a sentence for people, and where in the command.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Refusal {
    /// For programs.
    pub code: &'static str,
    /// For people.
    pub message: String,
    /// The field of the command.
    pub r#where: Option<&'static str>,
}

fn refuse<T>(code: &'static str, message: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { code, message: message.into(), r#where: None })
}

/// What a player, or the program that runs the match, wants.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// Make a move, in coordinates or SAN.
    Move {
        /// The move.
        r#move: String,
        /// The last event seen.
        number: u32,
    },
    /// Make several moves of one turn: all or none.
    Turn {
        /// The moves.
        moves: Vec<String>,
    },
    /// Take back the last move of one's own unfinished turn.
    Undo {
        /// The last event seen.
        number: u32,
    },
    /// Choose the setup.
    Setup {
        /// Its name.
        name: String,
    },
    /// Make an offer.
    Offer {
        /// What.
        what: What,
    },
    /// Answer an offer.
    Answer {
        /// What was offered.
        what: What,
        /// The answer.
        accept: bool,
    },
    /// Claim a draw, or a win because the opponent has left.
    Claim {
        /// What.
        what: Claim,
    },
    /// Resign.
    Resign,
    /// Abort the match before both sides have moved.
    Abort,
    /// Take the free seat.
    TakeSeat {
        /// The person; none for the engine.
        person: Option<String>,
        /// The name.
        name: String,
        /// The side.
        side: Side,
        /// The engine's level.
        level: Option<u8>,
    },
    /// Play the setup that the engine has chosen.
    ConfirmSetup {
        /// Its name.
        name: String,
    },
    /// Check whether a flag has fallen, or the time for the setup has run out; then `setup` is chosen.
    CheckFlag {
        /// The setup.
        setup: Option<String>,
    },
    /// Give back the clock time that ran while the server was down, in order and without overlaps.
    ResumeAfterOutage {
        /// When it was down.
        absences: Vec<Absence>,
    },
    /// Stop the clock of a side during its days off, which may end later.
    DaysOff {
        /// The side.
        side: Side,
        /// When they are.
        off: Absence,
    },
}

/// A period in which the server was down or a player away, in milliseconds of the epoch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Absence {
    /// Its beginning.
    pub since: i64,
    /// Its end.
    pub until: i64,
}

/// What a decision depends on besides the match and the command.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Context {
    /// The time.
    pub now: i64,
    /// The player's network lag, in milliseconds.
    pub lag: i64,
    /// How long the opponent has been offline, in milliseconds.
    pub gone: Option<i64>,
    /// The id for a rematch.
    pub rematch: Option<String>,
}

/// Returns the events of a command.
///
/// `seats` are the sides that the sender plays; none for commands of the program that runs the match.
///
/// # Errors
/// If the command is not allowed.
pub fn decide(on: &Match, command: &Command, seats: &[Side], context: &Context) -> Result<Vec<Event>, Refusal> {
    let (now, lag) = (context.now.max(on.at), context.lag);
    match command {
        Command::TakeSeat { person, name, side, level } => {
            return take_seat(on, person.as_deref(), name, *side, *level, now);
        }
        Command::ConfirmSetup { name } => {
            if on.phase != Phase::Setup || on.created.arranging.as_deref() != Some("engine") {
                return refuse("no_setup", "there is no setup to choose now");
            }
            return Ok(vec![Event::SetupChosen { at: now, name: name.clone(), by: None }]);
        }
        Command::CheckFlag { setup } => return check_flag(on, setup.as_deref(), now, lag),
        Command::ResumeAfterOutage { absences } => return resume(on, absences, now),
        Command::DaysOff { side, off } => return take_days_off(on, *side, *off, now),
        _ => {}
    }
    let acting = match seats {
        [] => return refuse("no_seat", "only the players can do this; you are a spectator"),
        [side] => *side,
        _ => on.turn(),
    };
    let of_rematch =
        matches!(command, Command::Offer { what: What::Rematch } | Command::Answer { what: What::Rematch, .. });
    if !of_rematch {
        if on.phase == Phase::Over {
            return refuse("over", "the match is over");
        }
        if on.clock.is_some_and(|clock| clock.is_out(now, lag)) {
            return refuse("late", "your time is up");
        }
    }
    if on.number >= MAX_EVENTS && !matches!(command, Command::Resign) {
        return refuse("match_full", "this match has too many events; resign and start another");
    }
    match command {
        Command::Move { r#move: text, number } => {
            check_turn(on, seats)?;
            check_seen(on, *number)?;
            Ok(vec![Event::MovePlayed { at: now, ply: read_move(&on.board, text)?, spent: spent(on, now, lag) }])
        }
        Command::Turn { moves } => turn(on, moves, seats, now, lag),
        Command::Undo { number } => {
            check_play(on)?;
            if !seats.contains(&on.turn()) || on.board.moves_in_turn() == 0 {
                let message = "you can only undo moves of your unfinished turn; request a takeback";
                return refuse("nothing_to_undo", message);
            }
            check_seen(on, *number)?;
            Ok(vec![Event::Undone { at: now }])
        }
        Command::Setup { name } => choose_setup(on, name, seats, now),
        Command::Offer { what } => {
            let by = if *what == What::Takeback { takeback_side(on, seats) } else { acting };
            offer(on, *what, by, seats, context, now)
        }
        Command::Answer { what, accept } => answer(on, *what, *accept, seats, context, now),
        Command::Claim { what: Claim::Draw } => {
            check_play(on)?;
            if !seats.contains(&on.turn()) {
                return refuse("not_your_turn", "only the side to move can claim a draw");
            }
            if on.board.moves_in_turn() > 0 || on.board.claimable().is_empty() {
                return refuse("no_claim", "there is no draw to claim in this position");
            }
            Ok(vec![Event::Claimed { at: now, what: Claim::Draw, by: on.turn() }])
        }
        Command::Claim { what: Claim::Left } => claim_left(on, acting, seats, context, now),
        Command::Resign if on.phase == Phase::Open => {
            refuse("not_begun", "the match has not started; abort it instead")
        }
        Command::Resign => Ok(vec![Event::Resigned { at: now, by: acting }]),
        Command::Abort if on.created.tournament.is_some() => {
            refuse("too_late", "a match of a tournament cannot be aborted; resign or offer a draw instead")
        }
        Command::Abort if !may_abort(on) => refuse("too_late", "both sides have moved; resign or offer a draw instead"),
        Command::Abort => Ok(vec![Event::Aborted { at: now, by: acting }]),
        _ => unreachable!("commands without a player are decided above"),
    }
}

/// The commands that the player of some sides may send now; an offer has the name of what it offers.
pub fn may(on: &Match, seats: &[Side]) -> Vec<&'static str> {
    let mut commands = if on.created.opponent == "import" { vec![] } else { vec!["chat"] };
    let Some(first) = seats.first() else { return commands };
    let acting = if seats.len() == 2 { on.turn() } else { *first };
    let mut offers: Vec<What> = Vec::new();
    if on.phase == Phase::Over {
        let aborted = on.ending.as_ref().is_some_and(|ending| ending.reason == "aborted");
        let left = Side::BOTH.iter().filter_map(|side| on.seats[*side].as_ref());
        let left = left.into_iter().any(|seat| seat.person.is_none() && seat.level.is_none());
        if on.rematch.is_none() && !aborted && !left && on.created.tournament.is_none() {
            offers.push(What::Rematch);
        }
    }
    if may_abort(on) {
        commands.push("abort");
    }
    if matches!(on.phase, Phase::Setup | Phase::Play) {
        commands.push("resign");
    }
    let arranges = on.created.arranging.as_deref() == Some("player");
    if on.phase == Phase::Setup && seats.contains(&Side::Black) && arranges {
        commands.push("setup");
    }
    let by_takeback = takeback_side(on, seats);
    if on.phase == Phase::Play {
        if seats.contains(&on.turn()) {
            commands.push("move");
            if on.board.moves_in_turn() > 0 {
                commands.push("undo");
            } else if !on.board.claimable().is_empty() {
                commands.push("claim");
            }
            if on.created.hints {
                commands.push("hint");
            }
        }
        if !has_no_takebacks(on) && takeback_length(on, by_takeback) > 0 {
            offers.push(What::Takeback);
        }
        if on.engine().is_none() {
            offers.push(What::Draw);
        }
    }
    if on.offers.iter().any(|offer| !seats.contains(&offer.by)) {
        commands.push("answer");
    }
    let open = |what: &What| {
        let by = if *what == What::Takeback { by_takeback } else { acting };
        !on.offers.iter().any(|offer| offer.what == *what) && !on.offered.contains(&(by, *what))
    };
    commands.extend(offers.into_iter().filter(open).map(What::name));
    commands
}

fn has_no_takebacks(on: &Match) -> bool {
    on.created.rated || on.created.tournament.is_some()
}

fn may_abort(on: &Match) -> bool {
    if on.created.tournament.is_some() {
        return false;
    }
    matches!(on.phase, Phase::Open | Phase::Setup) || (on.phase == Phase::Play && on.turns() < 2)
}

fn check_play(on: &Match) -> Result<(), Refusal> {
    let state = match on.phase {
        Phase::Play => return Ok(()),
        Phase::Open => "waiting for an opponent",
        Phase::Setup => "waiting for the setup",
        Phase::Over => "over",
    };
    refuse("not_playing", format!("the match is {state}"))
}

fn check_turn(on: &Match, seats: &[Side]) -> Result<(), Refusal> {
    check_play(on)?;
    if seats.contains(&on.turn()) {
        Ok(())
    } else {
        refuse("not_your_turn", format!("it is {}'s turn", on.turn().name()))
    }
}

fn check_seen(on: &Match, number: u32) -> Result<(), Refusal> {
    if (on.moved..=on.number).contains(&number) {
        return Ok(());
    }
    let message = format!("the match has changed since event {number}; the latest is {}", on.number);
    Err(Refusal { code: "stale", message, r#where: Some("number") })
}

fn take_seat(
    on: &Match,
    person: Option<&str>,
    name: &str,
    side: Side,
    level: Option<u8>,
    now: i64,
) -> Result<Vec<Event>, Refusal> {
    if on.phase != Phase::Open {
        return refuse("taken", "both seats are taken, or the match was withdrawn");
    }
    let swaps = on.seats[side].is_some();
    if swaps && on.created.side != "opponent" {
        return refuse("taken", format!("{} is taken", side.name()));
    }
    if person.is_some_and(|person| !on.seats_of(person).is_empty()) {
        return refuse("own_match", "you are already in this match; send the link to someone else");
    }
    let seated = Event::Seated { at: now, side, person: person.map(Into::into), name: name.into(), level };
    Ok(if swaps { vec![Event::SidesSwapped { at: now }, seated] } else { vec![seated] })
}

fn check_flag(on: &Match, setup: Option<&str>, now: i64, lag: i64) -> Result<Vec<Event>, Refusal> {
    let out = on.clock.filter(|clock| on.phase != Phase::Over && clock.is_out(now, lag));
    let Some(side) = out.and_then(|clock| clock.running) else {
        return refuse("in_time", "neither side is out of time");
    };
    Ok(vec![match setup {
        Some(name) if on.phase == Phase::Setup => Event::SetupChosen { at: now, name: name.into(), by: None },
        _ => Event::Flagged { at: now, side },
    }])
}

fn resume(on: &Match, absences: &[Absence], now: i64) -> Result<Vec<Event>, Refusal> {
    let Some(running) = on.clock.filter(|clock| clock.running.is_some()) else {
        return refuse("no_clock", "no clock is running");
    };
    // An absence that ended before the last event was given back then.
    let missed: Vec<&Absence> = absences.iter().filter(|absence| absence.until > on.at).collect();
    let Some(last) = missed.last() else {
        return refuse("not_away", "there was no downtime since the last event");
    };
    // A live clock goes back to its state at the last event; in correspondence that would give back days.
    let since = match on.created.time {
        TimeControl::Correspondence { .. } => {
            let lost = |absence: &&Absence| (absence.until - absence.since.max(running.since)).max(0);
            running.since + missed.iter().map(lost).sum::<i64>()
        }
        _ => last.until,
    };
    Ok(vec![Event::Paused { at: now, since: since.min(now.max(running.since)) }])
}

fn take_days_off(on: &Match, side: Side, off: Absence, now: i64) -> Result<Vec<Event>, Refusal> {
    let correspondence = matches!(on.created.time, TimeControl::Correspondence { .. });
    let Some(clock) = on.clock.filter(|_| correspondence && on.phase != Phase::Over) else {
        return refuse("no_days_off", "days off are for matches by correspondence that are not over");
    };
    let known = clock.off[side];
    let is_over = off.until <= on.at && known.is_none_or(|known| known < off.until);
    if is_over || known == Some(off.until) {
        return refuse("no_change", "these days off are known");
    }
    let since = off.since.min(now);
    // What ran out before them stays lost.
    if clock.running == Some(side) && clock.is_out(since, 0) {
        return refuse("late", "your time was up before your days off");
    }
    Ok(vec![Event::DaysOff { at: now, side, since, until: off.until }])
}

fn turn(on: &Match, moves: &[String], seats: &[Side], now: i64, lag: i64) -> Result<Vec<Event>, Refusal> {
    check_turn(on, seats)?;
    let (mut board, mut made) = (on.board.clone(), Vec::new());
    for text in moves {
        if board.turn() != on.board.turn() || board.outcome(false).is_some() {
            let message = format!("{text}: the turn ends before this move");
            return Err(Refusal { code: "illegal", message, r#where: Some("move") });
        }
        let ply = read_move(&board, text)?;
        board.push_text(&ply).expect("just read");
        let spent = if made.is_empty() { spent(on, now, lag) } else { 0 };
        made.push(Event::MovePlayed { at: now, ply, spent });
    }
    Ok(made)
}

/// Reads a move in coordinates or SAN; the reason of a refusal is that of the coordinates.
fn read_move(board: &Board, text: &str) -> Result<String, Refusal> {
    let read = board.parse_move(text).or_else(|error| board.parse_san(text).map_err(|_| error));
    let refused =
        |error: rules::MoveError| Refusal { code: "illegal", message: error.to_string(), r#where: Some("move") };
    read.map(|mv| board.move_text(mv)).map_err(refused)
}

fn spent(on: &Match, now: i64, lag: i64) -> i64 {
    on.clock.map_or(0, |clock| clock.elapsed(now, lag))
}

fn choose_setup(on: &Match, name: &str, seats: &[Side], now: i64) -> Result<Vec<Event>, Refusal> {
    if on.phase != Phase::Setup || on.created.arranging.as_deref() != Some("player") {
        return refuse("no_setup", "there is no setup to choose now");
    }
    if !seats.contains(&Side::Black) {
        return refuse("not_your_turn", "Black chooses the setup");
    }
    let (game, wanted) = (on.board.game(), name.to_ascii_uppercase());
    if game.setups().number(&wanted).is_none() {
        let message = format!("{} has no setup {name:?}", game.definition.texts.name);
        return Err(Refusal { code: "no_such_setup", message, r#where: Some("name") });
    }
    Ok(vec![Event::SetupChosen { at: now, name: wanted, by: Some(Side::Black) }])
}

/// Counts the moves that a takeback undoes, back to before the side's last finished turn.
fn takeback_length(on: &Match, by: Side) -> usize {
    let moves = &on.moves;
    let unfinished = if on.turn() == by { on.board.moves_in_turn().min(moves.len()) } else { 0 };
    let mut at = moves.len() - unfinished;
    while at > 0 && moves[at - 1].side != by {
        at -= 1;
    }
    let Some(last) = at.checked_sub(1) else { return 0 };
    let turn = moves[last].turn;
    while at > 0 && moves[at - 1].turn == turn && moves[at - 1].side == by {
        at -= 1;
    }
    moves.len() - at
}

/// The side whose turn a takeback undoes: the player's own or, with both sides, the one that moved last.
fn takeback_side(on: &Match, seats: &[Side]) -> Side {
    match seats {
        [side] => *side,
        _ => on.moves.last().map_or(on.turn(), |made| made.side),
    }
}

fn offer(on: &Match, what: What, by: Side, seats: &[Side], context: &Context, now: i64) -> Result<Vec<Event>, Refusal> {
    let mut plies = None;
    if what == What::Rematch {
        if on.phase != Phase::Over || (!may(on, seats).contains(&"rematch") && on.offers.is_empty()) {
            return refuse("no_rematch", "a rematch can be offered once, after the match");
        }
    } else {
        check_play(on)?;
        if what == What::Takeback {
            if has_no_takebacks(on) {
                return refuse("rated", "there are no takebacks in rated matches and in tournaments");
            }
            plies = Some(takeback_length(on, by)).filter(|length| *length > 0);
            if plies.is_none() {
                return refuse("nothing_to_take_back", "you have not moved yet");
            }
        }
    }
    if on.offers.iter().any(|offer| offer.what == what) {
        let message = format!("a {} has already been offered; answer it or wait for the answer", what.name());
        return refuse("offered", message);
    }
    if on.offered.contains(&(by, what)) {
        return refuse("offered", "you have already offered this; wait until your next turn");
    }
    if what == What::Draw && on.engine().is_some() {
        return refuse("engine_declines", "the engine does not accept draws; claim one if the rules allow it");
    }
    let mut events = vec![Event::Offered { at: now, what, by, plies }];
    if seats.len() == 2 || on.engine().is_some() {
        let rematch = context.rematch.clone().filter(|_| what == What::Rematch);
        let left = plies.and_then(|plies| on.left_before(plies));
        events.push(Event::Answered { at: now, what, by: by.other(), accept: true, rematch, left });
    }
    Ok(events)
}

fn answer(
    on: &Match,
    what: What,
    accept: bool,
    seats: &[Side],
    context: &Context,
    now: i64,
) -> Result<Vec<Event>, Refusal> {
    let Some(offer) = on.offers.iter().find(|offer| offer.what == what) else {
        return refuse("no_offer", format!("no {} has been offered", what.name()));
    };
    if seats.contains(&offer.by) {
        return refuse("own_offer", "only the other side can answer this");
    }
    let rematch = context.rematch.clone().filter(|_| what == What::Rematch && accept);
    let left = offer.moves.filter(|moves| accept && *moves > 0).and_then(|moves| on.left_before(moves));
    Ok(vec![Event::Answered { at: now, what, by: offer.by.other(), accept, rematch, left }])
}

fn claim_left(on: &Match, by: Side, seats: &[Side], context: &Context, now: i64) -> Result<Vec<Event>, Refusal> {
    if on.phase == Phase::Open || seats.len() == 2 || on.engine().is_some() {
        return refuse("no_claim", "you have no opponent who could leave");
    }
    let Some(wait) = claim_delay(on.created.time) else {
        let message = "in correspondence opponents may be offline; wait until their time has run out";
        return refuse("no_claim", message);
    };
    if context.gone.is_none_or(|gone| gone < wait) {
        return refuse("not_gone", format!("your opponent must be gone for {} seconds", wait / 1000));
    }
    Ok(vec![Event::Claimed { at: now, what: Claim::Left, by }])
}

/// For how many milliseconds an opponent must be offline before the match can be claimed; `None` in correspondence.
pub fn claim_delay(time: TimeControl) -> Option<i64> {
    match time {
        TimeControl::Fischer { .. } | TimeControl::ByoYomi { .. } => Some(60_000),
        TimeControl::None => Some(600_000),
        TimeControl::Correspondence { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_events_is_limited() {
        let created = r#"{"type":"created","at":0,"game":"chess","file":"chess","options":{},"definition":"",
            "rules_hash":"","opponent":"self","time":{"kind":"none"},"side":"white","setup":null,"arranging":null,
            "hints":false}"#;
        let seat = |side: &str| format!(r#"{{"type":"seat","at":0,"side":"{side}","person":"ana","name":"Ana"}}"#);
        let events = format!("[{created},{},{}]", seat("white"), seat("black"));
        let game = std::sync::Arc::new(rules::Game::shipped("chess", &[]).unwrap());
        let mut on = Match::from_json(&events, &game).unwrap();
        on.number = MAX_EVENTS;
        on.moved = MAX_EVENTS;
        let first = Command::Move { r#move: "e2e4".into(), number: MAX_EVENTS };
        assert_eq!(decide(&on, &first, &Side::BOTH, &Context::default()).unwrap_err().code, "match_full");
        assert!(decide(&on, &Command::Resign, &Side::BOTH, &Context::default()).is_ok());
    }
}

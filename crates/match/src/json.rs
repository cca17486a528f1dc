//! Matches for programs in other languages: events, commands and states are JSON.
//!
//! Reading is by hand: derived for the events and commands, it made the core for JavaScript 12 % larger.

use crate::clock::TimeControl;
use crate::decide::{Absence, Command, Context, Refusal, decide, may};
use crate::event::{Claim, Created, Event, Series, Side, Sides, What};
use crate::state::{BrokenError, Match};
use rules::Game;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What comes of a command.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Decided {
    Events(Vec<Event>),
    Refusal(Refusal),
}

fn write(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data is JSON")
}

fn parse<T: Read>(text: &str) -> Result<T, BrokenError> {
    let value = serde_json::from_str(text).map_err(|error| BrokenError(error.to_string()))?;
    T::read(&value)
}

impl Match {
    /// [`Match::fold`] for a list of events.
    ///
    /// # Errors
    /// If they are not those of a match.
    pub fn from_json(events: &str, game: &Arc<Game>) -> Result<Match, BrokenError> {
        Match::fold(parse::<Vec<Event>>(events)?, game)
    }

    /// [`Match::apply`] for an event.
    ///
    /// # Errors
    /// If it is no event of this match; then the match must not be used any more.
    pub fn apply_json(&mut self, event: &str) -> Result<(), BrokenError> {
        self.apply(&parse(event)?)
    }

    /// [`decide`] for `{"command": …, "seats": […], "context": …}`: returns `{"events": […]}` or `{"refusal": …}`.
    ///
    /// # Errors
    /// If it does not have this form.
    pub fn decide_json(&self, asked: &str) -> Result<String, BrokenError> {
        let asked: Value = parse(asked)?;
        let (command, seats): (Command, Vec<Side>) = (field(&asked, "command")?, field(&asked, "seats")?);
        let decided = decide(self, &command, &seats, &field(&asked, "context")?);
        Ok(write(&decided.map_or_else(Decided::Refusal, Decided::Events)))
    }

    /// [`may`] for a list of sides.
    ///
    /// # Errors
    /// If it is not one.
    pub fn may_json(&self, seats: &str) -> Result<String, BrokenError> {
        Ok(write(&may(self, &parse::<Vec<Side>>(seats)?)))
    }

    /// The state besides moves and position.
    pub fn state_json(&self) -> String {
        write(self)
    }

    /// The moves from one on.
    pub fn moves_json(&self, start: usize) -> String {
        write(&self.moves.get(start..).unwrap_or_default())
    }

    /// The clock as it is shown at a moment.
    pub fn clock_json(&self, now: i64) -> Option<String> {
        self.clock.map(|clock| write(&clock.show(self.shown_time(), now)))
    }
}

/// The most milliseconds, periods or days of a time control.
const MOST_TIME: i64 = 1_000_000_000;

/// What can be read from JSON.
trait Read: Sized {
    fn read(value: &Value) -> Result<Self, BrokenError>;
}

/// Reads a field; one that is missing counts as null.
fn field<T: Read>(object: &Value, name: &str) -> Result<T, BrokenError> {
    T::read(&object[name]).map_err(at(name))
}

/// Says where an error is.
fn at(place: impl std::fmt::Display) -> impl FnOnce(BrokenError) -> BrokenError {
    move |BrokenError(error)| BrokenError(format!("{place}: {error}"))
}

fn unlike<T>(expected: &str) -> Result<T, BrokenError> {
    Err(BrokenError(format!("expected {expected}")))
}

impl Read for Value {
    fn read(value: &Value) -> Result<Value, BrokenError> {
        Ok(value.clone())
    }
}

impl Read for bool {
    fn read(value: &Value) -> Result<bool, BrokenError> {
        value.as_bool().map_or_else(|| unlike("true or false"), Ok)
    }
}

macro_rules! read_whole {
    ($($number:ty),*) => {$(
        impl Read for $number {
            fn read(value: &Value) -> Result<$number, BrokenError> {
                let whole = value.as_i64().and_then(|whole| <$number>::try_from(whole).ok());
                let (least, most) = (<$number>::MIN, <$number>::MAX);
                whole.map_or_else(|| unlike(&format!("a whole number from {least} to {most}")), Ok)
            }
        }
    )*};
}
read_whole!(i64, u32, u8, usize);

impl Read for f64 {
    fn read(value: &Value) -> Result<f64, BrokenError> {
        value.as_f64().map_or_else(|| unlike("a number"), Ok)
    }
}

impl Read for String {
    fn read(value: &Value) -> Result<String, BrokenError> {
        value.as_str().map_or_else(|| unlike("a text"), |text| Ok(text.into()))
    }
}

impl<T: Read> Read for Option<T> {
    fn read(value: &Value) -> Result<Option<T>, BrokenError> {
        if value.is_null() { Ok(None) } else { T::read(value).map(Some) }
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(value: &Value) -> Result<Vec<T>, BrokenError> {
        let Some(list) = value.as_array() else { return unlike("a list") };
        list.iter().enumerate().map(|(index, item)| T::read(item).map_err(at(index + 1))).collect()
    }
}

/// Texts by name; none if they are missing.
impl Read for BTreeMap<String, String> {
    fn read(value: &Value) -> Result<Self, BrokenError> {
        let none = serde_json::Map::new();
        let texts =
            if value.is_null() { &none } else { value.as_object().map_or_else(|| unlike("texts by name"), Ok)? };
        texts.iter().map(|(name, text)| Ok((name.clone(), String::read(text).map_err(at(name))?))).collect()
    }
}

impl Read for Side {
    fn read(value: &Value) -> Result<Side, BrokenError> {
        let side = Side::BOTH.into_iter().find(|side| value == side.name());
        side.map_or_else(|| unlike("white or black"), Ok)
    }
}

impl Read for What {
    fn read(value: &Value) -> Result<What, BrokenError> {
        let what = [What::Draw, What::Takeback, What::Rematch].into_iter().find(|what| value == what.name());
        what.map_or_else(|| unlike("draw, takeback or rematch"), Ok)
    }
}

impl Read for Claim {
    fn read(value: &Value) -> Result<Claim, BrokenError> {
        match value.as_str() {
            Some("draw") => Ok(Claim::Draw),
            Some("left") => Ok(Claim::Left),
            _ => unlike("draw or left"),
        }
    }
}

impl<T: Read> Read for Sides<T> {
    fn read(value: &Value) -> Result<Sides<T>, BrokenError> {
        Ok(Sides { white: field(value, "white")?, black: field(value, "black")? })
    }
}

impl Read for Series {
    fn read(value: &Value) -> Result<Series, BrokenError> {
        let Sides { white, black } = Sides::read(value)?;
        Ok(Series { white, black, games: field(value, "games")? })
    }
}

impl Read for Absence {
    fn read(value: &Value) -> Result<Absence, BrokenError> {
        Ok(Absence { since: field(value, "since")?, until: field(value, "until")? })
    }
}

impl Read for TimeControl {
    fn read(value: &Value) -> Result<TimeControl, BrokenError> {
        // Whatever the unit, more would not fit into a sum of them.
        let some = |name: &str, least: i64| match field(value, name)? {
            amount if (least..=MOST_TIME).contains(&amount) => Ok(amount),
            _ => unlike(&format!("a number from {least} to {MOST_TIME}")).map_err(at(name)),
        };
        let ms = |name: &str| some(name, 0);
        Ok(match value["kind"].as_str() {
            Some("none") => TimeControl::None,
            Some("fischer") => {
                TimeControl::Fischer { initial_ms: ms("initial_ms")?, increment_ms: ms("increment_ms")? }
            }
            Some("byoyomi") => TimeControl::ByoYomi {
                initial_ms: ms("initial_ms")?,
                period_ms: some("period_ms", 1)?,
                periods: ms("periods")?,
            },
            Some("correspondence") => {
                TimeControl::Correspondence { days_per_turn: ms("days_per_turn")?, reserve_days: ms("reserve_days")? }
            }
            _ => return unlike("none, fischer, byoyomi or correspondence").map_err(at("kind")),
        })
    }
}

impl Read for Context {
    fn read(value: &Value) -> Result<Context, BrokenError> {
        let lag = field::<Option<i64>>(value, "lag")?.unwrap_or(0);
        Ok(Context { now: field(value, "now")?, lag, gone: field(value, "gone")?, rematch: field(value, "rematch")? })
    }
}

impl Read for Created {
    fn read(value: &Value) -> Result<Created, BrokenError> {
        Ok(Created {
            at: field(value, "at")?,
            game: field(value, "game")?,
            file: field(value, "file")?,
            options: field(value, "options")?,
            definition: field(value, "definition")?,
            rules_hash: field(value, "rules_hash")?,
            opponent: field(value, "opponent")?,
            time: field(value, "time")?,
            side: field(value, "side")?,
            setup: field(value, "setup")?,
            arranging: field(value, "arranging")?,
            hints: field(value, "hints")?,
            fen: field(value, "fen")?,
            tags: field(value, "tags")?,
            series: field(value, "series")?,
            rated: field::<Option<bool>>(value, "rated")?.unwrap_or(false),
            tournament: field(value, "tournament")?,
        })
    }
}

impl Read for Event {
    fn read(value: &Value) -> Result<Event, BrokenError> {
        let at = field(value, "at")?;
        let by = || field::<Side>(value, "by");
        Ok(match value["type"].as_str() {
            Some("created") => Event::Created(Box::new(Created::read(value)?)),
            Some("seat") => Event::Seated {
                at,
                side: field(value, "side")?,
                person: field(value, "person")?,
                name: field(value, "name")?,
                level: field(value, "level")?,
            },
            Some("swap") => Event::SidesSwapped { at },
            Some("setup") => Event::SetupChosen { at, name: field(value, "name")?, by: field(value, "by")? },
            Some("ply") => Event::MovePlayed { at, ply: field(value, "ply")?, spent: field(value, "spent")? },
            Some("undo") => Event::Undone { at },
            Some("offer") => {
                Event::Offered { at, what: field(value, "what")?, by: by()?, plies: field(value, "plies")? }
            }
            Some("answer") => Event::Answered {
                at,
                what: field(value, "what")?,
                by: by()?,
                accept: field(value, "accept")?,
                rematch: field(value, "rematch")?,
                left: field(value, "left")?,
            },
            Some("claim") => Event::Claimed { at, what: field(value, "what")?, by: by()? },
            Some("resign") => Event::Resigned { at, by: by()? },
            Some("abort") => Event::Aborted { at, by: by()? },
            Some("flag") => Event::Flagged { at, side: field(value, "side")? },
            Some("recorded") => Event::Recorded { at, result: field(value, "result")? },
            Some("pause") => Event::Paused { at, since: field(value, "since")? },
            Some("off") => Event::DaysOff {
                at,
                side: field(value, "side")?,
                since: field(value, "since")?,
                until: field(value, "until")?,
            },
            _ => return unlike(&format!("the type of an event, not {}", value["type"])),
        })
    }
}

impl Read for Command {
    fn read(value: &Value) -> Result<Command, BrokenError> {
        Ok(match value["type"].as_str() {
            Some("move") => Command::Move { r#move: field(value, "move")?, number: field(value, "number")? },
            Some("turn") => Command::Turn { moves: field(value, "moves")? },
            Some("undo") => Command::Undo { number: field(value, "number")? },
            Some("setup") => Command::Setup { name: field(value, "name")? },
            Some("offer") => Command::Offer { what: field(value, "what")? },
            Some("answer") => Command::Answer { what: field(value, "what")?, accept: field(value, "accept")? },
            Some("claim") => Command::Claim { what: field(value, "what")? },
            Some("resign") => Command::Resign,
            Some("abort") => Command::Abort,
            Some("take_seat") => Command::TakeSeat {
                person: field(value, "person")?,
                name: field(value, "name")?,
                side: field(value, "side")?,
                level: field(value, "level")?,
            },
            Some("confirm_setup") => Command::ConfirmSetup { name: field(value, "name")? },
            Some("check_flag") => Command::CheckFlag { setup: field(value, "setup")? },
            Some("resume_after_outage") => Command::ResumeAfterOutage { absences: field(value, "absences")? },
            Some("days_off") => Command::DaysOff { side: field(value, "side")?, off: field(value, "off")? },
            _ => return unlike(&format!("the type of a command, not {}", value["type"])),
        })
    }
}

//! Annotations in comments: times, evaluations, arrows. `[%clk 0:05:00] [%eval 0.35,20] [%cal Ge2e4]`.

use crate::text::quoted;
use rules::Square;
use std::ops::Range;

/// The colours of arrows and marked squares, by the letters that stand for them.
const COLOURS: [(char, &str); 4] = [('G', "green"), ('R', "red"), ('Y', "yellow"), ('B', "blue")];

/// The most digits of a mate's turns, of a depth, and of each part of a time.
const DIGITS: usize = 6;

/// An evaluation from White's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The score.
    pub score: Score,
    /// In half-moves.
    pub depth: Option<u32>,
}

/// Who stands better, and by how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a Pawn.
    Centipawns(i64),
    /// Turns to mate: below 0 if Black mates, 0 for a mate on the board.
    Mate(i64),
}

/// An arrow from square to square, with a colour; two equal squares mark that square.
pub type Arrow = (Square, Square, &'static str);

/// The seconds of the first time of this name, `clk` or `emt`, in a comment.
///
/// ```
/// assert_eq!(record::time("Quick. [%clk 0:04:58.5]", "clk"), Some(298.5));
/// ```
pub fn time(comment: &str, name: &str) -> Option<f64> {
    all(comment, &[name], read_time).next().map(|(_, seconds)| seconds)
}

/// The comment with a time of this name instead of the first one; `None` removes that.
///
/// ```
/// assert_eq!(record::with_time("Quick.", "clk", Some(298.5)).unwrap(), "Quick. [%clk 0:04:58.5]");
/// ```
///
/// # Errors
/// If the time is not a number below 1,000,000,000. One below 0, as after a fallen flag, is written as 0.
pub fn with_time(comment: &str, name: &str, seconds: Option<f64>) -> Result<String, String> {
    let text = match seconds {
        Some(seconds) if seconds < 1e9 => Some(written_time(seconds)),
        Some(seconds) => {
            return Err(format!("{seconds} is not a time on a clock; expected seconds below 1,000,000,000"));
        }
        None => None,
    };
    let found = all(comment, &[name], read_time).next();
    Ok(replaced(comment, found.map(|(range, _)| range), name, text))
}

/// The first evaluation in a comment.
///
/// ```
/// use record::{Evaluation, Score};
///
/// let found = record::evaluation("[%eval 0.35,20]");
/// assert_eq!(found, Some(Evaluation { score: Score::Centipawns(35), depth: Some(20) }));
/// ```
pub fn evaluation(comment: &str) -> Option<Evaluation> {
    all(comment, &["eval"], read_evaluation).next().map(|(_, evaluation)| evaluation)
}

/// The comment with an evaluation instead of the first one; `None` removes that.
///
/// # Errors
/// If a number has too many digits to be read again.
pub fn with_evaluation(comment: &str, evaluation: Option<Evaluation>) -> Result<String, String> {
    let text = evaluation.map(written_evaluation);
    if text.as_ref().is_some_and(|text| read_evaluation(text).is_none()) {
        let message = "the evaluation cannot be written; expected less than 10,000,000 Pawns, or a mate in less than \
                       1,000,000 turns, and a depth below 1,000,000";
        return Err(message.into());
    }
    let found = all(comment, &["eval"], read_evaluation).next();
    Ok(replaced(comment, found.map(|(range, _)| range), "eval", text))
}

/// The arrows (`[%cal]`) and marked squares (`[%csl]`) of a comment.
pub fn arrows(comment: &str) -> Vec<Arrow> {
    all(comment, &ARROWS, read_arrows).flat_map(|(_, arrows)| arrows).collect()
}

/// The comment with these arrows and marked squares instead of all others.
///
/// ```
/// use rules::Square;
///
/// let [a1, a2] = ["a1", "a2"].map(|name| Square::parse(name).unwrap());
/// let text = record::with_arrows("See.", &[(a1, a2, "green"), (a1, a1, "red")]).unwrap();
/// assert_eq!(text, "[%csl Ra1][%cal Ga1a2] See.");
/// assert_eq!(record::arrows(&text), [(a1, a1, "red"), (a1, a2, "green")]);
/// ```
///
/// # Errors
/// If a colour is not one of the four.
pub fn with_arrows(comment: &str, arrows: &[(Square, Square, &str)]) -> Result<String, String> {
    let (mut squares, mut lines) = (Vec::new(), Vec::new());
    for (from, to, colour) in arrows {
        let Some((letter, _)) = COLOURS.into_iter().find(|(_, name)| name == colour) else {
            let names = COLOURS.map(|(_, name)| name).join(", ");
            return Err(format!("{} is not a colour of an arrow; expected one of {names}", quoted(colour)));
        };
        match from == to {
            true => squares.push(format!("{letter}{from}")),
            false => lines.push(format!("{letter}{from}{to}")),
        }
    }
    let parts = ARROWS.into_iter().zip([squares, lines]).filter(|(_, items)| !items.is_empty());
    let text: String = parts.map(|(name, items)| format!("[%{name} {}]", items.join(","))).collect();
    let (mut rest, mut kept) = (String::new(), 0);
    for (range, _) in all(comment, &ARROWS, read_arrows) {
        rest += &comment[kept..range.start];
        kept = range.end;
    }
    rest += &comment[kept..];
    Ok(joined(&text, &if kept > 0 { without_gaps(&rest) } else { rest }))
}

/// Marked squares and arrows.
const ARROWS: [&str; 2] = ["csl", "cal"];

/// The annotations with one of these names that can be read: where each stands, and its value.
fn all<'a, T>(
    comment: &'a str,
    names: &'a [&str],
    read: impl Fn(&str) -> Option<T> + 'a,
) -> impl Iterator<Item = (Range<usize>, T)> + 'a {
    comment.match_indices("[%").filter_map(move |(start, _)| {
        let rest = &comment[start + 2..];
        let rest = names.iter().find_map(|name| rest.strip_prefix(name))?;
        // No value has a bracket, so that each text between brackets is read once.
        let (value, after) = rest.split_at(rest.find(['[', ']'])?);
        let value = read(value.strip_prefix(char::is_whitespace)?.trim())?;
        Some((start..comment.len() - after.strip_prefix(']')?.len(), value))
    })
}

/// Reads a number that has at least one digit and no more than `most`.
fn number(text: &str, most: usize) -> Option<u32> {
    let is_number = (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

/// Takes the sign off a number: whether it is negative, and the rest.
fn unsigned(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// Hours, minutes and seconds, which may have a fraction.
fn read_time(value: &str) -> Option<f64> {
    let mut parts = value.split(':');
    let (hours, minutes, seconds) = (parts.next()?, parts.next()?, parts.next()?);
    let (whole, fraction) = seconds.split_once('.').unwrap_or((seconds, ""));
    number(whole, DIGITS)?;
    if parts.next().is_some() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let minutes = f64::from(number(hours, DIGITS)?) * 60.0 + f64::from(number(minutes, DIGITS)?);
    Some(minutes * 60.0 + seconds.parse::<f64>().ok()?)
}

/// Hours, minutes and seconds, to thousandths.
fn written_time(seconds: f64) -> String {
    let thousandths = (seconds.max(0.0) * 1000.0).round_ties_even() as u64;
    let (minutes, rest) = (thousandths / 60_000, thousandths % 60_000);
    let seconds = format!("{:02}.{:03}", rest / 1000, rest % 1000);
    format!("{}:{:02}:{}", minutes / 60, minutes % 60, seconds.trim_end_matches('0').trim_end_matches('.'))
}

/// Pawns to hundredths, or `#` and turns to mate; then the depth, if it is known.
fn read_evaluation(value: &str) -> Option<Evaluation> {
    let (score, depth) = value.split_once(',').map_or((value, None), |(score, depth)| (score, Some(depth)));
    let depth = match depth {
        Some(depth) => Some(number(depth, DIGITS)?),
        None => None,
    };
    let signed = |negative: bool, number: i64| if negative { -number } else { number };
    let score = match score.strip_prefix('#') {
        Some(mate) => {
            let (negative, turns) = unsigned(mate);
            Score::Mate(signed(negative, number(turns, DIGITS)?.into()))
        }
        None => {
            let (negative, pawns) = unsigned(score);
            let (whole, fraction) = pawns.split_once('.').unwrap_or((pawns, ""));
            if whole.is_empty() && fraction.is_empty() {
                return None;
            }
            let whole = if whole.is_empty() { 0 } else { number(whole, 7)? };
            let hundredths = if fraction.is_empty() { 0 } else { number(fraction, 2)? };
            let hundredths = if fraction.len() == 1 { hundredths * 10 } else { hundredths };
            Score::Centipawns(signed(negative, i64::from(whole) * 100 + i64::from(hundredths)))
        }
    };
    Some(Evaluation { score, depth })
}

fn written_evaluation(evaluation: Evaluation) -> String {
    let score = match evaluation.score {
        Score::Mate(turns) => format!("#{turns}"),
        Score::Centipawns(number) => {
            let (sign, size) = (if number < 0 { "-" } else { "" }, number.unsigned_abs());
            format!("{sign}{}.{:02}", size / 100, size % 100)
        }
    };
    evaluation.depth.map_or(score.clone(), |depth| format!("{score},{depth}"))
}

/// Colours and squares, such as `Ge2e4,Ra1`; without those whose squares no board has.
fn read_arrows(value: &str) -> Option<Vec<Arrow>> {
    let mut arrows = Vec::new();
    for item in value.split(',') {
        let mut letters = item.chars();
        let colour = letters.next()?;
        let (_, colour) = COLOURS.into_iter().find(|(letter, _)| *letter == colour)?;
        let (from, rest) = square_name(letters.as_str())?;
        let (to, rest) = if rest.is_empty() { (from, rest) } else { square_name(rest)? };
        if !rest.is_empty() {
            return None;
        }
        if let (Some(from), Some(to)) = (Square::parse(from), Square::parse(to)) {
            arrows.push((from, to, colour));
        }
    }
    Some(arrows)
}

/// Takes the name of a square, a letter and one or two digits, off a text.
fn square_name(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix(|letter| matches!(letter, 'a'..='p'))?;
    let digits = rest.bytes().take(2).take_while(u8::is_ascii_digit).count();
    (digits > 0).then(|| text.split_at(1 + digits))
}

/// The comment with this text as the annotation of a name in a place; without a place it goes to the end.
fn replaced(comment: &str, place: Option<Range<usize>>, name: &str, text: Option<String>) -> String {
    let text = text.map(|text| format!("[%{name} {text}]"));
    match (place, text) {
        (None, text) => joined(comment, &text.unwrap_or_default()),
        (Some(place), Some(text)) => [&comment[..place.start], &text, &comment[place.end..]].concat(),
        (Some(place), None) => without_gaps(&[&comment[..place.start], &comment[place.end..]].concat()),
    }
}

fn joined(first: &str, second: &str) -> String {
    let space = if first.is_empty() || second.is_empty() { "" } else { " " };
    [first, space, second].concat()
}

/// Closes the gaps that removed annotations leave.
fn without_gaps(text: &str) -> String {
    let mut found = String::with_capacity(text.len());
    for letter in text.trim_matches(' ').chars() {
        if letter != ' ' || !found.ends_with(' ') {
            found.push(letter);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_many_digits_are_no_annotations() {
        let nines = "9".repeat(400);
        for comment in
            [format!("[%clk {nines}:00:00]"), format!("[%clk 0:00:{nines}]"), format!("[%clk 0:00:0.{nines}x]")]
        {
            assert_eq!(time(&comment, "clk"), None, "{comment}");
        }
        for value in [format!("{nines}.00"), format!("#{nines}"), format!("0.10,{nines}"), "0.123".into(), ".".into()] {
            assert_eq!(evaluation(&format!("[%eval {value}]")), None, "{value}");
        }
        for score in
            [i64::MIN, i64::MAX].into_iter().flat_map(|number| [Score::Centipawns(number), Score::Mate(number)])
        {
            assert!(with_evaluation("", Some(Evaluation { score, depth: None })).is_err());
        }
    }
}

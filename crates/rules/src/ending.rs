//! How games end, in words: one table for every language, from which all programs say it.

use crate::outcome::Outcome;
use crate::piece::Color;
use crate::shipped::sentences;
use crate::tables::Rules;

/// The texts in English, by the keys that they have in translations. A number after a reason is the limit of the
/// game, `n` stands for any other; `lost` says who lost.
const ENGLISH: [(&str, &str); 35] = [
    ("sentence", "{reason}. {winner}."),
    ("draw", "{winner}: {reason}."),
    ("white", "White"),
    ("black", "Black"),
    ("white_wins", "White wins"),
    ("black_wins", "Black wins"),
    ("drawn", "Draw"),
    ("checkmate", "checkmate"),
    ("stalemate", "stalemate"),
    ("royals_captured", "all royal pieces captured"),
    ("bare_king", "bare King"),
    ("bare_kings", "only the two Kings are left"),
    ("dead_position", "checkmate is impossible"),
    ("threefold_repetition", "repetition"),
    ("threefold_repetition_3", "threefold repetition"),
    ("threefold_repetition_5", "fivefold repetition"),
    ("threefold_repetition_n", "{count}-fold repetition"),
    ("fivefold_repetition", "repetition"),
    ("fivefold_repetition_3", "threefold repetition"),
    ("fivefold_repetition_5", "fivefold repetition"),
    ("fivefold_repetition_n", "{count}-fold repetition"),
    ("fifty_moves", "move-count rule"),
    ("fifty_moves_n", "{moves}-move rule"),
    ("seventyfive_moves", "move-count rule"),
    ("seventyfive_moves_n", "{moves}-move rule"),
    ("double_pass", "both sides passed"),
    ("no_moves", "no legal moves"),
    ("resignation", "resignation"),
    ("resignation_lost", "{loser} resigned"),
    ("time", "out of time"),
    ("time_lost", "{loser} ran out of time"),
    ("abandonment", "a player left"),
    ("abandonment_lost", "{loser} left the game"),
    ("agreement", "by agreement"),
    ("recorded", "according to the PGN"),
];

/// The texts of a language by their keys: English, with what its translation has instead.
pub fn ending_texts(language: &str) -> Vec<(&'static str, String)> {
    let translated = sentences(language, "ending");
    let found = |key: &str| translated.iter().find(|(other, _)| other == key).map(|(_, text)| text.clone());
    ENGLISH.into_iter().map(|(key, english)| (key, found(key).unwrap_or_else(|| english.into()))).collect()
}

/// Puts the reason why a game ended, or may end, into a few words of a language.
///
/// `limit` is that of the game for a draw by a count ([`Reason::limit`](crate::Reason::limit)), 0 if unknown. A name that is no
/// [`Reason`](crate::Reason)'s is returned with spaces: programs have endings of their own.
pub fn reason_text(language: &str, reason: &str, limit: u32) -> String {
    said(&ending_texts(language), reason, limit)
}

fn said(texts: &[(&str, String)], reason: &str, limit: u32) -> String {
    let counted = [format!("{reason}_{limit}"), format!("{reason}_n")];
    let keys = counted.iter().map(String::as_str).filter(|_| limit > 0).chain([reason]);
    let found = keys.into_iter().find_map(|key| texts.iter().find(|(other, _)| *other == key));
    let moves = f64::from(limit) / 2.0;
    match found {
        Some((_, text)) => text.replace("{count}", &limit.to_string()).replace("{moves}", &moves.to_string()),
        None => reason.replace('_', " "),
    }
}

/// Says in a language why a game ended and who won, with the points if they are not those of chess.
///
/// `score` is [`Outcome::score`], and reason and limit are as for [`reason_text`].
pub fn ending_text(language: &str, reason: &str, winner: Option<Color>, score: &str, limit: u32) -> String {
    let texts = ending_texts(language);
    let text = |key: &str| texts.iter().find(|(other, _)| *other == key).map_or("", |(_, text)| text);
    let points = if matches!(score, "1-0" | "0-1" | "1/2-1/2") { String::new() } else { format!(" ({score})") };
    let why = said(&texts, reason, limit);
    let Some(winner) = winner else {
        return text("draw").replace("{winner}", &format!("{}{points}", text("drawn"))).replace("{reason}", &why);
    };
    let lost = texts.iter().find(|(key, _)| key.strip_suffix("_lost") == Some(reason));
    let why = lost.map_or(why, |(_, lost)| lost.replace("{loser}", text((!winner).name())));
    let mut letters = why.chars();
    let why: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    let won = text(if winner == Color::White { "white_wins" } else { "black_wins" });
    text("sentence").replace("{winner}", &format!("{won}{points}")).replace("{reason}", &why)
}

impl Outcome {
    /// Says how a game with these rules ended, in a language; in English if it has none.
    pub fn text(&self, rules: &Rules, language: &str) -> String {
        let limit = self.reason.limit(&rules.end).unwrap_or(0);
        ending_text(language, self.reason.name(), self.winner, &self.score(), limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Reason;
    use crate::shipped::languages;

    #[test]
    fn every_reason_has_a_text() {
        for reason in Reason::ALL {
            assert!(ENGLISH.iter().any(|(key, _)| *key == reason.name()), "{reason:?}");
        }
    }

    #[test]
    fn translations_have_every_text_and_placeholder() {
        for language in languages().skip(1) {
            let translated = sentences(language, "ending");
            assert_eq!(translated.len(), ENGLISH.len(), "{language}");
            for (key, english) in ENGLISH {
                let found = translated.iter().find(|(other, _)| other == key);
                let (_, text) = found.unwrap_or_else(|| panic!("{language} has no ending.{key}"));
                for value in ["{reason}", "{winner}", "{loser}", "{count}", "{moves}"] {
                    assert_eq!(text.contains(value), english.contains(value), "{language}: ending.{key}: {value}");
                }
            }
        }
    }
}

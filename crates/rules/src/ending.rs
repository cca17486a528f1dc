//! How games end, in words: one table for every language, from which all programs say it.

use crate::outcome::Outcome;
use crate::piece::Color;
use crate::shipped::sentences;
use crate::tables::Rules;

/// The texts of a language by their keys.
pub fn ending_texts(language: &str) -> &'static [(String, String)] {
    sentences(language, "ending")
}

/// Puts the reason why a game ended, or may end, into a few words of a language.
///
/// `limit` is that of the game for a draw by a count ([`Reason::limit`](crate::Reason::limit)), 0 if unknown. A name that is no
/// [`Reason`](crate::Reason)'s is returned with spaces: programs have endings of their own.
pub fn reason_text(language: &str, reason: &str, limit: u32) -> String {
    said(ending_texts(language), reason, limit)
}

fn said(texts: &[(String, String)], reason: &str, limit: u32) -> String {
    let counted = [format!("{reason}_{limit}"), format!("{reason}_n")];
    let keys = counted.iter().map(String::as_str).filter(|_| limit > 0).chain([reason]);
    let found = keys.into_iter().find_map(|key| texts.iter().find(|(other, _)| other == key));
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
    let text = |key: &str| texts.iter().find(|(other, _)| other == key).map_or("", |(_, text)| text);
    let points = if matches!(score, "1-0" | "0-1" | "1/2-1/2") { String::new() } else { format!(" ({score})") };
    let why = said(texts, reason, limit);
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

    #[test]
    fn every_reason_has_a_text() {
        for reason in Reason::ALL {
            assert!(ending_texts("en").iter().any(|(key, _)| key == reason.name()), "{reason:?}");
        }
    }
}

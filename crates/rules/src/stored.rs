//! What is stored with a game of a definition, so that it means the same in later versions of Acedrex.

use crate::game::Game;
use crate::loading::{completed, whole_tree};
use crate::reader::{Reader, leads_to_a_page};
use crate::shipped::{OWN_LANGUAGE, shipped_source};
use crate::source::{self, Fault, MAX_STORED_BYTES};
use crate::text::shorten;

impl Game {
    /// Loads what [`Game::full_source`] returned before, perhaps of an earlier version of Acedrex: it may have the id of
    /// a shipped game whose rules have changed since. Its texts stay as they are.
    ///
    /// # Errors
    /// Every fault found, in the order of the text.
    pub fn load_stored(text: &str, file: &str, choices: &[(String, String)]) -> Result<Game, Vec<Fault>> {
        let mut names = vec![shorten(file)];
        let root = source::read_up_to(MAX_STORED_BYTES, text, file, 0)?;
        let mut root = completed(root, OWN_LANGUAGE, &mut names)?;
        if root.at("game.link").is_some_and(|link| !leads_to_a_page(link)) {
            // Earlier versions accepted any text.
            root.remove("game.link");
            let text = root.to_toml();
            return Game::of_tree(Reader::new(&names), root, &text, file, choices);
        }
        Game::of_tree(Reader::new(&names), root, text, file, choices)
    }

    /// The game's definition with what it extends laid under it, so that it means the same when a shipped game has
    /// changed. Stored games keep it, and [`Game::load_stored`] reads it.
    pub fn full_source(&self) -> String {
        match whole_tree(&self.source, &self.file, OWN_LANGUAGE, &mut vec![shorten(&self.file)]) {
            Ok(mut root) if root.at("game.extends").is_some() => {
                root.remove("game.extends");
                root.remove("game.remove");
                root.to_toml()
            }
            _ => self.source.clone(),
        }
    }

    /// Whether this is not the shipped game of its id, but what was stored of an earlier version of it.
    pub fn is_outdated(&self) -> bool {
        shipped_source(&self.definition.texts.id).is_some_and(|shipped| !shipped.lines().eq(self.source.lines()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shipped::shipped;

    #[test]
    fn a_full_source_has_the_same_rules_under_every_option() {
        let own = "[game]\nid = \"swift\"\nextends = \"zanzibar-s\"\nname = \"\\\"A\\\\b\\\" \u{e9}\"\nsummary = \"\"\"\none\ntwo\"\"\"\n";
        let shipped = shipped().map(|id| (shipped_source(id).expect("it is shipped"), id));
        for (text, id) in shipped.chain([(own, "swift")]) {
            let plain = Game::load(text, id, &[]).unwrap();
            let full = plain.full_source();
            assert!(!full.contains("extends"), "{id}");
            let stored = Game::load_stored(&full, id, &[]).unwrap_or_else(|faults| panic!("{id}: {}", faults[0]));
            assert_eq!(stored.rules.hash, plain.rules.hash, "{id}");
            assert_eq!(stored.definition.texts.name, plain.definition.texts.name);
            for option in &plain.definition.options {
                for value in &option.values {
                    let choices = [(option.name.clone(), value.clone())];
                    let (whole, stored) = (Game::load(text, id, &choices), Game::load_stored(&full, id, &choices));
                    assert_eq!(whole.unwrap().rules.hash, stored.unwrap().rules.hash, "{id} {option:?}");
                }
            }
        }
    }

    #[test]
    fn only_what_was_stored_may_have_the_id_of_a_shipped_game_with_other_rules() {
        let text = shipped_source("chess").unwrap().replace("move = \"N\"", "move = \"NN\"");
        assert_eq!(Game::load(&text, "chess", &[]).err().expect("a fault")[0].key, "game.id");
        let (stored, today) = (Game::load_stored(&text, "chess", &[]).unwrap(), Game::shipped("chess", &[]).unwrap());
        assert!(stored.is_outdated() && !today.is_outdated());
        assert_ne!(stored.rules.hash, today.rules.hash);
    }

    #[test]
    fn a_link_leads_to_a_page_and_one_that_was_stored_before_is_left_out() {
        let text = shipped_source("chess").unwrap().replace("id = \"chess\"", "id = \"own\"");
        let text = text.replace("https://handbook", "javascript:alert(1)//");
        assert_eq!(Game::load(&text, "own", &[]).err().expect("a fault")[0].key, "game.link");
        let stored = Game::load_stored(&text, "own", &[]).unwrap();
        assert_eq!(stored.definition.texts.link, "");
        assert_eq!(Game::load(&stored.source, "own", &[]).unwrap().rules.hash, stored.rules.hash);
    }
}

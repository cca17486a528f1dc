//! Makes a game from a definition's text: lays it over the game that it extends, lays a translation and the options'
//! values over it, and collects every fault on the way.

use crate::board::read_board;
use crate::compile::compile;
use crate::definition::OptionDefinition;
use crate::drawing;
use crate::ending::reason_text;
use crate::game::Game;
use crate::locale::translate;
use crate::reader::Reader;
use crate::shipped::{OWN_LANGUAGE, shipped, shipped_source, shipped_translation};
use crate::source::{self, Fault, Node, Place, Value};
use crate::text::{did_you_mean, join, nearest, shorten};
use std::sync::{Arc, OnceLock};

/// The most values that all options of a game may have together.
const MAX_VALUES: usize = 64;
/// The most parts of a key that an option sets: trees are laid over each other by recursion.
const MAX_DEPTH: usize = 8;

impl Game {
    /// Loads a definition with some options set; the others have their defaults.
    ///
    /// # Errors
    /// Every fault found, in the order of the file.
    pub fn load(text: &str, file: &str, choices: &[(String, String)]) -> Result<Game, Vec<Fault>> {
        Game::load_in(OWN_LANGUAGE, None, text, file, choices)
    }

    /// Loads a definition with its texts translated into a language, as far as translations exist: a shipped game uses
    /// the translation that ships with it, any other game the one given.
    ///
    /// # Errors
    /// Every fault found, in the order of the file.
    pub fn load_in(
        language: &str,
        translation: Option<&str>,
        text: &str,
        file: &str,
        choices: &[(String, String)],
    ) -> Result<Game, Vec<Fault>> {
        let mut names = vec![shorten(file)];
        let mut root = whole_tree(text, file, language, &mut names)?;
        if let Some(translation) = translation {
            let name = format!("{}.{language}.toml", names[0].strip_suffix(".toml").unwrap_or(&names[0]));
            translate(&mut root, translation, name, &mut names)?;
        } else if let Some(Node { value: Value::Text(id), .. }) = root.at("game.id") {
            let id = id.clone();
            translate_shipped(&mut root, language, &id, &mut names)?;
        }
        let mut reader = Reader::new(&names);
        reader.refuse_shipped_id(&root, text);
        Game::of_tree(reader, root, text, file, choices)
    }

    /// Makes a game from a definition's tree, with the faults that the reader has found already.
    pub(crate) fn of_tree(
        mut reader: Reader,
        mut root: Node,
        text: &str,
        file: &str,
        choices: &[(String, String)],
    ) -> Result<Game, Vec<Fault>> {
        let options = apply_options(&mut reader, &mut root, choices);
        let definition = match options {
            Some(options) => reader.definition(&root, options),
            None => None,
        };
        let start = root.at("game.start").map_or(root.place, |node| node.place);
        let place = root.at("game").map_or(root.place, |node| node.place);
        let Some(definition) = definition.filter(|_| reader.faults.is_empty()) else {
            let mut faults = reader.faults;
            faults.sort_by_key(|fault| (fault.file != file, fault.line, fault.column));
            return Err(faults);
        };
        let rules = match compile(&definition) {
            Ok(rules) => rules,
            Err((key, message)) => {
                let place = root.at(&key).map_or(place, |node| node.place);
                reader.fail(place, &key, message);
                return Err(reader.faults);
            }
        };
        let game =
            Game { definition, rules, source: text.to_string(), file: file.to_string(), setups: OnceLock::new() };
        let game = Arc::new(game);
        let problem = match read_board(&game, &game.definition.start) {
            Err(error) => Some(error.to_string()),
            Ok(board) => board.position().decided(&game.rules).map(|outcome| {
                format!("the game is over before it begins: {}", reason_text(OWN_LANGUAGE, outcome.reason.name(), 0))
            }),
        };
        if let Some(problem) = problem {
            reader.fail(start, "game.start", problem);
            return Err(reader.faults);
        }
        Ok(Arc::into_inner(game).expect("the board is gone"))
    }

    /// Returns what a definition's text inherits from the game that it extends, without what it removes, options and
    /// translations: what forms show that change it. `None` if it extends none.
    ///
    /// # Errors
    /// The faults that keep it from being read.
    pub fn inherited(text: &str, file: &str) -> Result<Option<Node>, Vec<Fault>> {
        let root = source::read(text, file, 0)?;
        base_id(&root).map(|base| inherited(&root, base, OWN_LANGUAGE, &mut vec![shorten(file)])).transpose()
    }

    /// Loads a shipped game.
    ///
    /// # Errors
    /// A fault if there is no game with this id, or if an option or its value is unknown.
    pub fn shipped(id: &str, choices: &[(String, String)]) -> Result<Game, Vec<Fault>> {
        Game::shipped_in(OWN_LANGUAGE, id, choices)
    }

    /// Loads a shipped game with its texts translated into a language, as far as translations exist.
    ///
    /// # Errors
    /// A fault if there is no game with this id, or if an option or its value is unknown.
    pub fn shipped_in(language: &str, id: &str, choices: &[(String, String)]) -> Result<Game, Vec<Fault>> {
        match shipped_source(id) {
            Some(text) => Game::load_in(language, None, text, &format!("{id}.toml"), choices),
            None => Err(vec![Fault {
                file: shorten(id),
                line: 0,
                column: 0,
                key: String::new(),
                message: format!(
                    "no such game; there are {}{}",
                    shipped().collect::<Vec<_>>().join(", "),
                    did_you_mean(nearest(id, shipped()))
                ),
            }]),
        }
    }

    /// The first setup that cannot be played, and why. Tries all of them, which takes a while if there are very many.
    pub fn unplayable_setup(self: &Arc<Game>) -> Option<(String, String)> {
        (1..=self.setups().count()).find_map(|number| {
            let name = self.setups().name(number).expect("numbered");
            let fen = self.setups().fen(&self.definition, &name).expect("named");
            let why = match read_board(self, &fen) {
                Ok(board) => format!("the game is over at once: {}", board.outcome(false)?.reason.name()),
                Err(error) => error.to_string(),
            };
            Some((name, why))
        })
    }

    /// Every fault of a definition, under its defaults and under each value of each option. If the ids of all drawings
    /// are given, also reports pieces whose drawing does not exist, although such games can be played.
    pub fn check(text: &str, file: &str, drawings: Option<&[String]>) -> Vec<Fault> {
        let game = match Game::load(text, file, &[]) {
            Ok(game) => game,
            Err(faults) => return faults,
        };
        let mut all: Vec<Fault> = Vec::new();
        for option in &game.definition.options {
            for value in &option.values {
                if let Err(faults) = Game::load(text, file, &[(option.name.clone(), value.clone())]) {
                    for mut fault in faults {
                        fault.message += &format!(" (with {}={value})", option.name);
                        all.push(fault);
                    }
                }
                if all.len() > 100 {
                    return all;
                }
            }
        }
        match drawings {
            Some(drawings) if all.is_empty() => unknown_drawings(text, file, drawings),
            _ => all,
        }
    }
}

/// Reports pieces whose drawing does not exist.
fn unknown_drawings(text: &str, file: &str, drawings: &[String]) -> Vec<Fault> {
    let names = [shorten(file)];
    let mut reader = Reader::new(&names);
    let root = source::read(text, file, 0).expect("it was loaded");
    let Some(Value::Table(pieces)) = root.get("pieces").map(|node| &node.value) else { return Vec::new() };
    for (symbol, piece) in pieces {
        let Some(Node { value: Value::Text(art), place }) = piece.get("art") else { continue };
        if !drawing::is_drawing(art) && !drawings.contains(art) {
            let near = did_you_mean(nearest(art, drawings.iter().map(String::as_str)));
            let message = format!("there is no drawing {:?}; leave art out to let the name decide{near}", shorten(art));
            reader.fail(*place, &join(&join("pieces", symbol), "art"), message);
        }
    }
    reader.faults
}

/// Reads a definition's text, laid over the game that it extends. Adds the names of the files below it to `names`.
pub(crate) fn whole_tree(text: &str, file: &str, language: &str, names: &mut Vec<String>) -> Result<Node, Vec<Fault>> {
    completed(source::read(text, file, 0)?, language, names)
}

/// Lays a definition's tree over the game that it extends.
pub(crate) fn completed(mut root: Node, language: &str, names: &mut Vec<String>) -> Result<Node, Vec<Fault>> {
    rename_plies(&mut root);
    if let Some(base) = base_id(&root) {
        let mut tree = inherited(&root, base, language, names)?;
        tree.overlay(&root);
        return Ok(tree);
    }
    if let Some(node) = root.at("game.remove") {
        let mut reader = Reader::new(names);
        reader.fail(node.place, "game.remove", "remove needs extends");
        return Err(reader.faults);
    }
    Ok(root)
}

fn base_id(root: &Node) -> Option<&Node> {
    root.at("game.extends")
}

/// What a definition does not inherit from the game that it extends: its authors and the texts about its rules.
const OWN_TEXTS: [&str; 8] = ["id", "name", "author", "year", "link", "summary", "story", "rules"];

/// Returns what a definition inherits from the shipped game that it extends.
fn inherited(root: &Node, base: &Node, language: &str, names: &mut Vec<String>) -> Result<Node, Vec<Fault>> {
    let fault = |names: &[String], place: Place, key: &str, message: String| {
        let file = names[place.file as usize].clone();
        vec![Fault { file, line: place.line, column: place.column, key: key.to_string(), message }]
    };
    let Value::Text(id) = &base.value else {
        return Err(fault(names, base.place, "game.extends", "expected the id of a shipped game".into()));
    };
    let Some(text) = shipped_source(id) else {
        let ids = shipped().collect::<Vec<_>>().join(", ");
        return Err(fault(
            names,
            base.place,
            "game.extends",
            format!(
                "{:?} where a shipped game was expected: {ids}{}",
                shorten(id),
                did_you_mean(nearest(id, shipped()))
            ),
        ));
    };
    if root.at("game.id").is_none() {
        let message = "missing; a game that extends another needs its own id";
        return Err(fault(names, base.place, "game.id", message.into()));
    }
    let removed = removed(root).map_err(|(place, message)| fault(names, place, "game.remove", message))?;
    let place = root.at("game.remove").map_or(base.place, |node| node.place);
    if names.len() > 4 {
        return Err(fault(names, base.place, "game.extends", "extends goes more than four games deep".into()));
    }
    let mut tree = source::read(text, &format!("{id}.toml"), names.len() as u8)?;
    names.push(format!("{id}.toml"));
    if let Some(below) = base_id(&tree) {
        let mut whole = inherited(&tree, below, language, names)?;
        whole.overlay(&tree);
        tree = whole;
    }
    translate_shipped(&mut tree, language, id, names)?;
    for path in &removed {
        if !tree.remove(path) {
            let message = format!("{id} has no {:?} to remove", shorten(path));
            return Err(fault(names, place, "game.remove", message));
        }
    }
    for key in OWN_TEXTS {
        tree.remove(&format!("game.{key}"));
    }
    Ok(tree)
}

/// `turn.plies` was the name of `turn.moves` before, and people's definitions are still written with it.
fn rename_plies(node: &mut Node) {
    match &mut node.value {
        Value::Text(text) if text == "turn.plies" => *text = "turn.moves".into(),
        Value::List(items) => items.iter_mut().for_each(rename_plies),
        Value::Table(entries) => {
            for (key, entry) in entries {
                if let (true, Value::Table(turn)) = (key == "turn", &mut entry.value)
                    && !turn.iter().any(|(name, _)| name == "moves")
                    && let Some((name, _)) = turn.iter_mut().find(|(name, _)| name == "plies")
                {
                    *name = "moves".into();
                }
                rename_plies(entry);
            }
        }
        _ => {}
    }
}

/// Lays the translation of a shipped game over its tree, if there is one.
fn translate_shipped(tree: &mut Node, language: &str, id: &str, names: &mut Vec<String>) -> Result<(), Vec<Fault>> {
    match shipped_translation(language, id) {
        Some(text) => translate(tree, text, format!("locale/{language}/{id}.toml"), names),
        None => Ok(()),
    }
}

/// The dotted paths that a definition removes from the game that it extends.
fn removed(root: &Node) -> Result<Vec<String>, (Place, String)> {
    let Some(node) = root.at("game.remove") else { return Ok(Vec::new()) };
    let path = |item: &Node| match &item.value {
        Value::Text(text) => Some(text.clone()),
        _ => None,
    };
    let paths = match &node.value {
        Value::List(items) => items.iter().map(path).collect(),
        _ => None,
    };
    paths.ok_or_else(|| (node.place, "expected a list of keys, such as [\"pieces.N\"]".into()))
}

/// Sets the options' values, lays what they change over the tree, and returns them.
fn apply_options(reader: &mut Reader, root: &mut Node, choices: &[(String, String)]) -> Option<Vec<OptionDefinition>> {
    let mut options: Vec<OptionDefinition> = Vec::new();
    let mut overlays = Vec::new();
    if let Some(node) = root.get("options") {
        let Value::Table(entries) = &node.value else {
            reader.fail(node.place, "options", format!("{} where a table was expected", node.value.shown()));
            return None;
        };
        for (name, node) in entries {
            let path = join("options", name);
            let (option, overlay) = read_option(reader, name, node, &path, choices)?;
            overlays.extend(overlay);
            options.push(option);
            let values: usize = options.iter().map(|option| option.values.len()).sum();
            if values > MAX_VALUES {
                reader.fail(node.place, &path, format!("more than {MAX_VALUES} values of options in all"));
                return None;
            }
        }
    }
    for (name, _) in choices {
        if !options.iter().any(|option| option.name == *name) {
            let names: Vec<_> = options.iter().map(|option| option.name.as_str()).collect();
            let known =
                if names.is_empty() { "this game has none".into() } else { format!("there are {}", names.join(", ")) };
            let near = did_you_mean(nearest(name, names.iter().copied()));
            reader.fail(Place::default(), "options", format!("no option {:?}; {known}{near}", shorten(name)));
            return None;
        }
    }
    for (path, node) in overlays {
        match path {
            Some(path) => root.put(&path, node),
            None => root.overlay(&node),
        }
    }
    Some(options)
}

type Overlay = (Option<String>, Node);

fn read_option(
    reader: &mut Reader,
    name: &str,
    node: &Node,
    path: &str,
    choices: &[(String, String)],
) -> Option<(OptionDefinition, Option<Overlay>)> {
    let is_word =
        |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'-'));
    if !is_word(name) {
        reader.fail(node.place, path, "an option's name has ASCII letters, digits, '_' and '-' only");
        return None;
    }
    let plain = |node: &Node| match &node.value {
        Value::Text(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Flag(flag) => Some(if *flag { "on" } else { "off" }.to_string()),
        _ => None,
    };
    let values: Vec<(String, Node)> = match node.get("values").map(|node| &node.value) {
        Some(Value::List(items)) if !items.is_empty() && items.len() <= MAX_VALUES => {
            let mut values: Vec<(String, Node)> = Vec::new();
            for item in items {
                let path = join(path, "values");
                let Some(value) = plain(item) else {
                    let message =
                        format!("{} where a text, a whole number, true or false was expected", item.value.shown());
                    reader.fail(item.place, &path, message);
                    return None;
                };
                if !is_word(&value) {
                    reader.fail(
                        item.place,
                        &path,
                        format!("{value:?}: a value has ASCII letters, digits, '_' and '-' only"),
                    );
                    return None;
                }
                if values.iter().any(|(other, _)| *other == value) {
                    reader.fail(item.place, &path, format!("{value:?} appears twice"));
                    return None;
                }
                values.push((value, item.clone()));
            }
            values
        }
        _ => {
            reader.fail(node.place, &join(path, "values"), "expected a list of up to 64 texts or numbers");
            return None;
        }
    };
    let names: Vec<String> = values.iter().map(|(value, _)| value.clone()).collect();
    let default = match node.get("default") {
        Some(node) => plain(node).unwrap_or_else(|| node.value.shown()),
        None => names[0].clone(),
    };
    if !names.contains(&default) {
        let node = node.get("default").unwrap_or(node);
        reader.fail(
            node.place,
            &join(path, "default"),
            format!("{default:?} is not one of the values {}", names.join(", ")),
        );
        return None;
    }
    let wanted = choices.iter().rev().find(|(option, _)| option == name).map(|(_, value)| value.clone());
    let chosen = wanted.unwrap_or_else(|| default.clone());
    let Some((_, value)) = values.iter().find(|(value, _)| *value == chosen) else {
        // The choices come from no file; an option without a value means "on".
        let wrong = match chosen.as_str() {
            "on" => format!("it needs a value, such as {name}={}", names[0]),
            _ => format!("no value {:?}", shorten(&chosen)),
        };
        let near = did_you_mean(nearest(&chosen, names.iter().map(String::as_str)));
        reader.fail(Place::default(), path, format!("{wrong}; there are {}{near}", names.join(", ")));
        return None;
    };
    if let Value::Table(entries) = &node.value {
        for (key, entry) in entries {
            let known = ["help", "default", "values", "set"].contains(&key.as_str()) || names.contains(key);
            if !known {
                reader.fail(
                    entry.place,
                    &join(path, key),
                    "unknown key; expected help, default, values, set or a value's name",
                );
            }
        }
    }
    let help = reader.text(node, path, "help").unwrap_or_default();
    let overlay = match node.get("set") {
        Some(Node { value: Value::Text(key), .. }) if key.split('.').count() <= MAX_DEPTH => {
            Some((Some(key.clone()), value.clone()))
        }
        Some(other) => {
            let message = format!("expected a key of at most {MAX_DEPTH} parts, such as \"turn.command.range\"");
            reader.fail(other.place, &join(path, "set"), message);
            return None;
        }
        None => match node.get(&chosen) {
            Some(changes) if !matches!(changes.value, Value::Table(_)) => {
                reader.fail(changes.place, &join(path, &chosen), "expected a table of what this value changes");
                return None;
            }
            changes => changes.map(|changes| (None, changes.clone())),
        },
    };
    let option = OptionDefinition { name: name.to_string(), help, values: names, default, chosen };
    Some((option, overlay))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_inherits_what_it_does_not_remove() {
        let text = "[game]\nid = \"swift\"\nextends = \"chess\"\nremove = [\"castling\"]\n[pieces.N]\nmove = \"NN\"\n";
        let tree = Game::inherited(text, "swift.toml").unwrap().unwrap();
        let said = |path: &str| tree.at(path).map(|node| node.value.shown());
        assert_eq!(said("pieces.N.move").as_deref(), Some("\"N\""));
        assert_eq!(said("pieces.N.name").as_deref(), Some("\"Knight\""));
        assert_eq!(said("game.board").as_deref(), Some("\"8x8\""));
        assert_eq!((said("castling"), said("game.name"), said("game.extends")), (None, None, None));
        assert!(Game::inherited("[game]\nid = \"bare\"\n", "bare.toml").unwrap().is_none());
        let faults = Game::inherited("[game]\nid = \"bare\"\nextends = \"checkers\"\n", "bare.toml").unwrap_err();
        assert!(faults[0].message.contains("where a shipped game was expected"));
    }
}

//! A game ready to be played: its definition, its options and its compiled rules.

use crate::definition::{Definition, OptionDefinition};
use crate::piece::{Kind, Token};
use crate::reader::{Reader, join};
use crate::rules::Rules;
use crate::setup::Setups;
use crate::source::{self, Fault, Node, Place, Value};
use std::sync::{Arc, OnceLock};

include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

/// A loaded game.
pub struct Game {
    /// What its file says.
    pub definition: Definition,
    /// The tables made of it.
    pub rules: Rules,
    /// The text of its file.
    pub source: String,
    /// The name under which the file was read.
    pub file: String,
    setups: OnceLock<Setups>,
}

/// The ids of the games that ship with Acedrex, in the order of their names.
pub fn shipped() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|(id, _)| *id)
}

/// The definition of a shipped game.
pub fn shipped_source(id: &str) -> Option<&'static str> {
    SHIPPED.iter().find(|(other, _)| *other == id).map(|(_, text)| *text)
}

impl Game {
    /// Loads a definition with some options chosen; the others have their defaults.
    ///
    /// # Errors
    /// Every fault found, in the order of the file.
    pub fn load(text: &str, file: &str, choices: &[(String, String)]) -> Result<Game, Vec<Fault>> {
        let mut names = vec![file.to_string()];
        let mut root = source::read(text, file, 0)?;
        if let Some(base) = extended(&root) {
            root = over_base(&root, base, &mut names)?;
        }
        let mut reader = Reader::new(&names);
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
        let rules = match Rules::new(&definition) {
            Ok(rules) => rules,
            Err(message) => {
                reader.fail(place, "", message);
                return Err(reader.faults);
            }
        };
        let game =
            Game { definition, rules, source: text.to_string(), file: file.to_string(), setups: OnceLock::new() };
        let game = Arc::new(game);
        if let Err(error) = crate::fen::read_board(&game, &game.definition.start) {
            reader.fail(start, "game.start", error.to_string());
            return Err(reader.faults);
        }
        Ok(Arc::into_inner(game).expect("the board is gone"))
    }

    /// Loads a shipped game.
    ///
    /// # Errors
    /// A fault if there is no game of that id, or if an option or its value is unknown.
    pub fn shipped(id: &str, choices: &[(String, String)]) -> Result<Game, Vec<Fault>> {
        match shipped_source(id) {
            Some(text) => Game::load(text, &format!("{id}.toml"), choices),
            None => Err(vec![Fault {
                file: id.to_string(),
                line: 1,
                column: 1,
                key: String::new(),
                message: format!("no such game; there are {}", shipped().collect::<Vec<_>>().join(", ")),
            }]),
        }
    }

    /// Every fault of a definition, under its defaults and under each value of each option.
    pub fn check(text: &str, file: &str) -> Vec<Fault> {
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
        all
    }

    /// The kind that a token names.
    pub fn kind_of(&self, token: Token) -> Option<Kind> {
        self.definition.kind_of(token)
    }

    /// The token of a kind.
    pub fn token(&self, kind: Kind) -> Token {
        self.definition.kinds[kind.index()].token
    }

    /// The setups.
    pub fn setups(&self) -> &Setups {
        self.setups.get_or_init(|| Setups::new(&self.definition))
    }

    /// The options that differ from their defaults.
    pub fn chosen(&self) -> impl Iterator<Item = (&str, &str)> {
        let options = self.definition.options.iter().filter(|option| option.chosen != option.default);
        options.map(|option| (option.name.as_str(), option.chosen.as_str()))
    }
}

fn extended(root: &Node) -> Option<&Node> {
    root.at("game.extends")
}

/// The tree of the shipped game that a definition extends, with the definition laid over it.
fn over_base(root: &Node, base: &Node, names: &mut Vec<String>) -> Result<Node, Vec<Fault>> {
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
            format!("{id:?} where a shipped game was expected: {ids}"),
        ));
    };
    let removed: Vec<String> = match root.at("game.remove").map(|node| &node.value) {
        Some(Value::List(items)) => items
            .iter()
            .filter_map(|item| if let Value::Text(text) = &item.value { Some(text.clone()) } else { None })
            .collect(),
        _ => Vec::new(),
    };
    let place = root.at("game.remove").map_or(base.place, |node| node.place);
    if names.len() > 4 {
        return Err(fault(names, base.place, "game.extends", "extends goes more than four games deep".into()));
    }
    let mut tree = source::read(text, &format!("{id}.toml"), names.len() as u8)?;
    names.push(format!("{id}.toml"));
    if let Some(below) = extended(&tree).cloned() {
        tree = over_base(&tree, &below, names)?;
    }
    for path in &removed {
        if !tree.remove(path) {
            let message = format!("{id} has no {path:?} to remove");
            return Err(fault(names, place, "game.remove", message));
        }
    }
    tree.overlay(root);
    Ok(tree)
}

/// Chooses the options' values, lays what they change over the tree, and returns them.
fn apply_options(reader: &mut Reader, root: &mut Node, choices: &[(String, String)]) -> Option<Vec<OptionDefinition>> {
    let mut options = Vec::new();
    let mut overlays = Vec::new();
    if let Some(Node { value: Value::Table(entries), .. }) = root.get("options") {
        for (name, node) in entries {
            let path = join("options", name);
            let (option, overlay) = read_option(reader, name, node, &path, choices)?;
            overlays.extend(overlay);
            options.push(option);
        }
    }
    for (name, _) in choices {
        if !options.iter().any(|option| option.name == *name) {
            let names: Vec<_> = options.iter().map(|option| option.name.as_str()).collect();
            let known =
                if names.is_empty() { "this game has none".into() } else { format!("there are {}", names.join(", ")) };
            reader.fail(root.place, "options", format!("no option {name:?}; {known}"));
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
    let plain = |node: &Node| match &node.value {
        Value::Text(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Flag(flag) => Some(if *flag { "on" } else { "off" }.to_string()),
        _ => None,
    };
    let values: Vec<(String, Node)> = match node.get("values").map(|node| &node.value) {
        Some(Value::List(items)) if !items.is_empty() && items.len() <= 64 => {
            items.iter().filter_map(|item| Some((plain(item)?, item.clone()))).collect()
        }
        _ => {
            reader.fail(node.place, &join(path, "values"), "expected a list of up to 64 texts or numbers");
            return None;
        }
    };
    let names: Vec<String> = values.iter().map(|(value, _)| value.clone()).collect();
    let default = node.get("default").and_then(plain).unwrap_or_else(|| names[0].clone());
    if !names.contains(&default) {
        reader.fail(
            node.place,
            &join(path, "default"),
            format!("{default:?} is none of the values {}", names.join(", ")),
        );
        return None;
    }
    let wanted = choices.iter().rev().find(|(option, _)| option == name).map(|(_, value)| value.clone());
    let chosen = wanted.unwrap_or_else(|| default.clone());
    let Some((_, value)) = values.iter().find(|(value, _)| *value == chosen) else {
        reader.fail(node.place, path, format!("no value {chosen:?}; there are {}", names.join(", ")));
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
    let help = match node.get("help").map(|node| &node.value) {
        Some(Value::Text(text)) => text.clone(),
        _ => String::new(),
    };
    let overlay = match node.get("set") {
        Some(Node { value: Value::Text(key), .. }) => Some((Some(key.clone()), value.clone())),
        Some(other) => {
            reader.fail(other.place, &join(path, "set"), "expected a key, such as \"turn.command.range\"");
            return None;
        }
        None => node.get(&chosen).map(|changes| (None, changes.clone())),
    };
    let option = OptionDefinition { name: name.to_string(), help, values: names, default, chosen };
    Some((option, overlay))
}

//! The start of a record, from its tags.

use crate::tags::XBOARD;
use crate::text::quoted;
use rules::{Board, Game};
use std::sync::{Arc, LazyLock};

/// Where a record starts, and what is wrong in the tags that say it: the name of a tag and a sentence for each.
#[derive(Default)]
pub struct Start {
    /// The position; `None` if the tags do not give one.
    pub board: Option<Board>,
    /// What is wrong.
    pub faults: Vec<(&'static str, String)>,
}

/// The names of chess in the tag `Variant` of other programs.
const CHESS: [&str; 7] = ["", "?", "chess", "standard", "normal", "regular", "from position"];

/// Finds a game that ships by its id, its name, or a name of chess in other programs.
pub fn shipped_named(name: &str) -> Option<&'static str> {
    static NAMES: LazyLock<Vec<(String, &str)>> = LazyLock::new(|| {
        let named = |id: &'static str| Some((Game::shipped(id, &[]).ok()?.definition.texts.name.to_lowercase(), id));
        rules::shipped().filter_map(named).collect()
    });
    let name = name.trim().to_lowercase();
    if CHESS.contains(&name.as_str()) {
        return Some("chess");
    }
    let by_id = rules::shipped().find(|id| *id == name);
    by_id.or_else(|| NAMES.iter().find(|(other, _)| *other == name).map(|(_, id)| *id))
}

/// What to say of a name that no game has; `others` are the ids of games that do not ship.
pub fn unknown_game(name: &str, others: &[String]) -> String {
    let shipped = rules::shipped().map(|id| -> &str { id });
    let near = rules::nearest(name, shipped.chain(others.iter().map(String::as_str)));
    let hint = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
    format!("there is no game {}{hint}", quoted(name))
}

/// Reads the options of a game, `scoring=four_points,classic_ep=on`; one without a value is `on`. Returns the names and
/// values of those that are not as usual, and what is wrong with others.
pub fn read_options(game: &Game, text: &str) -> (Vec<(String, String)>, Vec<String>) {
    let (mut chosen, mut faults) = (Vec::new(), Vec::new());
    let texts = &game.definition;
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').map_or((part, "on"), |(name, value)| (name.trim(), value.trim()));
        let option = texts.options.iter().find(|option| option.name == name);
        match option {
            Some(option) if option.values.iter().any(|other| other == value) => {
                if value != option.default {
                    chosen.push((name.to_string(), value.to_string()));
                }
            }
            Some(_) => faults.push(format!("{}: {name} is not {}; it is left aside", texts.texts.name, quoted(value))),
            None => faults.push(format!("{}: no option {}; it is left aside", texts.texts.name, quoted(name))),
        }
    }
    (chosen, faults)
}

/// Finds the start of a record of a game from its tags.
pub fn start_of(game: &Arc<Game>, tags: &[(String, String)]) -> Start {
    let tag = |name: &str| tags.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str());
    let mut faults = Vec::new();
    let hash = format!("{:016x}", game.rules.hash);
    if let Some(told) = tag("RulesHash").filter(|told| told.to_lowercase() != hash) {
        let message = format!("the record was made under rules {}; those of {} are {hash}", quoted(told), spec(game));
        faults.push(("RulesHash", message));
    }
    let setup = tag("Arrangement").map(|name| game.setups().fen(&game.definition, name));
    if let Some(Err(message)) = &setup {
        faults.push(("Arrangement", message.clone()));
    }
    let setup = setup.map(Result::ok);
    let Some(fen) = tag("FEN") else {
        let fen = setup.unwrap_or_else(|| Some(game.definition.start.clone()));
        return Start { board: fen.and_then(|fen| rules::read_board(game, &fen).ok()), faults };
    };
    let read = match tag(XBOARD) {
        Some(_) => rules::read_xboard_board(game, fen).map(|board| (board, Vec::new())),
        None => rules::repair_board(game, fen),
    };
    match read {
        Ok((board, changes)) => {
            faults.extend(changes.into_iter().map(|change| ("FEN", change)));
            if setup.flatten().is_some_and(|setup| setup != board.fen()) {
                faults.push(("Arrangement", "the FEN shows another arrangement, and is followed".into()));
            }
            Start { board: Some(board), faults }
        }
        Err(error) => {
            faults.push(("FEN", error.to_string()));
            Start { board: None, faults }
        }
    }
}

/// The tags of a game and its start.
///
/// Chess has neither `Variant` nor `RulesHash`: other programs take a record with such tags for a variant.
pub fn start_tags(start: &Board) -> Vec<(&'static str, String)> {
    let (game, fen) = (start.game(), start.fen());
    let definition = &game.definition;
    let options: Vec<String> = game.chosen().map(|(name, value)| format!("{name}={value}")).collect();
    static CHESS_RULES: LazyLock<Option<u64>> = LazyLock::new(|| Some(Game::shipped("chess", &[]).ok()?.rules.hash));
    let plain = definition.texts.id == "chess" && Some(game.rules.hash) == *CHESS_RULES;
    let mut tags = Vec::new();
    if !plain {
        tags.push(("Variant", definition.texts.id.clone()));
    }
    if !options.is_empty() {
        tags.push(("Options", options.join(",")));
    }
    let usual = |name: &String| game.setups().fen(definition, name).is_ok_and(|usual| usual == fen);
    tags.extend(start.setup_name().filter(usual).map(|name| ("Arrangement", name)));
    if !plain {
        tags.push(("RulesHash", format!("{:016x}", game.rules.hash)));
    }
    if fen != definition.start {
        // In the order of the letters, as the standard has it.
        tags.extend([("FEN", fen), ("SetUp", "1".into())]);
    }
    tags
}

/// A game's id with its options.
fn spec(game: &Game) -> String {
    let options: Vec<String> = game.chosen().map(|(name, value)| format!("{name}={value}")).collect();
    let id = &game.definition.texts.id;
    if options.is_empty() { id.clone() } else { format!("{id}:{}", options.join(",")) }
}

//! The special rules of a game in words: its author's texts, and sentences for the rules that have none.
//!
//! Each rule has a key, the same as for the author's text in `[game.rules]`. The sentences of every language are in
//! `games/locale/`; names in braces are placeholders, `{a_piece}` with an article where the language has one.

use crate::betza::elements;
use crate::definition::{
    CastlingDefinition, Condition, Goal, OwnPromotion, PieceTypeDefinition, Safety, Test, TurnLength, Verdict,
};
use crate::game::Game;
use crate::piece::{Color, PieceType};
use crate::set::Set;
use crate::shipped::{number_text, sentence};
use crate::square::{Square, mirror};
use crate::walk::{Leg, Walk};

/// Writes the sentences about a rule, none if the game does not have it.
type Describe = fn(&Describer) -> Vec<String>;

/// The rules that a definition can state, in their order, each with what describes it.
const RULES: [(&str, Describe); 24] = [
    ("setup", |describer| describer.setup()),
    ("turn", |describer| describer.turn()),
    ("first_turn", |describer| describer.first_turn()),
    ("command", |describer| describer.command()),
    ("pass", |describer| describer.passing()),
    ("must_capture", |describer| describer.must_capture()),
    ("may_check", |describer| describer.may_check()),
    ("double_step", |describer| describer.steps("double_step")),
    ("long_step", |describer| describer.steps("long_step")),
    ("first_move", |describer| describer.steps("first_move")),
    ("extra_moves", |describer| [describer.steps("extra_moves"), describer.turned(), describer.immobile()].concat()),
    ("en_passant", |describer| describer.en_passant()),
    ("castling", |describer| describer.castling()),
    ("jump", |describer| describer.jump()),
    ("zones", |describer| describer.zones()),
    ("facing", |describer| describer.facing()),
    ("promotion", |describer| describer.promotion()),
    ("end", |describer| describer.end()),
    ("conditions", |describer| describer.conditions()),
    ("check", |describer| describer.check()),
    ("stalemate", |describer| describer.stalemate()),
    ("four_points", |describer| describer.four_points()),
    ("bare_king", |describer| describer.bare_king()),
    ("draws", |describer| describer.draws()),
];

/// A rule in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleText {
    /// Its key.
    pub key: String,
    /// Its title.
    pub title: String,
    /// What it says.
    pub text: String,
}

/// The keys of the rules that a definition can state, in their order.
pub fn rule_keys() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|(key, _)| *key)
}

/// The special rules of a game in a language, in the order of its author's texts; a sentence comes before the first text
/// with a later key.
pub fn rule_texts(game: &Game, language: &str) -> Vec<RuleText> {
    let describer = Describer::new(game, language);
    let own = &game.definition.texts.rules;
    let place = |key: &str| rule_keys().position(|other| other == key);
    let is_own = |key: &str| own.iter().any(|(other, _)| other == key);
    let mut made: Vec<(&str, String)> =
        RULES.iter().filter(|(key, _)| !is_own(key)).map(|(key, rule)| (*key, rule(&describer).join(" "))).collect();
    let mut rules: Vec<(String, String)> = Vec::new();
    for (key, text) in own {
        if place(key).is_some() {
            rules.extend(
                made.extract_if(.., |(other, _)| place(other) < place(key)).map(|(key, text)| (key.into(), text)),
            );
        }
        rules.push((key.clone(), text.clone()));
    }
    rules.extend(made.into_iter().map(|(key, text)| (key.into(), text)));
    rules.retain(|(key, text)| !text.is_empty() || is_own(key));
    let titled = |(key, text): (String, String)| RuleText { title: title(language, &key), key, text };
    rules.into_iter().map(titled).collect()
}

fn title(language: &str, key: &str) -> String {
    let found = sentence(language, "titles", key).map(str::to_string);
    found.unwrap_or_else(|| capitalized(key).replace('_', " "))
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// Describes a set of squares in a language, as ranks or a block where possible.
pub fn area(squares: Set, files: u8, language: &str) -> String {
    let say = |key: &str| sentence(language, "rules", key).expect("English has every sentence");
    let on_rank = |rank: u8| (0..files).map(|file| Square::new(file, rank)).collect::<Set>();
    let whole: Vec<u8> = (0..16).filter(|rank| on_rank(*rank).minus(squares).is_empty()).collect();
    let mut parts = Vec::new();
    if let [first, .., last] | [first @ last] = whole[..] {
        let run = whole.len() > 1 && usize::from(last - first) + 1 == whole.len();
        let numbers: Vec<String> = whole.iter().map(|rank| (rank + 1).to_string()).collect();
        let listed = if run { format!("{}-{}", first + 1, last + 1) } else { joined(&numbers, say("or")) };
        parts.push(say(if whole.len() > 1 { "ranks" } else { "rank" }).replace("{ranks}", &listed));
    }
    let mut rest: Vec<Square> = squares.into_iter().filter(|square| !whole.contains(&square.rank())).collect();
    rest.sort_by_key(|square| (square.file(), square.rank()));
    match rest[..] {
        [from, _, .., to] if rest == block(from, to) => parts.push(format!("{from}-{to}")),
        _ => parts.extend(rest.iter().map(Square::to_string)),
    }
    joined(&parts, say("or"))
}

/// The squares of a rectangle between two corners, file by file.
fn block(from: Square, to: Square) -> Vec<Square> {
    let ranks = from.rank()..=to.rank();
    (from.file()..=to.file()).flat_map(|file| ranks.clone().map(move |rank| Square::new(file, rank))).collect()
}

/// Texts with commas, and a word before the last.
fn joined(texts: &[String], last: &str) -> String {
    match texts {
        [first @ .., end] if !first.is_empty() => format!("{} {last} {end}", first.join(", ")),
        _ => texts.concat(),
    }
}

/// Groups values by their keys, in the order in which the keys first occur.
fn grouped<K: PartialEq, V>(entries: impl IntoIterator<Item = (K, V)>) -> Vec<(K, Vec<V>)> {
    let mut groups: Vec<(K, Vec<V>)> = Vec::new();
    for (key, value) in entries {
        match groups.iter_mut().find(|(other, _)| *other == key) {
            Some((_, values)) => values.push(value),
            None => groups.push((key, vec![value])),
        }
    }
    groups
}

/// The sentence about promotion that is compulsory on some squares, and a choice on others.
fn promotion_key(at: Set, optional: Set) -> &'static str {
    match (at.is_empty(), optional.is_empty()) {
        (_, true) => "promotion",
        (false, false) => "promotion_choice",
        (true, false) => "promotion_optional",
    }
}

/// A move that only some squares or the first move of a piece allow, or that allows a capture en passant.
struct Step {
    notation: String,
    /// The squares from which it may be made, if limited.
    squares: Set,
    /// Only where the piece type stands at the start.
    initial: bool,
    /// Only as the first move of the piece that stands there at the start.
    first: bool,
    passes: bool,
    /// Whether it leads exactly two squares along a rank, file or diagonal.
    double: bool,
    /// The shortest and the longest distance straight ahead without capturing, and whether it leaps.
    ahead: Option<(u32, u32, bool)>,
}

impl Step {
    fn new(notation: &str, walks: &[Walk]) -> Step {
        Step {
            notation: notation.into(),
            squares: Set::EMPTY,
            initial: walks.iter().any(|walk| walk.initial),
            first: false,
            passes: walks.iter().any(|walk| walk.track),
            double: walks.iter().all(is_double),
            ahead: ahead(walks),
        }
    }

    /// The key of the rule that describes it.
    fn rule(&self) -> &'static str {
        if self.first || (!self.squares.is_empty() && self.passes) {
            "first_move"
        } else if !self.squares.is_empty() {
            "extra_moves"
        } else if self.double {
            "double_step"
        } else if self.ahead.is_some() {
            "long_step"
        } else {
            "first_move"
        }
    }
}

fn steps_of(kind: &PieceTypeDefinition) -> Vec<Step> {
    let own = elements(&kind.notation).expect("the definition was read");
    let own = own.into_iter().filter(|(_, walks)| walks.iter().any(|walk| walk.initial || walk.track));
    let extra = kind.from.iter().map(|extra| Step {
        squares: extra.squares,
        first: extra.right.is_some(),
        ..Step::new(&extra.notation, &extra.walks)
    });
    own.map(|(notation, walks)| Step::new(notation, &walks)).chain(extra).collect()
}

fn is_double(walk: &Walk) -> bool {
    let sum = |size: fn(&Leg) -> i8| walk.legs.iter().map(|leg| i32::from(size(leg))).sum::<i32>().abs();
    walk.legs.iter().all(|leg| leg.max == 1 && !leg.mount)
        && matches!((sum(|leg| leg.step.0), sum(|leg| leg.step.1)), (0 | 2, 2) | (2, 0))
}

fn ahead(walks: &[Walk]) -> Option<(u32, u32, bool)> {
    let straight = |walk: &Walk| {
        let on = walk.legs.iter().all(|leg| leg.step.0 == 0 && leg.step.1 > 0 && !leg.mount);
        on && walk.quiet && !walk.capture
    };
    let length = |walk: &Walk, most: bool| {
        let leg = |leg: &Leg| u32::from(leg.step.1.unsigned_abs()) * if most { u32::from(leg.max) } else { 1 };
        walk.legs.iter().map(leg).sum::<u32>()
    };
    walks.iter().all(straight).then_some(())?;
    Some((
        walks.iter().map(|walk| length(walk, false)).min()?,
        walks.iter().map(|walk| length(walk, true)).max()?,
        walks.iter().any(|walk| walk.legs.iter().any(|leg| leg.step.1 > 1)),
    ))
}

/// The leaps of the King's jump, by atom.
fn leaps(atom: &str) -> Vec<(i8, i8)> {
    let sizes = match atom {
        "D" => [(0, 2), (2, 0)],
        "A" => [(2, 2), (2, 2)],
        _ => [(1, 2), (2, 1)],
    };
    let mut found = Vec::new();
    for (x, y) in sizes {
        for step in [(x, y), (x, -y), (-x, y), (-x, -y)] {
            if !found.contains(&step) {
                found.push(step);
            }
        }
    }
    found
}

/// Writes sentences about the rules of a game in a language.
struct Describer<'a> {
    game: &'a Game,
    language: &'a str,
    royal: String,
}

impl<'a> Describer<'a> {
    fn new(game: &'a Game, language: &'a str) -> Describer<'a> {
        let mut describer = Describer { game, language, royal: String::new() };
        let royals = game.definition.piece_types.iter().filter(|kind| kind.royal);
        describer.royal = describer.either(royals.map(|kind| kind.name.clone()));
        describer
    }

    // Words.

    fn word(&self, key: &str) -> &'static str {
        sentence(self.language, "rules", key).expect("English has every sentence")
    }

    /// A sentence with its values. A value `a_piece` gets an article, and is also `A_piece` with a capital letter.
    fn say(&self, key: &str, values: &[(&str, &str)]) -> String {
        let value = |hole: &str| {
            let name = if hole.starts_with("A_") { hole.to_lowercase() } else { hole.to_string() };
            let given = values.iter().find(|(other, _)| *other == name).map(|(_, value)| *value);
            let value =
                given.or_else(|| matches!(name.as_str(), "royal" | "a_royal").then_some(self.royal.as_str()))?;
            let value = if name.starts_with("a_") { self.article(value) } else { value.to_string() };
            Some(if hole == name { value } else { capitalized(&value) })
        };
        let mut parts = self.word(key).split('{');
        let mut text = parts.next().unwrap_or_default().to_string();
        for part in parts {
            let (hole, rest) = part.split_once('}').expect("placeholders are closed");
            text += &value(hole).unwrap_or_else(|| format!("{{{hole}}}"));
            text += rest;
        }
        text
    }

    /// Names with an indefinite article in English, unchanged in other languages.
    fn article(&self, names: &str) -> String {
        if self.language != "en" {
            return names.into();
        }
        let lower = names.to_lowercase();
        let sounds_like_a_consonant = ["eu", "one", "uni"].iter().any(|start| lower.starts_with(start));
        let an = lower.starts_with(['a', 'e', 'i', 'o', 'u']) && !sounds_like_a_consonant;
        format!("{} {names}", if an { "an" } else { "a" })
    }

    /// Distinct names, with *or* before the last.
    fn either(&self, names: impl IntoIterator<Item = String>) -> String {
        self.each(names, "or")
    }

    fn each(&self, names: impl IntoIterator<Item = String>, last: &str) -> String {
        let mut distinct: Vec<String> = Vec::new();
        for name in names {
            if !distinct.contains(&name) {
                distinct.push(name);
            }
        }
        joined(&distinct, self.word(last))
    }

    fn number(&self, number: u32) -> String {
        number_text(self.language, number)
    }

    fn name(&self, kind: PieceType) -> String {
        self.game.definition.piece_types[kind.index()].name.clone()
    }

    /// The names of piece types, the first with an article in English.
    fn piece_types(&self, piece_types: &[PieceType]) -> String {
        self.article(&self.either(piece_types.iter().map(|kind| self.name(*kind))))
    }

    /// White's squares, and Black's if they differ.
    fn places(&self, squares: Set) -> String {
        let rules = &self.game.rules;
        let white = area(squares, rules.files, self.language);
        if white == self.word("rank").replace("{ranks}", &rules.ranks.to_string()) {
            return self.word("last_rank").into();
        }
        let black = squares.into_iter().map(|square| mirror(square, rules.ranks)).collect();
        let black = area(black, rules.files, self.language);
        if black == white { white } else { self.say("both_sides", &[("white", &white), ("black", &black)]) }
    }

    /// The squares of a side, which are given as White's; both sides' for `None`.
    fn places_of(&self, squares: Set, side: Option<Color>) -> String {
        let rules = &self.game.rules;
        match side {
            None => self.places(squares),
            Some(Color::White) => area(squares, rules.files, self.language),
            Some(Color::Black) => {
                let black = squares.into_iter().map(|square| mirror(square, rules.ranks)).collect();
                area(black, rules.files, self.language)
            }
        }
    }

    fn named_squares<'s>(&self, squares: impl IntoIterator<Item = &'s Square>, last: &str) -> String {
        self.each(squares.into_iter().map(Square::to_string), last)
    }

    // The setup and turns.

    fn setup(&self) -> Vec<String> {
        let mut said = Vec::new();
        for group in &self.game.definition.setup {
            let counted = grouped(group.pieces.iter().map(|kind| (*kind, ())));
            let names = counted.into_iter().map(|(kind, all)| match all.len() {
                1 => self.name(kind),
                count => format!("{} ({count})", self.name(kind)),
            });
            let (names, squares) = (self.each(names, "and"), self.named_squares(&group.squares, "and"));
            said.push(self.say("setup", &[("pieces", &names), ("squares", &squares)]));
            for (kind, only) in &group.only {
                let only: Vec<Square> = only.into_iter().collect();
                let squares = self.named_squares(&only, "or");
                said.push(self.say("setup_only", &[("piece", &self.name(*kind)), ("squares", &squares)]));
            }
        }
        if !said.is_empty() {
            said.push(self.say("setup_mirror", &[]));
        }
        said
    }

    fn turn(&self) -> Vec<String> {
        let turn = &self.game.definition.turn;
        if !self.game.rules.multi {
            return Vec::new();
        }
        let ends = if turn.may_end { "_ends" } else { "" };
        let mut said = vec![match turn.length {
            TurnLength::Royals => self.say(&format!("turn_royals{ends}"), &[]),
            TurnLength::Moves(moves) => self.say(&format!("turn{ends}"), &[("number", &self.number(moves.into()))]),
        }];
        for (key, on) in [("once_each", turn.once_each), ("ends_on_check", turn.ends_on_check), ("turn_stuck", true)] {
            said.extend(on.then(|| self.say(key, &[])));
        }
        said
    }

    fn first_turn(&self) -> Vec<String> {
        let turn = &self.game.definition.turn;
        match (turn.first, turn.length) {
            (Some(first), TurnLength::Moves(_)) if self.game.rules.multi => {
                let key = if first == 1 { "first_turn_one" } else { "first_turn" };
                vec![self.say(key, &[("number", &self.number(first.into()))])]
            }
            _ => Vec::new(),
        }
    }

    fn command(&self) -> Vec<String> {
        let Some(command) = self.game.definition.turn.command.filter(|_| self.game.rules.multi) else {
            return Vec::new();
        };
        let key = match command.range {
            0 => "command_self",
            1 => "command_next",
            15 => "command_unlimited",
            _ => "command",
        };
        let mut said = vec![self.say(key, &[("number", &self.number(command.range.into()))])];
        if command.range > 0 {
            said.push(self.say(if command.royals { "command_royals" } else { "command_others" }, &[]));
        }
        said
    }

    fn passing(&self) -> Vec<String> {
        let key = if self.game.rules.has_check() { "pass_check" } else { "pass" };
        self.game.definition.turn.may_pass.then(|| self.say(key, &[])).into_iter().collect()
    }

    // Moves.

    /// The moves that only some squares allow, or that allow a capture en passant.
    fn steps(&self, rule: &str) -> Vec<String> {
        let piece_types = self.game.definition.piece_types.iter();
        let steps = piece_types.flat_map(|kind| steps_of(kind).into_iter().map(|step| (step, kind.name.clone())));
        let of_rule = steps.filter(|(step, _)| step.rule() == rule);
        let groups = grouped(of_rule.map(|(step, name)| ((self.from(&step), step.notation, step.ahead), name)));
        let mut said = Vec::new();
        for ((from, notation, ahead), names) in groups {
            let (pieces, capital) = (self.either(names), capitalized(&from));
            let squares = ahead.map_or_else(String::new, |(low, high, _)| self.distance(low, high));
            let key = match ahead {
                None => "otherwise",
                Some((_, 1, _)) => "ahead_next",
                Some((_, _, true)) => "ahead_over",
                Some((_, _, false)) => "ahead",
            };
            let values = [
                ("a_piece", pieces.as_str()),
                ("where", &from),
                ("Where", &capital),
                ("squares", &squares),
                ("notation", &notation),
            ];
            said.push(self.say(key, &values));
        }
        said
    }

    /// From where a step is possible.
    fn from(&self, step: &Step) -> String {
        if step.squares.is_empty() {
            return self.say(if step.initial { "where_initial" } else { "where_any" }, &[]);
        }
        let key = if step.first { "where_first" } else { "where_squares" };
        self.say(key, &[("squares", &self.places(step.squares))])
    }

    /// How far a step goes.
    fn distance(&self, low: u32, high: u32) -> String {
        let high = high.min(u32::from(self.game.rules.ranks) - 1);
        let key = match (low, high) {
            (low, high) if low >= high => "distance",
            (1, _) => "distance_up_to",
            (low, high) if high == low + 1 => "distance_either",
            _ => "distance_range",
        };
        self.say(key, &[("low", &self.number(low)), ("number", &self.number(high))])
    }

    fn en_passant(&self) -> Vec<String> {
        let definition = &self.game.definition;
        let left = definition.en_passant_left;
        let named = |wanted: &dyn Fn(&PieceTypeDefinition) -> bool| -> Vec<String> {
            definition.piece_types.iter().filter(|kind| wanted(kind)).map(|kind| kind.name.clone()).collect()
        };
        let captors = named(&|kind| kind.all_walks().any(|walk| walk.en_passant));
        let leaving = named(&|kind| steps_of(kind).iter().any(|step| step.first && step.squares.meets(&left)));
        let passing = named(&|kind| steps_of(kind).iter().any(|step| step.passes));
        let passing = if passing.is_empty() { leaving.clone() } else { passing };
        if captors.is_empty() || passing.is_empty() {
            return Vec::new();
        }
        let enemy = self.either(captors);
        let enemy = if self.language == "en" { format!("an enemy {enemy}") } else { enemy };
        let key = if self.game.rules.multi { "en_passant_turn" } else { "en_passant" };
        let mut said = vec![self.say(key, &[("a_piece", &self.either(passing)), ("an_enemy", &enemy)])];
        if !leaving.is_empty() {
            let values = [("a_piece", &*self.either(leaving)), ("squares", &*self.places(left))];
            said.push(self.say("en_passant_left", &values));
        }
        said
    }

    /// What both sides, White alone and Black alone may castle.
    fn castling(&self) -> Vec<String> {
        let sides = [(None, ""), (Some(Color::White), "_white"), (Some(Color::Black), "_black")];
        sides.into_iter().filter_map(|(side, key)| self.castling_of(side, key)).collect()
    }

    fn castling_of(&self, side: Option<Color>, key: &str) -> Option<String> {
        let definition = &self.game.definition;
        let mut mover = None;
        let way = |castling: &CastlingDefinition| {
            let name =
                |square| definition.castling_piece(castling, square).map_or_else(String::new, |kind| self.name(kind));
            let (royal, partner) = (name(castling.king.0), name(castling.rook.0));
            let turned = |square: Square| match side {
                Some(Color::Black) => mirror(square, definition.ranks),
                _ => square,
            };
            let squares = [castling.king.0, castling.king.1, castling.rook.0, castling.rook.1];
            let [king, king_to, rook_from, rook_to] = squares.map(|square| turned(square).to_string());
            let values = [
                ("royal", royal.as_str()),
                ("rook", partner.as_str()),
                ("king", &king),
                ("king_to", &king_to),
                ("rook_from", &rook_from),
                ("rook_to", &rook_to),
            ];
            let said = self.say("castling_way", &values);
            mover.get_or_insert(royal);
            said
        };
        let own = definition.castlings.iter().filter(|castling| castling.side == side);
        let ways: Vec<String> = own.map(way).collect();
        let mover = mover?;
        let free = if self.game.rules.has_check() { "" } else { "_free" };
        let values = [("ways", &*ways.join(self.word("ways_or"))), ("royal", &*mover)];
        Some(self.say(&format!("castling{key}{free}"), &values))
    }

    fn jump(&self) -> Vec<String> {
        let Some(jump) = &self.game.definition.jump else { return Vec::new() };
        let has = |step: &(i8, i8)| jump.steps.contains(step);
        let atoms: Vec<&str> = ["D", "A", "N"].into_iter().filter(|atom| leaps(atom).iter().all(has)).collect();
        let whole: Vec<(i8, i8)> = atoms.iter().flat_map(|atom| leaps(atom)).collect();
        let leaps_said = if jump.steps.iter().all(|step| whole.contains(step)) {
            self.either(atoms.iter().map(|atom| self.word(&format!("jump_{atom}")).to_string()))
        } else {
            let mut steps = jump.steps.clone();
            steps.sort_unstable();
            steps.dedup();
            let steps: Vec<String> = steps.iter().map(|(files, ranks)| format!("({files}, {ranks})")).collect();
            self.say("jump_some", &[("leaps", &steps.join(", "))])
        };
        let safe = if leaps("N").iter().any(has) { "jump_safe_N" } else { "jump_safe" };
        vec![self.say("jump", &[("leaps", &leaps_said)]), self.say(safe, &[])]
    }

    /// The pieces that are confined to a zone; the author's text may have the zone's name as its key.
    fn zones(&self) -> Vec<String> {
        let definition = &self.game.definition;
        let told = |zone: &str| definition.texts.rules.iter().any(|(key, _)| key == zone);
        let confined = definition.piece_types.iter().filter(|kind| !told(&kind.zone));
        let groups = grouped(confined.filter_map(|kind| Some((kind.within?, kind.name.clone()))));
        let sentence = |(squares, names)| {
            self.say("zone", &[("a_piece", &self.either(names)), ("squares", &self.places(squares))])
        };
        groups.into_iter().map(sentence).collect()
    }

    /// The pieces that attack a royal piece along a line on which they do not capture.
    fn facing(&self) -> Vec<String> {
        let seeing = self.game.definition.piece_types.iter().filter(|kind| !kind.sees_notation.is_empty());
        let sentence = |kind: &PieceTypeDefinition| match kind.sees_notation.as_str() {
            "fR" if kind.royal => self.say("facing", &[]),
            notation => self.say("sees", &[("a_piece", &kind.name), ("notation", notation)]),
        };
        seeing.map(sentence).collect()
    }

    fn turned(&self) -> Vec<String> {
        let turned = self.game.definition.piece_types.iter().filter(|kind| kind.turned);
        let names = self.either(turned.map(|kind| kind.name.clone()));
        (!names.is_empty()).then(|| self.say("turned", &[("a_piece", &names)])).into_iter().collect()
    }

    fn immobile(&self) -> Vec<String> {
        let immobile = self.game.definition.piece_types.iter().filter(|kind| kind.all_walks().next().is_none());
        let names = self.either(immobile.map(|kind| kind.name.clone()));
        (!names.is_empty()).then(|| self.say("immobile", &[("a_piece", &names)])).into_iter().collect()
    }

    fn promotion(&self) -> Vec<String> {
        let definition = &self.game.definition;
        let promoting = definition.piece_types.iter().filter(|kind| !kind.promotes_to.is_empty());
        let (own, as_all): (Vec<_>, Vec<_>) = promoting.partition(|kind| !kind.promotions.is_empty());
        let own = own.into_iter().flat_map(|kind| kind.promotions.iter().map(move |way| (way, kind.name.clone())));
        let mut said: Vec<String> =
            grouped(own).into_iter().map(|(way, names)| self.own_promotion(way, names)).collect();
        let ways = as_all
            .into_iter()
            .map(|kind| ((kind.promotes_to.clone(), kind.promotes_by_notation.clone()), kind.name.clone()));
        let groups = grouped(ways);
        let (at, optional) = (definition.promotion.at, definition.promotion.optional);
        if !groups.is_empty() && at.is_empty() && optional.is_empty() {
            said.insert(0, self.say("promotion_never", &[]));
            return said;
        }
        let places = [("at", self.places(at)), ("optional", self.places(optional)), ("when", String::new())];
        let places = places.each_ref().map(|(name, text)| (*name, text.as_str()));
        let mut key = promotion_key(at, optional);
        if groups.len() > 1 {
            said.push(self.say(&format!("{key}_all"), &places));
            key = "promotion_to";
        }
        for ((piece_types, notation), names) in groups {
            let (names, piece_types) = (self.either(names), self.piece_types(&piece_types));
            let values: Vec<(&str, &str)> =
                [("a_piece", names.as_str()), ("kinds", &piece_types)].into_iter().chain(places).collect();
            said.push(self.say(key, &values));
            if !notation.is_empty() {
                said.push(self.say("promotes_by", &[("notation", &notation)]));
            }
        }
        if said.is_empty() {
            return said;
        }
        if definition.promotion.limited {
            said.push(self.say("promotion_limit", &[]));
        }
        for (kind, most) in &definition.promotion.limits {
            let name = self.name(*kind);
            said.push(self.say("promotion_most", &[("a_piece", &name), ("number", &self.number(u32::from(*most)))]));
        }
        said
    }

    /// A way in which pieces of these names promote.
    fn own_promotion(&self, way: &OwnPromotion, names: Vec<String>) -> String {
        let mut when = String::new();
        if let Some(from) = way.from {
            when += &self.say("promotion_from", &[("squares", &self.places_of(from, way.side))]);
        }
        if let Some(captures) = way.captures {
            when += self.word(if captures { "promotion_capture" } else { "promotion_quiet" });
        }
        if let Some(side) = way.side {
            when += self.word(if side == Color::White { "promotion_white" } else { "promotion_black" });
        }
        let values = [
            ("a_piece", self.either(names)),
            ("kinds", self.piece_types(&way.to)),
            ("at", self.places_of(way.at, way.side)),
            ("optional", self.places_of(way.optional, way.side)),
            ("when", when),
        ];
        self.say(promotion_key(way.at, way.optional), &values.each_ref().map(|(name, text)| (*name, text.as_str())))
    }

    // The end.

    fn end(&self) -> Vec<String> {
        let rules = &self.game.rules;
        let key = match (rules.end.goal, rules.end.checkmate, rules.start_royals) {
            (Goal::Checkmate, Verdict::Loss, _) => "checkmate",
            (Goal::Checkmate, Verdict::Draw, _) => "checkmate_draws",
            (Goal::Checkmate, Verdict::Win, _) => "checkmate_wins",
            (Goal::CaptureRoyals, _, 1) => "capture",
            (Goal::CaptureRoyals, _, _) => "capture_all",
            (Goal::Conditions, _, _) => return Vec::new(),
        };
        let safety = match rules.end.royals {
            Safety::Only => None,
            Safety::Last => Some("royals_last"),
            Safety::Every => Some("royals_every"),
            Safety::One => Some("royals_one"),
        };
        [key].into_iter().chain(safety).map(|key| self.say(key, &[])).collect()
    }

    fn must_capture(&self) -> Vec<String> {
        self.game.definition.turn.must_capture.then(|| self.say("must_capture", &[])).into_iter().collect()
    }

    fn may_check(&self) -> Vec<String> {
        (!self.game.definition.turn.may_check).then(|| self.say("may_check", &[])).into_iter().collect()
    }

    /// The conditions that end the game, a sentence for each.
    fn conditions(&self) -> Vec<String> {
        self.game.definition.end.conditions.iter().map(|condition| self.condition(condition)).collect()
    }

    fn condition(&self, condition: &Condition) -> String {
        let listed = |kinds: &[PieceType]| self.each(kinds.iter().map(|kind| self.name(*kind)), "and");
        let what = match &condition.test {
            Test::Extinct { kinds, at_most, against } => {
                let few = if *at_most == 0 { "extinct" } else { "extinct_few" };
                let of = match (kinds.len(), at_most) {
                    (0, _) => "_all",
                    (2.., 0) => "_of",
                    _ => "",
                };
                let values = [("kinds", &*listed(kinds)), ("number", &*self.number(*at_most))];
                let mut what = self.say(&format!("{few}{of}"), &values);
                if *against > 0 {
                    what += &self.say("extinct_against", &[("number", &self.number(*against))]);
                }
                what
            }
            Test::Reach { squares, kinds, count } => {
                let any = if kinds.is_empty() { "_any" } else { "" };
                let some = if *count > 1 { "_some" } else { "" };
                let places = self.places_of(*squares, condition.side);
                let either = self.either(kinds.iter().map(|kind| self.name(*kind)));
                let values = [
                    ("a_piece", &*either),
                    ("kinds", &*listed(kinds)),
                    ("number", &*self.number(*count)),
                    ("squares", &*places),
                ];
                self.say(&format!("reach{any}{some}"), &values)
            }
            Test::Checks(checks) => self.say("checks", &[("times", &self.times(u32::from(*checks)))]),
        };
        let side = condition.side.map_or("", |side| if side == Color::White { "_white" } else { "_black" });
        let said = self.say(&format!("condition_{}{side}", condition.verdict.name()), &[("what", &what)]);
        if condition.answer { format!("{said} {}", self.say("condition_answer", &[])) } else { said }
    }

    /// Check in games with several moves a turn.
    fn check(&self) -> Vec<String> {
        let rules = &self.game.rules;
        (rules.has_check() && rules.multi).then(|| self.say("check", &[])).into_iter().collect()
    }

    /// What happens without a legal move; nothing in games where turns may be passed.
    fn stalemate(&self) -> Vec<String> {
        let definition = &self.game.definition;
        if definition.turn.may_pass {
            return Vec::new();
        }
        let key = if self.game.rules.has_check() { "stalemate" } else { "stuck" };
        let kind = match (definition.end.stalemate, definition.end.four_points) {
            _ if definition.end.fewer_wins_stalemate => "_fewer",
            (Verdict::Loss, _) => "_loses",
            (Verdict::Win, _) => "_wins",
            (Verdict::Draw, true) => "_four",
            (Verdict::Draw, false) => "",
        };
        vec![self.say(&format!("{key}{kind}"), &[])]
    }

    fn four_points(&self) -> Vec<String> {
        self.game.definition.end.four_points.then(|| self.say("four_points", &[])).into_iter().collect()
    }

    fn bare_king(&self) -> Vec<String> {
        let bare = &self.game.definition.end.bare_king;
        if bare.claim.is_empty() {
            return Vec::new();
        }
        let key = if bare.never.is_empty() { "bare_king" } else { "bare_king_never" };
        let never = self.either(bare.never.iter().map(|kind| self.name(*kind)));
        vec![self.say(key, &[("claim", &self.piece_types(&bare.claim)), ("never", &never)]), self.say("played_on", &[])]
    }

    fn draws(&self) -> Vec<String> {
        let (end, rules) = (&self.game.definition.end, &self.game.rules);
        let (claim, last) = end.repetition;
        let values = [("claim", &*self.times(claim)), ("end", &*self.times(last))];
        let key = match end.repetition_result {
            Verdict::Win => "_wins",
            Verdict::Draw => limit(claim, last),
            Verdict::Loss => "_loses",
        };
        let mut said = vec![self.say(&format!("repetition{key}"), &values)];
        if end.perpetual_check_loses {
            said.push(self.say("perpetual_check", &[]));
        }
        if rules.multi && (claim > 0 || last > 0) {
            said.push(self.say("repetition_turn", &[]));
        }
        let (claim, last) = end.quiet;
        let values = [("claim", &*self.moves(claim)), ("end", &*self.moves(last)), ("progress", &*self.progress())];
        said.push(self.say(&format!("quiet{}", limit(claim, last)), &values));
        if end.four_points {
            said.push(self.say("dead_four", &[]));
        } else if rules.has_check() && !rules.multi {
            said.push(self.say(if end.dead_positions { "dead" } else { "dead_never" }, &[]));
        }
        said
    }

    fn times(&self, count: u32) -> String {
        let key = match count {
            1 => "once",
            2 => "twice",
            _ => "times",
        };
        self.say(key, &[("number", &self.number(count))])
    }

    /// A number of half-moves as moves of each side; as turns, where a turn has several moves.
    fn moves(&self, count: u32) -> String {
        let noun = if self.game.rules.multi { "turns" } else { "moves" };
        match count {
            1 => self.say(&format!("{noun}_one"), &[]),
            count if count > 2 && count % 2 == 0 => {
                self.say(&format!("{noun}_each"), &[("number", &self.number(count / 2))])
            }
            count => self.say(&format!("{noun}_both"), &[("number", &self.number(count))]),
        }
    }

    /// What counts as progress.
    fn progress(&self) -> String {
        let piece_types = &self.game.definition.piece_types;
        let mut parts = vec![self.word("no_capture").to_string()];
        if piece_types.iter().any(|kind| !kind.promotes_to.is_empty()) {
            parts.push(self.word("no_promotion").into());
        }
        let progress = |number: &usize| self.game.rules.progress[*number];
        let soldiers =
            self.either((0..piece_types.len()).filter(progress).map(|number| piece_types[number].name.clone()));
        if !soldiers.is_empty() {
            parts.push(self.say("no_soldier", &[("a_piece", &soldiers)]));
        }
        self.each(parts, "nor")
    }
}

/// The end of a key by which of two limits there are.
fn limit(claim: u32, last: u32) -> &'static str {
    match (claim > 0, last > 0) {
        (true, true) => "",
        (true, false) => "_claim",
        (false, true) => "_end",
        (false, false) => "_never",
    }
}

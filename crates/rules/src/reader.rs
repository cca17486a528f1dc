//! Reads a definition's tree into a [`Definition`] and collects every fault on the way.

use crate::betza;
use crate::definition::*;
use crate::piece::{Color, Kind, Token};
use crate::set::Set;
use crate::source::{Fault, Node, Place, Value};
use crate::square::Square;
use crate::squares::parse_squares;
use crate::walk::Walk;

/// Longest text of one key, in bytes.
const MAX_TEXT: usize = 8192;
/// Most setups that a definition may allow.
const MAX_SETUPS: u64 = 1_000_000;

/// What collects faults while a tree is read.
pub(crate) struct Reader<'a> {
    /// Names of the files that [`Place::file`] counts.
    pub names: &'a [String],
    pub faults: Vec<Fault>,
    files: u8,
    ranks: u8,
    zones: Vec<(String, Set)>,
    tokens: Vec<Token>,
}

const OUT_OF_SCOPE: [(&str, &str); 6] = [
    ("drops", "drops and pieces in hand are out of scope"),
    ("drop", "drops and pieces in hand are out of scope"),
    ("hand", "drops and pieces in hand are out of scope"),
    ("pocket", "drops and pieces in hand are out of scope"),
    ("holes", "boards with holes are out of scope"),
    ("hexagonal", "hexagonal boards are out of scope"),
];

impl<'a> Reader<'a> {
    pub fn new(names: &'a [String]) -> Reader<'a> {
        Reader { names, faults: Vec::new(), files: 16, ranks: 16, zones: Vec::new(), tokens: Vec::new() }
    }

    /// Notes a fault.
    pub fn fail(&mut self, place: Place, key: &str, message: impl Into<String>) {
        if self.faults.len() < 100 {
            self.faults.push(Fault {
                file: self.names[place.file as usize].clone(),
                line: place.line,
                column: place.column,
                key: key.to_string(),
                message: message.into(),
            });
        }
    }

    fn expected(&mut self, node: &Node, key: &str, what: &str) {
        self.fail(node.place, key, format!("{} where {what} was expected", node.value.shown()));
    }

    /// Faults for every key of a table that is not among those known.
    fn known(&mut self, node: &Node, path: &str, keys: &[&str]) {
        let Value::Table(entries) = &node.value else { return };
        for (key, entry) in entries {
            if keys.contains(&key.as_str()) {
                continue;
            }
            let full = join(path, key);
            match OUT_OF_SCOPE.iter().find(|(name, _)| name == key) {
                Some((_, why)) => self.fail(entry.place, &full, *why),
                None => self.fail(entry.place, &full, format!("unknown key; expected one of {}", keys.join(", "))),
            }
        }
    }

    fn table<'n>(&mut self, parent: &'n Node, path: &str, key: &str) -> Option<&'n Node> {
        let node = parent.get(key)?;
        if matches!(node.value, Value::Table(_)) {
            return Some(node);
        }
        self.expected(node, &join(path, key), "a table");
        None
    }

    fn text(&mut self, parent: &Node, path: &str, key: &str) -> Option<String> {
        let node = parent.get(key)?;
        match &node.value {
            Value::Text(text) if text.len() > MAX_TEXT => {
                self.fail(node.place, &join(path, key), format!("{} bytes; at most {MAX_TEXT}", text.len()));
                None
            }
            Value::Text(text) => {
                if let Some(odd) = text.chars().find(|c| is_unprintable(*c)) {
                    self.fail(node.place, &join(path, key), format!("the character {odd:?} has no place in a text"));
                    return None;
                }
                Some(text.clone())
            }
            _ => {
                self.expected(node, &join(path, key), "a text");
                None
            }
        }
    }

    fn flag(&mut self, parent: &Node, path: &str, key: &str, default: bool) -> bool {
        match parent.get(key) {
            None => default,
            Some(Node { value: Value::Flag(flag), .. }) => *flag,
            Some(node) => {
                self.expected(node, &join(path, key), "true or false");
                default
            }
        }
    }

    fn number(&mut self, node: &Node, key: &str, low: i64, high: i64) -> Option<i64> {
        match node.value {
            Value::Integer(number) if (low..=high).contains(&number) => Some(number),
            _ => {
                self.expected(node, key, &format!("a number from {low} to {high}"));
                None
            }
        }
    }

    fn one_of(&mut self, parent: &Node, path: &str, key: &str, choices: &[&str]) -> usize {
        let Some(node) = parent.get(key) else { return 0 };
        if let Value::Text(text) = &node.value
            && let Some(index) = choices.iter().position(|choice| choice == text)
        {
            return index;
        }
        let list: Vec<_> = choices.iter().map(|choice| format!("{choice:?}")).collect();
        self.expected(node, &join(path, key), &list.join(" or "));
        0
    }

    fn squares(&mut self, parent: &Node, path: &str, key: &str) -> Option<Vec<Square>> {
        let text = self.text(parent, path, key)?;
        match parse_squares(&text, self.files, self.ranks) {
            Ok(squares) => Some(squares),
            Err(message) => {
                self.fail(parent.get(key)?.place, &join(path, key), message);
                None
            }
        }
    }

    fn set(&mut self, parent: &Node, path: &str, key: &str) -> Option<Set> {
        Some(self.squares(parent, path, key)?.into_iter().collect())
    }

    fn pair(&mut self, parent: &Node, path: &str, key: &str) -> Option<(Square, Square)> {
        let Some(node) = parent.get(key) else {
            self.fail(parent.place, path, format!("no {key}; expected two squares, from and to"));
            return None;
        };
        match self.squares(parent, path, key)?[..] {
            [from, to] => Some((from, to)),
            _ => {
                self.expected(node, &join(path, key), "two different squares, from and to");
                None
            }
        }
    }

    fn letter(&mut self, parent: &Node, path: &str, key: &str, default: char) -> char {
        let Some(text) = self.text(parent, path, key) else { return default };
        let mut letters = text.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) if letter.is_ascii_uppercase() => letter,
            _ => {
                self.expected(&parent.get(key).expect("read").clone(), &join(path, key), "one capital letter");
                default
            }
        }
    }

    fn walks(&mut self, parent: &Node, path: &str, key: &str) -> Option<(String, Vec<Walk>)> {
        let text = self.text(parent, path, key)?;
        match betza::parse(&text) {
            Ok(walks) => Some((text, walks)),
            Err(error) => {
                let message = format!("{text:?}, character {}: {}", error.at + 1, error.message);
                self.fail(parent.get(key)?.place, &join(path, key), message);
                None
            }
        }
    }

    /// A list of tokens, separated by blanks or not at all.
    fn tokens(&mut self, parent: &Node, path: &str, key: &str) -> Option<Vec<Kind>> {
        let text = self.text(parent, path, key)?;
        let place = parent.get(key)?.place;
        let mut kinds = Vec::new();
        let mut rest = text.trim_start_matches([' ', ',']);
        while !rest.is_empty() {
            match self.token_at(rest) {
                Some((kind, length)) => {
                    kinds.push(kind);
                    rest = rest[length..].trim_start_matches([' ', ',']);
                }
                None => {
                    let names: Vec<_> = self.tokens.iter().map(Token::to_string).collect();
                    self.fail(
                        place,
                        &join(path, key),
                        format!("{rest:?} where a piece of this game was expected: {}", names.join(" ")),
                    );
                    return None;
                }
            }
        }
        Some(kinds)
    }

    fn token_at(&self, text: &str) -> Option<(Kind, usize)> {
        let (token, color, length) = Token::read(text)?;
        let index = self.tokens.iter().position(|known| *known == token)?;
        (color == Color::White).then_some((Kind(index as u8), length))
    }

    /// Reads the whole tree.
    pub fn definition(&mut self, root: &Node, options: Vec<OptionDefinition>) -> Option<Definition> {
        self.known(
            root,
            "",
            &[
                "game",
                "pieces",
                "zones",
                "promotion",
                "en_passant",
                "castling",
                "royal_jump",
                "turn",
                "end",
                "setup",
                "options",
            ],
        );
        let Some(game) = self.table(root, "", "game") else {
            self.fail(root.place, "game", "this table is missing; expected id, name, board and start");
            return None;
        };
        self.board(game)?;
        let texts = self.texts(game);
        let pieces = match self.table(root, "", "pieces") {
            Some(Node { value: Value::Table(entries), .. }) if !entries.is_empty() => entries,
            _ => {
                self.fail(root.place, "pieces", "no pieces; expected a table [pieces.K] for each kind");
                return None;
            }
        };
        self.read_tokens(pieces);
        self.read_zones(root);
        let mut kinds: Vec<KindDefinition> = Vec::new();
        for (token, node) in pieces {
            if let Some(kind) = self.kind(token, node) {
                kinds.push(kind);
            }
        }
        if kinds.len() < pieces.len() {
            return None;
        }
        let (start, placement) = self.start(game)?;
        let definition = Definition {
            texts,
            files: self.files,
            ranks: self.ranks,
            start,
            promotion: self.promotion(root),
            en_passant_left: self.en_passant(root),
            castlings: self.castlings(root, &placement),
            placement,
            kinds,
            jump: self.jump(root),
            turn: self.turn(root),
            end: self.end(root),
            setup: self.setup(root),
            options,
        };
        self.judge(root, game, &definition);
        self.faults.is_empty().then_some(definition)
    }

    fn board(&mut self, game: &Node) -> Option<()> {
        self.known(
            game,
            "game",
            &[
                "id", "name", "author", "year", "link", "board", "start", "place", "summary", "story", "rules",
                "extends", "remove",
            ],
        );
        let Some(text) = self.text(game, "game", "board") else {
            if game.get("board").is_none() {
                self.fail(game.place, "game.board", "missing; expected FILESxRANKS, such as \"12x12\"");
            }
            return None;
        };
        let place = game.get("board")?.place;
        if text.contains("hex") {
            self.fail(
                place,
                "game.board",
                "hexagonal boards are out of scope; expected FILESxRANKS, such as \"12x12\"",
            );
            return None;
        }
        let size = text.split_once('x').and_then(|(files, ranks)| Some((files.parse().ok()?, ranks.parse().ok()?)));
        match size {
            Some((files @ 3..=16, ranks @ 3..=16)) => {
                (self.files, self.ranks) = (files, ranks);
                Some(())
            }
            _ => {
                self.fail(place, "game.board", format!("{text:?} where FILESxRANKS from 3x3 to 16x16 was expected"));
                None
            }
        }
    }

    fn texts(&mut self, game: &Node) -> Texts {
        let id = self.text(game, "game", "id").unwrap_or_default();
        if id.is_empty() || !id.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-') {
            let place = game.get("id").map_or(game.place, |node| node.place);
            self.fail(place, "game.id", format!("{id:?} where small ASCII letters, digits and '-' were expected"));
        }
        let year = match game.get("year") {
            Some(node) => self.number(node, "game.year", -3000, 3000),
            None => None,
        };
        let mut rules = Vec::new();
        if let Some(Value::Table(entries)) = self.table(game, "game", "rules").map(|node| &node.value) {
            for (key, _) in entries {
                if let Some(text) = self.text(game.get("rules").expect("read"), "game.rules", key) {
                    rules.push((key.clone(), text));
                }
            }
        }
        let name = self.text(game, "game", "name").unwrap_or_else(|| id.clone());
        let mut text = |key| self.text(game, "game", key).unwrap_or_default();
        Texts {
            author: text("author"),
            link: text("link"),
            summary: text("summary"),
            story: text("story"),
            id,
            name,
            year,
            rules,
        }
    }

    fn read_tokens(&mut self, pieces: &[(String, Node)]) {
        for (text, node) in pieces {
            let key = join("pieces", text);
            match Token::parse(text) {
                None => self.fail(
                    node.place,
                    &key,
                    format!("{text:?} where a capital letter, alone or followed by ' or !, was expected"),
                ),
                Some(token) => self.tokens.push(token),
            }
        }
        if self.tokens.len() > Kind::MAX {
            let (text, node) = &pieces[Kind::MAX];
            self.fail(node.place, &join("pieces", text), format!("{} kinds; at most {}", self.tokens.len(), Kind::MAX));
        }
    }

    fn read_zones(&mut self, root: &Node) {
        let Some(zones) = self.table(root, "", "zones") else { return };
        let Value::Table(entries) = &zones.value else { return };
        for (name, _) in entries {
            if let Some(set) = self.set(zones, "zones", name) {
                self.zones.push((name.clone(), set));
            }
        }
    }

    fn kind(&mut self, token: &str, node: &Node) -> Option<KindDefinition> {
        let path = join("pieces", token);
        if !matches!(node.value, Value::Table(_)) {
            self.expected(node, &path, "a table with at least name and move");
            return None;
        }
        self.known(
            node,
            &path,
            &[
                "name",
                "also",
                "move",
                "royal",
                "value",
                "help",
                "art",
                "promotes_to",
                "promotes_by",
                "within",
                "sees",
                "from",
            ],
        );
        if node.get("move").is_none() {
            self.fail(node.place, &path, "no move; expected Betza notation, such as move = \"N\"");
        }
        let moves = self.walks(node, &path, "move");
        let within = self.text(node, &path, "within").and_then(|name| {
            let found = self.zones.iter().find(|(zone, _)| *zone == name).map(|(_, set)| *set);
            if found.is_none() {
                let names: Vec<_> = self.zones.iter().map(|(zone, _)| zone.clone()).collect();
                let message = format!("{name:?} where a name of [zones] was expected: {}", names.join(" "));
                self.fail(node.get("within")?.place, &join(&path, "within"), message);
            }
            found
        });
        let mut also = Vec::new();
        match node.get("also") {
            None => {}
            Some(Node { value: Value::List(names), .. }) => {
                for name in names {
                    match &name.value {
                        Value::Text(text) if !text.chars().any(is_unprintable) => also.push(text.clone()),
                        _ => self.expected(name, &join(&path, "also"), "a text"),
                    }
                }
            }
            Some(other) => self.expected(other, &join(&path, "also"), "a list of names"),
        }
        let promotes_by = self.walks(node, &path, "promotes_by");
        let sees = self.walks(node, &path, "sees").map_or(Vec::new(), |(_, walks)| walks);
        let (notation, walks) = moves?;
        Some(KindDefinition {
            token: Token::parse(token)?,
            name: self.text(node, &path, "name").unwrap_or_else(|| token.to_string()),
            also,
            notation,
            walks,
            royal: self.flag(node, &path, "royal", false),
            values: self.values(node, &path),
            help: self.text(node, &path, "help").unwrap_or_default(),
            art: self.text(node, &path, "art").unwrap_or_default(),
            promotes_to: self.tokens(node, &path, "promotes_to").unwrap_or_default(),
            promotes_by: promotes_by.map(|(_, walks)| walks),
            within,
            sees,
            from: self.extra_moves(node, &path),
        })
    }

    fn values(&mut self, parent: &Node, path: &str) -> Vec<(String, f64)> {
        let number = |node: &Node| match node.value {
            Value::Integer(number) => Some(number as f64),
            Value::Float(number) if number.is_finite() => Some(number),
            _ => None,
        };
        let Some(node) = parent.get("value") else { return Vec::new() };
        let key = join(path, "value");
        if let Some(value) = number(node) {
            return vec![("value".into(), value)];
        }
        let Value::Table(entries) = &node.value else {
            self.expected(node, &key, "a number or a table of numbers by source");
            return Vec::new();
        };
        let mut values = Vec::new();
        for (source, entry) in entries {
            match number(entry) {
                Some(value) => values.push((source.clone(), value)),
                None => self.expected(entry, &join(&key, source), "a number"),
            }
        }
        values
    }

    fn extra_moves(&mut self, parent: &Node, path: &str) -> Vec<ExtraMoves> {
        let mut extra = Vec::new();
        let key = join(path, "from");
        for node in self.list(parent, &key, "from") {
            self.known(node, &key, &["squares", "move", "right"]);
            let (Some(squares), Some((notation, walks))) =
                (self.set(node, &key, "squares"), self.walks(node, &key, "move"))
            else {
                if node.get("squares").is_none() || node.get("move").is_none() {
                    self.fail(node.place, &key, "expected { squares = \"...\", move = \"...\" }");
                }
                continue;
            };
            let right = match node.get("right").map(|right| &right.value) {
                None => None,
                Some(Value::Text(text)) if text == "file" => Some(RightName::File),
                Some(_) => Some(RightName::Letter(self.letter(node, &key, "right", 'A'))),
            };
            if right.is_some_and(|right| right != RightName::File) && squares.count() > 1 {
                self.fail(node.place, &join(&key, "right"), "one letter for several squares; use right = \"file\"");
            }
            extra.push(ExtraMoves { squares, notation, walks, right });
        }
        extra
    }

    fn list<'n>(&mut self, parent: &'n Node, path: &str, key: &str) -> &'n [Node] {
        match parent.get(key) {
            None => &[],
            Some(Node { value: Value::List(nodes), .. }) => {
                for node in nodes {
                    if !matches!(node.value, Value::Table(_)) {
                        self.expected(node, path, "a table");
                        return &[];
                    }
                }
                nodes
            }
            Some(node) => {
                self.expected(node, path, "a list of tables");
                &[]
            }
        }
    }

    /// The start FEN with `place` laid over it, and what stands where.
    fn start(&mut self, game: &Node) -> Option<(String, Placement)> {
        let Some(fen) = self.text(game, "game", "start") else {
            if game.get("start").is_none() {
                self.fail(game.place, "game.start", "missing; expected the FEN of the start position");
            }
            return None;
        };
        let place = game.get("start")?.place;
        let (rows, rest) = fen.split_once(' ').unwrap_or((&fen, "w - - 0 1"));
        let mut grid = match crate::fen::read_placement(rows, self.files, self.ranks, &|text| {
            let (token, color, length) = Token::read(text)?;
            let index = self.tokens.iter().position(|known| *known == token)?;
            Some((Kind(index as u8), color, length))
        }) {
            Ok(grid) => grid,
            Err(message) => {
                self.fail(place, "game.start", message);
                return None;
            }
        };
        if let Some(over) = self.table(game, "game", "place") {
            let Value::Table(entries) = &over.value else { return None };
            for (token, node) in entries {
                let Some((kind, _)) = self.token_at(token) else {
                    self.fail(node.place, &join("game.place", token), "this is no piece of this game");
                    continue;
                };
                for square in self.squares(over, "game.place", token).unwrap_or_default() {
                    let mirror = Square::new(square.file(), self.ranks - 1 - square.rank());
                    grid.retain(|(at, _, _)| *at != square && *at != mirror);
                    grid.push((square, Color::White, kind));
                    grid.push((mirror, Color::Black, kind));
                }
            }
        }
        grid.sort_by_key(|(square, _, _)| square.0);
        let cells = |square: Square| {
            let (_, color, kind) = grid.iter().find(|(at, _, _)| *at == square)?;
            Some(self.tokens[kind.index()].cased(*color).to_string())
        };
        let rows = crate::fen::write_placement(self.files, self.ranks, &cells);
        Some((format!("{rows} {rest}"), grid))
    }

    fn promotion(&mut self, root: &Node) -> Promotion {
        let last = (0..self.files).map(|file| Square::new(file, self.ranks - 1)).collect();
        let Some(node) = self.table(root, "", "promotion") else {
            return Promotion { at: last, ..Promotion::default() };
        };
        self.known(node, "promotion", &["at", "optional", "limit"]);
        let at = self.set(node, "promotion", "at").unwrap_or(last);
        let optional = self.set(node, "promotion", "optional").unwrap_or_default().minus(at);
        let limited = node.get("limit").is_some() && self.one_of(node, "promotion", "limit", &["none", "start"]) == 1;
        Promotion { at, optional, limited }
    }

    fn en_passant(&mut self, root: &Node) -> Set {
        let Some(node) = self.table(root, "", "en_passant") else { return Set::EMPTY };
        self.known(node, "en_passant", &["left"]);
        self.set(node, "en_passant", "left").unwrap_or_default()
    }

    fn castlings(&mut self, root: &Node, placement: &Placement) -> Vec<CastlingDefinition> {
        let mut castlings = Vec::new();
        for node in self.list(root, "castling", "castling") {
            self.known(node, "castling", &["right", "king", "rook"]);
            let right = self.letter(node, "castling", "right", 'K');
            let (Some(king), Some(rook)) = (self.pair(node, "castling", "king"), self.pair(node, "castling", "rook"))
            else {
                continue;
            };
            for (square, name) in [(king.0, "king"), (rook.0, "rook")] {
                if !placement.iter().any(|(at, color, _)| *at == square && *color == Color::White) {
                    self.fail(
                        node.place,
                        &join("castling", name),
                        format!("nothing of White's stands on {square} at the start"),
                    );
                }
            }
            castlings.push(CastlingDefinition { right, king, rook });
        }
        castlings
    }

    fn jump(&mut self, root: &Node) -> Option<JumpDefinition> {
        let node = self.table(root, "", "royal_jump")?;
        self.known(node, "royal_jump", &["to", "right"]);
        let Some((text, walks)) = self.walks(node, "royal_jump", "to") else {
            if node.get("to").is_none() {
                self.fail(node.place, "royal_jump.to", "missing; expected leaps, such as \"DAN\"");
            }
            return None;
        };
        let mut steps = Vec::new();
        for walk in walks {
            match walk.legs[..] {
                [leg] if leg.max == 1 && matches!((leg.step.0.abs(), leg.step.1.abs()), (0..=2, 2) | (2, 0..=1)) => {
                    steps.push(leg.step);
                }
                _ => {
                    let place = node.get("to").expect("read").place;
                    self.fail(place, "royal_jump.to", format!("{text:?} where leaps among D, A and N were expected"));
                    return None;
                }
            }
        }
        Some(JumpDefinition { right: self.letter(node, "royal_jump", "right", 'K'), steps })
    }

    fn turn(&mut self, root: &Node) -> TurnDefinition {
        let mut turn = TurnDefinition {
            length: TurnLength::Plies(1),
            first: None,
            may_end: false,
            may_pass: false,
            once_each: false,
            ends_on_check: false,
            command: None,
        };
        let Some(node) = self.table(root, "", "turn") else { return turn };
        self.known(
            node,
            "turn",
            &["plies", "may_end", "may_pass", "once_each", "ends_on_check", "first_turn", "command"],
        );
        match node.get("plies") {
            None => {}
            Some(Node { value: Value::Text(text), .. }) if text == "royals" => turn.length = TurnLength::Royals,
            Some(plies) => match plies.value {
                Value::Integer(number @ 1..=6) => turn.length = TurnLength::Plies(number as u8),
                _ => self.expected(plies, "turn.plies", "a number from 1 to 6 or \"royals\""),
            },
        }
        if let Some(first) = node.get("first_turn") {
            turn.first = self.number(first, "turn.first_turn", 1, 6).map(|plies| plies as u8);
        }
        turn.may_end = self.flag(node, "turn", "may_end", false);
        turn.may_pass = self.flag(node, "turn", "may_pass", false);
        turn.once_each = self.flag(node, "turn", "once_each", false);
        turn.ends_on_check = self.flag(node, "turn", "ends_on_check", false);
        if let Some(command) = self.table(node, "turn", "command") {
            self.known(command, "turn.command", &["range", "royals"]);
            let range = match command.get("range") {
                None => 15,
                Some(Node { value: Value::Text(text), .. }) if text == "unlimited" => 15,
                Some(range) => match range.value {
                    Value::Integer(number @ 0..=15) => number as u8,
                    _ => {
                        self.expected(range, "turn.command.range", "a number from 0 to 15 or \"unlimited\"");
                        15
                    }
                },
            };
            let royals = match command.get("royals").map(|node| &node.value) {
                Some(Value::Text(text)) if text == "on" => true,
                Some(Value::Text(text)) if text == "off" => false,
                _ => self.flag(command, "turn.command", "royals", true),
            };
            turn.command = Some(Command { range, royals });
        }
        turn
    }

    fn end(&mut self, root: &Node) -> EndDefinition {
        let mut end = EndDefinition {
            goal: Goal::Checkmate,
            stalemate_loses: false,
            four_points: false,
            bare_king: BareKing::default(),
            dead_positions: true,
            repetition: (3, 5),
            quiet: (100, 150),
        };
        let Some(node) = self.table(root, "", "end") else { return end };
        self.known(
            node,
            "end",
            &["goal", "stalemate", "scoring", "bare_king", "dead_positions", "repetition", "quiet"],
        );
        if self.one_of(node, "end", "goal", &["checkmate", "capture all royals"]) == 1 {
            end.goal = Goal::CaptureRoyals;
        }
        end.stalemate_loses = self.one_of(node, "end", "stalemate", &["draw", "loss"]) == 1;
        end.four_points = self.one_of(node, "end", "scoring", &["classic", "four_points"]) == 1;
        if let Some(bare) = self.table(node, "end", "bare_king") {
            self.known(bare, "end.bare_king", &["claim", "never"]);
            let claim = self.tokens(bare, "end.bare_king", "claim").unwrap_or_default();
            let never = self.tokens(bare, "end.bare_king", "never").unwrap_or_default();
            if end.four_points {
                end.bare_king = BareKing { claim, never };
            }
        }
        end.dead_positions = self.flag(node, "end", "dead_positions", true);
        for (key, counts) in [("repetition", &mut end.repetition), ("quiet", &mut end.quiet)] {
            let Some(list) = node.get(key) else { continue };
            match &list.value {
                Value::List(items) => match items.iter().map(|item| &item.value).collect::<Vec<_>>()[..] {
                    [Value::Integer(claim @ 0..=10_000), Value::Integer(by_itself @ 0..=10_000)] => {
                        *counts = (*claim as u32, *by_itself as u32);
                    }
                    _ => self.expected(list, &join("end", key), "two numbers up to 10000, to claim and to end"),
                },
                _ => self.expected(list, &join("end", key), "a list of two numbers"),
            }
        }
        end
    }

    fn setup(&mut self, root: &Node) -> Vec<SetupGroup> {
        let Some(node) = self.table(root, "", "setup") else { return Vec::new() };
        self.known(node, "setup", &["groups"]);
        let mut groups: Vec<SetupGroup> = Vec::new();
        let mut total = 1u64;
        let path = "setup.groups";
        for group in self.list(node, path, "groups") {
            self.known(group, path, &["squares", "pieces", "only"]);
            let (Some(squares), Some(pieces)) =
                (self.squares(group, path, "squares"), self.tokens(group, path, "pieces"))
            else {
                if group.get("squares").is_none() || group.get("pieces").is_none() {
                    self.fail(group.place, path, "expected { squares = \"...\", pieces = \"...\" }");
                }
                continue;
            };
            let mut only = Vec::new();
            if let Some(table) = self.table(group, path, "only")
                && let Value::Table(entries) = &table.value
            {
                for (token, entry) in entries {
                    match self.token_at(token) {
                        Some((kind, _)) if pieces.contains(&kind) => {
                            only.extend(self.set(table, "setup.groups.only", token).map(|set| (kind, set)));
                        }
                        _ => self.fail(entry.place, &join("setup.groups.only", token), "not a piece of this group"),
                    }
                }
            }
            if pieces.len() != squares.len() {
                let message = format!("{} pieces for {} squares", pieces.len(), squares.len());
                self.fail(group.place, path, message);
                continue;
            }
            if squares.len() > 8 {
                self.fail(group.place, path, format!("{} squares in a group; at most 8", squares.len()));
                continue;
            }
            let taken = groups.iter().flat_map(|other| other.squares.iter()).find(|square| squares.contains(square));
            if let Some(square) = taken {
                self.fail(group.place, path, format!("{square} stands in two groups"));
            }
            let group_definition = SetupGroup { squares, pieces, only };
            let count = crate::setup::arrangements(&group_definition).len() as u64;
            if count == 0 {
                self.fail(group.place, path, "no arrangement satisfies 'only'");
            }
            total = total.saturating_mul(count);
            if total > MAX_SETUPS {
                self.fail(group.place, path, format!("more than {MAX_SETUPS} setups"));
            }
            groups.push(group_definition);
        }
        groups
    }

    /// Faults that only the whole definition shows.
    fn judge(&mut self, root: &Node, game: &Node, definition: &Definition) {
        let pieces = root.get("pieces").map_or(root.place, |node| node.place);
        let start = game.get("start").map_or(game.place, |node| node.place);
        let royals = definition.kinds.iter().filter(|kind| kind.royal).count();
        if royals == 0 {
            self.fail(pieces, "pieces", "no royal piece; expected royal = true in one of them");
        }
        for color in Color::BOTH {
            let count = definition
                .placement
                .iter()
                .filter(|(_, side, kind)| *side == color && definition.kinds[kind.index()].royal)
                .count();
            match (definition.end.goal, count) {
                (_, 0) => self.fail(start, "game.start", format!("{color:?} has no royal piece")),
                (Goal::Checkmate, 2..) => self.fail(
                    start,
                    "game.start",
                    format!(
                        "{color:?} has {count} royal pieces; under goal = \"checkmate\" more than one is out of scope"
                    ),
                ),
                (Goal::CaptureRoyals, 7..) => {
                    self.fail(start, "game.start", format!("{color:?} has {count} royal pieces; at most 6"));
                }
                _ => {}
            }
        }
        let turn = root.get("turn").map_or(root.place, |node| node.place);
        if definition.end.goal == Goal::Checkmate {
            if definition.turn.command.is_some() || definition.turn.length == TurnLength::Royals {
                self.fail(turn, "turn", "command and plies = \"royals\" need goal = \"capture all royals\"");
            }
            if definition.turn.length != TurnLength::Plies(1) && !definition.turn.ends_on_check {
                let why = "a turn of several plies needs ends_on_check = true, or a King in check could be captured";
                self.fail(turn, "turn.ends_on_check", why);
            }
        } else if definition.jump.is_some() || !definition.castlings.is_empty() || definition.end.four_points {
            self.fail(root.place, "end.goal", "castling, the King's jump and four points need goal = \"checkmate\"");
        } else if definition.turn.ends_on_check {
            self.fail(turn, "turn.ends_on_check", "there is no check under goal = \"capture all royals\"");
        }
        for kind in &definition.kinds {
            let path = join("pieces", &kind.token.to_string());
            let place = root.at(&path).map_or(pieces, |node| node.place);
            let all = kind.walks.iter().chain(kind.from.iter().flat_map(|extra| &extra.walks));
            if kind.royal && !kind.promotes_to.is_empty() {
                self.fail(place, &join(&path, "promotes_to"), "a royal piece does not promote");
            }
            if kind.royal && all.clone().any(|walk| walk.track || walk.en_passant) {
                self.fail(place, &join(&path, "move"), "a royal piece takes no part in en passant");
            }
            let stuck = kind.promotes_to.iter().find(|to| {
                let to = &definition.kinds[to.index()];
                to.is_soldier() && !to.promotes_to.is_empty()
            });
            if let Some(to) = stuck {
                let message = format!(
                    "{} only walks ahead and would be stuck on the last rank",
                    definition.kinds[to.index()].name
                );
                self.fail(place, &join(&path, "promotes_to"), message);
            }
            if kind.promotes_to.iter().any(|to| definition.kinds[to.index()].royal) {
                self.fail(place, &join(&path, "promotes_to"), "nothing promotes to a royal piece");
            }
            if kind
                .sees
                .iter()
                .any(|walk| walk.legs.len() != 1 || crate::square::direction_of(walk.legs[0].step).is_none())
            {
                self.fail(place, &join(&path, "sees"), "expected slides, such as \"fR\"");
            }
        }
        for group in &definition.setup {
            let mut placed: Vec<Kind> = Vec::new();
            for square in &group.squares {
                placed.extend(
                    definition
                        .placement
                        .iter()
                        .filter(|(at, color, _)| at == square && *color == Color::White)
                        .map(|(_, _, kind)| *kind),
                );
            }
            let mut wanted = group.pieces.clone();
            placed.sort_unstable();
            wanted.sort_unstable();
            if placed != wanted {
                let place = root.get("setup").map_or(root.place, |node| node.place);
                self.fail(place, "setup.groups", "the start position does not have the group's pieces on its squares");
            }
        }
    }
}

/// Control characters but line ends and tabs, and those that turn the direction of writing.
fn is_unprintable(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{200E}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// A dotted path with a key more.
pub(crate) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_string() } else { format!("{path}.{key}") }
}

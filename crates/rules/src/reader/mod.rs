//! Reads a definition's tree into a [`Definition`] and collects every fault on the way.

mod foreign;
mod game;
mod judge;
mod pieces;
mod special;

use crate::betza;
use crate::definition::*;
use crate::piece::{Color, PieceType, Symbol};
use crate::set::Set;
use crate::source::{Fault, Node, Place, Value};
use crate::square::Square;
use crate::squares::parse_squares;
use crate::text::{did_you_mean, is_unprintable, join, nearest, printable, shorten};
use crate::walk::Walk;
pub(crate) use game::leads_to_a_page;

/// The longest text of one key, in bytes.
const MAX_TEXT: usize = 8192;

/// Collects faults while a tree is read.
pub(crate) struct Reader<'a> {
    /// Names of the files, indexed by [`Place::file`].
    pub names: &'a [String],
    pub faults: Vec<Fault>,
    files: u8,
    ranks: u8,
    holes: Set,
    zones: Vec<(String, Set)>,
    symbols: Vec<Symbol>,
}

impl<'a> Reader<'a> {
    pub fn new(names: &'a [String]) -> Reader<'a> {
        let (zones, symbols) = (Vec::new(), Vec::new());
        Reader { names, faults: Vec::new(), files: 16, ranks: 16, holes: Set::EMPTY, zones, symbols }
    }

    /// Adds a fault.
    pub fn fail(&mut self, place: Place, key: &str, message: impl Into<String>) {
        if self.faults.len() < 100 {
            self.faults.push(Fault {
                file: self.names[place.file as usize].clone(),
                line: place.line,
                column: place.column,
                key: printable(key),
                message: printable(&message.into()),
            });
        }
    }

    pub fn expected(&mut self, node: &Node, key: &str, what: &str) {
        self.fail(node.place, key, format!("{} where {what} was expected", node.value.shown()));
    }

    /// Adds a fault for every unknown key of a table.
    pub fn only_known_keys(&mut self, node: &Node, path: &str, keys: &[&str]) {
        let Value::Table(entries) = &node.value else { return };
        for (key, entry) in entries {
            if keys.contains(&key.as_str()) {
                continue;
            }
            let near = nearest(key, keys.iter().copied());
            let message = match (near, foreign::absent(key), foreign::elsewhere(key)) {
                (None, Some(absent), _) => absent.to_string(),
                (None, None, Some(elsewhere)) => format!("unknown key here; {elsewhere}"),
                _ => format!("unknown key; expected one of {}{}", keys.join(", "), did_you_mean(near)),
            };
            self.fail(entry.place, &join(path, key), message);
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

    pub(crate) fn text(&mut self, parent: &Node, path: &str, key: &str) -> Option<String> {
        self.text_of(parent, path, key, "a text")
    }

    /// Reads a text; `expected` says in a fault what it should hold.
    fn text_of(&mut self, parent: &Node, path: &str, key: &str, what: &str) -> Option<String> {
        let node = parent.get(key)?;
        match &node.value {
            Value::Text(text) if text.len() > MAX_TEXT => {
                self.fail(node.place, &join(path, key), format!("{} bytes; at most {MAX_TEXT}", text.len()));
                None
            }
            Value::Text(text) => {
                if let Some(character) = text.chars().find(|c| is_unprintable(*c)) {
                    self.fail(
                        node.place,
                        &join(path, key),
                        format!("the character {character:?} is not allowed in a text"),
                    );
                    return None;
                }
                Some(text.clone())
            }
            _ => {
                self.expected(node, &join(path, key), what);
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
        match &node.value {
            Value::Text(text) if let Some(absent) = foreign::absent(text) => {
                self.fail(node.place, &join(path, key), absent)
            }
            _ => self.expected(node, &join(path, key), &list.join(" or ")),
        }
        0
    }

    fn side(&mut self, parent: &Node, path: &str) -> Option<Color> {
        [None, Some(Color::White), Some(Color::Black)][self.one_of(parent, path, "side", &["both", "white", "black"])]
    }

    fn squares(&mut self, parent: &Node, path: &str, key: &str) -> Option<Vec<Square>> {
        let text = self.text_of(parent, path, key, "squares, such as \"a8 b8\", \"ranks 8-9\" or \"last rank\",")?;
        match parse_squares(&text, self.files, self.ranks, self.holes) {
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
            let message = format!("no {key}; expected {key} = \"FROM TO\", such as {key} = \"e1 g1\"");
            self.fail(parent.place, path, message);
            return None;
        };
        match self.squares(parent, path, key)?[..] {
            [from, to] => Some((from, to)),
            _ => {
                self.expected(node, &join(path, key), "two different squares, such as \"e1 g1\",");
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
            Ok(walks) if walks.is_empty() && key != "move" => {
                self.fail(
                    parent.get(key)?.place,
                    &join(path, key),
                    "no moves; expected Betza notation, such as \"fR\"",
                );
                None
            }
            Ok(walks) => Some((text, walks)),
            Err(error) => {
                let message = format!("{:?}, character {}: {}", shorten(&text), error.at + 1, error.message);
                self.fail(parent.get(key)?.place, &join(path, key), message);
                None
            }
        }
    }

    /// Reads a list of symbols, with or without blanks between them.
    fn symbols(&mut self, parent: &Node, path: &str, key: &str) -> Option<Vec<PieceType>> {
        let text = self.text_of(parent, path, key, "letters of pieces, such as \"Q R\",")?;
        let place = parent.get(key)?.place;
        let mut piece_types = Vec::new();
        let mut rest = text.trim_start_matches([' ', ',']);
        while !rest.is_empty() {
            match self.symbol_at(rest) {
                Some((kind, length)) => {
                    piece_types.push(kind);
                    rest = rest[length..].trim_start_matches([' ', ',']);
                }
                None => {
                    let all: Vec<PieceType> = (0..self.symbols.len() as u8).map(PieceType).collect();
                    let message = format!(
                        "{:?}, character {}: not a piece letter of this game; its letters are {}, in capitals",
                        shorten(&text),
                        text.chars().count() - rest.chars().count() + 1,
                        self.letters(&all)
                    );
                    self.fail(place, &join(path, key), message);
                    return None;
                }
            }
        }
        Some(piece_types)
    }

    /// Piece types by their letters.
    fn letters(&self, piece_types: &[PieceType]) -> String {
        piece_types.iter().map(|kind| self.symbols[kind.index()].to_string()).collect::<Vec<_>>().join(" ")
    }

    fn symbol_at(&self, text: &str) -> Option<(PieceType, usize)> {
        let (symbol, color, length) = Symbol::read(text)?;
        let index = self.symbols.iter().position(|known| *known == symbol)?;
        (color == Color::White).then_some((PieceType(index as u8), length))
    }

    /// Reads the whole tree.
    pub fn definition(&mut self, root: &Node, options: Vec<OptionDefinition>) -> Option<Definition> {
        self.only_known_keys(
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
                self.fail(root.place, "pieces", "no pieces; expected a table [pieces.K] for each piece type");
                return None;
            }
        };
        self.read_symbols(pieces);
        self.read_zones(root);
        let mut piece_types: Vec<PieceTypeDefinition> = Vec::new();
        for (symbol, node) in pieces {
            if let Some(kind) = self.kind(symbol, node) {
                piece_types.push(kind);
            }
        }
        if piece_types.len() < pieces.len() {
            return None;
        }
        let (start, placement) = self.start(game)?;
        let definition = Definition {
            texts,
            files: self.files,
            ranks: self.ranks,
            holes: self.holes,
            start,
            promotion: self.promotion(root),
            en_passant_left: self.en_passant(root),
            castlings: self.castlings(root, &placement),
            placement,
            piece_types,
            jump: self.jump(root),
            turn: self.turn(root),
            end: self.end(root),
            setup: self.setup(root),
            options,
        };
        self.judge(root, game, &definition);
        self.faults.is_empty().then_some(definition)
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
                self.expected(node, path, &format!("a list of tables, such as [[{path}]] or {key} = [{{ ... }}],"));
                &[]
            }
        }
    }
}

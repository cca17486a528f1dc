//! The board, the texts, the start and the setups.

use super::{Reader, foreign};
use crate::definition::*;
use crate::limits::{MAX_SETUPS, MAX_SIDE, MIN_SIDE};
use crate::piece::{Color, PieceType, Symbol};
use crate::set::Set;
use crate::shipped::shipped_source;
use crate::source::{Node, Value};
use crate::square::{Square, mirror};
use crate::text::join;

/// Groups are skipped after this many faults, since arranging them takes time.
const MAX_SETUP_FAULTS: usize = 10;

impl Reader<'_> {
    pub(super) fn board(&mut self, game: &Node) -> Option<()> {
        self.only_known_keys(
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
        let number = |text: &str| text.parse().ok().filter(|_| text.bytes().all(|c| c.is_ascii_digit()));
        let size: Option<(u32, u32)> =
            text.split_once('x').and_then(|(files, ranks)| Some((number(files)?, number(ranks)?)));
        let message = match size {
            Some((files, ranks))
                if [files, ranks].iter().all(|side| (MIN_SIDE..=MAX_SIDE).contains(&(*side as usize))) =>
            {
                (self.files, self.ranks) = (files as u8, ranks as u8);
                self.holes = self.read_holes(game);
                return Some(());
            }
            Some(_) => format!("{text:?}: Acedrex has boards from 3x3 to 16x16; choose a size between"),
            None => match text.split_whitespace().find_map(foreign::absent) {
                Some(absent) => absent.to_string(),
                None => format!("{text:?} where FILESxRANKS from 3x3 to 16x16 was expected"),
            },
        };
        self.fail(place, "game.board", message);
        None
    }

    /// The holes that the start marks with `*`. Other faults of the start are found when its pieces are read.
    fn read_holes(&mut self, game: &Node) -> Set {
        let Some(Node { value: Value::Text(fen), place }) = game.get("start") else { return Set::EMPTY };
        let rows = fen.split(' ').next().unwrap_or_default();
        let any_piece = |text: &str| {
            let (_, color, length) = Symbol::read(text)?;
            Some((PieceType(0), color, length))
        };
        let Ok((_, holes)) = crate::fen::read_placement(rows, self.files, self.ranks, &any_piece) else {
            return Set::EMPTY;
        };
        if let Some(square) = holes.into_iter().find(|square| !holes.contains(mirror(*square, self.ranks))) {
            let message = format!("{square} is a hole, and {} is none", mirror(square, self.ranks));
            self.fail(*place, "game.start", format!("{message}; the board must look the same from both sides"));
        }
        holes
    }

    /// Refuses the id of a shipped game to any other text, so that an id always means one game.
    pub(crate) fn refuse_shipped_id(&mut self, root: &Node, text: &str) {
        let Some(node @ Node { value: Value::Text(id), .. }) = root.at("game.id") else { return };
        if shipped_source(id).is_some_and(|shipped| !shipped.lines().eq(text.lines())) {
            let message = format!(
                "{id:?} is the id of a game that ships with Acedrex; choose another, \
                 or rebuild Acedrex if this is its file"
            );
            self.fail(node.place, "game.id", message);
        }
    }

    pub(super) fn texts(&mut self, game: &Node) -> Texts {
        let id = self.text(game, "game", "id").unwrap_or_default();
        if id.is_empty() || !id.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-') {
            let place = game.get("id").map_or(game.place, |node| node.place);
            self.fail(place, "game.id", format!("{id:?} where lower-case ASCII letters, digits and '-' were expected"));
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
        if let Some(node) = game.get("link")
            && !leads_to_a_page(node)
        {
            self.expected(node, "game.link", "the address of a page, https://...,");
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

    pub(super) fn read_symbols(&mut self, pieces: &[(String, Node)]) {
        for (text, node) in pieces {
            let key = join("pieces", text);
            match Symbol::parse(text) {
                None => self.fail(
                    node.place,
                    &key,
                    format!("{text:?} where a capital letter, alone or followed by ' or !, was expected"),
                ),
                Some(symbol) => self.symbols.push(symbol),
            }
        }
        if self.symbols.len() > PieceType::MAX {
            let (text, node) = &pieces[PieceType::MAX];
            let message = format!(
                "{} piece types; Acedrex has at most {} in a game, so leave some out",
                self.symbols.len(),
                PieceType::MAX
            );
            self.fail(node.place, &join("pieces", text), message);
        }
    }

    pub(super) fn read_zones(&mut self, root: &Node) {
        let Some(zones) = self.table(root, "", "zones") else { return };
        let Value::Table(entries) = &zones.value else { return };
        for (name, _) in entries {
            if let Some(set) = self.set(zones, "zones", name) {
                self.zones.push((name.clone(), set));
            }
        }
    }

    /// The start FEN with `place` laid over it, and the pieces on their squares.
    pub(super) fn start(&mut self, game: &Node) -> Option<(String, Placement)> {
        let Some(fen) = self.text(game, "game", "start") else {
            if game.get("start").is_none() {
                self.fail(game.place, "game.start", "missing; expected the FEN of the start position");
            }
            return None;
        };
        let place = game.get("start")?.place;
        let (rows, rest) = fen.split_once(' ').unwrap_or((&fen, "w - - 0 1"));
        let (mut grid, _) = match crate::fen::read_placement(rows, self.files, self.ranks, &|text| {
            let (symbol, color, length) = Symbol::read(text)?;
            let index = self.symbols.iter().position(|known| *known == symbol)?;
            Some((PieceType(index as u8), color, length))
        }) {
            Ok(read) => read,
            Err(message) => {
                self.fail(place, "game.start", message);
                return None;
            }
        };
        if let Some(over) = self.table(game, "game", "place") {
            let Value::Table(entries) = &over.value else { return None };
            for (symbol, node) in entries {
                let Some((kind, _)) = self.symbol_at(symbol) else {
                    let all: Vec<PieceType> = (0..self.symbols.len() as u8).map(PieceType).collect();
                    let message = format!("not a piece of this game; its pieces are {}", self.letters(&all));
                    self.fail(node.place, &join("game.place", symbol), message);
                    continue;
                };
                for square in self.squares(over, "game.place", symbol).unwrap_or_default() {
                    let mirror = Square::new(square.file(), self.ranks - 1 - square.rank());
                    if mirror == square {
                        let message = format!(
                            "{square} is on the middle rank, where both sides' pieces would stand on one square; \
                             put this piece into game.start"
                        );
                        self.fail(node.place, &join("game.place", symbol), message);
                    }
                    grid.retain(|(at, _, _)| *at != square && *at != mirror);
                    grid.push((square, Color::White, kind));
                    grid.push((mirror, Color::Black, kind));
                }
            }
        }
        grid.sort_by_key(|(square, _, _)| square.0);
        let cells = |square: Square| {
            let (_, color, kind) = grid.iter().find(|(at, _, _)| *at == square)?;
            Some(self.symbols[kind.index()].cased(*color).to_string())
        };
        let rows = crate::placement::write_placement((self.files, self.ranks), self.holes, &cells);
        Some((format!("{rows} {rest}"), grid))
    }

    pub(super) fn setup(&mut self, root: &Node) -> Vec<SetupGroup> {
        let Some(node) = self.table(root, "", "setup") else { return Vec::new() };
        self.only_known_keys(node, "setup", &["groups"]);
        let mut groups: Vec<SetupGroup> = Vec::new();
        let mut total = 1u64;
        let path = "setup.groups";
        for group in self.list(node, path, "groups") {
            self.only_known_keys(group, path, &["squares", "pieces", "only"]);
            let (Some(squares), Some(pieces)) =
                (self.squares(group, path, "squares"), self.symbols(group, path, "pieces"))
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
                for (symbol, entry) in entries {
                    match self.symbol_at(symbol) {
                        Some((kind, _)) if pieces.contains(&kind) => {
                            only.extend(self.set(table, "setup.groups.only", symbol).map(|set| (kind, set)));
                        }
                        _ => {
                            let message = format!("this group has {}; use one of these", self.letters(&pieces));
                            self.fail(entry.place, &join("setup.groups.only", symbol), message);
                        }
                    }
                }
            }
            if pieces.len() != squares.len() {
                let (squares, pieces) = (squares.len(), pieces.len());
                let message = format!("a group needs as many pieces as squares, not {pieces} for {squares}");
                self.fail(group.place, path, message);
                continue;
            }
            if squares.len() > 8 {
                let message = format!("{} squares in a group; at most 8, so make several groups", squares.len());
                self.fail(group.place, path, message);
                continue;
            }
            let taken = groups.iter().flat_map(|other| other.squares.iter()).find(|square| squares.contains(square));
            if let Some(square) = taken {
                self.fail(group.place, path, format!("{square} is in two groups; leave it in one"));
            }
            if self.faults.len() >= MAX_SETUP_FAULTS {
                break;
            }
            let group_definition = SetupGroup { squares, pieces, only };
            let count = crate::setup::count_arrangements(&group_definition);
            if count == 0 {
                let message = "no arrangement satisfies 'only'; allow each piece on more of the group's squares";
                self.fail(group.place, path, message);
            }
            total = total.saturating_mul(count);
            if total > MAX_SETUPS as u64 {
                self.fail(group.place, path, format!("more than {MAX_SETUPS} setups; arrange fewer pieces"));
            }
            groups.push(group_definition);
        }
        groups
    }
}

/// Whether a link is one that leads to a page and does nothing else, as `javascript:` would.
pub(crate) fn leads_to_a_page(link: &Node) -> bool {
    matches!(&link.value, Value::Text(address) if ["https://", "http://"].iter().any(|scheme| address.starts_with(scheme)))
}

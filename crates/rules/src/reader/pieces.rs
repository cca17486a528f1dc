//! One piece type.

use super::Reader;
use crate::definition::*;
use crate::drawing;
use crate::piece::{PieceType, Symbol};
use crate::source::{Node, Value};
use crate::text::{did_you_mean, is_unprintable, join, nearest};

impl Reader<'_> {
    pub(super) fn kind(&mut self, symbol: &str, node: &Node) -> Option<PieceTypeDefinition> {
        let path = join("pieces", symbol);
        if !matches!(node.value, Value::Table(_)) {
            self.expected(node, &path, "a table with at least name and move");
            return None;
        }
        self.only_known_keys(
            node,
            &path,
            &[
                "name",
                "also",
                "move",
                "turned",
                "royal",
                "value",
                "help",
                "art",
                "promotes_to",
                "promotes_by",
                "promotion",
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
            let found = self.zones.iter().find(|(zone, _)| *zone == name).cloned();
            if found.is_none() {
                let names: Vec<_> = self.zones.iter().map(|(zone, _)| zone.clone()).collect();
                let near = did_you_mean(nearest(&name, names.iter().map(String::as_str)));
                let message = format!("{name:?} where a name of [zones] was expected: {}{near}", names.join(" "));
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
        let (promotes_by_notation, promotes_by) = self.walks(node, &path, "promotes_by").unzip();
        let (sees_notation, sees) = self.walks(node, &path, "sees").unwrap_or_default();
        let (zone, within) = within.unzip();
        let mut promotes_to = self.promotes_to(node, &path, "promotes_to");
        let promotions = self.own_promotions(node, &path);
        if !promotions.is_empty() {
            if !promotes_to.is_empty() || promotes_by.is_some() {
                let key = if promotes_to.is_empty() { "promotes_by" } else { "promotes_to" };
                let place = node.get(key).map_or(node.place, |node| node.place);
                let message = format!("{symbol} has ways of its own to promote in promotion; write one or the other");
                self.fail(place, &join(&path, key), message);
            }
            for kind in promotions.iter().flat_map(|way| &way.to) {
                if !promotes_to.contains(kind) {
                    promotes_to.push(*kind);
                }
            }
        }
        let (notation, walks) = moves?;
        Some(PieceTypeDefinition {
            symbol: Symbol::parse(symbol)?,
            name: self.text(node, &path, "name").unwrap_or_else(|| symbol.to_string()),
            also,
            notation,
            walks,
            turned: self.flag(node, &path, "turned", false),
            royal: self.flag(node, &path, "royal", false),
            values: self.values(node, &path),
            help: self.text(node, &path, "help").unwrap_or_default(),
            art: self.art(node, &path),
            promotes_to,
            promotes_by,
            promotes_by_notation: promotes_by_notation.unwrap_or_default(),
            promotions,
            within,
            zone: zone.unwrap_or_default(),
            sees,
            sees_notation,
            from: self.extra_moves(node, &path),
        })
    }

    /// The id of a drawing, or a drawing of one's own.
    fn art(&mut self, node: &Node, path: &str) -> String {
        let Some(art) = self.text(node, path, "art") else { return String::new() };
        if drawing::is_drawing(&art)
            && let Err(message) = drawing::check(&art)
        {
            self.fail(node.get("art").map_or(node.place, |node| node.place), &join(path, "art"), message);
        }
        art
    }

    fn promotes_to(&mut self, node: &Node, path: &str, key: &str) -> Vec<PieceType> {
        let piece_types = self.symbols(node, path, key).unwrap_or_default();
        if let Some(twice) = piece_types.iter().enumerate().find(|(at, kind)| piece_types[..*at].contains(kind)) {
            let place = node.get(key).map_or(node.place, |node| node.place);
            let symbol = self.symbols[twice.1.index()];
            self.fail(place, &join(path, key), format!("{symbol} appears twice; name each piece once"));
        }
        piece_types
    }

    /// The piece's own ways to promote.
    fn own_promotions(&mut self, parent: &Node, path: &str) -> Vec<OwnPromotion> {
        let path = &join(path, "promotion");
        let mut promotions = Vec::new();
        for node in self.list(parent, path, "promotion") {
            self.only_known_keys(node, path, &["to", "at", "optional", "from", "by", "side"]);
            let to = self.promotes_to(node, path, "to");
            let at = self.set(node, path, "at").unwrap_or_default();
            let optional = self.set(node, path, "optional").unwrap_or_default().minus(at);
            let lacks = |key| {
                let empty = |node: &Node| matches!(&node.value, Value::Text(text) if text.is_empty());
                node.get(key).is_none_or(empty)
            };
            if lacks("to") {
                self.fail(node.place, path, "no to; expected letters of pieces, such as to = \"Q R\"");
            }
            if lacks("at") && lacks("optional") {
                let message = "no at; expected squares where it must promote, such as at = \"last rank\", \
                               or optional = \"ranks 7-8\", where it may";
                self.fail(node.place, path, message);
            }
            let from = self.set(node, path, "from");
            let captures = [None, Some(true), Some(false)][self.one_of(node, path, "by", &["any", "capture", "quiet"])];
            let side = self.side(node, path);
            promotions.push(OwnPromotion { to, at, optional, from, captures, side });
        }
        promotions
    }

    pub(super) fn values(&mut self, parent: &Node, path: &str) -> Vec<(String, f64)> {
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

    pub(super) fn extra_moves(&mut self, parent: &Node, path: &str) -> Vec<ExtraMoves> {
        let mut extra = Vec::new();
        let key = join(path, "from");
        for node in self.list(parent, &key, "from") {
            self.only_known_keys(node, &key, &["squares", "move", "right"]);
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
}

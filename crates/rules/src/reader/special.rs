//! Promotion, en passant, castling, the King's jump, turns and ends.

use super::Reader;
use crate::definition::*;
use crate::piece::{Color, PieceType};
use crate::set::Set;
use crate::source::{Node, Value};
use crate::square::{Square, mirror};
use crate::text::join;

impl Reader<'_> {
    pub(super) fn promotion(&mut self, root: &Node) -> Promotion {
        let last = (0..self.files).map(|file| Square::new(file, self.ranks - 1)).collect();
        let Some(node) = self.table(root, "", "promotion") else {
            return Promotion { at: last, ..Promotion::default() };
        };
        self.only_known_keys(node, "promotion", &["at", "optional", "limit"]);
        let at = self.set(node, "promotion", "at").unwrap_or(last);
        let optional = self.set(node, "promotion", "optional").unwrap_or_default().minus(at);
        let (limited, limits) = match node.get("limit") {
            Some(Node { value: Value::Table(entries), .. }) => (false, self.promotion_limits(entries)),
            Some(_) => (self.one_of(node, "promotion", "limit", &["none", "start"]) == 1, Vec::new()),
            None => (false, Vec::new()),
        };
        Promotion { at, optional, limited, limits }
    }

    fn promotion_limits(&mut self, entries: &[(String, Node)]) -> Vec<(PieceType, u16)> {
        let mut limits = Vec::new();
        for (symbol, node) in entries {
            let path = join("promotion.limit", symbol);
            let most = self.number(node, &path, 0, 256);
            match self.symbol_at(symbol).filter(|(_, length)| *length == symbol.len()) {
                Some((kind, _)) => limits.extend(most.map(|most| (kind, most as u16))),
                None => self.fail(node.place, &path, format!("{symbol:?} is not a piece of this game")),
            }
        }
        limits
    }

    pub(super) fn en_passant(&mut self, root: &Node) -> Set {
        let Some(node) = self.table(root, "", "en_passant") else { return Set::EMPTY };
        self.only_known_keys(node, "en_passant", &["left"]);
        self.set(node, "en_passant", "left").unwrap_or_default()
    }

    pub(super) fn castlings(&mut self, root: &Node, placement: &Placement) -> Vec<CastlingDefinition> {
        let mut castlings: Vec<CastlingDefinition> = Vec::new();
        for node in self.list(root, "castling", "castling") {
            self.only_known_keys(node, "castling", &["right", "king", "rook", "side"]);
            let side = self.side(node, "castling");
            let own = side.unwrap_or(Color::White);
            let right = self.letter(node, "castling", "right", 'K');
            let (Some(king), Some(rook)) = (self.pair(node, "castling", "king"), self.pair(node, "castling", "rook"))
            else {
                continue;
            };
            for (square, name) in [(king.0, "king"), (rook.0, "rook")] {
                let there = if own == Color::White { square } else { mirror(square, self.ranks) };
                if !placement.iter().any(|(at, color, _)| *at == there && *color == own) {
                    let message = format!("{own:?} has no piece on {there} at the start");
                    self.fail(node.place, &join("castling", name), message);
                }
            }
            let level = [king.1, rook.0, rook.1].into_iter().find(|square| square.rank() != king.0.rank());
            if let Some(square) = level {
                let key = if square == king.1 { "castling.king" } else { "castling.rook" };
                self.fail(node.place, key, format!("{square} is not on the rank of {}", king.0));
            } else if rook.0 == king.0 || king.1 == rook.1 {
                let square = if rook.0 == king.0 { rook.0 } else { rook.1 };
                self.fail(node.place, "castling.rook", format!("{square} is the King's square already"));
            }
            castlings.push(CastlingDefinition { right, king, rook, side });
        }
        castlings
    }

    pub(super) fn jump(&mut self, root: &Node) -> Option<JumpDefinition> {
        let node = self.table(root, "", "royal_jump")?;
        self.only_known_keys(node, "royal_jump", &["to", "right"]);
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

    pub(super) fn turn(&mut self, root: &Node) -> TurnDefinition {
        let mut turn = TurnDefinition {
            length: TurnLength::Moves(1),
            first: None,
            may_end: false,
            may_pass: false,
            once_each: false,
            ends_on_check: false,
            command: None,
            must_capture: false,
            may_check: true,
        };
        let Some(node) = self.table(root, "", "turn") else { return turn };
        self.only_known_keys(
            node,
            "turn",
            &[
                "moves",
                "may_end",
                "may_pass",
                "once_each",
                "ends_on_check",
                "first_turn",
                "command",
                "must_capture",
                "may_check",
            ],
        );
        match node.get("moves") {
            None => {}
            Some(Node { value: Value::Text(text), .. }) if text == "royals" => turn.length = TurnLength::Royals,
            Some(moves) => match moves.value {
                Value::Integer(number @ 1..=6) => turn.length = TurnLength::Moves(number as u8),
                _ => self.expected(moves, "turn.moves", "a number from 1 to 6 or \"royals\""),
            },
        }
        if let Some(first) = node.get("first_turn") {
            turn.first = self.number(first, "turn.first_turn", 1, 6).map(|moves| moves as u8);
            if let (Some(moves), TurnLength::Moves(most)) = (turn.first, turn.length)
                && moves > most
            {
                let message =
                    format!("{moves} is more than turn.moves, {most}; White's first turn can only be shorter");
                self.fail(first.place, "turn.first_turn", message);
            }
        }
        turn.may_end = self.flag(node, "turn", "may_end", false);
        turn.may_pass = self.flag(node, "turn", "may_pass", false);
        turn.once_each = self.flag(node, "turn", "once_each", false);
        turn.ends_on_check = self.flag(node, "turn", "ends_on_check", false);
        turn.must_capture = self.flag(node, "turn", "must_capture", false);
        turn.may_check = self.flag(node, "turn", "may_check", true);
        if let Some(command) = self.table(node, "turn", "command") {
            self.only_known_keys(command, "turn.command", &["range", "royals"]);
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

    pub(super) fn end(&mut self, root: &Node) -> EndDefinition {
        let mut end = EndDefinition {
            goal: Goal::Checkmate,
            royals: Safety::Only,
            checkmate: Verdict::Loss,
            stalemate: Verdict::Draw,
            fewer_wins_stalemate: false,
            conditions: Vec::new(),
            four_points: false,
            bare_king: BareKing::default(),
            dead_positions: true,
            repetition: (3, 5),
            repetition_result: Verdict::Draw,
            perpetual_check_loses: false,
            quiet: (100, 150),
            progress: None,
        };
        let Some(node) = self.table(root, "", "end") else { return end };
        self.only_known_keys(
            node,
            "end",
            &[
                "goal",
                "royals",
                "checkmate",
                "stalemate",
                "conditions",
                "scoring",
                "bare_king",
                "dead_positions",
                "repetition",
                "repetition_result",
                "perpetual_check",
                "quiet",
                "progress",
            ],
        );
        let goals = [Goal::Checkmate, Goal::CaptureRoyals, Goal::Conditions];
        end.goal = goals[self.one_of(node, "end", "goal", &["checkmate", "capture all royals", "conditions"])];
        let safeties = [Safety::Only, Safety::Last, Safety::Every, Safety::One];
        end.royals = safeties[self.one_of(node, "end", "royals", &["only", "last", "every", "one"])];
        end.checkmate = self.verdict(node, "end", "checkmate", Verdict::Loss);
        let verdicts = ["draw", "loss", "win", "fewer pieces win"];
        let stalemate = self.one_of(node, "end", "stalemate", &verdicts);
        end.fewer_wins_stalemate = stalemate == 3;
        end.stalemate = [Verdict::Draw, Verdict::Loss, Verdict::Win, Verdict::Win][stalemate];
        end.progress = self.symbols(node, "end", "progress");
        end.conditions = self.conditions(node);
        end.four_points = self.one_of(node, "end", "scoring", &["classic", "four_points"]) == 1;
        if let Some(bare) = self.table(node, "end", "bare_king") {
            self.only_known_keys(bare, "end.bare_king", &["claim", "never"]);
            let claim = self.symbols(bare, "end.bare_king", "claim").unwrap_or_default();
            let never = self.symbols(bare, "end.bare_king", "never").unwrap_or_default();
            if end.four_points {
                end.bare_king = BareKing { claim, never };
            }
        }
        end.repetition_result = self.verdict(node, "end", "repetition_result", Verdict::Draw);
        end.perpetual_check_loses = self.one_of(node, "end", "perpetual_check", &["draw", "loss"]) == 1;
        end.dead_positions = self.flag(node, "end", "dead_positions", true);
        for (key, counts) in [("repetition", &mut end.repetition), ("quiet", &mut end.quiet)] {
            let Some(list) = node.get(key) else { continue };
            match &list.value {
                Value::List(items) => match items.iter().map(|item| &item.value).collect::<Vec<_>>()[..] {
                    [Value::Integer(claim @ 0..=10_000), Value::Integer(by_itself @ 0..=10_000)] => {
                        *counts = (*claim as u32, *by_itself as u32);
                    }
                    _ => {
                        let shown: Vec<String> = items.iter().map(|item| item.value.shown()).collect();
                        let message = format!(
                            "[{}] where two numbers up to 10000 were expected, for a claim and for the end",
                            shown.join(", ").chars().take(60).collect::<String>()
                        );
                        self.fail(list.place, &join("end", key), message);
                    }
                },
                _ => self.expected(list, &join("end", key), "a list of two numbers, such as [3, 5],"),
            }
        }
        end
    }

    fn conditions(&mut self, node: &Node) -> Vec<Condition> {
        let mut conditions = Vec::new();
        for (number, node) in self.list(node, "end.conditions", "conditions").iter().enumerate() {
            let path = format!("end.conditions.{}", number + 1);
            let Some((test, verdict)) = self.test(node, &path) else { continue };
            let verdict = self.verdict(node, &path, "result", verdict);
            let side = self.side(node, &path);
            let answer = self.flag(node, &path, "answer", false);
            conditions.push(Condition { test, verdict, side, answer });
        }
        conditions
    }

    /// Reads what a condition tests, and what it brings a side unless the file says otherwise.
    fn test(&mut self, node: &Node, path: &str) -> Option<(Test, Verdict)> {
        const TESTS: [(&str, &[&str]); 3] =
            [("extinct", &["at_most", "against"]), ("reach", &["pieces", "count"]), ("checks", &[])];
        let parts = || TESTS.iter().flat_map(|(test, keys)| [*test].into_iter().chain(keys.iter().copied()));
        let all: Vec<&str> = parts().chain(["result", "side", "answer"]).collect();
        self.only_known_keys(node, path, &all);
        let named: Vec<_> = TESTS.iter().filter(|(test, _)| node.get(test).is_some()).collect();
        let [(test, keys)] = named[..] else {
            self.fail(node.place, path, "a condition needs extinct, reach or checks, and only one of them");
            return None;
        };
        for key in parts().filter(|key| key != test && !keys.contains(key)) {
            if let Some(other) = node.get(key) {
                let message = format!("{key} is no part of a condition with {test}; leave it out");
                self.fail(other.place, &join(path, key), message);
            }
        }
        let mut count = |key: &str, low: i64, otherwise: u32| match node.get(key) {
            None => Some(otherwise),
            Some(count) => self.number(count, &join(path, key), low, 256).map(|count| count as u32),
        };
        match *test {
            "extinct" => {
                let (at_most, against) = (count("at_most", 0, 0)?, count("against", 0, 0)?);
                let kinds = self.symbols_or_all(node, path, "extinct")?;
                Some((Test::Extinct { kinds, at_most, against }, Verdict::Loss))
            }
            "reach" => {
                let count = count("count", 1, 1)?;
                let kinds = match node.get("pieces") {
                    None => Vec::new(),
                    Some(_) => self.symbols_or_all(node, path, "pieces")?,
                };
                Some((Test::Reach { squares: self.set(node, path, "reach")?, kinds, count }, Verdict::Win))
            }
            _ => {
                let checks = self.number(node.get("checks")?, &join(path, "checks"), 1, 9)?;
                Some((Test::Checks(checks as u8), Verdict::Win))
            }
        }
    }

    /// Reads letters of pieces, or `all`, for which the list is empty.
    fn symbols_or_all(&mut self, node: &Node, path: &str, key: &str) -> Option<Vec<PieceType>> {
        if matches!(&node.get(key)?.value, Value::Text(text) if text == "all") {
            return Some(Vec::new());
        }
        let kinds = self.symbols(node, path, key)?;
        if kinds.is_empty() {
            self.expected(node.get(key)?, &join(path, key), "letters of pieces, such as \"Q R\", or \"all\"");
            return None;
        }
        Some(kinds)
    }

    fn verdict(&mut self, node: &Node, path: &str, key: &str, otherwise: Verdict) -> Verdict {
        let mut verdicts = [Verdict::Win, Verdict::Draw, Verdict::Loss];
        verdicts.sort_by_key(|verdict| *verdict != otherwise);
        let names = verdicts.iter().map(|verdict| verdict.name()).collect::<Vec<_>>();
        verdicts[self.one_of(node, path, key, &names)]
    }
}

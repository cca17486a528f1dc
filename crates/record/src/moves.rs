//! Trees whose nodes are moves, as analysis boards have them: read from lists and from records, written as JSON and PGN.
//!
//! A record has a node for each turn. In games with several moves a turn, variations whose turns begin with the same
//! moves share the nodes of these moves.

use crate::start::start_tags;
use crate::tags::ROSTER;
use crate::tree::{Fault, Record, Turn};
use rules::json::{escaped, key, list, maybe, number, word};
use rules::{Board, Color, Move, MoveError, board_json};
use std::collections::HashMap;

/// Tags that a tree keeps; the others follow from the game and its start.
const TAGS: [&str; 8] = ["Event", "Site", "Date", "Round", "White", "Black", "Result", "Score"];
/// The values of tags that say nothing.
const UNKNOWN: [&str; 2] = ["?", "????.??.??"];

/// A move of a tree as it is given.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The index of the move before it, -1 for a first move.
    pub parent: i64,
    /// The move, in coordinates or SAN.
    pub text: String,
    /// What is said after it.
    pub comment: String,
    /// Its glyphs.
    pub glyphs: Vec<u8>,
}

/// Why a tree cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TreeError {
    /// The move at an index does not follow the one before it, nor one that led there.
    Order(usize),
    /// A move cannot be made.
    Move(MoveError),
    /// The tree cannot be written.
    Depth(String),
}

impl std::fmt::Display for TreeError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            TreeError::Order(_) => f.write_str(
                "moves must be in order: each after its parent, and each variation complete before the next",
            ),
            TreeError::Move(error) => error.fmt(f),
            TreeError::Depth(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for TreeError {}

/// A move of a tree in full.
#[derive(Clone, Debug)]
struct Node {
    parent: Option<usize>,
    mv: String,
    san: String,
    side: Color,
    turn: u32,
    /// The position after the move.
    fen: String,
    comment: String,
    glyphs: Vec<u8>,
}

impl Node {
    /// Makes a move on the board.
    fn make(board: &mut Board, mv: Move, parent: Option<usize>) -> Node {
        let (mv_text, san) = (board.move_text(mv), board.san(mv));
        let (side, turn) = (board.turn(), board.position().state().fullmove);
        board.push(mv);
        Node { parent, mv: mv_text, san, side, turn, fen: board.fen(), comment: String::new(), glyphs: Vec::new() }
    }

    fn write(&self, out: &mut String) {
        key(out, "{", "parent", |out| number(out, self.parent.map_or(-1, |parent| parent as i64)));
        key(out, ",", "move", |out| word(out, &self.mv));
        key(out, ",", "san", |out| word(out, &self.san));
        key(out, ",", "side", |out| word(out, self.side.name()));
        key(out, ",", "turn", |out| number(out, self.turn));
        key(out, ",", "fen", |out| word(out, &self.fen));
        key(out, ",", "comment", |out| escaped(out, &self.comment));
        key(out, ",", "nags", |out| list(out, &self.glyphs, number));
        out.push('}');
    }
}

/// Makes moves, in coordinates or SAN, and returns them and the position after them in JSON, in the shape of
/// `wire.MovesMade`.
///
/// # Errors
/// If a move is not legal.
pub fn moves_json<'a>(start: &Board, texts: impl IntoIterator<Item = &'a str>) -> Result<String, MoveError> {
    let (mut board, mut nodes) = (start.clone(), Vec::new());
    for (index, text) in texts.into_iter().enumerate() {
        let mv = board.parse_san(text)?;
        nodes.push(Node::make(&mut board, mv, index.checked_sub(1)));
    }
    Ok(format!("{{\"nodes\":{},\"position\":{}}}", written(&nodes), board_json(&board)))
}

fn written(nodes: &[Node]) -> String {
    let mut out = String::with_capacity(nodes.len() * 200);
    list(&mut out, nodes, |out, node| node.write(out));
    out
}

/// Calls back for each move of a tree with the board in the position before it; the caller makes the move.
fn walk(
    board: &mut Board,
    given: &[Given],
    mut visit: impl FnMut(&mut Board, usize, &Given) -> Result<(), TreeError>,
) -> Result<(), TreeError> {
    let mut path: Vec<usize> = Vec::new();
    for (index, node) in given.iter().enumerate() {
        while path.last().is_some_and(|last| *last as i64 != node.parent) {
            path.pop();
            board.pop();
        }
        if path.is_empty() && node.parent != -1 {
            return Err(TreeError::Order(index));
        }
        visit(board, index, node)?;
        path.push(index);
    }
    Ok(())
}

/// Reads a tree of moves from a start, and returns it in JSON, in the shape of `wire.Tree`.
///
/// # Errors
/// If a move is not legal, or the moves are not in depth-first order.
pub fn tree_json(
    start: &Board,
    given: &[Given],
    comment: &str,
    tags: &[(String, String)],
) -> Result<String, TreeError> {
    let mut nodes = Vec::with_capacity(given.len());
    walk(&mut start.clone(), given, |board, _, node| {
        let mv = board.parse_san(&node.text).map_err(TreeError::Move)?;
        let parent = usize::try_from(node.parent).ok();
        nodes.push(Node {
            comment: node.comment.clone(),
            glyphs: node.glyphs.clone(),
            ..Node::make(board, mv, parent)
        });
        Ok(())
    })?;
    let tags = tags.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    Ok(whole(start, comment, tags, &written(&nodes), &[], false))
}

/// A tree in JSON.
fn whole<'a>(
    start: &Board,
    comment: &str,
    tags: impl IntoIterator<Item = (&'a str, &'a str)>,
    nodes: &str,
    faults: &[String],
    more: bool,
) -> String {
    let (game, mut out) = (start.game(), String::with_capacity(nodes.len() + 512));
    let texts = &game.definition.texts;
    let entries = |out: &mut String, entries: &mut dyn Iterator<Item = (&str, &str)>| {
        out.push('{');
        for (at, (name, value)) in entries.enumerate() {
            out.push_str(if at > 0 { "," } else { "" });
            escaped(out, name);
            out.push(':');
            escaped(out, value);
        }
        out.push('}');
    };
    key(&mut out, "{", "game", |out| escaped(out, &texts.id));
    key(&mut out, ",", "options", |out| entries(out, &mut game.chosen()));
    key(&mut out, ",", "name", |out| escaped(out, &texts.name));
    key(&mut out, ",", "rules_hash", |out| word(out, &format!("{:016x}", game.rules.hash)));
    // Not the root's, which is before the moves of a turn that is not over.
    key(&mut out, ",", "start_fen", |out| word(out, &start.fen()));
    key(&mut out, ",", "setup", |out| maybe(out, start.setup_name(), |out, name| escaped(out, &name)));
    key(&mut out, ",", "comment", |out| escaped(out, comment));
    key(&mut out, ",", "tags", |out| entries(out, &mut tags.into_iter()));
    key(&mut out, ",", "nodes", |out| out.push_str(nodes));
    key(&mut out, ",", "faults", |out| list(out, faults, |out, fault| escaped(out, fault)));
    key(&mut out, ",", "more", |out| number(out, more));
    out.push('}');
    out
}

impl Record {
    /// The record as a tree of at most so many moves in JSON, in the shape of `wire.Tree`; `None` if its start is unknown.
    /// `more` says whether the text has another record.
    pub fn tree_json(&self, most: usize, more: bool) -> Option<String> {
        let start = self.start.as_ref()?;
        let told = |fault: &Fault| format!("line {}, column {}: {}", fault.line, fault.column, fault.message);
        let mut faults: Vec<String> = self.errors.iter().map(told).collect();
        let nodes = written(&depth_first(self.nodes(start.clone(), most, &mut faults)));
        let tags = self.tags.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let by_moves = self.result.map(|result| ("Result", result));
        let found: HashMap<&str, &str> = [("Result", "*")].into_iter().chain(tags).chain(by_moves).collect();
        let kept = TAGS.into_iter().filter_map(|name| Some((name, *found.get(name)?)));
        let kept = kept.filter(|(_, value)| !UNKNOWN.contains(value));
        Some(whole(start, &self.comment, kept, &nodes, &faults, more))
    }

    fn nodes(&self, mut board: Board, most: usize, faults: &mut Vec<String>) -> Vec<Node> {
        let (first, after) = self.children();
        let mut nodes: Vec<Node> = Vec::new();
        // The index of each move after another.
        let mut known: HashMap<(Option<usize>, Move), usize> = HashMap::new();
        let mut path: Vec<usize> = Vec::new();
        let mut stack: Vec<(usize, Option<usize>)> = first.iter().rev().map(|turn| (*turn, None)).collect();
        'turns: while let Some((index, mut parent)) = stack.pop() {
            let turn = &self.turns[index];
            while path.last().copied() != parent {
                path.pop();
                board.pop();
            }
            if turn.moves.contains(&Move::NULL) {
                let number = board.position().state().fullmove;
                faults.push(format!("move {number}: a null move and everything after it were skipped"));
                continue;
            }
            for mv in &turn.moves {
                let at = match known.get(&(parent, *mv)) {
                    Some(at) => {
                        board.push(*mv);
                        *at
                    }
                    None if nodes.len() == most => {
                        faults.push(format!("the PGN has more than {most} moves; the rest was skipped"));
                        break 'turns;
                    }
                    None => {
                        nodes.push(Node::make(&mut board, *mv, parent));
                        known.insert((parent, *mv), nodes.len() - 1);
                        nodes.len() - 1
                    }
                };
                path.push(at);
                parent = Some(at);
            }
            let last = &mut nodes[parent.expect("a turn has moves")];
            for comment in [&turn.starting_comment, &turn.comment].into_iter().filter(|comment| !comment.is_empty()) {
                if !last.comment.is_empty() {
                    last.comment.push('\n');
                }
                last.comment += comment;
            }
            last.glyphs.extend(&turn.glyphs);
            last.glyphs.sort_unstable();
            last.glyphs.dedup();
            stack.extend(after[index].iter().rev().map(|child| (*child, parent)));
        }
        nodes
    }
}

/// Sorts moves into depth-first order, which shared beginnings of turns may have broken.
fn depth_first(nodes: Vec<Node>) -> Vec<Node> {
    let (mut first, mut after) = (Vec::new(), vec![Vec::new(); nodes.len()]);
    for (index, node) in nodes.iter().enumerate() {
        node.parent.map_or(&mut first, |parent| &mut after[parent]).push(index);
    }
    let mut nodes: Vec<Option<Node>> = nodes.into_iter().map(Some).collect();
    let mut sorted = Vec::with_capacity(nodes.len());
    let mut stack: Vec<(usize, Option<usize>)> = first.iter().rev().map(|index| (*index, None)).collect();
    while let Some((index, parent)) = stack.pop() {
        let node = nodes[index].take().expect("each has one parent");
        sorted.push(Node { parent, ..node });
        let at = sorted.len() - 1;
        stack.extend(after[index].iter().rev().map(|child| (*child, Some(at))));
    }
    sorted
}

/// Writes a tree of moves as PGN. Comments on moves inside a turn come after the turn.
///
/// # Errors
/// If a move is not legal, the moves are not in depth-first order, or variations are nested too deeply.
pub fn tree_pgn(start: &Board, given: &[Given], comment: &str, tags: &[(String, String)]) -> Result<String, TreeError> {
    let mut record = Record { start: Some(start.clone()), comment: comment.into(), ..Record::default() };
    let mut inner = vec![false; given.len()];
    for node in given {
        if let Some(parent) = usize::try_from(node.parent).ok().and_then(|parent| inner.get_mut(parent)) {
            *parent = true;
        }
    }
    // For every move the turn that follows it, with the moves up to it.
    let open = |parent| Turn {
        parent,
        moves: Vec::new(),
        unfinished: true,
        starting_comment: String::new(),
        comment: String::new(),
        glyphs: Vec::new(),
    };
    let mut turns: Vec<Turn> = Vec::with_capacity(given.len());
    walk(&mut start.clone(), given, |board, index, node| {
        let mut turn = usize::try_from(node.parent).ok().map_or_else(|| open(None), |parent| turns[parent].clone());
        let side = board.turn();
        turn.moves.push(board.push_text(&node.text).map_err(TreeError::Move)?);
        if !node.comment.is_empty() {
            let before = if turn.comment.is_empty() { "" } else { "\n" };
            turn.comment += &format!("{before}{}", node.comment);
        }
        turn.glyphs.extend(&node.glyphs);
        let over = board.turn() != side || !board.position().has_move(&board.game().rules);
        turns.push(if over || !inner[index] {
            record.turns.push(Turn { unfinished: !over, ..turn });
            open(Some(record.turns.len() - 1))
        } else {
            turn
        });
        Ok(())
    })?;
    let given = |name: &str| tags.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str());
    let usual = |name: &str| match name {
        "Date" => "????.??.??",
        "Result" => "*",
        _ => "?",
    };
    let own = start_tags(start);
    let roster = ROSTER.into_iter().map(|name| (name, given(name).unwrap_or(usual(name))));
    let starts = own.iter().map(|(name, value)| (*name, value.as_str()));
    let others = TAGS.into_iter().filter(|name| !ROSTER.contains(name)).filter_map(|name| Some((name, given(name)?)));
    let all: Vec<(&str, &str)> = roster.chain(starts).chain(others).collect();
    record.write(&all, given("Result").unwrap_or("*")).map_err(TreeError::Depth)
}

/// A turn of a tree as it is given: the moves in coordinates.
#[derive(Clone, Debug, Default)]
pub struct GivenTurn {
    /// The index of the turn before it, -1 for a first turn.
    pub parent: i64,
    /// Its moves, in coordinates, joined by commas.
    pub moves: String,
    /// Whether more moves must follow.
    pub unfinished: bool,
    /// The comment before it.
    pub starting_comment: String,
    /// The comment after it.
    pub comment: String,
    /// Its glyphs.
    pub glyphs: Vec<u8>,
}

impl Record {
    /// Makes a record without tags of turns in depth-first order.
    ///
    /// # Errors
    /// If a move is not legal, or the turns are not in order.
    pub fn of_turns(start: Board, comment: &str, given: Vec<GivenTurn>) -> Result<Record, TreeError> {
        let mut record = Record { start: Some(start.clone()), comment: comment.into(), ..Record::default() };
        let (mut board, mut path) = (start, Vec::<usize>::new());
        for (index, given) in given.into_iter().enumerate() {
            let GivenTurn { parent, moves, unfinished, starting_comment, comment, glyphs } = given;
            while path.last().is_some_and(|last| *last as i64 != parent) {
                let last = path.pop().expect("looked at");
                for _ in &record.turns[last].moves {
                    board.pop();
                }
            }
            if path.is_empty() && parent != -1 {
                return Err(TreeError::Order(index));
            }
            let moves: Result<Vec<Move>, MoveError> = moves.split(',').map(|text| board.push_text(text)).collect();
            let (parent, moves) = (path.last().copied(), moves.map_err(TreeError::Move)?);
            record.turns.push(Turn { parent, moves, unfinished, starting_comment, comment, glyphs });
            path.push(index);
        }
        Ok(record)
    }
}

//! A definition file as a tree whose nodes know their lines.

use crate::limits::MAX_DEFINITION;
use crate::text::join;
use crate::text::shorten;
use std::fmt;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The most bytes of a stored definition, which has what it extends in it, and is written in other words.
pub const MAX_STORED_BYTES: usize = 4 * MAX_DEFINITION;

/// A place in a definition file, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// Which of the files that make up a definition; 0 is the file itself, the others are those that it extends.
    pub file: u8,
    /// The line.
    pub line: u32,
    /// The column, in bytes.
    pub column: u32,
}

/// A fault of a definition: where it is, what was found and what was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The file's name as it was given.
    pub file: String,
    /// The line, from 1; 0 if the fault is not in the file but in the request, such as an unknown option.
    pub line: u32,
    /// The column, from 1; 0 with line 0.
    pub column: u32,
    /// The key, dotted from the top; empty where the file itself cannot be read.
    pub key: String,
    /// What was found and what was expected.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: ", self.file)?,
            line => write!(f, "{}:{line}:{}: ", self.file, self.column)?,
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&self.message)
    }
}

/// A value with its place.
#[derive(Clone, Debug)]
pub struct Node {
    /// Where it stands.
    pub place: Place,
    /// The value.
    pub value: Value,
}

/// What a definition file can hold.
#[derive(Clone, Debug)]
pub enum Value {
    /// A string.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A number.
    Float(f64),
    /// `true` or `false`.
    Flag(bool),
    /// An array.
    List(Vec<Node>),
    /// A table, in the order of the file.
    Table(Vec<(String, Node)>),
}

impl Value {
    /// The value as a fault message shows it: its type and, shortened, its text.
    pub fn shown(&self) -> String {
        match self {
            Value::Text(text) if text.chars().count() > 40 => {
                format!("{:?}...", text.chars().take(40).collect::<String>())
            }
            Value::Text(text) => format!("{text:?}"),
            Value::Integer(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            Value::Flag(flag) => flag.to_string(),
            Value::List(_) => "a list".into(),
            Value::Table(_) => "a table".into(),
        }
    }
}

impl Node {
    /// The entry of a table.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Table(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, node)| node),
            _ => None,
        }
    }

    /// The entry at a dotted path.
    pub fn at(&self, path: &str) -> Option<&Node> {
        path.split('.').try_fold(self, |node, key| node.get(key))
    }

    /// Removes the entry at a dotted path; returns whether it existed.
    pub fn remove(&mut self, path: &str) -> bool {
        let (parent, key) = path.rsplit_once('.').unwrap_or(("", path));
        let Some(Value::Table(entries)) = self.find_mut(parent).map(|node| &mut node.value) else { return false };
        let before = entries.len();
        entries.retain(|(name, _)| name != key);
        entries.len() < before
    }

    fn find_mut(&mut self, path: &str) -> Option<&mut Node> {
        let mut node = self;
        for key in path.split('.').filter(|key| !key.is_empty()) {
            let Value::Table(entries) = &mut node.value else { return None };
            node = entries.iter_mut().find(|(name, _)| name == key).map(|(_, node)| node)?;
        }
        Some(node)
    }

    /// Sets a value at a dotted path, creating tables on the way.
    pub fn put(&mut self, path: &str, new: Node) {
        let mut overlay = new;
        for key in path.rsplit('.') {
            overlay = Node { place: overlay.place, value: Value::Table(vec![(key.to_string(), overlay)]) };
        }
        self.overlay(&overlay);
    }

    /// The tree as TOML: a line for each key of the tables at the top.
    pub fn to_toml(&self) -> String {
        let Value::Table(entries) = &self.value else { return self.inline() };
        let mut text = String::new();
        // Keys without a table come first, or they would belong to the table before them.
        for (name, node) in entries.iter().filter(|(_, node)| !matches!(node.value, Value::Table(_))) {
            text += &format!("{} = {}\n", written_key(name), node.inline());
        }
        for (name, node) in entries {
            let Value::Table(entries) = &node.value else { continue };
            text += &format!("[{}]\n", written_key(name));
            for (name, node) in entries {
                text += &format!("{} = {}\n", written_key(name), node.inline());
            }
        }
        text
    }

    fn inline(&self) -> String {
        match &self.value {
            Value::Text(text) => quoted(text),
            Value::Integer(number) => number.to_string(),
            Value::Float(number) => format!("{number:?}").to_lowercase(),
            Value::Flag(flag) => flag.to_string(),
            Value::List(items) => format!("[{}]", items.iter().map(Node::inline).collect::<Vec<_>>().join(", ")),
            Value::Table(entries) => {
                let entries = entries.iter().map(|(name, node)| format!("{} = {}", written_key(name), node.inline()));
                format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// Lays another tree over this one: tables merge, everything else is replaced.
    pub fn overlay(&mut self, other: &Node) {
        match (&mut self.value, &other.value) {
            (Value::Table(mine), Value::Table(theirs)) => {
                for (key, node) in theirs {
                    match mine.iter_mut().find(|(name, _)| name == key) {
                        Some((_, old)) => old.overlay(node),
                        None => mine.push((key.clone(), node.clone())),
                    }
                }
            }
            _ => *self = other.clone(),
        }
    }
}

fn written_key(key: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if !key.is_empty() && key.bytes().all(is_bare) { key.to_string() } else { quoted(key) }
}

/// A text as TOML writes it between quotation marks.
fn quoted(text: &str) -> String {
    let mut written = String::from('"');
    for sign in text.chars() {
        match sign {
            '"' | '\\' => written.extend(['\\', sign]),
            '\n' => written += "\\n",
            _ if sign.is_control() => written += &format!("\\u{:04X}", u32::from(sign)),
            _ => written.push(sign),
        }
    }
    written.push('"');
    written
}

/// Reads TOML into a tree.
///
/// # Errors
/// Faults for a file over 64 KiB and for every place that is not TOML.
pub fn read(text: &str, name: &str, file: u8) -> Result<Node, Vec<Fault>> {
    read_up_to(MAX_DEFINITION, text, name, file)
}

/// Reads TOML of at most some bytes into a tree.
///
/// # Errors
/// Faults for a longer text and for every place that is not TOML.
pub fn read_up_to(limit: usize, text: &str, name: &str, file: u8) -> Result<Node, Vec<Fault>> {
    Ok(parse(limit, text, name, file)?.0)
}

/// Reads TOML as [`read_up_to`], and returns also the table in which everything has its bytes.
pub(crate) fn parse<'t>(limit: usize, text: &'t str, name: &str, file: u8) -> Result<(Node, DeTable<'t>), Vec<Fault>> {
    let fault = |place: Place, key: String, message: String| Fault {
        file: name.to_string(),
        line: place.line,
        column: place.column,
        key,
        message,
    };
    if text.len() > limit {
        let message = format!("the file has {} bytes; a definition has at most {limit}", text.len());
        return Err(vec![fault(Place { file, line: 1, column: 1 }, String::new(), message)]);
    }
    let lines: Vec<usize> = std::iter::once(0)
        .chain(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(offset, _)| offset + 1))
        .collect();
    let place = |offset: usize| {
        let line = lines.partition_point(|start| *start <= offset).max(1);
        Place { file, line: line as u32, column: (offset - lines[line - 1] + 1) as u32 }
    };
    let (table, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return Err(errors
            .into_iter()
            .take(20)
            .map(|error| {
                let at = place(error.span().map_or(0, |span| span.start.min(text.len())));
                fault(at, header(text, at.line), format!("not TOML: {}", error.message()))
            })
            .collect());
    }
    let mut faults = Vec::new();
    let node = table_node(table.get_ref(), table.span().start, "", &place, &mut |at, key, message| {
        faults.push(fault(at, key, message));
    });
    if faults.is_empty() { Ok((node, table.into_inner())) } else { Err(faults) }
}

fn table_node(
    table: &DeTable,
    start: usize,
    path: &str,
    place: &impl Fn(usize) -> Place,
    fail: &mut impl FnMut(Place, String, String),
) -> Node {
    let mut entries: Vec<(usize, String, Node)> = table
        .iter()
        .map(|(key, value)| {
            let at = key.span().start;
            let mut node = node(value, &join(path, key.get_ref()), place, fail);
            if matches!(node.value, Value::Table(_)) {
                node.place = place(at);
            }
            (at, key.get_ref().to_string(), node)
        })
        .collect();
    entries.sort_by_key(|(at, _, _)| *at);
    let entries = entries.into_iter().map(|(_, key, node)| (key, node)).collect();
    Node { place: place(start), value: Value::Table(entries) }
}

fn node(
    value: &Spanned<DeValue>,
    path: &str,
    place: &impl Fn(usize) -> Place,
    fail: &mut impl FnMut(Place, String, String),
) -> Node {
    let start = value.span().start;
    let value = match value.get_ref() {
        DeValue::String(text) => Value::Text(text.replace("\r\n", "\n")),
        DeValue::Integer(number) => match i64::from_str_radix(&number.as_str().replace('_', ""), number.radix()) {
            Ok(number) => Value::Integer(number),
            Err(_) => {
                fail(place(start), path.to_string(), format!("the number {} is too large", shorten(number.as_str())));
                Value::Integer(0)
            }
        },
        DeValue::Float(number) => Value::Float(number.as_str().replace('_', "").parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(flag) => Value::Flag(*flag),
        DeValue::Datetime(date) => Value::Text(date.to_string()),
        DeValue::Array(list) => Value::List(list.iter().map(|item| node(item, path, place, fail)).collect()),
        DeValue::Table(table) => return table_node(table, start, path, place, fail),
    };
    Node { place: place(start), value }
}

/// The table that a line opens, if it opens one.
fn header(text: &str, line: u32) -> String {
    let line = text.lines().nth(line as usize - 1).unwrap_or("").trim();
    let name = line.strip_prefix('[').and_then(|rest| rest.split_once(']')).map_or("", |(name, _)| name);
    name.chars().filter(|c| !c.is_control()).take(60).collect()
}

//! PGN as text: tags, turns, glyphs and comments in lines of limited length.

use crate::tree::{Record, Turn};
use rules::limits::MAX_DEPTH;

/// Writes a record, part by part in the order of the text.
///
/// ```
/// let mut writer = record::Writer::new(Some(80));
/// writer.tag("White", "Ana \"la Torre\" Lopez");
/// writer.turn(1, true, "e4", false);
/// writer.glyph(1);
/// writer.comment("Best by test.");
/// writer.result("*");
/// assert_eq!(writer.text(), "[White \"Ana \\\"la Torre\\\" Lopez\"]\n\n1. e4 $1 { Best by test. } *");
/// ```
#[derive(Clone, Debug)]
pub struct Writer {
    /// The most characters of a line; `None` for no line breaks.
    columns: Option<usize>,
    tags: String,
    units: Vec<Unit>,
    /// Whether Black's turn needs no number, since White's turn comes right before it.
    follows: bool,
    /// Whether the next unit opens a variation.
    opens: bool,
}

/// What stands between places where a line may be broken.
#[derive(Clone, Debug)]
enum Unit {
    Text(String),
    /// The end of a line, wherever it stands.
    Break,
}

impl Writer {
    /// Returns a writer of lines with at most so many characters.
    pub fn new(columns: Option<usize>) -> Writer {
        Writer { columns, tags: String::new(), units: Vec::new(), follows: false, opens: false }
    }

    /// Writes a tag.
    pub fn tag(&mut self, name: &str, value: &str) {
        self.tags += &format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""));
    }

    /// Writes a turn: the number that it has, its side, and itself in SAN.
    pub fn turn(&mut self, number: u32, white: bool, san: &str, unfinished: bool) {
        if white || !self.follows {
            self.put(format!("{number}{}", if white { "." } else { "..." }));
        }
        self.put(format!("{san}{}", if unfinished { "," } else { "" }));
        self.follows = white;
    }

    /// Writes a glyph behind a turn.
    pub fn glyph(&mut self, glyph: u8) {
        self.put(format!("${glyph}"));
    }

    /// Writes a comment line by line; a line with a closing brace follows a semicolon.
    pub fn comment(&mut self, comment: &str) {
        self.follows = false;
        for line in comment.split('\n') {
            if line.contains('}') {
                self.put(format!("; {line}"));
                self.units.push(Unit::Break);
            } else if line.is_empty() {
                self.put("{}".into());
            } else {
                breakable(&format!("{{ {line} }}")).for_each(|unit| self.put(unit.into()));
            }
        }
    }

    /// Opens a variation.
    pub fn open(&mut self) {
        (self.opens, self.follows) = (true, false);
    }

    /// Closes a variation.
    pub fn close(&mut self) {
        match self.units.last_mut() {
            Some(Unit::Text(text)) => text.push(')'),
            _ => self.units.push(Unit::Text(")".into())),
        }
        self.follows = false;
    }

    /// Writes the result.
    pub fn result(&mut self, result: &str) {
        self.units.push(Unit::Text(result.into()));
    }

    fn put(&mut self, unit: String) {
        let opens = std::mem::take(&mut self.opens);
        self.units.push(Unit::Text(if opens { format!("({unit}") } else { unit }));
    }

    /// The text so far, without a line break at its end.
    pub fn text(&self) -> String {
        let mut text = self.tags.clone();
        if !text.is_empty() {
            text.push('\n');
        }
        let mut width = 0;
        for unit in &self.units {
            let Unit::Text(unit) = unit else {
                text.push('\n');
                width = 0;
                continue;
            };
            let length = unit.chars().count();
            if width > 0 {
                let full = self.columns.is_some_and(|columns| width + 1 + length > columns);
                text.push(if full { '\n' } else { ' ' });
                width = if full { 0 } else { width + 1 };
            }
            text += unit;
            width += length;
        }
        text
    }
}

/// The parts of a line of a comment between which it may be broken: at single spaces, but not before what means something
/// else at the start of a line.
fn breakable(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let text = rest?;
        let mut before = None;
        let mut letters = text.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            let after = letters.peek().map(|(_, after)| *after);
            let breaks = letter == ' '
                && before.is_some_and(|before: char| !before.is_whitespace())
                && after.is_some_and(|after| !after.is_whitespace() && !matches!(after, '%' | '['));
            if breaks {
                rest = Some(&text[at + 1..]);
                return Some(&text[..at]);
            }
            before = Some(letter);
        }
        rest = None;
        Some(text)
    })
}

enum Task<'a> {
    /// The turns that follow one, the main line first.
    Line(&'a [usize]),
    Turn(usize),
    Variation(usize),
    Close,
}

impl Record {
    /// Writes the record with these tags in lines of at most 80 characters.
    ///
    /// # Errors
    /// If variations are nested too deeply to be read again.
    pub fn write(&self, tags: &[(&str, &str)], result: &str) -> Result<String, String> {
        let mut writer = Writer::new(Some(80));
        tags.iter().for_each(|(name, value)| writer.tag(name, value));
        if !self.comment.is_empty() {
            writer.comment(&self.comment);
        }
        let mut heads = Vec::with_capacity(self.turns.len());
        self.walk(|turn, board| {
            let number = board.position().state().fullmove;
            heads.push((number, board.turn() == rules::Color::White, board.turn_san(&turn.moves)));
        });
        let (first, after) = self.children();
        let (mut tasks, mut depth) = (vec![Task::Line(&first)], 0);
        while let Some(task) = tasks.pop() {
            match task {
                Task::Line(turns) => {
                    let Some((main, others)) = turns.split_first() else { continue };
                    tasks.push(Task::Line(&after[*main]));
                    tasks.extend(others.iter().rev().map(|other| Task::Variation(*other)));
                    tasks.push(Task::Turn(*main));
                }
                Task::Turn(index) => {
                    let Turn { unfinished, starting_comment, comment, glyphs, .. } = &self.turns[index];
                    if !starting_comment.is_empty() {
                        writer.comment(starting_comment);
                    }
                    let (number, white, san) = &heads[index];
                    writer.turn(*number, *white, san, *unfinished);
                    let mut glyphs = glyphs.clone();
                    glyphs.sort_unstable();
                    glyphs.dedup();
                    glyphs.into_iter().for_each(|glyph| writer.glyph(glyph));
                    if !comment.is_empty() {
                        writer.comment(comment);
                    }
                }
                Task::Variation(_) if depth == MAX_DEPTH => {
                    return Err(format!("more than {MAX_DEPTH} variations inside one another"));
                }
                Task::Variation(index) => {
                    depth += 1;
                    writer.open();
                    tasks.extend([Task::Close, Task::Line(&after[index]), Task::Turn(index)]);
                }
                Task::Close => {
                    depth -= 1;
                    writer.close();
                }
            }
        }
        writer.result(result);
        Ok(writer.text())
    }
}

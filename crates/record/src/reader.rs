//! Reading records one after the other.

use crate::bounds::Part;
use crate::lexer::{Kind, Lexer, Token};
use crate::reading::Reading;
use crate::tags::START_TAGS;
use crate::text::quoted;
use crate::tree::{Fault, Record};
use rules::Board;
use rules::limits::MAX_ERRORS;

/// What a reader needs next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// More text, or the word that there is none.
    More,
    /// The start of the record, whose tags are known.
    Start,
    /// Nothing: a record is complete, or none is left.
    Done,
}

/// Reads records from text that comes in pieces. It reads no further than the empty line after a result.
pub struct Reader {
    lexer: Lexer,
    /// The first token of the next record.
    held: Option<Token>,
    reading: Reading,
    /// Whether a record was read.
    is_later: bool,
    /// Errors behind the record before.
    late: Vec<Fault>,
}

impl Default for Reader {
    fn default() -> Reader {
        Reader::new()
    }
}

impl Reader {
    /// Returns a reader at the beginning of a text.
    pub fn new() -> Reader {
        Reader { lexer: Lexer::new(), held: None, reading: Reading::new(false), is_later: false, late: Vec::new() }
    }

    /// Appends text, UTF-8 or Latin-1.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.lexer.feed(bytes);
    }

    /// Says that no more text follows.
    pub fn end(&mut self) {
        self.lexer.end();
    }

    /// Reads on. With `tags_only`, moves and comments are skipped.
    pub fn step(&mut self, tags_only: bool) -> Step {
        self.reading.tags_only = tags_only;
        if self.reading.done {
            return self.reading.finish();
        }
        loop {
            let Some(token) = self.held.take().or_else(|| self.lexer.next()) else {
                return if !self.lexer.is_done() { Step::More } else { self.reading.finish() };
            };
            let reading = &mut self.reading;
            let strayed = reading.bounds.straying;
            let part = reading.bounds.take(&token, |name| reading.tags.has(name));
            match part {
                Part::Next => {
                    if token.kind != Kind::Blank {
                        self.held = Some(token);
                    }
                    return self.reading.finish();
                }
                Part::Stray if !strayed && self.is_later => {
                    let message = format!("{} belongs to no game; a game begins with tags or 1.", quoted(&token.text));
                    self.late.push(Fault { line: token.line, column: token.column, message });
                }
                Part::Stray if !strayed => {
                    let message = format!("{} is no tag and no move", quoted(&token.text));
                    reading.pending = Some(token.error(message));
                }
                Part::Surplus if !strayed => {
                    let message = format!("{} stands after the result", quoted(&token.text));
                    reading.pending = Some(token.error(message));
                }
                Part::Stray | Part::Surplus => {}
                Part::Misplaced(message) => {
                    let is_too_late =
                        token.kind == Kind::Tag && reading.bounds.moving && START_TAGS.contains(&token.text.as_str());
                    let left_out = if is_too_late { "; it is left out" } else { "" };
                    reading.feed(token.error(format!("{message}{left_out}")));
                    reading.pending = Some(token).filter(|_| !is_too_late);
                }
                Part::Inside => reading.pending = Some(token),
            }
            if !self.reading.go_on() {
                return Step::Start;
            }
        }
    }

    /// The tags that say where the record starts.
    pub fn start_tags(&self) -> &[(String, String)] {
        &self.reading.tags.start
    }

    /// Gives the position before the first turn, `None` if it cannot be known, and what is wrong in tags.
    pub fn begin(&mut self, start: Option<Board>, faults: &[(&str, String)]) {
        let reading = &mut self.reading;
        for (name, message) in faults {
            let (line, column) = reading.tags.place(name).unwrap_or(reading.place);
            reading.note(line, column, message.clone());
        }
        reading.begin(start);
        if !reading.done {
            reading.go_on();
        }
    }

    /// Takes the record that is complete; `None` if none is left.
    pub fn take(&mut self) -> Option<Record> {
        let is_record = self.reading.bounds.is_record();
        let reading = std::mem::replace(&mut self.reading, Reading::new(self.is_later || is_record));
        self.is_later |= is_record;
        is_record.then_some(reading.record)
    }

    /// Completes the record that was taken last by the errors behind it, once the next one has been read or none is left.
    /// Returns it, and whether there was a next one.
    pub fn followed(&mut self, mut record: Record) -> (Record, bool) {
        let more = self.take().is_some();
        let left = MAX_ERRORS.saturating_sub(record.errors.len());
        record.errors.extend(self.late_errors().into_iter().take(left));
        (record, more)
    }

    /// Takes what was found wrong since the record before the last one that was taken: it belongs to that record.
    pub fn late_errors(&mut self) -> Vec<Fault> {
        std::mem::take(&mut self.late)
    }
}

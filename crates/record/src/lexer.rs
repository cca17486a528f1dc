//! The tokens of PGN text, which may come in pieces.

use crate::glyphs;
use crate::text::quoted;
use rules::limits::{MAX_COMMENT, MAX_TAG_VALUE};
use std::collections::VecDeque;

/// The most of a line that is read at once, in bytes.
pub const CHUNK: usize = 64 * 1024;
/// The longest tag, even if every character of its value is escaped.
const TAG_ROOM: usize = 4 * MAX_TAG_VALUE;
/// The byte order mark.
const MARK: &[u8] = b"\xef\xbb\xbf";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// `text` is its name and `value` its value.
    Tag,
    Comment,
    Open,
    Close,
    Glyph,
    /// A move number; `fresh` is whether it can begin a game: it is `1.`.
    Number {
        fresh: bool,
    },
    Turn,
    Result,
    /// An empty line.
    Blank,
    /// Reading continues after it; the text is the message.
    Error,
}

#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    pub text: String,
    pub value: String,
    /// From 1, in characters.
    pub line: usize,
    pub column: usize,
    /// Whether nothing but white space precedes it on its line.
    pub first: bool,
}

impl Token {
    /// An error at the place of this token.
    pub fn error(&self, message: String) -> Token {
        Token { kind: Kind::Error, text: message, value: String::new(), ..*self }
    }
}

/// A line or a part of one.
#[derive(Default)]
struct Piece {
    text: String,
    is_ascii: bool,
    /// Whether it begins its line, and ends it.
    first: bool,
    last: bool,
}

/// A comment that is being read: from `{` to `}`, or from `;` to the end of the line.
struct Comment {
    brace: bool,
    text: String,
    room: isize,
    after_empty_line: bool,
    place: (usize, usize),
    first: bool,
}

pub(crate) struct Lexer {
    input: Vec<u8>,
    /// Where the unread part of the input begins.
    read: usize,
    ended: bool,
    started: bool,
    piece: Piece,
    /// Where the unread part of the piece begins, and its column.
    at: usize,
    line: usize,
    column: usize,
    /// Whether the last piece ended its line.
    new_line: bool,
    /// Whether a token has begun on this line.
    any_on_line: bool,
    /// Whether the rest of the line is left out: it begins with `%`.
    escaped: bool,
    comment: Option<Comment>,
    /// Whether the piece has not been looked at yet.
    entered: bool,
    /// Tokens that come before what is unread.
    waiting: VecDeque<Token>,
    done: bool,
}

impl Lexer {
    pub fn new() -> Lexer {
        Lexer {
            input: Vec::new(),
            read: 0,
            ended: false,
            started: false,
            piece: Piece::default(),
            at: 0,
            line: 0,
            column: 1,
            new_line: true,
            any_on_line: false,
            escaped: false,
            comment: None,
            entered: false,
            waiting: VecDeque::new(),
            done: false,
        }
    }

    /// Appends text: UTF-8, or Latin-1 where a line is not valid UTF-8.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.input.drain(..self.read);
        self.read = 0;
        self.input.extend_from_slice(bytes);
    }

    /// Says that no more text follows.
    pub fn end(&mut self) {
        self.ended = true;
    }

    /// Whether all text was fed and read.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Returns the next token; `None` if more text is needed, or none is left.
    pub fn next(&mut self) -> Option<Token> {
        loop {
            if let Some(token) = self.waiting.pop_front() {
                return Some(token);
            }
            if self.entered || self.at < self.piece.text.len() {
                self.entered = false;
                if let Some(token) = self.next_in_piece() {
                    return Some(token);
                }
            } else if !self.next_piece() {
                if !self.ended || self.done {
                    return None;
                }
                self.done = true;
                if let Some(comment) = self.comment.take() {
                    self.tell(comment, false);
                }
            }
        }
    }

    /// Goes on to the next piece; returns whether there is one yet.
    fn next_piece(&mut self) -> bool {
        let rest = &self.input[self.read..];
        if !self.started {
            if rest.len() < MARK.len() && MARK.starts_with(rest) && !self.ended {
                return false;
            }
            self.started = true;
            self.read += if rest.starts_with(MARK) { MARK.len() } else { 0 };
        }
        let rest = &self.input[self.read..];
        let window = &rest[..rest.len().min(CHUNK)];
        let end = window.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let (length, skipped) = match end {
            // Whether a line feed follows is not known yet.
            Some(end) if window[end] == b'\r' && end + 1 == rest.len() && !self.ended => return false,
            Some(end) if rest[end..].starts_with(b"\r\n") => (end, 2),
            Some(end) => (end, 1),
            None if rest.len() >= CHUNK => (cut(window), 0),
            None if self.ended && (!rest.is_empty()) => (rest.len(), 0),
            None => return false,
        };
        let text = decode(&rest[..length]);
        let first = self.new_line;
        if first {
            (self.line, self.column) = (self.line + 1, 1);
            self.any_on_line = false;
        }
        let last = skipped > 0 || (self.ended && self.read + length == self.input.len());
        self.piece = Piece { is_ascii: text.is_ascii(), text, first, last };
        self.at = 0;
        self.new_line = last;
        self.read += length + skipped;
        self.enter_piece();
        true
    }

    fn enter_piece(&mut self) {
        self.entered = true;
        let text = &self.piece.text;
        let closes = |comment: &mut Comment| comment.brace && comment.after_empty_line && is_next_game(text);
        if let Some(comment) = self.comment.take_if(closes) {
            self.tell(comment, false);
        }
        if self.piece.first {
            self.escaped = self.comment.is_none() && self.piece.text.starts_with('%');
            if self.comment.is_none() && self.piece.last && self.piece.text.trim().is_empty() {
                self.waiting.push_back(self.token(Kind::Blank, String::new()));
            }
        }
        if self.escaped {
            (self.at, self.entered) = (self.piece.text.len(), false);
        }
    }

    /// Reads on in a comment, which may end in this piece.
    fn read_comment(&mut self, mut comment: Comment) {
        let text = &self.piece.text[self.at..];
        let end = if comment.brace { text.find('}') } else { None };
        comment.add(&text[..end.unwrap_or(text.len())]);
        comment.after_empty_line = self.piece.first && self.piece.last && self.piece.text.trim().is_empty();
        self.advance(end.map_or(text.len(), |end| end + 1));
        if end.is_some() || (self.piece.last && !comment.brace) {
            return self.tell(comment, true);
        }
        if self.piece.last {
            comment.add(" ");
        }
        self.comment = Some(comment);
    }

    /// Queues a comment, without the one space that may follow or precede each brace, and its error.
    fn tell(&mut self, comment: Comment, closed: bool) {
        let mut text = comment.text.strip_prefix(' ').unwrap_or(&comment.text);
        if comment.brace && closed {
            text = text.strip_suffix(' ').unwrap_or(text);
        }
        let (line, column) = comment.place;
        let count = text.chars().count();
        let message = match closed || !comment.brace {
            false => Some("the comment is not closed".to_string()),
            true if count > MAX_COMMENT || comment.room < -2 => {
                Some(format!("the comment has more than {MAX_COMMENT} characters"))
            }
            true => None,
        };
        let token = |kind, text| Token { kind, text, value: String::new(), line, column, first: comment.first };
        self.waiting.push_back(token(Kind::Comment, text.chars().take(MAX_COMMENT).collect()));
        self.waiting.extend(message.map(|message| token(Kind::Error, message)));
    }

    /// Moves a number of bytes ahead in the piece.
    fn advance(&mut self, bytes: usize) {
        let passed = &self.piece.text[self.at..self.at + bytes];
        self.column += if self.piece.is_ascii { bytes } else { passed.chars().count() };
        self.at += bytes;
    }

    fn token(&self, kind: Kind, text: String) -> Token {
        Token { kind, text, value: String::new(), line: self.line, column: self.column, first: !self.any_on_line }
    }

    fn next_in_piece(&mut self) -> Option<Token> {
        if let Some(comment) = self.comment.take() {
            self.read_comment(comment);
            return None;
        }
        let rest = &self.piece.text[self.at..];
        self.advance(rest.len() - rest.trim_start().len());
        let rest = &self.piece.text[self.at..];
        let first = rest.chars().next()?;
        let (kind, length) = match first {
            '{' | ';' => {
                let comment = Comment::new(first == '{', (self.line, self.column), !self.any_on_line);
                self.any_on_line = true;
                self.advance(1);
                self.read_comment(comment);
                return None;
            }
            '[' => return Some(self.bracket()),
            '(' => (Kind::Open, 1),
            ')' => (Kind::Close, 1),
            '$' => (Kind::Glyph, 1 + digits(&rest[1..])),
            '}' | ']' => {
                let token = self.token(Kind::Error, format!("{} stands alone", quoted(&first.to_string())));
                self.any_on_line = true;
                self.advance(1);
                return Some(token);
            }
            '.' | '…' => {
                self.advance(dots(rest).0);
                return None;
            }
            _ => word(rest),
        };
        let token = self.token(kind, rest[..length].to_string());
        self.any_on_line = true;
        self.advance(length);
        Some(token)
    }

    /// Reads a tag, or says what is wrong with it.
    fn bracket(&mut self) -> Token {
        let text = &self.piece.text;
        let rest = &text[self.at..];
        let begins = self.piece.first && text[..self.at].trim().is_empty();
        let found = read_tag(rest).or_else(|| if begins { read_loose_tag(rest) } else { None });
        let (mut token, length) = match found {
            Some((name, value, length)) => {
                let mut token = self.token(Kind::Tag, name.to_string());
                token.value = unescaped(value);
                (token, length)
            }
            None => {
                let message = "a tag is a name and a quoted value, as [White \"Ana\"]";
                (self.token(Kind::Error, message.into()), rest.find(']').map_or(rest.len(), |end| end + 1))
            }
        };
        token.first = !self.any_on_line;
        self.any_on_line = true;
        self.advance(length);
        token
    }
}

impl Comment {
    fn new(brace: bool, place: (usize, usize), first: bool) -> Comment {
        Comment { brace, text: String::new(), room: MAX_COMMENT as isize, after_empty_line: false, place, first }
    }

    fn add(&mut self, text: &str) {
        // Two more for the spaces inside the braces.
        let room = (self.room + 2).max(0) as usize;
        let count = if text.is_ascii() { text.len() } else { text.chars().count() };
        if count <= room {
            self.text.push_str(text);
        } else {
            self.text.extend(text.chars().take(room));
        }
        self.room -= count as isize;
    }
}

/// Where to cut a line that is too long: after a space, otherwise between two characters.
fn cut(window: &[u8]) -> usize {
    if let Some(space) = window.iter().rposition(|byte| *byte == b' ') {
        return space + 1;
    }
    let tail = window.iter().rev().take(3).position(|byte| *byte >= 0xC0);
    tail.map_or(window.len(), |back| window.len() - back - 1)
}

/// Decodes UTF-8, or Latin-1 if it is not; control characters become spaces.
fn decode(bytes: &[u8]) -> String {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_string(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    };
    if text.chars().any(|c| c.is_control() && c != '\t') {
        return text.chars().map(|c| if c.is_control() && c != '\t' { ' ' } else { c }).collect();
    }
    text
}

/// Whether a line is an Event tag, which begins a game even where a comment before it is not closed.
fn is_next_game(line: &str) -> bool {
    let value = line.strip_prefix("[Event").filter(|rest| rest.starts_with(char::is_whitespace)).map(str::trim);
    value.is_some_and(|value| value.len() > 2 && value.starts_with('"') && value.ends_with("\"]"))
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// The bytes of a run of dots, and the number of dots.
fn dots(text: &str) -> (usize, usize) {
    let run: Vec<char> = text.chars().take_while(|c| matches!(c, '.' | '…')).collect();
    (run.iter().map(|c| c.len_utf8()).sum(), run.iter().map(|c| if *c == '…' { 3 } else { 1 }).sum())
}

fn is_end(c: char) -> bool {
    c.is_whitespace() || matches!(c, '{' | '}' | '(' | ')' | ';' | '$' | '[' | ']')
}

/// Whether nothing more of a word follows.
fn ends(text: &str) -> bool {
    text.chars().next().is_none_or(is_end)
}

/// Reads a number, a result, a glyph or a turn: its kind and its length in bytes.
fn word(text: &str) -> (Kind, usize) {
    let number = digits(text);
    if number > 0 {
        let (length, dots) = dots(&text[number..]);
        if dots > 0 || (ends(&text[number..]) && &text[..number] != "0000") {
            let fresh = &text[..number] == "1" && dots == 1;
            return (Kind::Number { fresh }, number + length);
        }
    }
    let length = turn_length(text);
    let found = &text[..length];
    if result(found).is_some() {
        return (Kind::Result, length);
    }
    if glyphs::number(found).is_some() || found.bytes().all(|byte| matches!(byte, b'!' | b'?')) {
        return (Kind::Glyph, length);
    }
    (Kind::Turn, length)
}

/// The result that a word means.
pub(crate) fn result(text: &str) -> Option<&'static str> {
    match text {
        "1-0" | "1–0" => Some("1-0"),
        "0-1" | "0–1" => Some("0-1"),
        "1/2-1/2" | "1/2–1/2" | "½-½" | "½–½" | "1/2" => Some("1/2-1/2"),
        "*" => Some("*"),
        _ => None,
    }
}

/// The length of a word, in which a promotion may stand in brackets: `e8(Q)`.
fn turn_length(text: &str) -> usize {
    let plain = |from: usize| from + text[from..].find(is_end).unwrap_or(text.len() - from);
    let mut length = plain(0);
    loop {
        let rest = &text.as_bytes()[length..];
        let bracket = match rest {
            [b'(', letter, b')', ..] if letter.is_ascii_alphabetic() => 3,
            [b'(', letter, b'\'' | b'!', b')', ..] if letter.is_ascii_alphabetic() => 4,
            _ => return length,
        };
        length = plain(length + bracket);
    }
}

/// Reads `[Name "` and returns the name, and where the value begins.
fn tag_start(text: &str) -> Option<(&str, usize)> {
    let inner = text[1..].trim_start();
    let length = inner.find(|c: char| !(c.is_ascii_alphanumeric() || "_+#=:-".contains(c))).unwrap_or(inner.len());
    let (name, rest) = inner.split_at(length);
    // Some write `[Event: "..."]` and mean it, others `[Event="..."]` by mistake.
    let name = if rest.starts_with('"') { name.trim_end_matches(['=', ':']) } else { name };
    let value = rest.trim_start().strip_prefix('"')?;
    name.starts_with(|c: char| c.is_ascii_alphanumeric()).then(|| (name, text.len() - value.len()))
}

/// Reads `"]` with white space, and returns its length.
fn tag_end(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('"')?.trim_start();
    rest.starts_with(']').then(|| text.len() - rest.len() + 1)
}

/// Reads a tag: its name, its value as written, and its length.
fn read_tag(text: &str) -> Option<(&str, &str, usize)> {
    let (name, start) = tag_start(text)?;
    let mut escaped = false;
    for (index, byte) in text.bytes().enumerate().skip(start).take(TAG_ROOM) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return tag_end(&text[index..]).map(|end| (name, &text[start..index], index + end)),
            _ => {}
        }
    }
    None
}

/// Reads a tag with unescaped quotes inside its value, which is the whole line.
fn read_loose_tag(text: &str) -> Option<(&str, &str, usize)> {
    let (name, start) = tag_start(text)?;
    let inner = text.trim_end().strip_suffix(']')?.trim_end().strip_suffix('"')?;
    inner.get(start..).map(|value| (name, value, text.len()))
}

/// Removes the backslashes before quotes and backslashes.
fn unescaped(value: &str) -> String {
    let mut found = String::with_capacity(value.len());
    let mut rest = value.chars().peekable();
    while let Some(c) = rest.next() {
        found.push(match c {
            '\\' => rest.next_if(|next| matches!(next, '"' | '\\')).unwrap_or(c),
            _ => c,
        });
    }
    found
}

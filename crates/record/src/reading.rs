//! One record that is being read: its tags, comments, glyphs and lines of play.

use crate::bounds::Bounds;
use crate::glyphs;
use crate::lexer::{Kind, Token, result};
use crate::reader::Step;
use crate::tags::Tags;
use crate::text::quoted;
use crate::tree::{Fault, Record, Turn};
use crate::written::{is_mark, outer_rank, push_with_promotion, ranks_from_one, without_glyphs};
use rules::Board;
use rules::limits::{MAX_COMMENT, MAX_DEPTH, MAX_ERRORS, MAX_TEXT, MAX_TURN, MAX_TURNS};
use std::cmp::Reverse;

/// How to return from a bracket.
#[derive(Clone)]
enum Frame {
    /// To the turn that its variation replaces.
    Variation(usize),
    /// To the position before it, and whether a variation had no turn yet: there is no turn that it replaces.
    Base(Option<usize>, bool),
    /// To where it began: it is left out.
    Skipped,
}

/// A record that is being read.
#[derive(Clone)]
pub(crate) struct Reading {
    pub tags_only: bool,
    pub bounds: Bounds,
    pub tags: Tags,
    pub record: Record,
    /// Where the last token stands.
    pub place: (usize, usize),
    /// A token to be processed, and a turn before it that ends with a comma.
    pub pending: Option<Token>,
    comma: Option<Token>,
    /// Comments to be joined.
    pub comments: Vec<Token>,
    /// The start was asked for and given, and everything is read.
    pub begun: bool,
    pub done: bool,
    /// How many more characters of tags and comments are kept.
    room: usize,
    /// The position after the last turn of the line of play, and that turn.
    pub board: Option<Board>,
    node: Option<usize>,
    outer: Vec<Frame>,
    /// Whether a variation has no turn yet.
    before_first_turn: bool,
    /// How many brackets are open in what is skipped, the line of play itself counted as one.
    pub skipping: usize,
    given_up: bool,
    /// The turn of the main line that follows turns in brackets.
    main: Option<usize>,
    /// The last result in brackets.
    inner_result: Option<&'static str>,
    /// Whether ranks count from 0.
    from_zero: bool,
    /// What the record was before its first turn, and all tokens since, as long as ranks may count from 0.
    beginning: Option<(Box<Reading>, Vec<Token>)>,
}

/// The most tokens that are kept to be read once more.
const MOST_AGAIN: usize = 4 * MAX_TURNS;

impl Reading {
    pub fn new(is_later: bool) -> Reading {
        Reading {
            tags_only: false,
            bounds: Bounds::new(is_later),
            tags: Tags::default(),
            record: Record::default(),
            place: (1, 1),
            pending: None,
            comma: None,
            comments: Vec::new(),
            begun: false,
            done: false,
            room: MAX_TEXT,
            board: None,
            node: None,
            outer: Vec::new(),
            before_first_turn: false,
            skipping: 0,
            given_up: false,
            main: None,
            inner_result: None,
            from_zero: false,
            beginning: None,
        }
    }

    /// Processes the pending token; `false` if the start must be known first.
    pub fn go_on(&mut self) -> bool {
        let Some(token) = &self.pending else { return true };
        if token.kind == Kind::Turn && !self.begun && !self.tags_only {
            return false;
        }
        let token = self.pending.take().expect("just seen");
        self.feed(token);
        true
    }

    /// Takes the position before the first turn.
    pub fn begin(&mut self, start: Option<Board>) {
        self.begun = true;
        self.skipping = usize::from(start.is_none());
        self.record.start.clone_from(&start);
        self.board = start;
        // XBoard counts ranks from 0 where there are ten; Acedrex itself never does.
        let ranks = self.board.as_ref().map(|board| board.game().rules.ranks);
        if ranks == Some(10) && !self.tags.has("RulesHash") {
            let pending = self.pending.take();
            self.beginning = Some((Box::new(self.clone()), Vec::new()));
            self.pending = pending;
        }
    }

    /// Reads the record from its first turn on with ranks from 0.
    fn again(&self) -> Option<Reading> {
        let (beginning, tokens) = self.beginning.as_ref()?;
        let mut other = Reading { bounds: self.bounds.clone(), from_zero: true, ..(**beginning).clone() };
        tokens.iter().for_each(|token| other.feed(token.clone()));
        Some(other)
    }

    /// Looks for a rank that tells whether ranks count from 0 or 1, and otherwise keeps the token.
    fn look_for_ranks(&mut self, token: &Token) {
        let Some((_, tokens)) = &mut self.beginning else { return };
        let told = if token.kind == Kind::Turn { outer_rank(&token.text) } else { None };
        match told {
            Some(0) => *self = self.again().expect("there is a beginning"),
            None if tokens.len() < MOST_AGAIN => tokens.push(token.clone()),
            _ => self.beginning = None,
        }
    }

    pub fn finish(&mut self) -> Step {
        if !self.bounds.is_record() {
            return Step::Done;
        }
        if !self.begun && !self.tags_only {
            self.done = true;
            return Step::Start;
        }
        self.close_all();
        let is_wrong = !self.record.errors.is_empty();
        if let Some(mut other) = is_wrong.then(|| self.again()).flatten() {
            other.close_all();
            let read = |reading: &Reading| (Reverse(reading.record.errors.len()), reading.record.turns.len());
            if read(&other) > read(self) {
                *self = other;
            }
        }
        self.record.tags = std::mem::take(&mut self.tags.kept);
        Step::Done
    }

    /// Ends what is still open.
    fn close_all(&mut self) {
        if let Some(comma) = self.comma.take() {
            self.turn(comma);
        }
        self.settle_comments();
        if !self.outer.is_empty() {
            let (line, column) = self.place;
            self.note(line, column, format!("{} variations are not closed", self.outer.len()));
            while !self.outer.is_empty() {
                self.leave();
            }
            self.settle_comments();
        }
        if self.bounds.depth > 0 && self.record.result.is_none() {
            self.record.result = self.inner_result;
        }
        if let Some(index) = self.main {
            self.record.make_main(index);
        }
    }

    pub fn feed(&mut self, mut token: Token) {
        self.look_for_ranks(&token);
        self.place = (token.line, token.column);
        if matches!(token.kind, Kind::Blank | Kind::Number { .. }) {
            return;
        }
        if let Some(held) = self.comma.take() {
            if token.kind == Kind::Turn && held.text.len() <= MAX_TURN {
                token = Token { text: held.text + &token.text, ..held };
            } else {
                self.turn(held);
            }
        }
        if self.record.errors.len() > MAX_ERRORS && !self.given_up {
            self.give_up();
        }
        if token.kind == Kind::Comment {
            let length = token.text.chars().count() + 1;
            if self.skipping == 0 && !self.tags_only && self.fits(&token, length) {
                self.comments.push(token);
            }
            return;
        }
        self.settle_comments();
        match token.kind {
            Kind::Tag => self.tag(&token),
            Kind::Error => self.error(&token, token.text.clone()),
            Kind::Result => self.result(&token),
            _ if self.tags_only => {}
            Kind::Open => self.open(&token),
            Kind::Close => self.close(&token),
            Kind::Glyph => self.glyph(&token),
            Kind::Turn if token.text.ends_with(',') => self.comma = Some(token),
            Kind::Turn => self.turn(token),
            Kind::Comment | Kind::Blank | Kind::Number { .. } => {}
        }
    }

    // Errors.

    pub fn note(&mut self, line: usize, column: usize, message: String) {
        let errors = &mut self.record.errors;
        match errors.len() {
            ..MAX_ERRORS => errors.push(Fault { line, column, message }),
            MAX_ERRORS => errors.push(Fault { line, column, message: "more errors follow that are not listed".into() }),
            _ => {}
        }
    }

    pub fn error(&mut self, token: &Token, message: String) {
        self.note(token.line, token.column, message);
    }

    /// Notes an error after which the rest of the line of play is skipped.
    fn skip_line(&mut self, token: &Token, message: String) {
        self.error(token, message);
        self.skipping = 1;
    }

    /// Skips the rest of the record.
    fn give_up(&mut self) {
        self.given_up = true;
        let depth = self.outer.len() + self.skipping.saturating_sub(1);
        while !self.outer.is_empty() {
            self.leave();
        }
        self.skipping = depth + 1;
    }

    /// Whether the record has room for a text; notes an error if it does not.
    fn fits(&mut self, token: &Token, length: usize) -> bool {
        let left = self.room.checked_sub(length);
        match left {
            Some(room) => self.room = room,
            None => self.error(
                token,
                format!("the record has more than {MAX_TEXT} characters of tags and comments; this is left out"),
            ),
        }
        left.is_some()
    }

    // Tags.

    fn tag(&mut self, token: &Token) {
        let (name, value) = Tags::written(token);
        if self.tags.has(name) {
            return self.error(token, format!("tag {} appears twice; the first is taken", quoted(name)));
        }
        if !self.fits(token, name.len() + value.chars().count()) {
            return;
        }
        if let Err(message) = self.tags.put(token, name, value) {
            self.error(token, message);
        }
    }

    // Comments and glyphs.

    /// Attaches the waiting comments to the last turn; before a variation's first turn they keep waiting.
    fn settle_comments(&mut self) {
        if self.comments.is_empty() || self.before_first_turn {
            return;
        }
        let before = std::mem::take(self.comment());
        *self.comment() = self.join(before);
    }

    fn comment(&mut self) -> &mut String {
        match self.node {
            Some(node) => &mut self.record.turns[node].comment,
            None => &mut self.record.comment,
        }
    }

    /// Appends the waiting comments to another, each on its own line.
    fn join(&mut self, before: String) -> String {
        let comments = std::mem::take(&mut self.comments);
        // What is appended again counts again: that bounds the time which joining takes.
        if !before.is_empty() && !self.fits(&comments[0], before.chars().count()) {
            return before;
        }
        let parts = Some(before.as_str()).filter(|before| !before.is_empty()).into_iter();
        let text = parts.chain(comments.iter().map(|comment| comment.text.as_str())).collect::<Vec<_>>().join("\n");
        if text.chars().count() <= MAX_COMMENT {
            return text;
        }
        self.error(&comments[0], format!("the comment has more than {MAX_COMMENT} characters"));
        text.chars().take(MAX_COMMENT).collect()
    }

    fn glyph(&mut self, token: &Token) {
        if self.skipping > 0 {
            return;
        }
        let number = match token.text.strip_prefix('$') {
            Some(digits) => digits.parse::<u8>().ok().filter(|_| digits.len() < 4),
            None => glyphs::number(&token.text),
        };
        match (number, self.node) {
            (None, _) => {
                let known = "write $0 to $255 or a sign such as ! ? !! ?? !? ?! = ± ∓ +- -+ ∞ N";
                self.error(token, format!("{} is no glyph: {known}", quoted(&token.text)));
            }
            (Some(number), Some(node)) if !self.before_first_turn => self.record.turns[node].glyphs.push(number),
            _ => self.error(token, format!("{} stands before the turn that it could belong to", token.text)),
        }
    }

    // Lines of play.

    fn turn(&mut self, token: Token) {
        if self.skipping > 0 || is_mark(&token.text) && self.node.is_some() {
            return;
        }
        let Some(board) = &mut self.board else { return };
        if token.text.chars().count() > MAX_TURN {
            let message = format!("{}: a turn has at most {MAX_TURN} characters", quoted(&token.text));
            return self.skip_line(&token, message);
        }
        if self.node.is_some_and(|node| self.record.turns[node].unfinished) {
            return self.skip_line(&token, format!("{}: the turn before it is not finished", quoted(&token.text)));
        }
        if self.record.turns.len() >= MAX_TURNS {
            return self.skip_line(&token, format!("the record has more than {MAX_TURNS} turns; the rest is left out"));
        }
        let text = if self.from_zero { ranks_from_one(&token.text) } else { token.text.clone() };
        let (text, glyphs) = without_glyphs(board, &text);
        let mut made = board.push_written(&text);
        let mut note = None;
        if let Some((found, read_as)) = made.as_ref().err().and_then(|_| push_with_promotion(board, &text)) {
            note = Some(format!("{text} does not say what the piece becomes; it is read as {read_as}"));
            made = Ok((found, false));
        }
        let (moves, unfinished) = match made {
            Ok(made) => made,
            Err(error) => return self.skip_line(&token, error.to_string()),
        };
        if let Some(note) = note {
            self.error(&token, note);
        }
        if self.record.turns.is_empty() {
            // The first turn is no variation, whatever brackets stand before it.
            self.before_first_turn = false;
            self.settle_comments();
        }
        let starting_comment = if self.comments.is_empty() { String::new() } else { self.join(String::new()) };
        let index = self.record.turns.len();
        if self.node.is_none() && self.outer.is_empty() && index > 0 {
            self.main = Some(index);
        }
        let parent = self.node.replace(index);
        self.record.turns.push(Turn { parent, moves, unfinished, starting_comment, comment: String::new(), glyphs });
        self.before_first_turn = false;
    }

    fn open(&mut self, token: &Token) {
        if self.skipping > 0 {
            self.skipping += 1;
        } else if self.outer.len() >= MAX_DEPTH {
            self.outer.push(Frame::Skipped);
            let message = format!("more than {MAX_DEPTH} variations inside one another; this one is left out");
            self.skip_line(token, message);
        } else if let Some(node) = self.node.filter(|_| !self.before_first_turn) {
            self.outer.push(Frame::Variation(node));
            self.step_back();
            self.before_first_turn = true;
        } else {
            self.error(token, "there is no turn that this variation could replace".into());
            self.outer.push(Frame::Base(self.node, self.before_first_turn));
            self.before_first_turn = true;
        }
    }

    /// Undoes the last turn of the line of play.
    fn step_back(&mut self) {
        let Some(node) = self.node else { return };
        let turn = &self.record.turns[node];
        let board = self.board.as_mut().expect("a turn was made");
        for _ in &turn.moves {
            board.pop();
        }
        self.node = turn.parent;
    }

    fn close(&mut self, token: &Token) {
        if self.skipping > 1 {
            self.skipping -= 1;
        } else if self.outer.is_empty() {
            self.error(token, "there is no variation to close".into());
        } else {
            self.leave();
        }
    }

    /// Goes back from a bracket to where it began.
    fn leave(&mut self) {
        self.skipping = usize::from(self.begun && self.board.is_none());
        match self.outer.pop() {
            Some(Frame::Variation(turn)) => {
                while self.node != self.record.turns[turn].parent {
                    self.step_back();
                }
                let board = self.board.as_mut().expect("a turn was made");
                self.record.turns[turn].moves.iter().for_each(|mv| board.push(*mv));
                // The comments of a variation without a turn belong to this turn.
                (self.node, self.before_first_turn) = (Some(turn), false);
            }
            Some(Frame::Base(base, before)) => {
                while self.node != base {
                    self.step_back();
                }
                self.before_first_turn = before;
            }
            Some(Frame::Skipped) | None => {}
        }
    }

    fn result(&mut self, token: &Token) {
        let found = result(&token.text);
        if self.bounds.depth > 0 {
            self.inner_result = found;
            return;
        }
        match (self.tags.result(), found) {
            (None, _) => self.record.result = found,
            (Some(told), Some(found)) if found != "*" && found != told => {
                let message = format!("the tag Result says {told}; it is followed");
                self.error(token, message);
            }
            _ => {}
        }
    }
}

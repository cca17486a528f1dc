//! `Board`: a position with its history.

use crate::game::{Game, piece};
use crate::values::{fen_error, invalid, move_error, names, object, square, texts};
use js_sys::{Array, Object};
use rules::{Cell, Color, Move, Outcome, Position, Reason};
use std::sync::Arc;
use wasm_bindgen::prelude::*;

/// A position with its history.
#[wasm_bindgen]
pub struct Board {
    pub(crate) inner: rules::Board,
}

fn color(white: bool) -> Color {
    if white { Color::White } else { Color::Black }
}

fn ended(board: &rules::Board, outcome: &Outcome) -> Object {
    let limit = outcome.reason.limit(&board.game().rules.end);
    object([
        ("termination", outcome.reason.name().into()),
        ("winner", outcome.winner.map_or(JsValue::NULL, |winner| winner.name().into())),
        ("result", outcome.result().into()),
        ("score", outcome.score().into()),
        ("limit", limit.map_or(JsValue::NULL, JsValue::from)),
    ])
}

/// How a game ended, in a sentence of a language.
#[wasm_bindgen]
pub fn ending_text(termination: &str, winner: Option<String>, score: &str, limit: u32, language: &str) -> String {
    let winner = winner.map(|side| color(side == "white"));
    rules::ending_text(language, termination, winner, score, limit)
}

impl Board {
    /// Reads moves in coordinates, each legal after those before it.
    pub(crate) fn line(&self, moves: &[String]) -> Result<Vec<Move>, JsValue> {
        let mut board = self.inner.without_past();
        moves.iter().map(|text| board.push_text(text).map_err(move_error)).collect()
    }

    /// Replaces the position by an edited one, without history.
    fn edit(&mut self, change: impl FnOnce(&mut Position)) {
        let mut position = self.inner.position().clone();
        change(&mut position);
        self.inner = rules::Board::from_position(Arc::clone(self.inner.game()), position);
    }

    fn texts(&self, moves: impl IntoIterator<Item = Move>) -> Array {
        texts(moves.into_iter().map(|mv| self.inner.move_text(mv)))
    }

    /// Reads a legal move in coordinates, or a null move where it may be made.
    fn legal(&self, text: &str) -> Result<Move, JsValue> {
        if rules::is_null_text(text) {
            return self.inner.null_move().map_err(move_error);
        }
        self.inner.parse_move(text).map_err(move_error)
    }
}

#[wasm_bindgen]
impl Board {
    /// Reads a FEN, by default that of the start; one that is not playable only if `unfinished`.
    #[wasm_bindgen(constructor)]
    pub fn new(game: &Game, fen: Option<String>, unfinished: bool) -> Result<Board, JsValue> {
        let read = if unfinished { rules::read_unfinished_board } else { rules::read_board };
        let fen = fen.as_deref().unwrap_or(&game.inner.definition.start);
        Ok(Board { inner: read(&game.inner, fen).map_err(fen_error)? })
    }

    /// A copy with the last `moves` moves, or with all.
    pub fn copy(&self, moves: Option<u32>) -> Board {
        let inner = moves.map_or_else(|| self.inner.clone(), |moves| self.inner.with_past(moves as usize));
        Board { inner }
    }

    pub fn fen(&self) -> String {
        self.inner.fen()
    }

    /// The FEN of the position before the first move.
    pub fn root_fen(&self) -> String {
        let mut root = self.inner.clone();
        while root.pop().is_some() {}
        root.fen()
    }

    pub fn turn(&self) -> String {
        self.inner.turn().name().into()
    }

    pub fn halfmove_clock(&self) -> u32 {
        self.inner.position().state().halfmove
    }

    pub fn fullmove_number(&self) -> u32 {
        self.inner.position().state().fullmove
    }

    pub fn key(&self) -> u64 {
        self.inner.key()
    }

    pub fn ply(&self) -> usize {
        self.inner.stack_len()
    }

    pub fn moves_left(&self) -> u8 {
        self.inner.moves_left()
    }

    pub fn legal_moves(&self) -> Array {
        self.texts(self.inner.legal_moves())
    }

    pub fn count_moves(&self) -> f64 {
        self.inner.position().count_moves(&self.inner.game().rules) as f64
    }

    pub fn move_stack(&self) -> Array {
        self.texts(self.inner.moves())
    }

    pub fn turn_moves(&self) -> Array {
        self.texts(self.inner.moves().skip(self.inner.stack_len() - self.inner.moves_in_turn()))
    }

    pub fn push(&mut self, text: &str) -> Result<(), JsValue> {
        let mv = self.legal(text)?;
        self.inner.push(mv);
        Ok(())
    }

    pub fn push_turn(&mut self, text: &str) -> Result<Array, JsValue> {
        let moves = self.inner.push_turn(text).map_err(move_error)?;
        Ok(self.texts(moves))
    }

    pub fn pop(&mut self) -> Result<String, JsValue> {
        let mv = self.inner.pop().ok_or_else(|| invalid("no move to undo"))?;
        Ok(self.inner.move_text(mv))
    }

    pub fn parse_uci(&self, text: &str) -> Result<String, JsValue> {
        Ok(self.inner.move_text(self.inner.parse_move(text).map_err(move_error)?))
    }

    /// Reads a legal move in SAN or coordinates.
    pub fn parse_san(&self, text: &str) -> Result<String, JsValue> {
        Ok(self.inner.move_text(self.inner.parse_san(text).map_err(move_error)?))
    }

    pub fn parse_turn(&self, text: &str) -> Result<Array, JsValue> {
        let moves = self.inner.without_past().push_turn(text).map_err(move_error)?;
        Ok(self.texts(moves))
    }

    pub fn san(&self, text: &str) -> Result<String, JsValue> {
        Ok(self.inner.san(self.legal(text)?))
    }

    pub fn lan(&self, text: &str) -> Result<String, JsValue> {
        Ok(self.inner.lan(self.legal(text)?))
    }

    pub fn turn_san(&self, moves: Vec<String>) -> Result<String, JsValue> {
        Ok(self.inner.turn_san(&self.line(&moves)?))
    }

    pub fn variation_san(&self, moves: Vec<String>) -> Result<String, JsValue> {
        Ok(self.inner.variation_san(&self.line(&moves)?))
    }

    /// What a legal move does, in JSON, and the captured piece as its letter and side.
    pub fn move_info(&self, text: &str) -> Result<Array, JsValue> {
        let mv = self.legal(text)?;
        let captured = self.inner.move_info(mv).captured;
        let captured = captured.map_or(JsValue::NULL, |(_, piece)| {
            let letter = self.inner.game().symbol(piece.piece_type()).to_string();
            object([("letter", letter.into()), ("side", piece.color().name().into())]).into()
        });
        Ok(Array::of2(&rules::move_json(&self.inner, mv).into(), &captured))
    }

    /// Where the piece on a square could go, in JSON.
    pub fn reach(&self, name: &str) -> Result<String, JsValue> {
        let rules = &self.inner.game().rules;
        Ok(rules::reaches_json(&self.inner.position().reach(rules, square(rules, name)?)))
    }

    /// Where the piece on a square might go after the next move of the other side, in JSON.
    pub fn premoves(&self, name: &str) -> Result<String, JsValue> {
        let rules = &self.inner.game().rules;
        Ok(rules::reaches_json(&self.inner.position().premoves(rules, square(rules, name)?)))
    }

    /// The squares of a side's pieces that would capture on a square if an enemy stood there.
    pub fn attackers(&self, white: bool, name: &str) -> Result<Array, JsValue> {
        let (rules, position) = (&self.inner.game().rules, self.inner.position());
        let found = position.attackers(rules, color(white), square(rules, name)?, &position.occupied());
        Ok(names(&found.into_iter().collect::<Vec<_>>()))
    }

    /// Why the piece on a square has no legal move, in a language.
    pub fn why_idle(&self, name: &str, language: &str) -> Result<Option<String>, JsValue> {
        Ok(self.inner.why_idle_in(language, square(&self.inner.game().rules, name)?))
    }

    pub fn gives_check(&self, text: &str) -> Result<bool, JsValue> {
        let mv = self.legal(text)?;
        Ok(self.inner.position().gives_check(&self.inner.game().rules, mv))
    }

    pub fn is_check(&self) -> bool {
        self.inner.position().is_check(&self.inner.game().rules)
    }

    pub fn outcome(&self, claim_draw: bool) -> Option<Object> {
        self.inner.outcome(claim_draw).map(|outcome| ended(&self.inner, &outcome))
    }

    /// The outcome if a side resigns, runs out of time or leaves.
    pub fn forfeit(&self, termination: &str, white: bool) -> Option<Object> {
        let reason = Reason::FORFEITS.into_iter().find(|known| known.name() == termination)?;
        self.inner.forfeit(reason, color(white)).map(|outcome| ended(&self.inner, &outcome))
    }

    pub fn agreement(&self) -> Object {
        ended(&self.inner, &self.inner.agreement())
    }

    pub fn claimable(&self) -> Array {
        texts(self.inner.claimable().into_iter().map(Reason::name))
    }

    pub fn repetitions(&self) -> u32 {
        self.inner.repetitions()
    }

    /// The rights held, as in the third field of the FEN.
    pub fn rights(&self) -> String {
        rules::write_rights(self.inner.game(), self.inner.position())
    }

    pub fn set_rights(&mut self, rights: &str) -> Result<(), JsValue> {
        let mut position = self.inner.position().clone();
        rules::set_rights(self.inner.game(), &mut position, rights).map_err(fen_error)?;
        self.edit(|edited| *edited = position);
        Ok(())
    }

    pub fn set_turn(&mut self, white: bool) {
        self.edit(|position| position.set_turn(color(white)));
    }

    /// Removes all pieces and rights, with White to move.
    pub fn clear(&mut self) {
        self.edit(|position| *position = Position::empty());
    }

    /// Puts a piece, written as in FEN, on a square; without one it clears the square.
    pub fn set_piece(&mut self, name: &str, symbol: Option<String>) -> Result<(), JsValue> {
        let game = Arc::clone(self.inner.game());
        let at = square(&game.rules, name)?;
        let cell = symbol.map_or(Ok(Cell::EMPTY), |symbol| piece(&game, &symbol).map(Cell::full))?;
        self.edit(|position| position.set(&game.rules, at, cell));
        Ok(())
    }

    /// Why the position cannot be played: pairs of a name and a sentence.
    pub fn problems(&self) -> Array {
        let game = self.inner.game();
        let problem = |problem: rules::Problem| texts([problem.name(), &problem.describe(game)]);
        self.inner.position().problems(&game.rules).into_iter().map(problem).collect()
    }

    /// The name of the setup that the pieces form.
    pub fn setup_name(&self) -> Option<String> {
        self.inner.setup_name()
    }

    /// The position in JSON, as boards in browsers show it.
    pub fn position(&self) -> String {
        rules::board_json(&self.inner)
    }

    /// How many pieces attack each square, and which captures win something, in JSON.
    pub fn attack_report(&self) -> String {
        rules::attacks_json(&self.inner)
    }

    /// The position and what it could have if it were edited, in JSON.
    pub fn edited(&self) -> String {
        rules::edited_json(&self.inner)
    }

    /// Those of some rights whose pieces are in place.
    pub fn possible_rights(&self, rights: &str) -> String {
        rules::possible_rights(self.inner.game(), self.inner.position(), rights)
    }

    /// Makes moves, in coordinates or SAN, on a copy, and returns them and the position after them in JSON.
    pub fn moves_made(&self, texts: Vec<String>) -> Result<String, JsValue> {
        record::moves_json(&self.inner, texts.iter().map(String::as_str)).map_err(move_error)
    }

    pub fn perft(&self, depth: u32) -> f64 {
        rules::perft(&self.inner.game().rules, &mut self.inner.position().clone(), depth) as f64
    }

    /// Counts as `perft` separately for each first move: pairs of a move and its count.
    pub fn divide(&self, depth: u32) -> Array {
        let count = |mv: Move| {
            let mut after = self.inner.position().clone();
            after.make(&self.inner.game().rules, mv);
            let nodes = rules::perft(&self.inner.game().rules, &mut after, depth.saturating_sub(1));
            Array::of2(&self.inner.move_text(mv).into(), &(nodes as f64).into())
        };
        self.inner.legal_moves().into_iter().map(count).collect()
    }

    pub fn pieces(&self) -> Array {
        let position = self.inner.position();
        let piece = |at: rules::Square| {
            let piece = position.piece(at)?;
            Some(object([
                ("square", at.to_string().into()),
                ("letter", self.inner.game().symbol(piece.piece_type()).to_string().into()),
                ("side", piece.color().name().into()),
            ]))
        };
        position.occupied().into_iter().filter_map(piece).collect()
    }

    /// Whether both boards have the same rules and position.
    pub fn equals(&self, other: &Board) -> bool {
        let (game, others) = (self.inner.game(), other.inner.game());
        let same = Arc::ptr_eq(game, others)
            || (game.definition.texts.id == others.definition.texts.id && game.rules.hash == others.rules.hash);
        same && self.inner.fen() == other.inner.fen()
    }
}

//! `Board`: a position with its history. The Python class of the same name adds what does not need speed.

use crate::count::{depth_of, play_at_random, watched_divide, watched_perft};
use crate::errors::{Error, IllegalMoveError, InvalidFenError, fen_error, move_error};
use crate::game::{Game, color_of, counter, numbers, piece_type_of};
use crate::moves::{LegalMoves, Move};
use crate::outcome::{Ended, ended, outcome_by_players};
use crate::records::{MoveInfo, Reach, move_info};
use crate::squares::SquareSet;
use crate::text::Text;
use crate::typed::Number;
use pyo3::exceptions::{PyIndexError, PyOverflowError};
use pyo3::prelude::*;
use rules::{Cell, Color, FenError, Piece, Square};
use std::sync::Arc;

/// A position with its history.
#[pyclass(subclass, module = "acedrex._native")]
pub(crate) struct Board {
    pub(crate) inner: rules::Board,
    /// The FEN of the position before the first move of the stack.
    root: String,
    /// The legal moves of the position, once they have been generated.
    pub(crate) legal: Option<Vec<rules::Move>>,
}

impl Board {
    fn from_fen(game: &Arc<rules::Game>, fen: &str, playable: bool) -> PyResult<Board> {
        let read = if playable { rules::read_board } else { rules::read_unfinished_board };
        Ok(Board::rooted(read(game, fen).map_err(fen_error)?))
    }

    /// Returns a copy with the last `stack` moves, or with all.
    fn copied(&self, stack: Option<usize>) -> Board {
        match stack {
            None => Board { inner: self.inner.clone(), root: self.root.clone(), legal: None },
            Some(moves) => Board::rooted(self.inner.with_past(moves)),
        }
    }

    pub(crate) fn rooted(inner: rules::Board) -> Board {
        let mut root = inner.clone();
        while root.pop().is_some() {}
        Board { root: root.fen(), inner, legal: None }
    }

    pub(crate) fn core_moves(&mut self) -> &[rules::Move] {
        let inner = &self.inner;
        self.legal.get_or_insert_with(|| inner.legal_moves())
    }

    pub(crate) fn moves(&mut self) -> Vec<Move> {
        let game = Arc::clone(self.inner.game());
        self.core_moves().iter().map(|mv| Move::from_move(&game, *mv)).collect()
    }

    pub(crate) fn move_at(&mut self, index: usize) -> Move {
        let mv = self.core_moves()[index];
        Move::from_move(self.inner.game(), mv)
    }

    pub(crate) fn count(&self) -> u64 {
        match &self.legal {
            Some(moves) => moves.len() as u64,
            None => self.inner.position().count_moves(&self.inner.game().rules),
        }
    }

    /// Returns the legal move that a `Move` stands for.
    pub(crate) fn find(&self, wanted: Move) -> Option<rules::Move> {
        let wanted = wanted.to_move(self.inner.game())?;
        match &self.legal {
            Some(moves) => moves.iter().copied().find(|mv| mv.same_text(wanted)),
            None => self.inner.find(wanted),
        }
    }

    /// Returns the move that a `Move` stands for, if it is legal or a null move that may be made.
    pub(crate) fn playable(&self, wanted: Move) -> PyResult<rules::Move> {
        if wanted.to_move(self.inner.game()) == Some(rules::Move::NULL) {
            return self.inner.null_move().map_err(move_error);
        }
        match self.find(wanted) {
            Some(mv) => Ok(mv),
            None => Err(match self.inner.parse_move(&wanted.text()) {
                Err(error) => move_error(error),
                Ok(_) => IllegalMoveError::new_err(format!("{} is not legal here", wanted.text())),
            }),
        }
    }

    /// Returns the moves of a line, each legal when its turn comes.
    pub(crate) fn line(&self, moves: &[Bound<'_, Move>]) -> PyResult<Vec<rules::Move>> {
        let mut board = Board { inner: self.inner.without_past(), root: String::new(), legal: None };
        let mut line = Vec::new();
        for item in moves {
            let mv = board.playable(*item.get())?;
            board.inner.push(mv);
            line.push(mv);
        }
        Ok(line)
    }

    pub(crate) fn to_move(&self, mv: rules::Move) -> Move {
        Move::from_move(self.inner.game(), mv)
    }

    pub(crate) fn square(&self, number: &Bound<'_, PyAny>) -> PyResult<Square> {
        let rules = &self.inner.game().rules;
        let square = match number.extract::<u8>() {
            Ok(number) => Some(Square(number)),
            Err(error) if error.is_instance_of::<PyOverflowError>(number.py()) => None,
            Err(error) => return Err(error),
        };
        square.filter(|square| rules.board.contains(*square)).ok_or_else(|| {
            Error::new_err(format!(
                "no such square on the {}x{} board; squares are numbers, rank * 16 + file",
                rules.files, rules.ranks
            ))
        })
    }

    /// Changes the position; the history is cleared.
    fn edit(&mut self, change: impl FnOnce(&mut rules::Position)) {
        let mut position = self.inner.position().clone();
        change(&mut position);
        self.replace(position);
    }

    /// Replaces the board by an edited position, without history.
    fn replace(&mut self, position: rules::Position) {
        self.inner = rules::Board::from_position(Arc::clone(self.inner.game()), position);
        self.root = self.inner.fen();
        self.legal = None;
    }
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (game, fen=None, like=None, stack=None))]
    fn new(
        game: &Bound<'_, Game>,
        fen: Option<Text>,
        like: Option<&Bound<'_, Board>>,
        stack: Option<usize>,
    ) -> PyResult<Board> {
        let game = &game.get().inner;
        match like {
            Some(other) => Ok(other.try_borrow()?.copied(stack)),
            None => Board::from_fen(game, fen.as_deref().unwrap_or(&game.definition.start), true),
        }
    }

    /// Takes over another board's position without its stack.
    fn _assign(&mut self, other: &Bound<'_, Board>) -> PyResult<()> {
        *self = other.try_borrow()?.copied(Some(0));
        Ok(())
    }

    /// Sets the position and clears the stack. Raises InvalidFenError, and changes nothing, if the text is no FEN or the
    /// position cannot be played; with `playable=False` it may be one to which `status` objects.
    #[pyo3(signature = (fen, *, playable=true))]
    fn set_fen(&mut self, fen: Text, playable: bool) -> PyResult<()> {
        *self = Board::from_fen(self.inner.game(), &fen, playable)?;
        Ok(())
    }

    /// Returns the FEN, which has a seventh field inside a turn.
    pub(crate) fn fen(&self) -> String {
        self.inner.fen()
    }

    /// The FEN of the position before the first move of the stack.
    #[getter]
    fn root_fen(&self) -> &str {
        &self.root
    }

    /// The legal moves of the position, generated on first use.
    #[getter]
    fn legal_moves(slf: Bound<'_, Self>) -> LegalMoves {
        LegalMoves { board: slf.unbind() }
    }

    /// The side to move, True for White. Setting it clears the history.
    #[getter]
    fn turn(&self) -> bool {
        self.inner.turn() == Color::White
    }

    #[setter]
    fn set_turn(&mut self, white: bool) {
        self.edit(|position| position.set_turn(color_of(white)));
    }

    /// The rights held, as in the third field of the FEN: letters, or ``-``. Setting them clears the history.
    ///
    /// :raises InvalidFenError: on setting a letter that is not a right, or one whose pieces are not on their squares.
    #[getter]
    fn rights(&self) -> String {
        rules::write_rights(self.inner.game(), self.inner.position())
    }

    #[setter]
    fn set_rights(&mut self, rights: Text) -> PyResult<()> {
        let mut position = self.inner.position().clone();
        let refused = |error: FenError| InvalidFenError::new_err(format!("{}: {}", error.field, error.message));
        rules::set_rights(self.inner.game(), &mut position, &rights).map_err(refused)?;
        self.replace(position);
        Ok(())
    }

    /// The half-move clock: half-moves without a capture or a soldier's move, or turns where a turn has several moves.
    /// Setting it, to 0 to 999,999, clears the history.
    #[getter]
    fn halfmove_clock(&self) -> u32 {
        self.inner.position().state().halfmove
    }

    #[setter]
    fn set_halfmove_clock(&mut self, moves: Number<'_, '_>) -> PyResult<()> {
        counter(&moves, "halfmove_clock", 0).map(|moves| self.edit(|position| position.set_halfmove(moves)))
    }

    /// The move number, from 1 to 999,999. Setting it clears the history.
    #[getter]
    fn fullmove_number(&self) -> u32 {
        self.inner.position().state().fullmove
    }

    #[setter]
    fn set_fullmove_number(&mut self, number: Number<'_, '_>) -> PyResult<()> {
        counter(&number, "fullmove_number", 1).map(|number| self.edit(|position| position.set_fullmove(number)))
    }

    /// A 64-bit key: equal for positions that count as the same.
    #[getter]
    fn key(&self) -> u64 {
        self.inner.key()
    }

    /// The moves made, oldest first.
    #[getter]
    fn move_stack(&self) -> Vec<Move> {
        self.inner.moves().map(|mv| self.to_move(mv)).collect()
    }

    /// The moves of the current turn.
    #[getter]
    fn turn_moves(&self) -> Vec<Move> {
        let made = self.inner.moves_in_turn();
        self.inner.moves().skip(self.inner.stack_len() - made).map(|mv| self.to_move(mv)).collect()
    }

    /// How many more moves the current turn may have.
    #[getter]
    fn moves_left(&self) -> u8 {
        self.inner.moves_left()
    }

    /// Returns the number of moves made.
    fn ply(&self) -> usize {
        self.inner.stack_len()
    }

    /// Makes a legal move, or a null move where it is allowed. Unlike in python-chess, legality is checked.
    ///
    /// :raises IllegalMoveError: if the move is not legal; the board is unchanged.
    fn push(&mut self, r#move: &Bound<'_, Move>) -> PyResult<()> {
        let mv = self.playable(*r#move.get())?;
        self.inner.push(mv);
        self.legal = None;
        Ok(())
    }

    /// Reads a move in coordinates, makes it and returns it.
    ///
    /// :raises InvalidMoveError: if the text is not a move.
    /// :raises IllegalMoveError: if it is not legal; the message says why.
    fn push_uci(&mut self, uci: Text) -> PyResult<Move> {
        let mv = self.inner.push_text(&uci).map_err(move_error)?;
        self.legal = None;
        Ok(self.to_move(mv))
    }

    /// Reads a move in SAN or coordinates, makes it and returns it.
    ///
    /// :raises InvalidMoveError: if the text is not a move.
    /// :raises IllegalMoveError: if it is not legal.
    /// :raises AmbiguousMoveError: if it fits several moves.
    fn push_san(&mut self, san: Text) -> PyResult<Move> {
        let mv = self.inner.parse_san(&san).map_err(move_error)?;
        self.inner.push(mv);
        self.legal = None;
        Ok(self.to_move(mv))
    }

    /// Reads a whole turn, its moves joined by commas, makes it and returns its moves. Ends a turn that could go on.
    ///
    /// :raises Error: as :meth:`push_san`, also if the text is not one whole turn; the board is unchanged.
    fn push_turn(&mut self, turn: Text) -> PyResult<Vec<Move>> {
        let moves = self.inner.push_turn(&turn).map_err(move_error)?;
        self.legal = None;
        Ok(moves.into_iter().map(|mv| self.to_move(mv)).collect())
    }

    /// Takes back the last move and returns it.
    ///
    /// :raises IndexError: if no move has been made.
    fn pop(&mut self) -> PyResult<Move> {
        let mv = self.inner.pop().ok_or_else(|| PyIndexError::new_err("no move to undo"))?;
        self.legal = None;
        Ok(self.to_move(mv))
    }

    /// Returns the last move.
    ///
    /// :raises IndexError: if no move has been made.
    fn peek(&self) -> PyResult<Move> {
        let mv = self.inner.moves().next_back().ok_or_else(|| PyIndexError::new_err("no move has been made"))?;
        Ok(self.to_move(mv))
    }

    /// Reads a legal move in coordinates. Raises the errors of :meth:`push_uci`.
    fn parse_uci(&self, uci: Text) -> PyResult<Move> {
        Ok(self.to_move(self.inner.parse_move(&uci).map_err(move_error)?))
    }

    /// Reads a legal move in SAN or coordinates. Raises the errors of :meth:`push_san`.
    fn parse_san(&self, san: Text) -> PyResult<Move> {
        Ok(self.to_move(self.inner.parse_san(&san).map_err(move_error)?))
    }

    /// Reads a whole turn and returns its moves. Raises the errors of :meth:`push_turn`.
    fn parse_turn(&self, turn: Text) -> PyResult<Vec<Move>> {
        let moves = self.inner.clone().push_turn(&turn).map_err(move_error)?;
        Ok(moves.into_iter().map(|mv| self.to_move(mv)).collect())
    }

    /// Writes a legal move in SAN.
    ///
    /// :raises IllegalMoveError: if it is not legal.
    fn san(&self, r#move: &Bound<'_, Move>) -> PyResult<String> {
        Ok(self.inner.san(self.playable(*r#move.get())?))
    }

    /// Writes a legal move in long algebraic notation: SAN with its whole origin, ``Nc2-d4``.
    ///
    /// :raises IllegalMoveError: if it is not legal.
    fn lan(&self, r#move: &Bound<'_, Move>) -> PyResult<String> {
        Ok(self.inner.lan(self.playable(*r#move.get())?))
    }

    /// Writes the moves of a turn in SAN, joined by commas, without an early ``end``; a pass is ``pass``.
    ///
    /// :raises IllegalMoveError: if one of them is not legal when its turn comes.
    fn turn_san(&self, moves: Vec<Bound<'_, Move>>) -> PyResult<String> {
        Ok(self.inner.turn_san(&self.line(&moves)?))
    }

    /// Returns whether a move is legal.
    fn is_legal(&self, r#move: &Bound<'_, Move>) -> bool {
        self.find(*r#move.get()).is_some()
    }

    /// Returns whether a legal move attacks the enemy's King, also by discovery.
    ///
    /// :raises IllegalMoveError: if it is not legal.
    fn gives_check(&self, r#move: &Bound<'_, Move>) -> PyResult<bool> {
        let mv = self.playable(*r#move.get())?;
        Ok(self.inner.position().gives_check(&self.inner.game().rules, mv))
    }

    fn _move_info(&self, r#move: &Bound<'_, Move>) -> PyResult<MoveInfo> {
        let mv = self.playable(*r#move.get())?;
        Ok(move_info(self.inner.game(), &self.inner.move_info(mv)))
    }

    /// Returns whether the side to move is in check; always False in a game without check.
    fn is_check(&self) -> bool {
        self.inner.position().is_check(&self.inner.game().rules)
    }

    fn _is_game_over_native(&self, claim_draw: bool) -> bool {
        self.inner.outcome(claim_draw).is_some()
    }

    fn _outcome(&self, claim_draw: bool) -> Option<Ended> {
        self.inner.outcome(claim_draw).map(|outcome| ended(&self.inner, &outcome))
    }

    /// The outcome if a side forfeits or both agree on a draw: the reason, and the loser's color (True is White) or
    /// None.
    fn _outcome_by_players(&self, reason: &str, loser: Option<bool>) -> Option<Ended> {
        outcome_by_players(&self.inner, reason, loser).map(|outcome| ended(&self.inner, &outcome))
    }

    /// Returns the names of the draws that the side to move may claim: ``threefold_repetition``, ``fifty_moves``.
    fn claimable(&self) -> Vec<&'static str> {
        self.inner.claimable().into_iter().map(|reason| reason.name()).collect()
    }

    /// Returns how often the position at the start of the turn has occurred, this time included.
    fn repetitions(&self) -> u32 {
        self.inner.repetitions()
    }

    fn _problems(&self) -> Vec<(&'static str, String)> {
        let game = self.inner.game();
        let problems = self.inner.position().problems(&game.rules);
        problems.into_iter().map(|problem| (problem.name(), problem.describe(game))).collect()
    }

    /// Puts a piece on a square or, with `letter=None`, clears the square; the stack is cleared.
    fn _put(&mut self, square: Number<'_, '_>, letter: Option<Text>, white: bool) -> PyResult<()> {
        let square = self.square(&square)?;
        let cell = match letter {
            None => Cell::EMPTY,
            Some(letter) => Cell::full(Piece::new(color_of(white), piece_type_of(self.inner.game(), &letter)?)),
        };
        let game = Arc::clone(self.inner.game());
        self.edit(|position| position.set(&game.rules, square, cell));
        Ok(())
    }

    /// Removes all pieces and rights, with White to move. This clears the history.
    fn clear(&mut self) {
        self.replace(rules::Position::empty());
    }

    /// Copies the position of another board with the sides swapped and the board mirrored rank for rank.
    fn _mirror(&mut self) {
        let position = self.inner.position().mirrored(&self.inner.game().rules);
        self.replace(position);
    }

    /// Returns the square of a side's royal piece, the first of several, or None.
    fn king(&self, white: bool) -> Option<u16> {
        self.inner.position().royals(color_of(white)).first().map(|square| u16::from(square.0))
    }

    /// Returns the squares of a side's royal pieces.
    fn royals(&self, white: bool) -> Vec<u16> {
        numbers(self.inner.position().royals(color_of(white)))
    }

    /// Returns the squares of a side's pieces of one type, by the piece type's letter.
    ///
    /// :raises Error: if the game has no such piece type.
    fn pieces(&self, letter: Text, color: bool) -> PyResult<SquareSet> {
        let (game, position) = (self.inner.game(), self.inner.position());
        Ok(SquareSet::of(&game.rules, position.pieces(color_of(color), piece_type_of(game, &letter)?)))
    }

    /// Returns the squares of the pieces that the rules of the turn let move now: not moved yet, and in command.
    fn movable(&self) -> Vec<u16> {
        numbers(self.inner.position().movers(&self.inner.game().rules))
    }

    /// Returns where the piece on a square, of either side, could go by its own moves, and how.
    ///
    /// Check is ignored, and castling, the King's jump and en passant are not included; the legal moves have them.
    ///
    /// :raises Error: if the number is not a square of the board.
    fn reach(&self, square: Number<'_, '_>) -> PyResult<Vec<Reach>> {
        let from = self.square(&square)?;
        let reach = self.inner.position().reach(&self.inner.game().rules, from);
        Ok(reach.iter().map(Reach::from).collect())
    }

    /// Counts the leaves after ``depth`` legal moves, without holding the interpreter.
    ///
    /// :raises Error: if the depth is not from 0 to 64.
    fn perft(&self, py: Python<'_>, depth: Number<'_, '_>) -> PyResult<u64> {
        let depth = depth_of(&depth)?;
        let mut position = self.inner.position().clone();
        let game = Arc::clone(self.inner.game());
        py.detach(move || watched_perft(&game.rules, &mut position, depth))
    }

    /// Counts as :meth:`perft`, separately for each first move; returns pairs of a move and its count.
    fn divide(&self, py: Python<'_>, depth: Number<'_, '_>) -> PyResult<Vec<(Move, u64)>> {
        let depth = depth_of(&depth)?;
        let mut position = self.inner.position().clone();
        let game = Arc::clone(self.inner.game());
        let counts = py.detach(|| watched_divide(&game.rules, &mut position, depth))?;
        Ok(counts.into_iter().map(|(mv, nodes)| (Move::from_move(&game, mv), nodes)).collect())
    }

    /// Plays at random on a copy: returns the number of moves, the final FEN and the outcome.
    fn _playout(&self, py: Python<'_>, seed: u64, max_plies: usize) -> (usize, String, Option<Ended>) {
        let mut board = self.inner.clone();
        let (moves, outcome) = py.detach(|| play_at_random(&mut board, seed, max_plies));
        (moves, board.fen(), outcome.map(|outcome| ended(&board, &outcome)))
    }

    fn __sizeof__(&self) -> usize {
        self.inner.size() + self.root.capacity() + size_of::<Board>()
    }
}

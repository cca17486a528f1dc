//! What all sets of pieces of a game share: the board with its symmetries, and the two Kings.

use super::steps::{BARE, STRONG, Steps, starts};
use rules::definition::Verdict;
use rules::{Cell, Game, Piece, PieceType, Position, Rules, Set, Square};

/// The board and the Kings of a game.
pub(super) struct Ground {
    /// The squares, in ascending order.
    pub squares: Vec<Square>,
    /// By [`Square::index`], the place of a square in `squares`.
    pub place: Vec<u8>,
    /// The symmetries of the board: where each takes a square. The first changes nothing, the second swaps left and
    /// right.
    pub maps: Vec<Vec<Square>>,
    /// The steps of the King that has pieces.
    pub king: Steps,
    /// By square, what that King attacks. It is also from where it is attacked by the bare King.
    pub guarded: Vec<Set>,
    /// By square, where the bare King steps to.
    pub flights: Vec<Set>,
    /// By square, from where the bare King steps or captures to it.
    pub origins: Vec<Set>,
    /// By square, where the bare King captures.
    pub captures: Vec<Set>,
    /// Whether a side without moves and not in check has lost.
    pub stalemate_loses: bool,
    steps: Vec<Option<Result<Steps, String>>>,
}

impl Ground {
    /// Examines a game.
    ///
    /// # Errors
    /// If its end is none that this analysis covers.
    pub fn new(game: &Game) -> Result<Ground, String> {
        let rules = &game.rules;
        let refuse = |reason: &str| Err(format!("{} has no study of mates: {reason}", game.definition.texts.name));
        if !rules.has_check() {
            return refuse("its royal pieces can be captured, so that there is no mate");
        }
        if rules.multi {
            return refuse("a turn has several moves, and the positions within turns are too many");
        }
        if rules.end.four_points {
            return refuse("the bare King's points decide first; choose scoring=classic");
        }
        let is_usual = rules.end.checkmate == Verdict::Loss && rules.end.stalemate != Verdict::Win;
        if !is_usual
            || rules.has_many_kings()
            || rules.kingless != [false, false]
            || rules.has_conditions()
            || rules.restricts_moves()
        {
            return refuse("it is not won by mate alone, or not every move is free");
        }
        let [royal] = rules.royals[..] else { return refuse("it has several royal piece types") };
        let maps = symmetries(rules);
        let (white, black) = (Piece::new(STRONG, royal), Piece::new(BARE, royal));
        let (king, bare) =
            (Steps::new(rules, white, rules.board, &maps)?, Steps::new(rules, black, rules.board, &maps)?);
        if !is_simple(rules, &king, white) || !is_simple(rules, &bare, black) {
            return refuse("its King's moves or attacks depend on other pieces");
        }
        let empty = Position::empty();
        let table = |attacks: &dyn Fn(Square) -> Set| -> Vec<Set> {
            (0..=255).map(Square).map(|s| if rules.board.contains(s) { attacks(s) } else { Set::EMPTY }).collect()
        };
        let guarded = table(&|from| empty.attack_set(rules, white, from));
        let captures = table(&|from| empty.attack_set(rules, black, from));
        let mutual = |a: Square, b: Square| guarded[a.index()].contains(b) == captures[b.index()].contains(a);
        if !rules.board.into_iter().all(|a| rules.board.into_iter().all(|b| mutual(a, b))) {
            return refuse("a King can check a King");
        }
        let flights = table(&|from| {
            rules.board.into_iter().filter(|to| bare.to[to.index()].iter().any(|step| step.from == from)).collect()
        });
        let origins = table(&|to| {
            let reaches = |from: &Square| flights[from.index()].contains(to) || captures[from.index()].contains(to);
            rules.board.into_iter().filter(reaches).collect()
        });
        let squares: Vec<Square> = rules.board.into_iter().collect();
        let mut place = vec![0; 256];
        squares.iter().enumerate().for_each(|(index, square)| place[square.index()] = index as u8);
        let mut king = king;
        king.symmetries &= bare.symmetries;
        Ok(Ground {
            squares,
            place,
            maps,
            king,
            guarded,
            flights,
            origins,
            captures,
            stalemate_loses: rules.end.stalemate == Verdict::Loss,
            steps: (0..rules.piece_types).map(|_| None).collect(),
        })
    }

    /// Returns the steps of a piece type, worked out when first asked for.
    ///
    /// # Errors
    /// If the analysis does not cover them.
    pub fn learn(&mut self, game: &Game, kind: PieceType) -> Result<&Steps, String> {
        let slot = self.steps.get_mut(kind.index()).ok_or("no such piece type")?;
        if game.rules.royal[kind.index()] {
            return Err("it is royal".into());
        }
        let new = || Steps::new(&game.rules, Piece::new(STRONG, kind), starts(game, kind), &self.maps);
        slot.get_or_insert_with(new).as_ref().map_err(Clone::clone)
    }

    /// The steps of a piece type that is known.
    pub fn steps(&self, kind: PieceType) -> &Steps {
        self.steps[kind.index()].as_ref().and_then(|steps| steps.as_ref().ok()).expect("a piece type that was learnt")
    }

    /// Whether the limit on promotions lets a piece become this piece type beside these.
    pub fn may_promote(&self, rules: &Rules, becomes: PieceType, rest: &[PieceType]) -> bool {
        let limit = rules.promotion_limit.as_ref().map(|limits| limits[STRONG.index()][becomes.index()]);
        let count = rest.iter().filter(|kind| **kind == becomes).count();
        limit.is_none_or(|limit| count < usize::from(limit))
    }

    /// The symmetries that keep the Kings and all piece types of a set, and what they promote to.
    pub fn symmetries_of(&self, piece_types: &[PieceType]) -> u8 {
        piece_types.iter().fold(self.king.symmetries, |kept, kind| {
            let steps = self.steps(*kind);
            let kept = kept & steps.symmetries;
            if steps.promotions.is_empty() { kept } else { kept & self.symmetries_of(&steps.becomes()) }
        })
    }

    /// The set of squares to which a symmetry takes these.
    pub fn image(&self, map: usize, set: Set) -> Set {
        if map == 0 {
            return set;
        }
        set.into_iter().map(|square| self.maps[map][square.index()]).collect()
    }
}

/// Whether a King only leaps, and attacks the same squares whatever else is on the board.
fn is_simple(rules: &Rules, steps: &Steps, king: Piece) -> bool {
    let leaps = rules.board.into_iter().all(|to| steps.to[to.index()].iter().all(|step| step.path == Set::of(to)));
    let same_attacks = rules.board.into_iter().all(|from| {
        let free = Position::empty().attack_set(rules, king, from);
        rules.board.without(from).into_iter().all(|square| {
            let mut position = Position::empty();
            position.set(rules, square, Cell::full(king));
            position.attack_set(rules, king, from) == free
        })
    });
    leaps && same_attacks && steps.promotions.is_empty()
}

/// The symmetries of the board: four, or eight if it is square.
fn symmetries(rules: &Rules) -> Vec<Vec<Square>> {
    let (files, ranks) = (rules.files, rules.ranks);
    let all = if files == ranks { 8 } else { 4 };
    let image = |number: u8, square: Square| {
        if !rules.board.contains(square) {
            return square;
        }
        let (file, rank) = (square.file(), square.rank());
        let file = if number & 1 != 0 { files - 1 - file } else { file };
        let rank = if number & 2 != 0 { ranks - 1 - rank } else { rank };
        if number & 4 != 0 { Square::new(rank, file) } else { Square::new(file, rank) }
    };
    (0..all).map(|number| (0..=255).map(|square| image(number, Square(square))).collect()).collect()
}

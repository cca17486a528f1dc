//! How one piece type moves when nothing can be captured: its steps, found by asking the core on boards with one
//! piece and a blocker.

use rules::{Cell, Color, Game, Move, Piece, PieceType, Position, Rules, Set, Square};

/// A move to an empty square, seen from its destination.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// The origin.
    pub from: Square,
    /// The squares that must be empty, the destination included.
    pub path: Set,
}

/// A move that promotes.
#[derive(Clone, Copy)]
pub(super) struct Promotion {
    pub from: Square,
    pub to: Square,
    pub path: Set,
    pub becomes: PieceType,
}

/// All moves of a piece to empty squares.
pub(super) struct Steps {
    /// By destination, the moves that do not promote.
    pub to: Vec<Vec<Step>>,
    pub promotions: Vec<Promotion>,
    /// Where the piece can stand.
    pub squares: Set,
    /// The symmetries of the board that change neither its moves nor its attacks, a bit for each.
    pub symmetries: u8,
}

impl Steps {
    /// Asks the core for the moves of a piece that begins on one of these squares.
    ///
    /// # Errors
    /// If one of its moves depends on more than a path that must be empty.
    pub fn new(rules: &Rules, piece: Piece, starts: Set, maps: &[Vec<Square>]) -> Result<Steps, String> {
        let spec = rules.piece(piece);
        let several_paths = spec.conditionals.iter().flatten().any(|leap| leap.quiet && !leap.more.is_empty());
        if !spec.walks.is_empty() || several_paths {
            return Err("it has moves with several legs or paths".into());
        }
        if spec.lines.iter().any(|line| line.hop_quiet) {
            return Err("it moves over other pieces to empty squares".into());
        }
        let blocker = Piece::new(piece.color(), rules.royals[0]);
        let squares = squares(rules, piece);
        let (mut to, mut promotions) = (vec![Vec::new(); 256], Vec::new());
        let mut position = Position::empty();
        position.set_turn(piece.color());
        for from in squares {
            position.set(rules, from, Cell::full(piece));
            let free = moves(rules, &position, from);
            let mut paths = vec![Set::EMPTY; free.len()];
            for square in rules.board.without(from) {
                position.set(rules, square, Cell::full(blocker));
                let left = moves(rules, &position, from);
                position.set(rules, square, Cell::EMPTY);
                for (mv, path) in free.iter().zip(&mut paths).filter(|(mv, _)| !left.contains(mv)) {
                    path.insert(square);
                    debug_assert!(mv.moves_piece());
                }
            }
            position.set(rules, from, Cell::EMPTY);
            for (mv, path) in free.iter().zip(paths) {
                match mv.promotion() {
                    Some(becomes) => promotions.push(Promotion { from, to: mv.to(), path, becomes }),
                    None => to[mv.to().index()].push(Step { from, path }),
                }
            }
        }
        let mut steps = Steps { to, promotions, squares, symmetries: 0 };
        steps.squares &= steps.reached(rules, piece, starts);
        for (bit, map) in maps.iter().enumerate() {
            steps.symmetries |= u8::from(steps.is_kept_by(rules, piece, map)) << bit;
        }
        Ok(steps)
    }

    /// The squares to which a piece can come by moves and captures.
    fn reached(&self, rules: &Rules, piece: Piece, starts: Set) -> Set {
        let (mut reached, mut new) = (Set::EMPTY, starts);
        while !new.is_empty() {
            reached |= new;
            let captures = new.into_iter().map(|from| Position::empty().attack_set(rules, piece, from));
            let moves =
                rules.board.into_iter().filter(|to| self.to[to.index()].iter().any(|step| new.contains(step.from)));
            new = captures.fold(moves.collect(), |set: Set, more| set | more).minus(reached);
        }
        reached
    }

    /// The piece types that it promotes to.
    pub fn becomes(&self) -> Vec<PieceType> {
        let mut piece_types: Vec<PieceType> = self.promotions.iter().map(|promotion| promotion.becomes).collect();
        piece_types.sort_unstable_by_key(|kind| kind.index());
        piece_types.dedup();
        piece_types
    }

    /// Whether a symmetry changes neither moves nor attacks, with and without a piece in the way.
    fn is_kept_by(&self, rules: &Rules, piece: Piece, map: &[Square]) -> bool {
        let image = |set: Set| -> Set { set.into_iter().map(|square| map[square.index()]).collect() };
        if image(self.squares) != self.squares {
            return false;
        }
        let same_steps = rules.board.into_iter().all(|to| {
            let images = &self.to[map[to.index()].index()];
            self.to[to.index()].len() == images.len()
                && self.to[to.index()].iter().all(|step| {
                    let (from, path) = (map[step.from.index()], image(step.path));
                    images.iter().any(|other| other.from == from && other.path == path)
                })
        });
        let same_promotions = self.promotions.iter().all(|promotion| {
            let (from, to) = (map[promotion.from.index()], map[promotion.to.index()]);
            let path = image(promotion.path);
            let same = |p: &Promotion| (p.from, p.to, p.path, p.becomes) == (from, to, path, promotion.becomes);
            self.promotions.iter().any(same)
        });
        same_steps && same_promotions && self.attacks_are_kept_by(rules, piece, map)
    }

    fn attacks_are_kept_by(&self, rules: &Rules, piece: Piece, map: &[Square]) -> bool {
        let image = |set: Set| -> Set { set.into_iter().map(|square| map[square.index()]).collect() };
        rules.board.into_iter().all(|blocker| {
            let [here, there] = [blocker, map[blocker.index()]].map(|square| {
                let mut position = Position::empty();
                position.set(rules, square, Cell::full(Piece::new(piece.color(), rules.royals[0])));
                position
            });
            self.squares.without(blocker).into_iter().all(|from| {
                image(here.attack_set(rules, piece, from)) == there.attack_set(rules, piece, map[from.index()])
            })
        })
    }
}

/// The squares where a piece can stand in a game: not where it would have promoted.
fn squares(rules: &Rules, piece: Piece) -> Set {
    let stuck = |square: Square| {
        let mut position = Position::empty();
        position.set(rules, square, Cell::full(piece));
        position.problems(rules).contains(&rules::Problem::Unpromoted(square))
    };
    rules.board.into_iter().filter(|square| !stuck(*square)).collect()
}

/// Where pieces of a type come into a game: at the start, in the setup phase and by promotion. All squares if nowhere.
pub(super) fn starts(game: &Game, kind: PieceType) -> Set {
    let (definition, rules) = (&game.definition, &game.rules);
    let placed = definition.placement.iter().filter(|(_, color, other)| (*color, *other) == (STRONG, kind));
    let mut squares: Set = placed.map(|(square, _, _)| *square).collect();
    for group in definition.setup.iter().filter(|group| group.pieces.contains(&kind)) {
        squares |= group.squares.iter().copied().collect();
    }
    squares |= rules.promoted_from(STRONG, kind).fold(Set::EMPTY, |zone, piece| zone | piece.zone);
    if squares.is_empty() { rules.board } else { squares }
}

/// The moves of the piece on a square.
fn moves(rules: &Rules, position: &Position, from: Square) -> Vec<Move> {
    let mut moves = Vec::new();
    position.pseudo_legal_moves(rules, &mut moves);
    moves.retain(|mv| mv.moves_piece() && mv.from() == from);
    moves
}

/// The side that has the pieces.
pub(super) const STRONG: Color = Color::White;
/// The side of the bare King.
pub(super) const BARE: Color = Color::Black;

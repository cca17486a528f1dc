//! Retrograde analysis of one set of pieces: all positions of King and pieces against a bare King.
//!
//! An *arrangement* is the squares of the King and its pieces. For each the positions are sets of squares of the bare
//! King, so that one operation on sets treats all of them. Arrangements that symmetries make equal are stored once.

use super::ground::Ground;
use super::steps::STRONG;
use rules::{Cell, Piece, PieceType, Position, Rules, Set, Square};
use std::collections::BTreeMap;

/// The longest win that is stored, in moves.
const MAX_MOVES: u8 = u8::MAX - 1;

/// The squares of the pieces of a set, of which the first `len` are used.
pub(super) type Squares = [Square; 2];

/// An arrangement.
#[derive(Clone, Copy)]
pub(super) struct Arrangement {
    pub king: Square,
    pub pieces: Squares,
    /// The squares of King and pieces.
    pub occupied: Set,
}

/// The solution of a set.
pub(super) struct Solution {
    pub piece_types: Vec<PieceType>,
    /// The symmetries that keep these piece types.
    maps: Vec<usize>,
    /// The King's squares that are stored.
    kings: Vec<Square>,
    /// By square, the symmetry that takes the King to a stored square, and the place of that square.
    stored: Vec<(u8, u8)>,
    /// By stored square of the King, how many squares it stands for.
    pub weights: Vec<u64>,
    /// By arrangement, what King and pieces attack; all squares for arrangements that do not exist.
    attacked: Vec<Set>,
    /// By arrangement and square of the bare King, in how many moves the side to move wins; 0 if it does not.
    won: Vec<u8>,
    /// The same with the bare King to move: one more than the moves in which it is mated; 0 if it is not.
    lost: Vec<u8>,
}

impl Solution {
    /// Solves a set.
    ///
    /// # Errors
    /// If a win is too long to be stored.
    pub fn solve(
        rules: &Rules,
        ground: &Ground,
        piece_types: &[PieceType],
        solved: &BTreeMap<Vec<PieceType>, Solution>,
    ) -> Result<Solution, String> {
        let mut solution = Solution::empty(ground, piece_types);
        solution.attacked = attacks(rules, ground, &solution);
        let mut work = Work::new(rules, ground, solution, solved);
        work.run()?;
        Ok(work.solution)
    }

    /// The memory of the solution of a set.
    pub fn bytes(ground: &Ground, piece_types: &[PieceType]) -> usize {
        let (all, kept) = (ground.squares.len(), maps(ground, piece_types));
        let kings = ground.squares.iter().filter(|square| first_image(ground, &kept, **square).0 == **square).count();
        kings * all.pow(piece_types.len() as u32) * (2 * all + size_of::<Set>())
    }

    fn empty(ground: &Ground, piece_types: &[PieceType]) -> Solution {
        let maps = maps(ground, piece_types);
        let (mut kings, mut weights, mut stored) = (Vec::new(), Vec::new(), vec![(0, 0); 256]);
        for &square in &ground.squares {
            let (first, map) = first_image(ground, &maps, square);
            if first == square {
                kings.push(square);
                let mut images: Vec<Square> = maps.iter().map(|map| ground.maps[*map][square.index()]).collect();
                images.sort_unstable();
                images.dedup();
                weights.push(images.len() as u64);
            }
            let place = kings.iter().position(|king| *king == first).expect("a lower square came before");
            stored[square.index()] = (map as u8, place as u8);
        }
        let arrangements = kings.len() * ground.squares.len().pow(piece_types.len() as u32);
        let positions = arrangements * ground.squares.len();
        Solution {
            piece_types: piece_types.to_vec(),
            maps,
            kings,
            stored,
            weights,
            attacked: vec![!Set::EMPTY; arrangements],
            won: vec![0; positions],
            lost: vec![0; positions],
        }
    }

    /// The number of arrangements stored.
    pub fn len(&self) -> usize {
        self.attacked.len()
    }

    /// The place of the King's square of an arrangement in `weights`.
    pub fn king_of(&self, ground: &Ground, number: usize) -> usize {
        number / ground.squares.len().pow(self.piece_types.len() as u32)
    }

    /// The arrangement of a number.
    pub fn arrangement(&self, ground: &Ground, number: usize) -> Arrangement {
        let (all, mut rest) = (ground.squares.len(), number);
        let mut pieces = [Square(0); 2];
        for piece in (0..self.piece_types.len()).rev() {
            pieces[piece] = ground.squares[rest % all];
            rest /= all;
        }
        let king = self.kings[rest];
        let occupied = pieces[..self.piece_types.len()].iter().fold(Set::of(king), |set, square| set.with(*square));
        Arrangement { king, pieces, occupied }
    }

    /// The number of an arrangement whose King stands on a stored square.
    fn number(&self, ground: &Ground, king: u8, mut pieces: Squares) -> usize {
        if let [first, second] = self.piece_types[..]
            && first == second
            && pieces[0] > pieces[1]
        {
            pieces.swap(0, 1);
        }
        let place = |square: &Square| usize::from(ground.place[square.index()]);
        pieces[..self.piece_types.len()]
            .iter()
            .fold(usize::from(king), |n, piece| n * ground.squares.len() + place(piece))
    }

    /// The number of an arrangement, and the symmetry that leads to it.
    pub fn find(&self, ground: &Ground, king: Square, pieces: Squares) -> (usize, usize) {
        let (map, place) = self.stored[king.index()];
        let map = usize::from(map);
        (self.number(ground, place, pieces.map(|square| ground.maps[map][square.index()])), map)
    }

    /// Whether this is an arrangement, and not a second number of one.
    pub fn exists(&self, number: usize) -> bool {
        self.attacked[number] != !Set::EMPTY
    }

    /// What King and pieces attack.
    pub fn attacked(&self, number: usize) -> Set {
        self.attacked[number]
    }

    /// In how many moves the side with the pieces wins if it is to move.
    pub fn won(&self, ground: &Ground, number: usize, bare: Square) -> Option<u32> {
        let moves = self.won[number * ground.squares.len() + usize::from(ground.place[bare.index()])];
        (moves > 0).then_some(u32::from(moves))
    }

    /// In how many moves the bare King is mated if it is to move.
    pub fn lost(&self, ground: &Ground, number: usize, bare: Square) -> Option<u32> {
        let more = self.lost[number * ground.squares.len() + usize::from(ground.place[bare.index()])];
        more.checked_sub(1).map(u32::from)
    }

    /// The value of a capture by the bare King: `None` if it is illegal, else in how many moves the side with the
    /// pieces that are left still wins.
    fn after_capture(&self, ground: &Ground, king: Square, rest: Squares, bare: Square) -> Option<Option<u32>> {
        let (number, map) = self.find(ground, king, rest);
        let bare = ground.maps[map][bare.index()];
        (!self.attacked[number].contains(bare)).then(|| self.won(ground, number, bare))
    }
}

/// The symmetries that keep a set.
fn maps(ground: &Ground, piece_types: &[PieceType]) -> Vec<usize> {
    let kept = ground.symmetries_of(piece_types);
    (0..ground.maps.len()).filter(|map| kept >> map & 1 != 0).collect()
}

/// The lowest square to which these symmetries take a square, and the symmetry that does.
fn first_image(ground: &Ground, maps: &[usize], square: Square) -> (Square, usize) {
    maps.iter().map(|map| (ground.maps[*map][square.index()], *map)).min().expect("the identity is a symmetry")
}

/// What King and pieces attack, for each arrangement of a solution.
fn attacks(rules: &Rules, ground: &Ground, solution: &Solution) -> Vec<Set> {
    let mut position = Position::empty();
    let (piece_types, twins) =
        (&solution.piece_types, solution.piece_types.len() == 2 && solution.piece_types[0] == solution.piece_types[1]);
    let allowed: Vec<Set> = piece_types.iter().map(|kind| ground.steps(*kind).squares).collect();
    let pieces: Vec<Piece> = piece_types.iter().map(|kind| Piece::new(STRONG, *kind)).collect();
    let mut before: Option<Arrangement> = None;
    let king = Piece::new(STRONG, rules.royals[0]);
    let mut sets = vec![!Set::EMPTY; solution.len()];
    for (number, attacked) in sets.iter_mut().enumerate() {
        let now = solution.arrangement(ground, number);
        let here = &now.pieces[..piece_types.len()];
        let exists = now.occupied.count() as usize == piece_types.len() + 1
            && here.iter().zip(&allowed).all(|(square, allowed)| allowed.contains(*square))
            && !(twins && now.pieces[0] > now.pieces[1]);
        if !exists {
            continue;
        }
        if let Some(before) = before {
            before.occupied.into_iter().for_each(|square| position.set(rules, square, Cell::EMPTY));
        }
        position.set(rules, now.king, Cell::full(king));
        here.iter().zip(&pieces).for_each(|(square, piece)| position.set(rules, *square, Cell::full(*piece)));
        before = Some(now);
        *attacked = here.iter().zip(&pieces).fold(ground.guarded[now.king.index()], |set, (square, piece)| {
            set | position.attack_set(rules, *piece, *square)
        });
    }
    sets
}

/// The work on one set, depth by depth.
struct Work<'a> {
    rules: &'a Rules,
    ground: &'a Ground,
    solution: Solution,
    /// By piece, the solution without it.
    without: Vec<&'a Solution>,
    /// By piece type that a piece promotes to, the solution with it instead of that piece.
    promoted: Vec<(usize, PieceType, &'a Solution)>,
    /// By arrangement, the squares to which the bare King cannot step without losing: those that are attacked, and those
    /// where the side with the pieces, to move, wins.
    closed: Vec<Set>,
    /// By arrangement, the squares of the bare King where it is to move and loses.
    lost: Vec<Set>,
    /// By arrangement, the wins found at this depth.
    fresh: Vec<Set>,
    /// The arrangements with fresh squares.
    touched: Vec<u32>,
}

/// By depth, the arrangements with a piece whose capture comes to lose there.
type Captures = Vec<Vec<(u32, u8)>>;

impl<'a> Work<'a> {
    fn new(
        rules: &'a Rules,
        ground: &'a Ground,
        solution: Solution,
        solved: &'a BTreeMap<Vec<PieceType>, Solution>,
    ) -> Work<'a> {
        let piece_types = &solution.piece_types;
        let rest = |piece: usize| -> Vec<PieceType> {
            piece_types.iter().enumerate().filter(|(other, _)| *other != piece).map(|(_, kind)| *kind).collect()
        };
        let without = (0..piece_types.len()).map(|piece| &solved[&rest(piece)]).collect();
        let mut promoted = Vec::new();
        for (piece, kind) in piece_types.iter().enumerate() {
            for becomes in ground.steps(*kind).becomes() {
                if ground.may_promote(rules, becomes, &rest(piece)) {
                    let set: Vec<PieceType> = rest(piece).into_iter().chain([becomes]).collect();
                    promoted.push((piece, becomes, &solved[&super::sorted(&set)]));
                }
            }
        }
        let sets = || vec![Set::EMPTY; solution.len()];
        let (closed, lost, fresh) = (solution.attacked.clone(), sets(), sets());
        Work { rules, ground, solution, without, promoted, closed, lost, fresh, touched: Vec::new() }
    }

    fn run(&mut self) -> Result<(), String> {
        let captures = self.captures();
        let promotions = self.promotions();
        let last_promotion =
            promotions.iter().flat_map(|(_, values)| values).max().map_or(0, |most| usize::from(*most));
        let last = last_promotion.max(captures.len().saturating_sub(1));
        let mut frontier = self.mates();
        let mut depth = 0;
        while !frontier.is_empty() || usize::from(depth) < last {
            if depth == MAX_MOVES {
                return Err(format!("a win is longer than {MAX_MOVES} moves"));
            }
            depth += 1;
            for (number, squares) in &frontier {
                self.push(*number as usize, *squares);
            }
            for (number, values) in &promotions {
                let wins = self.ground.squares.iter().zip(values).filter(|(_, value)| **value == depth);
                let wins: Set = wins.map(|(square, _)| *square).collect();
                self.win(*number as usize, wins);
            }
            frontier = self.losses(depth, captures.get(usize::from(depth)).map_or(&[], Vec::as_slice));
        }
        Ok(())
    }

    /// The positions in which the bare King has lost already.
    fn mates(&mut self) -> Vec<(u32, Set)> {
        let mut frontier = Vec::new();
        for number in 0..self.solution.len() {
            if !self.solution.exists(number) {
                continue;
            }
            let arrangement = self.solution.arrangement(self.ground, number);
            let mut squares = self.squares_of_bare_king(&arrangement);
            if !self.ground.stalemate_loses {
                squares &= self.solution.attacked(number);
            }
            let stuck = |bare: &Square| self.is_lost(number, &arrangement, *bare, 0);
            let mates: Set = squares.into_iter().filter(stuck).collect();
            self.lose(number, mates, 0, &mut frontier);
        }
        frontier
    }

    /// Where the bare King can stand if it is to move.
    fn squares_of_bare_king(&self, arrangement: &Arrangement) -> Set {
        self.rules.board.minus(self.ground.guarded[arrangement.king.index()] | arrangement.occupied)
    }

    /// Whether every move of the bare King leads to a position that is won by now, and it is mated if it has none.
    fn is_lost(&self, number: usize, arrangement: &Arrangement, bare: Square, depth: u8) -> bool {
        let attacked = self.solution.attacked(number);
        let flights = self.ground.flights[bare.index()].minus(arrangement.occupied);
        if !flights.minus(self.closed[number]).is_empty() {
            return false;
        }
        let mut can_move = !flights.minus(attacked).is_empty();
        for (piece, rest) in self.without.iter().enumerate() {
            let square = arrangement.pieces[piece];
            if self.ground.captures[bare.index()].contains(square) {
                let left = [arrangement.pieces[1 - piece]; 2];
                match rest.after_capture(self.ground, arrangement.king, left, square) {
                    Some(won) if won.is_none_or(|moves| moves > u32::from(depth)) => return false,
                    Some(_) => can_move = true,
                    None => {}
                }
            }
        }
        can_move || attacked.contains(bare) || self.ground.stalemate_loses
    }

    /// Adds lost positions.
    fn lose(&mut self, number: usize, squares: Set, depth: u8, frontier: &mut Vec<(u32, Set)>) {
        if squares.is_empty() {
            return;
        }
        self.lost[number] |= squares;
        let row = number * self.ground.squares.len();
        for square in squares {
            self.solution.lost[row + usize::from(self.ground.place[square.index()])] = depth + 1;
        }
        frontier.push((number as u32, squares));
    }

    /// Adds positions that are won by a move into lost ones; squares where the position is illegal or already won are
    /// dropped.
    fn win(&mut self, number: usize, squares: Set) {
        let new = squares.minus(self.closed[number]);
        if new.is_empty() {
            return;
        }
        self.closed[number] |= new;
        if self.fresh[number].is_empty() {
            self.touched.push(number as u32);
        }
        self.fresh[number] |= new;
    }

    /// Takes back every move that led to an arrangement.
    fn push(&mut self, number: usize, squares: Set) {
        let ground = self.ground;
        let arrangement = self.solution.arrangement(ground, number);
        let count = self.solution.piece_types.len();
        let king = self.solution.stored[arrangement.king.index()].1;
        for piece in 0..count {
            let now = arrangement.pieces[piece];
            let others = arrangement.occupied.without(now);
            for step in &ground.steps(self.solution.piece_types[piece]).to[now.index()] {
                if !step.path.with(step.from).meets(&others) {
                    let mut pieces = arrangement.pieces;
                    pieces[piece] = step.from;
                    let before = self.solution.number(ground, king, pieces);
                    self.win(before, squares.minus(step.path).without(step.from));
                }
            }
        }
        for step in &ground.king.to[arrangement.king.index()] {
            if arrangement.occupied.contains(step.from) {
                continue;
            }
            let squares = squares.without(step.from);
            let (_, place) = self.solution.stored[step.from.index()];
            let stored = self.solution.kings[usize::from(place)];
            for index in 0..self.solution.maps.len() {
                let map = self.solution.maps[index];
                if ground.maps[map][step.from.index()] != stored {
                    continue;
                }
                let pieces = arrangement.pieces.map(|square| ground.maps[map][square.index()]);
                let before = self.solution.number(ground, place, pieces);
                self.win(before, ground.image(map, squares));
            }
        }
    }

    /// Returns the positions that come to be lost at a depth, because replies to all else are won.
    fn losses(&mut self, depth: u8, captures: &[(u32, u8)]) -> Vec<(u32, Set)> {
        let mut frontier = Vec::new();
        for number in std::mem::take(&mut self.touched) {
            let number = number as usize;
            let fresh = std::mem::take(&mut self.fresh[number]);
            let row = number * self.ground.squares.len();
            for square in fresh {
                self.solution.won[row + usize::from(self.ground.place[square.index()])] = depth;
            }
            let origins = fresh.into_iter().fold(Set::EMPTY, |set, square| set | self.ground.origins[square.index()]);
            self.lose_from(number, origins, depth, &mut frontier);
        }
        for (number, piece) in captures {
            let number = *number as usize;
            let square = self.solution.arrangement(self.ground, number).pieces[usize::from(*piece)];
            self.lose_from(number, self.ground.origins[square.index()], depth, &mut frontier);
        }
        frontier
    }

    fn lose_from(&mut self, number: usize, origins: Set, depth: u8, frontier: &mut Vec<(u32, Set)>) {
        let arrangement = self.solution.arrangement(self.ground, number);
        let candidates = (origins & self.squares_of_bare_king(&arrangement)).minus(self.lost[number]);
        let lost = candidates.into_iter().filter(|bare| self.is_lost(number, &arrangement, *bare, depth)).collect();
        self.lose(number, lost, depth, frontier);
    }

    /// Lists the captures by the bare King that lose all the same, by the depth from which they do.
    fn captures(&self) -> Captures {
        let mut captures = Captures::new();
        for number in (0..self.solution.len()).filter(|number| self.solution.exists(*number)) {
            let arrangement = self.solution.arrangement(self.ground, number);
            for (piece, rest) in self.without.iter().enumerate() {
                let left = [arrangement.pieces[1 - piece]; 2];
                let value = rest.after_capture(self.ground, arrangement.king, left, arrangement.pieces[piece]);
                if let Some(Some(moves)) = value {
                    let depth = moves as usize;
                    captures.resize(captures.len().max(depth + 1), Vec::new());
                    captures[depth].push((number as u32, piece as u8));
                }
            }
        }
        captures
    }

    /// Lists the arrangements with wins by promotion: for each square of the bare King in how many moves; 0 for none.
    fn promotions(&self) -> Vec<(u32, Vec<u8>)> {
        let mut found: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
        let ground = self.ground;
        for number in (0..self.solution.len()).filter(|number| self.solution.exists(*number)) {
            let arrangement = self.solution.arrangement(ground, number);
            for (piece, becomes, after) in &self.promoted {
                let from = arrangement.pieces[*piece];
                let others = arrangement.occupied.without(from);
                let steps = ground.steps(self.solution.piece_types[*piece]).promotions.iter();
                for step in steps.filter(|step| step.from == from && step.becomes == *becomes) {
                    if step.path.meets(&others) {
                        continue;
                    }
                    let mut pieces = arrangement.pieces;
                    pieces[*piece] = step.to;
                    // In the other set the pieces are in the order of their piece types.
                    if self.solution.piece_types.len() == 2 && after.piece_types[*piece] != *becomes {
                        pieces.swap(0, 1);
                    }
                    let (place, map) = after.find(ground, arrangement.king, pieces);
                    let legal =
                        self.rules.board.minus(self.solution.attacked(number) | step.path | arrangement.occupied);
                    for bare in legal {
                        if let Some(moves) = after.lost(ground, place, ground.maps[map][bare.index()]) {
                            let row = found.entry(number as u32).or_insert_with(|| vec![0; ground.squares.len()]);
                            let value = &mut row[usize::from(ground.place[bare.index()])];
                            let moves = (moves + 1).min(u32::from(u8::MAX)) as u8;
                            *value = if *value == 0 { moves } else { moves.min(*value) };
                        }
                    }
                }
            }
        }
        found.into_iter().collect()
    }
}

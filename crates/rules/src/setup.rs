//! The setup phase: arrangements of pieces that players choose, named and numbered.

use crate::definition::{Definition, SetupGroup};
use crate::piece::{Color, PieceType, Symbol};
use crate::placement::write_placement;
use crate::square::{Square, mirror};
use crate::text::shorten;

/// Every arrangement of a group's pieces that `only` allows, each once.
pub(crate) fn arrangements(group: &SetupGroup) -> Vec<Vec<PieceType>> {
    fn place(
        group: &SetupGroup,
        left: &mut Vec<PieceType>,
        chosen: &mut Vec<PieceType>,
        all: &mut Vec<Vec<PieceType>>,
    ) {
        let Some(square) = group.squares.get(chosen.len()) else {
            all.push(chosen.clone());
            return;
        };
        let mut tried: Vec<PieceType> = Vec::new();
        for index in 0..left.len() {
            let kind = left[index];
            let allowed = group.only.iter().all(|(only, set)| *only != kind || set.contains(*square));
            if !allowed || tried.contains(&kind) {
                continue;
            }
            tried.push(kind);
            left.remove(index);
            chosen.push(kind);
            place(group, left, chosen, all);
            chosen.pop();
            left.insert(index, kind);
        }
    }
    let mut all = Vec::new();
    place(group, &mut group.pieces.clone(), &mut Vec::new(), &mut all);
    all
}

/// The number of arrangements of a group's pieces.
pub(crate) fn count_arrangements(group: &SetupGroup) -> u64 {
    fn count(group: &SetupGroup, at: usize, used: &mut Vec<bool>) -> u64 {
        let Some(square) = group.squares.get(at) else { return 1 };
        let mut sum = 0;
        for index in 0..group.pieces.len() {
            let kind = group.pieces[index];
            // Of equal pieces, only the first one left.
            let repeats = (0..index).any(|other| !used[other] && group.pieces[other] == kind);
            let allowed = group.only.iter().all(|(only, set)| *only != kind || set.contains(*square));
            if !used[index] && !repeats && allowed {
                used[index] = true;
                sum += count(group, at + 1, used);
                used[index] = false;
            }
        }
        sum
    }
    count(group, 0, &mut vec![false; group.pieces.len()])
}

/// An arrangement's name and its pieces, in the order of the group's squares.
type Arrangement = (String, Vec<PieceType>);

/// All setups of a game, ranked and unranked without listing them.
#[derive(Clone, Debug, Default)]
pub struct Setups {
    /// For each group, its squares and its arrangements in alphabetical order of their names.
    groups: Vec<(Vec<Square>, Vec<Arrangement>)>,
}

impl Setups {
    /// The setups of a definition; one setup with an empty name if it has no setup phase.
    pub fn new(definition: &Definition) -> Setups {
        let symbol = |kind: &PieceType| definition.piece_types[kind.index()].symbol.to_string();
        let groups = definition
            .setup
            .iter()
            .map(|group| {
                let mut named: Vec<Arrangement> = arrangements(group)
                    .into_iter()
                    .map(|piece_types| (piece_types.iter().map(symbol).collect::<String>(), piece_types))
                    .collect();
                named.sort();
                (group.squares.clone(), named)
            })
            .collect();
        Setups { groups }
    }

    /// The number of setups; 0 if the game has no setup phase.
    pub fn count(&self) -> u64 {
        if self.groups.is_empty() { 0 } else { self.groups.iter().map(|(_, all)| all.len() as u64).product() }
    }

    /// The name of the setup with this number, counted from 1.
    pub fn name(&self, number: u64) -> Option<String> {
        let mut rest = number.checked_sub(1).filter(|rest| *rest < self.count())?;
        let mut names = Vec::new();
        for (_, all) in self.groups.iter().rev() {
            names.push(all[(rest % all.len() as u64) as usize].0.clone());
            rest /= all.len() as u64;
        }
        names.reverse();
        Some(names.join("-"))
    }

    /// The number of the setup with this name.
    pub fn number(&self, name: &str) -> Option<u64> {
        let mut number = 0;
        let mut parts = name.split('-');
        for (_, all) in &self.groups {
            let part = parts.next()?;
            let index = find(all, part)?;
            number = number * all.len() as u64 + index as u64;
        }
        (parts.next().is_none() && !self.groups.is_empty()).then_some(number + 1)
    }

    /// The name of the setup that a placement shows, if White's and Black's pieces agree with one.
    pub fn name_of(&self, at: &dyn Fn(Square) -> Option<(Color, PieceType)>, ranks: u8) -> Option<String> {
        let mut names = Vec::new();
        for (squares, all) in &self.groups {
            let piece_types: Option<Vec<PieceType>> = squares
                .iter()
                .map(|square| match (at(*square)?, at(mirror(*square, ranks))?) {
                    ((Color::White, white), (Color::Black, black)) if white == black => Some(white),
                    _ => None,
                })
                .collect();
            let piece_types = piece_types?;
            names.push(all.iter().find(|(_, other)| *other == piece_types)?.0.clone());
        }
        (!names.is_empty()).then(|| names.join("-"))
    }

    /// The start FEN with the setup of this name.
    ///
    /// # Errors
    /// Says which setups the game has.
    pub fn fen(&self, definition: &Definition, name: &str) -> Result<String, String> {
        let Some(number) = self.number(name) else {
            return Err(match self.name(1) {
                None => format!("{} has no setup phase; leave the setup out", definition.texts.name),
                Some(first) => format!(
                    "no setup {:?}; {} has {} of them, such as {first:?}",
                    shorten(name),
                    definition.texts.name,
                    self.count()
                ),
            });
        };
        let name = self.name(number).expect("numbered");
        let mut placement = definition.placement.clone();
        for ((squares, all), part) in self.groups.iter().zip(name.split('-')) {
            let piece_types = &all[find(all, part).expect("named")].1;
            for (square, kind) in squares.iter().zip(piece_types) {
                for at in [*square, mirror(*square, definition.ranks)] {
                    if let Some(entry) = placement.iter_mut().find(|(other, _, _)| *other == at) {
                        entry.2 = *kind;
                    }
                }
            }
        }
        let symbol = |kind: PieceType| -> Symbol { definition.piece_types[kind.index()].symbol };
        let rows = write_placement((definition.files, definition.ranks), definition.holes, &|square| {
            let (_, color, kind) = placement.iter().find(|(at, _, _)| *at == square)?;
            Some(symbol(*kind).cased(*color).to_string())
        });
        let rest = definition.start.split_once(' ').map_or("w - - 0 1", |(_, rest)| rest);
        Ok(format!("{rows} {rest}"))
    }

    /// White's squares of each group, in the order of the names.
    pub fn squares(&self) -> impl Iterator<Item = &[Square]> {
        self.groups.iter().map(|(squares, _)| squares.as_slice())
    }
}

/// The index of an arrangement of this name. By bisection: a group has up to 40,320 arrangements.
fn find(all: &[Arrangement], name: &str) -> Option<usize> {
    all.binary_search_by(|(other, _)| other.as_str().cmp(name)).ok()
}

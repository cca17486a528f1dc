//! The facts of a definition besides how pieces move, which `acedrex.rulebook` puts into words.

use crate::game::numbers;
use pyo3::prelude::*;
use rules::betza::elements;
use rules::definition::{KindDefinition, TurnLength};
use rules::walk::{Leg, Walk};
use rules::{Kind, Square};

/// The facts of a game. Squares are White's.
#[derive(IntoPyObject)]
pub(crate) struct Facts {
    files: u8,
    ranks: u8,
    /// The most royal pieces that a side has at the start.
    royals: u32,
    has_check: bool,
    /// Whether a turn may have more than one move.
    several: bool,
    turn: Turn,
    four_points: bool,
    stalemate_loses: bool,
    dead_positions: bool,
    /// The counts at which a draw may be claimed, and at which the game ends.
    repetition: (u32, u32),
    quiet: (u32, u32),
    /// Letters of the kinds in `claim` and in `never`.
    bare_king: (Vec<String>, Vec<String>),
    promotion_at: Vec<u16>,
    promotion_optional: Vec<u16>,
    promotion_limited: bool,
    en_passant_left: Vec<u16>,
    castlings: Vec<Castling>,
    /// The leaps of the King's jump.
    jump: Option<Vec<(i8, i8)>>,
    setup: Vec<SetupGroup>,
    /// In the order of the kinds.
    kinds: Vec<KindFacts>,
}

#[derive(IntoPyObject)]
struct Turn {
    /// The most moves, or `None` for as many as there are royal pieces.
    moves: Option<u8>,
    first: Option<u8>,
    may_end: bool,
    may_pass: bool,
    once_each: bool,
    ends_on_check: bool,
    /// Range and whether royal pieces command each other.
    command: Option<(u8, bool)>,
}

#[derive(IntoPyObject)]
struct Castling {
    king: (u16, u16),
    rook: (u16, u16),
    /// The letter of the piece that castles with the King.
    partner: String,
}

#[derive(IntoPyObject)]
struct SetupGroup {
    squares: Vec<u16>,
    pieces: Vec<String>,
    only: Vec<(String, Vec<u16>)>,
}

#[derive(IntoPyObject)]
struct KindFacts {
    letter: String,
    name: String,
    royal: bool,
    soldier: bool,
    promotes_to: Vec<String>,
    takes_en_passant: bool,
    promotes_by: String,
    zone: String,
    within: Vec<u16>,
    sees: String,
    steps: Vec<Step>,
}

/// A move that depends on where the piece stands or on its not having moved, or that allows en passant capture.
#[derive(IntoPyObject)]
struct Step {
    notation: String,
    /// The squares from which it may be made, if limited.
    squares: Vec<u16>,
    /// Only where the kind stands at the start.
    initial: bool,
    /// Only as the first move of the piece that stands there at the start.
    first: bool,
    track: bool,
    /// Whether it leads exactly two squares along a rank, file or diagonal.
    double: bool,
    /// The shortest and the longest distance straight ahead without capturing, and whether it leaps; `None` for all
    /// other moves.
    ahead: Option<(u32, u32, bool)>,
}

impl Facts {
    pub(crate) fn of(game: &rules::Game) -> Facts {
        let definition = &game.definition;
        let (turn, end, rules) = (&definition.turn, &definition.end, &game.rules);
        let letter = |kind: &Kind| game.token(*kind).to_string();
        let letters = |kinds: &[Kind]| kinds.iter().map(letter).collect::<Vec<_>>();
        let standing = |at: Square| definition.placement.iter().find(|(square, _, _)| *square == at).map(|at| at.2);
        let pair = |(from, to): (Square, Square)| (u16::from(from.0), u16::from(to.0));
        Facts {
            files: definition.files,
            ranks: definition.ranks,
            royals: rules.start_royals,
            has_check: rules.has_check(),
            several: rules.multi,
            turn: Turn {
                moves: match turn.length {
                    TurnLength::Moves(moves) => Some(moves),
                    TurnLength::Royals => None,
                },
                first: turn.first,
                may_end: turn.may_end,
                may_pass: turn.may_pass,
                once_each: turn.once_each,
                ends_on_check: turn.ends_on_check,
                command: turn.command.map(|command| (command.range, command.royals)),
            },
            four_points: end.four_points,
            stalemate_loses: end.stalemate_loses,
            dead_positions: end.dead_positions,
            repetition: end.repetition,
            quiet: end.quiet,
            bare_king: (letters(&end.bare_king.claim), letters(&end.bare_king.never)),
            promotion_at: numbers(definition.promotion.at),
            promotion_optional: numbers(definition.promotion.optional),
            promotion_limited: definition.promotion.limited,
            en_passant_left: numbers(definition.en_passant_left),
            castlings: definition
                .castlings
                .iter()
                .map(|castling| Castling {
                    king: pair(castling.king),
                    rook: pair(castling.rook),
                    partner: standing(castling.rook.0).map_or_else(String::new, |kind| letter(&kind)),
                })
                .collect(),
            jump: definition.jump.as_ref().map(|jump| jump.steps.clone()),
            setup: definition
                .setup
                .iter()
                .map(|group| SetupGroup {
                    squares: numbers(group.squares.iter().copied()),
                    pieces: letters(&group.pieces),
                    only: group.only.iter().map(|(kind, squares)| (letter(kind), numbers(*squares))).collect(),
                })
                .collect(),
            kinds: definition.kinds.iter().map(|kind| kind_facts(kind, letters(&kind.promotes_to))).collect(),
        }
    }
}

fn kind_facts(kind: &KindDefinition, promotes_to: Vec<String>) -> KindFacts {
    let own = elements(&kind.notation).expect("the definition was read");
    let own = own.into_iter().filter(|(_, walks)| walks.iter().any(|walk| walk.initial || walk.track));
    let steps = own.map(|(notation, walks)| step(notation, &walks)).chain(kind.from.iter().map(|extra| Step {
        squares: numbers(extra.squares),
        first: extra.right.is_some(),
        ..step(&extra.notation, &extra.walks)
    }));
    KindFacts {
        letter: kind.token.to_string(),
        name: kind.name.clone(),
        royal: kind.royal,
        soldier: kind.is_soldier(),
        promotes_to,
        takes_en_passant: kind.all_walks().any(|walk| walk.en_passant),
        promotes_by: kind.promotes_by_notation.clone(),
        zone: kind.zone.clone(),
        within: kind.within.map_or_else(Vec::new, numbers),
        sees: kind.sees_notation.clone(),
        steps: steps.collect(),
    }
}

fn step(notation: &str, walks: &[Walk]) -> Step {
    Step {
        notation: notation.to_string(),
        squares: Vec::new(),
        initial: walks.iter().any(|walk| walk.initial),
        first: false,
        track: walks.iter().any(|walk| walk.track),
        double: walks.iter().all(is_double),
        ahead: ahead(walks),
    }
}

fn is_double(walk: &Walk) -> bool {
    let sum = |size: fn(&Leg) -> i8| walk.legs.iter().map(|leg| i32::from(size(leg))).sum::<i32>().abs();
    walk.legs.iter().all(|leg| leg.max == 1 && !leg.mount)
        && matches!((sum(|leg| leg.step.0), sum(|leg| leg.step.1)), (0 | 2, 2) | (2, 0))
}

fn ahead(walks: &[Walk]) -> Option<(u32, u32, bool)> {
    let straight = |walk: &Walk| {
        let on = walk.legs.iter().all(|leg| leg.step.0 == 0 && leg.step.1 > 0 && !leg.mount);
        on && walk.quiet && !walk.capture
    };
    let length = |walk: &Walk, most: bool| {
        let leg = |leg: &Leg| u32::from(leg.step.1.unsigned_abs()) * if most { u32::from(leg.max) } else { 1 };
        walk.legs.iter().map(leg).sum::<u32>()
    };
    walks.iter().all(straight).then_some(())?;
    Some((
        walks.iter().map(|walk| length(walk, false)).min()?,
        walks.iter().map(|walk| length(walk, true)).max()?,
        walks.iter().any(|walk| walk.legs.iter().any(|leg| leg.step.1 > 1)),
    ))
}

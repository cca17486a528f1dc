//! The text whose hash is the rules' identity: everything that decides what is legal and how a game ends.
//!
//! Stored matches, networks and studies know their rules by this hash, so the text never changes for rules that could
//! already be written: its words are no names of the code, and stay when those change. Structures are taken apart by
//! field, so that a new field does not compile until somebody has decided here whether it is a rule. A newer rule is a
//! line at the end, and only of games that use it: see [`newer`].

use crate::definition::{
    BareKing, CastlingDefinition, Command, Condition, Definition, EndDefinition, ExtraMoves, Goal, JumpDefinition,
    OwnPromotion, PieceTypeDefinition, Promotion, RightName, Safety, SetupGroup, Test, TurnDefinition, TurnLength,
    Verdict,
};
use crate::piece::PieceType;
use crate::set::Set;
use crate::square::Square;
use crate::walk::{Leg, Walk};

/// Returns the text of a game's rules. Names, values and help texts are no part of it.
pub fn canonical(definition: &Definition) -> String {
    let Definition {
        files,
        ranks,
        start,
        piece_types,
        promotion: promotes,
        en_passant_left,
        castlings,
        jump: king_jump,
        turn: turns,
        end: ends,
        setup,
        texts: _,
        holes: _,     // they are the start's
        placement: _, // it is the start's
        options: _,   // the other fields have what was chosen
    } = definition;
    let mut lines = vec![format!("{files}x{ranks} {start}")];
    lines.extend(piece_types.iter().map(piece_type));
    lines.extend([
        promotion(promotes),
        squares(*en_passant_left),
        list(castlings, castling),
        optional(king_jump.as_ref(), jump),
        turn(turns),
        end(ends),
        list(setup, setup_group),
    ]);
    lines.extend(newer(definition));
    lines.join("\n") + "\n"
}

/// Rules that came after the first games were stored: a line, `name value`, for each that differs from what games
/// without it do.
fn newer(definition: &Definition) -> Vec<String> {
    let (end, turn) = (&definition.end, &definition.turn);
    let mut lines = Vec::new();
    match end.royals {
        Safety::Only => {}
        Safety::Last => lines.push("royals last".into()),
        Safety::Every => lines.push("royals every".into()),
        Safety::One => lines.push("royals one".into()),
    }
    if end.checkmate != Verdict::Loss {
        lines.push(format!("checkmate {}", end.checkmate.name()));
    }
    if end.fewer_wins_stalemate {
        lines.push("stalemate fewer".into());
    } else if end.stalemate == Verdict::Win {
        lines.push("stalemate win".into());
    }
    if end.repetition_result != Verdict::Draw {
        lines.push(format!("repetition {}", end.repetition_result.name()));
    }
    if end.perpetual_check_loses {
        lines.push("perpetual_check loss".into());
    }
    for castling in definition.castlings.iter().filter(|castling| castling.side.is_some()) {
        let side = castling.side.expect("filtered").name();
        lines.push(format!("castling {} {} {side}", castling.right, pair(&castling.king)));
    }
    for kind in &definition.piece_types {
        lines.extend(kind.promotions.iter().map(|way| own_promotion(kind, way)));
    }
    lines.extend(end.conditions.iter().map(condition));
    if turn.must_capture {
        lines.push("must_capture true".into());
    }
    if !turn.may_check {
        lines.push("may_check false".into());
    }
    if let Some(progress) = &end.progress {
        lines.push(format!("progress {}", list(progress, number)));
    }
    lines.extend(definition.promotion.limits.iter().map(|(kind, most)| format!("limit {} {most}", number(kind))));
    lines
        .extend(definition.piece_types.iter().filter(|kind| kind.turned).map(|kind| format!("turned {}", kind.symbol)));
    lines
}

fn own_promotion(kind: &PieceTypeDefinition, way: &OwnPromotion) -> String {
    let OwnPromotion { to, at, optional: may, from, captures, side } = way;
    let by = captures.map_or("any", |captures| if captures { "capture" } else { "quiet" });
    let side = side.map_or("both", |side| side.name());
    let from = optional(*from, squares);
    format!("promotion {} {} {} {} {from} {by} {side}", kind.symbol, list(to, number), squares(*at), squares(*may))
}

fn condition(condition: &Condition) -> String {
    let Condition { test, verdict, side, answer } = condition;
    let test = match test {
        Test::Extinct { kinds, at_most, against } => format!("extinct {} {at_most} {against}", list(kinds, number)),
        Test::Reach { squares: places, kinds, count } => {
            format!("reach {} {} {count}", squares(*places), list(kinds, number))
        }
        Test::Checks(number) => format!("checks {number}"),
    };
    let side = side.map_or("both", |side| side.name());
    format!("condition {test} {} {side} {answer}", verdict.name())
}

fn piece_type(kind: &PieceTypeDefinition) -> String {
    let PieceTypeDefinition {
        symbol,
        walks,
        turned: _, // newer
        royal,
        promotes_to,
        promotes_by,
        within,
        sees,
        from,
        name: _,
        also: _,
        notation: _,
        values: _,
        help: _,
        art: _,
        promotions: _, // newer
        promotes_by_notation: _,
        zone: _,
        sees_notation: _,
    } = kind;
    [
        symbol.to_string(),
        list(walks, walk),
        royal.to_string(),
        list(promotes_to, number),
        optional(promotes_by.as_ref(), |walks| list(walks, walk)),
        optional(*within, squares),
        list(sees, walk),
        list(from, extra_moves),
    ]
    .join(" ")
}

fn walk(walk: &Walk) -> String {
    let Walk { legs, quiet, capture, track, en_passant, initial } = walk;
    format!(
        "Walk {{ legs: {}, quiet: {quiet}, capture: {capture}, track: {track}, en_passant: {en_passant}, \
         initial: {initial} }}",
        list(legs, leg)
    )
}

fn leg(leg: &Leg) -> String {
    let Leg { step, max, mount } = leg;
    format!("Leg {{ step: {}, max: {max}, mount: {mount} }}", pair(step))
}

fn extra_moves(extra: &ExtraMoves) -> String {
    let ExtraMoves { squares: from, walks, right, notation: _ } = extra;
    let right = optional(*right, |right| match right {
        RightName::File => "File".to_string(),
        RightName::Letter(letter) => format!("Letter('{letter}')"),
    });
    format!("({}, {}, {right})", squares(*from), list(walks, walk))
}

fn promotion(promotion: &Promotion) -> String {
    let Promotion { at, optional, limited, limits: _ } = promotion; // limits are newer
    format!("Promotion {{ at: {}, optional: {}, limited: {limited} }}", squares(*at), squares(*optional))
}

fn castling(castling: &CastlingDefinition) -> String {
    let CastlingDefinition { right, king, rook, side: _ } = castling; // the side is newer
    format!("CastlingDefinition {{ right: '{right}', king: {}, rook: {} }}", pair(king), pair(rook))
}

fn jump(jump: &JumpDefinition) -> String {
    let JumpDefinition { right, steps } = jump;
    format!("JumpDefinition {{ right: '{right}', steps: {} }}", list(steps, pair))
}

fn turn(turn: &TurnDefinition) -> String {
    let TurnDefinition {
        length,
        first,
        may_end,
        may_pass,
        once_each,
        ends_on_check,
        command,
        must_capture: _, // newer
        may_check: _,    // newer
    } = turn;
    let length = match length {
        TurnLength::Moves(number) => format!("Plies({number})"),
        TurnLength::Royals => "Royals".to_string(),
    };
    let command =
        optional(*command, |Command { range, royals }| format!("Command {{ range: {range}, royals: {royals} }}"));
    format!(
        "TurnDefinition {{ length: {length}, first: {}, may_end: {may_end}, may_pass: {may_pass}, \
         once_each: {once_each}, ends_on_check: {ends_on_check}, command: {command} }}",
        optional(*first, |number| number.to_string())
    )
}

fn end(end: &EndDefinition) -> String {
    let EndDefinition {
        goal,
        royals: _,    // newer
        checkmate: _, // newer
        stalemate,
        fewer_wins_stalemate: _, // newer
        conditions: _,           // newer
        four_points,
        bare_king,
        dead_positions,
        repetition,
        repetition_result: _,     // newer
        perpetual_check_loses: _, // newer
        quiet,
        progress: _, // newer
    } = end;
    let stalemate_loses = *stalemate == Verdict::Loss;
    let BareKing { claim, never } = bare_king;
    let goal = match goal {
        Goal::Checkmate => "Checkmate",
        Goal::CaptureRoyals => "CaptureRoyals",
        Goal::Conditions => "Conditions",
    };
    format!(
        "EndDefinition {{ goal: {goal}, stalemate_loses: {stalemate_loses}, four_points: {four_points}, \
         bare_king: BareKing {{ claim: {}, never: {} }}, dead_positions: {dead_positions}, repetition: {}, quiet: {} }}",
        list(claim, number),
        list(never, number),
        pair(repetition),
        pair(quiet)
    )
}

fn setup_group(group: &SetupGroup) -> String {
    let SetupGroup { squares: places, pieces, only } = group;
    format!(
        "SetupGroup {{ squares: {}, pieces: {}, only: {} }}",
        list(places, Square::to_string),
        list(pieces, number),
        list(only, |(kind, set)| format!("({}, {})", number(kind), squares(*set)))
    )
}

fn number(kind: &PieceType) -> String {
    format!("Kind({})", kind.0)
}

fn squares(set: Set) -> String {
    let names: Vec<String> = set.into_iter().map(|square| square.to_string()).collect();
    format!("{{{}}}", names.join(", "))
}

fn pair<T: ToString>((first, second): &(T, T)) -> String {
    format!("({}, {})", first.to_string(), second.to_string())
}

fn list<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    format!("[{}]", items.iter().map(text).collect::<Vec<_>>().join(", "))
}

fn optional<T>(value: Option<T>, text: impl FnOnce(T) -> String) -> String {
    value.map_or("None".to_string(), |value| format!("Some({})", text(value)))
}

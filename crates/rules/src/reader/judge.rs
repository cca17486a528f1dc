//! Faults that only show in the whole definition.

use super::Reader;
use crate::definition::*;
use crate::piece::{Color, PieceType};
use crate::setup::arrangements;
use crate::source::{Node, Place, Value};
use crate::square::{Square, mirror};
use crate::text::join;

impl Reader<'_> {
    /// Collects faults that only show in the whole definition.
    pub(super) fn judge(&mut self, root: &Node, game: &Node, definition: &Definition) {
        self.judge_royals(root, game, definition);
        self.judge_turn(root, definition);
        self.judge_conditions(root, definition);
        for kind in &definition.piece_types {
            self.judge_piece(root, definition, kind);
        }
        self.judge_castlings(root, definition);
        self.judge_setup(root, definition);
    }

    fn judge_royals(&mut self, root: &Node, game: &Node, definition: &Definition) {
        let pieces = root.get("pieces").map_or(root.place, |node| node.place);
        let start = game.get("start").map_or(game.place, |node| node.place);
        let royals = definition.piece_types.iter().filter(|kind| kind.royal).count();
        if definition.end.goal == Goal::Conditions {
            if royals > 0 {
                let why = "goal = \"conditions\" has no royal pieces; leave royal = true out, and say in end.conditions \
                           what loses";
                self.fail(pieces, "pieces", why);
            }
            return;
        }
        if royals == 0 {
            let why = "no royal piece; expected royal = true in one of them, or goal = \"conditions\"";
            self.fail(pieces, "pieces", why);
        }
        for color in Color::BOTH {
            let count = definition
                .placement
                .iter()
                .filter(|(_, side, kind)| *side == color && definition.piece_types[kind.index()].royal)
                .count();
            match (definition.end.goal, count) {
                (Goal::Checkmate, 0) if !definition.end.conditions.is_empty() => {}
                (_, 0) => self.fail(
                    start,
                    "game.start",
                    format!("{color:?} has no royal piece, and no condition ends the game"),
                ),
                (Goal::Checkmate, 2..) if definition.end.royals == Safety::Only => self.fail(
                    start,
                    "game.start",
                    format!(
                        "{color:?} has {count} royal pieces; end.royals says which of them must be safe: \"last\", \
                         \"every\" or \"one\""
                    ),
                ),
                (Goal::CaptureRoyals, 7..) => {
                    self.fail(start, "game.start", format!("{color:?} has {count} royal pieces; at most 6"));
                }
                _ => {}
            }
        }
    }

    fn judge_turn(&mut self, root: &Node, definition: &Definition) {
        let turn = root.get("turn").map_or(root.place, |node| node.place);
        if definition.end.goal == Goal::Checkmate {
            if definition.turn.command.is_some() || definition.turn.length == TurnLength::Royals {
                self.fail(turn, "turn", "command and moves = \"royals\" need goal = \"capture all royals\"");
            }
            if definition.turn.length != TurnLength::Moves(1) && !definition.turn.ends_on_check {
                let why = "a turn of several moves needs ends_on_check = true, or a King in check could be captured";
                self.fail(turn, "turn.ends_on_check", why);
            }
        } else if definition.jump.is_some() || definition.end.four_points {
            self.fail(root.place, "end.goal", "the King's jump and four points need goal = \"checkmate\"");
        } else if definition.turn.ends_on_check {
            self.fail(turn, "turn.ends_on_check", "there is no check without goal = \"checkmate\"");
        } else if !definition.turn.may_check {
            self.fail(turn, "turn.may_check", "there is no check without goal = \"checkmate\"");
        } else if definition.end.goal == Goal::Conditions
            && (definition.turn.command.is_some() || definition.turn.length == TurnLength::Royals)
        {
            self.fail(turn, "turn", "command and moves = \"royals\" need goal = \"capture all royals\"");
        }
        if definition.turn.must_capture && (definition.turn.may_pass || definition.turn.may_end) {
            let why = "a side that must capture cannot pass or end its turn early; leave may_pass and may_end out";
            self.fail(turn, "turn.must_capture", why);
        }
    }

    fn judge_conditions(&mut self, root: &Node, definition: &Definition) {
        let end = &definition.end;
        let place = root.get("end").map_or(root.place, |node| node.place);
        let has_none = end.stalemate == Verdict::Draw && root.at("end.conditions").is_none();
        if end.goal == Goal::Conditions && has_none {
            let why = "nobody could win; expected conditions, or stalemate = \"loss\" or \"win\"";
            self.fail(place, "end.goal", why);
        }
        if end.royals != Safety::Only {
            if end.goal != Goal::Checkmate {
                self.fail(place, "end.royals", "only with goal = \"checkmate\" must royal pieces be safe");
            } else if definition.jump.is_some() || end.four_points {
                let why = "the King's jump and four points need one royal piece a side; leave royals out";
                self.fail(place, "end.royals", why);
            }
        }
        if end.goal != Goal::Checkmate && end.checkmate != Verdict::Loss {
            self.fail(place, "end.checkmate", "there is no checkmate without goal = \"checkmate\"");
        }
        if end.four_points
            && (!end.conditions.is_empty() || end.checkmate != Verdict::Loss || end.stalemate != Verdict::Draw)
        {
            let why = "four points are divided for mate, stalemate and a bare King; leave conditions, checkmate and \
                       stalemate out";
            self.fail(place, "end.scoring", why);
        }
        if (end.repetition_result != Verdict::Draw || end.perpetual_check_loses) && end.repetition.1 == 0 {
            let why = "a repetition that wins or loses ends the game; expected a second number that is not 0";
            self.fail(place, "end.repetition", why);
        }
        if end.perpetual_check_loses && end.goal != Goal::Checkmate {
            self.fail(place, "end.perpetual_check", "there is no check without goal = \"checkmate\"");
        }
        for (number, condition) in end.conditions.iter().enumerate() {
            let path = format!("end.conditions.{}", number + 1);
            let Test::Checks(_) = condition.test else {
                if condition.answer && definition.turn.length != TurnLength::Moves(1) {
                    self.fail(place, &join(&path, "answer"), "an answer is one move, and needs turns of one move");
                }
                continue;
            };
            if end.goal != Goal::Checkmate {
                self.fail(place, &join(&path, "checks"), "there is no check without goal = \"checkmate\"");
            } else if condition.answer {
                self.fail(place, &join(&path, "answer"), "checks are not taken back; leave answer out");
            }
        }
    }

    fn judge_piece(&mut self, root: &Node, definition: &Definition, kind: &PieceTypeDefinition) {
        let pieces = root.get("pieces").map_or(root.place, |node| node.place);
        let path = join("pieces", &kind.symbol.to_string());
        let place = root.at(&path).map_or(pieces, |node| node.place);
        let key = |key: &str| root.at(&join(&path, key)).map_or(place, |node| node.place);
        let all = kind.walks.iter().chain(kind.from.iter().flat_map(|extra| &extra.walks));
        let one_royal = definition.end.royals == Safety::Only;
        if one_royal && kind.royal && !kind.promotes_to.is_empty() {
            let message = format!("{} is royal and does not promote, unless end.royals is given", kind.symbol);
            self.fail(key("promotes_to"), &join(&path, "promotes_to"), message);
        }
        if kind.royal && all.clone().any(|walk| walk.track || walk.en_passant) {
            self.fail(
                key("move"),
                &join(&path, "move"),
                "a royal piece cannot take part in en passant; leave out nn and e",
            );
        }
        let stuck = kind.promotes_to.iter().filter(|_| kind.promotions.is_empty()).find(|to| {
            let to = &definition.piece_types[to.index()];
            to.is_soldier() && !to.promotes_to.is_empty()
        });
        if let Some(to) = stuck {
            let to = definition.piece_types[to.index()].symbol;
            let message = format!("{to} only moves forward and would be stuck on the last rank; leave {to} out");
            self.fail(key("promotes_to"), &join(&path, "promotes_to"), message);
        }
        let royal = kind.promotes_to.iter().find(|to| one_royal && definition.piece_types[to.index()].royal);
        if let Some(royal) = royal {
            let royal = definition.piece_types[royal.index()].symbol;
            let message = format!(
                "{royal} is royal, and nothing promotes to a royal piece unless end.royals is given; leave {royal} out"
            );
            self.fail(key("promotes_to"), &join(&path, "promotes_to"), message);
        }
        if kind.sees.iter().any(|walk| walk.legs.len() != 1 || crate::square::direction_of(walk.legs[0].step).is_none())
        {
            self.fail(key("sees"), &join(&path, "sees"), "expected slides, such as \"fR\"");
        }
    }

    fn judge_castlings(&mut self, root: &Node, definition: &Definition) {
        let place = root.get("castling").map_or(root.place, |node| node.place);
        for castling in &definition.castlings {
            let at = |square| definition.castling_piece(castling, square);
            let is_royal = at(castling.king.0).is_some_and(|kind| definition.piece_types[kind.index()].royal);
            if !is_royal && definition.end.goal == Goal::Checkmate {
                self.fail(place, "castling.king", format!("the piece on {} is not royal", castling.king.0));
            }
            for ((from, to), key) in [(castling.king, "castling.king"), (castling.rook, "castling.rook")] {
                let (low, high) = (from.file().min(to.file()), from.file().max(to.file()));
                let way = (low..=high).map(|file| Square::new(file, from.rank()));
                if let Some(hole) = way.into_iter().find(|square| definition.holes.contains(*square)) {
                    self.fail(place, key, format!("there is a hole on the way, {hole}"));
                }
                let kind = at(from).map(|kind| &definition.piece_types[kind.index()]);
                if let Some(kind) = kind.filter(|kind| kind.within.is_some_and(|zone| !zone.contains(to))) {
                    let (symbol, zone) = (kind.symbol, &kind.zone);
                    let message = format!("{symbol} cannot leave the zone {zone}, and {to} is outside it");
                    self.fail(place, key, message);
                }
            }
        }
    }

    fn judge_setup(&mut self, root: &Node, definition: &Definition) {
        let groups = root.at("setup.groups").map(|node| &node.value);
        for (index, group) in definition.setup.iter().enumerate() {
            let standing = |color: Color| -> Vec<PieceType> {
                let square = |square: &Square| {
                    let at = if color == Color::White { *square } else { mirror(*square, definition.ranks) };
                    let here = |entry: &&(Square, Color, PieceType)| entry.0 == at && entry.1 == color;
                    definition.placement.iter().find(here).map(|entry| entry.2)
                };
                group.squares.iter().filter_map(square).collect()
            };
            let (mut placed, black) = (standing(Color::White), standing(Color::Black));
            let place = match groups {
                Some(Value::List(nodes)) => nodes[index].place,
                _ => root.place,
            };
            let squares = group.squares.iter().map(Square::to_string).collect::<Vec<_>>().join(" ");
            if placed != black {
                let (white, black) = (self.letters(&placed), self.letters(&black));
                let message = format!(
                    "at the start White has {white} on {squares}, but Black {black} on the squares opposite; \
                     make game.start the same for both"
                );
                self.fail(place, "setup.groups", message);
            }
            let mut wanted = group.pieces.clone();
            let letters = self.letters(&placed);
            placed.sort_unstable();
            wanted.sort_unstable();
            if placed != wanted {
                let message = format!(
                    "the group has {}, but at the start {} on {squares}; make both the same",
                    self.letters(&group.pieces),
                    if letters.is_empty() { "nothing stands".into() } else { format!("{letters} stand") }
                );
                self.fail(place, "setup.groups", message);
                continue;
            }
            self.judge_setup_castlings(definition, group, place);
        }
    }

    /// A setup keeps the rights of the start, so it must keep the pieces of its castlings in their places.
    fn judge_setup_castlings(&mut self, definition: &Definition, group: &SetupGroup, place: Place) {
        let held = definition.start.split(' ').nth(2).unwrap_or("-");
        let is_held = |letter: char| held.contains(letter) || held.contains(letter.to_ascii_lowercase());
        let all = if definition.castlings.is_empty() { Vec::new() } else { arrangements(group) };
        for castling in definition.castlings.iter().filter(|castling| is_held(castling.right)) {
            for square in [castling.king.0, castling.rook.0] {
                let Some(index) = group.squares.iter().position(|other| *other == square) else { continue };
                if all.iter().any(|piece_types| piece_types[index] != all[0][index]) {
                    let right = castling.right;
                    let message = format!(
                        "a setup may move the piece on {square}, which castling with the right {right} needs; leave \
                         {square} out of the group, or {right} out of game.start"
                    );
                    self.fail(place, "setup.groups", message);
                }
            }
        }
    }
}

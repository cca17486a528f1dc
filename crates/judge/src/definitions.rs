//! Random definitions: combinations of boards, pieces and rules that no author would write.

use crate::random::Random;
use std::fmt::Write;

/// Returns a random definition as TOML. Not every one loads: a King may be in check at the start, for example.
pub fn random_definition(seed: u64) -> String {
    let mut random = Random::new(seed);
    let r = &mut random;
    let files = *r.pick(&[3, 4, 5, 6, 7, 8, 8, 9, 10, 12, 16]);
    let ranks = *r.pick(&[4, 5, 6, 7, 8, 8, 9, 10, 12, 16]);
    let capture_royals = r.one_in(5);
    let conditions = capture_royals && r.one_in(3);
    let count = if r.one_in(12) { r.range(20, 55) } else { r.range(1, 7) };
    let symbols: Vec<String> = (0..count).map(symbol).collect();
    let mut text = format!("[game]\nid = \"random-{seed}\"\nboard = \"{files}x{ranks}\"\n");
    let mut rows = vec![vec![None; files]; ranks];
    let depth = if ranks >= 6 && r.one_in(2) { 2 } else { 1 };
    for row in rows.iter_mut().take(depth) {
        for cell in row.iter_mut() {
            if !r.one_in(4) {
                *cell = Some(r.pick(&symbols).clone());
            }
        }
    }
    if r.one_in(5) {
        for _ in 0..r.range(1, 6) {
            let (file, rank) = (r.below(files), r.below(ranks));
            rows[rank][file] = Some("*".into());
            rows[ranks - 1 - rank][file] = Some("*".into());
        }
    }
    let many = !capture_royals && r.one_in(6);
    let royals = if capture_royals || many { r.range(1, 4.min(files)) } else { 1 };
    for file in 0..royals {
        rows[0][(files / 2 + file) % files] = Some("K".into());
    }
    for rank in 0..depth {
        rows[ranks - 1 - rank] =
            rows[rank].iter().map(|cell| cell.as_ref().map(|t: &String| t.to_lowercase())).collect();
    }
    let kingless = !capture_royals && !many && r.one_in(10);
    if kingless {
        rows[0][files / 2] = Some(symbols[0].clone());
    }
    let fen: Vec<String> = rows.iter().rev().map(|row| row_text(row)).collect();
    let jump = !capture_royals && !many && !kingless && r.one_in(4);
    let castling = !kingless && !jump && files >= 5 && r.one_in(3);
    let castle_file = files / 2;
    let partner = castling && castle_file + 3 < files && rows[0][files - 1].is_some();
    let side = if partner { *r.pick(&["both", "both", "white", "black"]) } else { "both" };
    let right = match side {
        "white" => "K",
        "black" => "k",
        _ if jump || partner => "Kk",
        _ => "-",
    };
    let _ = writeln!(text, "start = \"{} w {right} - 0 1\"\n", fen.join("/"));
    let _ = writeln!(text, "[zones]\nhalf = \"a1-{}{}\"\n", letter(files - 1), ranks.div_ceil(2));
    let royal_move = if jump { "K" } else { *r.pick(&["K", "K", "K", "W", "F", "N", "KN", "mKcF", "KnD", "WnA"]) };
    let sees = if royal_move == "K" && r.one_in(6) { "sees = \"fR\"\n" } else { "" };
    let royal = if conditions { "" } else { "royal = true\n" };
    let _ = writeln!(text, "[pieces.K]\nmove = \"{royal_move}\"\n{royal}{sees}");
    for (index, symbol) in symbols.iter().enumerate() {
        let _ = writeln!(text, "[pieces.\"{symbol}\"]");
        let pawn = r.one_in(3);
        let notation = if pawn { pawn_moves(r) } else { moves(r) };
        let _ = writeln!(text, "move = \"{notation}\"");
        if symbols.len() > 1 && (pawn || r.one_in(5)) {
            let mut to: Vec<&str> = (0..r.range(1, 3)).map(|_| r.pick(&symbols).as_str()).collect();
            if many && r.one_in(2) {
                to.push("K");
            }
            let mut unique: Vec<&str> = Vec::new();
            to.into_iter().for_each(|t| {
                if !unique.contains(&t) {
                    unique.push(t)
                }
            });
            if r.one_in(3) {
                let ways: Vec<String> = (0..r.range(1, 3)).map(|_| own_promotion(r, files, ranks, &unique)).collect();
                let _ = writeln!(text, "promotion = [{}]", ways.join(", "));
            } else {
                let _ = writeln!(text, "promotes_to = \"{}\"", unique.join(" "));
            }
            if !text.ends_with("]\n") && r.one_in(6) {
                let _ = writeln!(text, "promotes_by = \"{}\"", r.pick(&["fmWfcF", "fW", "N", "cF"]));
            }
        }
        if r.one_in(10) {
            let _ = writeln!(text, "within = \"half\"");
        }
        if r.one_in(10) {
            let _ = writeln!(text, "turned = true");
        }
        if r.one_in(8) {
            let file = letter(r.below(files));
            let right = if r.one_in(2) && index < 8 {
                format!(", right = \"{}\"", (b'L' + index as u8) as char)
            } else {
                String::new()
            };
            let rank = r.range(1, 2);
            let extra = if r.one_in(2) { pawn_moves(r) } else { moves(r) };
            let _ = writeln!(text, "from = [{{ squares = \"{file}{rank}\", move = \"{extra}\"{right} }}]");
        }
        text.push('\n');
    }
    if r.one_in(3) {
        let _ = writeln!(text, "[promotion]");
        if r.one_in(2) && ranks > 4 {
            let _ = writeln!(text, "optional = \"rank {}\"", ranks - 1);
        }
        if r.one_in(2) {
            let one = format!("{{ \"{}\" = {} }}", r.pick(&symbols), r.range(0, 3));
            let _ = writeln!(text, "limit = {}", if r.one_in(2) { "\"start\"" } else { &one });
        }
    }
    if partner {
        let king = (castle_file, castle_file + 2 + usize::from(castle_file + 3 < files - 1));
        let _ = writeln!(
            text,
            "[[castling]]\nside = \"{side}\"\nright = \"K\"\nking = \"{}1 {}1\"\nrook = \"{}1 {}1\"\n",
            letter(king.0),
            letter(king.1),
            letter(files - 1),
            letter(king.1 - 1)
        );
    }
    if jump {
        let _ = writeln!(text, "[royal_jump]\nto = \"{}\"\nright = \"K\"\n", r.pick(&["DAN", "D", "N", "A", "DN"]));
    }
    let one_move = turn(r, capture_royals && !conditions, capture_royals, &mut text);
    let _ = writeln!(text, "[end]");
    if conditions {
        let _ = writeln!(text, "goal = \"conditions\"");
    } else if capture_royals {
        let _ = writeln!(text, "goal = \"capture all royals\"");
    }
    if many {
        let _ = writeln!(text, "royals = \"{}\"", r.pick(&["last", "every", "one"]));
    }
    if conditions || kingless || r.one_in(4) {
        let _ = writeln!(text, "{}", conditions_text(r, files, ranks, !capture_royals, one_move, &symbols));
        if r.one_in(3) {
            let _ = writeln!(text, "stalemate = \"{}\"", r.pick(&["loss", "win"]));
        }
        if !capture_royals && r.one_in(6) {
            let _ = writeln!(text, "checkmate = \"{}\"", r.pick(&["win", "draw"]));
        }
        return text;
    }
    if r.one_in(4) {
        let _ = writeln!(text, "stalemate = \"loss\"");
        return text;
    }
    if !capture_royals && !many && r.one_in(6) {
        let _ = writeln!(text, "scoring = \"four_points\"\nbare_king = {{ claim = \"{}\", never = \"\" }}", symbols[0]);
    }
    text
}

/// Conditions that end the game, of which some may hold from the start.
fn conditions_text(
    r: &mut Random,
    files: usize,
    ranks: usize,
    has_check: bool,
    one_move: bool,
    symbols: &[String],
) -> String {
    let mut all = Vec::new();
    for _ in 0..r.range(1, 2) {
        let kind = if r.one_in(2) { "all".to_string() } else { r.pick(symbols).clone() };
        let mut condition = match r.below(if has_check { 4 } else { 3 }) {
            0 => format!("extinct = \"{kind}\""),
            1 => format!("extinct = \"{kind}\", at_most = {}, against = {}", r.range(1, 3), r.range(0, 3)),
            2 => {
                let (file, rank) = (letter(r.below(files)), r.range(ranks / 2 + 1, ranks));
                let squares = if r.one_in(2) { format!("rank {rank}") } else { format!("a{rank} {file}{rank}") };
                format!("reach = \"{squares}\", pieces = \"{kind}\", count = {}", r.range(1, 2))
            }
            _ => format!("checks = {}", r.range(1, 3)),
        };
        let answers = one_move && !condition.starts_with("checks");
        if answers && r.one_in(2) {
            condition += ", answer = true";
        }
        if r.one_in(4) {
            condition += &format!(", result = \"{}\"", r.pick(&["win", "draw", "loss"]));
        }
        if r.one_in(4) {
            condition += &format!(", side = \"{}\"", r.pick(&["white", "black"]));
        }
        all.push(format!("{{ {condition} }}"));
    }
    format!("conditions = [{}]", all.join(", "))
}

/// Writes what makes up a turn; returns whether it has one move.
fn turn(r: &mut Random, commands: bool, no_check: bool, text: &mut String) -> bool {
    if !commands && r.one_in(6) {
        let rule = if no_check || r.one_in(2) { "must_capture = true" } else { "may_check = false" };
        let _ = writeln!(text, "[turn]\n{rule}");
        return true;
    }
    if commands && r.one_in(2) {
        let range = r.range(1, 4);
        let _ = writeln!(text, "[turn]\nplies = \"royals\"\nmay_end = {}\nonce_each = {}", !r.one_in(3), !r.one_in(4));
        let _ = writeln!(text, "command = {{ range = {range}, royals = {} }}", r.one_in(2));
    } else if r.one_in(5) {
        let _ =
            writeln!(text, "[turn]\nplies = {}\nmay_end = {}\nonce_each = {}", r.range(2, 3), r.one_in(2), r.one_in(3));
        if !no_check {
            let _ = writeln!(text, "ends_on_check = true");
        }
        if r.one_in(3) {
            let _ = writeln!(text, "first_turn = 1");
        }
    } else {
        return true;
    }
    if r.one_in(4) {
        let _ = writeln!(text, "may_pass = true");
    }
    false
}

/// A piece's own way to promote to some of these.
fn own_promotion(r: &mut Random, files: usize, ranks: usize, to: &[&str]) -> String {
    let some = &to[r.below(to.len())..];
    let key = if r.one_in(2) { "at" } else { "optional" };
    let squares = match r.below(3) {
        0 => format!("ranks {}-{ranks}", ranks / 2 + 1),
        1 => format!("a{ranks} {}{ranks}", letter(r.range(1, files - 1))),
        _ => "last rank".to_string(),
    };
    let mut way = format!("to = \"{}\", {key} = \"{squares}\"", some.join(" "));
    if r.one_in(2) {
        way += &format!(
            ", from = \"ranks {}\"",
            if r.one_in(2) { format!("1-{}", ranks / 2) } else { format!("{}-{ranks}", ranks / 2) }
        );
    }
    if r.one_in(3) {
        way += &format!(", by = \"{}\"", r.pick(&["capture", "quiet"]));
    }
    if r.one_in(4) {
        way += &format!(", side = \"{}\"", r.pick(&["white", "black"]));
    }
    format!("{{ {way} }}")
}

fn letter(file: usize) -> char {
    (b'a' + file as u8) as char
}

/// Letters A, B and so on without K; then the same with a mark.
fn symbol(index: usize) -> String {
    let letters: Vec<char> = ('A'..='Z').filter(|c| *c != 'K').collect();
    let mark = ["", "'", "!"][index / letters.len()];
    format!("{}{mark}", letters[index % letters.len()])
}

fn row_text(row: &[Option<String>]) -> String {
    let mut text = String::new();
    let mut run = 0;
    for cell in row {
        match cell {
            None => run += 1,
            Some(symbol) => {
                if run > 0 {
                    let _ = write!(text, "{run}");
                    run = 0;
                }
                text += symbol;
            }
        }
    }
    if run > 0 {
        let _ = write!(text, "{run}");
    }
    text
}

fn pawn_moves(r: &mut Random) -> String {
    let choices = [
        "fmWfcF",
        "fmWfceFifmnnD",
        "fmWfceFfmnnD",
        "fWfF",
        "fmWfceFfimnnW3",
        "fmFfcW",
        "fsmWfceF",
        "fmWfcFfimnD",
        "fmWfceFfimnnDfimnnH",
        "fmNfcF",
    ];
    r.pick(&choices).to_string()
}

/// A random movement of one to three elements.
fn moves(r: &mut Random) -> String {
    (0..r.range(1, 3)).map(|_| element(r)).collect()
}

fn element(r: &mut Random) -> String {
    if r.one_in(5) {
        return bracket(r);
    }
    if r.one_in(6) {
        let choices = [
            "FyafsF", "WyafsW", "mRcpR", "mBcpB", "mQpcQ", "pQ", "gQ", "gR", "cpR", "mpB", "nN", "nA", "nD", "NN",
            "AA", "nH", "CC", "fpR", "R3", "B2", "Q3", "W2", "N2", "KAD", "mafK", "yafsF", "mRpB",
        ];
        return r.pick(&choices).to_string();
    }
    let mode = *r.pick(&["", "", "", "m", "c"]);
    let directions = *r.pick(&["", "", "", "", "f", "b", "s", "v", "l", "fr", "fl", "ff"]);
    let atom = *r.pick(&["W", "F", "D", "A", "N", "H", "C", "Z", "G", "K", "R", "B", "Q", "(1,4)", "(0,5)"]);
    let oblique = ["N", "C", "Z", "(1,4)"].contains(&atom);
    let directions = if directions == "ff" && !oblique { "f" } else { directions };
    format!("{mode}{directions}{atom}")
}

fn bracket(r: &mut Random) -> String {
    let choices = [
        "[W-fD]",
        "[D-fW]",
        "[K-K]",
        "[W?fsB]",
        "[F?fsR]",
        "[F?R]",
        "[W?B]",
        "[W-F]",
        "[F-W]",
        "[R-sR]",
        "[B-bsR]",
        "[W-fW-fW]",
        "[W?fF?fsW]",
        "[pR-fR]",
        "[pQ-fK]",
        "[N-fN]",
        "[N?fB]",
        "[C-fR]",
        "[N?fN-fB]",
        "[F-A]",
        "[W-D]",
        "[cW]",
        "[mR-sW]",
        "[W-sR]",
        "[D-fsB]",
    ];
    let mode = *r.pick(&["", "", "", "m", "c"]);
    let text = *r.pick(&choices);
    if mode.is_empty() || text.contains('?') || text.starts_with("[c") {
        return text.to_string();
    }
    // The mode belongs to the last leg.
    let at = text.rfind('-').map_or(1, |at| at + 1);
    format!("{}{mode}{}", &text[..at], &text[at..])
}

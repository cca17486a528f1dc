//! Promotion of piece types in ways of their own, by positions worked out by hand.

use rules::{Board, Game, read_board};
use std::sync::Arc;

/// A small game in which one piece, which steps like a King, promotes in these ways.
fn game(ways: &str) -> Result<Arc<Game>, String> {
    let text = format!(
        "[game]\nid = \"own\"\nboard = \"6x6\"\nstart = \"k5/6/6/6/6/5K w - - 0 1\"\n\
         [pieces.K]\nmove = \"K\"\nroyal = true\n[pieces.S]\nmove = \"K\"\n{ways}\n\
         [pieces.R]\nmove = \"R\"\n[pieces.N]\nmove = \"N\"\n[pieces.P]\nmove = \"fmWfceF\"\n[pieces.D]\nmove = \"fmnnD\"\n"
    );
    Game::load(&text, "own.toml", &[]).map(Arc::new).map_err(|faults| faults[0].to_string())
}

fn board(ways: &str, fen: &str) -> Board {
    read_board(&game(ways).expect("it loads"), fen).expect("a position")
}

/// What may follow the squares of a move: nothing, or the letter of a promotion.
fn ends(board: &Board, squares: &str) -> String {
    let texts: Vec<String> = board.legal_moves().iter().map(|mv| board.move_text(*mv)).collect();
    let mut ends: Vec<&str> = texts.iter().filter_map(|text| text.strip_prefix(squares)).collect();
    ends.sort_unstable();
    ends.iter().map(|end| if end.is_empty() { "-" } else { end }).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_zone_promotes_from_inside_and_outside() {
    let ways = "promotion = [{ to = \"R\", optional = \"ranks 5-6\" }, { to = \"R\", optional = \"all\", from = \"ranks 5-6\" }]";
    let at = |fen| board(ways, fen);
    assert_eq!(ends(&at("k5/6/3S2/6/6/5K w - - 0 1"), "d4d5"), "- r", "entering");
    assert_eq!(ends(&at("k5/6/3S2/6/6/5K w - - 0 1"), "d4d3"), "-");
    assert_eq!(ends(&at("k5/3S2/6/6/6/5K w - - 0 1"), "d5d6"), "- r", "within");
    assert_eq!(ends(&at("k5/3S2/6/6/6/5K w - - 0 1"), "d5d4"), "- r", "leaving");
    assert_eq!(ends(&at("k5/6/6/6/3s2/5K b - - 0 1"), "d2d3"), "- r", "Black's zone");
}

#[test]
fn captures_may_promote_where_other_moves_do_not() {
    let ways = "promotion = [{ to = \"R\", at = \"ranks 4-6\", by = \"capture\" }, { to = \"N\", optional = \"rank 6\", by = \"quiet\" }]";
    let at = |fen| board(ways, fen);
    assert_eq!(ends(&at("k5/3n2/3S2/6/6/5K w - - 0 1"), "d4d5"), "r");
    assert_eq!(ends(&at("k5/3n2/3S2/6/6/5K w - - 0 1"), "d4e5"), "-");
    assert_eq!(ends(&at("k2n2/3S2/6/6/6/5K w - - 0 1"), "d5d6"), "r");
    assert_eq!(ends(&at("k2n2/3S2/6/6/6/5K w - - 0 1"), "d5e6"), "- n");
}

#[test]
fn each_file_may_promote_to_its_own_piece() {
    let ways = "promotion = [{ to = \"R\", at = \"a6 f6\" }, { to = \"N\", at = \"b6 e6\" }, { to = \"R N\", at = \"c6 d6\" }]";
    let at = |fen| board(ways, fen);
    assert_eq!(ends(&at("6/S4k/6/6/6/5K w - - 0 1"), "a5a6"), "r");
    assert_eq!(ends(&at("6/S4k/6/6/6/5K w - - 0 1"), "a5b6"), "n");
    assert_eq!(ends(&at("6/2S2k/6/6/6/5K w - - 0 1"), "c5c6"), "n r");
}

#[test]
fn one_side_may_promote_alone() {
    let ways = "promotion = [{ to = \"R\", at = \"ranks 4-6\", side = \"black\" }]";
    assert_eq!(ends(&board(ways, "k5/6/6/S5/6/5K w - - 0 1"), "a3a4"), "-");
    assert_eq!(ends(&board(ways, "k5/6/s5/6/6/5K b - - 0 1"), "a4a3"), "r");
}

#[test]
fn ways_that_meet_offer_their_pieces_together() {
    let ways = "promotion = [{ to = \"R\", at = \"ranks 4-6\", by = \"capture\" }, { to = \"N R\", optional = \"ranks 4-6\" }]";
    assert_eq!(ends(&board(ways, "k5/6/n5/S5/6/5K w - - 0 1"), "a3a4"), "n r", "the compulsory way holds");
    assert_eq!(ends(&board(ways, "k5/6/n5/S5/6/5K w - - 0 1"), "a3b4"), "- n r");
}

#[test]
fn a_piece_that_may_not_have_been_promoted_is_refused() {
    let ways = "promotion = [{ to = \"R\", at = \"rank 6\" }]";
    let fault = |ways: &str| read_board(&game(ways).unwrap(), "S5/5k/6/6/6/5K w - - 0 1").err();
    assert!(fault(ways).expect("a fault").message.contains("the piece on a6 should have promoted"));
    let ways = "promotion = [{ to = \"R\", at = \"rank 6\", by = \"capture\" }]";
    assert!(fault(ways).is_none(), "it came without a capture");
}

#[test]
fn faults_say_what_to_write() {
    let fault = |ways| game(ways).err().expect("a fault");
    assert!(fault("promotion = [{ at = \"rank 6\" }]").contains("no to; expected letters"));
    assert!(fault("promotion = [{ to = \"R\" }]").contains("no at; expected squares"));
    assert!(
        fault("promotes_to = \"N\"\npromotion = [{ to = \"R\", at = \"rank 6\" }]").contains("write one or the other")
    );
}

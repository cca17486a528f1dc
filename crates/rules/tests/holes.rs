//! Boards that are not rectangles, by positions worked out by hand.

use rules::{Board, Game, read_board};
use std::sync::Arc;

/// A board with a hole in its middle, and without two corners.
fn game(more: &str) -> Result<Arc<Game>, String> {
    let text = format!(
        "[game]\nid = \"own\"\nboard = \"5x5\"\nstart = \"k3*/5/2*2/5/K3* w - - 0 1\"\n[pieces.K]\nmove = \"K\"\nroyal = true\n\
         [pieces.R]\nmove = \"R\"\n[pieces.C]\nmove = \"mRcpR\"\n[pieces.N]\nmove = \"N\"\n[pieces.S]\nmove = \"[W?fsB]\"\n{more}"
    );
    Game::load(&text, "own.toml", &[]).map(Arc::new).map_err(|faults| faults[0].to_string())
}

fn board(fen: &str) -> Board {
    read_board(&game("").expect("it loads"), fen).expect("a position")
}

/// Where the piece on a square may go.
fn goals(board: &Board, from: &str) -> String {
    let texts = board.legal_moves().into_iter().map(|mv| board.move_text(mv));
    let mut goals: Vec<String> = texts.filter_map(|text| text.strip_prefix(from).map(str::to_string)).collect();
    goals.sort_unstable();
    goals.join(" ")
}

#[test]
fn lines_end_at_holes() {
    assert_eq!(goals(&board("k3*/5/1R*2/5/K3* w - - 0 1"), "b3"), "a3 b1 b2 b4 b5");
    assert_eq!(goals(&board("k3*/5/2*1R/5/K3* w - - 0 1"), "e3"), "d3 e2 e4");
    assert_eq!(goals(&board("k3*/5/2*2/2R2/K3* w - - 0 1"), "c2"), "a2 b2 c1 d2 e2");
}

#[test]
fn leaps_go_over_holes_and_end_on_none() {
    assert_eq!(goals(&board("k3*/5/2*2/2N2/K3* w - - 0 1"), "c2"), "a3 b4 d4 e3");
    assert_eq!(goals(&board("k3*/5/2*2/1N3/K3* w - - 0 1"), "b2"), "a4 c4 d1 d3");
    assert_eq!(goals(&board("k3*/1N3/2*2/5/K3* w - - 0 1"), "b4"), "a2 c2 d3 d5");
}

#[test]
fn nobody_hops_over_a_hole_or_attacks_across_it() {
    let across = board("2k1*/5/2*2/2R2/K3* b - - 0 1");
    assert!(!across.position().is_check(&across.game().rules));
    assert_eq!(goals(&across, "c5"), "b4 b5 c4 d4 d5");
    let cannon = board("2k1*/5/2*2/2C2/K3* b - - 0 1");
    assert!(!cannon.position().is_check(&cannon.game().rules));
    // Bent moves turn on no hole.
    assert_eq!(goals(&board("k3*/5/2*2/2S2/K3* w - - 0 1"), "c2"), "a3 b2 c1 d2 e3");
}

#[test]
fn holes_are_written_and_read_as_stars() {
    let board = board("k3*/5/2*2/5/K3* w - - 0 1");
    assert_eq!(board.fen(), "k3*/5/2*2/5/K3* w - - 0 1");
    let read = |fen: &str| read_board(board.game(), fen).map(|board| board.fen()).map_err(|error| error.to_string());
    assert_eq!(read("k4/5/5/5/K4 w - - 0 1").as_deref(), Ok("k3*/5/2*2/5/K3* w - - 0 1"), "empty squares will do");
    assert!(read("k3*/5/2R2/5/K3* w - - 0 1").unwrap_err().contains("a piece on c3, which is a hole"));
    assert!(read("k3*/2*2/2*2/5/K3* w - - 0 1").unwrap_err().contains("'*' marks holes in the board, and c4 is none"));
}

#[test]
fn faults_name_the_hole() {
    let fault = |more| game(more).err().expect("a fault");
    assert!(fault("[zones]\nx = \"a1 c3\"").contains("'c3' is a hole in the board"));
    assert!(game("[zones]\nx = \"rank 3 file e\"").is_ok(), "whole ranks leave holes out");
    let lopsided = "[game]\nid = \"own\"\nboard = \"5x5\"\nstart = \"k3*/5/5/5/K4 w - - 0 1\"\n[pieces.K]\nmove = \"K\"\nroyal = true\n";
    let faults = Game::load(lopsided, "own.toml", &[]).err().expect("a fault");
    assert!(faults[0].message.contains("e5 is a hole, and e1 is none"));
    let castling = "[game]\nid = \"own\"\nboard = \"5x5\"\nstart = \"k2*r/5/5/5/K2*R w Kk - 0 1\"\n[pieces.K]\nmove = \"K\"\nroyal = true\n\
                    [pieces.R]\nmove = \"R\"\n[[castling]]\nright = \"K\"\nking = \"a1 c1\"\nrook = \"e1 b1\"\n";
    let faults = Game::load(castling, "own.toml", &[]).err().expect("a fault");
    assert!(faults[0].message.contains("there is a hole on the way, d1"));
}

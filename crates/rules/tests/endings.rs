//! Conditions that end a game, compulsory captures and games without check, by positions worked out by hand.

use rules::{Board, Color, Game, Reason, Square, perft, read_board};
use std::sync::Arc;

/// Chess with some lines more in its definition.
fn chess(end: &str, turn: &str) -> Arc<Game> {
    let text = format!("[game]\nid = \"own\"\nextends = \"chess\"\n[end]\n{end}\n[turn]\n{turn}\n");
    Arc::new(Game::load(&text, "own.toml", &[]).expect("it loads"))
}

/// A small game without royal pieces.
fn kingless(start: &str, end: &str) -> Result<Arc<Game>, String> {
    let text = format!(
        "[game]\nid = \"own\"\nboard = \"4x4\"\nstart = \"{start}\"\n\
         [pieces.P]\nmove = \"fmWfF\"\n[pieces.R]\nmove = \"R\"\n[end]\ngoal = \"conditions\"\n{end}\n"
    );
    Game::load(&text, "own.toml", &[]).map(Arc::new).map_err(|faults| faults[0].message.clone())
}

fn after(game: &Arc<Game>, fen: &str, moves: &str) -> Board {
    let mut board = read_board(game, fen).expect("a position");
    for mv in moves.split_whitespace() {
        board.push_text(mv).expect("a legal move");
    }
    board
}

/// The reason and the winner, if the game is over; then there is no legal move unless it is a draw by history.
fn ending(board: &Board) -> Option<(Reason, Option<Color>)> {
    let outcome = board.outcome(false)?;
    assert_eq!(board.legal_moves(), [], "the game is over");
    assert_eq!(board.position().count_moves(&board.game().rules), 0);
    assert!(!board.position().has_move(&board.game().rules));
    Some((outcome.reason, outcome.winner))
}

#[test]
fn a_side_that_loses_its_last_piece_of_a_kind_loses() {
    let game = chess("conditions = [{ extinct = \"Q R\" }]", "");
    let board = after(&game, "4k2r/7q/8/8/8/8/8/QR2K2R w - - 0 1", "b1b2");
    assert_eq!(ending(&board), None);
    let board = after(&game, "4k2r/7q/8/8/8/8/8/QR2K2R w - - 0 1", "h1h7");
    assert_eq!(ending(&board), Some((Reason::Extinction, Some(Color::White))), "Black's only Queen is gone");
    let board = after(&game, "4k2r/7q/8/8/8/8/8/Q3K2R w - - 0 1", "a1a2 h7h1");
    assert_eq!(ending(&board), Some((Reason::Extinction, Some(Color::Black))), "White's last Rook is gone");
}

#[test]
fn losing_everything_may_win() {
    let game = kingless("4/1p2/P3/4", "conditions = [{ extinct = \"all\", result = \"win\" }]").unwrap();
    let board = after(&game, "4/1p2/P3/4 w - - 0 1", "a2b3");
    assert_eq!(ending(&board), Some((Reason::Extinction, Some(Color::Black))));
}

#[test]
fn few_pieces_lose_only_against_enough() {
    let game = chess("conditions = [{ extinct = \"all\", at_most = 1, against = 2 }]", "");
    let board = after(&game, "4k3/8/8/8/8/8/4r3/4KR2 w - - 0 1", "e1e2");
    assert_eq!(ending(&board), Some((Reason::Extinction, Some(Color::White))));
    let board = after(&game, "4k3/8/8/8/8/8/4rR2/4K3 w - - 0 1", "f2e2");
    assert_eq!(ending(&board), Some((Reason::Extinction, Some(Color::White))));
}

#[test]
fn a_bare_king_may_answer_by_baring_the_other() {
    let end = "conditions = [{ extinct = \"all\", at_most = 1, against = 2, answer = true }]";
    let game = chess(end, "");
    // Black can take the Rook back, which draws. Another move loses.
    let start = "8/8/8/8/8/3k4/3r4/K2R4 w - - 0 1";
    assert_eq!(ending(&after(&game, start, "d1d2")), None);
    let drawn = after(&game, start, "d1d2 d3d2").outcome(false).expect("it is over");
    assert_eq!((drawn.reason, drawn.winner), (Reason::DeadPosition, None));
    assert_eq!(ending(&after(&game, start, "d1d2 d3e3")), Some((Reason::Extinction, Some(Color::White))));
    // Black cannot take anything: the game is over at once.
    let board = after(&game, "k7/8/8/8/8/8/3r4/2KR4 w - - 0 1", "d1d2");
    assert_eq!(ending(&board), Some((Reason::Extinction, Some(Color::White))));
}

#[test]
fn reaching_squares_wins_at_once_or_after_an_answer() {
    let race = "conditions = [{ reach = \"last rank\", pieces = \"K\" }]";
    let board = after(&chess(race, ""), "8/K7/8/8/8/8/k7/8 w - - 0 1", "a7a8");
    assert_eq!(ending(&board), Some((Reason::SquaresReached, Some(Color::White))));
    let answered = "conditions = [{ reach = \"last rank\", pieces = \"K\", answer = true }]";
    let game = chess(answered, "");
    let board = after(&game, "8/K7/8/8/8/8/k7/8 w - - 0 1", "a7a8");
    assert_eq!(ending(&board), None, "Black can reach its last rank too");
    let board = after(&game, "8/K7/8/8/8/8/k7/8 w - - 0 1", "a7a8 a2a1");
    assert_eq!(ending(&board), Some((Reason::SquaresReached, None)));
    let board = after(&game, "8/K7/8/8/8/8/k7/8 w - - 0 1", "a7a8 a2a3");
    assert_eq!(ending(&board), Some((Reason::SquaresReached, Some(Color::White))));
    let board = after(&game, "8/K7/8/8/8/k7/8/8 w - - 0 1", "a7a8");
    assert_eq!(ending(&board), Some((Reason::SquaresReached, Some(Color::White))), "Black is too far");
}

#[test]
fn a_side_may_need_several_pieces_on_squares_of_its_own() {
    let end = "conditions = [{ reach = \"last rank\", count = 2, side = \"white\" }, \
               { reach = \"last rank\", side = \"black\", result = \"loss\" }]";
    let game = kingless("4/PPpp/PP2/4", end).unwrap();
    let board = after(&game, "4/PPpp/PP2/4 w - - 0 1", "a3a4 c3c2 b3b4");
    assert_eq!(ending(&board), Some((Reason::SquaresReached, Some(Color::White))));
    let board = after(&game, "4/PP1p/PPp1/4 b - - 0 1", "c2c1");
    assert_eq!(ending(&board), Some((Reason::SquaresReached, Some(Color::White))), "Black loses there");
}

#[test]
fn checks_are_counted_and_written_into_fens() {
    let game = chess("conditions = [{ checks = 2 }]", "");
    let start = Board::new(game.clone());
    assert!(start.fen().ends_with(" w KQkq - 2+2 0 1"));
    let board = after(&game, "4k3/8/8/8/8/8/8/R3K3 w Q - 2+2 0 1", "a1a8");
    assert_eq!(board.fen(), "R3k3/8/8/8/8/8/8/4K3 b - - 1+2 1 1");
    assert_eq!(ending(&board), None);
    let board = after(&game, &board.fen(), "e8e7 a8a7");
    assert_eq!(ending(&board), Some((Reason::ChecksGiven, Some(Color::White))));
    assert_eq!(
        read_board(&game, "4k3/8/8/8/8/8/8/4K3 w - - 0 1 +1+0").unwrap().fen(),
        "4k3/8/8/8/8/8/8/4K3 w - - 1+2 0 1"
    );
    assert!(read_board(&game, "4k3/8/8/8/8/8/8/4K3 w - - 3+2 0 1").err().unwrap().to_string().contains("at most 2+2"));
    assert_ne!(after(&game, "4k3/8/8/8/8/8/8/4K3 w - - 1+2 0 1", "").key(), start.key());
}

#[test]
fn positions_with_other_checks_are_not_repetitions() {
    let game = chess("conditions = [{ checks = 9 }]", "");
    let mut board = after(&game, "4k3/8/8/8/8/8/8/R3K3 w - - 9+9 0 1", "a1a8 e8e7 a8a1 e7e8 a1a8");
    assert_eq!(board.repetitions(), 1);
    board.pop();
    assert_eq!(board.repetitions(), 1);
}

#[test]
fn stalemate_and_mate_may_win() {
    let stalemated = "7k/5Q2/8/8/8/8/8/K7 b - - 0 1";
    let mated = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
    let outcome = |end: &str, fen: &str| ending(&after(&chess(end, ""), fen, "")).expect("it is over");
    assert_eq!(outcome("stalemate = \"win\"", stalemated), (Reason::Stalemate, Some(Color::Black)));
    assert_eq!(outcome("stalemate = \"loss\"", stalemated), (Reason::Stalemate, Some(Color::White)));
    assert_eq!(outcome("stalemate = \"win\"", mated), (Reason::Checkmate, Some(Color::White)));
    assert_eq!(outcome("checkmate = \"win\"", mated), (Reason::Checkmate, Some(Color::Black)));
    assert_eq!(outcome("checkmate = \"draw\"", mated), (Reason::Checkmate, None));
}

#[test]
fn captures_may_be_compulsory() {
    let game = chess("", "must_capture = true");
    let board = after(&game, "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "");
    assert_eq!(board.legal_moves().len(), 1);
    assert!(board.clone().push_text("e1e2").unwrap_err().to_string().contains("a capture is compulsory"));
    assert_eq!(
        board.why_idle_in("en", Square::new(4, 0)).unwrap(),
        "Capturing is compulsory, and this piece cannot capture anything."
    );
    // A capture that would leave the King in check is none; getting out of check comes first.
    let board = after(&game, "4k3/8/8/8/8/8/r2pK3/8 w - - 0 1", "");
    assert_eq!(board.legal_moves().len(), 6);
    assert_eq!(perft(&game.rules, &mut Board::new(game.clone()).position().clone(), 2), 400);
}

#[test]
fn check_may_be_forbidden() {
    let game = chess("", "may_check = false");
    let board = after(&game, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "");
    assert!(board.clone().push_text("a1a8").unwrap_err().to_string().contains("would give check"));
    assert!(board.clone().push_text("a1a7").is_ok());
}

#[test]
fn faults_of_conditions_say_what_to_write() {
    let fault = |end: &str| kingless("p3/4/4/R3", end).err().expect("a fault");
    assert!(fault("").contains("nobody could win"));
    assert!(fault("conditions = [{ reach = \"a1\" }]").contains("over before it begins: goal reached"));
    assert!(
        fault("conditions = [{ reach = \"a4\", extinct = \"R\" }]")
            .contains("needs extinct, reach or checks, and only one")
    );
    assert!(
        fault("conditions = [{ reach = \"a4\", at_most = 1 }]")
            .contains("at_most is no part of a condition with reach")
    );
    assert!(fault("conditions = [{ checks = 3 }]").contains("there is no check"));
    assert!(fault("conditions = [{ extinct = \"\" }]").contains("letters of pieces"));
    assert!(fault("conditions = [{ extinct = \"all\" }]\ncheckmate = \"win\"").contains("there is no checkmate"));
    assert!(fault("conditions = \"reach\"").contains("a list of tables"));
}

#[test]
fn the_hash_of_a_game_depends_on_its_conditions() {
    let hash = |end: &str, turn: &str| chess(end, turn).rules.hash;
    let mut hashes = vec![
        Game::shipped("chess", &[]).unwrap().rules.hash,
        hash("stalemate = \"win\"", ""),
        hash("checkmate = \"win\"", ""),
        hash("conditions = [{ extinct = \"Q\" }]", ""),
        hash("conditions = [{ extinct = \"Q\", answer = true }]", ""),
        hash("conditions = [{ extinct = \"Q\", side = \"white\" }]", ""),
        hash("conditions = [{ reach = \"e8\" }]", ""),
        hash("conditions = [{ checks = 3 }]", ""),
        hash("", "must_capture = true"),
        hash("", "may_check = false"),
    ];
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), 10);
}

/// A small game with Kings and Princes, which are all royal, and Pawns that may become a Prince.
fn princes(royals: &str) -> Arc<Game> {
    let text = format!(
        "[game]\nid = \"own\"\nboard = \"6x6\"\nstart = \"2kx2/5p/6/6/P5/2KX2 w - - 0 1\"\n\
         [pieces.K]\nmove = \"K\"\nroyal = true\n[pieces.X]\nmove = \"K\"\nroyal = true\n[pieces.R]\nmove = \"R\"\n\
         [pieces.P]\nmove = \"fmWcfF\"\npromotes_to = \"X R\"\n[end]\nroyals = \"{royals}\"\n"
    );
    Arc::new(Game::load(&text, "own.toml", &[]).expect("it loads"))
}

#[test]
fn the_last_royal_piece_must_be_safe() {
    let game = princes("last");
    // Two royal pieces: the Rook may take one, and then the other is in check.
    let board = after(&game, "k1x3/6/6/6/6/R1K3 b - - 0 1", "");
    assert!(!board.position().is_check(&game.rules));
    let board = after(&game, "k1x3/6/6/6/6/R1K3 b - - 0 1", "c6d6 a1a6");
    assert!(board.position().is_check(&game.rules));
    assert!(board.clone().push_text("d6d5").is_ok());
    let mated = after(&game, "k1x3/6/6/6/6/RRK3 b - - 0 1", "c6d6 a1a6 d6e5 b1b5 e5e4 a6a4 e4e3 b5b3 e3e2 a4a2");
    assert_eq!(mated.outcome(false).map(|outcome| outcome.reason), None, "the King can take nothing but flees");
    // A Pawn becomes a Prince: the King may stay attacked.
    let board = after(&game, "5k/P5/6/6/6/r1K3 w - - 0 1", "");
    assert!(board.position().is_check(&game.rules));
    let mut promoted = board.clone();
    promoted.push_text("a5a6x").expect("a second royal piece answers check");
    assert!(promoted.position().royals(Color::White).count() == 2);
    assert!(board.clone().push_text("a5a6r").is_err(), "a Rook does not");
}

#[test]
fn every_royal_piece_or_one_must_be_safe() {
    let every = princes("every");
    let board = after(&every, "k1x3/6/6/6/6/R1K3 b - - 0 1", "");
    assert!(board.position().is_check(&every.rules));
    assert!(board.clone().push_text("c6d6").is_err());
    let one = princes("one");
    let board = after(&one, "k1x3/6/6/6/6/R1K3 b - - 0 1", "");
    assert!(!board.position().is_check(&one.rules));
    let board = after(&one, "k1x3/6/6/6/6/RR1K2 w - - 0 1", "b1c1");
    assert!(board.position().is_check(&one.rules), "both are attacked");
    assert_eq!(board.legal_moves().len(), 6);
}

#[test]
fn a_side_may_castle_alone_and_without_check_through_attacks() {
    let text = |side: &str, goal: &str, royal: bool, rights: &str| {
        format!(
            "[game]\nid = \"own\"\nboard = \"6x6\"\nstart = \"r2k1r/6/6/6/6/R2K1R w {rights} - 0 1\"\n\
             [pieces.K]\nmove = \"W\"\nroyal = {royal}\n[pieces.R]\nmove = \"R\"\n\
             [[castling]]\nright = \"K\"\nking = \"d1 b1\"\nrook = \"a1 c1\"\nside = \"{side}\"\n[end]\n{goal}\n"
        )
    };
    let load = |side: &str, goal: &str, royal: bool, rights: &str| {
        Game::load(&text(side, goal, royal, rights), "own.toml", &[]).map(Arc::new)
    };
    let castles = |game: &Arc<Game>, fen: &str, mv: &str| read_board(game, fen).unwrap().push_text(mv).is_ok();
    let black = load("black", "", true, "k").unwrap();
    assert!(castles(&black, "r2k1r/6/6/6/6/R2K1R b k - 0 1", "d6b6"));
    assert!(!castles(&black, "r2k1r/6/6/6/6/R2K1R w k - 0 1", "d1b1"));
    assert!(load("black", "", true, "K").is_err(), "White has no such right");
    let free = load("both", "goal = \"conditions\"\nconditions = [{ extinct = \"R\" }]", false, "Kk").unwrap();
    assert!(castles(&free, "2rk1r/6/6/6/6/R2K1R w K - 0 1", "d1b1"), "no square is attacked where there is no check");
    let guarded = load("both", "", true, "Kk").unwrap();
    assert!(!castles(&guarded, "2rk1r/6/6/6/6/R2K1R w K - 0 1", "d1b1"));
    assert!(castles(&guarded, "3k1r/6/6/6/6/R2K1R w K - 0 1", "d1b1"));
    assert!(!castles(&free, "2rk1r/6/6/6/6/R2K1R w - - 0 1", "d1b1"), "the right is lost");
    assert_ne!(black.rules.hash, load("white", "", true, "K").unwrap().rules.hash);
}

#[test]
fn a_repetition_may_be_won_or_lost() {
    let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (result, winner) in [("loss", Color::White), ("win", Color::Black)] {
        let game = chess(&format!("repetition = [3, 3]\nrepetition_result = \"{result}\""), "");
        let board = after(&game, start, shuffle);
        let outcome = board.outcome(false).expect("the third time");
        assert_eq!((outcome.reason, outcome.winner), (Reason::FivefoldRepetition, Some(winner)));
        let mut before = board.clone();
        before.pop();
        assert_eq!(before.outcome(true), None, "there is no draw to claim");
    }
}

#[test]
fn perpetual_check_may_lose() {
    let game = chess("repetition = [3, 3]\nperpetual_check = \"loss\"", "");
    // White's Queen checks on e8 and h5, and Black's King goes to and fro.
    let start = "5rk1/5ppp/8/8/8/8/q4PPP/4Q1K1 w - - 0 1";
    let checks = "6k1/5p1p/8/6Q1/8/8/q4PPP/6K1 b - - 0 1";
    let board = after(&game, checks, "g8f8 g5d8 f8g7 d8g5 g7f8 g5d8 f8g7 d8g5 g7f8 g5d8");
    let outcome = board.outcome(false).expect("the third time");
    assert_eq!((outcome.reason, outcome.winner), (Reason::PerpetualCheck, Some(Color::Black)));
    // If one move of the cycle gives no check, it is a draw.
    let board = after(&game, checks, "g8f8 g5d8 f8g7 d8g5 g7f8 g5h5 f8g8 h5g5 g8f8 g5d8 f8g7 d8g5 g7f8");
    let outcome = board.outcome(false).expect("the third time");
    assert_eq!((outcome.reason, outcome.winner), (Reason::FivefoldRepetition, None));
    assert_eq!(after(&chess("", ""), start, "").outcome(false), None);
}

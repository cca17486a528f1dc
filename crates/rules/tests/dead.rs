//! Dead positions against brute force: a position is dead if no placement of its pieces is lost.

use judge::Brute;
use rules::definition::Verdict;
use rules::{Board, Color, Game, Reason, Square, read_board};
use std::sync::Arc;

/// A 4x4 board with these pieces on these squares, Black to move.
fn fen(pieces: &[(char, Square)]) -> String {
    let rank = |rank: u8| {
        let letter =
            |file| pieces.iter().find(|(_, square)| *square == Square::new(file, rank)).map_or('1', |(l, _)| *l);
        let text: String = (0..4).map(letter).collect();
        text.replace("1111", "4").replace("111", "3").replace("11", "2")
    };
    format!("{}/{}/{}/{} b - - 0 1", rank(3), rank(2), rank(1), rank(0))
}

/// Whether this holds in some legal placement of both Kings and these pieces.
fn any_placement(game: &Arc<Game>, pieces: &[char], holds: &dyn Fn(&Board) -> bool) -> bool {
    fn place(
        game: &Arc<Game>,
        left: &[char],
        placed: &mut Vec<(char, Square)>,
        holds: &dyn Fn(&Board) -> bool,
    ) -> bool {
        let Some((letter, rest)) = left.split_first() else {
            return read_board(game, &fen(placed)).is_ok_and(|board| holds(&board));
        };
        game.rules.board.into_iter().any(|square| {
            if placed.iter().any(|(_, other)| *other == square) {
                return false;
            }
            placed.push((*letter, square));
            let found = place(game, rest, placed, holds);
            placed.pop();
            found
        })
    }
    place(game, &[&['k', 'K'], pieces].concat(), &mut Vec::new(), holds)
}

/// Whether Black to move has lost in some placement, by brute force.
fn can_be_lost(game: &Arc<Game>, pieces: &[char]) -> bool {
    any_placement(game, pieces, &|board| {
        let brute = Brute::new(board, game);
        let lost = brute.in_check(Color::Black) || game.rules.end.stalemate != Verdict::Draw;
        lost && brute.moves(&[], &|_| true).is_empty()
    })
}

/// Whether some placement is dead; with at most one piece, then all are.
fn is_dead(game: &Arc<Game>, pieces: &[char]) -> bool {
    any_placement(game, pieces, &|board| board.position().is_dead(&game.rules))
}

fn game(king: &str, piece: &str, stalemate: &str) -> Arc<Game> {
    let text = format!(
        "[game]\nid = \"dead\"\nboard = \"4x4\"\nstart = \"k3/x3/4/XX1K\"\n[pieces.K]\nroyal = true\nmove = {king}\n\
         [pieces.X]\nmove = {piece}\n[end]\nstalemate = \"{stalemate}\"\n"
    );
    Arc::new(Game::load(&text, "dead.toml", &[]).unwrap_or_else(|faults| panic!("{king}, {piece}: {faults:?}")))
}

const PIECES: [&str; 14] = [
    "\"N\"",
    "\"B\"",
    "\"R\"",
    "\"W\"",
    "\"F\"",
    "\"A\"",
    "\"D\"",
    "\"fR\"",
    "\"nN\"",
    "\"K\"",
    "\"mQ\"\nsees = \"Q\"",
    "\"mF\"\nsees = \"R\"",
    "\"F\"\nsees = \"fW\"",
    "\"mK\"\nfrom = [{ squares = \"a1 b1\", move = \"cQ\", right = \"file\" }]",
];

/// Kings that never give check, since both attack or neither does.
#[test]
fn a_king_and_a_piece_are_dead_unless_some_placement_is_mate() {
    let mut wrong = Vec::new();
    for king in ["\"K\"", "\"K\"\nsees = \"fR\"", "\"N\"", "\"W\"", "\"F\"", "\"KN\"", "\"KnD\"", "\"R\""] {
        for piece in PIECES {
            let game = game(king, piece, "draw");
            // With the right of its first move a piece attacks more than without.
            let brute = piece.contains("right") || can_be_lost(&game, &['X']);
            if is_dead(&game, &['X']) == brute {
                wrong.push(format!("King {king}, {piece}: mate is {}", if brute { "possible" } else { "impossible" }));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Two pieces on squares of one colour mate no King that can always step to the other.
#[test]
fn two_pieces_bound_to_one_color_are_dead_against_a_king_that_can_leave_it() {
    let cases = [
        ("\"K\"", "\"B\"", true),
        ("\"K\"\nsees = \"fR\"", "\"B\"", false),
        ("\"K\"", "\"mF\"\nsees = \"fR\"", false),
        ("\"N\"", "\"B\"", false),
    ];
    for (king, piece, dead) in cases {
        let game = game(king, piece, "draw");
        let board = read_board(&game, "k3/3K/4/X1X1 b - - 0 1").expect("a position");
        assert_eq!(board.position().is_dead(&game.rules), dead, "King {king}, {piece}");
    }
}

/// Where a King can give check, or a stalemate loses, even a bare King may win.
#[test]
fn a_bare_king_may_win_where_it_gives_check_or_stalemate_loses() {
    let kings = ["\"K\"", "\"KN\"\nsees = \"lR\"", "\"KN\"\nsees = \"fR\"", "\"KlA\"", "\"FyafsF\"", "\"WlN\""];
    for stalemate in ["draw", "loss"] {
        for king in kings {
            let game = game(king, "\"W\"", stalemate);
            let lost = can_be_lost(&game, &[]);
            assert_eq!(is_dead(&game, &[]), !lost, "King {king}, stalemate {stalemate}");
            if lost || can_be_lost(&game, &['X']) {
                assert!(!is_dead(&game, &['X']), "{king}, stalemate {stalemate}");
            }
        }
    }
    // The King on c4 sees the one on a4 from its right, and leaves it nowhere to go.
    let game = game("\"KN\"\nsees = \"lR\"", "\"W\"", "draw");
    let board = read_board(&game, "k1K1/4/4/XX2 b - - 0 1").expect("a position");
    assert!(!board.position().cannot_win(&game.rules, Color::White));
    assert!(!board.position().cannot_win(&game.rules, Color::Black));
}

/// A royal Knight in the corner has two steps, and the other royal Knight can attack both.
#[test]
fn a_bishop_mates_in_knightmate() {
    let game = Arc::new(Game::shipped("knightmate", &[]).expect("shipped"));
    let mut board = read_board(&game, "8/8/8/8/3K4/8/8/k1B5 w - - 0 1").expect("a position");
    assert!(board.outcome(false).is_none());
    board.push_text("c1b2").expect("a legal move");
    assert_eq!(board.outcome(false).map(|outcome| outcome.reason), Some(Reason::Checkmate));
    let bare = read_board(&game, "8/8/8/8/3K4/8/8/k7 w - - 0 1").expect("a position");
    assert_eq!(bare.outcome(false).map(|outcome| outcome.reason), Some(Reason::DeadPosition));
}

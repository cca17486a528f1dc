//! Mates against a bare King: known results of chess, and the analysis against a plain search.

use lab::mates::{Report, Study};
use rules::{Game, Kind, Token};
use std::sync::Arc;

fn game(name: &str) -> Arc<Game> {
    Arc::new(Game::shipped(name, &[]).expect("it ships"))
}

fn kinds(game: &Game, tokens: &str) -> Vec<Kind> {
    let token = |letter: char| game.kind_of(Token::parse(&letter.to_string()).expect("a token")).expect("a kind");
    tokens.chars().map(token).collect()
}

fn report(name: &str, tokens: &str) -> Report {
    let game = game(name);
    let set = kinds(&game, tokens);
    Study::new(game).expect("a game with mates").report(&set, 1).expect("a solution that the core confirms")
}

/// The share of wins of the side to move, and the longest.
fn longest(name: &str, tokens: &str) -> Vec<(u64, u64, usize)> {
    let report = report(name, tokens);
    assert!(report.checked > 1000);
    report.classes.iter().map(|c| (c.to_move.0, c.to_move.1, c.by_moves.len().saturating_sub(1))).collect()
}

#[test]
fn the_longest_wins_of_chess_are_the_published_ones() {
    for (set, moves) in [("Q", 10), ("R", 16), ("N", 0), ("B", 0), ("P", 28), ("QQ", 4)] {
        assert_eq!(longest("chess", set)[0].2, moves, "King and {set}");
    }
}

#[test]
fn timing() {
    for (game, set) in [("chess", "BB"), ("chess", "BN"), ("chess", "NN"), ("metamachy", "R"), ("metamachy", "P"), ("metamachy", "BN"), ("metamachy", "GL")] {
        let start = std::time::Instant::now();
        println!("{game} {set} {:?} {:?}", longest(game, set), start.elapsed());
    }
}

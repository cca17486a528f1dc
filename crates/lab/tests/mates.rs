//! Mates against a bare King: the known results of chess, each solution compared with the core.

use lab::mates::{Class, Study};
use rules::{Game, PieceType, Symbol};
use std::sync::Arc;

fn piece_types(game: &Game, symbols: &str) -> Vec<PieceType> {
    let kind =
        |letter: char| game.piece_type_of(Symbol::parse(&letter.to_string()).expect("a symbol")).expect("a piece type");
    symbols.chars().map(kind).collect()
}

fn classes(name: &str, symbols: &str) -> Vec<Class> {
    let game = Arc::new(Game::shipped(name, &[]).expect("it ships"));
    let set = piece_types(&game, symbols);
    let report = Study::new(game).expect("a game with mates").report(&set, 1).expect("the core confirms it");
    assert!(report.checked > 1000, "{name} {symbols}");
    report.classes
}

#[test]
fn the_longest_wins_in_chess_match_the_published_ones() {
    let published = [("Q", 10), ("R", 16), ("N", 0), ("B", 0), ("P", 28), ("QQ", 4), ("NN", 1), ("BN", 33), ("NP", 27)];
    for (set, moves) in published {
        let classes = classes("chess", set);
        assert_eq!(classes[0].by_moves.len().saturating_sub(1), moves, "King and {set}");
    }
}

#[test]
fn counts_include_symmetric_positions() {
    let found = &classes("chess", "R")[0];
    // 3,612 ways to place two Kings apart, by 62 squares of the Rook; published counts of both sides.
    assert_eq!(found.bare_to_move.0, 3612 * 62);
    assert_eq!(found.to_move, (175_168, 175_168));
    assert_eq!(found.mates, 216);
}

#[test]
fn two_bishops_win_only_on_different_colors() {
    let classes = classes("chess", "BB");
    let [same, different] = &classes[..] else { panic!("two classes") };
    assert_eq!((same.same_color, same.to_move.1, same.dead.1), (Some(true), 0, 0));
    assert_eq!(same.dead.0, same.to_move.0 + same.bare_to_move.0, "all dead");
    assert_eq!((different.by_moves.len(), different.dead.0), (20, 0));
}

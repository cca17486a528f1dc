//! Random play of every shipped game and of random definitions, checked by brute force at every position.

use judge::{Played, play_seed, random_definition, sample};
use rules::{Game, shipped};
use std::sync::Arc;

fn judge_game(game: &Arc<Game>, seeds: std::ops::Range<u64>, max_plies: usize) -> Played {
    let mut total = Played::default();
    for seed in seeds {
        match play_seed(game, seed, max_plies) {
            Ok(played) => total.moves += played.moves,
            Err(message) => panic!("{}, seed {seed}: {message}", game.definition.texts.id),
        }
    }
    total
}

#[test]
fn shipped_games_agree_with_brute_force() {
    for id in shipped() {
        let game = Arc::new(Game::shipped(id, &[]).expect("a shipped game loads"));
        judge_game(&game, 0..sample(1, 3), 150);
    }
}

#[test]
fn options_of_shipped_games_agree_with_brute_force() {
    for id in shipped() {
        let base = Game::shipped(id, &[]).expect("a shipped game loads");
        for option in &base.definition.options {
            for value in option.values.iter().filter(|value| **value != option.default) {
                let choices = [(option.name.clone(), value.clone())];
                let game = Game::shipped(id, &choices).expect("an option's value loads");
                judge_game(&Arc::new(game), 0..sample(1, 2), 100);
            }
        }
    }
}

#[test]
fn random_definitions_agree_with_brute_force() {
    let mut loaded = 0;
    for seed in 0.. {
        let text = random_definition(seed);
        if let Ok(game) = Game::load(&text, "random.toml", &[]) {
            loaded += 1;
            if let Err(message) = play_seed(&Arc::new(game), seed, 20) {
                panic!("seed {seed}: {message}\n{text}");
            }
            if loaded == sample(200, 1000) {
                println!("{loaded} definitions of {} seeds", seed + 1);
                return;
            }
        }
    }
}

/// Combinations that random definitions do not reach: captures en passant by pieces that slide, hop, bend, cannot jump
/// or need a right; double steps longer than the paths of other leaps; walks that pass the square they end on; jumps in zones.
#[test]
fn rare_combinations_agree_with_brute_force() {
    let takers = |notation: &str| {
        let start = "tktt/pppp/4/4/4/4/PPPP/TKTT w - - 0 1";
        ("4x8", start, format!("[pieces.P]\nmove = \"fmWfmnnDfceF\"\n[pieces.T]\nmove = \"{notation}\"\n"))
    };
    let long = |notation: &str| {
        let start = "tpkp/4/4/4/4/4/4/4/TPKP w - - 0 1";
        ("4x9", start, format!("[pieces.P]\nmove = \"{notation}\"\n[pieces.T]\nmove = \"mWceF\"\n"))
    };
    let right = r#"
        [pieces.P]
        move = "fmWfmnnDfceF"
        [pieces.T]
        move = "mK"
        from = [{ squares = "a1 c1 d1", move = "ce(1,5)", right = "file" }]
    "#;
    let zone = r#"
        within = "home"
        [pieces.T]
        move = "fWsF"
        [royal_jump]
        to = "DAN"
        [zones]
        home = "b1-d3"
    "#;
    let cases = [
        ("a slider captures en passant", takers("mWceB")),
        ("a hopper captures en passant", takers("mWcepR")),
        ("a bent slider captures en passant", takers("mWyafceF")),
        ("a piece that cannot jump captures en passant", takers("mWcenA")),
        ("a first move captures en passant", ("4x8", "tktt/pppp/4/4/4/4/PPPP/TKTT w ACDacd - 0 1", right.into())),
        ("a long leap leaves a track", long("fmWfmnn(0,6)")),
        ("a long slide leaves a track", long("fmnnW7")),
        ("a walk passes its end", ("4x6", "tk1t/4/4/4/4/TK1T w - - 0 1", "[pieces.T]\nmove = \"[W-fW-bW]mF\"".into())),
        ("a King jumps within its zone", ("5x5", "1tkt1/5/5/5/1TKT1 w Kk - 0 1", zone.into())),
    ];
    let mut wrong = Vec::new();
    for (name, (board, start, pieces)) in cases {
        let kings = "[pieces.K]\nmove = \"K\"\nroyal = true";
        let text = format!("[game]\nid = \"rare\"\nboard = \"{board}\"\nstart = \"{start}\"\n{kings}\n{pieces}");
        let game = Arc::new(Game::load(&text, "rare.toml", &[]).unwrap_or_else(|faults| panic!("{name}: {faults:?}")));
        wrong.extend(
            (0..sample(10, 40))
                .find_map(|seed| play_seed(&game, seed, 60).err())
                .map(|fault| format!("{name}: {fault}")),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A King with `sees` attacks the enemy King straight ahead, however far, if nothing stands between.
#[test]
fn kings_that_see_ahead_may_not_face_each_other_on_an_open_file() {
    let text = "[game]\nid = \"facing\"\nextends = \"chess\"\n[pieces.K]\nsees = \"fR\"\n";
    let game = Arc::new(Game::load(text, "facing.toml", &[]).expect("it loads"));
    let checked = |fen: &str| rules::read_board(&game, fen).expect("a position").position().is_check(&game.rules);
    assert!(!checked("8/8/4K3/8/8/4k3/8/8 w - - 0 1"));
    assert!(!checked("8/8/4k3/8/4p3/4K3/8/8 w - - 0 1"));
    assert!(rules::read_board(&game, "8/8/4k3/8/8/4K3/8/8 w - - 0 1").is_err());
}

/// A piece that moves again within a turn cannot be captured en passant where it was.
#[test]
fn a_piece_that_moves_again_cannot_be_captured_en_passant() {
    let shipped = rules::shipped_source("marseillais").expect("shipped");
    let text = shipped.replace("moves = 2", "moves = 3").replace("\"marseillais\"", "\"three\"");
    let game = Arc::new(Game::load(&text, "three.toml", &[]).expect("three moves a turn load"));
    let mut board = rules::read_board(&game, "4k3/8/8/1p6/1p6/2N5/P7/4K3 w - - 0 1").expect("a position");
    for mv in ["a2a4", "a4b5", "c3a4"] {
        board.push_text(mv).expect("a legal move");
    }
    assert!(board.fen().contains(" b - - "), "{}", board.fen());
}

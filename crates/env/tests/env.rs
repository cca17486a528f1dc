//! Batches against boards, and the tables of actions against games with random definitions.

use env::{Actions, Autoreset, Batch, Outputs, Planes, Style};
use judge::{Random, random_definition};
use rules::{Board, Color, Game};
use std::collections::HashSet;
use std::sync::Arc;

fn shipped() -> impl Iterator<Item = Arc<Game>> {
    rules::shipped().map(|id| Arc::new(Game::shipped(id, &[]).expect("it ships")))
}

/// Plays at random and tests every legal move.
fn all_moves_are_numbered(game: &Arc<Game>, seed: u64, moves: usize) {
    let actions = Actions::new(game);
    let mut random = Random::new(seed);
    let mut board = Board::new(Arc::clone(game));
    for _ in 0..moves {
        let legal = board.legal_moves();
        let mut seen = HashSet::new();
        for mv in &legal {
            let number = actions.number(*mv, board.turn()).unwrap_or_else(|| panic!("{} {mv:?}", board.fen()));
            assert!(seen.insert(number), "{} {mv:?}", board.fen());
            let back = actions.of(i64::from(number), board.turn()).expect("in the table");
            assert!(back.same_text(*mv), "{} {mv:?} {back:?}", board.fen());
        }
        if legal.is_empty() || board.outcome(false).is_some() {
            board = Board::new(Arc::clone(game));
            continue;
        }
        board.push(*random.pick(&legal));
    }
}

#[test]
fn every_legal_move_of_shipped_games_has_a_number() {
    shipped().for_each(|game| all_moves_are_numbered(&game, 1, 3_000));
}

#[test]
fn every_legal_move_of_random_games_has_a_number() {
    let mut loaded = 0;
    for seed in 0..300 {
        if let Ok(game) = Game::load(&random_definition(seed), "random.toml", &[]) {
            all_moves_are_numbered(&Arc::new(game), seed, 300);
            loaded += 1;
        }
    }
    assert!(loaded > 100, "{loaded}");
}

#[test]
fn planes_of_random_games_can_be_written_for_both_sides() {
    for seed in 0..300 {
        let Ok(game) = Game::load(&random_definition(seed), "random.toml", &[]) else { continue };
        let planes = Planes::new(&game);
        let board = Board::new(Arc::new(game));
        for us in Color::BOTH {
            let mut out = vec![0; planes.size()];
            planes.write(&board, us, &mut out);
            let cells = planes.size() / planes.planes().len();
            for (plane, highest) in out.chunks(cells).zip(planes.highest()) {
                assert!(plane.iter().all(|value| value <= highest), "seed {seed}");
            }
        }
    }
}

#[test]
fn planes_show_holes_checks_and_rights_of_one_side() {
    let text = "[game]\nid = \"own\"\nboard = \"5x5\"\nstart = \"k3r/5/2*2/5/R3K w Kq - 0 1\"\n[pieces.K]\nmove = \"K\"\nroyal = true\n\
                [pieces.R]\nmove = \"W\"\n[[castling]]\nright = \"K\"\nking = \"e1 c1\"\nrook = \"a1 d1\"\nside = \"white\"\n\
                [[castling]]\nright = \"Q\"\nking = \"a1 c1\"\nrook = \"e1 b1\"\nside = \"black\"\n\
                [end]\nconditions = [{ checks = 3 }]\n";
    let game = Arc::new(Game::load(text, "own.toml", &[]).unwrap_or_else(|faults| panic!("{}", faults[0])));
    let planes = Planes::new(&game);
    let board = rules::read_board(&game, "k3r/5/2*2/5/R3K b - - 2+3 0 1").expect("a position");
    let mut out = vec![0; planes.size()];
    planes.write(&board, Color::Black, &mut out);
    let sum = |name: &str| {
        let number = planes.planes().iter().position(|plane| planes.name(&game, *plane) == name).expect(name);
        out[25 * number..25 * number + 25].iter().map(|value| u32::from(*value)).sum::<u32>()
    };
    assert_eq!((sum("board"), sum("own checks"), sum("enemy checks")), (24, 0, 25));
    assert_eq!((sum("own right K"), sum("enemy right K"), sum("own right Q"), sum("enemy right Q")), (0, 0, 0, 0));
    planes.write(&Board::new(game), Color::Black, &mut out);
    let first = planes.planes().iter().position(|plane| *plane == env::Plane::OwnRight(0)).expect("rights");
    assert_eq!([0, 1, 2, 3].map(|number| out[25 * (first + number)]), [0, 1, 1, 0]);
}

#[test]
fn both_sides_have_the_same_actions() {
    for game in shipped() {
        let actions = Actions::new(&game);
        for mv in game.rules.possible_moves(Color::Black) {
            assert!(actions.number(mv, Color::Black).is_some(), "{mv:?}");
        }
        assert_eq!(game.rules.possible_moves(Color::Black).len(), actions.moves().len());
    }
}

#[test]
fn a_mirrored_position_has_the_same_planes_except_the_color() {
    for game in shipped() {
        let planes = Planes::new(&game);
        let (mut here, mut there) = (vec![0; planes.size()], vec![0; planes.size()]);
        let mut random = Random::new(3);
        let mut board = Board::new(Arc::clone(&game));
        for _ in 0..200 {
            let legal = board.legal_moves();
            if legal.is_empty() {
                break;
            }
            board.push(*random.pick(&legal));
            if board.moves_in_turn() > 0 {
                continue;
            }
            let fresh = Board::from_position(Arc::clone(&game), board.position().clone());
            let mirrored = Board::from_position(Arc::clone(&game), board.position().mirrored(&game.rules));
            planes.write(&fresh, fresh.turn(), &mut here);
            planes.write(&mirrored, mirrored.turn(), &mut there);
            let all_but_the_colour = planes.size() - planes.size() / planes.planes().len();
            assert_eq!(here[..all_but_the_colour], there[..all_but_the_colour], "{}", board.fen());
            assert_ne!(here, there);
        }
    }
}

#[test]
fn forgetting_earlier_positions_changes_no_outcome() {
    for game in shipped() {
        let mut random = Random::new(5);
        let (mut whole, mut short) = (Board::new(Arc::clone(&game)), Board::new(Arc::clone(&game)));
        while whole.stack_len() < 1_500 && whole.outcome(false).is_none() {
            // Few moves to choose from repeat positions.
            let legal = whole.legal_moves();
            let mv = legal[random.number() as usize % legal.len().min(2)];
            whole.push(mv);
            short.push(mv);
            short.forget();
            assert_eq!(whole.outcome(true), short.outcome(true));
            assert_eq!((whole.repetitions(), whole.fen()), (short.repetitions(), short.fen()));
        }
        assert!(short.stack_len() <= 6);
    }
}

#[test]
fn batches_are_the_same_with_any_number_of_threads() {
    for game in shipped().take(3) {
        let played = [1, 3].map(|threads| {
            let style = Style { autoreset: Autoreset::SameStep, max_moves: Some(40), claim_draws: true, threads };
            let mut batch = Batch::new(Arc::clone(&game), 10, style, None, 7).expect("it begins");
            let size = batch.planes().size();
            let (mut planes, mut actions, mut all) = (vec![0; 10 * size], vec![0; 10], Vec::new());
            let (mut legal, mut offsets) = (vec![0; 10_000], vec![0; 11]);
            for _ in 0..100 {
                batch.sample(&mut actions);
                let out = Outputs {
                    observations: &mut planes,
                    legal_actions: &mut legal,
                    legal_offsets: &mut offsets,
                    ..Outputs::default()
                };
                let count = batch.step(&actions, out);
                all.push((actions.clone(), planes.clone(), legal[..count].to_vec(), offsets.clone()));
            }
            all
        });
        assert!(played[0] == played[1]);
    }
}

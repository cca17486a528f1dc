//! Plays, packs and learns from games of several kinds: four points, setups, turns of several moves.

use engine::evaluation::{Evaluator, Tapered, Weights};
use engine::network::Network;
use lab::games::{Ending, Played, pack, unpack};
use lab::samples::Samples;
use lab::selfplay::{Player, Style};
use lab::trainer::{Recipe, Trainer};
use lab::tuner::Tuner;
use rules::{Game, Reason, mix};
use std::collections::HashSet;
use std::sync::Arc;

fn game(id: &str) -> Arc<Game> {
    Arc::new(Game::shipped(id, &[]).unwrap_or_else(|faults| panic!("{}", faults[0])))
}

fn play(game: &Arc<Game>, nodes: u64, seed: u64, numbers: std::ops::Range<u64>) -> Vec<Played> {
    let style = Style { nodes, opening: 8, seed };
    let mut player = Player::new(Arc::new(Evaluator::new(Arc::clone(game))), style).expect("four megabytes");
    numbers.map(|number| player.play(number).expect("a start")).collect()
}

#[test]
fn games_unpack_as_they_were_packed_and_every_move_is_legal() {
    for id in ["metamachy", "magi", "chieftain", "maasai"] {
        let game = game(id);
        let games = play(&game, 30, 1, 0..3);
        let bytes = pack(&game, &games);
        let unpacked = unpack(&game, &bytes).expect("as packed");
        for (unpacked, played) in unpacked.iter().zip(&games) {
            let texts = |moves: &[(rules::Move, Option<i32>)]| -> Vec<String> {
                moves.iter().map(|(mv, _)| rules::move_text(&game, *mv)).collect()
            };
            assert_eq!(texts(&unpacked.moves), texts(&played.moves), "{id}");
            let scores = |played: &Played| -> Vec<Option<i32>> {
                played.moves.iter().map(|(_, score)| score.map(|score| score.clamp(-16_000, 16_000))).collect()
            };
            assert_eq!(scores(unpacked), scores(played), "{id}");
            let mut positions = 0;
            let last = unpacked.replay(&game, |_, _, _| positions += 1).expect("legal moves");
            assert_eq!(positions, played.moves.len());
            let by_rules = last.outcome(true).map(|outcome| (Ending::Rules(outcome.reason), outcome.half_points));
            match unpacked.ending {
                Ending::Rules(_) => assert_eq!(by_rules, Some((unpacked.ending, unpacked.half_points)), "{id}"),
                Ending::Proven | Ending::Unfinished => assert_eq!(by_rules, None, "{id}: the rules come first"),
            }
        }
        assert_eq!(unpacked.len(), games.len());
        assert!(games.iter().all(|played| played.moves[..8].iter().all(|(_, score)| score.is_none())));
    }
}

#[test]
fn a_game_from_a_position_starts_there_and_opens_at_random() {
    let game = game("shako");
    let style = Style { nodes: 20, opening: 8, seed: 5 };
    let mut player = Player::new(Arc::new(Evaluator::new(Arc::clone(&game))), style).expect("four megabytes");
    let start = rules::Board::new(Arc::clone(&game));
    assert_eq!(player.play_from(start, 3), player.play(3).expect("a start"), "without setups there is only one start");
    let other = "c8c/ernb1kbnre/pppppppppp/10/10/10/10/PPPPPPPPPP/ERNB1KBNRE/C8C w - - 0 1";
    let board = rules::read_board(&game, other).expect("both sides without the Queen");
    let played = player.play_from(board, 3);
    assert_eq!(played.start, other);
    assert!(played.moves[..8].iter().all(|(_, score)| score.is_none()) && played.moves[8].1.is_some());
}

#[test]
fn a_game_depends_only_on_its_number_and_seed() {
    let game = game("metamachy");
    let all = play(&game, 20, 7, 0..6);
    assert_eq!(play(&game, 20, 7, 4..6), all[4..], "whatever was played before");
    assert!(play(&game, 20, 8, 0..6).iter().zip(&all).all(|(other, one)| other.moves != one.moves));
    let starts: HashSet<&str> = all.iter().map(|played| played.start.as_str()).collect();
    assert!(starts.len() > 1, "openings from all setups");
}

#[test]
fn a_proven_result_is_confirmed_by_playing_on() {
    let mut proven = 0;
    for id in ["magi", "chess"] {
        let points = [("scoring".to_string(), "four_points".to_string())];
        let options = if id == "magi" { &points[..] } else { &[] };
        let game = Arc::new(Game::shipped(id, options).unwrap_or_else(|faults| panic!("{}", faults[0])));
        for played in play(&game, 200, 3, 0..40).into_iter().filter(|played| played.ending == Ending::Proven) {
            proven += 1;
            let last = played.replay(&game, |_, _, _| ()).expect("legal moves");
            let (white, black) = played.half_points;
            assert_eq!(white + black, if id == "magi" { 8 } else { 2 });
            // The winner mates, or reaches its three points, when the game is played on with far more nodes.
            let mut engine = engine::Engine::new(Arc::clone(&game), 1, 16).expect("memory");
            let limits = engine::Limits { nodes: Some(20_000), ..engine::Limits::default() };
            let mut board = last;
            let outcome = loop {
                if let Some(outcome) = board.outcome(true) {
                    break outcome;
                }
                let watch = engine::Engine::watch(engine::TimeLimit::default(), false);
                let turn = engine.search(&board, &limits, &watch, &mut |_| {}).turn;
                turn.into_iter().for_each(|mv| board.push(mv));
            };
            assert_eq!(outcome.half_points, played.half_points, "{id}: {}", board.fen());
        }
    }
    assert!(proven >= 10, "{proven} games");
}

#[test]
fn hostile_bytes_are_refused_with_a_reason_and_never_panic() {
    let game = game("magi");
    let bytes = pack(&game, &play(&game, 10, 1, 0..2));
    for length in 0..bytes.len() {
        assert!(unpack(&game, &bytes[..length]).is_err(), "{length} bytes");
    }
    assert!(unpack(&game, &[&bytes[..], b"x"].concat()).expect_err("longer").contains("too many"));
    let mut random = 1;
    for _ in 0..20_000 {
        let mut changed = bytes.clone();
        for _ in 0..3 {
            random = mix(random);
            let at = random as usize % changed.len();
            changed[at] = (random >> 32) as u8;
        }
        if let Ok(games) = unpack(&game, &changed) {
            for played in games {
                let _ = played.replay(&game, |_, _, _| ());
            }
        }
    }
    let other = pack(
        &game,
        &[Played {
            start: "nonsense".into(),
            moves: Vec::new(),
            half_points: (0, 2),
            ending: Ending::Rules(Reason::Checkmate),
        }],
    );
    let games = unpack(&game, &other).expect("starts are read when they are replayed");
    assert!(games[0].replay(&game, |_, _, _| ()).err().expect("no position").contains("nonsense"));
    assert_eq!(games[0].share(), 0.0);
}

fn trainer(games: &[Played], neurons: usize, added: bool, recipe: Recipe, threads: usize) -> Trainer {
    let game = game("magi");
    let features = Evaluator::with_weights(Arc::clone(&game), Weights::of_game(&game));
    let mut samples = Samples::new(Arc::new(features), neurons, added, 0.8).expect("few inputs");
    samples.add(games).expect("games of this game");
    let once = samples.counts();
    samples.add(games).expect("games of this game");
    assert_eq!(samples.counts(), once, "positions that were seen before are left out");
    Trainer::new(samples, recipe, threads)
}

#[test]
fn training_lowers_the_loss_and_neither_threads_nor_interruptions_change_the_result() {
    let games = play(&game("magi"), 15, 1, 0..100);
    for added in [false, true] {
        let recipe = Recipe { epochs: 30, rates: (5e-3, 1e-4), decay: 0.1, ..Recipe::default() };
        let mut whole = trainer(&games, 32, added, recipe, 1);
        let before = whole.advance();
        let mut after = before;
        while whole.step() < whole.steps() {
            after = whole.advance();
        }
        assert!(after < 0.9 * before, "{after} and before {before}");
        let mut first = trainer(&games, 32, added, recipe, 3);
        for _ in 0..whole.steps() / 2 {
            first.advance();
        }
        let checkpoint = first.checkpoint();
        let mut second = trainer(&games, 32, added, recipe, 2);
        second.restore(&checkpoint).expect("its own");
        while second.step() < second.steps() {
            second.advance();
        }
        assert_eq!(second.checkpoint(), whole.checkpoint());
        assert!(
            second.restore(&checkpoint[..checkpoint.len() - 1]).expect_err("cut short").contains("not a checkpoint")
        );
        assert!(second.restore(&[b"x", &checkpoint[1..]].concat()).is_err());
        let bytes = whole.network("thirty epochs".into(), "a loss".into());
        let network = Network::read(&bytes, &game("magi")).expect("a network of the game");
        assert_eq!((network.card().added, network.card().recipe.as_str()), (added, "thirty epochs"));
        let mut next = trainer(&games, 32, added, recipe, 1);
        next.start_from(&network);
        let bytes = next.network("no epoch".into(), "a loss".into());
        let same = Network::read(&bytes, &game("magi")).expect("a network of the game");
        assert!(same.parameters().eq(network.parameters()), "it starts as it was");
        let mut wider = trainer(&games, 96, added, recipe, 1);
        wider.start_from(&network);
        let (narrow, wide) = (next.loss(), wider.loss());
        assert!((narrow - wide).abs() < 1e-6, "more neurons begin as nothing: {wide}, not {narrow}");
        let bytes = wider.network("no epoch".into(), "a loss".into());
        assert_eq!(Network::read(&bytes, &game("magi")).expect("a network of the game").shape().neurons(), 96);
        let first = next.advance();
        assert!(first < 1.01 * after, "{first}, and {after} at the end of the training before");
        while next.step() < next.steps() {
            after = next.advance();
        }
        assert!(after < first, "{after} and before {first}");
    }
}

#[test]
fn tuning_recovers_from_halved_weights() {
    let game = game("magi");
    let games = play(&game, 15, 1, 0..120);
    let tuner = |threads| {
        let mut worse = Weights::of_game(&game);
        for index in 0..worse.len() {
            worse.set(index, Tapered::new(worse.at(index).middle / 2, worse.at(index).end / 2));
        }
        let mut tuner = Tuner::new(Arc::new(Evaluator::with_weights(Arc::clone(&game), worse)), 0.0, threads);
        tuner.add(&games).expect("games of this game");
        (0..40).for_each(|_| tuner.advance());
        tuner
    };
    let (one, three) = (tuner(1), tuner(3));
    assert_eq!(one.weights(), three.weights(), "threads change no number");
    let (text, best) = one.weights();
    let mut again = Tuner::new(
        Arc::new(Evaluator::with_weights(Arc::clone(&game), Weights::read(&text, &game).expect("as written"))),
        0.0,
        1,
    );
    again.add(&games).expect("games of this game");
    // Not the same loss: the weights are rounded, and the classes of pieces and the phase of the game follow from them.
    assert!((again.loss() / best - 1.0).abs() < 0.05, "the weights written are the best: {} and {best}", again.loss());
    let mut shipped = Tuner::new(Arc::new(Evaluator::with_weights(Arc::clone(&game), Weights::of_game(&game))), 0.0, 1);
    shipped.add(&games).expect("games of this game");
    assert!(best < 1.1 * shipped.loss(), "{best}, with the weights that ship {}", shipped.loss());
}

#[test]
fn a_board_full_of_one_piece_type_is_counted() {
    let ranks = ["15k", "16"].into_iter().chain(["PPPPPPPPPPPPPPPP"; 13]).chain(["KPPPPPPPPPPPPPPP"]);
    let start = ranks.collect::<Vec<_>>().join("/");
    let text = format!(
        "[game]\nid = \"full\"\nboard = \"16x16\"\nstart = \"{start}\"\n\
         [pieces.K]\nroyal = true\nmove = \"K\"\n[pieces.P]\nmove = \"fW\"\n"
    );
    let game = Game::load(&text, "full.toml", &[]).unwrap_or_else(|faults| panic!("{}", faults[0]));
    let board = rules::Board::new(Arc::new(game));
    assert_eq!(lab::material::difference(board.game(), board.position()), [0, 13 * 16 + 15]);
}

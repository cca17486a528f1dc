//! Checks the evaluation against a computation from scratch, against its mirror image, and as a sum of features.

use engine::Card;
use engine::evaluation::{Evaluator, PieceTypeFeature, Sums, Tally, Tapered, UNIT, Weights};
use engine::network::{FULL, Network, Shape};
use judge::{Random, sample};
use rules::{Board, Game, PieceType, read_board, shipped};
use std::sync::Arc;

/// A network of pseudo-random parameters.
fn random_network(game: &Game, added: bool, random: &mut Random) -> Network {
    let shape = Shape::of(game, *random.pick(&Shape::NEURONS));
    let numbers = (0..shape.numbers()).map(|_| random.below(101) as i16 - 50);
    let weights = added.then(|| Weights::of_game(game).write(&game.definition));
    let bytes = Network::write(game, shape, weights.as_deref(), String::new(), String::new(), numbers);
    Network::read(&bytes, game).expect("as written")
}

/// Boards along a random game of every shipped game, with a feature evaluator and one with a network.
fn boards(moves: usize, mut visit: impl FnMut(&Evaluator, &Board, &mut Random)) {
    let mut random = Random::new(17);
    for (id, added) in shipped().flat_map(|id| [(id, None), (id, Some(false)), (id, Some(true))]) {
        let game = Arc::new(Game::shipped(id, &[]).unwrap_or_else(|faults| panic!("{}", faults[0])));
        let mut evaluator = Evaluator::with_weights(Arc::clone(&game), Weights::of_game(&game));
        if let Some(added) = added {
            let network = random_network(&game, added, &mut random);
            evaluator = Evaluator::with_network(Arc::clone(&game), network).expect("weights as written");
        }
        let mut board = Board::new(game);
        for _ in 0..moves {
            if board.outcome(false).is_some() {
                break;
            }
            visit(&evaluator, &board, &mut random);
            board.push(*random.pick(&board.legal_moves()));
        }
    }
}

#[test]
fn incremental_sums_equal_sums_from_scratch() {
    let mut saved: Option<(usize, Sums)> = None;
    boards(sample(40, 150), |evaluator, board, _| {
        let position = board.position();
        for mv in board.legal_moves() {
            let mut next = position.clone();
            let undo = next.make(&board.game().rules, mv);
            let after = evaluator.sums_after(&evaluator.sums(position), &next, undo.effect());
            assert_eq!(after, evaluator.sums(&next), "{} {mv:?}", board.fen());
        }
        saved = Some((board.stack_len(), evaluator.sums(position)));
    });
    assert!(saved.is_some());
}

#[test]
fn a_mirrored_position_has_the_same_score() {
    boards(60, |evaluator, board, _| {
        let (position, rules) = (board.position(), &board.game().rules);
        let mirrored = position.mirrored(rules);
        let score = evaluator.evaluate(position, &evaluator.sums(position));
        let other = evaluator.evaluate(&mirrored, &evaluator.sums(&mirrored));
        assert!((score - other).abs() <= 1, "{}: {score} and mirrored {other}", board.fen());
    });
}

struct Counts(Vec<i32>);

impl Tally for Counts {
    fn add(&mut self, feature: usize, count: i32) {
        self.0[feature] += count;
    }
}

#[test]
fn the_evaluation_is_the_sum_of_its_features() {
    boards(60, |evaluator, board, _| {
        if evaluator.network().is_some() {
            return;
        }
        let position = board.position();
        let mut counts = Counts(vec![0; evaluator.weights().len()]);
        evaluator.all_features(position, &mut counts);
        let mut sum = Tapered::default();
        for (feature, count) in counts.0.iter().enumerate() {
            sum += evaluator.weights().at(feature).times(*count);
        }
        let phase = f64::from(evaluator.phase(&evaluator.sums(position))) / 1000.0;
        let white = (f64::from(sum.middle) * phase + f64::from(sum.end) * (1.0 - phase)) / f64::from(UNIT);
        let score = evaluator.evaluate(position, &evaluator.sums(position));
        let score = if board.turn() == rules::Color::White { score } else { -score };
        assert!((white - f64::from(score)).abs() < 30.0, "{}: {white} and {score}", board.fen());
    });
}

/// Every piece that stands nearer to the enemy's only Chieftain counts for a side that is far ahead.
#[test]
fn a_side_far_ahead_scores_for_approaching_the_last_chieftain() {
    let game = Arc::new(Game::shipped("chieftain", &[]).expect("a shipped game"));
    let evaluator = Evaluator::with_weights(Arc::clone(&game), Weights::estimate(&game));
    let pursuit = |fen: &str| {
        let mut counts = Counts(vec![0; evaluator.weights().len()]);
        evaluator.all_features(read_board(&game, fen).expect(fen).position(), &mut counts);
        (0..game.rules.piece_types as u8)
            .map(|kind| counts.0[Weights::of_type(PieceType(kind), PieceTypeFeature::Pursuit)])
            .sum::<i32>()
    };
    let [far, near] = ["16/16/7c8/16/16/16/16/16/16/16/CHHH12/16", "16/16/7c8/16/16/CHHH12/16/16/16/16/16/16"]
        .map(|pieces| pursuit(&format!("{pieces} w - - 0 1")));
    assert!(0 < far && far < near, "{far}, {near}");
    let black = pursuit("16/chhh12/16/16/16/16/16/16/16/7C8/16/16 w - - 0 1");
    assert_eq!(black, -far, "the same for Black");
    assert_eq!(pursuit("16/16/7c8/16/16/16/16/16/16/16/CH14/16 w - - 0 1"), 0, "a small lead");
}

#[test]
fn an_added_network_adds_its_score_to_the_features() {
    let mut random = Random::new(5);
    let game = Arc::new(Game::shipped("metamachy", &[]).expect("a shipped game"));
    let features = Evaluator::with_weights(Arc::clone(&game), Weights::of_game(&game));
    let [added, instead] = [true, false].map(|added| {
        let network = random_network(&game, added, &mut Random::new(9));
        Evaluator::with_network(Arc::clone(&game), network).expect("weights as written")
    });
    let mut board = Board::new(game);
    for _ in 0..100 {
        let position = board.position();
        let [sum, features, instead] =
            [&added, &features, &instead].map(|evaluator| evaluator.evaluate(position, &evaluator.sums(position)));
        assert_eq!(sum, features + instead, "{}", board.fen());
        assert!(instead != 0, "the network has a say");
        let moves = board.legal_moves();
        if moves.is_empty() {
            break;
        }
        board.push(moves[random.below(moves.len())]);
    }
}

#[test]
fn weights_read_back_as_written() {
    for id in shipped() {
        let game = Game::shipped(id, &[]).unwrap_or_else(|faults| panic!("{}", faults[0]));
        let weights = Weights::of_game(&game);
        assert_eq!(Weights::read(&weights.write(&game.definition), &game), Ok(weights));
    }
}

#[test]
fn tuned_weights_fit_their_games() {
    for path in std::fs::read_dir("weights").expect("a folder").flatten().map(|entry| entry.path()) {
        let id = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        let game = Game::shipped(id, &[]).unwrap_or_else(|faults| panic!("{}", faults[0]));
        let text = std::fs::read_to_string(&path).expect("a text");
        assert!(Weights::read(&text, &game).is_ok_and(|weights| weights != Weights::estimate(&game)), "{id}");
    }
}

#[test]
fn faulty_weights_are_reported_with_their_line() {
    let game = Game::shipped("chess", &[]).unwrap_or_else(|faults| panic!("{}", faults[0]));
    let good = "kind Q value 14000 15000\nside passed.2 10 20\n";
    assert!(Weights::read(good, &game).is_ok());
    for bad in
        ["kind Q value 1", "kind X value 1 2", "side passed.99 1 2", "kind Q value 1 2000001", "\u{1F600}", "a b c d e"]
    {
        let error = Weights::read(&format!("{good}{bad}"), &game).expect_err(bad);
        assert!(error.starts_with("weights, line 3: expected"), "{error}");
    }
}

#[test]
fn networks_read_back_as_written_and_faulty_ones_are_refused() {
    let game = Game::shipped("magi", &[]).expect("a shipped game");
    let shape = Shape::of(&game, 64);
    let numbers = (0..shape.numbers()).map(|number| number as i16);
    let bytes =
        Network::write(&game, shape, Some("kind Q value 1 2\n"), "ten\ngames".into(), "loss 0.1".into(), numbers);
    let network = Network::read(&bytes, &game).expect("as written");
    assert_eq!(network.weights(), Some("kind Q value 1 2\n"));
    let card = network.card().clone();
    let Card { game: id, added, recipe, log, .. } = &card;
    assert_eq!((id.as_str(), *added, recipe.as_str(), log.as_str()), ("magi", true, "ten games", "loss 0.1"));
    for options in
        game.definition.options.iter().flat_map(|option| option.values.iter().map(move |value| (option, value)))
    {
        let choice = [(options.0.name.clone(), options.1.clone())];
        let other = Game::shipped("magi", &choice).unwrap_or_else(|faults| panic!("{}", faults[0]));
        assert!(Network::read(&bytes, &other).is_ok(), "options of the game use its network: {choice:?}");
    }
    let fault = |bytes: &[u8]| Network::read(bytes, &game).err().expect("a fault");
    assert!(fault(&bytes[..bytes.len() - 1]).contains("bytes after the header"));
    assert!(fault(b"something else").contains("a file that begins with"));
    assert!(fault(b"").contains("a file that begins with"));
    let replaced = |old: &str, new: &str| {
        let at = bytes.windows(old.len()).position(|part| part == old.as_bytes()).expect("in the header");
        [&bytes[..at], new.as_bytes(), &bytes[at + old.len()..]].concat()
    };
    assert!(fault(&replaced("game: magi", "game: mega")).contains("plays \"mega\", not \"magi\""));
    assert!(fault(&replaced(&format!("{:016x}", card.rules), "00000000000000ff")).contains("other rules of magi"));
    assert!(fault(&replaced("4 buckets", "5 buckets")).contains("5 buckets; expected"));
    assert!(fault(&replaced("64 neurons", "65 neurons")).contains("may be [32, 64, 96, 128]"));
    assert!(fault(&replaced("64 neurons", "96 neurons")).contains("bytes after the header"));
    assert!(fault(&replaced("17 bytes", "17171717 bytes")).contains("a text of weights"));
    assert!(fault(&replaced("17 bytes", "many bytes")).contains("a text of weights"));
    assert!(fault(&replaced("added to", "taken off")).contains("expected \"added to"));
    assert!(fault(&replaced("\n\n", "\n \n")).contains("a file that begins with"));
}

#[test]
fn the_largest_sums_of_a_network_do_not_overflow() {
    let game = Arc::new(Game::shipped("magi", &[]).expect("a shipped game"));
    let shape = Shape::of(&game, *Shape::NEURONS.last().expect("numbers"));
    let inputs = shape.inputs() * shape.neurons();
    // Every neuron is full on every board, and every output weight as large as a neuron's 16 bits allow.
    for weight in [127, -128] {
        let number = |at| {
            if at < inputs {
                0
            } else if at < inputs + shape.neurons() {
                FULL
            } else {
                weight
            }
        };
        let bytes = Network::write(&game, shape, None, String::new(), String::new(), (0..shape.numbers()).map(number));
        let network = Network::read(&bytes, &game).expect("as written");
        let evaluator = Evaluator::with_network(Arc::clone(&game), network).expect("no weights");
        let board = Board::new(Arc::clone(&game));
        let score = evaluator.evaluate(board.position(), &evaluator.sums(board.position()));
        assert_eq!(score.signum(), i32::from(weight.signum()), "{score}");
    }
}

#[test]
fn shipped_networks_match_their_games() {
    for (id, bytes) in Network::shipped() {
        let game = Game::shipped(id, &[]).unwrap_or_else(|faults| panic!("{}", faults[0]));
        Network::read(bytes, &game).unwrap_or_else(|fault| panic!("{id}: {fault}"));
    }
}

//! Plays two players of this process against each other, in pairs of games with colours reversed:
//! `cargo run --release -p acedrex-engine --example duel -- GAME FIRST SECOND [--games 100] [--nodes N | --time MS]
//! [--seed 1] [--opening 6]`.

mod players;

use players::{Budget, Player, player};
use rules::{Board, Color, Game, mix, read_board};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// Turns of one side after which a game is drawn.
const LONGEST: u32 = 250;

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [serve, id] = words.as_slice()
        && serve == "serve"
    {
        return players::serve(&Arc::new(Game::shipped(id, &[]).map_err(|faults| faults[0].to_string())?));
    }
    let [id, first, second, rest @ ..] = words.as_slice() else { return Err("GAME FIRST SECOND".into()) };
    let (mut games, mut budget, mut seed, mut opening) = (100u64, Budget::Nodes(2_000), 1u64, 6u64);
    for pair in rest.chunks(2) {
        let number = pair.get(1).and_then(|word| word.parse().ok()).ok_or(format!("{} needs a number", pair[0]))?;
        match pair[0].as_str() {
            "--games" => games = number,
            "--nodes" => budget = Budget::Nodes(number),
            "--time" => budget = Budget::Time(Duration::from_millis(number)),
            "--seed" => seed = number,
            "--opening" => opening = number,
            name => return Err(format!("{name}: expected --games, --nodes, --time, --seed or --opening")),
        }
    }
    let game = Arc::new(Game::shipped(id, &[]).map_err(|faults| faults[0].to_string())?);
    let mut players = [player(first, &game)?, player(second, &game)?];
    let mut pairs: Vec<f64> = Vec::new();
    let mut counts = [0u32; 3];
    let mut reasons = BTreeMap::new();
    for number in 0..games.div_ceil(2) {
        let start = start(&game, mix(seed << 32 ^ number), opening);
        let mut points = 0.0;
        for swapped in [false, true] {
            players
                .iter_mut()
                .enumerate()
                .for_each(|(at, player)| player.renew(mix(number << 8 ^ at as u64 ^ seed << 40)));
            let (white, reason) = play(&start, &mut players, swapped, budget);
            *reasons.entry(reason).or_insert(0u32) += 1;
            let score = if swapped { 1.0 - white } else { white };
            counts[if score > 0.5 {
                0
            } else if score < 0.5 {
                2
            } else {
                1
            }] += 1;
            points += score;
        }
        pairs.push(points / 2.0);
        if (number + 1) % 5 == 0 || number + 1 == games.div_ceil(2) {
            println!("{} games: {} {reasons:?}", 2 * (number + 1), summary(&pairs, counts));
        }
    }
    Ok(())
}

/// Returns a random setup and some random turns.
fn start(game: &Arc<Game>, seed: u64, opening: u64) -> Board {
    let mut random = seed;
    let mut below = |below: u64| {
        random = mix(random);
        random % below
    };
    loop {
        let mut board = Board::new(Arc::clone(game));
        if game.setups().count() > 0 {
            let name = game.setups().name(1 + below(game.setups().count())).expect("numbered");
            board = read_board(game, &game.setups().fen(&game.definition, &name).expect("a setup")).expect("a setup");
        }
        let mut turns = 0;
        while turns < opening && board.outcome(false).is_none() {
            let (moves, turn) = (board.legal_moves(), board.turn());
            board.push(moves[below(moves.len() as u64) as usize]);
            turns += u64::from(board.turn() != turn);
        }
        if board.outcome(false).is_none() {
            return board;
        }
    }
}

/// White's share of the points, and how the game ended.
fn play(start: &Board, players: &mut [Box<dyn Player>; 2], swapped: bool, budget: Budget) -> (f64, &'static str) {
    let mut board = start.clone();
    loop {
        if let Some(outcome) = board.outcome(true) {
            let (white, black) = outcome.half_points;
            return (f64::from(white) / f64::from(white + black), outcome.reason.name());
        }
        if board.position().state().fullmove > LONGEST {
            return (0.5, "too_long");
        }
        let first = (board.turn() == Color::White) != swapped;
        for mv in players[usize::from(!first)].turn(&board, budget) {
            board.push(mv);
        }
    }
}

/// The first player's score with 95 % confidence bounds, estimated from the pairs.
fn summary(pairs: &[f64], counts: [u32; 3]) -> String {
    let count = pairs.len() as f64;
    let mean = pairs.iter().sum::<f64>() / count;
    let variance = pairs.iter().map(|pair| (pair - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    let error = 1.96 * (variance / count).sqrt();
    let elo = |score: f64| {
        let score = score.clamp(0.001, 0.999);
        -400.0 * (1.0 / score - 1.0).log10()
    };
    format!(
        "+{} ={} -{}, {:.1} % ± {:.1}, Elo {:+.0} [{:+.0}, {:+.0}]",
        counts[0],
        counts[1],
        counts[2],
        100.0 * mean,
        100.0 * error,
        elo(mean),
        elo(mean - error),
        elo(mean + error)
    )
}

//! `cargo run --release -p acedrex-judge --example sweep -- GAME PLIES [SEED]`: checks `PLIES` moves of random play and
//! prints how the games ended.

use judge::{play_seed, sweep};
use rules::Game;
use std::collections::BTreeMap;
use std::sync::Arc;

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().collect();
    let [_, spec, moves, rest @ ..] = &words[..] else { return Err("expected GAME MOVES [SEED]".into()) };
    let moves: u64 = moves.parse().map_err(|_| format!("{moves}: expected a number"))?;
    let seed: u64 = rest.first().map_or(Ok(1), |seed| seed.parse()).map_err(|_| "expected a seed".to_string())?;
    let (id, options) = spec.split_once(':').unwrap_or((spec, ""));
    let choices: Vec<(String, String)> = options
        .split(',')
        .filter_map(|part| part.split_once('=').map(|(name, value)| (name.to_string(), value.to_string())))
        .collect();
    let game = Game::shipped(id, &choices).map_err(|faults| format!("{faults:?}"))?;
    let game = Arc::new(game);
    let start = std::time::Instant::now();
    let mut ends: BTreeMap<String, u64> = BTreeMap::new();
    let mut judged = 0;
    if game.rules.has_check() && !game.rules.multi {
        judged = sweep(&game, seed, moves, &mut |_, reason| *ends.entry(reason.to_string()).or_default() += 1)?;
    } else {
        let mut round = seed;
        while judged < moves {
            let played = play_seed(&game, round, (moves - judged).min(3000) as usize)?;
            judged += played.moves;
            round += 1;
            *ends.entry(if played.ended { "ended" } else { "cut off" }.to_string()).or_default() += 1;
        }
    }
    println!("{spec}: {judged} moves judged in {:.0?}, no fault; games: {ends:?}", start.elapsed());
    Ok(())
}

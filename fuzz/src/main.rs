//! Fuzz targets on the stable toolchain. `cargo run --release -p fuzz -- TARGET --seconds 60` runs one; `all` runs each
//! in turn.
//!
//! Every round has its own seed; a failure prints it, and `--seed N --rounds 1` repeats that round.

mod targets;

use std::process::ExitCode;
use std::time::{Duration, Instant};
use targets::{TARGETS, Target};

struct Arguments {
    target: String,
    seconds: u64,
    rounds: u64,
    seed: u64,
}

fn arguments() -> Result<Arguments, String> {
    let mut arguments = Arguments { target: "all".into(), seconds: 60, rounds: u64::MAX, seed: 1 };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || {
            let value = words.next().ok_or_else(|| format!("{word} needs a number"))?;
            value.parse::<u64>().map_err(|_| format!("{word} {value}: expected a number"))
        };
        match word.as_str() {
            "--seconds" => arguments.seconds = number()?,
            "--rounds" => arguments.rounds = number()?,
            "--seed" => arguments.seed = number()?,
            name if name == "all" || TARGETS.iter().any(|target| target.name == name) => arguments.target = name.into(),
            other => {
                let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
                return Err(format!(
                    "{other}: expected all, {}, --seconds N, --rounds N or --seed N",
                    names.join(", ")
                ));
            }
        }
    }
    Ok(arguments)
}

fn run(target: &Target, arguments: &Arguments, seconds: u64) -> Result<(), String> {
    let start = Instant::now();
    let mut last_report = start;
    let mut rounds = 0;
    while rounds < arguments.rounds && start.elapsed() < Duration::from_secs(seconds) {
        let seed = arguments.seed + rounds;
        let before = Instant::now();
        (target.round)(seed).map_err(|message| format!("{}, seed {seed}: {message}", target.name))?;
        if target.is_quick && before.elapsed() > Duration::from_secs(1) {
            return Err(format!("{}, seed {seed}: took {:?}", target.name, before.elapsed()));
        }
        rounds += 1;
        if last_report.elapsed() > Duration::from_secs(10) {
            last_report = Instant::now();
            println!("{}: {rounds} rounds in {:.0?}", target.name, start.elapsed());
        }
    }
    println!("{}: {rounds} rounds, no fault", target.name);
    Ok(())
}

fn main() -> ExitCode {
    let result = arguments().and_then(|arguments| {
        let chosen: Vec<&Target> =
            TARGETS.iter().filter(|target| arguments.target == "all" || target.name == arguments.target).collect();
        let seconds = (arguments.seconds / chosen.len() as u64).max(1);
        chosen.into_iter().try_for_each(|target| run(target, &arguments, seconds))
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

//! The fuzz targets: each round makes a text or a game from its seed.

use judge::{Random, play_seed, random_definition, sweep};
use record::{Reader, Record, Step, start_of};
use rules::{Board, Game, read_board, shipped, shipped_source};
use std::sync::{Arc, LazyLock};

/// A fuzz target.
pub struct Target {
    /// Its name on the command line.
    pub name: &'static str,
    /// Whether a round must take less than a second.
    pub is_quick: bool,
    /// One round.
    pub round: fn(u64) -> Result<(), String>,
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target { name: "legality", is_quick: false, round: legality },
    Target { name: "sweep", is_quick: false, round: sweep_games },
    Target { name: "definitions", is_quick: false, round: definitions },
    Target { name: "definition-text", is_quick: true, round: definition_text },
    Target { name: "fen", is_quick: true, round: fen },
    Target { name: "san", is_quick: true, round: san },
    Target { name: "pgn", is_quick: true, round: pgn },
];

static GAMES: LazyLock<Vec<Arc<Game>>> = LazyLock::new(|| {
    shipped().map(|id| Arc::new(Game::shipped(id, &[]).unwrap_or_else(|_| panic!("{id} does not load")))).collect()
});

/// Random play of a shipped game with random options, checked by brute force.
fn legality(seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let base = Arc::clone(random.pick(&GAMES));
    let options = &base.definition.options;
    let choices: Vec<(String, String)> =
        options.iter().map(|option| (option.name.clone(), random.pick(&option.values).clone())).collect();
    let id = &base.definition.texts.id;
    let game = Game::shipped(id, &choices).map_err(|faults| format!("{id} {choices:?}: {faults:?}"))?;
    play_seed(&Arc::new(game), seed, 120).map(drop).map_err(|message| format!("{id} {choices:?}: {message}"))
}

/// Long random play of a game with check; legality is checked by making each move.
fn sweep_games(seed: u64) -> Result<(), String> {
    let games: Vec<&Arc<Game>> = GAMES.iter().filter(|game| game.rules.has_check() && !game.rules.multi).collect();
    let game = games[seed as usize % games.len()];
    sweep(game, seed, 5000, &mut |_, _| ())
        .map(drop)
        .map_err(|message| format!("{}: {message}", game.definition.texts.id))
}

/// Random play of a random definition, checked by brute force.
fn definitions(seed: u64) -> Result<(), String> {
    let text = random_definition(seed);
    match Game::load(&text, "random.toml", &[]) {
        Ok(game) => play_seed(&Arc::new(game), seed, 40).map(drop).map_err(|message| format!("{message}\n{text}")),
        Err(_) => Ok(()),
    }
}

/// Mutates a text: cuts, doubles, swaps and overwrites parts of it.
fn mutate(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..random.range(1, 6) {
        let length = bytes.len().max(1);
        let (from, to) = (random.below(length), random.below(length));
        let (low, high) = (from.min(to), from.max(to).min(from.min(to) + 40));
        match random.below(6) {
            0 => drop(bytes.drain(low..high.min(bytes.len()))),
            1 => {
                let piece = bytes[low..high.min(bytes.len())].to_vec();
                let at = random.below(bytes.len() + 1);
                bytes.splice(at..at, piece);
            }
            2 if !bytes.is_empty() => bytes[low] = *random.pick(b"0123456789[]{}=\"'-?.,abcfKQRBNWFDmcnpyi \n\x00\xff"),
            3 if !bytes.is_empty() => bytes[low] ^= 1 << random.below(8),
            4 => {
                let number = random.pick(&["0", "16", "17", "99999999999999999999", "-1", "1e9", "\"\"", "[[", "nan"]);
                bytes.splice(low..low, number.bytes());
            }
            _ => bytes.truncate(bytes.len() - random.below(bytes.len() / 8 + 1)),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A mutated definition: it loads or is refused with the place of each fault, and never takes long.
fn definition_text(seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let ids: Vec<&str> = shipped().collect();
    let text = match random.below(2) {
        // No other text may use the id of a shipped game.
        0 => shipped_source(ids[random.below(ids.len())]).expect("shipped").replacen("id = \"", "id = \"spoilt-", 1),
        _ => random_definition(random.number()),
    };
    let text = mutate(&text, &mut random);
    match Game::load(&text, "spoilt.toml", &[]) {
        Ok(game) => drop(Board::new(Arc::new(game)).legal_moves()),
        Err(faults) if faults.is_empty() => return Err("refused without a fault".into()),
        Err(faults) => {
            if let Some(fault) = faults.iter().find(|fault| fault.line == 0 || fault.message.is_empty()) {
                return Err(format!("a fault without place or message: {fault:?}"));
            }
        }
    }
    Ok(())
}

/// Returns the board of a random game after some random moves.
fn random_board(random: &mut Random) -> Board {
    let mut board = Board::new(Arc::clone(random.pick(&GAMES)));
    for _ in 0..random.below(60) {
        let moves = board.legal_moves();
        if moves.is_empty() {
            break;
        }
        board.push(*random.pick(&moves));
    }
    board
}

/// A mutated FEN: an accepted one writes and reads the same and can be played on.
fn fen(seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let board = random_board(&mut random);
    let text = mutate(&board.fen(), &mut random);
    let Ok(mut read) = read_board(board.game(), &text) else { return Ok(()) };
    let again = read_board(board.game(), &read.fen()).map_err(|error| format!("{text}: {error}"))?;
    if again.position() != read.position() {
        return Err(format!("{text} reads as {}, which reads as {}", read.fen(), again.fen()));
    }
    for _ in 0..3 {
        let moves = read.legal_moves();
        if moves.is_empty() {
            break;
        }
        read.push(*random.pick(&moves));
        read.outcome(true);
    }
    Ok(())
}

/// Mutated notation: reads as a legal move or turn, or is refused with the board unchanged.
fn san(seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let mut board = random_board(&mut random);
    let moves = board.legal_moves();
    if moves.is_empty() {
        return Ok(());
    }
    let mv = *random.pick(&moves);
    let text = mutate(&if random.one_in(2) { board.san(mv) } else { board.move_text(mv) }, &mut random);
    if let Ok(read) = board.parse_san(&text)
        && !moves.contains(&read)
    {
        return Err(format!("{}: {text:?} reads as {read:?}, which is not legal", board.fen()));
    }
    let before = board.fen();
    if board.push_turn(&text).is_err() && board.fen() != before {
        return Err(format!("{before}: {text:?} changed the board"));
    }
    Ok(())
}

/// The pieces from which the `pgn` target makes its texts.
const PARTS: &[&str] = &[
    "1. ",
    "2. ",
    "e4 ",
    "e5 ",
    "Nf3 ",
    "Nc6 ",
    "O-O ",
    "(",
    ")",
    "{",
    "}",
    "; so\n",
    "\n",
    "\n\n",
    "$1 ",
    "{ [%clk 0:01:00] [%eval 0.3,9] }",
    "{ [%csl Ga1,Rb2][%cal Ge2e4] }",
    "[%eval #",
    "]",
    "!? ",
    "= ",
    "* ",
    "1-0 ",
    "1/2-1/2\n\n",
    "[Event \"a\"]\n",
    "[White \"b\"]\n",
    "[Variant \"maasai\"]\n",
    "[FEN \"8/8\"]\n",
    "e6, ",
    "é ",
    "% no\n",
    "\r",
    "\\",
    "\"",
    "]",
    "\u{feff}",
    "\0",
    "Zz9 ",
    "-- ",
];

/// Random PGN, which has the same records however it is cut into pieces, and the same bounds if its moves are skipped.
fn pgn(seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let length = random.range(1, 60);
    let text: String = (0..length).map(|_| *random.pick(PARTS)).collect();
    let bytes = if random.below(4) == 0 { mutate(&text, &mut random).into_bytes() } else { text.into_bytes() };
    let whole = read_records(std::iter::once(&bytes[..]), false);
    let size = random.range(1, 9);
    let pieces = read_records(bytes.chunks(size), false);
    let [told, others] = [&whole, &pieces].map(|records| records.iter().map(describe).collect::<Vec<_>>());
    if told != others {
        return Err(format!(
            "in pieces of {size} bytes: {others:?}, otherwise {told:?}: {:?}",
            String::from_utf8_lossy(&bytes)
        ));
    }
    for comment in whole.iter().flat_map(|record| record.turns.iter().map(|turn| &turn.comment)) {
        annotate(comment)?;
    }
    let skipped = read_records(bytes.chunks(size), true);
    let tags = |records: &[Record]| records.iter().map(|record| record.tags.clone()).collect::<Vec<_>>();
    if tags(&skipped) != tags(&whole) {
        return Err(format!("without moves: {:?}", String::from_utf8_lossy(&bytes)));
    }
    Ok(())
}

/// What is written into a comment can be read, and can be taken out of it again.
fn annotate(comment: &str) -> Result<(), String> {
    let timed = record::with_time(comment, "clk", Some(61.5))?;
    let score = record::Score::Mate(-3);
    let evaluated = record::with_evaluation(&timed, Some(record::Evaluation { score, depth: Some(9) }))?;
    let drawn = record::with_arrows(&evaluated, &record::arrows(comment))?;
    let is_read = record::time(&drawn, "clk") == Some(61.5)
        && record::evaluation(&drawn).is_some_and(|evaluation| evaluation.score == score)
        && record::arrows(&drawn).len() == record::arrows(comment).len();
    is_read.then_some(()).ok_or_else(|| format!("{comment:?} becomes {drawn:?}"))
}

fn describe(record: &Record) -> String {
    format!("{:?} {:?} {} {:?} {:?}", record.tags, record.result, record.comment, record.turns, record.sans())
}

fn read_records<'a>(pieces: impl Iterator<Item = &'a [u8]>, tags_only: bool) -> Vec<Record> {
    let (mut reader, mut pieces, mut found) = (Reader::new(), pieces, Vec::new());
    loop {
        match reader.step(tags_only) {
            Step::More => match pieces.next() {
                Some(piece) => reader.feed(piece),
                None => reader.end(),
            },
            Step::Start => {
                let named = reader.start_tags().iter().find(|(name, _)| name == "Variant");
                let id = named.map_or("chess", |(_, id)| id.as_str());
                let game = GAMES.iter().find(|game| game.definition.texts.id == id);
                let start = game.map(|game| start_of(game, reader.start_tags())).unwrap_or_default();
                reader.begin(start.board, &start.faults);
            }
            Step::Done => match reader.take() {
                Some(record) => found.push(record),
                None => return found,
            },
        }
    }
}

//! The players: the engine at some strength, and simple baselines.

use engine::evaluation::{Evaluator, Weights};
use engine::{Engine, Limits, TimeLimit};
use rules::{Board, Color, Game, Move, Position, mix, read_board};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The limit on a player's thinking per turn.
#[derive(Clone, Copy, Debug)]
pub enum Budget {
    Nodes(u64),
    Time(Duration),
}

/// A player of one game.
pub trait Player {
    /// Returns a whole turn.
    fn turn(&mut self, board: &Board, budget: Budget) -> Vec<Move>;
    /// Starts a new game.
    fn renew(&mut self, _seed: u64) {}
}

/// Creates a player by name: `engine`, `engine:estimate`, `level1` to `level9`, `random`, `greedy`, `beam`, `mcts`,
/// `build:PATH` for the engine of another build of this program.
pub fn player(name: &str, game: &Arc<Game>) -> Result<Box<dyn Player>, String> {
    let evaluator = || Arc::new(Evaluator::new(Arc::clone(game)));
    Ok(match name {
        "engine" => Box::new(Searcher { engine: Engine::new(Arc::clone(game), 1, 32).expect("a few megabytes") }),
        "engine:estimate" => {
            let evaluator = Evaluator::with_weights(Arc::clone(game), Weights::estimate(game));
            Box::new(Searcher { engine: Engine::with_evaluator(Arc::new(evaluator), 1, 32).expect("a few megabytes") })
        }
        name if name.starts_with("level") => {
            let level = name[5..].parse().map_err(|_| format!("{name}: expected level1 to level9"))?;
            Box::new(Leveled { engine: Engine::new(Arc::clone(game), 1, 8).expect("a few megabytes"), level, seed: 1 })
        }
        name if name.starts_with("build:") => Box::new(Build::start(&name[6..], game)?),
        "random" => Box::new(Dice { random: 1, greedy: None }),
        "greedy" => Box::new(Dice { random: 1, greedy: Some(evaluator()) }),
        "beam" => Box::new(Beam { evaluator: evaluator() }),
        "mcts" => Box::new(Mcts { evaluator: evaluator(), random: 1 }),
        _ => return Err(format!("{name}: expected engine, engine:estimate, random, greedy, beam or mcts")),
    })
}

struct Searcher {
    engine: Engine,
}

impl Player for Searcher {
    fn turn(&mut self, board: &Board, budget: Budget) -> Vec<Move> {
        let mut limits = Limits::default();
        let mut time = TimeLimit::default();
        match budget {
            Budget::Nodes(nodes) => limits.nodes = Some(nodes),
            Budget::Time(span) => time = TimeLimit::exactly(span),
        }
        self.engine.search(board, &limits, &Engine::watch(time, false), &mut |_| {}).turn
    }

    fn renew(&mut self, _: u64) {
        self.engine.clear();
    }
}

struct Leveled {
    engine: Engine,
    level: u8,
    seed: u64,
}

impl Player for Leveled {
    fn turn(&mut self, board: &Board, _: Budget) -> Vec<Move> {
        let watch = Engine::watch(TimeLimit::default(), false);
        self.engine.play_at_level(board, self.level, self.seed, &[], &watch).turn
    }

    fn renew(&mut self, seed: u64) {
        self.seed = seed;
        self.engine.clear();
    }
}

/// The engine of another build: the same program, run as [`serve`].
struct Build {
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl Build {
    fn start(path: &str, game: &Arc<Game>) -> Result<Build, String> {
        let mut command = Command::new(path);
        command.args(["serve", &game.definition.texts.id]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("{path}: {error}"))?;
        let answers = BufReader::new(child.stdout.take().expect("piped"));
        Ok(Build { child, answers })
    }

    fn send(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().expect("piped"), "{line}").expect("the other build listens");
    }
}

impl Player for Build {
    fn turn(&mut self, board: &Board, budget: Budget) -> Vec<Move> {
        let mut root = board.clone();
        while root.pop().is_some() {}
        let moves: Vec<String> = board.moves().map(|mv| board.move_text(mv)).collect();
        let budget = match budget {
            Budget::Nodes(nodes) => format!("nodes {nodes}"),
            Budget::Time(time) => format!("time {}", time.as_millis()),
        };
        self.send(&format!("{budget};{};{}", root.fen(), moves.join(" ")));
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("the other build answers");
        let mut after = board.clone();
        let read = |text: &str| after.push_text(text).unwrap_or_else(|error| panic!("{answer:?}: {error}"));
        answer.split_whitespace().map(read).collect()
    }

    fn renew(&mut self, _: u64) {
        self.send("new");
    }
}

impl Drop for Build {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Answers another build's requests until it has no more.
pub fn serve(game: &Arc<Game>) -> Result<(), String> {
    let mut engine = Searcher { engine: Engine::new(Arc::clone(game), 1, 32).expect("a few megabytes") };
    for line in std::io::stdin().lines() {
        let line = line.map_err(|error| error.to_string())?;
        if line == "new" {
            engine.renew(0);
            continue;
        }
        let wrong = || format!("{line:?}: expected BUDGET;FEN;MOVES");
        let [budget, fen, moves] = line.split(';').collect::<Vec<_>>()[..] else { return Err(wrong()) };
        let number = |text: &str| text.parse().map_err(|_| wrong());
        let budget = match budget.split_once(' ').ok_or_else(wrong)? {
            ("nodes", nodes) => Budget::Nodes(number(nodes)?),
            (_, time) => Budget::Time(Duration::from_millis(number(time)?)),
        };
        let mut board = read_board(game, fen).map_err(|error| error.to_string())?;
        for mv in moves.split_whitespace() {
            board.push_text(mv).map_err(|error| error.to_string())?;
        }
        let turn = engine.turn(&board, budget);
        let turn: Vec<String> = turn.into_iter().map(|mv| board.move_text(mv)).collect();
        println!("{}", turn.join(" "));
    }
    Ok(())
}

/// Plays at random, or the move with the best material afterwards, at random among equals.
struct Dice {
    random: u64,
    greedy: Option<Arc<Evaluator>>,
}

impl Dice {
    fn below(&mut self, below: usize) -> usize {
        self.random = mix(self.random);
        (self.random % below as u64) as usize
    }
}

impl Player for Dice {
    fn turn(&mut self, board: &Board, _: Budget) -> Vec<Move> {
        let mut board = board.clone();
        let us = board.turn();
        let mut turn = Vec::new();
        while board.turn() == us && board.outcome(false).is_none() {
            let moves = board.legal_moves();
            let mv = match self.greedy.clone() {
                None => moves[self.below(moves.len())],
                Some(evaluator) => {
                    let worth = |mv: &Move| material_after(&evaluator, board.position(), *mv);
                    let best = moves.iter().map(worth).max().expect("some");
                    let best: Vec<Move> = moves.iter().copied().filter(|mv| worth(mv) == best).collect();
                    best[self.below(best.len())]
                }
            };
            board.push(mv);
            turn.push(mv);
        }
        turn
    }

    fn renew(&mut self, seed: u64) {
        self.random = mix(seed);
    }
}

/// Material for the side that makes a move; an immediate win is best of all.
fn material_after(evaluator: &Evaluator, position: &Position, mv: Move) -> i32 {
    let rules = &evaluator.game().rules;
    let us = position.turn();
    let mut after = position.clone();
    after.make(rules, mv);
    if !rules.has_check() && after.royals(!us).is_empty() {
        return i32::MAX;
    }
    if after.turn() != us && !after.has_move(rules) && after.is_check(rules) {
        return i32::MAX;
    }
    after
        .occupied()
        .into_iter()
        .filter_map(|square| after.piece(square))
        .map(|piece| if piece.color() == us { evaluator.value(piece.kind()) } else { -evaluator.value(piece.kind()) })
        .sum()
}

/// Builds a turn move by move with a beam of the best 64 positions by evaluation, then compares the best turns after
/// the enemy's best single captures. Doubles the width while time allows and the beam left turns out.
struct Beam {
    evaluator: Arc<Evaluator>,
}

const BEAM: usize = 64;

impl Beam {
    fn worth(&self, position: &Position, us: Color) -> i32 {
        let rules = &self.evaluator.game().rules;
        if !rules.has_check() && position.royals(!us).is_empty() {
            return 30_000;
        }
        let score = self.evaluator.evaluate(position, &self.evaluator.sums(position));
        if position.turn() == us { score } else { -score }
    }

    /// The evaluation after the enemy has made its best captures greedily, one after another.
    fn after_captures(&self, position: &Position, us: Color) -> i32 {
        let rules = &self.evaluator.game().rules;
        let mut position = position.clone();
        let mut worst = self.worth(&position, us);
        let mut captures = Vec::new();
        while position.turn() != us {
            position.tactical_moves(rules, &mut captures);
            let after = |mv: &Move| {
                let mut after = position.clone();
                after.make(rules, *mv);
                if !rules.has_check() && after.royals(us).is_empty() { -30_000 } else { self.worth(&after, us) }
            };
            let Some((worth, mv)) = captures.iter().map(|mv| (after(mv), *mv)).min_by_key(|(worth, _)| *worth) else {
                break;
            };
            if worth >= worst {
                break;
            }
            worst = worth;
            position.make(rules, mv);
        }
        worst
    }

    /// Returns the best turn, and whether anything was left out.
    fn best_turn(&self, board: &Board, width: usize) -> (Vec<Move>, bool) {
        let rules = &self.evaluator.game().rules;
        let us = board.turn();
        let mut parts = vec![(0, board.position().clone(), Vec::new())];
        let mut done: Vec<(i32, Position, Vec<Move>)> = Vec::new();
        let mut moves = Vec::new();
        let mut is_cut = false;
        while !parts.is_empty() {
            let mut next = Vec::new();
            let mut seen = std::collections::HashSet::new();
            for (_, position, line) in &parts {
                position.legal_moves(rules, &mut moves);
                for mv in &moves {
                    let mut after: Position = position.clone();
                    after.make(rules, *mv);
                    if !seen.insert(after.key(rules)) {
                        continue;
                    }
                    let mut line: Vec<Move> = line.clone();
                    line.push(*mv);
                    let entry = (self.worth(&after, us), after, line);
                    if entry.1.turn() == us { next.push(entry) } else { done.push(entry) }
                }
            }
            next.sort_by_key(|entry| std::cmp::Reverse(entry.0));
            is_cut |= next.len() > width;
            next.truncate(width);
            parts = next;
        }
        done.sort_by_key(|entry| std::cmp::Reverse(entry.0));
        is_cut |= done.len() > 2 * width;
        done.truncate(2 * width);
        (done.into_iter().max_by_key(|entry| self.after_captures(&entry.1, us)).expect("a turn").2, is_cut)
    }
}

impl Player for Beam {
    fn turn(&mut self, board: &Board, budget: Budget) -> Vec<Move> {
        let start = Instant::now();
        let mut width = BEAM;
        loop {
            let begun = start.elapsed();
            let (turn, is_cut) = self.best_turn(board, width);
            let spent = start.elapsed();
            match budget {
                Budget::Time(time) if is_cut && spent + 2 * (spent - begun) < time => width *= 2,
                _ => return turn,
            }
        }
    }
}

/// Monte Carlo tree search with moves as actions and the evaluation instead of playouts (UCT, Kocsis and Szepesvári
/// 2006).
struct Mcts {
    evaluator: Arc<Evaluator>,
    random: u64,
}

struct Leaf {
    mv: Move,
    visits: f64,
    /// For White, from 0 to 1.
    sum: f64,
    children: Vec<usize>,
    is_open: bool,
}

impl Mcts {
    fn value(&self, position: &Position) -> f64 {
        let rules = &self.evaluator.game().rules;
        for color in Color::BOTH {
            if !rules.has_check() && position.royals(color).is_empty() {
                return if color == Color::White { 0.0 } else { 1.0 };
            }
        }
        let score = self.evaluator.evaluate(position, &self.evaluator.sums(position));
        let white = if position.turn() == Color::White { score } else { -score };
        1.0 / (1.0 + (f64::from(-white) / 250.0).exp())
    }
}

impl Player for Mcts {
    fn turn(&mut self, board: &Board, budget: Budget) -> Vec<Move> {
        let rules = &Arc::clone(board.game()).rules;
        let start = Instant::now();
        let root = |mv| Leaf { mv, visits: 0.0, sum: 0.0, children: Vec::new(), is_open: false };
        let mut tree = vec![root(Move::END)];
        let mut rounds = 0u64;
        let mut moves = Vec::new();
        loop {
            let over = match budget {
                Budget::Nodes(nodes) => rounds >= nodes,
                Budget::Time(time) => rounds.is_multiple_of(16) && start.elapsed() >= time,
            };
            if over && tree[0].is_open {
                break;
            }
            rounds += 1;
            let mut position = board.position().clone();
            let mut path = vec![0];
            while tree[path[path.len() - 1]].is_open {
                let node = &tree[path[path.len() - 1]];
                if node.children.is_empty() {
                    break;
                }
                let white = position.turn() == Color::White;
                let log = node.visits.max(1.0).ln();
                let upper = |child: &usize| {
                    let child = &tree[*child];
                    if child.visits == 0.0 {
                        return f64::INFINITY;
                    }
                    let mean = child.sum / child.visits;
                    (if white { mean } else { 1.0 - mean }) + 0.35 * (log / child.visits).sqrt()
                };
                let best = *node.children.iter().max_by(|a, b| upper(a).total_cmp(&upper(b))).expect("children");
                position.make(rules, tree[best].mv);
                path.push(best);
            }
            let last = path[path.len() - 1];
            if !tree[last].is_open {
                tree[last].is_open = true;
                position.legal_moves(rules, &mut moves);
                for index in (1..moves.len()).rev() {
                    self.random = mix(self.random);
                    moves.swap(index, (self.random % (index as u64 + 1)) as usize);
                }
                for mv in &moves {
                    tree.push(root(*mv));
                    let child = tree.len() - 1;
                    tree[last].children.push(child);
                }
            }
            let value = self.value(&position);
            for node in path {
                tree[node].visits += 1.0;
                tree[node].sum += value;
            }
        }
        let mut turn = Vec::new();
        let mut after = board.clone();
        let (us, mut node) = (board.turn(), 0);
        while after.turn() == us && after.outcome(false).is_none() {
            let most = |a: &&usize, b: &&usize| tree[**a].visits.total_cmp(&tree[**b].visits);
            let mv = match tree[node].children.iter().max_by(most) {
                Some(child) => {
                    node = *child;
                    tree[node].mv
                }
                None => after.legal_moves()[0],
            };
            after.push(mv);
            turn.push(mv);
        }
        turn
    }

    fn renew(&mut self, seed: u64) {
        self.random = mix(seed);
    }
}

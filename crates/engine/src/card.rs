//! The header of a network's file.

use rules::Game;

/// What a network's file says of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Card {
    /// The id of the game.
    pub game: String,
    /// The hash of the game's rules with all options at their defaults.
    pub rules: u64,
    /// Whether the network is added to the evaluation by features, or takes its place.
    pub added: bool,
    /// How it was trained, in one line.
    pub recipe: String,
    /// What it has learnt, in one line.
    pub log: String,
}

/// The first line of a network's file.
const TITLE: &str = "acedrex network 2";
/// The most bytes of a header.
const MAX_HEADER: usize = 1 << 16;
const ADDED: &str = "added to the features";
const INSTEAD: &str = "instead of the features";

impl Card {
    pub(crate) fn header(&self, shape: &str, weights: usize) -> String {
        let Card { game, rules, added, recipe, log } = self;
        let used = if *added { ADDED } else { INSTEAD };
        let [recipe, log] = [recipe, log].map(|text| text.replace('\n', " "));
        format!(
            "{TITLE}\ngame: {game}\nrules: {rules:016x}\nshape: {shape}\nused: {used}\nrecipe: {recipe}\nlog: {log}\n\
             weights: {weights} bytes\n\n"
        )
    }

    /// Reads a header; returns it with the shape that it names, the weights of features, and the bytes after them.
    pub(crate) fn read(bytes: &[u8]) -> Result<(Card, &str, &str, &[u8]), String> {
        let end =
            bytes.iter().take(MAX_HEADER).zip(&bytes[1.min(bytes.len())..]).position(|two| two == (&b'\n', &b'\n'));
        let header = end.and_then(|end| std::str::from_utf8(&bytes[..end]).ok()).unwrap_or_default();
        let mut lines = header.lines();
        if lines.next() != Some(TITLE) {
            return Err(format!("expected a file that begins with {TITLE:?} and lines that describe the network"));
        }
        let mut value = |name: &str| {
            let line = lines.next().unwrap_or_default();
            line.strip_prefix(name).and_then(|rest| rest.strip_prefix(": ")).ok_or_else(|| {
                format!(
                    "expected a line \"{name}: ...\" in the header, not {:?}",
                    line.chars().take(80).collect::<String>()
                )
            })
        };
        let game = value("game")?.into();
        let rules = value("rules")?;
        let rules = u64::from_str_radix(rules, 16).map_err(|_| format!("{rules:?} is no hash of rules"))?;
        let shape = value("shape")?;
        let added = match value("used")? {
            ADDED => true,
            INSTEAD => false,
            other => return Err(format!("expected {ADDED:?} or {INSTEAD:?}, not {other:?}")),
        };
        let (recipe, log) = (value("recipe")?.into(), value("log")?.into());
        let weights = value("weights")?;
        let size = weights.strip_suffix(" bytes").and_then(|number| number.parse().ok());
        let rest = &bytes[header.len() + 2..];
        let parts = size.and_then(|size| rest.split_at_checked(size));
        let parts = parts.and_then(|(text, numbers)| Some((std::str::from_utf8(text).ok()?, numbers)));
        let (text, numbers) =
            parts.ok_or_else(|| format!("expected a text of weights after the header, of {weights:?}"))?;
        Ok((Card { game, rules, added, recipe, log }, shape, text, numbers))
    }
}

/// The hash of a game's rules with all options at their defaults: a network serves all of them.
pub(crate) fn default_rules(game: &Game) -> u64 {
    match game.chosen().next() {
        None => game.rules.hash,
        Some(_) => Game::load(&game.source, &game.file, &[]).map_or(0, |game| game.rules.hash),
    }
}

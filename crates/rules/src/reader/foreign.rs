//! Names from other programs and their definitions that this format does not have, or has under another name.

/// Names of features, and the message for each. Names are in lower-case letters and digits only; `*` stands for any
/// ending.
type Said = [(&'static [&'static str], &'static str)];

const ABSENT: &Said = &[
    (
        &[
            "drop*",
            "piecedrop*",
            "mustdrop*",
            "enclosingdrop*",
            "firstrankpawndrops",
            "promotionzonepawndrops",
            "whitedropregion",
            "blackdropregion",
            "hand*",
            "capturestohand",
            "pocket*",
            "reserve*",
            "holdings",
            "prison",
            "crazyhouse",
            "bughouse",
            "twoboards",
        ],
        "Acedrex has no drops and no pieces in hand; put every piece on the board in game.start instead",
    ),
    (
        &["gating", "gate*", "seirawan*"],
        "Acedrex has no gating; put every piece on the board in game.start, or let players arrange pieces with [setup]",
    ),
    (
        &["duck*", "wall*", "arrow*", "staticgating*", "pastgating", "petrify*", "neutral*"],
        "Acedrex has no walls and no neutral pieces; every piece belongs to White or Black",
    ),
    (
        &["hex*", "triangular", "3d", "levels", "round", "circular"],
        "Acedrex has only flat boards of squares; choose FILESxRANKS, such as board = \"12x12\"",
    ),
    (
        &["wrap*", "cylind*", "torus", "toroid*", "toric", "mobius", "sphere", "spherical", "portal*", "teleport*"],
        "Acedrex has no boards that wrap around and no portals; moves end at the edges of the board",
    ),
    (&["player*", "sides", "team*"], "Acedrex has two players, White and Black; leave this out"),
    (
        &["atomic", "explo*", "blast*", "mutuallyimmunetypes"],
        "Acedrex has no explosions; a capture removes only the captured piece",
    ),
    (&["connect*"], "Acedrex does not look for pieces in a row; end.conditions has reach, extinct and checks"),
    (
        &["pseudoroyal*"],
        "Acedrex has one royal piece a side with goal = \"checkmate\"; \
         end.conditions has extinct, for pieces that may not all be lost",
    ),
    (
        &["chas*", "perpetualchase", "moverepetitionillegal", "superko"],
        "Acedrex has no rules against perpetual chase; end.repetition_result and end.perpetual_check have other repetitions",
    ),
    (
        &["counting*", "materialcounting"],
        "Acedrex counts no material; end.scoring = \"four_points\" has claims against a bare King",
    ),
    (&["captureown", "friendly*", "selfcapture"], "Acedrex has no captures of own pieces; leave this out"),
    (
        &["rifle*", "shoot*", "locust*", "igui", "push*", "pull*", "swap*", "convert*", "flipenclosedpieces"],
        "Acedrex has only captures on the square where a move ends, and en passant; leave this out",
    ),
    (&["fog*", "dark", "hidden", "invisible", "kriegspiel"], "Acedrex hides nothing; both players see the whole board"),
    (&["dice", "cards", "chance"], "Acedrex has no chance in its rules; let players arrange pieces with [setup]"),
    (&["clock", "time", "timecontrol"], "a definition has no clock; choose the time control when you start a match"),
];

const ELSEWHERE: &Said = &[
    (&["pass*", "skip"], "turn.may_pass = true lets players pass"),
    (
        &["doublestep*", "triplestep*", "initialstep*"],
        "write double steps into the piece's move, such as move = \"fmWfceFifmnnD\"",
    ),
    (
        &["enpassant*"],
        "\"nn\" and \"e\" in a piece's move say which pieces can be captured en passant and which can capture",
    ),
    (&["castl*", "oo", "ooo"], "[[castling]] has right, king and rook, one table for each side of the board"),
    (&["chess960", "fischerrandom", "shuffle*", "random*"], "[setup] says which pieces are arranged on which squares"),
    (&["flyinggeneral*", "bikjang*", "facing"], "sees = \"fR\" in the royal piece keeps royals from facing each other"),
    (&["mobilityregion*", "region*", "palace*"], "[zones] names squares, and within = \"NAME\" keeps a piece there"),
    (
        &["stalemate*", "goal", "win", "winner", "objective", "scoring", "bareking*", "deadpositions", "nfold*"],
        "[end] has goal, stalemate, conditions, scoring, bare_king, dead_positions, repetition and quiet",
    ),
    (
        &["check", "checkstowin", "checkcount*", "threecheck", "3check", "5check"],
        "end.conditions = [{ checks = 3 }] counts checks",
    ),
    (
        &["flag*", "campmate", "race", "racing*", "hill", "kingofthehill", "goalsquare*", "goalrank"],
        "end.conditions = [{ reach = \"last rank\", pieces = \"K\" }] is won by reaching squares",
    ),
    (&["extinction*"], "end.conditions = [{ extinct = \"Q\" }] is lost by the side that has no such piece left"),
    (
        &["mandatorycapture*", "forcedcapture*", "mustcapture", "antichess", "giveaway", "suicide", "losers"],
        "turn.must_capture = true makes captures compulsory",
    ),
    (&["checkmatevalue", "misere"], "end.checkmate = \"win\" is won by the side that is mated"),
    (&["perpetual*"], "end.perpetual_check = \"loss\" is lost by the side that gives perpetual check"),
    (&["checking"], "turn.may_check = false forbids giving check"),
    (
        &["nmove*", "threefold*", "fivefold*", "repetition*", "fiftymove*", "quiet*", "draw*"],
        "[end] has repetition and quiet",
    ),
    (
        &[
            "moves",
            "plies",
            "movesperturn",
            "doublemove*",
            "progressive",
            "mayend",
            "maypass",
            "onceeach",
            "endsoncheck",
        ],
        "[turn] says how many moves a turn has, at most 6, and how it ends",
    ),
    (&["command*", "firstturn"], "[turn] has command and first_turn"),
    (&["hole*", "terrain"], "game.start marks holes in the board with *, as in \"*3r2k1*\""),
    (&["startfen", "fen", "position", "start"], "game.start has the FEN of the start position"),
    (
        &["maxrank", "maxfile", "files", "ranks", "width", "height", "size", "rows", "columns", "board"],
        "game.board has the size, such as \"12x12\"",
    ),
    (
        &["pawntype*", "promot*", "mandatorypawnpromotion", "mandatorypiecepromotion"],
        "promotes_to of a piece says what it becomes, and [promotion] where",
    ),
    (
        &["demot*", "piecedemotion", "*oncapture"],
        "a piece's own promotion = [{ ... }] has to, at, optional, from, by and side, and may lead back",
    ),
    (&["betza", "movement", "notation", "custompiece*"], "move has a piece's Betza notation"),
    (&["royals", "isroyal"], "royal = true makes a piece royal"),
    (&["image", "picture", "icon", "svg", "glyph", "symbol"], "art has a piece's drawing: an id or path data"),
    (
        &["description", "text", "about", "comment"],
        "summary, story and rules of [game] are its texts, help is a piece's",
    ),
    (&["inventor", "url", "source", "version", "date"], "author, year and link of [game] say where it comes from"),
];

/// The message for a feature that Acedrex does not have.
pub(super) fn absent(name: &str) -> Option<&'static str> {
    find(ABSENT, name)
}

/// Where the format has the feature that an unknown key seems to mean.
pub(super) fn elsewhere(name: &str) -> Option<&'static str> {
    find(ELSEWHERE, name)
}

fn find(table: &Said, name: &str) -> Option<&'static str> {
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let is = |known: &str| match (known.strip_prefix('*'), known.strip_suffix('*')) {
        (Some(end), _) => plain.ends_with(end),
        (_, Some(start)) => plain.starts_with(start),
        _ => plain == known,
    };
    table.iter().find(|(names, _)| names.iter().any(|known| is(known))).map(|(_, said)| *said)
}

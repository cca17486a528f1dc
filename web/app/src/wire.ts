// What the server and the browser say to each other. One file: the server's models mirror it, a test holds both to it.
// Squares are names ("g7", "l12"); sides "white" | "black"; times in milliseconds (integers); ids are short texts.
// A ply is its text as Board.uci()/Move.uci() writes it: "f2h3", "a7a8=Q" as the core writes it, "end", "claim", "playon".
// Positions, pieces and setups are the board's types.
import type { LegalPly, PieceKind, PieceOn, Position, Reach, SetupPhase, Side } from "@acedrex/board";

export type { LegalPly, PieceKind, PieceOn, Position, Reach, SetupPhase, Side };

/* ---- games (GET /api/games, GET /api/games/{id}?lang=fr) ---- */
export interface GameSummary {
  id: string;
  name: string;
  author: string;
  year: number | null;
  summary: string;
  files: number;
  ranks: number;
  piece_kinds: number;
  setups: number;
  turn_plies: number; // most plies in a turn
  start_fen: string;
  featured: boolean; // the five games first
  origin: "shipped" | "file"; // a file of the folder given with --games
  faults: Fault[]; // of a file that cannot be loaded: then only id and name are meaningful
}
export interface Fault {
  file: string;
  line: number;
  column: number;
  key: string;
  message: string;
}
export interface Game extends GameSummary {
  link: string;
  story: string;
  rules: { key: string; title: string; text: string }[];
  scoring: string;
  rules_hash: string;
  has_check: boolean;
  options: { name: string; help: string; values: string[]; default: string }[];
  pieces: PieceKind[];
  setup: SetupPhase | null;
}
// `squares` are Black's (the chooser's), `mirror` White's in the same order; a setup's name is the letters in that
// order, groups joined by "-". GET /api/games/{id}/setups/{name or number} -> Setup; also .../setups/random
export interface Setup {
  name: string;
  number: number;
  fen: string;
}

/* ---- positions ---- */
// POST /api/position {game, setup?, fen?, plies?} -> Position  (stateless)
// POST /api/reach {game, fen, square, premove?} -> Reach[]               (stateless, any piece of either side)

/* ---- matches ---- */
export interface GameChoice {
  game: string;
  options: Record<string, string>;
}
export type TimeControl =
  | { kind: "none" }
  | { kind: "fischer"; initial_ms: number; increment_ms: number }
  | { kind: "byoyomi"; initial_ms: number; period_ms: number; periods: number }
  | { kind: "correspondence"; days_per_turn: number; reserve_days: number };
export type Opponent =
  | { kind: "engine"; level: number }
  | { kind: "friend" } // answer has an invite
  | { kind: "lobby" } // an open challenge
  | { kind: "self" }; // two at one board
export interface NewMatch {
  // POST /api/matches (Authorization: Bearer) -> MatchCreated
  game: GameChoice;
  opponent: Opponent;
  side: Side | "random";
  time: TimeControl;
  setup: string | "choose" | "random" | "engine" | null; // who picks the setup; a name is given at once
  hints?: boolean;
}
export interface MatchCreated {
  match: string;
  invite: string | null;
} // invite goes into the link's fragment: /match/ID#invite=...
// POST /api/matches/{id}/seat {invite} -> 204 (takes the free seat for this identity)
export type Phase = "open" | "setup" | "play" | "over";
export interface Player {
  name: string;
  kind: "guest" | "engine" | "nobody";
  level: number | null;
  online: boolean;
}
export interface Clock {
  white_ms: number;
  black_ms: number;
  running: Side | null;
  periods: { white: number; black: number } | null;
  /** Correspondence: what is used up after the days of the turn. */
  reserve: { white: number; black: number } | null;
  at: number;
}
export interface PlyMade {
  ply: string;
  san: string;
  side: Side;
  turn: number;
  spent_ms: number;
}
export interface Ending {
  reason: string;
  winner: Side | null;
  score: string;
  result: "1-0" | "0-1" | "1/2-1/2" | "*";
  limit?: number | null; // how often a position occurred, or how many plies brought no progress
}
export interface Snapshot {
  // GET /api/matches/{id}; also the first message of the socket
  type: "snapshot";
  match: string;
  number: number; // number of the last event
  game: GameChoice & { name: string; rules_hash: string; draw_limits: Record<string, number> };
  phase: Phase;
  opponent: "engine" | "friend" | "lobby" | "self" | "import"; // how the match was made
  seat: Side | "both" | null; // what the asker may play
  players: { white: Player; black: Player };
  time: TimeControl;
  clock: Clock | null;
  setup: string | null;
  start_fen: string;
  plies: PlyMade[];
  position: Position;
  offers: Offer[];
  ending: Ending | null;
  rematch: string | null;
  chat: ChatLine[];
  hints: boolean;
  watchers: number;
  may: string[]; // commands the asker may give now: "ply","undo","resign",...
}
export interface Offer {
  what: "draw" | "takeback" | "rematch";
  by: Side;
  plies?: number;
}
export interface ChatLine {
  id: number;
  by: Side | "watcher";
  name: string;
  text: string;
  at: number;
}

/* ---- the socket of a match: /api/matches/{id}/socket ---- */
export type ToServer =
  | { type: "hello"; token: string | null; after: number | null } // first message, within 10 s
  | { type: "ply"; ply: string; number: number; id: string } // ply text or SAN; number: last event seen
  | { type: "undo"; number: number; id: string } // take back the last ply of one's own unfinished turn
  | { type: "setup"; name: string; number: number; id: string }
  | { type: "offer"; what: Offer["what"]; id: string }
  | { type: "answer"; what: Offer["what"]; accept: boolean; id: string }
  | { type: "claim"; what: "draw" | "left"; id: string } // left: the opponent has been gone long enough
  | { type: "resign" | "abort" | "hint"; id: string }
  | { type: "chat"; text: string; id: string }
  | { type: "ping"; at: number };
export type FromServer =
  | Snapshot // after hello, after a reconnect that is too far behind, after take-backs
  | {
      type: "update";
      number: number;
      event: EventKind;
      plies: number; // how many plies the match has now, with the one that was made
      made: PlyMade | null;
      position: Position | null;
      clock: Clock | null;
      phase: Phase;
      offers: Offer[];
      ending: Ending | null;
      rematch: string | null;
      may: string[];
    }
  | { type: "chat"; line: ChatLine }
  | { type: "presence"; white: boolean; black: boolean; watchers: number; left_claim_at: number | null }
  | { type: "hint"; id: string; plies: string[]; san: string[] }
  | { type: "ack"; id: string; number: number } // the event was stored
  | { type: "refused"; id: string | null; error: Problem } // nothing has changed
  | { type: "pong"; at: number; now: number };
export type EventKind =
  | "setup"
  | "ply"
  | "undo"
  | "takeback"
  | "offer"
  | "answer"
  | "claim"
  | "resign"
  | "abort"
  | "flag"
  | "seat"
  | "pause";

/* ---- people, lobby, watching ---- */
export interface Guest {
  id: string;
  name: string;
  token?: string;
} // POST /api/guests {name?} gives the token once
// GET/PATCH /api/me ; GET /api/me/matches -> MatchCard[] ; the token itself is the export
export interface MatchCard {
  match: string;
  game: { id: string; name: string; files: number; ranks: number };
  players: { white: string; black: string };
  time: TimeControl;
  phase: Phase;
  ply: number;
  fen: string;
  your_turn: boolean | null;
  ending: Ending | null;
  at: number;
}
// GET /api/lobby -> Challenge[]; POST /api/lobby/{match}/accept -> 204; GET /api/watch -> MatchCard[]
// WebSocket /api/lobby/socket: {type:"lobby", challenges: Challenge[]} whenever it changes
export interface Challenge {
  match: string;
  by: string;
  mine: boolean;
  game: GameChoice & { name: string };
  side: Side | "random";
  time: TimeControl;
  at: number;
}

/* ---- lessons: GET /api/games/{id}/lessons?lang=fr -> Lessons; GET /api/games/{id}/exercises -> Puzzle[] ---- */
export interface PieceDiagram {
  letter: string;
  square: string; // where it stands to show how it moves
  others: string[]; // where enemies stand that it takes or hops over
}
export interface Example {
  rule: string; // key of the rule, or "" and
  piece: string; // the letter of the piece whose way of moving it is
  options: Record<string, string>;
  fen: string;
  plies: string[]; // what is played to show it
  text: string;
}
export interface Puzzle {
  fen: string;
  side: Side;
  goal: "mate" | "turn_mate" | "capture"; // within this turn: a mate, or the capture of royal pieces
  plies: number; // of one's own
  takes: number; // how many royal pieces are to be captured; 1 where a mate is the goal
  teaches: string; // letter of a piece, key of a rule, or ""
}
export interface Lessons {
  diagrams: PieceDiagram[];
  examples: Example[];
}
// POST /api/games/{id}/exercises/{number} Try -> Tried; plies: those so far, replies included; show: tell the solution
export interface Try {
  plies: string[];
  show: boolean;
}
export interface Tried {
  verdict: "right" | "solved" | "wrong" | "shown";
  plies: string[]; // that stand, with the reply
  position: Position; // after them
}
// GET /api/daily?date=2026-11-22 -> Daily; POST /api/daily/{date} Try -> Tried. Days are those of UTC.
export interface Daily {
  date: string;
  today: string;
  first: string;
  game: string;
  puzzle: Puzzle;
  solved: string[]; // days that the asker has solved on the day, the latest first
}

/* ---- the archive ---- */
// GET /api/archive?whose=&game=&setup=&result=&player=&since=&until=&least=&most=&after= -> ArchivePage; the same search
// as PGN: GET /api/archive/pgn. POST /api/archive (a PGN file) -> Imported
export type Whose = "mine" | "public";
export interface Archived {
  match: string;
  game: { id: string; name: string; files: number; ranks: number };
  players: { white: string; black: string };
  side: Side | null; // the asker's
  setup: string | null;
  plies: number;
  fen: string;
  ending: Ending;
  imported: boolean;
  at: number;
}
export interface ArchivePage {
  matches: Archived[];
  next: string | null; // `after` of the page that follows
}
export interface Results {
  white: number;
  draws: number;
  black: number;
}
export interface Opening {
  ply: string; // or a setup
  san: string;
  results: Results;
}
// GET /api/archive/openings?whose=&game=&fen= -> Openings; without a FEN of the start, or of the setups if there are any
export interface Openings {
  results: Results;
  plies: Opening[];
  setups: boolean; // whether `plies` are setups
}
export interface RecordFault {
  line: number;
  column: number;
  message: string;
}
export interface Imported {
  stored: number;
  known: number; // stored before
  left_out: number;
  faults: RecordFault[];
}

/* ---- personal access tokens: GET, POST /api/me/tokens; DELETE /api/me/tokens/{id} ---- */
export type Scope = "bot:play" | "challenge:read" | "challenge:write" | "archive:read" | "archive:write";
export interface NewToken {
  name: string;
  scopes: Scope[];
}
export interface Token {
  id: string;
  name: string;
  scopes: Scope[];
  at: number;
  token?: string; // told once
}

/* ---- every error, 4xx and 5xx and in `refused` ---- */
export interface Problem {
  code: string;
  message: string;
  where: string | null;
}

/* ---- analysis: POST /api/analysis/... ---- */
// tree {game, options, setup?|fen?, nodes} -> Tree; record {pgn} -> Tree; pgn (as tree) -> PGN text;
// plies {game, options, fen, plies} -> PliesMade; attacks {game, options, fen} -> Attacks; edit -> Edited;
// picture -> SVG; jobs {game, options, fen, plies} -> Job; GET jobs/{id}?behind=N -> Job
/** Plies stand in the order of a walk: the first variation to its end, then the next. */
export interface TreeNode {
  parent: number; // place in the list, -1: the start
  ply: string;
  comment: string;
  nags: number[];
}
export interface NodeMade extends TreeNode {
  san: string;
  side: Side;
  turn: number;
  fen: string; // behind the ply
}
export interface Tree {
  game: string;
  options: Record<string, string>;
  name: string;
  rules_hash: string;
  start_fen: string;
  setup: string | null;
  comment: string;
  tags: Record<string, string>;
  nodes: NodeMade[];
  faults: string[];
}
export interface PliesMade {
  nodes: NodeMade[];
  position: Position;
}
export interface Attacks {
  squares: { square: string; white: number; black: number }[];
  threats: { from: string; to: string }[]; // what could be taken at a profit
}
export interface Edited {
  fen: string;
  pieces: PieceOn[];
  turn: Side;
  rights: string;
  known_rights: { letter: string; possible: boolean }[];
  problems: EditProblem[];
}
export interface EditProblem {
  name: string;
  message: string;
}
/** As White sees it; a mate in 0 is on the board. `chance` is what White may expect, 0 to 1. */
export interface Evaluation {
  cp: number | null;
  mate: number | null;
  chance: number;
}
export interface Line {
  score: Evaluation;
  plies: string[];
  san: string;
}
export interface Finding {
  ply: number; // plies made before
  score: Evaluation;
  depth: number;
  best: string[];
  san: string;
}
export interface Job {
  job: string;
  done: number;
  total: number;
  found: Finding[];
}
// WebSocket /api/analysis/socket: hello (optional), then
export type ToAnalyst =
  | {
      type: "look";
      id: string;
      game: string;
      options: Record<string, string>;
      fen: string;
      plies: string[];
      lines: number;
    }
  | { type: "stop" };
/** `done`: the engine looks no further. Also `refused` and `pong`. */
export interface Lines {
  id: string;
  depth: number;
  nodes: number;
  nps: number;
  lines: Line[];
  done: boolean;
}

// Made by tools/make_types.py from src/acedrex/server/wire. Change that, and run it.

import type { PieceOn, PieceSet, PieceType, Position, SetupPhase, Side } from "@acedrex/board";

export type {
  Commanded,
  Emblem,
  LegalMove,
  PartnerMove,
  PieceOn,
  PieceSet,
  PieceType,
  Position,
  Reach,
  ReachKind,
  SetupGroup,
  SetupPhase,
  Side,
  TurnMove,
} from "@acedrex/board";

/** A person, by default a guest; the token of the session is shown only once. */
export interface Person {
  id: string;
  name: string;
  account?: boolean;
  token?: string | null;
}

export type Language = "en" | "fr";

/** What a passkey has signed, as the browser's credential has it: in URL-safe base64, without padding. */
export interface PasskeyProof {
  id: string;
  client_data: string;
  authenticator_data: string;
  signature: string;
  user_handle?: string | null;
}

export type SignUps = "open" | "invitation" | "closed";

/** What a passkey may be asked to sign, each time for one thing. */
export type PasskeyUse =
  | "new_passkey"
  | "add_passkey"
  | "remove_passkey"
  | "password"
  | "recovery"
  | "mail"
  | "deletion";

/** How one gets an account here, and gets back into it. */
export interface Ways {
  sign_ups: SignUps;
  /** Whether the server sends mails. */
  mail: boolean;
  /** The host name for which passkeys are made, here or above that of the page. */
  passkeys: string;
}

/** A passkey that a browser has made, as its credential has it: in URL-safe base64, without padding. */
export interface NewPasskey {
  name: string;
  id: string;
  client_data: string;
  attestation: string;
}

/** An account to make of a guest, with a password, a passkey, or both. */
export interface NewAccount {
  name: string;
  password?: string | null;
  passkey?: NewPasskey | null;
  /** Needed where accounts are by invitation. */
  invitation?: string | null;
}

/** An account that was created or recovered. The recovery code is shown only once. */
export interface AccountCreated {
  person: Person;
  recovery: string;
}

/** A name and a password. */
export interface SignIn {
  name: string;
  password: string;
}

/** A code that another device shows. */
export interface CodeSignIn {
  code: string;
}

/** A code with which another device can sign in once, until a moment. */
export interface SignInCode {
  code: string;
  until: number;
}

/** What a passkey has signed, which says whose it is. */
export interface PasskeySignIn {
  passkey: PasskeyProof;
}

/** The password once more, or a passkey, before something that only the owner may do. */
export interface Confirmation {
  password?: string | null;
  passkey?: PasskeyProof | null;
}

/** A new password, confirmed by the current one or a passkey. */
export interface NewPassword {
  password: string;
  current: Confirmation;
}

/** A recovery code, which is shown only once. */
export interface RecoveryCode {
  recovery: string;
}

/** The recovery code of an account, and a new password. */
export interface Recovery {
  name: string;
  code: string;
  password: string;
}

/** What a passkey is to sign something for. For a new account its name, which must be free, and the invitation. */
export interface NewChallenge {
  purpose: PasskeyUse;
  name?: string | null;
  invitation?: string | null;
}

/** What a passkey is to sign within five minutes, once. */
export interface PasskeyChallenge {
  /** Bytes in URL-safe base64, as the ids below. */
  challenge: string;
  /** The host name for which passkeys are made. */
  site: string;
  /** The id of the person, whose passkey it is. */
  user: string;
  /** The ids of the credentials that the person has. */
  known: string[];
}

/** A passkey of an account. */
export interface Passkey {
  id: string;
  name: string;
  at: number;
  /** When it was last used. */
  used: number;
}

/** A passkey to add to an account. */
export interface AddedPasskey {
  passkey: NewPasskey;
  confirmation: Confirmation;
}

/** A new name of a passkey. */
export interface PasskeyName {
  name: string;
}

/** How the person signs in, and where mails go. */
export interface SignInMethods {
  /** Whether the account has a password. */
  password: boolean;
  passkeys: Passkey[];
  mail: string | null;
  /** An address whose owner has not followed the link yet. */
  new_mail: string | null;
}

/** An address for mails, and the language of what is sent there. */
export interface NewAddress {
  address: string;
  confirmation: Confirmation;
  language?: Language;
}

/** The secret of a link in a mail. */
export interface MailLink {
  secret: string;
}

/** Whose address was confirmed. */
export interface ConfirmedAddress {
  name: string;
  address: string;
}

/** The name or the address of an account, to which a mail is to be sent. */
export interface RecoveryByMail {
  who: string;
}

/** The secret of a link in a mail, and a new password. */
export interface NewPasswordByMail {
  secret: string;
  password: string;
}

/** Where a person is signed in. */
export interface Session {
  id: string;
  /** The kind of browser, or the name of a program; empty if unknown. */
  device: string;
  at: number;
  /** When it was last used, to the hour. */
  seen: number;
  /** Whether it is the session that asks. */
  current: boolean;
}

/**
 * A score from White's point of view: centipawns or turns to mate, and White's expected score, from 0 to 1.
 *
 * `mate` is 0 if the position is checkmate; `chance` then tells who has won.
 */
export interface Evaluation {
  cp: number | null;
  mate: number | null;
  chance: number;
}

/** The game of a position. */
export interface GameRequest {
  game: string;
  options?: Record<string, string>;
  /** A match, whose game is meant as it was when the match began, with its options. */
  match?: string | null;
}

/** The first message: who connects, and the last event seen. */
export interface Hello {
  type: "hello";
  token?: string | null;
  /** The number of the last event seen. */
  after?: number | null;
}

/** Ask for the server's time. Pages of older versions send more fields, which are ignored. */
export interface Ping {
  type: "ping";
  at: number;
}

/** The server's time. */
export interface Pong {
  type: "pong";
  at: number;
  now: number;
}

/** The message was refused; nothing has changed. */
export interface Refused {
  type: "refused";
  id: string | null;
  error: Problem;
}

/** A move of a tree, with the index of its parent in the list (-1: the start) and its annotations. */
export interface TreeNode {
  parent: number;
  move: string;
  comment?: string;
  nags?: number[];
}

/** A tree of moves in depth-first order: the first variation to its end, then the next. */
export interface TreeRequest {
  game: string;
  options?: Record<string, string>;
  setup?: string | null;
  fen?: string | null;
  nodes?: TreeNode[];
  comment?: string;
  tags?: Record<string, string>;
}

/** A game in PGN. */
export interface RecordRequest {
  pgn: string;
}

/** A move of a tree in full; the FEN is that of the position after the move. */
export interface NodeMade {
  parent: number;
  move: string;
  san: string;
  side: Side;
  turn: number;
  fen: string;
  comment: string;
  nags: number[];
}

/** A tree that was read and checked. */
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
  /** Whether the text has more games. */
  more: boolean;
}

/** Moves to make from a position, in coordinates or in SAN. */
export interface MovesRequest extends GameRequest {
  fen: string;
  moves: string[];
}

/** The moves in sequence, and the position that they lead to. */
export interface MovesMade {
  nodes: NodeMade[];
  position: Position;
}

/** A position. */
export interface FenRequest {
  game: string;
  options?: Record<string, string>;
  fen: string;
}

/** How many pieces of each side attack a square. */
export interface AttackedSquare {
  square: string;
  white: number;
  black: number;
}

/** A piece that could be captured at a profit, and the piece that could capture it. */
export interface Threat {
  from: string;
  to: string;
}

/** Attacked squares and threatened pieces. */
export interface Attacks {
  squares: AttackedSquare[];
  threats: Threat[];
}

/** A piece placed on a square. */
export interface EditedPiece {
  square: string;
  letter: string;
  side: Side;
}

/** An edited position, as a FEN or a list of pieces; it need not be legal. */
export interface EditRequest {
  game: string;
  options?: Record<string, string>;
  fen?: string | null;
  pieces?: EditedPiece[];
  turn?: Side;
  rights?: string;
}

/** Why a position cannot be played. */
export interface EditProblem {
  name: string;
  message: string;
}

/**
 * A right that a position can have: castling, with the partner's square, a first move from a square, and others.
 *
 * `possible` says whether its pieces are in place.
 */
export interface Right {
  letter: string;
  side: Side;
  what: "kingside" | "queenside" | "first_move" | "jump" | "played_on" | "passed";
  square: string | null;
  possible: boolean;
}

/** An edited position, and the reasons why it is illegal, if any. */
export interface Edited {
  fen: string;
  pieces: PieceOn[];
  turn: Side;
  rights: string;
  known_rights: Right[];
  problems: EditProblem[];
}

/** An arrow, or a ring if both squares are the same. */
export interface PictureArrow {
  from: string;
  to: string;
  colour: "lapis" | "vermilion" | "gold";
}

/** A picture of a position. */
export interface PictureRequest {
  game: string;
  options?: Record<string, string>;
  fen: string;
  last?: string[];
  arrows?: PictureArrow[];
  orientation?: Side;
  pieces?: PieceSet;
  theme?: "light" | "dark";
  /** The colours of the squares, in place of the theme's. */
  light_squares?: string | null;
  dark_squares?: string | null;
  size?: number;
}

/** A line of the engine: its moves in coordinates and in SAN. */
export interface Line {
  score: Evaluation;
  moves: string[];
  san: string;
}

/** Analyse a position; the previous analysis stops. */
export interface AnalysePosition {
  type: "look";
  id: string;
  game: string;
  options?: Record<string, string>;
  fen: string;
  moves?: string[];
  lines?: number;
}

/** Stop the analysis. */
export interface StopAnalysis {
  type: "stop";
}

/** The engine's lines so far; `done` when the search has ended. */
export interface Lines {
  type: "lines";
  id: string;
  depth: number;
  nodes: number;
  nps: number;
  lines: Line[];
  done: boolean;
}

export type ToAnalyst = Hello | AnalysePosition | StopAnalysis | Ping;

export type FromAnalyst = Lines | Refused | Pong;

/** A game to analyse. */
export interface JobRequest {
  game: string;
  options?: Record<string, string>;
  fen: string;
  moves: string[];
}

/** The engine's evaluation of one position of a game, and its best line there. */
export interface Finding {
  /** Half-moves made before the position. */
  ply: number;
  score: Evaluation;
  depth: number;
  best: string[];
  san: string;
}

/** The analysis of a game: how many positions are done, how many there are, and findings from a ply on. */
export interface Job {
  job: string;
  done: number;
  total: number;
  found: Finding[];
}

/** How a match ended. */
export interface Ending {
  reason: string;
  winner: Side | null;
  score: string;
  result: "1-0" | "0-1" | "1/2-1/2" | "*";
  /** In a draw by repetition, how often the position occurred; in one without progress, the number of moves. */
  limit: number | null;
}

/** The game on a card. */
export interface CardGame {
  id: string;
  name: string;
  files: number;
  ranks: number;
}

/** The players on a card. */
export interface Names {
  white: string;
  black: string;
}

/** The names of the players' accounts, for links to their profiles. */
export interface Profiles {
  white?: string | null;
  black?: string | null;
}

export type Whose = "mine" | "public";

/** Those of the lab are not matches of this server: they are only in the opening tree. */
export type WhoseOpenings = "mine" | "public" | "lab";

/** A finished match in a list; `side` is the requester's. */
export interface Archived {
  match: string;
  game: CardGame;
  players: Names;
  side: Side | null;
  setup: string | null;
  moves: number;
  fen: string;
  ending: Ending;
  imported: boolean;
  at: number;
  profiles: Profiles;
}

/** A page of finished matches, the latest first; `next` requests the following page. */
export interface ArchivePage {
  matches: Archived[];
  next: string | null;
}

/** Numbers of wins and draws. */
export interface Results {
  white: number;
  draws: number;
  black: number;
}

/** A move that was played in a position, or a setup that was chosen. */
export interface Opening {
  /** The move, or the setup. */
  move: string;
  san: string;
  results: Results;
}

/** The moves played in an opening position, the most frequent first. */
export interface Openings {
  results: Results;
  moves: Opening[];
  /** Whether `moves` are setups. */
  setups: boolean;
  /** Whether the operator has put games of the lab into the tree. */
  lab: boolean;
}

/** An error in a PGN file, and where: the game, its players if the file names them, and the line, from 1. */
export interface RecordFault {
  game: number;
  players: string;
  line: number;
  column: number;
  message: string;
}

/** The result of importing a PGN file. */
export interface Imported {
  stored: number;
  /** Already in the archive. */
  known: number;
  left_out: number;
  faults: RecordFault[];
}

/** Until when one has days off, and how many whole days one has left after them. */
export interface DaysOff {
  until: number | null;
  left: number;
}

/** How many days off begin now. */
export interface NewDaysOff {
  days: number;
}

/** Lines: what one plays if the opponent plays as expected. */
export interface ConditionalMoves {
  lines?: string[][][];
}

/** What a player has noted about a match, for themselves. */
export interface Note {
  text: string;
}

/**
 * A puzzle, to be solved in `moves` moves.
 *
 * `mate`: force mate; `win`: win a piece for nothing; `defence`: avoid being mated in two moves. Within this turn,
 * `turn_mate`: mate; `capture`: capture `takes` royal pieces; `save`: leave no royal piece to be captured in the next
 * turn.
 */
export interface Puzzle {
  fen: string;
  side: Side;
  goal: "mate" | "win" | "defence" | "turn_mate" | "capture" | "save";
  moves: number;
  takes: number;
  /** The letter of a piece, the key of a rule, or empty. */
  teaches: string;
  /**
   * The solution, by which a browser without a network judges attempts. With `mate`, `win` and `defence` every second
   * move is a reply; in the others the moves may be made in any order.
   */
  line: string[];
}

/** A setup: one arrangement of the pieces. */
export interface Setup {
  /** The letters on Black's squares, groups joined by `-`. */
  name: string;
  number: number;
  fen: string;
}

/** White's score from a setup, in per cent, and half the width of its 95 % interval. */
export interface SetupScore {
  white: number;
  margin: number;
}

/** White's score from each setup, from games of the engine against itself. */
export interface SetupScores {
  /** Nodes a turn. */
  nodes: number;
  /** All games together. */
  games: number;
  /** By the name of the setup. */
  scores: Record<string, SetupScore>;
}

/** A special rule, described in words. */
export interface RuleText {
  key: string;
  title: string;
  text: string;
}

/** An option of a game. */
export interface OptionKind {
  name: string;
  help: string;
  values: string[];
  default: string;
}

export type Origin = "shipped" | "file" | "published";

/** A game in a list. */
export interface GameSummary {
  id: string;
  name: string;
  author: string;
  year: number | null;
  summary: string;
  files: number;
  ranks: number;
  /** The number of piece types in play without any option. */
  piece_kinds: number;
  setups: number;
  /** The maximum number of moves per turn. */
  turn_moves: number;
  start_fen: string;
  /** Whether it is among the games shown first. */
  featured: boolean;
  /** `file`: from the folder given with `--games`; `published`: by somebody in the studio. */
  origin: Origin;
}

/** The starting position without one white piece of a type. */
export interface Handicap {
  fen: string;
  letter: string;
}

/** The position after an opening line, and in how many public games it was played to the end. */
export interface OpeningLine {
  fen: string;
  setup: string | null;
  san: string;
  games: number;
}

/** Positions to begin a match from. */
export interface StartingPositions {
  endings: Puzzle[];
  handicaps: Handicap[];
  openings: OpeningLine[];
}

/** A game in full. */
export interface Game extends GameSummary {
  link: string;
  story: string;
  rules: RuleText[];
  scoring: string;
  rules_hash: string;
  has_check: boolean;
  options: OptionKind[];
  pieces: PieceType[];
  setup: SetupPhase | null;
  /** What a study found out about setups, if there was one with these rules. */
  setup_scores: SetupScores | null;
  /** The piece types that are not in play, by letter, with the option that brings them into play, or an empty text. */
  not_in_play: Record<string, string>;
  /** Of the game of a match: whether the game with this id has other rules today. */
  changed: boolean;
}

/** A match in a list. */
export interface MatchCard {
  match: string;
  game: CardGame;
  players: Names;
  time: TimeControl;
  phase: Phase;
  ply: number;
  fen: string;
  your_turn: boolean | null;
  ending: Ending | null;
  at: number;
  rated: boolean;
  /** When the time of the side to move runs out. */
  deadline: number | null;
  profiles: Profiles;
}

/** A rating as it is shown. */
export interface Rating {
  rating: number;
  /** Whether it is too uncertain to say much. */
  provisional: boolean;
}

/** A piece drawing that stands for a player. */
export interface Portrait {
  game: string;
  /** The letter of the piece type. */
  piece: string;
}

/** A game that a house engine likes. */
export interface Liked {
  game: string;
  name: string;
}

/** A house engine: a player that accepts every challenge at once. */
export interface HouseEngine {
  id: string;
  name: string;
  level: number;
  character: string;
  /** How it plays, and what it likes. */
  style: string;
  portrait: Portrait;
  /** The favourite game first. */
  games: Liked[];
  time: "none" | "live" | "correspondence";
  /** Over all games. */
  rating: Rating;
}

/** The finished games of a player. */
export interface Tally {
  wins: number;
  draws: number;
  losses: number;
}

/** A house engine with its record and its latest public games. */
export interface HousePage {
  engine: HouseEngine;
  record: Tally;
  recent: MatchCard[];
}

/** A diagram that shows how a piece moves. */
export interface PieceDiagram {
  letter: string;
  /** The square of the piece. */
  square: string;
  /** The squares of enemy pieces that it captures or hops over. */
  others: string[];
}

/** A position that shows a rule or, if `piece` is given, how a piece moves. */
export interface Example {
  /** The key of the rule, or empty. */
  rule: string;
  /** The letter of the piece, or empty. */
  piece: string;
  options: Record<string, string>;
  fen: string;
  /** The moves that show it. */
  moves: string[];
  /** Empty for a generated position. */
  text: string;
}

export type PuzzleTheme = "mate_in_2" | "mate_in_3" | "mate_in_4" | "capture" | "save" | "special_rule";

/** A puzzle in a game's list, by its number from 1. New versions only add puzzles, at the end. */
export interface PuzzleEntry {
  number: number;
  themes: PuzzleTheme[];
  difficulty: "easy" | "medium" | "hard";
  rating: number;
}

/** The diagrams and examples of a game's page. */
export interface Lessons {
  diagrams: PieceDiagram[];
  examples: Example[];
}

/** A daily puzzle. `solved` has the days whose puzzles the requester solved on the day, the latest first. */
export interface Daily {
  date: string;
  today: string;
  first: string;
  game: string;
  puzzle: Puzzle;
  solved: string[];
}

/**
 * An attempt: the moves so far, replies included. `show` asks for the solution.
 *
 * `rated` lets it change the ratings of the person, who has an account, and of the puzzle, if it is the person's first
 * rated attempt at it, once it has failed or reached the end.
 */
export interface Attempt {
  moves?: string[];
  show?: boolean;
  rated?: boolean;
}

/** The rating of a person after an attempt, by how many points it has changed, and that of the puzzle. */
export interface PuzzleChange {
  rating: number;
  provisional: boolean;
  change: number;
  puzzle: number;
}

/** The result of an attempt: the moves accepted, with the reply to them, and the position after them. */
export interface AttemptResult {
  verdict: "right" | "solved" | "wrong" | "shown";
  moves: string[];
  position: Position;
  /** If the attempt has changed ratings. */
  rated: PuzzleChange | null;
}

/** A puzzle that was failed. */
export interface PuzzleReturn {
  /** When it comes back; `None` if it does not come back any more. */
  due: number | null;
  /** Whether that is the last time. */
  last: boolean;
  /** When this was decided: of two devices the later one is right. */
  at: number;
}

/** What somebody has solved, on all devices: numbers by game, and other things by game and number or minutes. */
export interface Progress {
  exercises?: Record<string, number[]>;
  /** The days whose puzzle was solved. */
  days?: string[];
  solved?: Record<string, number[]>;
  returns?: Record<string, PuzzleReturn>;
  /** The most puzzles solved in a rush. */
  best?: Record<string, number>;
}

/** The ratings of the players of a match, and by how much it has changed them; those of guests who left are gone. */
export interface MatchRatings {
  white: Rating | null;
  black: Rating | null;
  /** Once the match has been rated. */
  changes: RatingChanges | null;
}

/** Commands that may be sent; a command that makes an offer has the name of the offer. */
export type May =
  | "chat"
  | "abort"
  | "resign"
  | "setup"
  | "move"
  | "undo"
  | "claim"
  | "hint"
  | "answer"
  | "draw"
  | "takeback"
  | "rematch";

export type Phase = "open" | "setup" | "play" | "over";

export type Speaker = "white" | "black" | "watcher";

export type What = "draw" | "takeback" | "rematch";

/** The side of who creates a match, or who chooses it. */
export type SideChoice = "white" | "black" | "random" | "opponent";

/** A game and its options. */
export interface GameChoice {
  game: string;
  options?: Record<string, string>;
}

/** No clock. */
export interface NoTime {
  kind: "none";
}

/** Time for the game, and an increment for every turn. */
export interface Fischer {
  kind: "fischer";
  initial_ms: number;
  increment_ms: number;
}

/** Time for the game, then byo-yomi periods, each for one turn. */
export interface ByoYomi {
  kind: "byoyomi";
  initial_ms: number;
  period_ms: number;
  periods: number;
}

/** Days for every turn, and a reserve of days for the match, used when the days of a turn have run out. */
export interface Correspondence {
  kind: "correspondence";
  days_per_turn: number;
  reserve_days: number;
}

export type TimeControl = NoTime | Fischer | ByoYomi | Correspondence;

/** The engine at a level. */
export interface EngineOpponent {
  kind: "engine";
  level: number;
}

/** A house engine, by its id. */
export interface HouseOpponent {
  kind: "house";
  engine: string;
}

/** Anyone who has the link. */
export interface FriendOpponent {
  kind: "friend";
}

/** Anyone who accepts the open challenge. */
export interface LobbyOpponent {
  kind: "lobby";
}

/** Two players on one device. */
export interface SelfOpponent {
  kind: "self";
}

export type Opponent = EngineOpponent | HouseOpponent | FriendOpponent | LobbyOpponent | SelfOpponent;

/**
 * A match to create. `setup` is a name, or how the setup is chosen: `choose`, `random` or `engine`.
 *
 * With a `fen` the match begins from that position, which must be playable, and there is no setup.
 */
export interface NewMatch {
  game: GameChoice;
  opponent: Opponent;
  side?: SideChoice;
  time: TimeControl;
  setup?: string | null;
  fen?: string | null;
  hints?: boolean;
  /** Whether it changes the players' ratings, for which both need accounts. */
  rated?: boolean;
}

/** A match that was created, and the invite for the other seat. */
export interface MatchCreated {
  match: string;
  /** A secret that goes into the fragment of the link: `/match/ID#invite=...`. */
  invite: string | null;
}

/** The secret that admits a player to the free seat. */
export interface Invite {
  invite: string;
  /** The side, if it may be chosen. */
  side?: Side | null;
}

/** The player of a side. */
export interface Player {
  name: string;
  kind: "guest" | "engine" | "nobody";
  level: number | null;
  online: boolean;
  /** The name of the player's account. */
  profile: string | null;
  /** The id of a house engine. */
  house: string | null;
  /** The hour in which the player was last here, for the other one, in a match without a live clock. */
  seen: number | null;
}

/** Byo-yomi periods left. */
export interface Periods {
  white: number;
  black: number;
}

/** Milliseconds of correspondence reserve left. */
export interface Reserve {
  white: number;
  black: number;
}

/** Until when each side has days off, in milliseconds of the epoch. */
export interface OffUntil {
  white: number | null;
  black: number | null;
}

/** The clocks at a moment. */
export interface Clock {
  white_ms: number;
  black_ms: number;
  running: Side | null;
  periods: Periods | null;
  /** In correspondence: the time used when the days of the turn have run out. */
  reserve: Reserve | null;
  /** Until when each side has days off, in which its clock does not run. */
  off: OffUntil;
  at: number;
}

/** A move of a match. */
export interface MoveMade {
  move: string;
  san: string;
  side: Side;
  turn: number;
  spent_ms: number;
}

/** An offer of a side. */
export interface Offer {
  what: What;
  by: Side;
  /** The number of moves that a takeback undoes. */
  moves: number | null;
}

/** A chat message. */
export interface ChatLine {
  id: number;
  by: Speaker;
  name: string;
  text: string;
  at: number;
}

/** The game of a match. */
export interface MatchGame {
  game: string;
  options: Record<string, string>;
  name: string;
  rules_hash: string;
  /** Whether the match began under an earlier version of a shipped game with other rules, by which it goes on. */
  outdated: boolean;
  /** By reason of a draw: how often a position must occur, or the number of moves without progress. */
  draw_limits: Record<string, number>;
}

/** The players of both sides. */
export interface Players {
  white: Player;
  black: Player;
}

/** The score of a match and its rematches: the points of who plays White and Black now, and the finished games. */
export interface Series {
  white: number;
  black: number;
  games: number;
}

/** The whole state of a match, as the requester may see it. */
export interface Snapshot {
  type: "snapshot";
  match: string;
  /** The number of the last event. */
  number: number;
  game: MatchGame;
  phase: Phase;
  /** How the match was created. */
  opponent: "engine" | "friend" | "lobby" | "self" | "import";
  /** The side that the requester plays. */
  seat: "white" | "black" | "both" | null;
  players: Players;
  time: TimeControl;
  clock: Clock | null;
  setup: string | null;
  start_fen: string;
  /** Whether the match began from a position that is neither the standard one nor a setup. */
  from_position: boolean;
  moves: MoveMade[];
  position: Position;
  offers: Offer[];
  ending: Ending | null;
  rematch: string | null;
  /** From the first rematch on. */
  series: Series | null;
  chat: ChatLine[];
  hints: boolean;
  rated: boolean;
  /** The tournament to which it belongs. */
  tournament: string | null;
  /** How the sides are chosen: with `opponent`, whoever joins may choose theirs. */
  side: SideChoice;
  /** In rated matches, once both seats are taken. */
  ratings: MatchRatings | null;
  watchers: number;
  /** The commands that the requester may send now. */
  may: May[];
}

/**
 * It is my turn, my time runs out, somebody challenges me, somebody waits in the lobby, and: my challenge was accepted,
 * or there is an offer or a message; and what happens in tournaments that I play.
 */
export type NotificationKind = "your_turn" | "time_low" | "challenge" | "lobby" | "reply" | "tournament";

/** How one is notified of something; mails need an address that was confirmed. */
export interface Channels {
  push?: boolean;
  mail?: boolean;
}

/** The minutes of the day from and until which notifications wait. */
export interface QuietHours {
  start: number;
  end: number;
}

/** Of what one is notified, how, and when not. */
export interface NotificationSettings {
  your_turn?: Channels;
  time_low?: Channels;
  challenge?: Channels;
  lobby?: Channels;
  reply?: Channels;
  tournament?: Channels;
  quiet?: QuietHours | null;
  /** The time zone of the quiet hours, as IANA names it. */
  zone?: string;
}

/** The settings, and which channels there are. */
export interface Notifications {
  settings: NotificationSettings;
  /** The key with which browsers subscribe to push messages, in URL-safe base64. */
  key: string;
  /** Whether the session of the request has subscribed, and how many sessions of the person have. */
  here: boolean;
  browsers: number;
  /** The confirmed address for mails. */
  mail: string | null;
  /** Whether the server sends mails. */
  mails: boolean;
}

/** Where a browser receives push messages: its push service, and keys in URL-safe base64. */
export interface NewSubscription {
  endpoint: string;
  p256dh: string;
  auth: string;
  language?: Language;
}

/** A tournament in a list. */
export interface TournamentCard {
  tournament: string;
  name: string;
  kind: TournamentKind;
  /** The name of the game. */
  game: string;
  time: Fischer | ByoYomi | Correspondence;
  by_appointment: boolean;
  rated: boolean;
  phase: TournamentPhase;
  starts_at: number;
  players: number;
  max_players: number;
  /** The round that is played, or 0 if all are played together, and how many there are; none in an arena. */
  round: number;
  rounds: number | null;
  /** The name of the first, once it is over. */
  winner: string | null;
  /** Whether one takes part. */
  mine: boolean;
}

/** A guest to create. */
export interface NewGuest {
  name?: string | null;
}

/** A new name. */
export interface Rename {
  name: string;
}

/**
 * A confirmation that everything about a person is to be deleted.
 *
 * It has their id and, with an account, the password or what a passkey has signed.
 */
export interface Deletion {
  id: string;
  password?: string | null;
  passkey?: PasskeyProof | null;
}

/** For how many days data is kept that is deleted by itself. */
export interface Kept {
  /** Challenges without an opponent, and matches that ended before the first move. */
  unplayed: number;
  /** Analyses of whole games. */
  analyses: number;
  /** Guests who have never played, imported, solved, written or created anything. */
  unused: number;
  /** Reports about people that a moderator has handled. */
  reports: number;
}

/** Who is here. */
export interface Here {
  /** People connected, or seen lately. */
  people: number;
  /** Public matches in progress, as many as the list to watch has. */
  playing: number;
  /** One of them. */
  live: MatchCard | null;
  /** A tournament that is played, or else the next. */
  tournament: TournamentCard | null;
}

/** The game of a challenge. */
export interface ChallengeGame {
  game: string;
  options: Record<string, string>;
  name: string;
}

/** An open challenge. */
export interface Challenge {
  match: string;
  by: string;
  mine: boolean;
  game: ChallengeGame;
  rated: boolean;
  /** The rating of who made it. */
  rating: Rating | null;
  side: SideChoice;
  time: TimeControl;
  at: number;
  /** The name of the account of who made it. */
  profile: string | null;
}

/** The open challenges. */
export interface Lobby {
  type: "lobby";
  challenges: Challenge[];
}

/** A position: a setup or a FEN, and moves from there. */
export interface PositionRequest extends GameRequest {
  setup?: string | null;
  fen?: string | null;
  moves?: string[];
}

/** The piece on a square of a position. */
export interface SquareRequest extends GameRequest {
  fen: string;
  square: string;
}

/** The piece on a square of a position, whose reach is wanted. */
export interface ReachRequest extends SquareRequest {
  /** Whether to include squares that the piece could reach only after a move of the opponent. */
  premove?: boolean;
  /** A piece as in FEN: where it could go if it stood alone on the board, captures included. */
  alone?: string | null;
}

/** Why a piece has no legal move; `None` if it has one, or if its side is not to move. */
export interface Idle {
  reason: string | null;
}

/** Who can publish games on this server. */
export interface WhoPublishes {
  who: "nobody" | "tokens" | "everybody";
}

/** A game to publish, or a new version of one. */
export interface NewPublished {
  definition: string;
  /** A publisher's token from the operator, where only they can publish. */
  token?: string | null;
}

/** A version of a published game: the hash of its rules, and when it was published. */
export interface PublishedVersion {
  rules_hash: string;
  at: number;
}

/** A published game, with its versions, the latest last. */
export interface PublishedGame {
  id: string;
  name: string;
  versions: PublishedVersion[];
}

/** The withdrawal of a published game. */
export interface Withdrawal {
  token?: string | null;
}

/** The study that is the inventor's page of a published game; `None` if it has none any more. */
export interface InventorsStudy {
  study: string | null;
  token?: string | null;
}

/** The study that is the inventor's page of a game. */
export interface InventorsPage {
  study: string;
  title: string;
}

/** What is wrong with a published game. */
export interface GameReport {
  reason: string;
}

/** Each speed has ratings of its own. */
export type Speed = "live" | "correspondence";

/** By how many points a match has changed the ratings of its players. */
export interface RatingChanges {
  white: number;
  black: number;
}

/** Somebody's rating in one pool, and the results behind it. */
export interface PoolRating {
  /** The game, or nothing for the rating over all. */
  game: string | null;
  name: string;
  speed: Speed | null;
  rating: number;
  deviation: number;
  provisional: boolean;
  wins: number;
  draws: number;
  losses: number;
}

/** A rating after the last match of a day. */
export interface RatingPoint {
  at: number;
  rating: number;
}

/** Somebody's rating in puzzles of a theme, or of all, and how many they have solved or failed at first. */
export interface PuzzlesRating {
  theme: PuzzleTheme | null;
  rating: number;
  deviation: number;
  provisional: boolean;
  solved: number;
  failed: number;
}

/** The ratings of a person, the most played first. */
export interface PersonRatings {
  name: string;
  pools: PoolRating[];
  /** The first is that of all puzzles. */
  puzzles: PuzzlesRating[];
}

/** A game and a speed in which people have ratings. */
export interface Pool {
  game: string | null;
  name: string;
  speed: Speed | null;
  /** People with a rating, provisional ones too. */
  people: number;
}

/** A person in a list of the highest ratings. */
export interface Ranked {
  place: number;
  name: string;
  rating: number;
  deviation: number;
  games: number;
  you: boolean;
  /** The id of a house engine. */
  house: string | null;
}

/** Numbers of finished matches against people, from the view of one of them. */
export interface PlayedRecord {
  won: number;
  drawn: number;
  lost: number;
}

/** A person's matches of a game; `engine` counts those against the engine. */
export interface GameRecord {
  game: string;
  name: string;
  record: PlayedRecord;
  engine: number;
}

/** A setup that a person has played, and how often. */
export interface FavouriteSetup {
  game: string;
  name: string;
  setup: string;
  matches: number;
}

/** Matches against people won in succession: the longest such series, and the current one. */
export interface Streaks {
  longest: number;
  current: number;
}

/** What the visitor has to do with a person: only the visitor learns of it. */
export interface Relation {
  follows: boolean;
  blocks: boolean;
  /** Whether the visitor may write to them. */
  writes: boolean;
  /** The visitor's own matches against them. */
  record: PlayedRecord;
}

/** A person with an account, as everybody sees them. */
export interface Profile {
  name: string;
  /** When they first came. */
  since: number;
  /** When they were last here, to the hour; `None` if they are signed in nowhere. */
  seen: number | null;
  online: boolean;
  /** The most played first. */
  games: GameRecord[];
  setups: FavouriteSetup[];
  streaks: Streaks;
  /** Public matches in progress, and those that were finished last. */
  running: MatchCard[];
  finished: Archived[];
  /** `None` without a token, and for oneself. */
  relation: Relation | null;
  /** Whether it is the visitor's own. */
  own: boolean;
}

/** Somebody whom a person follows or has blocked. */
export interface Acquaintance {
  /** By what requests name them: the name of an account, or `~` and a reference to a guest. */
  who: string;
  name: string;
  account: boolean;
  online: boolean;
  /** Public matches that they play now. */
  playing: string[];
}

/** A conversation in a list. */
export interface Conversation {
  who: string;
  name: string;
  account: boolean;
  online: boolean;
  /** The beginning of the last message. */
  text: string;
  at: number;
  unread: boolean;
}

/** A message. */
export interface Message {
  id: number;
  mine: boolean;
  text: string;
  at: number;
}

/** Messages of a conversation, the oldest first; `more` if there are older ones. */
export interface MessagePage {
  name: string;
  account: boolean;
  online: boolean;
  messages: Message[];
  more: boolean;
  /** Whether the visitor may write to them now. */
  writes: boolean;
  blocks: boolean;
}

/** A message to send. */
export interface NewMessage {
  text: string;
}

/** Whether one takes messages. */
export interface Reception {
  messages: boolean;
}

/** What a moderator has done to a person, why, and until when if it ends by itself. */
export interface Notice {
  kind: "muted" | "closed" | "renamed";
  reason: string;
  until: number | null;
  at: number;
}

/** What a person should know when they come. */
export interface News {
  /** Conversations with unread messages. */
  unread: number;
  /** Whether they take messages. */
  messages: boolean;
  notices: Notice[];
  /** Of a moderator the number of open reports; `None` for anybody else. */
  reports: number | null;
}

/** There is a new message for the person of the socket. */
export interface Unread {
  type: "unread";
}

/** A report about a person, a line of chat or a message. */
export interface NewReport {
  /** As in paths: the name of an account, `~` and a reference, or a match with `.white`, `.black` or a line. */
  who: string;
  reason: string;
  /** The id of a message of the conversation with them. */
  message?: number | null;
}

/** A line of the text around what was reported. */
export interface ReportedLine {
  name: string;
  text: string;
  at: number;
  /** Whether the person who was reported wrote it, and whether it is what was reported. */
  theirs: boolean;
  reported: boolean;
}

/** The person whom a report is about. */
export interface Reported {
  name: string;
  account: boolean;
  moderator: boolean;
  notices: Notice[];
}

/** An open report. */
export interface Report {
  id: string;
  by: string;
  about: Reported;
  kind: "person" | "line" | "message" | "study";
  reason: string;
  /** What was reported, as it was then. */
  text: string;
  /** What stands around it now. */
  context: ReportedLine[];
  match: string | null;
  at: number;
  study: string | null;
}

export type Sanction = "mute" | "unmute" | "close" | "reopen" | "rename";

/** What a moderator does about somebody: the person of an open report, or somebody with an account. */
export interface Action {
  action: "mute" | "unmute" | "close" | "reopen" | "rename" | "dismiss";
  reason: string;
  report?: string | null;
  who?: string | null;
  /** For how long somebody is muted. */
  hours?: number | null;
  /** The new name. */
  name?: string | null;
}

/** How the numbers of all players spread. */
export interface Spread {
  lowest: number;
  quarter: number;
  median: number;
  three_quarters: number;
  highest: number;
}

/** A player whose moves are closer to the engine's than those of nearly all others, and what that rests on. */
export interface Outlier {
  name: string;
  matches: number;
  positions: number;
  /** The part of the moves that were the engine's first choice, and the mean loss in centipawns. */
  share: number;
  loss: number;
}

/** The rated moves of a game: players with enough positions, how their numbers spread, and who is far from them. */
export interface FairPlayGame {
  game: string;
  name: string;
  players: number;
  share: Spread;
  loss: Spread;
  outliers: Outlier[];
}

/** What moderators see of the comparisons with the engine, and whether new matches are compared. */
export interface FairPlay {
  on: boolean;
  games: FairPlayGame[];
}

/** What was done, by whom, to whom, and why; `by` is empty for the operator. */
export interface LogEntry {
  id: number;
  by: string;
  whom: string;
  action: string;
  reason: string;
  until: number | null;
  name: string | null;
  at: number;
}

/** Entries of the log, the latest first; `more` if there are older ones. */
export interface LogPage {
  entries: LogEntry[];
  more: boolean;
}

/** What was wrong, as a code for programs and a message for people, and where. */
export interface Problem {
  code: string;
  message: string;
  where: string | null;
}

/** Make a move. */
export interface MakeMove {
  type: "move";
  /** In coordinates or SAN. */
  move: string;
  /** The number of the last event seen, as in the other commands. */
  number: number;
  id: string;
}

/** Take back the last move of one's own unfinished turn. */
export interface Undo {
  type: "undo";
  number: number;
  id: string;
}

/** Choose the setup. */
export interface ChooseSetup {
  type: "setup";
  name: string;
  number: number;
  id: string;
}

/** Make an offer. */
export interface MakeOffer {
  type: "offer";
  what: What;
  id: string;
}

/** Answer an offer. */
export interface Answer {
  type: "answer";
  what: What;
  accept: boolean;
  id: string;
}

/** Claim a draw, or a win because the opponent has left. */
export interface Claim {
  type: "claim";
  /** `left`: the opponent has been offline for long enough. */
  what: "draw" | "left";
  id: string;
}

/** Resign. */
export interface Resign {
  type: "resign";
  id: string;
}

/** Abort the match before both sides have moved. */
export interface Abort {
  type: "abort";
  id: string;
}

/** Ask the engine for a hint. */
export interface Hint {
  type: "hint";
  id: string;
}

/** Send a chat message. */
export interface Chat {
  type: "chat";
  text: string;
  id: string;
}

/** The commands of a player in a match. Each is one of `Command` in `crates/match`. */
export type Command = MakeMove | Undo | ChooseSetup | MakeOffer | Answer | Claim | Resign | Abort;

export type ToServer =
  | Hello
  | MakeMove
  | Undo
  | ChooseSetup
  | MakeOffer
  | Answer
  | Claim
  | Resign
  | Abort
  | Hint
  | Chat
  | Ping;

/** The changes made by an event. */
export interface Update {
  type: "update";
  /** The number of the event. */
  number: number;
  /** The number of half-moves of the match, including the one made. */
  ply: number;
  made: MoveMade | null;
  position: Position | null;
  clock: Clock | null;
  phase: Phase;
  offers: Offer[];
  ending: Ending | null;
  rematch: string | null;
  series: Series | null;
  may: May[];
}

/** The match has changed the ratings of its players. */
export interface Rated {
  type: "rated";
  ratings: MatchRatings;
}

/** A chat message. */
export interface ChatMessage {
  type: "chat";
  line: ChatLine;
}

/** Who is online, and from when the opponent may be claimed to have left. */
export interface Presence {
  type: "presence";
  white: boolean;
  black: boolean;
  watchers: number;
  left_claim_at: number | null;
}

/** The turn that the engine would play. */
export interface HintGiven {
  type: "hint";
  id: string;
  moves: string[];
  san: string[];
}

/** The command was carried out and its event stored. */
export interface Ack {
  type: "ack";
  id: string;
  number: number;
}

/** Messages of the server over the socket of a match: first a snapshot, and another after a long disconnection. */
export type FromServer = Snapshot | Update | ChatMessage | Rated | Presence | HintGiven | Ack | Refused | Pong;

/** Messages of the server over the socket of the lobby. */
export type FromLobby = Lobby | Unread | Refused;

export type Access = "private" | "link" | "public";

/** `writer` and `reader` are people whom the owner has added; anybody else who may read is a `visitor`. */
export type Role = "owner" | "writer" | "reader" | "visitor";

export type Mode = "reading" | "exercise";

/** An arrow, or a ring if both squares are the same. */
export interface StudyArrow {
  from: string;
  to: string;
  colour: "lapis" | "vermilion" | "gold";
}

/**
 * A move of a chapter: its number there, that of the move before it, and its annotations.
 *
 * Number 0 is the start, which has no move. The FEN is that of the position after the move.
 */
export interface StudyNode {
  id: number;
  parent: number;
  move: string;
  san: string;
  side: Side;
  turn: number;
  fen: string;
  comment: string;
  nags: number[];
  arrows: StudyArrow[];
}

/** A chapter without its moves. In an exercise, readers find the moves of the main line. */
export interface ChapterInfo {
  id: number;
  title: string;
  /** The game, and its name on the day when the chapter was made. */
  game: string;
  options: Record<string, string>;
  name: string;
  setup: string | null;
  tags: Record<string, string>;
  orientation: Side;
  mode: Mode;
}

/** A chapter with its moves, each after its parent, the start first; `hidden` if the others are to be found. */
export interface StudyChapter {
  info: ChapterInfo;
  nodes: StudyNode[];
  hidden: boolean;
}

/** A chapter was added, as the last one. */
export interface ChapterAdded {
  type: "chapter_added";
  chapter: StudyChapter;
}

/** A chapter has another title, mode or orientation, or another place. */
export interface ChapterChanged {
  type: "chapter_changed";
  chapter: number;
  title: string;
  mode: Mode;
  orientation: Side;
  place: number;
}

/** A chapter was removed. */
export interface ChapterRemoved {
  type: "chapter_removed";
  chapter: number;
}

/** Moves were added, each after its parent, as the last of its children. */
export interface MovesAdded {
  type: "moves_added";
  chapter: number;
  nodes: StudyNode[];
}

/** A move has another comment; if it was deleted, it is back, with the moves before it. */
export interface Commented {
  type: "commented";
  chapter: number;
  node: number;
  text: string;
}

/** A move has other glyphs. */
export interface Marked {
  type: "marked";
  chapter: number;
  node: number;
  nags: number[];
}

/** A position has other arrows. */
export interface Drawn {
  type: "drawn";
  chapter: number;
  node: number;
  arrows: StudyArrow[];
}

/** A move was deleted, with all that follow it. */
export interface Pruned {
  type: "pruned";
  chapter: number;
  node: number;
}

/** Moves that were deleted are back, the first of them first: somebody has written there meanwhile. */
export interface Restored {
  type: "restored";
  chapter: number;
  nodes: number[];
}

/** The line through a move is the main line. */
export interface Promoted {
  type: "promoted";
  chapter: number;
  node: number;
}

/** The study has another title or other access. */
export interface Titled {
  type: "titled";
  title: string;
  access: Access;
}

/** Somebody's data was deleted, and with it the comments that nobody else has written in. */
export interface Forgotten {
  type: "forgotten";
  author: number;
}

export type StudyChange =
  | ChapterAdded
  | ChapterChanged
  | ChapterRemoved
  | MovesAdded
  | Commented
  | Marked
  | Drawn
  | Pruned
  | Restored
  | Promoted
  | Titled
  | Forgotten;

/** A chapter to add: the start of a game, a setup or a position, with a tree of moves in depth-first order. */
export interface NewChapter {
  title: string;
  game: string;
  options?: Record<string, string>;
  setup?: string | null;
  fen?: string | null;
  nodes?: TreeNode[];
  comment?: string;
  tags?: Record<string, string>;
  orientation?: Side;
  mode?: Mode;
}

/** A study to make. */
export interface NewStudy {
  title: string;
  access?: Access;
  /** The first chapter. */
  chapter?: NewChapter | null;
}

/** A new study. */
export interface StudyCreated {
  study: string;
}

/** Another title of a study, or other access. */
export interface StudyRequest {
  title?: string | null;
  access?: Access | null;
}

/** Games in PGN, each of which becomes a chapter. */
export interface StudyPgn {
  pgn: string;
}

/** The chapters made from a PGN, and which parts of it could not be read. */
export interface ChaptersAdded {
  chapters: number[];
  faults: string[];
}

/** What a person may do in a study. */
export interface MemberRequest {
  role: "writer" | "reader";
}

/** What is wrong with a study. */
export interface StudyReport {
  reason: string;
}

/** A person of a study; `who` names them in requests. */
export interface StudyMember {
  who: string;
  name: string;
  account: boolean;
  role: Role;
}

/** A study in a list. */
export interface StudyCard {
  study: string;
  title: string;
  access: Access;
  /** Its owner, and their account's name if they have one. */
  owner: string;
  profile: string | null;
  /** The role of the person who asks. */
  role: Role;
  chapters: number;
  /** The name of the first chapter's game. */
  game: string;
  changed: number;
}

/** A page of studies, those that were changed last first; `next` requests the following page. */
export interface StudyPage {
  studies: StudyCard[];
  next: string | null;
}

/** A study as a person sees it: its people and its chapters, which are read one by one. */
export interface Study {
  type: "study";
  study: string;
  title: string;
  access: Access;
  role: Role;
  /** Whether a moderator has withdrawn it: nobody but its people sees it. */
  withdrawn: boolean;
  members: StudyMember[];
  chapters: ChapterInfo[];
  /** The number of the last operation. */
  number: number;
}

/** The result of an attempt at an exercise, with what the writer says about the last move. */
export interface StudyAttempt {
  result: AttemptResult;
  comment: string;
  /** The whole chapter, once it is solved or shown. */
  chapter: StudyChapter | null;
}

/** Ask for a chapter with its moves. */
export interface OpenChapter {
  type: "open";
  chapter: number;
  id: string;
}

/** Add a line of moves after a move; those that are there already are not added again. */
export interface AddMoves {
  type: "add";
  chapter: number;
  parent: number;
  moves: string[];
  id: string;
}

/** Change the comment on a move, from the text that was edited to a new one; both edits of two people are kept. */
export interface WriteComment {
  type: "comment";
  chapter: number;
  node: number;
  before: string;
  text: string;
  id: string;
}

/** Give a move a glyph, or take it away; of the glyphs 1 to 6 a move has one at most. */
export interface SetGlyph {
  type: "glyph";
  chapter: number;
  node: number;
  nag: number;
  on: boolean;
  id: string;
}

/** Draw an arrow in a position, or take it away. */
export interface DrawArrow {
  type: "draw";
  chapter: number;
  node: number;
  arrow: StudyArrow;
  on: boolean;
  id: string;
}

/** Delete a move and all that follow it, unless somebody else has written there after `seen`. */
export interface Prune {
  type: "prune";
  chapter: number;
  node: number;
  /** The number of the last operation that this page has seen. */
  seen: number;
  id: string;
}

/** Make the line through a move the main line. */
export interface Promote {
  type: "promote";
  chapter: number;
  node: number;
  id: string;
}

/** Change a chapter's title, mode, orientation or place. */
export interface EditChapter {
  type: "edit";
  chapter: number;
  title?: string | null;
  mode?: Mode | null;
  orientation?: Side | null;
  place?: number | null;
  id: string;
}

/** Remove a chapter, unless somebody else has written there after `seen`. */
export interface RemoveChapter {
  type: "remove";
  chapter: number;
  seen: number;
  id: string;
}

export type StudyCommand =
  | AddMoves
  | WriteComment
  | SetGlyph
  | DrawArrow
  | Prune
  | Promote
  | EditChapter
  | RemoveChapter;

export type ToStudy =
  | Hello
  | OpenChapter
  | AddMoves
  | WriteComment
  | SetGlyph
  | DrawArrow
  | Prune
  | Promote
  | EditChapter
  | RemoveChapter
  | Ping;

/** A chapter with its moves, as it is after an operation. */
export interface ChapterSent {
  type: "chapter";
  chapter: StudyChapter;
  number: number;
}

/** An operation: its number, and what it changed. */
export interface StudyChanged {
  type: "change";
  number: number;
  change: StudyChange;
}

export type FromStudy = Study | ChapterSent | StudyChanged | Ack | Refused | Pong;

/** A permission of a token. The first three have the names that lichess uses. */
export type Scope = "bot:play" | "challenge:read" | "challenge:write" | "archive:read" | "archive:write";

/** A token to create. */
export interface NewToken {
  name: string;
  scopes: Scope[];
}

/** A token; its secret is shown only once. */
export interface Token {
  id: string;
  name: string;
  scopes: Scope[];
  at: number;
  token?: string | null;
}

export type TournamentKind = "arena" | "swiss" | "round_robin" | "knockout" | "simul";

export type TournamentPhase = "open" | "running" | "over" | "cancelled";

/**
 * As FIDE's handbook names them: Buchholz, Buchholz cut 1, Sonneborn-Berger, direct encounter, number of wins, number
 * of games won, progressive score, Koya, and the points of all games where a pair plays several.
 */
export type TieBreak = "BH" | "BH-C1" | "SB" | "DE" | "WIN" | "WON" | "PS" | "KS" | "GP";

/**
 * How a tournament is played.
 *
 * A tournament with one `setup`, or one starting position, is thematic.
 */
export interface TournamentSettings {
  kind: TournamentKind;
  game: GameChoice;
  time: Fischer | ByoYomi | Correspondence;
  /** When it starts, or at the earliest. */
  starts_at: number;
  rated?: boolean;
  /** A setup, or who chooses it, as for a match; in tournaments never the engine. */
  setup?: string | null;
  fen?: string | null;
  /** Games of each pair, with alternate colours; of a knockout the best of these. */
  games?: number;
  max_players?: number;
  /** Rounds of a Swiss. */
  rounds?: number;
  /** How often each pair of a round robin meets. */
  cycles?: number;
  /** The length of an arena. */
  minutes?: number;
  /** Seconds between two rounds. */
  pause_s?: number;
  /** The days in which the players of a pair agree on a time to play; without it, games begin with their round. */
  appointment_days?: number | null;
  /** The side of the host of a simul; with nothing it alternates from board to board. */
  host_side?: Side | null;
  /** The number of players up to which house engines enter at the start. */
  fill?: number;
  /** Whether players may enter after the start, and how many rounds a player may sit out for half a point each. */
  late_entry?: boolean;
  byes?: number;
  tie_breaks?: TieBreak[];
}

/** A tournament to make. */
export interface NewTournament {
  name: string;
  description?: string;
  settings: TournamentSettings;
}

/** A tournament that was made. */
export interface TournamentMade {
  tournament: string;
}

/** The most players of a kind of tournaments, and its usual tie-breaks, if it has any. */
export interface TournamentLimits {
  kind: TournamentKind;
  max_players: number;
  tie_breaks: TieBreak[];
}

/** The tournaments that are played, those to come, and the latest that are over; and what one may make. */
export interface TournamentList {
  running: TournamentCard[];
  coming: TournamentCard[];
  over: TournamentCard[];
  more: boolean;
  may_make: boolean;
  kinds: TournamentLimits[];
  tie_breaks: TieBreak[];
}

/** What a player did in a round, or in an arena in a game. */
export interface RoundResult {
  round: number;
  /** Nobody without an opponent: after a bye, or who was not there. */
  opponent: number | null;
  side: Side | null;
  /** What it was worth; nothing yet while it is played. */
  points: number | null;
  /** Whether nothing was played: a bye, or a game without a move of each side. */
  unplayed: boolean;
  /** The board, for its games. */
  board: number | null;
}

/** A player and where they stand. */
export interface TournamentPlayer {
  player: number;
  name: string;
  /** The name of the account, and the id of a house engine. */
  profile: string | null;
  house: string | null;
  rating: Rating;
  rank: number;
  /** In a knockout the number of rounds that they have passed. */
  points: number;
  /** In the order of the tournament's tie-breaks. */
  tie_breaks: number[];
  /** Whether they still play. */
  active: boolean;
  /** In an arena, whether they have won their last two games, so that points count double. */
  on_fire: boolean;
  results: RoundResult[];
}

/** A game of a pair, and its result as the first player's share of the points, once it is over. */
export interface TournamentGame {
  match: string;
  white: number;
  points: number | null;
}

/** A pair of a round and its games. */
export interface TournamentBoard {
  board: number;
  round: number;
  players: number[];
  games: TournamentGame[];
  /** The points of the pair, once it is decided. */
  points: number[] | null;
  /** By appointment: when they play, as soon as they have agreed; by when they must; and who of them is there. */
  appointment: number | null;
  until: number | null;
  there: number[];
}

/** A tournament as everybody sees it. */
export interface Tournament {
  tournament: string;
  /** The number of the last event. */
  number: number;
  name: string;
  description: string;
  /** Who made it, and hosts a simul; nobody if they are gone. */
  by: string | null;
  profile: string | null;
  settings: TournamentSettings;
  /** The name of the game. */
  game: string;
  phase: TournamentPhase;
  starts_at: number;
  /** When an arena ends. */
  ends_at: number | null;
  round: number;
  rounds: number | null;
  /** When the next round is paired. */
  next_round_at: number | null;
  /** In order of their places. */
  players: TournamentPlayer[];
  /** In an arena only those in progress and the latest. */
  boards: TournamentBoard[];
  /**
   * Of a knockout: who is in which place before each round, as far as that is known, and at the end the winner.
   * Neighbours meet; in the first round nobody stands for a bye.
   */
  bracket: (number | null)[][];
  tie_breaks: TieBreak[];
}

/** When a player could play. */
export interface ProposedTimes {
  player: number;
  times: number[];
}

/** What the players of a pair have proposed to each other. */
export interface BoardTalk {
  board: number;
  proposals: ProposedTimes[];
}

export type TournamentMay = "enter" | "withdraw" | "bye" | "edit";

/** What a person is and may do in a tournament. */
export interface OwnTournament {
  player: number | null;
  may: TournamentMay[];
  /** The rounds that one sits out for half a point. */
  byes: number[];
  talks: BoardTalk[];
}

/** A round that one wants to sit out for half a point. */
export interface ByeWish {
  round: number;
}

/** When one could play the games of a pair. */
export interface TimesProposed {
  times: number[];
}

/** A time that the opponent has proposed. */
export interface TimeAccepted {
  at: number;
}

/** How the organiser decides a pair that was not played: who gets the point, or nobody. */
export interface BoardRuling {
  winner: number | null;
}

/** A new name and description. */
export interface TournamentDescription {
  name: string;
  description: string;
}

/** When a tournament is to start. */
export interface TournamentStart {
  at: number;
}

/** Whether one has a calendar of one's own; and its address with a secret, when it is made. */
export interface OwnCalendar {
  exists: boolean;
  path: string | null;
}

/** A tournament has changed. */
export interface TournamentNews {
  type: "tournament";
  /** With `since`, it has only the players and boards that have changed, apart from the players' ranks. */
  tournament: Tournament;
  /** The number of the event after which they changed. */
  since: number | null;
  /** With `since`, all players by place and their ranks, and all boards that are listed. */
  order: number[];
  ranks: number[];
  listed: number[];
}

/** The best match in progress of a kind: of a game, live or by correspondence. */
export interface Channel {
  /** As the pools of ratings: `magi/live`. */
  kind: string;
  card: MatchCard;
  /** The mean rating of its players; an engine without a name counts as none. */
  rating: number;
}

/** The match of a day: the most dramatic of those that were finished the day before, or last. */
export interface DayMatch {
  day: string;
  match: Archived;
  /** How far the chances travelled. */
  drama: number;
}

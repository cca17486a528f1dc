// Scenes to look at and to test with: positions of the games, from the Python library. In the URL
// `?scene=NAME` chooses one and `&theme=dark` the theme; further parts are settings, such as `&pieceSet=letters`.

import pieces from "../pieces.svg?raw";
import {
  type BoardOptions,
  createBoard,
  installPieces,
  type PieceType,
  type Position,
  type Reach,
  type SetupPhase,
  type Side,
} from "../src/index.ts";
import scenes from "./scenes.json";

interface Scene {
  game: string;
  files: number;
  ranks: number;
  pieceTypes: PieceType[];
  position: Position;
  reach: Record<string, Reach[]>;
  start: string;
  setup: { phase: SetupPhase; name: string; number: number; last: string } | null;
  seat: Side;
  note: string | null;
}

type Heard = [string, unknown];

declare global {
  interface Window {
    board: ReturnType<typeof createBoard>;
    scene: Scene;
    heard: Heard[];
    /** Set by tests: returns the position after some moves, from the library. */
    rules?: (game: string, fen: string, moves: string[]) => Promise<Position>;
    readMove?: (game: string, fen: string, text: string) => Promise<string | null>;
    reachOf?: (game: string, fen: string, square: string) => Promise<Reach[]>;
    /** Makes a move for the other side. */
    answer: (move: string) => Promise<void>;
    setupNumber?: (game: string, name: string) => Promise<number | null>;
  }
}

const all = scenes as unknown as Record<string, Scene>;
const query = new URLSearchParams(location.search);
const name = query.get("scene") ?? "maasai";
const scene = all[name] as Scene;
const theme = query.get("theme");
if (theme) document.documentElement.dataset.theme = theme;

const nav = document.querySelector("nav") as HTMLElement;
for (const other of Object.keys(all)) {
  const link = document.createElement("a");
  link.href = `?scene=${other}`;
  link.textContent = other;
  if (other === name) link.setAttribute("aria-current", "page");
  nav.append(link);
}

const heard: Heard[] = [];
const hear = (what: string) => (value?: unknown) => heard.push([what, value]);
let position = scene.position;
let moves: string[] = [];

async function follow(made: string[]): Promise<void> {
  moves = made;
  if (!window.rules) return;
  position = await window.rules(scene.game, scene.position.fen, moves);
  window.board.set({ position });
}

const switches = Object.fromEntries([...query].filter(([key]) => key !== "scene" && key !== "theme"));
const options: BoardOptions = {
  files: scene.files,
  ranks: scene.ranks,
  pieceTypes: scene.pieceTypes,
  position,
  seat: scene.seat,
  orientation: scene.seat,
  fit: innerWidth < 600 ? "width" : "box",
  start: scene.start,
  promotionNote: scene.note,
  setup: scene.setup ? { ...scene.setup, problem: null, mine: true } : null,
  ...switches,
  onMove(move) {
    heard.push(["move", move.move]);
    void follow([...moves, move.move]);
  },
  onUndo() {
    heard.push(["undo", null]);
    void follow(moves.slice(0, -1));
  },
  async reach(square, _, alone) {
    if (alone) return [];
    return window.reachOf ? window.reachOf(scene.game, position.fen, square) : (scene.reach[square] ?? []);
  },
  read: async (text) => window.readMove?.(scene.game, position.fen, text) ?? null,
  async onArrange(arranged) {
    heard.push(["arrange", arranged]);
    const number = arranged && window.setupNumber ? await window.setupNumber(scene.game, arranged) : null;
    if (options.setup) {
      options.setup = { ...options.setup, number };
      window.board.set({ setup: options.setup });
    }
  },
  onPremove: hear("premove"),
  onInspect: hear("inspect"),
  onDraw: hear("draw"),
  onShuffle: hear("shuffle"),
  onSetup: hear("setup"),
};

installPieces(pieces);
window.scene = scene;
window.heard = heard;
window.answer = (move) => follow([...moves, move]);
window.board = createBoard(document.getElementById("board") as HTMLElement, options);

// The pages that other sites show in a frame. They run in a sandbox, without an origin: no token can be read here, and
// what is fetched is fetched by nobody.

import { fromFragment, type Shared } from "../../app/src/analysis/share.ts";
import "./index.ts";
import look from "./embed.css?inline";
import type { Language } from "./wanted.ts";

const { kind, follow, judge, texts } = document.documentElement.dataset;
const language: Language = document.documentElement.lang === "fr" ? "fr" : "en";

const TEXTS = {
  en: {
    solved: "Solved.",
    right: "Right. Go on.",
    wrong: "Not the solution. Try again.",
    lost: "No connection. Try again.",
    incomplete: "This link is incomplete.",
  },
  fr: {
    solved: "Résolu.",
    right: "Juste. Continuez.",
    wrong: "Ce n’est pas la solution. Réessayez.",
    lost: "Pas de connexion. Réessayez.",
    incomplete: "Ce lien est incomplet.",
  },
}[language];

/** Milliseconds between two looks at a match in progress, and for which a wrong move stays on the board. */
const FOLLOW_MS = 5000;
const WRONG_MS = 900;

const sheet = new CSSStyleSheet();
sheet.replaceSync(look);
document.adoptedStyleSheets = [sheet];

const board = document.querySelector("acedrex-board");
const told = document.querySelector(".told");
if (board instanceof HTMLElement) shape(board);
if (board && follow) followMatch(board, follow);
if (board && judge) solve(board, judge);
if (board && texts) showTexts(board, texts);
if (kind === "analysis") showAnalysis().catch(() => tell(TEXTS.incomplete));

function tell(text: string): void {
  if (told) told.textContent = text;
}

/** Let the board be as large as the frame, whatever its shape. */
function shape(element: HTMLElement): void {
  const game = element.getAttribute("fen")?.split(" ", 1)[0]?.split("/") ?? [];
  const files = [...(game[0] ?? "").matchAll(/\d+|[A-Za-z]/g)].reduce((sum, [token]) => sum + (Number(token) || 1), 0);
  if (files > 0) element.style.setProperty("--shape", String(files / game.length));
}

async function fetched(address: string): Promise<Record<string, unknown>> {
  const answer = await fetch(address, { credentials: "omit", referrerPolicy: "no-referrer" });
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}

/** Look for new moves while the page is seen, until the match is over. */
function followMatch(element: Element, address: string): void {
  const look = async (): Promise<void> => {
    if (document.visibilityState === "visible") {
      const { moves, over } = await fetched(address).catch(() => ({ moves: null, over: false }));
      if (typeof moves === "string" && moves !== element.getAttribute("moves")) element.setAttribute("moves", moves);
      if (over) return;
    }
    setTimeout(look, FOLLOW_MS);
  };
  setTimeout(look, FOLLOW_MS);
}

/** Judge each move of a puzzle. */
function solve(element: Element, address: string): void {
  let accepted = "";
  element.addEventListener("move", async (event) => {
    const { by, moves } = (event as CustomEvent<{ by: string; moves: string[] }>).detail;
    if (by !== "reader") return;
    try {
      const {
        verdict,
        moves: made,
        comment,
      } = await fetched(`${address}?${new URLSearchParams({ moves: moves.join(" ") })}`);
      const good = verdict === "right" || verdict === "solved";
      if (good && typeof made === "string") accepted = made;
      const said = verdict === "solved" ? TEXTS.solved : good ? TEXTS.right : TEXTS.wrong;
      tell(typeof comment === "string" && comment ? `${said} ${comment}` : said);
      setTimeout(() => element.setAttribute("moves", accepted), good ? 0 : WRONG_MS);
    } catch {
      tell(TEXTS.lost);
      element.setAttribute("moves", accepted);
    }
  });
}

/** Show the comment on each move of a study's chapter as it is stepped to, also if they arrive after the first step. */
function showTexts(element: Element, address: string): void {
  let at: number | null = null;
  let comments: unknown[] | null = null;
  const say = () => {
    if (comments && at !== null) tell(String(comments[at] ?? ""));
  };
  element.addEventListener("step", (event) => {
    at = (event as CustomEvent<{ at: number }>).detail.at;
    say();
  });
  fetched(address).then(
    (told) => {
      comments = Array.isArray(told.comments) ? told.comments : null;
      say();
    },
    () => tell(TEXTS.lost),
  );
}

/** Show the analysis in the address: its main line, with the comments. */
async function showAnalysis(): Promise<void> {
  const shared = await fromFragment(new URLSearchParams(location.hash.slice(1)).get("a") ?? "");
  if (!shared) return tell(TEXTS.incomplete);
  const line = mainLine(shared);
  const element = document.createElement("acedrex-board");
  const chosen = Object.entries(shared.options ?? {}).map(([name, value]) => `${name}=${value}`);
  const at = line.indexOf(shared.at);
  const attributes: Record<string, string> = {
    game: chosen.length > 0 ? `${shared.game}:${chosen.join(",")}` : shared.game,
    fen: shared.fen,
    moves: line.map((index) => shared.nodes[index]?.move).join(" "),
    at: String(at + 1),
    orientation: shared.orientation === "black" ? "black" : "white",
  };
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  shape(element);
  const comment = (made: number): void => {
    const node = shared.nodes[line[made - 1] ?? -1];
    tell(String((made === 0 ? shared.comment : node?.comment) ?? ""));
  };
  element.addEventListener("step", (event) => comment((event as CustomEvent<{ at: number }>).detail.at));
  comment(at + 1);
  document.body.prepend(element);
  const link = document.querySelector<HTMLAnchorElement>(".caption a");
  if (link) link.hash = location.hash;
}

/** Return the indices of the nodes of the main line: of each node, the first that follows. */
function mainLine({ nodes }: Shared): number[] {
  const line: number[] = [];
  for (let from = -1; line.length <= nodes.length; ) {
    const next = nodes.findIndex(({ parent }, index) => parent === from && index > from);
    if (next < 0) break;
    line.push(next);
    from = next;
  }
  return line;
}

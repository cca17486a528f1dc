import { Lightbulb, RotateCcw, Swords } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { api } from "../client";
import { count, t } from "../i18n";
import { BoardView } from "../parts/board";
import { Icon } from "../parts/icon";
import { newGameAt } from "../parts/links";
import { refusalText, Show, useLoaded } from "../parts/loaded";
import { orHere, type Refusal, thrownRefusal } from "../refusal";
import type { AttemptResult, Game, Position, Puzzle } from "../wire";

interface Props {
  game: Game;
  puzzle: Puzzle;
  /** Has the server judge the moves so far, or show the solution. */
  attempt: (moves: string[], show: boolean) => Promise<AttemptResult>;
  onSolved: () => void;
  /** Called at the first mistake, or when the solution is shown. */
  onFailed?: () => void;
  /** Whether the solution can be shown and the puzzle be started again. */
  help?: boolean;
  /** Whether the keyboard is on the board from the start. */
  focused?: boolean;
  /** Shown once the puzzle is solved. */
  after?: ComponentChildren;
  /** Shown beside the board, below the buttons. */
  beside?: ComponentChildren;
}

/** A puzzle on a board; the server judges every attempt or, without a network, this browser. */
export function PuzzleBoard(props: Props) {
  const { game, puzzle } = props;
  const loaded = useLoaded(
    (signal) =>
      orHere(api.position({ game: game.id, fen: puzzle.fen }, signal), async () => (await here(props, [])).position),
    [game.id, puzzle.fen],
  );
  return <Show loaded={loaded}>{(start) => <Solving {...props} start={start} />}</Show>;
}

async function here({ game, puzzle }: Props, moves: string[], show = false): Promise<AttemptResult> {
  return (await import("../local/judge")).judge(game.id, puzzle, moves, show);
}

function Solving(props: Props & { start: Position }) {
  const { game, puzzle, attempt, onSolved, onFailed, help = true, focused = false, after, beside, start } = props;
  const failed = useRef(false);
  const board = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focused) board.current?.querySelector<HTMLElement>('[data-square][tabindex="0"]')?.focus();
  }, []);
  const [tried, setTried] = useState<AttemptResult | null>(null);
  const [trouble, setTrouble] = useState<Refusal | null>(null);
  const [wrong, setWrong] = useState(0);
  // A new object of the same position makes the board take back a wrong move.
  const position = useMemo(() => ({ ...(tried?.position ?? start) }), [tried, start, wrong, trouble]);
  const over = tried?.verdict === "solved" || tried?.verdict === "shown";

  async function ask(moves: string[], show: boolean): Promise<void> {
    try {
      const answer = await orHere(attempt(moves, show), () => here(props, moves, show));
      setTrouble(null);
      setTried(answer);
      if (answer.verdict === "wrong") setWrong((number) => number + 1);
      if (answer.verdict === "solved") onSolved();
      if ((answer.verdict === "wrong" || answer.verdict === "shown") && !failed.current) {
        failed.current = true;
        onFailed?.();
      }
    } catch (error) {
      setTrouble(thrownRefusal(error));
    }
  }

  return (
    <>
      <p class="goal">{goal(game, puzzle)}</p>
      <div class="beside-board puzzle" style={{ "--aspect": String(game.files / game.ranks) }}>
        <div ref={board}>
          <BoardView
            class="picture"
            files={game.files}
            ranks={game.ranks}
            pieceTypes={game.pieces}
            position={position}
            seat={over ? null : puzzle.side}
            orientation={puzzle.side}
            premoves={false}
            confirm="never"
            fit="width"
            onMove={(move) => ask([...(tried?.moves ?? []), move.move], false)}
            reach={api.reachIn({ game: game.id, options: {} }, position.fen)}
          />
        </div>
        <div>
          <p role="status" class={`verdict ${tried?.verdict ?? ""}`}>
            {trouble ? refusalText(trouble) : tried ? t(`puzzle.${tried.verdict}`) : t("puzzle.begin")}
            {tried?.verdict === "shown" && <span class="line"> {tried.moves.join(" ")}</span>}
          </p>
          {over && after}
          <div class="together">
            {help && !over && (
              <button type="button" onClick={() => ask([], true)}>
                <Icon of={Lightbulb} size={18} /> {t("puzzle.show")}
              </button>
            )}
            {help && tried && (
              <button type="button" onClick={() => setTried(null)}>
                <Icon of={RotateCcw} size={18} /> {t("learn.again")}
              </button>
            )}
            {over && (
              <a class="button" href={newGameAt({ game: game.id, fen: puzzle.fen })}>
                <Icon of={Swords} size={18} /> {t("positions.play")}
              </a>
            )}
          </div>
          {beside}
        </div>
      </div>
    </>
  );
}

/** Returns the task of a puzzle as text. */
export function goal(game: Game, { side, goal, moves, takes }: Puzzle): string {
  if (goal === "mate") return count(side === "white" ? "puzzle.mate.white" : "puzzle.mate.black", moves);
  if (goal === "turn_mate") return count(side === "white" ? "puzzle.turn.white" : "puzzle.turn.black", moves);
  if (goal === "win") return count(side === "white" ? "puzzle.win.white" : "puzzle.win.black", moves);
  if (goal === "defence") return t(side === "white" ? "puzzle.defence.white" : "puzzle.defence.black");
  if (goal === "capture" && takes > 1)
    return t(side === "white" ? "puzzle.captures.white" : "puzzle.captures.black", { takes, moves });
  const piece = game.pieces.find((kind) => kind.royal)?.name ?? "";
  const white = side === "white";
  const text =
    goal === "save"
      ? count(white ? "puzzle.save.white" : "puzzle.save.black", moves)
      : count(white ? "puzzle.capture.white" : "puzzle.capture.black", moves);
  return text.replace("{piece}", piece);
}

/** Returns the name of the piece or rule that an exercise is about. */
export function about(game: Game, { teaches }: Puzzle): string {
  const piece = game.pieces.find((kind) => kind.letter === teaches)?.name;
  return piece ?? game.rules.find((rule) => rule.key === teaches)?.title ?? "";
}

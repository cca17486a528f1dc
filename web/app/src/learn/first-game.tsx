import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api, at, type Refusal } from "../client";
import { count, t } from "../i18n";
import { useArranging } from "../parts/arranging";
import { BoardView, Picture, PieceDrawing } from "../parts/board";
import { Trouble, useLoaded } from "../parts/loaded";
import { SetupScore } from "../parts/setup-score";
import { specialMoves, specialMoveText } from "../parts/special-moves";
import { thrownRefusal } from "../refusal";
import type { Example, Game, LegalMove, PieceType } from "../wire";
import { beginFirst } from "./begin";
import { firstGameProgress, saveFirstGame } from "./progress";
import { isExpected, legalReach, type Step, squaresOf } from "./steps";

/** One step at a time, with the progress and the buttons to go on, back, or straight to the game. */
export function FirstGameSteps({ game, steps }: { game: Game; steps: Step[] }) {
  const [progress, setProgress] = useState(() => firstGameProgress(game.id));
  const last = steps.length - 1;
  const number = Math.min(progress.step, last);
  const step = steps[number] as Step;
  const done = progress.done.includes(number);
  const heading = useRef<HTMLDivElement>(null);
  const moved = useRef(false);

  useEffect(() => {
    saveFirstGame(game.id, progress);
  }, [progress]);
  // A new step is read from its beginning.
  useEffect(() => {
    if (moved.current) heading.current?.querySelector("h2")?.focus({ preventScroll: true });
    if (moved.current) heading.current?.scrollIntoView({ block: "start" });
  }, [number]);

  const goTo = (next: number) => {
    moved.current = true;
    setProgress({ ...progress, step: next });
  };
  const finish = () => setProgress((before) => ({ ...before, done: [...new Set([...before.done, number])] }));
  const ready = done || step.kind === "intro";
  const shared = {
    game,
    done,
    finish,
    navigation: (
      <nav class="together step-buttons" aria-label={t("first.steps")}>
        {number > 0 && (
          <button type="button" onClick={() => goTo(number - 1)}>
            {t("first.back")}
          </button>
        )}
        {number < last && (
          <button type="button" class={ready ? "primary" : ""} onClick={() => goTo(number + 1)}>
            {t("first.next")}
          </button>
        )}
        {number < last && (
          <button type="button" class="quiet" onClick={() => goTo(last)}>
            {t("first.skip")}
          </button>
        )}
        <a href={at(`/learn/${encodeURIComponent(game.id)}`)}>{t("new.rules")}</a>
      </nav>
    ),
  };
  return (
    <div class="first-game" ref={heading} style={{ "--aspect": String(game.files / game.ranks) }}>
      <p class="step-number">
        <label class="figures muted" for="first-game-progress">
          {t("first.step", { number: number + 1, count: steps.length })}
        </label>
        <progress id="first-game-progress" max={steps.length} value={number + 1} />
      </p>
      <StepView key={number} step={step} steps={steps} {...shared} />
    </div>
  );
}

interface Shared {
  game: Game;
  /** Whether the task of the step was done, now or earlier. */
  done: boolean;
  finish: () => void;
  navigation: ComponentChildren;
}

function StepView({ step, steps, ...shared }: Shared & { step: Step; steps: Step[] }) {
  switch (step.kind) {
    case "intro":
      return <Intro {...shared} steps={steps} />;
    case "try":
      return <Try {...shared} example={step.example} />;
    case "setup":
      return <Arrange {...shared} />;
    case "play":
      return <Begin {...shared} />;
  }
}

function Beside({ board, children }: { board: ComponentChildren; children: ComponentChildren }) {
  return (
    <div class="beside-board">
      <div>{board}</div>
      <div>{children}</div>
    </div>
  );
}

const pieceTypeOf = (game: Game, letter: string): PieceType | undefined =>
  game.pieces.find((piece) => piece.letter === letter);
const ruleOf = (game: Game, key: string) => game.rules.find((rule) => rule.key === key);

/** The starting position as a picture. */
function Start({ game }: { game: Game }) {
  return (
    <div aria-hidden="true">
      <Picture files={game.files} ranks={game.ranks} pieceTypes={game.pieces} fen={game.start_fen} />
    </div>
  );
}

/** What is different from chess: the new pieces and the special rules. */
function Intro({ game, navigation, steps }: Shared & { steps: Step[] }) {
  const tried = steps.flatMap((step) => (step.kind === "try" ? [step.example] : []));
  const pieceTypes = tried.flatMap(({ piece }) => pieceTypeOf(game, piece) ?? []);
  const rules = [...new Set(tried.map(({ rule }) => rule))].flatMap((key) => ruleOf(game, key) ?? []);
  return (
    <Beside board={<Start game={game} />}>
      <h2 tabIndex={-1}>{t("first.different")}</h2>
      <p>{game.summary}</p>
      {pieceTypes.length > 0 && (
        <>
          <h3>{count("first.kinds", pieceTypes.length)}</h3>
          <ul class="plain new-kinds">
            {pieceTypes.map((kind) => (
              <li key={kind.letter}>
                <PieceDrawing kind={kind} side="white" size={28} /> {kind.name}
              </li>
            ))}
          </ul>
        </>
      )}
      {rules.length > 0 && (
        <>
          <h3>{t("learn.rules")}</h3>
          <ul>
            {rules.map((rule) => (
              <li key={rule.key}>{rule.title}</li>
            ))}
          </ul>
        </>
      )}
      <p>{t(tried.length > 0 ? "first.lead" : "first.lead.none")}</p>
      {navigation}
    </Beside>
  );
}

/** A task on the board: the moves of an example, made by the person. */
function Try({ game, done, finish, navigation, example }: Shared & { example: Example }) {
  const [moves, setMoves] = useState<string[]>([]);
  const [wrong, setWrong] = useState(0);
  const request = { game: game.id, options: example.options, fen: example.fen, moves };
  const { value, error, again } = useLoaded((signal) => api.position(request, signal), [game.id, example, moves]);
  // A new object of the same position makes the board take back a move that is not the task's.
  const position = useMemo(() => value && { ...value }, [value, wrong, error]);
  const expected = example.moves[moves.length];
  const squares = squaresOf(expected ?? "");
  const shown = useMemo(
    () => (position && squares ? { square: squares.from, reach: legalReach(position, squares.from) } : null),
    [position, expected],
  );
  const arrows = useMemo(
    () => (squares && example.rule ? [{ ...squares, colour: "gold" as const }] : []),
    [expected, example],
  );
  const kind = pieceTypeOf(game, example.piece);
  const over = expected === undefined;

  const play = (move: LegalMove) => {
    if (!isExpected(move, expected)) {
      setWrong((number) => number + 1);
      return;
    }
    setWrong(0);
    const next = [...moves, move.move];
    setMoves(next);
    if (next.length === example.moves.length) finish();
  };

  return (
    <Beside
      board={
        <BoardView
          class="picture"
          files={game.files}
          ranks={game.ranks}
          pieceTypes={game.pieces}
          position={position}
          seat={over ? null : "both"}
          shown={shown}
          hints={arrows}
          confirm="never"
          fit="width"
          onMove={play}
          reach={api.reachIn({ game: game.id, options: example.options }, position?.fen ?? example.fen)}
        />
      }
    >
      <h2 class="kind-name" tabIndex={-1}>
        {kind && <PieceDrawing kind={kind} side="white" size={44} />}
        {kind && <PieceDrawing kind={kind} side="black" size={44} />}
        {kind?.name ?? ruleOf(game, example.rule)?.title}
      </h2>
      {kind && <p>{kind.help}</p>}
      {example.text && <p>{example.text}</p>}
      {!over && <p class="task">{taskText(game, example, expected, value?.pieces ?? [])}</p>}
      <p role="status" class={`verdict ${over || done ? "solved" : wrong ? "wrong" : ""}`}>
        {over ? t("first.done") : wrong ? t("first.other") : done ? t("first.doneBefore") : ""}
      </p>
      {error && <Trouble error={error} again={again} />}
      <div class="together">
        {!over &&
          value &&
          specialMoves(value.legal).map((move) => (
            <button type="button" key={move.move} onClick={() => play(move)}>
              {specialMoveText(move.move)}
            </button>
          ))}
        {moves.length > 0 && (
          <button type="button" onClick={() => setMoves([])}>
            {t("learn.again")}
          </button>
        )}
      </div>
      {navigation}
    </Beside>
  );
}

/** Returns the next move of a task as an instruction. */
function taskText(
  game: Game,
  { piece }: Example,
  expected: string,
  pieces: readonly { square: string; letter: string }[],
): string {
  const squares = squaresOf(expected);
  if (!squares) return expected === "end" ? t("first.end") : t("first.special", { move: specialMoveText(expected) });
  const nameAt = (square: string) => pieceTypeOf(game, pieces.find((one) => one.square === square)?.letter ?? "")?.name;
  const [mover, target] = [nameAt(squares.from), nameAt(squares.to)];
  if (!mover) return "";
  if (piece && target) return t("first.capture", { piece: mover, target, ...squares });
  return t("first.move", { piece: mover, ...squares });
}

/** The setup phase, as Black sees it. */
function Arrange({ game, done, finish, navigation }: Shared) {
  const arranging = useArranging(game, game.setup, true, finish);
  const loaded = useLoaded((signal) => api.position({ game: game.id }, signal), [game.id]);
  return (
    <Beside
      board={
        <BoardView
          class="picture"
          files={game.files}
          ranks={game.ranks}
          pieceTypes={game.pieces}
          position={loaded.value}
          orientation="black"
          setup={arranging.choice}
          fit="width"
          reach={api.reachIn({ game: game.id, options: {} }, loaded.value?.fen ?? game.start_fen)}
          onArrange={arranging.arrange}
          onShuffle={arranging.shuffle}
          onSetup={arranging.confirm}
        />
      }
    >
      <h2 tabIndex={-1}>{ruleOf(game, "setup")?.title ?? t("learn.setup")}</h2>
      <p>{ruleOf(game, "setup")?.text}</p>
      <p class="task">{t("first.arrange")}</p>
      <p>
        <SetupScore game={game} name={arranging.arranged} />
      </p>
      <p role="status" class={`verdict ${done ? "solved" : ""}`}>
        {done && t("first.done")}
      </p>
      {loaded.error && <Trouble error={loaded.error} again={loaded.again} />}
      {navigation}
    </Beside>
  );
}

/** The button that starts a game against the weakest engine. */
function Begin({ game, navigation }: Shared) {
  const { route } = useLocation();
  const [error, setError] = useState<Refusal | null>(null);
  const [busy, setBusy] = useState(false);
  const start = () => {
    setBusy(true);
    beginFirst({ id: game.id, setups: game.setup?.count ?? 1 }).then(
      (match) => route(at(`/match/${match}`)),
      (problem: unknown) => {
        setError(thrownRefusal(problem));
        setBusy(false);
      },
    );
  };
  return (
    <Beside board={<Start game={game} />}>
      <h2 tabIndex={-1}>{t("first.play")}</h2>
      <p>{t("first.play.lead")}</p>
      <ul>
        <li>{t("first.play.names")}</li>
        <li>{t("first.play.help")}</li>
        <li>{t("first.play.hint")}</li>
      </ul>
      <p>
        <button type="button" class="primary" disabled={busy} onClick={start}>
          {t("first.play.start")}
        </button>
      </p>
      {error && <Trouble error={error} />}
      {navigation}
    </Beside>
  );
}

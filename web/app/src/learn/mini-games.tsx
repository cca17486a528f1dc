import { stillPosition } from "@acedrex/board";
import { Check } from "lucide";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api, at, type Refusal } from "../client";
import { load, save } from "../client/storage";
import { t } from "../i18n";
import { useArranging } from "../parts/arranging";
import { BoardView } from "../parts/board";
import { useGame } from "../parts/games";
import { Icon } from "../parts/icon";
import { Trouble, useLoaded } from "../parts/loaded";
import { thrownRefusal } from "../refusal";
import type { Game, GameSummary, LegalMove } from "../wire";
import { beginFirst } from "./begin";
import found from "./mini-games.json";
import { isExpected } from "./steps";
import "../style/learn.css";

/** A position with one move that does what is asked, after the moves that led to it. */
interface Task {
  fen: string;
  before: string[];
  move: string;
}

const names = ["lion", "cannon", "passing", "setup"] as const;
type Name = (typeof names)[number];
/** Each teaches one idea by playing it, in about a minute. */
const miniGames = found as { id: Name; game: string; tasks: Task[] }[];

const stored = (): Name[] => {
  const done = load("mini-games");
  return Array.isArray(done) ? names.filter((name) => done.includes(name)) : [];
};

/** Boards to touch: games of a minute for somebody who has never seen these pieces, then a whole game. */
export function MiniGames({ games }: { games: GameSummary[] }) {
  const [done, setDone] = useState(stored);
  const [number, setNumber] = useState(() =>
    Math.max(
      0,
      miniGames.findIndex(({ id }) => !stored().includes(id)),
    ),
  );
  const heading = useRef<HTMLHeadingElement>(null);
  const current = miniGames[number] as (typeof miniGames)[number];
  const { value: game, error, again } = useGame(current.game);
  const next = miniGames[number + 1];
  const finish = () => {
    const all = names.filter((name) => name === current.id || stored().includes(name));
    save("mini-games", all);
    setDone(all);
  };
  // A new task is read from its beginning, with the board in sight.
  const begin = () => heading.current?.focus();
  const goTo = (place: number) => {
    setNumber(place);
    begin();
  };
  const shared = {
    key: current.id,
    begin,
    finish,
    after: <After next={next && (() => goTo(number + 1))} summary={games.find(({ id }) => id === "magi")} />,
  };
  return (
    <section class="mini" aria-labelledby="mini">
      <h2 id="mini" ref={heading} tabIndex={-1}>
        {t(`mini.${current.id}`)}
      </h2>
      {error && <Trouble error={error} again={again} />}
      {game?.id !== current.game ? (
        <div class="square" />
      ) : current.id === "setup" ? (
        <Arrange game={game} {...shared} />
      ) : (
        <Tasks name={current.id} tasks={current.tasks} game={game} {...shared} />
      )}
      <nav class="numbers" aria-label={t("mini.all")}>
        {miniGames.map(({ id }, place) => (
          <button
            key={id}
            type="button"
            aria-current={place === number ? "step" : undefined}
            onClick={() => goTo(place)}
          >
            {place + 1}
            <span class="hidden">
              {" "}
              {done.includes(id) ? t("mini.done", { name: t(`mini.${id}`) }) : t(`mini.${id}`)}
            </span>
            {done.includes(id) && <Icon of={Check} size={14} />}
          </button>
        ))}
      </nav>
    </section>
  );
}

/** Positions in a row, in each of which one move does what is asked. */
function Tasks({
  name,
  tasks,
  game,
  begin,
  finish,
  after,
}: {
  name: Exclude<Name, "setup">;
  tasks: Task[];
  game: Game;
  begin: () => void;
  finish: () => void;
  after: preact.ComponentChildren;
}) {
  const [number, setNumber] = useState(0);
  const [solved, setSolved] = useState(false);
  const [tries, setTries] = useState(0);
  const [mistakes, setMistakes] = useState(0);
  const task = tasks[number] as Task;
  const moves = solved ? [...task.before, task.move] : task.before;
  const request = { game: game.id, fen: task.fen, moves };
  const loaded = useLoaded(async (signal) => ({ task, position: await api.position(request, signal) }), [task, solved]);
  const { error, again } = loaded;
  // The position of the task before stays until this one is loaded.
  const value = loaded.value?.task === task ? loaded.value.position : null;
  // A new object of the same position makes the board take back a move that is not the solution.
  const position = useMemo(() => ({ ...(value ?? stillPosition(task.fen)) }), [value, tries]);
  const last = number + 1 === tasks.length;
  const over = solved && last;
  const onward = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (solved) onward.current?.focus({ preventScroll: true });
    if (over) finish();
  }, [solved]);
  const play = (move: LegalMove) => {
    if (isExpected(move, task.move)) return setSolved(true);
    setTries(tries + 1);
    setMistakes(mistakes + 1);
  };
  const goOn = () => {
    setNumber(number + 1);
    setSolved(false);
    setTries(0);
    begin();
  };
  const said = over
    ? t(mistakes === 0 ? `mini.${name}.clean` : `mini.${name}.end`)
    : solved
      ? t(`mini.right.${name}${number + 1}` as "mini.right.lion1")
      : tries > 0
        ? t(`mini.${name}.wrong`)
        : t(`mini.${name}.idea`);
  return (
    <>
      <p class="task">{t(`mini.task.${name}${number + 1}` as "mini.task.lion1")}</p>
      <BoardView
        class="picture"
        files={game.files}
        ranks={game.ranks}
        pieceTypes={game.pieces}
        position={position}
        seat={solved || !value ? null : "white"}
        premoves={false}
        confirm="never"
        coordinates="none"
        fit="width"
        onMove={play}
        reach={api.reachIn({ game: game.id, options: {} }, position.fen)}
      />
      {error && <Trouble error={error} again={again} />}
      <p role="status" class={`verdict ${solved ? "solved" : tries > 0 ? "wrong" : ""}`}>
        {said}
      </p>
      {solved && !last && (
        <button ref={onward} type="button" class="strong" onClick={goOn}>
          {t("mini.next", { number: number + 2, count: tasks.length })}
        </button>
      )}
      {over && after}
    </>
  );
}

/** Black's choice of a setup. */
function Arrange({ game, finish, after }: { game: Game; finish: () => void; after: preact.ComponentChildren }) {
  const [chosen, setChosen] = useState(false);
  const arranging = useArranging(game, game.setup, true, () => {
    setChosen(true);
    finish();
  });
  const { value, error, again } = useLoaded((signal) => api.position({ game: game.id }, signal), [game.id]);
  return (
    <>
      <p class="task">{t("mini.setup.task")}</p>
      <BoardView
        class="picture"
        files={game.files}
        ranks={game.ranks}
        pieceTypes={game.pieces}
        position={value}
        orientation="black"
        setup={arranging.choice}
        coordinates="none"
        fit="width"
        reach={api.reachIn({ game: game.id, options: {} }, value?.fen ?? game.start_fen)}
        onArrange={arranging.arrange}
        onShuffle={arranging.shuffle}
        onSetup={arranging.confirm}
      />
      {error && <Trouble error={error} again={again} />}
      <p role="status" class={`verdict ${chosen ? "solved" : ""}`}>
        {t(chosen ? "mini.setup.end" : "mini.setup.idea", { count: game.setup?.count ?? 0 })}
      </p>
      {chosen && after}
    </>
  );
}

/** What comes after a mini-game: the next one, or a whole game. */
function After({ next, summary }: { next: (() => void) | undefined; summary: GameSummary | undefined }) {
  return (
    <div class="together">
      {next && (
        <button type="button" class="strong" onClick={next}>
          {t("mini.another")}
        </button>
      )}
      {summary && <FirstGame game={summary} last={!next} />}
    </div>
  );
}

/** One tap into a whole game against the gentlest engine. */
export function FirstGame({ game, last }: { game: GameSummary; last: boolean }) {
  const { route } = useLocation();
  const [error, setError] = useState<Refusal | null>(null);
  const [busy, setBusy] = useState(false);
  const begin = () => {
    setBusy(true);
    beginFirst(game).then(
      (match) => route(at(`/match/${match}`)),
      (problem: unknown) => {
        setError(thrownRefusal(problem));
        setBusy(false);
      },
    );
  };
  return (
    <>
      <button type="button" class={last ? "strong" : ""} disabled={busy} onClick={begin}>
        {t("mini.game", { game: game.name })}
      </button>
      {error && <Trouble error={error} />}
    </>
  );
}

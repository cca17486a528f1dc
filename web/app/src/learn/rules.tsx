import { Play, RotateCcw } from "lucide";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { api } from "../client";
import { t } from "../i18n";
import { BoardView } from "../parts/board";
import { Icon } from "../parts/icon";
import { Trouble, useLoaded } from "../parts/loaded";
import { wordsIn, wordText } from "../parts/words";
import type { Example, Game } from "../wire";
import { WhenSeen } from "./when-seen";

/** How long a move that is shown stands before the next, in milliseconds. */
const PACE = 1200;

/** The special rules, each with positions to try it in. */
export function Rules({ game, examples }: { game: Game; examples: Example[] }) {
  const pieces = game.pieces.filter((kind) => examples.some((one) => one.piece === kind.letter));
  if (game.rules.length + pieces.length === 0) return null;
  return (
    <section id="rules" class="learn-part">
      <h2>{t("learn.rules")}</h2>
      {game.rules.map((rule) => (
        <section key={rule.key}>
          <h3>{rule.title}</h3>
          <p>{rule.text}</p>
          <Examples game={game} examples={examples.filter((one) => one.rule === rule.key)} />
        </section>
      ))}
      {pieces.map((kind) => (
        <section key={kind.letter}>
          <h3>{kind.name}</h3>
          <p>{kind.help}</p>
          <Examples game={game} examples={examples.filter((one) => one.piece === kind.letter)} />
        </section>
      ))}
    </section>
  );
}

function Examples({ game, examples }: { game: Game; examples: Example[] }) {
  if (examples.length === 0) return null;
  return (
    <div class="examples">
      {examples.map((example) => (
        <figure key={example.text}>
          <WhenSeen class="example-board">{() => <Playable game={game} example={example} />}</WhenSeen>
          <figcaption>{example.text}</figcaption>
        </figure>
      ))}
    </div>
  );
}

function Playable({ game, example }: { game: Game; example: Example }) {
  const [moves, setMoves] = useState<string[]>([]);
  const asked = { game: game.id, options: example.options, fen: example.fen, moves };
  const { value, error, again } = useLoaded((signal) => api.position(asked, signal), [game.id, example, moves]);
  // A move that was refused is taken back by showing the same position anew.
  const position = useMemo(() => value && { ...value }, [value, error]);
  const timer = useRef(0);
  useEffect(() => () => clearInterval(timer.current), []);

  function play(next: string[]): void {
    clearInterval(timer.current);
    setMoves(next);
  }

  function show(): void {
    play([]);
    let made = 0;
    timer.current = window.setInterval(() => {
      made++;
      setMoves(example.moves.slice(0, made));
      if (made >= example.moves.length) clearInterval(timer.current);
    }, PACE);
  }

  return (
    <>
      <BoardView
        class="picture"
        files={game.files}
        ranks={game.ranks}
        kinds={game.pieces}
        position={position}
        seat="both"
        confirm="never"
        fit="width"
        onMove={(move) => play([...moves, move.move])}
        onUndo={() => play(moves.slice(0, -1))}
      />
      {error && <Trouble error={error} again={again} />}
      <div class="together">
        {value &&
          wordsIn(value.legal).map((move) => (
            <button type="button" key={move.move} onClick={() => play([...moves, move.move])}>
              {wordText(move.move)}
            </button>
          ))}
        <button type="button" onClick={show}>
          <Icon of={Play} size={18} /> {t("learn.show")}
        </button>
        <button type="button" disabled={moves.length === 0} onClick={() => play([])}>
          <Icon of={RotateCcw} size={18} /> {t("learn.again")}
        </button>
      </div>
    </>
  );
}

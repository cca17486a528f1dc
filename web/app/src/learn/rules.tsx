import { Play, RotateCcw } from "lucide";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { api } from "../client";
import { t } from "../i18n";
import { BoardView } from "../parts/board";
import { Icon } from "../parts/icon";
import { Trouble, useLoaded } from "../parts/loaded";
import { specialMoves, specialMoveText } from "../parts/special-moves";
import type { Example, Game } from "../wire";
import { WhenSeen } from "./when-seen";

/** The pause between the moves of an example. */
const PACE_MS = 1200;

/** The special rules, each with example positions to try. */
export function Rules({ game, examples }: { game: Game; examples: Example[] }) {
  const pieces = game.pieces.filter((kind) => examples.some((example) => example.piece === kind.letter));
  if (game.rules.length + pieces.length === 0) return null;
  return (
    <section id="rules" class="learn-part">
      <h2>{t("learn.rules")}</h2>
      {game.rules.map((rule) => (
        <section key={rule.key} id={`rule-${rule.key}`}>
          <h3>{rule.title}</h3>
          <p>{rule.text}</p>
          <Examples game={game} examples={examples.filter((example) => example.rule === rule.key)} />
        </section>
      ))}
      {pieces.map((kind) => (
        <section key={kind.letter}>
          <h3>{kind.name}</h3>
          <p>{kind.help}</p>
          <Examples game={game} examples={examples.filter((example) => example.piece === kind.letter)} />
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
  const request = { game: game.id, options: example.options, fen: example.fen, moves };
  const { value, error, again } = useLoaded((signal) => api.position(request, signal), [game.id, example, moves]);
  // A new object of the same position makes the board take back a refused move.
  const position = useMemo(() => value && { ...value }, [value, error]);
  const timer = useRef(0);
  useEffect(() => () => clearInterval(timer.current), []);

  function play(next: string[]): void {
    clearInterval(timer.current);
    setMoves(next);
  }

  function show(): void {
    play([]);
    let shown = 0;
    timer.current = window.setInterval(() => {
      shown++;
      setMoves(example.moves.slice(0, shown));
      if (shown >= example.moves.length) clearInterval(timer.current);
    }, PACE_MS);
  }

  return (
    <>
      <BoardView
        class="picture"
        files={game.files}
        ranks={game.ranks}
        pieceTypes={game.pieces}
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
          specialMoves(value.legal).map((move) => (
            <button type="button" key={move.move} onClick={() => play([...moves, move.move])}>
              {specialMoveText(move.move)}
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

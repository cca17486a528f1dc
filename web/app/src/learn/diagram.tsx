import { stillPosition } from "@acedrex/board";
import { useEffect, useMemo, useState } from "preact/hooks";
import { api } from "../client";
import { count, t, tOr } from "../i18n";
import { BoardView, PieceDrawing } from "../parts/board";
import { Choices } from "../parts/choices";
import { refusalText } from "../parts/loaded";
import { nameOf as optionName } from "../parts/option";
import { Refusal } from "../refusal";
import type { Game, PieceDiagram, PieceType, Reach } from "../wire";
import { fragmentHere, partLink } from "./fragment";
import { type Arrangement, fenOf, pieces, type Tool, tapped } from "./placement";

/** A diagram of how each piece moves, on which other pieces can be placed. */
export function Pieces({ game, diagrams }: { game: Game; diagrams: PieceDiagram[] }) {
  const [letter, setLetter] = useState(() => letterHere(game) ?? game.pieces.find((kind) => !kind.royal)?.letter ?? "");
  useEffect(() => {
    const follow = () => setLetter((before) => letterHere(game) ?? before);
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [game]);
  const choose = (chosen: string) => {
    history.replaceState(history.state, "", partLink(`piece-${chosen}`));
    setLetter(chosen);
  };
  const kind = game.pieces.find((piece) => piece.letter === letter) ?? game.pieces[0];
  const diagram = diagrams.find((diagram) => diagram.letter === kind?.letter);
  return (
    <section id="pieces" class="learn-part">
      <h2>{t("learn.pieces")}</h2>
      <Choices
        legend={t("learn.pieces.which")}
        value={letter}
        among={game.pieces.map((piece) => ({
          value: piece.letter,
          label: (
            <>
              <PieceDrawing kind={piece} side="white" size={28} /> {piece.name}
              {piece.letter in game.not_in_play && <span class="muted small">{t("learn.option.short")}</span>}
            </>
          ),
        }))}
        onChange={choose}
      />
      {kind && diagram && <Diagram key={kind.letter} game={game} kind={kind} diagram={diagram} />}
    </section>
  );
}

function Diagram({ game, kind, diagram }: { game: Game; kind: PieceType; diagram: PieceDiagram }) {
  const first: Arrangement = {
    at: diagram.square,
    letter: kind.letter,
    others: Object.fromEntries(diagram.others.map((square) => [square, "enemy"])),
  };
  const [arrangement, setArrangement] = useState(first);
  const [tool, setTool] = useState<Tool>("enemy");
  const other = (game.pieces.find((piece) => piece.soldier) ?? game.pieces.find((piece) => !piece.royal) ?? kind)
    .letter;
  const fen = fenOf(pieces(arrangement, other), game.files, game.ranks, game.start_fen);
  const position = useMemo(() => stillPosition(fen), [fen]);
  const { reach, trouble } = useReach(game.id, fen, arrangement.at);
  const shown = useMemo(() => ({ square: arrangement.at, reach }), [arrangement.at, reach]);
  return (
    <div class="beside-board" style={{ "--aspect": String(game.files / game.ranks) }}>
      <div>
        <BoardView
          class="picture"
          files={game.files}
          ranks={game.ranks}
          pieceTypes={game.pieces}
          position={position}
          shown={shown}
          seat={null}
          fit="width"
          onSquare={(square) => setArrangement((before) => tapped(before, square, tool))}
        />
      </div>
      <div>
        <h3 class="kind-name" id={`piece-${kind.letter}`}>
          <PieceDrawing kind={kind} side="white" size={44} />
          <PieceDrawing kind={kind} side="black" size={44} />
          {kind.name} <span class="muted">{kind.letter}</span>
        </h3>
        <p>{kind.help}</p>
        <NotInPlay game={game} kind={kind} />
        <Facts game={game} kind={kind} />
        <Choices
          legend={t("learn.tool")}
          value={tool}
          among={[
            { value: "enemy", label: t("learn.tool.enemy") },
            { value: "friend", label: t("learn.tool.friend") },
            { value: "move", label: t("learn.tool.move", { piece: kind.name }) },
          ]}
          onChange={setTool}
        />
        <p role="status">{trouble ?? count("learn.reached", new Set(reach.map(({ to }) => to)).size)}</p>
        <button type="button" onClick={() => setArrangement(first)}>
          {t("learn.again")}
        </button>
        <p class="help">{t("learn.signs")}</p>
      </div>
    </div>
  );
}

/** Returns the piece that the page's address names: `#piece-G`. */
function letterHere(game: Game): string | null {
  const id = fragmentHere();
  return game.pieces.find((piece) => id === `piece-${piece.letter}`)?.letter ?? null;
}

function NotInPlay({ game, kind }: { game: Game; kind: PieceType }) {
  const option = game.not_in_play[kind.letter];
  if (option === undefined) return null;
  return <p class="help">{option ? t("learn.option", { option: optionName(option) }) : t("learn.option.none")}</p>;
}

function Facts({ game, kind }: { game: Game; kind: PieceType }) {
  const promotions = kind.promotes_to.flatMap((letter) => game.pieces.find((piece) => piece.letter === letter) ?? []);
  const values = Object.entries(kind.values).map(([source, value]) => `${value} (${sourceName(source)})`);
  const facts = [
    [t("learn.also"), kind.also.join(", ")],
    [t("learn.values"), values.join(", ")],
    [
      t("learn.promotes"),
      promotions.map((piece) => (
        <span class="named" key={piece.letter}>
          <PieceDrawing kind={piece} side="white" size={28} /> {piece.name}
        </span>
      )),
    ],
  ].filter(([, text]) => text?.length);
  if (facts.length === 0) return null;
  return (
    <dl class="facts">
      {facts.map(([name, text]) => (
        <div key={String(name)}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Returns the name of a source of piece values. */
export function sourceName(source: string): string {
  return tOr(`learn.values.${source}`, source);
}

/** Fetches where the piece on a square can go; the old answer stays until the new one. */
function useReach(game: string, fen: string, square: string): { reach: Reach[]; trouble: string | null } {
  const [state, setState] = useState<{ reach: Reach[]; trouble: string | null }>({ reach: [], trouble: null });
  useEffect(() => {
    let gone = false;
    api
      .reachIn(
        { game, options: {} },
        fen,
      )(square)
      .then(
        (reach) => gone || setState({ reach, trouble: null }),
        (error: unknown) =>
          gone || setState({ reach: [], trouble: error instanceof Refusal ? refusalText(error) : "" }),
      );
    return () => {
      gone = true;
    };
  }, [game, fen, square]);
  return state;
}

import { stillPosition } from "@acedrex/board";
import { Eraser, FlipVertical2, Hand } from "lucide";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { at, Refusal } from "../client";
import * as ask from "../client/analysis";
import { refusal } from "../client/problem";
import { t, tOr } from "../i18n";
import { BoardView, PieceDrawing } from "../parts/board";
import { Choices } from "../parts/choices";
import { useGame } from "../parts/games";
import { Icon } from "../parts/icon";
import { Show, Trouble } from "../parts/loaded";
import { Page } from "../parts/page";
import type { Edited, EditProblem, Game, PieceOn, Side } from "../wire";
import { saveNew } from "./study";
import { subjectOf } from "./title";

/** The board editor: any position of a game, with the reasons why it is illegal. */
export function Editor() {
  const { query } = useLocation();
  const loaded = useGame(query.game);
  const options = Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (name.startsWith("option.") ? [[name.slice(7), value]] : [])),
  );
  return (
    <Page title={t("analysis.edit")} lead={t("analysis.edit.lead")} wide>
      <Show loaded={loaded}>
        {(game) => game && <Editing game={game} options={options} first={query.fen || game.start_fen} />}
      </Show>
    </Page>
  );
}

/** What pressing a square does: it puts a piece there, erases one, or picks one up to move it. */
type Tool = { what: "put"; letter: string; side: Side } | { what: "erase" } | { what: "move" };

type Edit = { fen: string } | { pieces: PieceOn[]; turn: Side; rights: string };

function Editing({ game, options, first }: { game: Game; options: Record<string, string>; first: string }) {
  const choice = { game: game.id, options };
  const [edited, setEdited] = useState<Edited | null>(null);
  const [pieces, setPieces] = useState<PieceOn[]>(() => stillPosition(first).pieces);
  const [tool, setTool] = useState<Tool>({ what: "move" });
  const [lifted, setLifted] = useState<string | null>(null);
  const [orientation, setOrientation] = useState<Side>("white");
  const [error, setError] = useState<Refusal | null>(null);
  const pending = useRef<AbortController | null>(null);
  const { route } = useLocation();

  const request = (edit: Edit) => {
    pending.current?.abort();
    const controller = new AbortController();
    pending.current = controller;
    ask.edit({ ...choice, ...edit }, controller.signal).then(
      (answer) => {
        setError(null);
        setEdited(answer);
        setPieces(answer.pieces);
      },
      (problem: unknown) =>
        controller.signal.aborted || setError(problem instanceof Refusal ? problem : refusal("broken")),
    );
  };
  useEffect(() => request({ fen: first }), [game.id, first]);

  const change = (next: PieceOn[]) => {
    setPieces(next);
    request({ pieces: next, turn: edited?.turn ?? "white", rights: edited?.rights ?? "-" });
  };
  const press = (square: string) => {
    const others = pieces.filter((piece) => piece.square !== square);
    const there = pieces.find((piece) => piece.square === square);
    if (tool.what === "erase") change(others);
    else if (tool.what === "put") {
      const same = there?.letter === tool.letter && there.side === tool.side;
      change(same ? others : [...others, { square, letter: tool.letter, side: tool.side }]);
    } else if (lifted === null) setLifted(there ? square : null);
    else {
      const piece = pieces.find(({ square: at }) => at === lifted);
      setLifted(null);
      if (piece && lifted !== square) change([...others.filter((other) => other !== piece), { ...piece, square }]);
    }
  };
  const analyse = async () => {
    if (!edited) return;
    try {
      route(at(`/analysis/${await saveNew(await ask.tree({ ...choice, fen: edited.fen }), { orientation })}`));
    } catch (problem) {
      setError(problem instanceof Refusal ? problem : refusal("broken"));
    }
  };
  const position = useMemo(() => ({ ...stillPosition(""), pieces }), [pieces]);
  const hints = useMemo(() => (lifted ? [{ from: lifted, to: lifted, colour: "gold" as const }] : []), [lifted]);

  return (
    <div class="editor">
      <div class="editor-board" style={{ "--aspect": String(game.files / game.ranks) }}>
        <BoardView
          files={game.files}
          ranks={game.ranks}
          kinds={game.pieces}
          position={position}
          orientation={orientation}
          premoves={false}
          hints={hints}
          fit="width"
          onSquare={press}
        />
      </div>
      <div class="editor-side">
        <p class="muted">{subjectOf({ name: game.name, setup: null, options, tags: {} })}</p>
        <Tray
          game={game}
          tool={tool}
          setTool={(next) => {
            setTool(next);
            setLifted(null);
          }}
        />
        <div class="together">
          <button type="button" onClick={() => request({ fen: game.start_fen })}>
            {t("analysis.edit.start")}
          </button>
          <button type="button" onClick={() => change([])}>
            {t("analysis.edit.empty")}
          </button>
          <button
            type="button"
            aria-label={t("bar.flip")}
            title={t("bar.flip")}
            onClick={() => setOrientation(orientation === "white" ? "black" : "white")}
          >
            <Icon of={FlipVertical2} size={18} />
          </button>
        </div>
        {edited && (
          <>
            <Details edited={edited} pieces={pieces} onEdit={request} />
            {error && <Trouble error={error} />}
            <button type="button" class="primary" disabled={edited.problems.length > 0} onClick={analyse}>
              {t("analysis.open.begin")}
            </button>
          </>
        )}
        {!edited && error && <Trouble error={error} again={() => request({ fen: game.start_fen })} />}
      </div>
    </div>
  );
}

/** The side to move, the rights and the FEN of the position, each to be changed, and what makes it illegal. */
function Details({
  edited,
  pieces,
  onEdit,
}: {
  edited: Edited;
  /** The pieces on the board, which may be newer than those that the server has answered with. */
  pieces: PieceOn[];
  onEdit: (edit: Edit) => void;
}) {
  const { turn, rights, known_rights, fen, problems } = edited;
  return (
    <>
      <Choices
        legend={t("analysis.edit.turn")}
        value={turn}
        among={(["white", "black"] as const).map((value) => ({ value, label: t(`side.${value}`) }))}
        onChange={(next) => onEdit({ pieces, turn: next, rights })}
      />
      {known_rights.length > 0 && (
        <fieldset>
          <legend>{t("analysis.edit.rights")}</legend>
          <div class="together">
            {known_rights.map(({ letter, possible }) => (
              <label key={letter} class={possible ? "check" : "check muted"}>
                <input
                  type="checkbox"
                  checked={rights.includes(letter)}
                  disabled={!possible}
                  onChange={() => onEdit({ pieces, turn, rights: toggled(rights, letter) })}
                />
                {letter}
              </label>
            ))}
          </div>
          <p class="help">{t("analysis.edit.rights.help")}</p>
        </fieldset>
      )}
      <div class="field">
        <label for="edited-fen">FEN</label>
        <input
          id="edited-fen"
          value={fen}
          maxLength={4096}
          onChange={(event) => onEdit({ fen: event.currentTarget.value })}
        />
      </div>
      <div role="status">
        {problems.length === 0 ? (
          <p>{t("analysis.edit.legal")}</p>
        ) : (
          <>
            <p>{t("analysis.edit.illegal")}</p>
            <ul>
              {problems.map((problem) => (
                <li key={problem.message}>{reason(problem)}</li>
              ))}
            </ul>
          </>
        )}
      </div>
    </>
  );
}

function toggled(rights: string, letter: string): string {
  const held = rights.replace("-", "");
  return (held.includes(letter) ? held.replace(letter, "") : held + letter) || "-";
}

/** Why a position is illegal, in the reader's language, with the side, square and right from the core's message. */
function reason({ name, message }: EditProblem): string {
  const side = /White|Black/.exec(message)?.[0];
  const values = {
    side: side ? t(side === "White" ? "side.white" : "side.black") : "",
    square: /\b[a-p]\d{1,2}\b/.exec(message)?.[0] ?? "",
    right: /'(.)'/.exec(message)?.[1] ?? "",
  };
  const text = tOr(`analysis.edit.${name}`, message);
  return text.replace(/\{(\w+)\}/g, (_, hole: keyof typeof values) => values[hole] ?? "");
}

/** The pieces of both sides, and the tools that move and erase. */
function Tray({ game, tool, setTool }: { game: Game; tool: Tool; setTool: (tool: Tool) => void }) {
  return (
    <fieldset class="tray">
      <legend class="hidden">{t("analysis.edit.tools")}</legend>
      <div class="together">
        <button type="button" aria-pressed={tool.what === "move"} onClick={() => setTool({ what: "move" })}>
          <Icon of={Hand} size={18} /> {t("analysis.edit.move")}
        </button>
        <button type="button" aria-pressed={tool.what === "erase"} onClick={() => setTool({ what: "erase" })}>
          <Icon of={Eraser} size={18} /> {t("analysis.edit.erase")}
        </button>
      </div>
      {(["white", "black"] as const).map((side) => (
        <div class="tray-row" key={side}>
          {game.pieces.map((kind) => (
            <button
              type="button"
              class="quiet"
              key={kind.letter}
              title={kind.name}
              aria-label={t(side === "white" ? "board.whitePiece" : "board.blackPiece", { piece: kind.name })}
              aria-pressed={tool.what === "put" && tool.letter === kind.letter && tool.side === side}
              onClick={() => setTool({ what: "put", letter: kind.letter, side })}
            >
              <PieceDrawing kind={kind} side={side} />
            </button>
          ))}
        </div>
      ))}
    </fieldset>
  );
}

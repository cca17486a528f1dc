import { stillPosition } from "@acedrex/board";
import { Eraser, FlipVertical2, Hand, Swords } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api, at, Refusal } from "../client";
import * as ask from "../client/analysis";
import { refusal } from "../client/problem";
import { t, tOr } from "../i18n";
import { BoardView, PieceDrawing } from "../parts/board";
import { Choices } from "../parts/choices";
import { useCore } from "../parts/core";
import { useGame } from "../parts/games";
import { Icon } from "../parts/icon";
import { newGameAt, optionsFrom } from "../parts/links";
import { refusalText, Show, Trouble, useLoaded } from "../parts/loaded";
import { Page } from "../parts/page";
import type { Edited, EditProblem, Game, PieceOn, Side } from "../wire";
import { squareAt, useCarry } from "./carry";
import { saveNew } from "./study";
import { subjectOf } from "./title";

/** The board editor: any position of a game, with the reasons why it is illegal. */
export function Editor() {
  const { query, route } = useLocation();
  const games = useLoaded(api.games).value ?? [];
  const loaded = useGame(query.game || games[0]?.id);
  const options = optionsFrom(query);
  return (
    <Page title={t("analysis.edit")} lead={t("analysis.edit.lead")} wide>
      <Show loaded={loaded}>
        {(game) =>
          game && (
            <Editing
              key={JSON.stringify([game.id, options])}
              game={game}
              options={options}
              first={query.fen || game.start_fen}
            >
              <div class="field">
                <label for="edited-game">{t("new.game")}</label>
                <select
                  id="edited-game"
                  value={game.id}
                  onChange={({ currentTarget }) => route(at(`/analysis/edit?game=${currentTarget.value}`))}
                >
                  {games.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </select>
              </div>
            </Editing>
          )
        }
      </Show>
    </Page>
  );
}

/** What pressing a square does: it puts a piece there, erases one, or picks one up to move it. Dragging always moves. */
type Tool = { what: "put"; letter: string; side: Side } | { what: "erase" } | { what: "move" };

type Edit = { fen: string } | { pieces: PieceOn[]; turn: Side; rights: string };

interface Props {
  game: Game;
  options: Record<string, string>;
  /** The FEN to begin with. */
  first: string;
  /** Shown above the palette. */
  children: ComponentChildren;
}

function Editing({ game, options, first, children }: Props) {
  const choice = { game: game.id, options };
  const [edited, setEdited] = useState<Edited | null>(null);
  const [pieces, setPieces] = useState<PieceOn[]>(() => stillPosition(first).pieces);
  const [tool, setTool] = useState<Tool>({ what: "move" });
  const [lifted, setLifted] = useState<string | null>(null);
  const [orientation, setOrientation] = useState<Side>("white");
  const [error, setError] = useState<Refusal | null>(null);
  // The FEN as it was typed, until the server has read it.
  const [typed, setTyped] = useState<string | null>(null);
  const pending = useRef<AbortController | null>(null);
  const { route } = useLocation();

  const request = (edit: Edit) => {
    setTyped("fen" in edit ? edit.fen : null);
    pending.current?.abort();
    const controller = new AbortController();
    pending.current = controller;
    ask.edit({ ...choice, ...edit }, controller.signal).then(
      (answer) => {
        if (controller.signal.aborted) return;
        setError(null);
        setTyped(null);
        setEdited(answer);
        setPieces(answer.pieces);
      },
      (problem: unknown) =>
        controller.signal.aborted || setError(problem instanceof Refusal ? problem : refusal("broken")),
    );
  };
  useEffect(() => request({ fen: first }), [game.id, first]);
  useCore(choice);

  const change = (next: PieceOn[]) => {
    setPieces(next);
    request({ pieces: next, turn: edited?.turn ?? "white", rights: edited?.rights ?? "-" });
  };
  const pieceOn = (square: string | null) => pieces.find((piece) => piece.square === square);
  const carry = useCarry(
    (event) => {
      const { palette, side } = (event.target as Element).closest<HTMLElement>("[data-palette]")?.dataset ?? {};
      const from = palette ? null : squareAt(event);
      const kind = game.pieces.find(({ letter }) => letter === (palette ?? pieceOn(from)?.letter));
      return kind ? { kind, side: palette ? (side as Side) : (pieceOn(from)?.side ?? "white"), from } : null;
    },
    ({ kind, side, from }, square) => {
      setLifted(null);
      if (square === from) return;
      const others = pieces.filter((piece) => piece.square !== square && piece.square !== from);
      change(square ? [...others, { square, letter: kind.letter, side }] : others);
    },
  );
  const press = (square: string) => {
    if (carry.used()) return;
    const others = pieces.filter((piece) => piece.square !== square);
    const there = pieceOn(square);
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
  const ringed = carry.carried?.from ?? lifted;
  const hints = useMemo(() => (ringed ? [{ from: ringed, to: ringed, colour: "gold" as const }] : []), [ringed]);
  const unread = typed !== null && error !== null;

  return (
    <div class="editor" {...carry.handlers}>
      {carry.view}
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
        {children}
        {Object.keys(options).length > 0 && (
          <p class="muted">{subjectOf({ name: game.name, setup: null, options, tags: {} })}</p>
        )}
        <Tray
          game={game}
          tool={tool}
          setTool={(next) => {
            if (carry.used()) return;
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
            <Details edited={edited} pieces={pieces} typed={typed} error={unread ? error : null} onEdit={request} />
            {error && !unread && <Trouble error={error} />}
            <div class="together">
              <button type="button" class="primary" disabled={unread || edited.problems.length > 0} onClick={analyse}>
                {t("analysis.open.begin")}
              </button>
              {!unread && edited.problems.length === 0 && (
                <a class="button" href={newGameAt({ ...choice, fen: edited.fen })}>
                  <Icon of={Swords} size={18} /> {t("positions.play")}
                </a>
              )}
            </div>
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
  typed,
  error,
  onEdit,
}: {
  edited: Edited;
  /** The pieces on the board, which may be newer than those that the server has answered with. */
  pieces: PieceOn[];
  /** The FEN as it was typed, if the server has not read it; `error` says why it cannot. */
  typed: string | null;
  error: Refusal | null;
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
          value={typed ?? fen}
          maxLength={4096}
          spellcheck={false}
          aria-invalid={error !== null}
          aria-describedby="edited-status"
          onChange={(event) => onEdit({ fen: event.currentTarget.value })}
        />
      </div>
      <div role="status" id="edited-status">
        {error ? (
          <>
            <p>{t("analysis.edit.unreadable")}</p>
            <p class="fault">{refusalText(error)}</p>
          </>
        ) : problems.length === 0 ? (
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
              data-palette={kind.letter}
              data-side={side}
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

import { stillPosition } from "@acedrex/board";
import { FlipVertical2, Swords } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api, at, type Refusal } from "../client";
import * as ask from "../client/analysis";
import { t, tOr } from "../i18n";
import { BoardView } from "../parts/board";
import { Choices } from "../parts/choices";
import { useCore } from "../parts/core";
import { useGame } from "../parts/games";
import { Icon } from "../parts/icon";
import { newGameAt, optionsFrom } from "../parts/links";
import { refusalText, Show, Trouble, useLoaded } from "../parts/loaded";
import { Page } from "../parts/page";
import { thrownRefusal } from "../refusal";
import type { Edited, EditProblem, Game, PieceOn, Right, Side } from "../wire";
import { Palette, usePlacing } from "./placing";
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
      (problem: unknown) => controller.signal.aborted || setError(thrownRefusal(problem)),
    );
  };
  useEffect(() => request({ fen: first }), [game.id, first]);
  useCore(choice);

  const show = (next: PieceOn[]) => {
    setPieces(next);
    request({ pieces: next, turn: edited?.turn ?? "white", rights: edited?.rights ?? "-" });
  };
  const board = usePlacing({
    pieceTypes: game.pieces,
    pieces,
    fen: game.start_fen,
    change: (gone, came) => {
      const off = new Set([...gone, ...came.map(({ square }) => square)]);
      show([...pieces.filter(({ square }) => !off.has(square)), ...came]);
    },
  });
  const analyse = async () => {
    if (!edited) return;
    try {
      route(at(`/analysis/${await saveNew(await ask.tree({ ...choice, fen: edited.fen }), { orientation })}`));
    } catch (problem) {
      setError(thrownRefusal(problem));
    }
  };
  const unread = typed !== null && error !== null;

  return (
    <div class="editor" {...board.handlers}>
      {board.view}
      <div class="editor-board" style={{ "--aspect": String(game.files / game.ranks) }}>
        <BoardView
          files={game.files}
          ranks={game.ranks}
          pieceTypes={game.pieces}
          position={board.position}
          orientation={orientation}
          premoves={false}
          hints={board.hints}
          fit="width"
          onSquare={board.press}
        />
      </div>
      <div class="editor-side">
        {children}
        {Object.keys(options).length > 0 && (
          <p class="muted">{subjectOf({ name: game.name, setup: null, options, tags: {} })}</p>
        )}
        <fieldset class="tray">
          <legend class="hidden">{t("analysis.edit.tools")}</legend>
          <Palette {...board.palette} />
        </fieldset>
        <div class="together">
          <button type="button" onClick={() => request({ fen: game.start_fen })}>
            {t("analysis.edit.start")}
          </button>
          <button type="button" onClick={() => show([])}>
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
          <div class="rights">
            {known_rights.map((right) => (
              <label key={right.letter} class={right.possible ? "check" : "check muted"}>
                <input
                  type="checkbox"
                  checked={rights.includes(right.letter)}
                  disabled={!right.possible}
                  onChange={() => onEdit({ pieces, turn, rights: toggled(rights, right.letter) })}
                />
                {rightText(right)}
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
                <li key={problem.message}>{reason(problem, known_rights)}</li>
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

function rightText({ side, what, square }: Right): string {
  return t(`analysis.right.${what}`, { side: t(`side.${side}`), square: square ?? "" });
}

/** Why a position is illegal, in the reader's language, with the side, square and right from the core's message. */
function reason({ name, message }: EditProblem, rights: Right[]): string {
  const side = /White|Black/.exec(message)?.[0];
  const values = {
    side: side ? t(side === "White" ? "side.white" : "side.black") : "",
    square: /\b[a-p]\d{1,2}\b/.exec(message)?.[0] ?? "",
    right: rights
      .filter(({ letter }) => message.includes(`'${letter}'`))
      .map(rightText)
      .join(", "),
  };
  const text = tOr(`analysis.edit.${name}`, message);
  return text.replace(/\{(\w+)\}/g, (_, hole: keyof typeof values) => values[hole] ?? "");
}

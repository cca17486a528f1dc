import { SquarePen, Trash2 } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api, at, identity, type Refusal } from "../client";
import * as ask from "../client/analysis";
import * as database from "../client/database";
import { count, language, t } from "../i18n";
import { BoardView, Shape } from "../parts/board";
import { Check, NumberField } from "../parts/choices";
import { useGame } from "../parts/games";
import { Icon } from "../parts/icon";
import { optionsIn } from "../parts/links";
import { refusalText, Show, Trouble, useLoaded } from "../parts/loaded";
import { Options } from "../parts/options";
import { Page } from "../parts/page";
import { thrownRefusal } from "../refusal";
import type { GameChoice, GameSummary, LegalMove, MatchCard, PositionRequest } from "../wire";
import { readRecord } from "./pgn";
import type { SavedAnalysis } from "./saved";
import { saveNew } from "./study";
import { titleOf } from "./title";
import { grown, mainline, START } from "./tree";

/** The page that opens an analysis: a saved one, a finished match, a game, a position or a PGN. */
export function Open({ error: before }: { error: Refusal | null }) {
  const loaded = useLoaded(api.games);
  const { route } = useLocation();
  const [error, setError] = useState(before);
  const open = (work: () => Promise<string>) => {
    setError(null);
    work().then(
      (id) => route(at(`/analysis/${id}`)),
      (problem: unknown) => setError(thrownRefusal(problem)),
    );
  };
  return (
    <Page title={t("analysis.open")} lead={t("analysis.open.board")} wide>
      {error && <Trouble error={error} />}
      <Show loaded={loaded}>
        {(games) => (
          <Beginning games={games} open={open}>
            {(choice) => (
              <>
                <SavedList />
                <Finished />
                <RecordField open={open} choice={choice} />
              </>
            )}
          </Beginning>
        )}
      </Show>
    </Page>
  );
}

type OpenWith = (work: () => Promise<string>) => void;

/** Begins an analysis at a game's start, one of its setups, or any position, also with a move on the board. */
function Beginning(props: {
  games: GameSummary[];
  open: OpenWith;
  children: (choice: GameChoice) => ComponentChildren;
}) {
  const { games, open, children } = props;
  const [id, setId] = useState(games[0]?.id ?? "");
  const [options, setOptions] = useState<Record<string, string>>({});
  const [fen, setFen] = useState("");
  const [typed, setTyped] = useState("");
  const [bySetup, setBySetup] = useState(false);
  const [number, setNumber] = useState(1);
  const { value: game } = useGame(id);
  const from = async (text: string): Promise<PositionRequest> => {
    const choice = { game: id, options };
    if (text) return { ...choice, fen: text };
    return bySetup ? { ...choice, setup: (await api.setup(id, number)).name } : choice;
  };
  const shown = useLoaded(async (signal) => api.position(await from(fen), signal), [id, options, fen, bySetup, number]);
  const begin = (event: Event) => {
    event.preventDefault();
    open(async () => saveNew(await ask.tree(await from(typed.trim()))));
  };
  const play = ({ move }: LegalMove) =>
    open(async () => saveNew(await ask.tree({ ...(await from(fen)), nodes: [{ parent: -1, move }] }), { at: 1 }));
  const summary = games.find((one) => one.id === id);
  const form = (
    <form onSubmit={begin}>
      <h2>{t("analysis.open.game")}</h2>
      <div class="field">
        <label for="game">{t("new.game")}</label>
        <select
          id="game"
          value={id}
          onChange={(event) => {
            setId(event.currentTarget.value);
            setOptions({});
            setBySetup(false);
            setNumber(1);
          }}
        >
          {games.map((game) => (
            <option key={game.id} value={game.id}>
              {game.name}
            </option>
          ))}
        </select>
      </div>
      {summary && summary.setups > 1 && (
        <div class="field">
          <Check label={t("analysis.open.setup")} checked={bySetup} onChange={setBySetup} />
          {bySetup && (
            <NumberField
              label={t("new.setup.which", { count: summary.setups })}
              value={number}
              min={1}
              max={summary.setups}
              onChange={(value) => setNumber(Math.round(value))}
            />
          )}
        </div>
      )}
      {game && game.options.length > 0 && <Options game={game} options={options} onChange={setOptions} />}
      <div class="field">
        <label for="fen">{t("analysis.open.fen")}</label>
        <textarea
          id="fen"
          rows={2}
          value={typed}
          maxLength={4096}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onChange={(event) => setFen(event.currentTarget.value.trim())}
        />
        {shown.error && (
          <p class="fault" role="alert">
            {refusalText(shown.error)}
          </p>
        )}
        <p class="help">{t("analysis.open.fen.help")}</p>
      </div>
      <div class="together">
        <button type="submit" class="primary">
          {t("analysis.open.begin")}
        </button>
        <a
          class="button"
          href={at(
            `/analysis/edit?${new URLSearchParams({ game: id, ...optionsIn(options), ...(typed.trim() ? { fen: typed.trim() } : {}) })}`,
          )}
        >
          <Icon of={SquarePen} size={18} /> {t("analysis.edit")}
        </a>
      </div>
    </form>
  );
  return (
    <div class="two-columns opening">
      <div class="beside">
        {summary && (
          <div class="opening-board">
            <Shape of={summary}>
              {game && game.id === id && shown.value && (
                <BoardView
                  class="picture"
                  key={id}
                  files={game.files}
                  ranks={game.ranks}
                  pieceTypes={game.pieces}
                  position={shown.value}
                  seat="both"
                  premoves={false}
                  confirm="never"
                  coordinates="none"
                  fit="width"
                  onMove={play}
                />
              )}
            </Shape>
          </div>
        )}
      </div>
      <div>
        {form}
        {children({ game: id, options })}
      </div>
    </div>
  );
}

function RecordField({ open, choice }: { open: OpenWith; choice: GameChoice }) {
  const [text, setText] = useState("");
  const [atEnd, setAtEnd] = useState(false);
  const read = (pgn: string) =>
    open(async () => {
      const found = await readRecord(pgn, choice);
      return saveNew(found, { at: (atEnd && mainline(grown(found)).at(-1)) || START });
    });
  return (
    <section>
      <h2>
        <label for="pgn">{t("analysis.open.record")}</label>
      </h2>
      <div class="field">
        <textarea id="pgn" rows={4} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </div>
      <Check label={t("analysis.open.end")} checked={atEnd} onChange={setAtEnd} />
      <div class="together">
        <button type="button" disabled={!text.trim()} onClick={() => read(text)}>
          {t("analysis.open.read")}
        </button>
        <label class="button">
          {t("who.open")}
          <input
            type="file"
            class="hidden"
            accept=".pgn,.txt,text/plain,application/x-chess-pgn"
            onChange={async (event) => {
              const [file] = event.currentTarget.files ?? [];
              if (file) read(await file.text());
            }}
          />
        </label>
      </div>
    </section>
  );
}

function SavedList() {
  const [saved, setSaved] = useState<SavedAnalysis[]>([]);
  const refresh = () => database.latest<SavedAnalysis>().then(setSaved, () => undefined);
  useEffect(() => void refresh(), []);
  if (saved.length === 0) return null;
  const date = new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "short" });
  return (
    <section>
      <h2>{t("analysis.saved")}</h2>
      <p class="help">{t("analysis.saved.help")}</p>
      <ul class="plain">
        {saved.map((analysis) => (
          <li key={analysis.id} class="saved">
            <a href={at(`/analysis/${analysis.id}`)}>{titleOf(analysis)}</a>
            <span class="muted small">
              {analysis.name} · {count("card.moves", Object.keys(analysis.tree).length - 1)} ·{" "}
              {date.format(analysis.changed)}
            </span>
            <button
              type="button"
              class="quiet"
              aria-label={t("analysis.saved.drop", { title: titleOf(analysis) })}
              onClick={() => database.remove(analysis.id).then(refresh)}
            >
              <Icon of={Trash2} size={18} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The player's finished matches. */
function Finished() {
  const loaded = useLoaded<MatchCard[]>(
    (signal) => (identity.value ? api.mine(signal) : Promise.resolve([])),
    [identity.value?.token],
  );
  const over = (loaded.value ?? []).filter((match) => match.phase === "over" && match.ply > 0).slice(0, 10);
  if (over.length === 0) return null;
  return (
    <section>
      <h2>{t("mine.over")}</h2>
      <ul class="plain">
        {over.map((match) => (
          <li key={match.match} class="saved">
            <a href={at(`/analysis?match=${encodeURIComponent(match.match)}`)}>
              {match.players.white} – {match.players.black}
            </a>
            <span class="muted small">
              {match.game.name} · {count("card.moves", match.ply)} · {match.ending?.result}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

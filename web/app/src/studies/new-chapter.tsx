import { useState } from "preact/hooks";
import { api, type Refusal } from "../client";
import * as studies from "../client/studies";
import { t } from "../i18n";
import { Trouble, useLoaded } from "../parts/loaded";
import { thrownRefusal } from "../refusal";

/** Adds a chapter: the start of a game or a setup, a position, or all games of a PGN. */
export function NewChapterForm({
  study,
  done,
  close,
}: {
  study: string;
  done: (chapter: number) => void;
  close: () => void;
}) {
  const games = useLoaded(api.games);
  const [error, setError] = useState<Refusal | null>(null);
  const [faults, setFaults] = useState<string[]>([]);
  const [id, setId] = useState("");
  const chosen = games.value?.find((game) => game.id === id) ?? games.value?.[0];
  const add = async (data: FormData) => {
    const text = (name: string) => String(data.get(name) ?? "").trim();
    const game = text("game");
    if (text("pgn")) return studies.readPgn(study, text("pgn"));
    const [fen, setup] = [text("fen"), text("setup")];
    const title = text("title") || (chosen?.name ?? game);
    return studies.addChapter(study, { title, game, ...(fen ? { fen } : setup ? { setup } : {}) });
  };
  return (
    <form
      class="chapter-form"
      onSubmit={(event) => {
        event.preventDefault();
        setError(null);
        add(new FormData(event.currentTarget)).then(
          (added) => {
            if (added.faults.length > 0) setFaults(added.faults);
            const [first] = added.chapters;
            if (first !== undefined && added.faults.length === 0) done(first);
          },
          (problem: unknown) => setError(thrownRefusal(problem)),
        );
      }}
    >
      {error && <Trouble error={error} />}
      {faults.length > 0 && (
        <ul class="small" role="status">
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      <label class="small" for="new-title">
        {t("study.title.label")}
      </label>
      <input id="new-title" name="title" maxLength={80} />
      <label class="small" for="new-game">
        {t("new.game")}
      </label>
      <select id="new-game" name="game" value={chosen?.id} onChange={(event) => setId(event.currentTarget.value)}>
        {games.value?.map((game) => (
          <option key={game.id} value={game.id}>
            {game.name}
          </option>
        ))}
      </select>
      {chosen && chosen.setups > 1 && (
        <>
          <label class="small" for="new-setup">
            {t("study.setup")}
          </label>
          <input id="new-setup" name="setup" maxLength={80} autocomplete="off" />
        </>
      )}
      <label class="small" for="new-fen">
        {t("analysis.open.fen")}
      </label>
      <input id="new-fen" name="fen" maxLength={4096} autocomplete="off" />
      <label class="small" for="new-pgn">
        {t("study.pgn.in")}
      </label>
      <textarea id="new-pgn" name="pgn" rows={3} />
      <div class="together">
        <button type="submit" class="primary">
          {t("study.chapter.add")}
        </button>
        <button type="button" class="quiet" onClick={close}>
          {t("close")}
        </button>
      </div>
    </form>
  );
}

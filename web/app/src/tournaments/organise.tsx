import { useState } from "preact/hooks";
import type { Refusal } from "../client";
import * as tournaments from "../client/tournaments";
import { t } from "../i18n";
import { Dialog } from "../parts/dialog";
import { Trouble } from "../parts/loaded";
import type { Tournament } from "../wire";
import { DescriptionField, NameField } from "./fields";
import { byNumber } from "./texts";

/** What the organiser and moderators can do. */
export function Organise({ tournament }: { tournament: Tournament }) {
  const [error, setError] = useState<Refusal | null>(null);
  const [asked, setAsked] = useState(false);
  const [name, setName] = useState(tournament.name);
  const [description, setDescription] = useState(tournament.description);
  const [player, setPlayer] = useState("");
  const id = tournament.tournament;
  const run = (work: Promise<void>) => {
    setError(null);
    return work.catch(setError);
  };
  const open = tournament.phase === "open";
  const unplayed = tournament.boards.filter((board) => !board.points && board.games.length === 0 && board.until);
  return (
    <details class="organise">
      <summary>{t("tournament.organise")}</summary>
      <div class="together">
        {open && (
          <button type="button" class="strong" onClick={() => run(tournaments.start(id, 0))}>
            {t("tournament.startNow")}
          </button>
        )}
        <button type="button" onClick={() => setAsked(true)}>
          {t("tournament.cancel")}
        </button>
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          run(tournaments.describe(id, { name: name.trim(), description: description.trim() }));
        }}
      >
        <NameField value={name} onChange={setName} />
        <DescriptionField value={description} onChange={setDescription} />
        <button type="submit">{t("tournament.save")}</button>
      </form>
      <div class="field">
        <label for="removed">{t("tournament.remove")}</label>
        <div class="together">
          <select id="removed" value={player} onChange={(event) => setPlayer(event.currentTarget.value)}>
            <option value="">–</option>
            {tournament.players.map((one) => (
              <option key={one.player} value={one.player}>
                {one.name}
              </option>
            ))}
          </select>
          <button
            type="button"
            disabled={!player}
            onClick={() => run(tournaments.remove(id, Number(player))).then(() => setPlayer(""))}
          >
            {t("tournament.remove")}
          </button>
        </div>
      </div>
      {unplayed.map((board) => (
        <Ruling
          key={board.board}
          tournament={tournament}
          players={board.players}
          decide={(winner) => run(tournaments.rule(id, board.board, { winner }))}
        />
      ))}
      {error && <Trouble error={error} />}
      {asked && (
        <Dialog title={t("tournament.cancel")} close={() => setAsked(false)}>
          <p>{t("tournament.cancel.sure")}</p>
          <div class="together">
            <button
              type="button"
              class="primary"
              onClick={() => run(tournaments.cancel(id)).then(() => setAsked(false))}
            >
              {t("tournament.cancel")}
            </button>
            <button type="button" onClick={() => setAsked(false)}>
              {t("tournament.keep")}
            </button>
          </div>
        </Dialog>
      )}
    </details>
  );
}

/** A pair that was not played: who gets the point. */
function Ruling({
  tournament,
  players,
  decide,
}: {
  tournament: Tournament;
  players: number[];
  decide: (winner: number | null) => void;
}) {
  const everybody = byNumber(tournament);
  const names = players.map((player) => everybody.get(player)?.name ?? "");
  return (
    <fieldset>
      <legend>{t("tournament.ruling", { pair: names.join(" – ") })}</legend>
      <div class="together">
        {players.map((player, place) => (
          <button key={player} type="button" onClick={() => decide(player)}>
            {names[place]}
          </button>
        ))}
        <button type="button" onClick={() => decide(null)}>
          {t("tournament.ruling.nobody")}
        </button>
      </div>
    </fieldset>
  );
}

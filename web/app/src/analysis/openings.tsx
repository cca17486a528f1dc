import { Search } from "lucide";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { at, identity } from "../client";
import * as ask from "../client/analysis";
import * as archive from "../client/archive";
import { t } from "../i18n";
import { Choices } from "../parts/choices";
import { Icon } from "../parts/icon";
import { Show, useLoaded } from "../parts/loaded";
import { Played } from "../parts/openings";
import type { Game, WhoseOpenings } from "../wire";
import type { Opened } from "./opened";
import { saveNew } from "./study";
import { START } from "./tree";
import "../style/archive.css";

/** What was played in the position shown, on this server, by oneself or in the lab, and the setups at the start. */
export function OpeningsHere({ study, game }: { study: Opened; game: Game }) {
  const { route } = useLocation();
  const [whose, setWhose] = useState<WhoseOpenings>("public");
  const saved = study.saved.value;
  const fen = study.position.value.fen;
  const spec = specOf(saved.game, saved.options);
  const loaded = useLoaded(
    async (signal) => ({ of: fen, openings: await archive.openings(whose, spec, fen, signal) }),
    [fen, whose, spec],
  );
  const setups = useLoaded(
    async (signal) => (game.setup && saved.at === START ? archive.openings(whose, spec, null, signal) : null),
    [whose, spec, saved.at === START],
  );
  const begin = async (setup: string) => {
    const id = await saveNew(await ask.tree({ ...study.choice, setup }));
    route(at(`/analysis/${id}`));
  };
  const among: WhoseOpenings[] = ["public"];
  if (identity.value) among.push("mine");
  if (loaded.value?.openings.lab) among.push("lab");
  return (
    <div class="openings-here">
      {among.length > 1 && (
        <Choices
          legend={t("archive.whose")}
          value={whose}
          among={among.map((value) => ({ value, label: t(`archive.whose.${value}`) }))}
          onChange={setWhose}
        />
      )}
      <Show loaded={loaded}>
        {({ of, openings }) => <Played openings={openings} go={(move) => of === fen && void study.play([move])} />}
      </Show>
      {setups.value && setups.value.moves.length > 0 && (
        <>
          <h2>{t("archive.openings.setups")}</h2>
          <Played openings={setups.value} go={(setup) => void begin(setup)} />
        </>
      )}
      {whose !== "lab" && (
        <p>
          <a class="button" href={at(`/archive?${archive.queryOf({ whose, game: spec, fen })}`)}>
            <Icon of={Search} size={18} /> {t("archive.with_position")}
          </a>
        </p>
      )}
    </div>
  );
}

/** A game with its options, as requests name it. */
function specOf(game: string, options: Record<string, string>): string {
  const chosen = Object.entries(options);
  return chosen.length > 0 ? `${game}:${chosen.map(([name, value]) => `${name}=${value}`)}` : game;
}

import { useState } from "preact/hooks";
import { at, identity } from "../client";
import * as studies from "../client/studies";
import { t } from "../i18n";
import { refusalText, useLoaded } from "../parts/loaded";
import { thrownRefusal } from "../refusal";

/** A link to the study in which the inventor of a published game writes about it. */
export function InventorsLink({ game }: { game: string }) {
  const found = useLoaded((signal) => studies.ofGame(game, signal), [game]).value;
  return found && <a href={at(`/study/${found.study}`)}>{t("studio.study.read", { title: found.title })}</a>;
}

/** Chooses the study that is the inventor's page of a game that one has published. */
export function ChooseStudy({ game, token }: { game: string; token: string | null }) {
  const found = useLoaded((signal) => studies.ofGame(game, signal), [game]);
  const mine = useLoaded(
    async (signal) => (identity.value ? (await studies.list("mine", null, signal)).studies : []),
    [identity.value?.token],
  );
  const [said, setSaid] = useState("");
  const open = (mine.value ?? []).filter(({ role, access }) => role === "owner" && access !== "private");
  const choose = (study: string) =>
    studies.nameForGame(game, { study: study || null, token }).then(
      () => {
        setSaid(t("studio.study.done"));
        found.again();
      },
      (error: unknown) => setSaid(refusalText(thrownRefusal(error))),
    );
  return (
    <div class="field">
      <label for="inventors-study">{t("studio.study")}</label>
      <select
        id="inventors-study"
        value={found.value?.study ?? ""}
        onChange={(event) => void choose(event.currentTarget.value)}
      >
        <option value="">{t("studio.study.none")}</option>
        {open.map(({ study, title }) => (
          <option key={study} value={study}>
            {title}
          </option>
        ))}
      </select>
      <p class="help">
        {t("studio.study.help")} <a href={at("/studies")}>{t("studies.new")}</a>
      </p>
      <p role="status">{said}</p>
    </div>
  );
}

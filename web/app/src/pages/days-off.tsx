import { useState } from "preact/hooks";
import type { Refusal } from "../client";
import * as correspondence from "../client/correspondence";
import { count, t } from "../i18n";
import { Show, Trouble, useLoaded } from "../parts/loaded";
import { moment } from "../people/notice";
import { thrownRefusal } from "../refusal";
import type { DaysOff as Found } from "../wire";

/** The days off of the person, in which their clocks by correspondence do not run. */
export function DaysOff() {
  const loaded = useLoaded(correspondence.daysOff);
  return (
    <section class="more" aria-labelledby="days-off">
      <h2 id="days-off">{t("off.title")}</h2>
      <Show loaded={loaded}>{(found) => <Form found={found} />}</Show>
    </section>
  );
}

function Form({ found }: { found: Found }) {
  const [{ until, left }, setFound] = useState(found);
  const [days, setDays] = useState(Math.min(7, left));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Refusal | null>(null);
  const run = (action: Promise<Found>) => {
    setBusy(true);
    setError(null);
    action.then(setFound, (problem: unknown) => setError(thrownRefusal(problem))).finally(() => setBusy(false));
  };
  return (
    <>
      {until !== null ? (
        <p>
          {t("off.until", { until: moment(until) })}{" "}
          <button type="button" class="strong" disabled={busy} onClick={() => run(correspondence.endDaysOff())}>
            {t("off.end")}
          </button>
        </p>
      ) : left > 0 ? (
        <p class="together">
          <label>
            {t("off.days")}{" "}
            <select value={days} onChange={(event) => setDays(Number(event.currentTarget.value))}>
              {Array.from({ length: left }, (_, index) => (
                <option key={index} value={index + 1}>
                  {count("days", index + 1)}
                </option>
              ))}
            </select>
          </label>
          <button type="button" disabled={busy} onClick={() => run(correspondence.takeDaysOff({ days }))}>
            {t("off.take")}
          </button>
        </p>
      ) : null}
      {error && <Trouble error={error} />}
      <p class="muted small">
        {t("off.left", { days: count("days", left) })} {t("off.help")}
      </p>
    </>
  );
}

import { useState } from "preact/hooks";
import { at, identity, type Refusal } from "../client";
import * as notifications from "../client/notifications";
import { t } from "../i18n";
import { Check } from "../parts/choices";
import { Show, Trouble, useLoaded } from "../parts/loaded";
import { thrownRefusal } from "../refusal";
import type { Notifications as Found, NotificationKind } from "../wire";
import "../style/notifications.css";

const KINDS: readonly NotificationKind[] = ["your_turn", "time_low", "challenge", "reply", "tournament", "lobby"];
const NIGHT = { start: 22 * 60, end: 8 * 60 };

/** Of what the person is notified while no page is open, and how. */
export function Notifications() {
  const loaded = useLoaded<Found | null>(
    (signal) => (identity.value ? notifications.load(signal) : Promise.resolve(null)),
    [identity.value?.token],
  );
  // Looking must not create a guest, and whoever has never played has nothing to hear of.
  if (!identity.value) return null;
  return (
    <section aria-labelledby="notifications">
      <h2 id="notifications">{t("notify.title")}</h2>
      <Show loaded={loaded}>
        {(found) => found && <Form key={String(found.here)} found={found} again={loaded.again} />}
      </Show>
    </section>
  );
}

function Form({ found, again }: { found: Found; again: () => void }) {
  const [settings, setSettings] = useState(found.settings);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Refusal | null>(null);
  const run = async (action: () => Promise<void>) => {
    setBusy(true);
    setError(null);
    await action().catch((problem) => setError(thrownRefusal(problem)));
    setBusy(false);
  };
  const save = (change: Partial<Found["settings"]>) => {
    const next = { ...settings, ...change, zone: Intl.DateTimeFormat().resolvedOptions().timeZone };
    setSettings(next);
    void run(() => notifications.change(next));
  };
  const { quiet } = settings;
  const columns = [
    { name: "push", off: found.browsers === 0 },
    { name: "mail", off: found.mail === null },
  ] as const;
  return (
    <>
      <p class="muted">{t("notify.lead")}</p>
      {notifications.pushWorks() ? (
        <p>
          <button
            type="button"
            class={found.here ? "" : "strong"}
            disabled={busy}
            onClick={() =>
              run(async () => {
                await (found.here ? notifications.unsubscribe() : notifications.subscribe(found.key));
                again();
              })
            }
          >
            {t(found.here ? "notify.stopHere" : "notify.here")}
          </button>
        </p>
      ) : (
        <p class="muted">{t("notify.cannot")}</p>
      )}
      {error && <Trouble error={error} />}
      <table class="notify">
        <thead>
          <tr>
            <th scope="col">{t("notify.of")}</th>
            {columns.map(({ name }) => (
              <th key={name} scope="col">
                {t(`notify.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {KINDS.map((kind) => (
            <tr key={kind}>
              <th scope="row">{t(`notify.kind.${kind}`)}</th>
              {columns.map(({ name, off }) => (
                <td key={name}>
                  <label>
                    <input
                      type="checkbox"
                      aria-label={`${t(`notify.kind.${kind}`)}: ${t(`notify.${name}`)}`}
                      checked={!off && (settings[kind]?.[name] ?? false)}
                      disabled={off}
                      onChange={(event) => save({ [kind]: { ...settings[kind], [name]: event.currentTarget.checked } })}
                    />
                  </label>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {found.mails && found.mail === null && (
        <p class="help">
          {t("notify.noMail")} <a href={at("/account")}>{t("account.title")}</a>
        </p>
      )}
      <Check
        label={t("notify.quiet")}
        checked={Boolean(quiet)}
        onChange={(on) => save({ quiet: on ? NIGHT : null })}
        help={t("notify.quiet.help")}
      />
      {quiet && (
        <div class="together">
          {(["start", "end"] as const).map((edge) => (
            <label key={edge}>
              {t(`notify.quiet.${edge}`)}{" "}
              <input
                type="time"
                required
                value={clock(quiet[edge])}
                onChange={(event) => {
                  const [hours, minutes] = event.currentTarget.value.split(":").map(Number);
                  if (hours !== undefined && minutes !== undefined)
                    save({ quiet: { ...quiet, [edge]: hours * 60 + minutes } });
                }}
              />
            </label>
          ))}
        </div>
      )}
    </>
  );
}

const two = (number: number) => String(number).padStart(2, "0");
const clock = (minute: number) => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;

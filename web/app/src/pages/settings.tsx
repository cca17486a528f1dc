import { useState } from "preact/hooks";
import {
  api,
  at,
  type Identity,
  identity,
  type Refusal,
  rename,
  type Settings,
  set,
  settingChoices,
  settings,
} from "../client";
import { type Key, t } from "../i18n";
import { Sample } from "../parts/board";
import { Choices } from "../parts/choices";
import { useGame } from "../parts/games";
import { Later } from "../parts/later";
import { Trouble } from "../parts/loaded";
import { Page } from "../parts/page";

export function SettingsPage() {
  return (
    <Page title={t("settings.title")}>
      <Setting name="theme" />
      <Setting name="language" />
      <Look />
      <Setting name="notation" help />
      <Setting name="coordinates" />
      <Setting name="sounds" />
      <Setting name="confirm" help />
      <Setting name="promotion" help />
      <Setting name="analysis" help />
      <OpenTabs />
      <Later load={() => import("./notifications").then((its) => its.Notifications)} />
      <Later load={() => import("../local/keeping").then(({ Keeping }) => Keeping)} />
      <Who />
      <p>
        <a href={at("/settings/tokens")}>{t("settings.programs")}</a>
      </p>
      <p>
        <a href={at("/about")}>{t("data.title")}</a>
      </p>
    </Page>
  );
}

function Setting<K extends keyof Settings>({ name, help = false }: { name: K; help?: boolean }) {
  const value = settings.value[name];
  const among = settingChoices[name].map((value) => ({ value, label: t(`settings.${name}.${value}` as Key) }));
  return (
    <Choices
      legend={t(`settings.${name}` as Key)}
      value={value}
      among={among}
      onChange={(next) => set(name, next)}
      help={help ? t(`settings.${name}.help` as Key) : undefined}
    />
  );
}

/** The boards and the sets of pieces, each with a sample. */
function Look() {
  // Its pieces move in many ways.
  const pieceTypes = useGame("metamachy").value?.pieces ?? [];
  const { board, pieces } = settings.value;
  return (
    <>
      <Choices
        legend={t("settings.board")}
        value={board}
        among={settingChoices.board.map((value) => ({
          value,
          label: (
            <>
              <Sample pieceTypes={pieceTypes} board={value} pieces={pieces} /> {t(`settings.board.${value}`)}
            </>
          ),
        }))}
        onChange={(next) => set("board", next)}
      />
      <Choices
        legend={t("settings.pieces")}
        value={pieces}
        among={settingChoices.pieces.map((value) => ({
          value,
          label: (
            <>
              <Sample pieceTypes={pieceTypes} board={board} pieces={value} /> {t(`settings.pieces.${value}`)}
            </>
          ),
        }))}
        onChange={(next) => set("pieces", next)}
        help={t("settings.pieces.help")}
      />
    </>
  );
}

function OpenTabs() {
  const can = "Notification" in window;
  const [refused, setRefused] = useState(can && Notification.permission === "denied");
  const change = async (value: "on" | "off") => {
    if (value === "on" && (await Notification.requestPermission()) !== "granted") {
      setRefused(true);
      return;
    }
    set("notify", value);
  };
  return (
    <Choices
      legend={t("settings.notify")}
      value={settings.value.notify}
      among={settingChoices.notify.map((value) => ({ value, label: t(`settings.notify.${value}`), disabled: !can }))}
      onChange={change}
      help={t(refused ? "settings.notify.refused" : "settings.notify.help")}
    />
  );
}

/** Who plays here. */
function Who() {
  const who = identity.value;
  return (
    <section aria-labelledby="who">
      <h2 id="who">{t("who.title")}</h2>
      <p class="muted">{who?.account ? t("account.as", { name: who.name }) : t("who.text")}</p>
      <p>
        <a class="button" href={at("/account")}>
          {t(who?.account ? "account.title" : "who.account")}
        </a>
      </p>
      {!who?.account && <Guest who={who} />}
    </section>
  );
}

/** The guest's name. */
function Guest({ who }: { who: Identity | null }) {
  const [error, setError] = useState<Refusal | null>(null);
  const [done, setDone] = useState(false);
  const save = async (event: Event) => {
    event.preventDefault();
    const name = new FormData(event.currentTarget as HTMLFormElement).get("name");
    if (typeof name !== "string" || !name.trim()) return;
    setError(null);
    await api.renameMe(name.trim()).then((guest) => {
      rename(guest.name);
      setDone(true);
    }, setError);
  };
  return (
    <>
      <form onSubmit={save} class="field">
        <label for="name">{t("who.name")}</label>
        <div class="together">
          <input
            id="name"
            name="name"
            maxLength={40}
            autocomplete="nickname"
            defaultValue={who?.name ?? ""}
            key={who?.name}
          />
          <button type="submit">{t("who.save")}</button>
        </div>
      </form>
      <p role="status">{done && t("who.saved")}</p>
      {error && <Trouble error={error} />}
    </>
  );
}

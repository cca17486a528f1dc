import { Download, Eye, Upload } from "lucide";
import { useState } from "preact/hooks";
import {
  api,
  at,
  become,
  exported,
  type Identity,
  identity,
  imported,
  type Refusal,
  rename,
  type Settings,
  set,
  settingChoices,
  settings,
  signedIn,
} from "../client";
import { type Key, t } from "../i18n";
import { importTraining, training } from "../learn/training";
import { Sample } from "../parts/board";
import { Choices } from "../parts/choices";
import { download } from "../parts/download";
import { useGame } from "../parts/games";
import { Icon } from "../parts/icon";
import { Later } from "../parts/later";
import { Trouble } from "../parts/loaded";
import { Page } from "../parts/page";

/** The most characters of an exported identity: enough for every puzzle solved and failed. */
const MOST_TEXT = 200_000;

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
      <Notifications />
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

function Notifications() {
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

/** The guest's name, and the identity to export or to switch. */
function Guest({ who }: { who: Identity | null }) {
  const [error, setError] = useState<Refusal | null>(null);
  const [done, setDone] = useState<Key | null>(null);
  const [shown, setShown] = useState(false);
  const [text, setText] = useState("");
  const save = async (event: Event) => {
    event.preventDefault();
    const name = new FormData(event.currentTarget as HTMLFormElement).get("name");
    if (typeof name !== "string" || !name.trim()) return;
    setError(null);
    await api.renameMe(name.trim()).then((guest) => {
      rename(guest.name);
      setDone("who.saved");
    }, setError);
  };
  const switchTo = async (event: Event) => {
    event.preventDefault();
    const next = imported(text);
    setDone(null);
    setError(null);
    if (!next) return setDone("who.unreadable");
    const before = identity.value;
    become(next);
    try {
      signedIn(await api.me());
      importTraining(text);
      setText("");
      setDone("who.switched");
    } catch (problem) {
      become(before);
      setError(problem as Refusal);
    }
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
      {who && (
        <div class="field">
          <span class="name">{t("who.export")}</span>
          <p class="help">{t("who.export.help")}</p>
          <div class="together">
            <button
              type="button"
              onClick={() =>
                download(
                  new Blob([exported(who, training.value)], { type: "application/json" }),
                  "acedrex-identity.json",
                )
              }
            >
              <Icon of={Download} /> {t("who.file")}
            </button>
            <button type="button" class="quiet" aria-expanded={shown} onClick={() => setShown(!shown)}>
              <Icon of={Eye} /> {t(shown ? "who.hide" : "who.show")}
            </button>
          </div>
          {shown && (
            <p>
              <code class="token">{who.token}</code>
            </p>
          )}
        </div>
      )}
      <form onSubmit={switchTo} class="field">
        <label for="token">{t("who.import")}</label>
        <div class="together">
          <input id="token" value={text} autocomplete="off" onInput={(event) => setText(event.currentTarget.value)} />
          <button type="submit" disabled={!text.trim()}>
            {t("who.switch")}
          </button>
          <label class="button file">
            <Icon of={Upload} /> {t("who.open")}
            <input
              type="file"
              accept=".json,application/json"
              class="hidden"
              onChange={async (event) =>
                setText((await event.currentTarget.files?.[0]?.text())?.slice(0, MOST_TEXT) ?? "")
              }
            />
          </label>
        </div>
        <p class="help">{t("who.import.help")}</p>
      </form>
      <p role="status">{done && t(done)}</p>
      {error && <Trouble error={error} />}
    </>
  );
}

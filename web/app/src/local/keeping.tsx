import { CloudDownload } from "lucide";
import { useState } from "preact/hooks";
import type { Refusal } from "../client";
import { language, t } from "../i18n";
import { Icon } from "../parts/icon";
import { refusalText } from "../parts/loaded";
import { thrownRefusal } from "../refusal";
import { keepAll, progress } from "./keep";

/** The button that keeps everything for play without a network, with its progress and size. */
export function Keeping() {
  const [error, setError] = useState<Refusal | null>(null);
  const now = progress.value;
  const busy = now !== null && now.done < now.total;
  const keep = () => {
    setError(null);
    keepAll().catch((problem: unknown) => setError(thrownRefusal(problem)));
  };
  const size = new Intl.NumberFormat(language.value, { maximumFractionDigits: 1 }).format((now?.bytes ?? 0) / 1e6);
  return (
    <section aria-labelledby="keep" class="field">
      <h2 id="keep">{t("keep.title")}</h2>
      <p>{t("keep.text")}</p>
      <div class="together">
        <button type="button" disabled={busy} onClick={keep}>
          <Icon of={CloudDownload} size={18} /> {t("keep.button")}
        </button>
        {now && <progress aria-label={t("keep.title")} max={now.total} value={now.done} />}
      </div>
      <p role="status">{now && t(busy ? "keep.going" : "keep.done", { ...now, size })}</p>
      {error && <p role="alert">{refusalText(error)}</p>}
    </section>
  );
}

import { Archive } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { at, type Refusal } from "../client";
import { count, t } from "../i18n";
import { online } from "../parts/frame";
import { Icon } from "../parts/icon";
import { refusalText } from "../parts/loaded";
import { thrownRefusal } from "../refusal";
import { addToArchive, archivings, latest } from "./archive";
import { isArchivable, type LocalRecord } from "./record";

/** The offer to add a finished match to the archive, or without `match` all of this device; nothing if there is none. */
export function Archiving({ match }: { match?: string }) {
  const [records, setRecords] = useState<LocalRecord[]>([]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Refusal | null>(null);
  useEffect(() => void latest().then(setRecords), [archivings.value]);
  const here = records.filter(({ id }) => match === undefined || id === match);
  const open = here.filter(isArchivable).map(({ id }) => id);
  const add = async () => {
    setBusy(true);
    setError(null);
    await addToArchive(open).catch((problem: unknown) => setError(thrownRefusal(problem)));
    setBusy(false);
  };
  if (open.length === 0)
    return match !== undefined && here.some(({ archived }) => archived) ? (
      <a class="button" href={at("/archive?whose=mine")}>
        <Icon of={Archive} size={18} /> {t("local.archived")}
      </a>
    ) : null;
  const offer = match === undefined ? count("local.archive", open.length) : t("local.archive");
  const label = online.value ? offer : t("local.archive.offline");
  return (
    <>
      <button type="button" class={match === undefined ? "strong" : ""} disabled={busy || !online.value} onClick={add}>
        <Icon of={Archive} size={18} /> {label}
      </button>
      {error && <p role="alert">{refusalText(error)}</p>}
    </>
  );
}

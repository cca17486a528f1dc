import { useEffect, useRef, useState } from "preact/hooks";
import { identity, type Refusal } from "../client";
import * as correspondence from "../client/correspondence";
import { load, save as store } from "../client/storage";
import { t } from "../i18n";
import { Show, Trouble, useLoaded } from "../parts/loaded";
import { thrownRefusal } from "../refusal";

/** How long after the last letter a note is saved. */
const PAUSE_MS = 600;

/** What the player has noted about the match, which nobody else sees. */
export function OwnNote({ match }: { match: string }) {
  const loaded = useLoaded((signal) => correspondence.note(match, signal), [match]);
  return <Show loaded={loaded}>{({ text }) => <Field match={match} text={text} />}</Show>;
}

function Field({ match, text }: { match: string; text: string }) {
  // What the server does not have yet, also after the page is closed.
  const key = `note.${identity.value?.name ?? ""}.${match}`;
  const unsaved = useRef(load(key) as string | null);
  const [written, setWritten] = useState(unsaved.current ?? text);
  const [error, setError] = useState<Refusal | null>(null);
  const save = () => {
    const next = unsaved.current;
    if (next === null) return;
    unsaved.current = null;
    correspondence.writeNote(match, { text: next }).then(
      () => {
        setError(null);
        store(key, unsaved.current);
      },
      (problem: unknown) => {
        unsaved.current ??= next;
        setError(thrownRefusal(problem));
      },
    );
  };
  useEffect(() => {
    const timer = setTimeout(save, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [written]);
  // Whoever leaves at once loses nothing.
  useEffect(() => save, []);
  return (
    <label class="own-note">
      {t("note.label")}
      <textarea
        rows={3}
        maxLength={4000}
        value={written}
        onInput={(event) => {
          unsaved.current = event.currentTarget.value;
          store(key, unsaved.current);
          setWritten(event.currentTarget.value);
        }}
        onBlur={save}
      />
      {error && <Trouble error={error} again={save} />}
    </label>
  );
}

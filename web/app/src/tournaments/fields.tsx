import { useId } from "preact/hooks";
import { t } from "../i18n";

type Field = { value: string; onChange: (value: string) => void };

/** The name of a tournament. */
export function NameField({ value, onChange }: Field) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{t("tournament.name")}</label>
      <input
        id={id}
        class="tournament-name"
        required
        minLength={3}
        maxLength={60}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}

/** What the organiser wants to say about a tournament. */
export function DescriptionField({ value, onChange }: Field) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{t("tournament.description")}</label>
      <textarea
        id={id}
        rows={3}
        maxLength={1000}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}

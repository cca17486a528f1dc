import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import type { Refusal } from "../client";
import { type Key, t } from "../i18n";
import { refusalText } from "../parts/loaded";
import { thrownRefusal } from "../refusal";

export type Values = Record<string, string>;

interface Action {
  label: Key;
  act: (values: Values) => Promise<unknown>;
  /** Whether it is what most people want here. */
  strong?: boolean;
  /** Whether it needs no field but those named. */
  only?: string[];
}

/** A form that does one thing, or another in its place, and says whether it worked. */
export function Form({
  title,
  text,
  done,
  actions,
  children,
}: {
  title: Key;
  text?: Key;
  done?: Key;
  actions: Action[];
  children?: ComponentChildren;
}) {
  const id = useId();
  const [busy, setBusy] = useState(false);
  const [worked, setWorked] = useState(false);
  const [error, setError] = useState<Refusal | null>(null);
  const run = async (form: HTMLFormElement, { act, only }: Action) => {
    const fields = [...form.elements].filter((field) => field instanceof HTMLInputElement);
    if (!fields.every((field) => (only && !only.includes(field.name)) || field.reportValidity())) return;
    setBusy(true);
    setError(null);
    setWorked(false);
    try {
      await act(Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)])));
      form.reset();
      setWorked(true);
    } catch (problem) {
      setError(thrownRefusal(problem));
    }
    setBusy(false);
  };
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{t(title)}</h2>
      {text && <p>{t(text)}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (actions[0]) void run(event.currentTarget, actions[0]);
        }}
      >
        {children}
        <div class="together">
          {actions.map((action, place) => (
            <button
              key={action.label}
              type={place === 0 ? "submit" : "button"}
              class={action.strong ? "strong" : undefined}
              disabled={busy}
              onClick={(event) => {
                const { form } = event.currentTarget;
                if (place > 0 && form) void run(form, action);
              }}
            >
              {t(action.label)}
            </button>
          ))}
        </div>
      </form>
      <p role="status">{worked && done && t(done)}</p>
      {error && <Failure error={error} />}
    </section>
  );
}

export function Failure({ error }: { error: Refusal }) {
  return (
    <div class="notice" role="alert">
      <p>{refusalText(error)}</p>
    </div>
  );
}

export function Field({ name, label, help, ...input }: { name: string; label: Key; help?: Key } & Values) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{t(label)}</label>
      <input
        id={id}
        name={name}
        required
        autocapitalize="none"
        spellcheck={false}
        {...(help && { "aria-describedby": `${id}-help` })}
        {...input}
      />
      {help && (
        <p class="help" id={`${id}-help`}>
          {t(help)}
        </p>
      )}
    </div>
  );
}

export const Name = (more: Values & { help?: Key }) => (
  <Field name="name" label="account.name" autocomplete="username" maxlength="40" {...more} />
);
export const CurrentPassword = () => (
  <Field name="password" label="account.password" type="password" autocomplete="current-password" maxlength="256" />
);
export const NewPassword = () => (
  <Field
    name="password"
    label="account.password.new"
    help="account.password.help"
    type="password"
    autocomplete="new-password"
    minlength="8"
    maxlength="128"
  />
);

import { signal } from "@preact/signals";
import { LogOut, Smartphone } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { api, at, identity, Refusal, signedIn, signedOut } from "../client";
import * as accounts from "../client/accounts";
import { type Key, language, t } from "../i18n";
import { CopyText } from "../parts/copy-text";
import { Icon } from "../parts/icon";
import { refusalText, Show, Trouble, useLoaded, Waiting } from "../parts/loaded";
import { Page } from "../parts/page";
import { refusal } from "../refusal";
import type { AccountCreated, Session, SignInCode } from "../wire";

/** The recovery code that was just made, and for whom: it is shown until its owner has saved it, and never again. */
const recovery = signal<{ code: string; token: string } | null>(null);

function showRecovery(code: string): void {
  recovery.value = { code, token: identity.value?.token ?? "" };
}

/** How somebody gets an account, signs in and out, and comes back without a password. */
export function AccountPage() {
  const who = identity.value;
  // The account may have been made on another device.
  const loaded = useLoaded(async () => {
    if (identity.value) signedIn(await api.me());
    return true;
  });
  const made = recovery.value?.token === who?.token ? recovery.value : null;
  return (
    <Page title={t("account.title")} lead={who?.account ? t("account.as", { name: who.name }) : t("account.lead")}>
      <div class="account">
        {made && <RecoveryCode code={made.code} />}
        {loaded.error && <Trouble error={loaded.error} />}
        {!loaded.value && !loaded.error ? <Waiting /> : who?.account ? <Member /> : <Visitor />}
      </div>
    </Page>
  );
}

function RecoveryCode({ code }: { code: string }) {
  return (
    <section class="field more" aria-labelledby="recovery">
      <h2 id="recovery">{t("account.recovery")}</h2>
      <p>{t("account.recovery.text")}</p>
      <CopyText text={code} label={t("account.recovery")} />
      <p>
        <button
          type="button"
          class="strong"
          onClick={() => {
            recovery.value = null;
          }}
        >
          {t("account.recovery.saved")}
        </button>
      </p>
    </section>
  );
}

type Values = Record<string, string>;

/** A form that does one thing, and says whether it worked. */
function Form({
  title,
  text,
  action,
  done,
  act,
  children,
}: {
  title: Key;
  text?: Key;
  action: Key;
  done?: Key;
  act: (values: Values) => Promise<unknown>;
  children: ComponentChildren;
}) {
  const id = useId();
  const [busy, setBusy] = useState(false);
  const [worked, setWorked] = useState(false);
  const [error, setError] = useState<Refusal | null>(null);
  const submit = async (event: Event) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    setBusy(true);
    setError(null);
    setWorked(false);
    try {
      await act(Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)])));
      form.reset();
      setWorked(true);
    } catch (problem) {
      setError(problem instanceof Refusal ? problem : refusal("broken"));
    }
    setBusy(false);
  };
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{t(title)}</h2>
      {text && <p>{t(text)}</p>}
      <form onSubmit={submit}>
        {children}
        <button type="submit" class="strong" disabled={busy}>
          {t(action)}
        </button>
      </form>
      <p role="status">{worked && done && t(done)}</p>
      {error && (
        <div class="notice" role="alert">
          <p>{refusalText(error)}</p>
        </div>
      )}
    </section>
  );
}

function Field({ name, label, help, ...input }: { name: string; label: Key; help?: Key } & Values) {
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

const Name = (more: Values & { help?: Key }) => (
  <Field name="name" label="account.name" autocomplete="username" maxlength="40" {...more} />
);
const CurrentPassword = ({ name = "password" }: { name?: string }) => (
  <Field name={name} label="account.password" type="password" autocomplete="current-password" maxlength="256" />
);
const NewPassword = () => (
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

function hasSignedIn({ person, recovery: code }: AccountCreated, isOther: boolean): void {
  signedIn(person, isOther);
  showRecovery(code);
}

function Visitor() {
  return (
    <>
      <Form
        title="account.create"
        text="account.create.text"
        action="account.create.action"
        act={async ({ name = "", password = "" }) => hasSignedIn(await accounts.create({ name, password }), false)}
      >
        <Name help="account.name.help" />
        <NewPassword />
      </Form>
      <Form
        title="account.signIn"
        action="account.signIn"
        act={async ({ name = "", password = "" }) => signedIn(await accounts.signIn({ name, password }))}
      >
        <Name />
        <CurrentPassword />
      </Form>
      <details class="field">
        <summary>{t("account.other")}</summary>
        <Form
          title="account.byCode"
          text="account.byCode.text"
          action="account.signIn"
          act={async ({ code = "" }) => signedIn(await accounts.signInWithCode({ code }))}
        >
          <Field name="code" label="account.code" autocomplete="one-time-code" maxlength="64" />
        </Form>
        <Form
          title="account.recover"
          text="account.recover.text"
          action="account.recover.action"
          act={async ({ name = "", code = "", password = "" }) =>
            hasSignedIn(await accounts.recover({ name, code, password }), true)
          }
        >
          <Name />
          <Field name="code" label="account.recovery" autocomplete="off" maxlength="64" />
          <NewPassword />
        </Form>
      </details>
      {identity.value && <OtherDevice />}
      {identity.value && <Sessions />}
    </>
  );
}

function Member() {
  const [error, setError] = useState<Refusal | null>(null);
  const signOut = () => accounts.endSession("current").then(signedOut, setError);
  return (
    <>
      <p>
        <button type="button" onClick={signOut}>
          <Icon of={LogOut} size={18} /> {t("account.signOut")}
        </button>
      </p>
      {error && <Trouble error={error} />}
      <Sessions />
      <OtherDevice />
      <Form
        title="account.change"
        text="account.change.text"
        action="account.change.action"
        done="account.changed"
        act={async ({ current = "", password = "" }) => signedIn(await accounts.changePassword({ current, password }))}
      >
        <CurrentPassword name="current" />
        <NewPassword />
      </Form>
      <Form
        title="account.newRecovery"
        text="account.newRecovery.text"
        action="account.newRecovery.action"
        act={async ({ password = "" }) => {
          showRecovery((await accounts.newRecoveryCode({ password })).recovery);
          scrollTo({ top: 0 });
        }}
      >
        <CurrentPassword />
      </Form>
      <p>
        <a href={at("/about")}>{t("data.title")}</a>
      </p>
    </>
  );
}

const day = (moment: number) => new Intl.DateTimeFormat(language.value, { dateStyle: "medium" }).format(moment);

function Sessions() {
  const loaded = useLoaded(accounts.sessions, [identity.value?.token]);
  const [error, setError] = useState<Refusal | null>(null);
  const end = (ending: Promise<void>) => ending.then(loaded.again, setError);
  const row = (session: Session) => (
    <li key={session.id}>
      <div class="what">
        <strong>{session.device || t("account.device")}</strong>
        <p class="muted small">{session.current ? t("account.here") : t("account.seen", { day: day(session.seen) })}</p>
      </div>
      {!session.current && (
        <button type="button" onClick={() => end(accounts.endSession(session.id))}>
          {t("account.end")}
          <span class="hidden"> {session.device}</span>
        </button>
      )}
    </li>
  );
  return (
    <section aria-labelledby="sessions" hidden={!identity.value?.account && (loaded.value?.length ?? 0) < 2}>
      <h2 id="sessions">{t("account.sessions")}</h2>
      <Show loaded={loaded}>
        {(sessions) => (
          <>
            <ul class="challenges">{sessions.map(row)}</ul>
            {sessions.length > 1 && (
              <button type="button" onClick={() => end(accounts.endOtherSessions())}>
                {t("account.endOthers")}
              </button>
            )}
          </>
        )}
      </Show>
      {error && <Trouble error={error} />}
    </section>
  );
}

/** A code that signs another device in. */
function OtherDevice() {
  const [made, setMade] = useState<SignInCode | null>(null);
  const [error, setError] = useState<Refusal | null>(null);
  const make = () => accounts.code().then(setMade, setError);
  useEffect(() => {
    const timer = made && setTimeout(() => setMade(null), Math.max(0, made.until - Date.now()));
    return () => clearTimeout(timer ?? undefined);
  }, [made]);
  return (
    <section aria-labelledby="device">
      <h2 id="device">{t("account.device.title")}</h2>
      <p>{t("account.device.text")}</p>
      {made ? (
        <p class="code" role="status">
          {made.code}
        </p>
      ) : (
        <button type="button" onClick={make}>
          <Icon of={Smartphone} size={18} /> {t("account.device.action")}
        </button>
      )}
      {error && <Trouble error={error} />}
    </section>
  );
}

import { signal } from "@preact/signals";
import { LogOut, Smartphone } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { api, at, identity, type Refusal, signedIn, signedOut } from "../client";
import * as accounts from "../client/accounts";
import { passkeysWork } from "../client/passkeys";
import { t } from "../i18n";
import { CopyText } from "../parts/copy-text";
import { Icon } from "../parts/icon";
import { Show, Trouble, useLoaded } from "../parts/loaded";
import { Page } from "../parts/page";
import { refusal } from "../refusal";
import type { AccountCreated, ConfirmedAddress, Session, SignInCode, Ways } from "../wire";
import { CurrentPassword, Field, Form, Name, NewPassword, type Values } from "./account-forms";
import { day, SignInSettings } from "./account-member";

/** The recovery code that was just made, and for whom: it is shown until its owner has saved it, and never again. */
const recovery = signal<{ code: string; token: string } | null>(null);

function showRecovery(code: string): void {
  recovery.value = { code, token: identity.value?.token ?? "" };
}

/** How somebody gets an account, signs in and out, and comes back without a password. */
export function AccountPage() {
  const who = identity.value;
  const [link, setLink] = useState(linkInMail);
  useEffect(() => {
    // A link that is pasted while this page is open.
    const follow = () => setLink((before) => linkInMail() ?? before);
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  // The account may have been made on another device.
  const loaded = useLoaded(async (signal) => {
    if (identity.value) signedIn(await api.me());
    return accounts.ways(signal);
  });
  const made = recovery.value?.token === who?.token ? recovery.value : null;
  return (
    <Page title={t("account.title")} lead={who?.account ? t("account.as", { name: who.name }) : t("account.lead")}>
      <div class="account">
        {made && <RecoveryCode code={made.code} />}
        {link ? (
          <FromMail {...link} done={() => setLink(null)} />
        ) : (
          <Show loaded={loaded}>{(ways) => (who?.account ? <Member ways={ways} /> : <Visitor ways={ways} />)}</Show>
        )}
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

function hasSignedIn({ person, recovery: code }: AccountCreated, isOther: boolean): void {
  signedIn(person, isOther);
  showRecovery(code);
}

/** What an address of this page has behind the `#`: the secret of a link in a mail. It goes from the address at once. */
function linkInMail(): { purpose: string; secret: string } | null {
  const found = /^#(confirm|recover)=([\w-]+)$/.exec(location.hash);
  if (!found) return null;
  history.replaceState(null, "", location.pathname + location.search);
  return { purpose: found[1] ?? "", secret: found[2] ?? "" };
}

/** What somebody who follows a link in a mail came for. */
function FromMail({ purpose, secret, done }: { purpose: string; secret: string; done: () => void }) {
  const [confirmed, setConfirmed] = useState<ConfirmedAddress | null>(null);
  if (confirmed)
    return (
      <section>
        <p role="status">{t("mail.confirmed", { ...confirmed })}</p>
        <button type="button" class="strong" onClick={done}>
          {t("account.title")}
        </button>
      </section>
    );
  if (purpose === "confirm")
    return (
      <Form
        title="mail.confirm"
        text="mail.confirm.text"
        actions={[
          {
            label: "mail.confirm",
            strong: true,
            act: async () => setConfirmed(await accounts.confirmAddress(secret)),
          },
        ]}
      />
    );
  return (
    <Form
      title="account.recover.new"
      text="account.recover.new.text"
      actions={[
        {
          label: "account.recover.action",
          strong: true,
          act: async ({ password = "" }) => {
            hasSignedIn(await accounts.recoverByMail({ secret, password }), true);
            done();
          },
        },
      ]}
    >
      <NewPassword />
    </Form>
  );
}

function SignUp({ ways: { sign_ups, passkeys } }: { ways: Ways }) {
  if (sign_ups === "closed") return <p>{t("account.closed")}</p>;
  const invitation = ({ invitation }: Values) => invitation ?? null;
  return (
    <Form
      title="account.create"
      text={sign_ups === "invitation" ? "account.invited.text" : "account.create.text"}
      actions={[
        {
          label: "account.create.action",
          strong: true,
          act: async (values) => {
            const { name = "", password = "" } = values;
            hasSignedIn(await accounts.create({ name, password, invitation: invitation(values) }), false);
          },
        },
        ...(passkeysWork(passkeys)
          ? [
              {
                label: "account.create.passkey" as const,
                only: ["name", "invitation"],
                act: async (values: Values) => {
                  const made = accounts.createWithPasskey(values.name ?? "", invitation(values));
                  hasSignedIn(await made, false);
                },
              },
            ]
          : []),
      ]}
    >
      {sign_ups === "invitation" && (
        <Field
          name="invitation"
          label="account.invitation"
          autocomplete="off"
          maxlength="64"
          defaultValue={new URLSearchParams(location.search).get("invitation") ?? ""}
        />
      )}
      <Name help="account.name.help" />
      <NewPassword />
    </Form>
  );
}

function Visitor({ ways }: { ways: Ways }) {
  const isClosed = ways.sign_ups === "closed";
  return (
    <>
      <SignUp ways={ways} />
      <Form
        title="account.signIn"
        actions={[
          {
            label: "account.signIn",
            strong: isClosed,
            act: async ({ name = "", password = "" }) => signedIn(await accounts.signIn({ name, password })),
          },
          ...(passkeysWork(ways.passkeys)
            ? [
                {
                  label: "account.signIn.passkey" as const,
                  only: [],
                  act: async () => signedIn(await accounts.signInWithPasskey()),
                },
              ]
            : []),
        ]}
      >
        <Name />
        <CurrentPassword />
      </Form>
      <details class="field">
        <summary>{t("account.other")}</summary>
        <Form
          title="account.byCode"
          text="account.byCode.text"
          actions={[
            {
              label: "account.signIn",
              act: async ({ code = "" }) => signedIn(await accounts.signInWithCode({ code })),
            },
          ]}
        >
          <Field name="code" label="account.code" autocomplete="one-time-code" maxlength="64" />
        </Form>
        {ways.mail && (
          <Form
            title="account.byMail"
            text="account.byMail.text"
            done="account.byMail.done"
            actions={[{ label: "mail.send", act: ({ who = "" }) => accounts.askRecovery(who) }]}
          >
            <Field name="who" label="account.byMail.who" autocomplete="username" maxlength="254" />
          </Form>
        )}
        <Form
          title="account.recover"
          text="account.recover.text"
          actions={[
            {
              label: "account.recover.action",
              act: async ({ name = "", code = "", password = "" }) =>
                hasSignedIn(await accounts.recover({ name, code, password }), true),
            },
          ]}
        >
          <Name />
          <Field name="code" label="account.recovery" autocomplete="off" maxlength="64" />
          <NewPassword />
        </Form>
        <Form
          title="account.file"
          text="account.file.text"
          actions={[{ label: "account.signIn", act: ({ token = "" }) => becomeExported(token) }]}
        >
          <Field name="token" label="account.file.token" autocomplete="off" />
        </Form>
      </details>
      {identity.value && <OtherDevice />}
      {identity.value && <Sessions />}
    </>
  );
}

/** Reads a token, or the text of a file with one and with what was solved. */
function exported(text: string): { token?: unknown; puzzles?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return { token: text.trim() };
  }
}

/** Becomes the guest of a token, or of the text of a file, which earlier versions let people keep. */
async function becomeExported(text: string): Promise<void> {
  const { token, puzzles } = exported(text);
  if (typeof token !== "string" || !/^[\w.~-]{16,200}$/.test(token)) throw refusal("wrong_code");
  signedIn(await accounts.holder(token));
  const { merged, readTraining, train, training } = await import("../learn/training");
  train(merged(training.value, readTraining(puzzles)));
}

function Member({ ways }: { ways: Ways }) {
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
      <SignInSettings ways={ways} showRecovery={showRecovery} />
      <p class="more">
        <a href={at("/about")}>{t("data.title")}</a>
      </p>
    </>
  );
}

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

import { KeyRound, Mail, Pencil, RotateCcwKey, Trash2 } from "lucide";
import { useState } from "preact/hooks";
import { identity, type Refusal, signedIn } from "../client";
import * as accounts from "../client/accounts";
import { passkeysWork } from "../client/passkeys";
import { type Key, language, t } from "../i18n";
import { Icon } from "../parts/icon";
import { type Loaded, Show, Trouble, useLoaded } from "../parts/loaded";
import type { Confirmation, Passkey, PasskeyUse, SignInMethods, Ways } from "../wire";
import { Field, Form, NewPassword } from "./account-forms";
import { OwnerDialog } from "./account-owner";

/** What the owner is asked to confirm. */
interface Question {
  title: Key;
  text?: string;
  action: Key;
  purpose: PasskeyUse;
  act: (confirmation: Confirmation) => Promise<unknown>;
}

export const day = (moment: number) => new Intl.DateTimeFormat(language.value, { dateStyle: "medium" }).format(moment);

/** How a member signs in and gets back in: passkeys, password, address for mails, recovery code. */
export function SignInSettings({ ways, showRecovery }: { ways: Ways; showRecovery: (code: string) => void }) {
  const loaded = useLoaded(accounts.methods, [identity.value?.token]);
  const [question, setQuestion] = useState<Question | null>(null);
  const [changed, setChanged] = useState(false);
  const ask = (next: Question) =>
    setQuestion({ ...next, act: (confirmation) => next.act(confirmation).then(loaded.again) });
  return (
    <Show loaded={loaded}>
      {(methods) => (
        <>
          {(passkeysWork(ways.passkeys) || methods.passkeys.length > 0) && (
            <Passkeys methods={methods} site={ways.passkeys} ask={ask} loaded={loaded} />
          )}
          {(ways.mail || methods.mail) && <Address methods={methods} ask={ask} isOpen={ways.mail} />}
          <Password has={methods.password} ask={ask} changed={changed} done={() => setChanged(true)} />
          <section aria-labelledby="new-recovery">
            <h2 id="new-recovery">{t("account.newRecovery")}</h2>
            <p>{t("account.newRecovery.text")}</p>
            <button
              type="button"
              onClick={() =>
                ask({
                  title: "account.newRecovery",
                  text: t("account.newRecovery.replaces"),
                  action: "account.newRecovery.action",
                  purpose: "recovery",
                  act: async (confirmation) => {
                    showRecovery((await accounts.newRecoveryCode(confirmation)).recovery);
                    scrollTo({ top: 0 });
                  },
                })
              }
            >
              <Icon of={RotateCcwKey} size={18} /> {t("account.newRecovery.action")}
            </button>
          </section>
          {question && <OwnerDialog {...question} title={t(question.title)} close={() => setQuestion(null)} />}
        </>
      )}
    </Show>
  );
}

type Ask = (question: Question) => void;

function Passkeys({
  methods,
  site,
  ask,
  loaded,
}: {
  methods: SignInMethods;
  site: string;
  ask: Ask;
  loaded: Loaded<SignInMethods>;
}) {
  const [renaming, setRenaming] = useState("");
  const [error, setError] = useState<Refusal | null>(null);
  const rename = async (event: SubmitEvent) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get("name")).trim();
    setError(null);
    await accounts.renamePasskey(renaming, name).then(() => {
      setRenaming("");
      loaded.again();
    }, setError);
  };
  const row = (passkey: Passkey) => (
    <li key={passkey.id}>
      {renaming === passkey.id ? (
        <form class="together" onSubmit={rename}>
          <input name="name" aria-label={t("passkeys.name")} defaultValue={passkey.name} required maxLength={40} />
          <button type="submit">{t("who.save")}</button>
        </form>
      ) : (
        <>
          <div class="what">
            <strong>{passkey.name}</strong>
            <p class="muted small">{t("account.seen", { day: day(passkey.used) })}</p>
          </div>
          <div class="tools">
            <button type="button" class="quiet" onClick={() => setRenaming(passkey.id)}>
              <Icon of={Pencil} size={18} />
              <span class="hidden">{t("passkeys.rename", { name: passkey.name })}</span>
            </button>
            <button
              type="button"
              class="quiet"
              onClick={() =>
                ask({
                  title: "passkeys.remove.title",
                  text: t("passkeys.remove.text", { name: passkey.name }),
                  action: "passkeys.remove.action",
                  purpose: "remove_passkey",
                  act: (confirmation) => accounts.removePasskey(passkey.id, confirmation),
                })
              }
            >
              <Icon of={Trash2} size={18} />
              <span class="hidden">{t("passkeys.remove", { name: passkey.name })}</span>
            </button>
          </div>
        </>
      )}
    </li>
  );
  return (
    <section aria-labelledby="passkeys">
      <h2 id="passkeys">{t("passkeys.title")}</h2>
      <p>{t("passkeys.text")}</p>
      {methods.passkeys.length > 0 && <ul class="challenges">{methods.passkeys.map(row)}</ul>}
      {error && <Trouble error={error} />}
      {passkeysWork(site) && (
        <button
          type="button"
          onClick={() =>
            ask({
              title: "passkeys.add",
              action: "passkeys.add",
              purpose: "add_passkey",
              act: accounts.addPasskey,
            })
          }
        >
          <Icon of={KeyRound} size={18} /> {t("passkeys.add")}
        </button>
      )}
    </section>
  );
}

function Address({ methods, ask, isOpen }: { methods: SignInMethods; ask: Ask; isOpen: boolean }) {
  const { mail, new_mail } = methods;
  return (
    <>
      <Form
        title="mail.title"
        text="mail.text"
        actions={
          isOpen
            ? [
                {
                  label: mail ? "mail.change" : "mail.set",
                  act: async ({ address = "" }) =>
                    ask({
                      title: "mail.title",
                      text: t("mail.set.text", { address }),
                      action: "mail.send",
                      purpose: "mail",
                      act: (confirmation) => accounts.setAddress(address, confirmation),
                    }),
                },
              ]
            : []
        }
      >
        {mail && <p>{t("mail.is", { address: mail })}</p>}
        {new_mail && <p role="status">{t("mail.waiting", { address: new_mail })}</p>}
        {isOpen && <Field name="address" label="mail.address" type="email" autocomplete="email" maxlength="254" />}
      </Form>
      {(mail || new_mail) && (
        <p>
          <button
            type="button"
            class="quiet"
            onClick={() =>
              ask({ title: "mail.remove", action: "mail.remove", purpose: "mail", act: accounts.removeAddress })
            }
          >
            <Icon of={Mail} size={18} /> {t("mail.remove")}
          </button>
        </p>
      )}
    </>
  );
}

function Password({ has, ask, changed, done }: { has: boolean; ask: Ask; changed: boolean; done: () => void }) {
  return (
    <Form
      title={has ? "account.change" : "account.setPassword"}
      text={has ? "account.change.text" : "account.setPassword.text"}
      actions={[
        {
          label: has ? "account.change.action" : "account.setPassword",
          act: async ({ password = "" }) =>
            ask({
              title: has ? "account.change" : "account.setPassword",
              text: t("account.change.current"),
              action: has ? "account.change.action" : "account.setPassword",
              purpose: "password",
              act: async (current) => {
                signedIn(await accounts.changePassword({ current, password }));
                done();
              },
            }),
        },
      ]}
    >
      <NewPassword />
      <p role="status">{changed && t("account.changed")}</p>
    </Form>
  );
}

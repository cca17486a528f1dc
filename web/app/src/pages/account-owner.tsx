import { KeyRound } from "lucide";
import { useState } from "preact/hooks";
import type { Refusal } from "../client";
import * as accounts from "../client/accounts";
import { passkeysWork } from "../client/passkeys";
import { type Key, t } from "../i18n";
import { Dialog } from "../parts/dialog";
import { Icon } from "../parts/icon";
import { useLoaded } from "../parts/loaded";
import { thrownRefusal } from "../refusal";
import type { Confirmation, PasskeyUse } from "../wire";
import { Failure } from "./account-forms";

/** Asks the owner of an account for the password or a passkey, and then does something. */
export function OwnerDialog({
  title,
  text,
  action,
  purpose,
  act,
  close,
}: {
  title: string;
  text?: string | undefined;
  action: Key;
  purpose: PasskeyUse;
  act: (confirmation: Confirmation) => Promise<unknown>;
  close: () => void;
}) {
  const loaded = useLoaded((signal) => Promise.all([accounts.methods(signal), accounts.ways(signal)]));
  const [methods, ways] = loaded.value ?? [];
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Refusal | null>(null);
  const run = async (confirm: () => Promise<Confirmation>) => {
    setBusy(true);
    setError(null);
    try {
      await act(await confirm());
      close();
    } catch (problem) {
      setError(thrownRefusal(problem));
      setBusy(false);
    }
  };
  const byPassword = methods?.password;
  const byPasskey = methods && ways && methods.passkeys.length > 0 && passkeysWork(ways.passkeys);
  return (
    <Dialog title={title} close={close}>
      {text && <p>{text}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const password = new FormData(event.currentTarget).get("password");
          void run(async () =>
            password === null ? accounts.confirmedBy(purpose) : { password: String(password), passkey: null },
          );
        }}
      >
        {byPassword && (
          <label class="field">
            {t("account.password")}{" "}
            <input name="password" type="password" autocomplete="current-password" required maxLength={256} />
          </label>
        )}
        {methods && !byPassword && <p>{t(byPasskey ? "owner.passkey" : "owner.elsewhere")}</p>}
        {(error ?? loaded.error) && <Failure error={(error ?? loaded.error) as Refusal} />}
        <div class="together">
          <button type="submit" class="strong" disabled={busy || !(byPassword || byPasskey)}>
            {t(action)}
          </button>
          {byPassword && byPasskey && (
            <button type="button" disabled={busy} onClick={() => run(() => accounts.confirmedBy(purpose))}>
              <Icon of={KeyRound} size={18} /> {t("owner.usePasskey")}
            </button>
          )}
          <button type="button" class="quiet" onClick={close}>
            {t("data.delete.no")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

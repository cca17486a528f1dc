import { useState } from "preact/hooks";
import { api, identity, type Refusal } from "../client";
import * as archive from "../client/archive";
import { type Key, t } from "../i18n";
import { CopyLink } from "../match/waiting";
import { Show, Trouble, useLoaded } from "../parts/loaded";
import { Page } from "../parts/page";
import type { Scope, Token } from "../wire";

const scopes: Scope[] = ["bot:play", "challenge:read", "challenge:write", "archive:read", "archive:write"];
const scopeText = (scope: Scope) => t(`tokens.scope.${scope.replace(":", "_")}` as Key);

/** The player's API tokens, with which programs act in their name. */
export function Tokens() {
  const known = identity.value !== null;
  // Without an identity there are no tokens, and looking must not create a guest.
  const loaded = useLoaded(
    async (signal) => (known ? { me: await api.me(), tokens: await archive.tokens(signal) } : { me: null, tokens: [] }),
    [identity.value?.token],
  );
  const [made, setMade] = useState<Token | null>(null);
  const [error, setError] = useState<Refusal | null>(null);
  const make = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const data = new FormData(form);
    const chosen = scopes.filter((scope) => data.get(scope) !== null);
    setError(null);
    await archive.makeToken({ name: String(data.get("token-name")).trim(), scopes: chosen }).then((token) => {
      setMade(token);
      form.reset();
      loaded.again();
    }, setError);
  };
  const revoke = (token: Token) =>
    archive.revokeToken(token.id).then(() => {
      if (made?.id === token.id) setMade(null);
      loaded.again();
    }, setError);
  return (
    <Page title={t("tokens.title")} lead={t("tokens.text")}>
      <Show loaded={loaded}>
        {({ me, tokens }) => (
          <>
            {me && (
              <p class="small">
                {t("tokens.id")} <code>{me.id}</code>
              </p>
            )}
            {tokens.length === 0 ? (
              <p class="muted">{t("tokens.none")}</p>
            ) : (
              <ul class="challenges">
                {tokens.map((token) => (
                  <li key={token.id}>
                    <div class="what">
                      <strong>{token.name}</strong>
                      <p class="muted small">{token.scopes.map(scopeText).join(", ")}</p>
                    </div>
                    <button type="button" onClick={() => revoke(token)}>
                      {t("tokens.revoke")}
                      <span class="hidden"> {token.name}</span>
                    </button>
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Show>
      {made?.token && (
        <div class="field more" role="status">
          <p>
            <strong>{t("tokens.once")}</strong>
          </p>
          <CopyLink link={made.token} label={t("tokens.secret")} />
        </div>
      )}
      <form onSubmit={make}>
        <div class="field">
          <label for="token-name">{t("tokens.name")}</label>
          <input id="token-name" name="token-name" maxLength={40} required autocomplete="off" />
        </div>
        <fieldset>
          <legend>{t("tokens.scopes")}</legend>
          {scopes.map((scope, number) => (
            <label class="check" key={scope}>
              <input type="checkbox" name={scope} defaultChecked={number < 3} />
              {scopeText(scope)} <code class="muted small">{scope}</code>
            </label>
          ))}
        </fieldset>
        <button type="submit">{t("tokens.make")}</button>
      </form>
      {error && <Trouble error={error} />}
    </Page>
  );
}

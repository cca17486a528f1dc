import { Flag, SendHorizontal } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import { useRoute } from "preact-iso";
import { at, identity, type Refusal, Socket, socketAt } from "../client";
import * as people from "../client/people";
import { count, t } from "../i18n";
import { Icon } from "../parts/icon";
import { Show, Trouble, useLoaded } from "../parts/loaded";
import { Name } from "../parts/name";
import { Page } from "../parts/page";
import { look } from "../people/here";
import { moment } from "../people/notice";
import { ReportDialog } from "../people/report";
import type { FromLobby, Hello, Message, MessagePage } from "../wire";
import { Online } from "./people";
import "../style/people.css";

const LONGEST = 1000;

/** The list of conversations, or one of them. */
export function Messages() {
  const { who } = useRoute().params;
  if (!identity.value)
    return (
      <Page title={t("messages.title")} lead={t("messages.lead")}>
        <a class="button primary" href={at("/account")}>
          {t("account.signIn")}
        </a>
      </Page>
    );
  return who ? <Talk who={decodeURIComponent(who)} key={who} /> : <List />;
}

/** Calls back when there is a new message: the socket of the lobby says so. */
function useNews(call: () => void): void {
  const last = useRef(call);
  last.current = call;
  useEffect(() => {
    const socket = new Socket<FromLobby, Hello>(socketAt("/api/lobby/socket"), {
      hello: () => ({ type: "hello", token: identity.value?.token ?? null, after: null }),
      ping: null,
      receive: (message) => {
        if (message.type === "unread") last.current();
      },
    });
    return () => socket.close();
  }, [identity.value?.token]);
}

function List() {
  const loaded = useLoaded(people.conversations, [identity.value?.token]);
  const news = useLoaded(people.news, [identity.value?.token]);
  const [error, setError] = useState<Refusal | null>(null);
  useNews(loaded.again);
  const set = (on: boolean) => people.takeMessages(on).then(news.again, setError);
  return (
    <Page title={t("messages.title")} lead={t("messages.lead")}>
      <Show loaded={loaded}>
        {(talks) =>
          talks.length === 0 ? (
            <p class="notice">{t("messages.none")}</p>
          ) : (
            <ul class="challenges">
              {talks.map((talk) => (
                <li key={talk.who} class="covered">
                  <div class="what">
                    <a class="cover" href={at(`/messages/${encodeURIComponent(talk.who)}`)}>
                      <span class="hidden">{talk.name}</span>
                    </a>
                    <strong>{talk.name}</strong> {talk.online && <Online />}
                    <p class={talk.unread ? "" : "muted"}>{talk.text}</p>
                  </div>
                  {talk.unread && <span class="mark">{t("messages.new")}</span>}
                  <span class="muted small figures">{moment(talk.at)}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Show>
      {news.value && (
        <label class="check">
          <input type="checkbox" checked={news.value.messages} onChange={(event) => set(event.currentTarget.checked)} />
          {t("messages.take")}
        </label>
      )}
      {error && <Trouble error={error} />}
    </Page>
  );
}

function Talk({ who }: { who: string }) {
  const loaded = useLoaded((signal) => people.conversation(who, null, signal), [who, identity.value?.token]);
  const [older, setOlder] = useState<{ messages: Message[]; more: boolean } | null>(null);
  const [error, setError] = useState<Refusal | null>(null);
  useNews(loaded.again);
  const page = loaded.value;
  const last = page?.messages.at(-1)?.id;
  useEffect(() => {
    if (last !== undefined) people.read(who).then(look, () => undefined);
  }, [who, last]);
  const name = page?.name ?? "";
  // Messages that came since lie after those of the first page.
  const messages = [...(older?.messages ?? []), ...(page?.messages ?? [])].filter(
    ({ id }, place, all) => all.findIndex((one) => one.id === id) === place,
  );
  const back = () =>
    people
      .conversation(who, messages[0]?.id ?? null)
      .then((found) => setOlder({ messages: [...found.messages, ...messages], more: found.more }), setError);
  return (
    <Page title={name || t("messages.title")}>
      <Show loaded={loaded}>
        {(talk) => (
          <>
            <p class="together">
              <a href={at("/messages")}>{t("messages.all")}</a>
              {talk.account && <Name name={t("people.profile")} profile={talk.name} />}
              {talk.online && <Online />}
            </p>
            {(older ? older.more : talk.more) && (
              <button type="button" onClick={back}>
                {t("messages.older")}
              </button>
            )}
            <Lines messages={messages} who={who} name={talk.name} />
            {error && <Trouble error={error} />}
            <Write talk={talk} who={who} again={loaded.again} />
          </>
        )}
      </Show>
    </Page>
  );
}

function Lines({ messages, who, name }: { messages: Message[]; who: string; name: string }) {
  const [reported, setReported] = useState<Message | null>(null);
  const end = useRef<HTMLDivElement>(null);
  const last = messages.at(-1)?.id;
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [last]);
  return (
    <div role="log" aria-label={t("messages.title")} class="talk">
      {messages.length === 0 && <p class="muted">{t("messages.first")}</p>}
      {messages.map((message) => (
        <div key={message.id} class={message.mine ? "message mine" : "message"}>
          <p>{message.text}</p>
          <span class="muted small">
            <span class="hidden">{message.mine ? t("messages.you") : name} </span>
            {moment(message.at)}
            {!message.mine && (
              <button
                type="button"
                class="quiet flag"
                aria-label={t("report.line")}
                onClick={() => setReported(message)}
              >
                <Icon of={Flag} size={14} />
              </button>
            )}
          </span>
        </div>
      ))}
      <div ref={end} />
      {reported && (
        <ReportDialog
          who={who}
          name={name}
          text={reported.text}
          message={reported.id}
          close={() => setReported(null)}
        />
      )}
    </div>
  );
}

function Write({ talk, who, again }: { talk: MessagePage; who: string; again: () => void }) {
  const [text, setText] = useState("");
  const [error, setError] = useState<Refusal | null>(null);
  const send = (event: Event) => {
    event.preventDefault();
    setError(null);
    if (text.trim())
      people.send(who, { text: text.trim() }).then(() => {
        setText("");
        again();
      }, setError);
  };
  const change = () => (talk.blocks ? people.take : people.put)("blocks", who).then(again, setError);
  return (
    <>
      {talk.writes ? (
        <form onSubmit={send} class="write">
          <textarea
            value={text}
            rows={2}
            maxLength={LONGEST}
            aria-label={t("messages.write")}
            placeholder={t("messages.write")}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <button type="submit" class="primary" disabled={!text.trim()}>
            <Icon of={SendHorizontal} size={18} /> {t("chat.send")}
          </button>
        </form>
      ) : (
        <p class="notice">{t(talk.blocks ? "people.blocked" : "problem.no_messages")}</p>
      )}
      {text.length > LONGEST - 100 && <p class="muted small">{count("messages.left", LONGEST - text.length)}</p>}
      {error && <Trouble error={error} />}
      <p>
        <button type="button" class="quiet" onClick={change}>
          {t(talk.blocks ? "people.unblock" : "people.block")}
        </button>
      </p>
    </>
  );
}

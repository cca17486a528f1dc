import { useEffect, useState } from "preact/hooks";
import { useRoute } from "preact-iso";
import { at, identity } from "../client";
import { t } from "../i18n";
import { isLocal } from "../local/id";
import { type Match, ServerMatch } from "../match/match";
import { Table } from "../match/table";
import { useMatchGame } from "../parts/games";
import { refusalText, Trouble, Waiting } from "../parts/loaded";
import { PieceTypes } from "../parts/notation";
import { refusal } from "../refusal";
import "../style/status.css";
import "../style/match.css";
import "../style/panel.css";

export function MatchPage() {
  const { params } = useRoute();
  return <Opened id={params.id ?? ""} key={params.id} />;
}

async function openMatch(id: string): Promise<Match> {
  return isLocal(id) ? new (await import("../local/local-match")).LocalMatch(id) : new ServerMatch(id);
}

function Opened({ id }: { id: string }) {
  const [match, setMatch] = useState<Match | null>(null);
  const [unloaded, setUnloaded] = useState(false);
  useEffect(() => {
    let [opened, left]: [Match | null, boolean] = [null, false];
    openMatch(id).then(
      (match) => {
        if (left) return match.close();
        opened = match;
        setMatch(match);
      },
      () => setUnloaded(true),
    );
    return () => {
      left = true;
      opened?.close();
    };
  }, [id]);
  // Another identity may have a seat in the match.
  useEffect(() => {
    if (match?.state.peek()) match.reconnect();
  }, [identity.value?.token]);
  const state = match?.state.value;
  const { value: game, error, again } = useMatchGame(state);
  if (match?.gone.value) {
    return (
      <main id="main" class="page" tabIndex={-1}>
        <div class="notice" role="alert">
          <h1>{t("match.gone")}</h1>
          <p>{refusalText(match.gone.value)}</p>
          <a class="button" href={at("/mine")}>
            {t("nav.mine")}
          </a>
        </div>
      </main>
    );
  }
  if (!match || !state || !game) {
    const dropped = match?.standing.value === "lost" ? refusal("offline") : error;
    const lost = unloaded ? refusal("unloaded") : dropped;
    const retry = () => (unloaded ? location.reload() : match?.retryNow());
    return (
      <main id="main" class="page" tabIndex={-1}>
        <h1 class="hidden">{t("match.opening")}</h1>
        {lost ? <Trouble error={lost} again={error ? again : retry} /> : <Waiting>{t("match.opening")}</Waiting>}
      </main>
    );
  }
  return (
    <PieceTypes.Provider value={game.pieces}>
      <Table match={match} state={state} game={game} />
    </PieceTypes.Provider>
  );
}

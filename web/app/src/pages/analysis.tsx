import { useEffect, useState } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso";
import { Desk } from "../analysis/desk";
import { Editor } from "../analysis/editor";
import { saveMatch, savePlan } from "../analysis/from-match";
import { Look } from "../analysis/look";
import { Open } from "../analysis/open";
import { Review } from "../analysis/review";
import { matchAnalysis, matchOf, planOf, readSaved, type SavedAnalysis } from "../analysis/saved";
import { fromFragment } from "../analysis/share";
import { Study, saveNew, saveShared } from "../analysis/study";
import { at, Refusal } from "../client";
import * as ask from "../client/analysis";
import * as studies from "../client/studies";
import { t } from "../i18n";
import { useGame } from "../parts/games";
import { Trouble, Waiting } from "../parts/loaded";
import { PieceTypes } from "../parts/notation";
import { refusal, thrownRefusal } from "../refusal";
import "../style/status.css";
import "../style/match.css";
import "../style/panel.css";
import "../style/analysis.css";
import "../style/editor.css";

/** The page that opens an analysis, the board editor, or a saved analysis. */
export function Analysis() {
  const { params } = useRoute();
  const { id } = params;
  if (id === "edit") return <Editor />;
  return id ? <Opened id={id} key={id} /> : <Arrived />;
}

/** Opens the match or the shared analysis of the URL; without either, shows what can be opened. */
function Arrived() {
  const { query, route } = useLocation();
  const fragment = /^#a=(.+)$/.exec(location.hash)?.[1];
  const [error, setError] = useState<Refusal | null>(null);
  useEffect(() => {
    if (query.match) {
      const learn = query.learn === undefined ? "" : "?learn=";
      route(at(`/analysis/${encodeURIComponent(matchAnalysis(query.match))}${learn}`), true);
    } else if (query.study && query.chapter)
      saveChapter(query.study, Number(query.chapter)).then(
        (id) => route(at(`/analysis/${id}`), true),
        (problem: unknown) => setError(thrownRefusal(problem)),
      );
    else if (fragment)
      saveFragment(fragment).then(
        (id) => route(at(`/analysis/${id}`), true),
        (problem: unknown) => setError(thrownRefusal(problem)),
      );
  }, [fragment, query.match, query.study, query.chapter]);
  if ((fragment || query.match || query.study) && !error) return <Opening />;
  return <Open error={error} key={error?.code} />;
}

async function saveChapter(study: string, chapter: number): Promise<string> {
  const { info, nodes } = await studies.chapter(study, chapter);
  const places = new Map(nodes.map(({ id }, index) => [id, index - 1]));
  const tree = await ask.tree({
    game: info.game,
    options: info.options,
    fen: nodes[0]?.fen ?? null,
    nodes: nodes.slice(1).map(({ parent, move, comment, nags }) => ({
      parent: places.get(parent) ?? -1,
      move,
      comment,
      nags,
    })),
    comment: nodes[0]?.comment ?? "",
    tags: info.tags,
  });
  return saveNew(tree, { orientation: info.orientation });
}

async function saveFragment(fragment: string): Promise<string> {
  const shared = await fromFragment(fragment);
  if (!shared) throw refusal({ code: "spoilt_link", message: "", where: null });
  return saveShared(shared);
}

/** Reads the analysis with an id, which that of a match gets when somebody first opens it in this browser. */
async function readOrMake(id: string): Promise<SavedAnalysis | null> {
  const [match, planned] = [matchOf(id), planOf(id)];
  if (match) await saveMatch(match);
  if (planned) await savePlan(id, planned);
  return readSaved(id);
}

interface Parts {
  study: Study;
  look: Look;
  review: Review;
}

function Opened({ id }: { id: string }) {
  const learns = useLocation().query.learn !== undefined;
  const [parts, setParts] = useState<Parts | null | "gone">(null);
  const [refused, setRefused] = useState<Refusal | null>(null);
  useEffect(() => {
    let opened: Parts | null = null;
    let current = true;
    readOrMake(id).then(
      (saved) => {
        if (!current) return;
        if (!saved) {
          setParts("gone");
          return;
        }
        const study = new Study(saved);
        opened = { study, look: new Look(study, !planOf(id)), review: new Review(study) };
        if (learns) {
          opened.review.wantsMistakes.value = true;
          if (!saved.job) void opened.review.begin();
        }
        setParts(opened);
      },
      (error: unknown) => {
        if (!current) return;
        if (error instanceof Refusal) setRefused(error);
        else setParts("gone");
      },
    );
    return () => {
      current = false;
      opened?.look.close();
      opened?.review.close();
      opened?.study.close();
    };
  }, [id]);
  const study = parts && parts !== "gone" ? parts.study : null;
  const { value: game, error, again } = useGame(study?.saved.value.game);
  if (refused) return <Open error={refused} />;
  if (parts === "gone") {
    return (
      <main id="main" class="page" tabIndex={-1}>
        <div class="notice" role="alert">
          <h1>{t("analysis.gone")}</h1>
          <p>{t("analysis.gone.text")}</p>
          <a class="button" href={at("/analysis")}>
            {t("analysis.open")}
          </a>
        </div>
      </main>
    );
  }
  if (error) return <Trouble error={error} again={again} />;
  if (!parts || !game) return <Opening />;
  return (
    <PieceTypes.Provider value={game.pieces}>
      <Desk {...parts} game={game} />
    </PieceTypes.Provider>
  );
}

function Opening() {
  return (
    <main id="main" class="page" tabIndex={-1}>
      <h1 class="hidden">{t("analysis.opening")}</h1>
      <Waiting>{t("analysis.opening")}</Waiting>
    </main>
  );
}

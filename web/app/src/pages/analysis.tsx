import { useEffect, useState } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso";
import { Desk } from "../analysis/desk";
import { Editor } from "../analysis/editor";
import { saveMatch } from "../analysis/from-match";
import { Look } from "../analysis/look";
import { Open } from "../analysis/open";
import { Review } from "../analysis/review";
import { readSaved } from "../analysis/saved";
import { fromFragment } from "../analysis/share";
import { Study, saveShared } from "../analysis/study";
import { at, Refusal } from "../client";
import { refusal } from "../client/problem";
import { t } from "../i18n";
import { useGame } from "../parts/games";
import { Trouble, Waiting } from "../parts/loaded";
import "../style/match.css";
import "../style/panel.css";
import "../style/analysis.css";
import "../style/editor.css";

/** Where analyses are begun, the board editor, or an analysis that this browser keeps. */
export function Analysis() {
  const { params } = useRoute();
  const { id } = params;
  if (id === "edit") return <Editor />;
  return id ? <Opened id={id} key={id} /> : <Arrived />;
}

/** Opens what the address brings along, a match or a whole analysis; without either one chooses. */
function Arrived() {
  const { query, route } = useLocation();
  const fragment = /^#a=(.+)$/.exec(location.hash)?.[1];
  const brought = fragment ?? query.match;
  const [error, setError] = useState<Refusal | null>(null);
  useEffect(() => {
    if (!brought) return;
    const work = fragment ? opened(fragment) : saveMatch(brought);
    work.then(
      (id) => route(at(`/analysis/${id}`), true),
      (problem: unknown) => setError(problem instanceof Refusal ? problem : refusal("broken")),
    );
  }, [brought]);
  if (brought && !error) return <Opening />;
  return <Open error={error} key={error?.code} />;
}

async function opened(fragment: string): Promise<string> {
  const shared = await fromFragment(fragment);
  if (!shared) throw refusal({ code: "spoilt_link", message: "", where: null });
  return saveShared(shared);
}

interface Parts {
  study: Study;
  look: Look;
  review: Review;
}

function Opened({ id }: { id: string }) {
  const [parts, setParts] = useState<Parts | null | "gone">(null);
  useEffect(() => {
    let made: Parts | null = null;
    let wanted = true;
    readSaved(id).then(
      (saved) => {
        if (!wanted) return;
        if (!saved) {
          setParts("gone");
          return;
        }
        const study = new Study(saved);
        made = { study, look: new Look(study), review: new Review(study) };
        setParts(made);
      },
      () => setParts("gone"),
    );
    return () => {
      wanted = false;
      made?.look.close();
      made?.review.close();
      made?.study.close();
    };
  }, [id]);
  const study = parts && parts !== "gone" ? parts.study : null;
  const { value: game, error, again } = useGame(study?.saved.value.game);
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
  return parts && game ? <Desk {...parts} game={game} /> : <Opening />;
}

function Opening() {
  return (
    <main id="main" class="page" tabIndex={-1}>
      <h1 class="hidden">{t("analysis.opening")}</h1>
      <Waiting>{t("analysis.opening")}</Waiting>
    </main>
  );
}

import { useEffect, useMemo, useState } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso";
import { Desk } from "../analysis/desk";
import { Look } from "../analysis/look";
import { Review } from "../analysis/review";
import { nodeOf } from "../analysis/tree";
import { at, identity } from "../client";
import { t } from "../i18n";
import { useGame } from "../parts/games";
import { refusalText, Trouble, Waiting } from "../parts/loaded";
import { useNarrow } from "../parts/narrow";
import { PieceTypes } from "../parts/notation";
import { Refusal } from "../refusal";
import type { Chapter } from "../studies/chapter";
import type { DrawingColour } from "../studies/drawing";
import { Exercise } from "../studies/exercise";
import { OpenStudy } from "../studies/open-study";
import { StudyPanel } from "../studies/panel";
import "../style/status.css";
import "../style/match.css";
import "../style/panel.css";
import "../style/analysis.css";
import "../style/studies.css";

/** A study: its chapters on the board of the analysis, which several people write at once. */
export function StudyPage() {
  const { params } = useRoute();
  const { query } = useLocation();
  const id = params.id ?? "";
  const chapter = /^\d+$/.test(query.chapter ?? "") ? Number(query.chapter) : null;
  const [opened, setOpened] = useState<OpenStudy | null>(null);
  useEffect(() => {
    const study = new OpenStudy(id, chapter);
    setOpened(study);
    return () => study.close();
  }, [id, identity.value?.token]);
  return opened ? <Opened opened={opened} key={id} /> : <Opening />;
}

function Opened({ opened }: { opened: OpenStudy }) {
  const told = opened.study.value;
  const chapter = opened.chapter.value;
  const error = opened.error.value;
  const { value: game, error: noGame, again } = useGame(chapter?.saved.value.game);
  if (error && (!told || opened.gone)) {
    return (
      <main id="main" class="page" tabIndex={-1}>
        <h1 class="hidden">{t("study")}</h1>
        <Trouble error={error} />
        <a class="button" href={at("/studies")}>
          {t("studies.title")}
        </a>
      </main>
    );
  }
  if (noGame) return <Trouble error={noGame} again={again} />;
  if (!told) return <Opening />;
  if (told.chapters.length === 0) return <Empty opened={opened} />;
  if (!chapter || !game) return <Opening />;
  return (
    <PieceTypes.Provider value={game.pieces}>
      {chapter.chapter.hidden ? (
        <Exercise key={chapter.number} opened={opened} chapter={chapter} game={game} />
      ) : (
        <Board key={chapter.number} opened={opened} chapter={chapter} />
      )}
    </PieceTypes.Provider>
  );
}

function Board({ opened, chapter }: { opened: OpenStudy; chapter: Chapter }) {
  const told = opened.study.value;
  const { value: game } = useGame(chapter.saved.value.game);
  const [drawing, setDrawing] = useState<DrawingColour>(null);
  const parts = useMemo(() => ({ look: new Look(chapter, true), review: new Review(chapter) }), [chapter]);
  useEffect(() => {
    return () => {
      parts.look.close();
      parts.review.close();
    };
  }, [parts]);
  const writes = opened.writes.value;
  const narrow = useNarrow();
  useEffect(() => {
    // A link to a chapter keeps leading to it.
    history.replaceState(null, "", at(`/study/${opened.id}?chapter=${chapter.number}`));
  }, [chapter]);
  if (!told || !game) return <Opening />;
  const info = told.chapters.find(({ id }) => id === chapter.number) ?? chapter.chapter.info;
  const problem = chapter.problem.value;
  // On a phone the moves are in a sheet over the board.
  const said = nodeOf(chapter.tree.value, chapter.at.value).comment;
  return (
    <Desk
      study={chapter}
      {...parts}
      game={game}
      title={`${info.title} · ${told.title}`}
      drawing={writes ? drawing : null}
      {...(writes && { onArrow: ({ from, to, colour }) => chapter.draw({ from, to, colour }) })}
      news={
        <>
          {narrow && said && <p class="news comment said">{said}</p>}
          {opened.standing.value === "lost" && (
            <p class="news refused" role="status">
              {t("study.lost")}
            </p>
          )}
          {problem && (
            <p class="news refused" role="alert">
              {refusalText(new Refusal(problem, 0))}
            </p>
          )}
        </>
      }
      panel={(close) => (
        <StudyPanel
          opened={opened}
          told={told}
          chapter={chapter}
          game={game}
          review={parts.review}
          drawing={drawing}
          draw={setDrawing}
          close={close}
        />
      )}
    />
  );
}

/** A study without chapters yet. */
function Empty({ opened }: { opened: OpenStudy }) {
  const told = opened.study.value;
  if (!told) return null;
  return (
    <main id="main" class="page" tabIndex={-1}>
      <h1>{told.title}</h1>
      <StudyPanel
        opened={opened}
        told={told}
        chapter={null}
        game={null}
        review={null}
        drawing={null}
        draw={() => undefined}
        close={() => undefined}
      />
    </main>
  );
}

function Opening() {
  return (
    <main id="main" class="page" tabIndex={-1}>
      <h1 class="hidden">{t("study")}</h1>
      <Waiting />
    </main>
  );
}

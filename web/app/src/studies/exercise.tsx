import { Lightbulb, RotateCcw } from "lucide";
import { useMemo, useRef, useState } from "preact/hooks";
import { api, type Refusal } from "../client";
import * as studies from "../client/studies";
import { t } from "../i18n";
import { BoardView, useAspect, useDocks } from "../parts/board";
import { Icon } from "../parts/icon";
import { refusalText, useLoaded } from "../parts/loaded";
import { useNarrow } from "../parts/narrow";
import { useArrival, useTitle } from "../parts/page";
import { thrownRefusal } from "../refusal";
import type { Game, StudyAttempt } from "../wire";
import type { Chapter } from "./chapter";
import type { OpenStudy } from "./open-study";
import { StudyPanel } from "./panel";

/** An exercise for a reader: a position, what the writer asks, and a board to try on; the server judges. */
export function Exercise({ opened, chapter, game }: { opened: OpenStudy; chapter: Chapter; game: Game }) {
  const told = opened.study.value;
  const { info, nodes } = chapter.chapter;
  const fen = nodes[0]?.fen ?? "";
  const loaded = useLoaded((signal) => api.position({ ...chapter.choice, fen }, signal), [fen]);
  const [tried, setTried] = useState<StudyAttempt | null>(null);
  const [trouble, setTrouble] = useState<Refusal | null>(null);
  const [wrong, setWrong] = useState(0);
  const main = useRef<HTMLElement>(null);
  const docks = useDocks();
  const [open, setOpen] = useState(false);
  useArrival(main);
  useAspect(game);
  useTitle(`${info.title} · ${told?.title ?? ""}`);
  const shown = tried?.result.position ?? loaded.value;
  // A new object of the same position makes the board take back a wrong move.
  const position = useMemo(() => (shown ? { ...shown } : null), [shown, wrong]);
  const verdict = tried?.result.verdict;
  const over = verdict === "solved" || verdict === "shown";
  const side = loaded.value?.turn ?? "white";
  const ask = async (moves: string[], show: boolean) => {
    try {
      const answer = await studies.attempt(opened.id, info.id, moves, show);
      setTrouble(null);
      setTried(answer);
      if (answer.result.verdict === "wrong") setWrong((number) => number + 1);
    } catch (error) {
      setTrouble(thrownRefusal(error));
      setWrong((number) => number + 1);
    }
  };
  const said = tried?.comment || (tried ? "" : (nodes[0]?.comment ?? ""));
  if (!told) return null;
  return (
    <main ref={main} id="main" class={`match analysis${open ? " open-panel" : ""}`} tabIndex={-1}>
      <h1 class="hidden">{info.title}</h1>
      <div class="captured-dock above" ref={docks.above} />
      <div class="board-place">
        <BoardView
          class="board-box"
          docks={docks}
          files={game.files}
          ranks={game.ranks}
          pieceTypes={game.pieces}
          position={position}
          seat={over ? null : side}
          orientation={info.orientation}
          fit={useNarrow() ? "width" : "box"}
          premoves={false}
          confirm="never"
          hints={tried ? [] : (nodes[0]?.arrows ?? [])}
          onMove={(move) => void ask([...(tried?.result.moves ?? []), move.move], false)}
          reach={api.reachIn(chapter.choice, position?.fen ?? fen)}
        />
      </div>
      <div class="captured-dock below" ref={docks.below} />
      <section class="match-status exercise" aria-label={t("study.mode.exercise")}>
        <h2>{info.title}</h2>
        {said && <p class="comment">{said}</p>}
        <p role="status" class={`verdict ${verdict ?? ""}`}>
          {trouble ? refusalText(trouble) : verdict ? t(`puzzle.${verdict}`) : t("puzzle.begin")}
        </p>
        <div class="together">
          {!over && (
            <button type="button" onClick={() => void ask([], true)}>
              <Icon of={Lightbulb} size={18} /> {t("puzzle.show")}
            </button>
          )}
          {tried && (
            <button type="button" onClick={() => setTried(null)}>
              <Icon of={RotateCcw} size={18} /> {t("learn.again")}
            </button>
          )}
          {tried?.chapter && (
            <button type="button" class="primary" onClick={() => tried.chapter && opened.reveal(tried.chapter)}>
              {t("study.look")}
            </button>
          )}
        </div>
        <div class="dock" ref={docks.bar} />
      </section>
      <StudyPanel
        opened={opened}
        told={told}
        chapter={chapter}
        game={game}
        review={null}
        drawing={null}
        draw={() => undefined}
        close={() => setOpen(false)}
        moves={<p class="muted small">{t("study.hidden")}</p>}
      />
      <div class="match-bar" role="toolbar" aria-label={t("bar")}>
        <div class="tools" ref={docks.tools} />
        <button
          type="button"
          class="open-button"
          aria-expanded={open}
          aria-controls="panel"
          onClick={() => setOpen(!open)}
        >
          {t("bar.more")}
        </button>
      </div>
    </main>
  );
}

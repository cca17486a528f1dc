import { Check } from "lucide";
import { useState } from "preact/hooks";
import { api } from "../client";
import { t } from "../i18n";
import { Icon } from "../parts/icon";
import type { Game, Puzzle } from "../wire";
import { exerciseSolved, solvedExercises } from "./progress";
import { about, PuzzleBoard } from "./puzzle";

/** The exercises of a game, from easy to hard. */
export function Exercises({ game, exercises }: { game: Game; exercises: Puzzle[] }) {
  const solved = solvedExercises.value[game.id] ?? [];
  const [number, setNumber] = useState(1);
  const puzzle = exercises[number - 1];
  if (!puzzle) return null;
  return (
    <section id="exercises" class="learn-part">
      <h2>{t("learn.exercises")}</h2>
      <p>{t("learn.exercises.lead")}</p>
      <div class="numbers">
        {exercises.map(({ fen }, index) => (
          <button
            key={fen}
            type="button"
            aria-current={index + 1 === number ? "step" : undefined}
            aria-label={t(solved.includes(index + 1) ? "learn.exercise.solved" : "learn.exercise", {
              number: index + 1,
            })}
            onClick={() => setNumber(index + 1)}
          >
            {index + 1}
            {solved.includes(index + 1) && <Icon of={Check} size={14} />}
          </button>
        ))}
      </div>
      <h3>
        {t("learn.exercise", { number })} <span class="muted">{about(game, puzzle)}</span>
      </h3>
      <PuzzleBoard
        key={puzzle.fen}
        game={game}
        puzzle={puzzle}
        attempt={(moves, show) => api.tryExercise(game.id, number, moves, show)}
        onSolved={() => exerciseSolved(game.id, number)}
        after={
          number < exercises.length && (
            <p>
              <button type="button" class="strong" onClick={() => setNumber(number + 1)}>
                {t("learn.exercise.next")}
              </button>
            </p>
          )
        }
      />
    </section>
  );
}

import { ChevronLeft, ChevronRight, Shuffle } from "lucide";
import { useState } from "preact/hooks";
import { api } from "../client";
import { t } from "../i18n";
import { Picture } from "../parts/board";
import { NumberField } from "../parts/choices";
import { Icon } from "../parts/icon";
import { Trouble, useLoaded } from "../parts/loaded";
import { SetupScore } from "../parts/setup-score";
import type { Game } from "../wire";

/** The starting position; if there are several setups, a pager through them. */
export function Setups({ game }: { game: Game }) {
  return (
    <section id="setup" class="learn-part">
      <h2>{t("learn.setup")}</h2>
      {game.setup ? <Pages game={game} count={game.setup.count} /> : <Shown game={game} fen={game.start_fen} />}
    </section>
  );
}

function Shown({ game, fen }: { game: Game; fen: string }) {
  return (
    <div class="preview" aria-hidden="true">
      <Picture files={game.files} ranks={game.ranks} pieceTypes={game.pieces} fen={fen} />
    </div>
  );
}

function Pages({ game, count }: { game: Game; count: number }) {
  const [selected, setSelected] = useState<number | "random">(1);
  const [draw, setDraw] = useState(0);
  const { value: setup, error, again } = useLoaded(() => api.setup(game.id, selected), [game.id, selected, draw]);
  const number = setup?.number ?? 1;
  const turn = (by: number) => setSelected(((number - 1 + by + count) % count) + 1);
  return (
    <>
      <Shown game={game} fen={setup?.fen ?? game.start_fen} />
      {error && <Trouble error={error} again={again} />}
      <div class="together setup-pages">
        <button type="button" aria-label={t("learn.setup.before")} onClick={() => turn(-1)}>
          <Icon of={ChevronLeft} size={20} />
        </button>
        <NumberField label={t("learn.setup.number")} value={number} min={1} max={count} onChange={setSelected} />
        <button type="button" aria-label={t("learn.setup.next")} onClick={() => turn(1)}>
          <Icon of={ChevronRight} size={20} />
        </button>
        <button
          type="button"
          onClick={() => {
            setSelected("random");
            setDraw(draw + 1);
          }}
        >
          <Icon of={Shuffle} size={20} /> {t("learn.setup.random")}
        </button>
        <p class="figures" role="status">
          {setup && t("learn.setup.which", { number, count, name: setup.name })}
        </p>
        <p class="figures">
          <SetupScore game={game} name={setup?.name} />
        </p>
      </div>
    </>
  );
}

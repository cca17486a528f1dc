import { Bot } from "lucide";
import { api, at } from "../client";
import { t } from "../i18n";
import type { HouseEngine, NewMatch, TimeControl } from "../wire";
import { PieceDrawing } from "./board";
import { useGame } from "./games";
import { Icon } from "./icon";
import { ratingText } from "./rating";

/** The house engine for a first game. */
export const GENTLEST = "caladrius";
/** The clocks that a house engine likes. */
export const TIMES: Record<HouseEngine["time"], TimeControl> = {
  none: { kind: "none" },
  live: { kind: "fischer", initial_ms: 600_000, increment_ms: 10_000 },
  correspondence: { kind: "correspondence", days_per_turn: 3, reserve_days: 0 },
};

/** Begins a match with a house engine and returns its id. */
export async function challenge(
  engine: string,
  game: { id: string; hasSetups: boolean },
  wishes: Pick<NewMatch, "time"> & Partial<NewMatch>,
): Promise<string> {
  const { match } = await api.create({
    game: { game: game.id, options: {} },
    opponent: { kind: "house", engine },
    side: "random",
    setup: game.hasSetups ? "choose" : null,
    fen: null,
    hints: true,
    ...wishes,
  });
  return match;
}

/** The drawing that stands for a house engine. */
export function Portrait({ engine, size }: { engine: HouseEngine; size: number }) {
  const { value: game } = useGame(engine.portrait.game);
  const kind = game?.pieces.find(({ letter }) => letter === engine.portrait.piece);
  return (
    <span class="portrait" style={{ width: `${size}px`, height: `${size}px` }}>
      {kind && <PieceDrawing kind={kind} side="white" size={size} />}
    </span>
  );
}

/** A house engine in a list: who it is, how strong, and the way to its page. */
export function HouseEntry({ engine }: { engine: HouseEngine }) {
  return (
    <li>
      <Portrait engine={engine} size={56} />
      <div class="what">
        <h3>
          {engine.name} <Icon of={Bot} size={18} />
        </h3>
        <p class="small">{engine.style}</p>
        <p class="muted small figures">
          {t("engines.level", { level: engine.level })} · {t("engines.rating", { rating: ratingText(engine.rating) })}
        </p>
      </div>
      <a class="button strong" href={at(`/engines/${engine.id}`)}>
        {t("engines.challenge")}
        <span class="hidden"> {engine.name}</span>
      </a>
    </li>
  );
}

import { ArrowLeft, SkipBack } from "lucide";
import { useState } from "preact/hooks";
import { api } from "../client";
import * as archive from "../client/archive";
import { t } from "../i18n";
import type { Game, Opening, Openings, Position, Results, Whose } from "../wire";
import { BoardView } from "./board";
import { Icon } from "./icon";
import { Show, useLoaded } from "./loaded";
import { PieceTypes, San } from "./notation";

/** A line of the tree: the setup, if the game has any, and the moves. */
interface Line {
  setup: string | null;
  moves: { move: string; san: string }[];
}

const START: Line = { setup: null, moves: [] };

/** The opening tree of the archive: a board, and the moves played from its position with their results. */
export function OpeningTree({ game, whose }: { game: Game; whose: Whose }) {
  const [line, setLine] = useState<Line>(START);
  const atSetups = game.setup !== null && line.setup === null;
  const loaded = useLoaded(
    async (signal) => {
      const moves = line.moves.map(({ move }) => move);
      const request = { game: game.id, moves, ...(line.setup === null ? {} : { setup: line.setup }) };
      const position = await api.position(request, signal);
      const openings = await archive.openings(whose, game.id, atSetups ? null : position.fen, signal);
      // A move follows what is shown, not a line that is still being loaded.
      const go = (move: string, san: string) =>
        setLine(atSetups ? { ...line, setup: move } : { ...line, moves: [...line.moves, { move, san }] });
      return { position, openings, atSetups, go };
    },
    [line],
  );
  const back = () =>
    setLine(line.moves.length > 0 ? { ...line, moves: line.moves.slice(0, -1) } : { ...line, setup: null });
  return (
    <Show loaded={loaded}>
      {({ position, openings, atSetups, go }) => (
        <PieceTypes.Provider value={game.pieces}>
          <Place
            game={game}
            position={position}
            play={
              atSetups ? null : (move) => go(move, openings.moves.find((opening) => opening.move === move)?.san ?? move)
            }
          />
          <div class="together">
            <button type="button" class="quiet" disabled={line === START} onClick={() => setLine(START)}>
              <Icon of={SkipBack} /> {t("archive.openings.start")}
            </button>
            <button
              type="button"
              class="quiet"
              disabled={line.moves.length === 0 && line.setup === null}
              onClick={back}
            >
              <Icon of={ArrowLeft} /> {t("archive.openings.back")}
            </button>
          </div>
          <p class="figures notation">
            <San of={[line.setup, ...line.moves.map(({ san }) => san)].filter(Boolean).join(" ")} />
          </p>
          <Played openings={openings} go={go} />
        </PieceTypes.Provider>
      )}
    </Show>
  );
}

/** The moves that were played in a position, or the setups that were chosen, with their results. */
export function Played({ openings, go }: { openings: Openings; go: (move: string, san: string) => void }) {
  if (openings.moves.length === 0) return <p class="muted">{t("archive.openings.none")}</p>;
  return (
    <table class="openings">
      <caption class="hidden">{t("archive.openings")}</caption>
      <thead>
        <tr>
          <th scope="col">{t(openings.setups ? "archive.openings.setups" : "archive.openings.move")}</th>
          <th scope="col">{t("archive.openings.count")}</th>
          <th scope="col">{t("archive.result")}</th>
        </tr>
      </thead>
      <tbody>
        {openings.moves.map((opening) => (
          <Choice key={opening.move} opening={opening} go={go} />
        ))}
      </tbody>
    </table>
  );
}

function Place({ game, position, play }: { game: Game; position: Position; play: ((move: string) => void) | null }) {
  return (
    <BoardView
      class="picture"
      files={game.files}
      ranks={game.ranks}
      pieceTypes={game.pieces}
      position={position}
      seat={play ? "both" : null}
      fit="width"
      confirm="never"
      onMove={(move) => play?.(move.move)}
      reach={api.reachIn({ game: game.id, options: {} }, position.fen)}
    />
  );
}

function Choice({ opening, go }: { opening: Opening; go: (move: string, san: string) => void }) {
  const { white, draws, black } = opening.results;
  return (
    <tr>
      <td>
        <button type="button" class="quiet" onClick={() => go(opening.move, opening.san)}>
          <San of={opening.san} />
        </button>
      </td>
      <td class="figures">{white + draws + black}</td>
      <td>
        <Bar results={opening.results} />
      </td>
    </tr>
  );
}

/** A bar of how many matches each side won and how many were drawn. */
function Bar({ results: { white, draws, black } }: { results: Results }) {
  const total = white + draws + black;
  return (
    <div class="results" role="img" aria-label={t("archive.openings.results", { white, draws, black })}>
      {[white, draws, black].map((number, place) => (
        <span
          key={["white", "draws", "black"][place]}
          class={["white", "draws", "black"][place] ?? ""}
          style={{ width: `${(100 * number) / total}%` }}
        >
          {number / total >= 0.15 ? number : ""}
        </span>
      ))}
    </div>
  );
}

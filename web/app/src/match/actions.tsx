import type { IconNode } from "lucide";
import { Flag, Handshake, Lightbulb, Scale, Undo2, X } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { at } from "../client";
import { t } from "../i18n";
import { isLocal } from "../local/id";
import { Dialog } from "../parts/dialog";
import { reasonText } from "../parts/ending";
import { Icon } from "../parts/icon";
import { Later } from "../parts/later";
import type { May, Snapshot } from "../wire";
import type { Match } from "./match";
import { PgnLink } from "./pgn-link";

/** Buttons for all actions that are allowed now, besides moves. `done` closes the panel on phones. */
export function Actions({ match, state, done }: { match: Match; state: Snapshot; done: () => void }) {
  const [asking, setAsking] = useState<"resign" | "abort" | "draw" | "takeback" | null>(null);
  const { route } = useLocation();
  const may = (what: May) => state.may.includes(what);
  const seated = state.seat !== null;
  // In pass and play there is no opponent to ask, so that each end of the match is confirmed instead.
  const alone = state.seat === "both";
  const texts =
    asking &&
    ({ abort: "abort", draw: "drawAlone", resign: alone ? "resignAlone" : "resign", takeback: "takeback" } as const)[
      asking
    ];
  // A takeback goes back to before the player's last whole turn; inside a turn that loses its moves too.
  const begun = match.acting.value !== null && state.position.turn_moves.length > 0;

  // Both have agreed to a rematch: the players go on to the next match.
  useEffect(() => {
    if (state.rematch && seated && match.agreed) route(at(`/match/${state.rematch}`));
  }, [state.rematch]);

  const button = (label: string, icon: IconNode, act: () => void, name = "") => (
    <button
      type="button"
      class={name}
      onClick={() => {
        act();
        done();
      }}
    >
      <Icon of={icon} size={18} /> {label}
    </button>
  );
  const claims = state.position.claimable.map((reason) => reasonText(reason, state.game.draw_limits[reason]));
  return (
    <div class="actions">
      {state.phase === "over" && isLocal(match.id) && (
        <Later load={() => import("../local/archiving").then(({ Archiving }) => Archiving)} match={match.id} />
      )}
      {state.phase === "over" && <PgnLink match={match} label="PGN" name="button" />}
      {may("hint") && (
        <button
          type="button"
          disabled={match.waitsForHint.value}
          onClick={() => {
            match.askHint();
            done();
          }}
        >
          <Icon of={Lightbulb} size={18} /> {t(match.waitsForHint.value ? "act.hint.waiting" : "act.hint")}
        </button>
      )}
      {may("takeback") &&
        (begun ? (
          <button type="button" onClick={() => setAsking("takeback")}>
            <Icon of={Undo2} size={18} /> {t("act.takeback")}
          </button>
        ) : (
          button(t("act.takeback"), Undo2, () => match.command({ type: "offer", what: "takeback" }))
        ))}
      {may("claim") &&
        button(t("act.claim", { reason: claims.join(", ") }), Scale, () =>
          match.command({ type: "claim", what: "draw" }),
        )}
      {may("draw") &&
        (alone
          ? button(t("act.drawAlone"), Handshake, () => setAsking("draw"))
          : button(t("act.draw"), Handshake, () => match.command({ type: "offer", what: "draw" })))}
      {may("abort") && button(t("act.abort"), X, () => setAsking("abort"))}
      {may("resign") && button(t("act.resign"), Flag, () => setAsking("resign"), "last")}
      {asking && texts && (
        <Dialog title={t(`act.${texts}.sure`)} close={() => setAsking(null)}>
          <p>{t(`act.${texts}.text`)}</p>
          <div class="together">
            <button type="button" onClick={() => setAsking(null)}>
              {t("act.stay")}
            </button>
            <button
              type="button"
              class="primary"
              onClick={() => {
                const offers = asking === "draw" || asking === "takeback";
                match.command(offers ? { type: "offer", what: asking } : { type: asking });
                setAsking(null);
              }}
            >
              {t(`act.${texts}`)}
            </button>
          </div>
        </Dialog>
      )}
    </div>
  );
}

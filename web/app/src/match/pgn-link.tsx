import { Download } from "lucide";
import { at } from "../client";
import { isLocal } from "../local/id";
import { Icon } from "../parts/icon";
import { thrownRefusal } from "../refusal";
import type { Match } from "./match";

/** Downloads the PGN of a match, with its review if there is one. */
export function PgnLink({ match, label, name = "" }: { match: Match; label: string; name?: string }) {
  const path = at(`/api/matches/${encodeURIComponent(match.id)}/pgn`);
  const save = async () => {
    const { reviewedPgn, savePgn } = await import("../analysis/pgn");
    const reviewed = isLocal(match.id)
      ? (await (await import("../local/play")).openPlay(match.id)).pgn()
      : await reviewedPgn(match.id);
    if (reviewed === null) location.assign(path);
    else savePgn(reviewed, `acedrex-${match.id}.pgn`);
  };
  return (
    <a
      class={name}
      href={path}
      // The router leaves links to downloads alone.
      download
      onClick={(event) => {
        event.preventDefault();
        match.refused.value = null;
        save().catch((error: unknown) => {
          match.refused.value = thrownRefusal(error);
        });
      }}
    >
      <Icon of={Download} size={18} /> {label}
    </a>
  );
}

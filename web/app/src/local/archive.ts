// Takes finished matches of this device into the archive of the server, as imported games.

import { signal } from "@preact/signals";
import * as archive from "../client/archive";
import { refusal } from "../refusal";
import type { MatchCard } from "../wire";
import { openPlay } from "./play";
import { cardOf, isArchivable, type LocalRecord, matches, store } from "./record";

/** How many of the latest matches are listed and offered to the archive. */
export const MOST = 200;

/** Counts what was stored here, so that lists are read again. */
export const archivings = signal(0);

/** Adds matches to the archive and notes it. The archive itself stores the same match only once. */
export async function addToArchive(ids: string[]): Promise<void> {
  try {
    for (const id of ids) {
      const play = await openPlay(id);
      if (!isArchivable(play.record)) continue;
      const { left_out, faults } = await archive.importPgn(new Blob([play.pgn()]));
      if (left_out > 0) throw refusal({ code: "not_archived", message: faults[0]?.message ?? "", where: null });
      await note(id);
    }
  } finally {
    archivings.value++;
  }
}

async function note(id: string): Promise<void> {
  // Another tab may change the match meanwhile.
  for (let stored = false; !stored; ) {
    const record = await matches.read<LocalRecord>(id);
    stored = !record || (await store({ ...record, archived: true, number: record.number + 1 }));
  }
}

/** Returns the latest matches of this device; none where nothing can be stored. */
export function latest(): Promise<LocalRecord[]> {
  return matches.latest<LocalRecord>(MOST).catch(() => []);
}

export async function cards(): Promise<MatchCard[]> {
  return (await latest()).map(cardOf);
}

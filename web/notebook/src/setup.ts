// The setup phase: the choice that the board shows, with Python's verdict on each arrangement.

import type { SetupChoice } from "@acedrex/board";
import type { Model } from "./model.ts";
import type { Questions } from "./questions.ts";

export interface Arranging {
  /** The current choice; `null` outside the setup phase. */
  choice(): SetupChoice | null;
  arrange(name: string | null): void;
  shuffle(): void;
}

export function makeArranging(model: Model, questions: Questions, changed: () => void): Arranging {
  let found = { name: "", number: null as number | null, problem: null as string | null };
  /** The arrangement that was last asked about; answers about earlier ones are ignored. */
  let latest: string | null = null;

  return {
    choice() {
      const { setup } = model.get("_shown");
      const { setup: phase } = model.get("_game");
      if (setup === null || phase === null) {
        found = { name: "", number: null, problem: null };
        return null;
      }
      return { ...found, phase, last: setup.last, mine: true };
    },
    arrange(name) {
      latest = name;
      found = { ...found, number: null, problem: null };
      changed();
      if (name === null) return;
      void questions.ask({ type: "arranged", text: name }).then((answer) => {
        if (!("number" in answer) || latest !== name) return;
        found = { ...found, number: answer.number, problem: answer.problem };
        changed();
      });
    },
    shuffle() {
      void questions.ask({ type: "shuffle" }).then((answer) => {
        if (!("number" in answer)) return;
        latest = answer.name;
        found = answer;
        changed();
      });
    },
  };
}

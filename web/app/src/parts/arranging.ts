import type { SetupChoice } from "@acedrex/board";
import { useMemo, useRef, useState } from "preact/hooks";
import { api, Refusal } from "../client";
import { load, save } from "../client/storage";
import type { Game, Setup, SetupPhase } from "../wire";
import { refusalText } from "./loaded";

/** The choice of a setup that the board shows while there is a `phase`, with the server's verdict on each arrangement. */
export function useArranging(game: Game, phase: SetupPhase | null, mine: boolean, chosen: (name: string) => void) {
  const [name, setName] = useState("");
  const [found, setFound] = useState<Setup | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const requests = useRef(0);
  const key = `setup.${game.id}`;

  const choice = useMemo<SetupChoice | null>(() => {
    if (!phase) return null;
    const last = load(key);
    return {
      phase,
      name: mine ? name : "",
      number: found?.number ?? null,
      problem,
      last: typeof last === "string" ? last : null,
      mine,
    };
  }, [phase, mine, name, found, problem]);

  const find = async (which: string, show: boolean) => {
    const request = ++requests.current;
    try {
      const setup = await api.setup(game.id, which);
      if (request !== requests.current) return;
      setFound(setup);
      setProblem(null);
      if (show) setName(setup.name);
    } catch (error) {
      if (request !== requests.current) return;
      setFound(null);
      setProblem(error instanceof Refusal ? refusalText(error) : String(error));
    }
  };

  return {
    choice,
    /** The name of the setup on the board; `null` while it is incomplete or against the rules. */
    arranged: (phase && found?.name) ?? null,
    arrange: (arranged: string | null) => {
      requests.current++;
      setFound(null);
      setProblem(null);
      if (arranged !== null) void find(arranged, false);
    },
    shuffle: () => void find("random", true),
    confirm: (confirmed: string) => {
      save(key, confirmed);
      chosen(confirmed);
    },
  };
}

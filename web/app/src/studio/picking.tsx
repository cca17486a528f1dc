// Squares that are chosen on the board beside a form.

import { type Signal, signal } from "@preact/signals";
import { Grid2x2Check } from "lucide";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "../parts/icon";
import { TextField } from "./fields";
import type { OpenDraft } from "./open-draft";
import { sizeOfBoard } from "./piece-types";
import { readSquares, writeSquares } from "./squares";
import type { Path } from "./toml";

/** The list whose squares the board shows, and how a press on a square changes it. */
export interface Picked {
  squares: readonly string[];
  press: (square: string) => void;
}

/** Which list of squares is chosen on the board; the field with that path says what a press does. */
export interface Picking {
  path: string | null;
  choose: (path: Path | null) => void;
  /** Set by the chosen field whenever it is drawn. */
  picked: Signal<Picked | null>;
}

export function usePicking(): Picking {
  const [path, setPath] = useState<string | null>(null);
  const [picked] = useState(() => signal<Picked | null>(null));
  const choose = (next: Path | null): void => {
    picked.value = null;
    setPath(next?.join(".") ?? null);
  };
  return { path, choose, picked };
}

interface Squares {
  draft: OpenDraft;
  path: Path;
  label: ComponentChildren;
  help?: ComponentChildren;
  placeholder?: string;
  picking: Picking;
}

/** A list of squares, written or chosen on the board; the order matters where it is `ordered`. */
export function SquaresField({
  draft,
  picking,
  value,
  onChange,
  ordered = false,
  may = () => true,
  ...field
}: Squares & {
  value: string;
  onChange: (value: string) => void;
  ordered?: boolean;
  may?: (square: string) => boolean;
}) {
  const name = field.path.join(".");
  const chosen = picking.path === name;
  useLayoutEffect(() => {
    if (!chosen) return;
    const squares = readSquares(value, sizeOfBoard(draft.textAt(["game", "board"])));
    const press = (square: string): void => {
      const there = squares.includes(square);
      if (!there && !may(square)) return;
      const next = there ? squares.filter((one) => one !== square) : [...squares, square];
      onChange(ordered ? next.join(" ") : writeSquares(next));
    };
    picking.picked.value = { squares, press };
  });
  return (
    <div class="studio-squares">
      <TextField {...field} value={value} onChange={onChange} />
      <button
        type="button"
        class="quiet"
        aria-pressed={chosen}
        aria-label={t("studio.squares.choose", { key: name })}
        title={t("studio.squares.choose", { key: name })}
        onClick={() => picking.choose(chosen ? null : field.path)}
      >
        <Icon of={Grid2x2Check} size={20} />
      </button>
    </div>
  );
}

/** The list of squares of one key; if it is empty, the key is left out unless it is `kept`. */
export function SquaresKey({ kept = false, ...field }: Squares & { kept?: boolean }) {
  const { draft, path } = field;
  const change = (value: string) => (kept || value ? draft.put(path, value, path.join(".")) : draft.clear(path));
  return <SquaresField {...field} value={draft.textAt(path)} onChange={change} />;
}

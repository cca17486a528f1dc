// The diagram's idea of directions, compared with the core's. Without the compiled core there is nothing to compare.

// @ts-expect-error The app itself knows no Node.
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { stepsOf, wants } from "../../src/studio/betza";

const { dirname } = import.meta as unknown as { dirname: string };
const COMPILED = `${dirname}/../../../core/compiled`;

/** All direction letters of up to three signs. */
function letters(): string[] {
  const more = (texts: string[]) => texts.flatMap((text) => [..."fblrsv"].map((letter) => text + letter));
  const [one, two] = [more([""]), more(more([""]))];
  return ["", ...one, ...two, ...more(two)];
}

test.skipIf(!existsSync(`${COMPILED}/core.js`))("direction letters mean the same as in the core", async () => {
  const core = await import("../../../core/compiled/core.js");
  core.initSync({ module: readFileSync(`${COMPILED}/core_bg.wasm`) });
  const kings = '[pieces.K]\nmove = "K"\nroyal = true\n';
  const start = 'id = "x"\nboard = "9x9"\nstart = "k8/9/9/9/9/9/9/9/8K"';
  for (const atom of ["W", "F", "N", "(1,4)"]) {
    for (const text of letters()) {
      const definition = `[game]\n${start}\n${kings}[pieces.X]\nmove = "${text}${atom}"\n`;
      const game = new core.Game(definition, "x.toml", [], "en", undefined, false);
      const board = new core.Board(game, "9/9/9/9/4X4/9/9/9/9 w - - 0 1", true);
      const reached = (JSON.parse(board.reach("e5")) as { to: string }[]).map(({ to }) => to).sort();
      const ours = stepsOf(atom).filter((step) => wants(text, step));
      const squares = ours.map(([x, y]) => `${"abcdefghi"[4 + x]}${5 + y}`).sort();
      expect(squares, text + atom).toEqual(reached);
      board.free();
      game.free();
    }
  }
});

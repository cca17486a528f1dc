import { test as always, beforeAll, expect, vi } from "vitest";
import { theCore } from "../../src/core";
import { textsOf } from "../../src/studio/french";
import { renamed } from "../../src/studio/rename";
import { fromFragment, toFragment } from "../../src/studio/share";
import { copyOf, freeLetter, SMALL } from "../../src/studio/templates";
import { Document } from "../../src/studio/toml";
import { hasCore } from "../disk-core";

vi.mock("../../src/core/platform", () => import("../disk-core"));

const test = always.skipIf(!hasCore);
beforeAll(async () => void (await theCore()));

/** Packs any text, also one that the studio would not. */
async function packed(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const binary = [...bytes].map((byte) => String.fromCharCode(byte)).join("");
  return `g1.${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

test("a definition is read back from a link unchanged", async () => {
  for (const text of [SMALL, "", "é ☃ \u{1f60a}\n"]) {
    for (const french of ["", 'game.name = "Petit jeu"\n']) {
      const fragment = await toFragment({ text, french });
      expect(fragment).toMatch(/^g1\.[\w-]*$/);
      expect(await fromFragment(fragment ?? "")).toEqual({ text, french });
    }
  }
  expect(await fromFragment(await packed(SMALL))).toEqual({ text: SMALL, french: "" });
});

test("a link that is invalid, too large or has too many lines is refused", async () => {
  expect(await toFragment({ text: "x".repeat(65_537) })).toBeNull();
  expect(await fromFragment(await packed("x".repeat(65_536)))).toEqual({ text: "x".repeat(65_536), french: "" });
  expect(await fromFragment(await packed(`x\0${"y".repeat(65_537)}`))).toBeNull();
  expect(await fromFragment(await packed("x\0y\0z"))).toBeNull();
  // A small link that would grow to fifty megabytes.
  expect(await fromFragment(await packed("x".repeat(50_000_000)))).toBeNull();
  expect(await fromFragment(await packed("\n".repeat(4000)))).toBeNull();
  for (const bad of ["g1.!!", "g1.AAAA", "a=1", "", `g1.${"A".repeat(200_000)}`])
    expect(await fromFragment(bad)).toBeNull();
});

test("a piece's letter is changed wherever it stands for the piece", () => {
  const text = renamed(`${SMALL}\n[end]\nbare_king = { claim = "R", never = "P" }\n`, "R", "T'");
  const document = new Document(text);
  expect(document.at(["game", "start"])).toBe("t'2k1t'/pppppp/6/6/PPPPPP/T'2K1T' w - - 0 1");
  expect(document.at(["pieces", "T'"])).toEqual({ name: "Rook", move: "R" });
  expect(document.at(["pieces", "P", "promotes_to"])).toBe("T'");
  expect(document.at(["end", "bare_king", "claim"])).toBe("T'");
  expect(document.at(["pieces", "R"])).toBeUndefined();
});

test("a copy has its own id and name, and no link to the original's page", () => {
  const source = '# Rules.\n[game]\nid = "magi"\nname = "Magi"\nlink = "https://example.org"\nboard = "10x10"\n';
  expect(copyOf(source, "magi", "Magi (copy)")).toBe(
    '# Rules.\n[game]\nid = "magi-copy"\nname = "Magi (copy)"\nboard = "10x10"\n',
  );
  expect(freeLetter("N", ["N", "A"])).toBe("B");
  expect(freeLetter("", [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"])).toBe("A'");
});

test("the texts that can be translated are listed", () => {
  const document = new Document(
    `${SMALL}help = "Walks."\n[game.rules]\njump = "It jumps."\n[options.x]\nhelp = "A switch."\n`,
  );
  expect(textsOf(document).map(({ path }) => path.join("."))).toEqual([
    "game.name",
    "pieces.K.name",
    "pieces.R.name",
    "pieces.P.name",
    "pieces.P.help",
    "game.rules.jump",
    "options.x.help",
  ]);
});

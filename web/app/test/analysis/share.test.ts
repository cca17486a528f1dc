import { expect, test } from "vitest";
import { fromFragment, type Shared, toFragment } from "../../src/analysis/share";

const node = (move: string, parent: number, comment = "", nags: number[] = []) => ({ move, parent, comment, nags });

const SHARED: Shared = {
  game: "maasai",
  options: { scoring: "classic" },
  fen: "12/12 w - - 0 1",
  comment: "Début.",
  tags: { White: "Ana" },
  nodes: [node("e4e6", -1), node("e9e7", 0), node("d9d8", 0, "«Mieux» 🐘", [1]), node("a1a2", 2)],
  at: 2,
  orientation: "black",
  job: { job: "abc", places: [-1, 0, 1] },
};

test("an analysis can be read back from its link", async () => {
  const fragment = await toFragment(SHARED);
  expect(fragment).toMatch(/^[\w-]+$/);
  expect(await fromFragment(fragment)).toEqual(SHARED);
});

test("a game of 200 moves fits into a link", async () => {
  const file = (at: number) => "abcdefghijkl"[at % 12];
  const nodes = Array.from({ length: 200 }, (_, at) =>
    node(`${file(at * 7)}${(at % 12) + 1}${file(at * 5)}${(at % 9) + 1}`, at - 1),
  );
  expect((await toFragment({ ...SHARED, nodes })).length).toBeLessThan(2000);
});

test("other fragments are not read as analyses", async () => {
  const whole = await toFragment(SHARED);
  expect(await fromFragment("")).toBeNull();
  expect(await fromFragment("nonsense")).toBeNull();
  expect(await fromFragment(whole.slice(0, -8))).toBeNull();
  expect(await fromFragment(await toFragment({ ...SHARED, game: 3 as unknown as string }))).toBeNull();
});

test("a link that unpacks to too many bytes is refused", async () => {
  expect(await fromFragment(await toFragment({ ...SHARED, comment: "a".repeat(3_000_000) }))).toBeNull();
});

test("a link with fields of the wrong type is refused", async () => {
  const wrong: Record<string, unknown>[] = [
    { comment: 5 },
    { comment: undefined },
    { options: null },
    { tags: { White: {} } },
    { at: 4 },
    { at: "0" },
    { orientation: "up" },
    { job: { job: "abc", places: [9] } },
    ...[
      [node("e4e6", 0)],
      [node("e4e6", -1, 5 as unknown as string)],
      [node("e4e6", -1, "", ["!" as unknown as number])],
      Array.from({ length: 5001 }, (_, at) => node("e4e6", at - 1)),
    ].map((nodes) => ({ nodes, at: 0, job: null })),
  ];
  expect(
    await fromFragment(await toFragment({ ...SHARED, nodes: [node("e4e6", -1)], at: 0, job: null })),
  ).not.toBeNull();
  for (const part of wrong)
    expect(await fromFragment(await toFragment({ ...SHARED, ...part } as Shared)), JSON.stringify(part)).toBeNull();
});

import { test as always, beforeAll, expect, vi } from "vitest";
import { theCore } from "../../src/core";
import { type Brush, longest, type Part, read, type Step, stepsOf, tapped, write } from "../../src/studio/betza";
import { hasCore } from "../disk-core";

const without = vi.hoisted(() => ({ core: false }));
vi.mock("../../src/core/platform", async () => {
  const disk = await import("../disk-core");
  return { ...disk, editing: { ...disk.editing, firstSteps: vi.fn(disk.editing.firstSteps) } };
});
vi.mock("../../src/core", async (original) => {
  const real = await original<typeof import("../../src/core")>();
  return { ...real, loadedCore: () => (without.core ? null : real.loadedCore()) };
});

const test = always.skipIf(!hasCore);
beforeAll(async () => void (await theCore()));

const LEAP: Brush = { how: "leap", far: "any", does: "both", alike: "all", first: false };

/** Clicks squares in turn and returns the notation. */
function clicked(from: string, ...taps: [Step, Partial<Brush>][]): string {
  return taps.reduce((text, [step, brush]) => {
    const next = tapped(read(text), step, { ...LEAP, ...brush });
    return next ? write(next) : "refused";
  }, from);
}

test.each([
  ["K", "K"],
  ["WF", "K"],
  ["RB", "Q"],
  ["QN", "QN"],
  ["W0F0", "Q"],
  ["R3B3", "Q3"],
  ["W3", "R3"],
  ["NN", "NN"],
  ["N0", "NN"],
  ["NNN", "NNN"],
  ["AADD", "AADD"],
  ["fmWfceFifmnnD", "fmWfceFifmnnD"],
  ["mRcpR", "mRcpR"],
  ["gQ", "gQ"],
  ["nN", "nN"],
  ["KfmnnD", "KfmnnD"],
  ["WD[W-fD][D-fW]", "WD[W-fD][D-fW]"],
  ["FyafsF", "FyafsF"],
  ["KADGH", "KADGH"],
  ["mQpcQ", "mQcpQ"],
  ["fWfF", "fWfF"],
  ["fsN", "fsN"],
  ["(4,1)", "(1,4)"],
  ["(2,1)", "N"],
  ["(0,1)0(1,1)0", "Q"],
  ["fm(4,1)3c(1,4)", "fm(1,4)3c(1,4)"],
  ["ffN", "ffN"],
])("%s is read and written as %s", (text, expected) => {
  expect(write(read(text))).toBe(expected);
  expect(read(write(read(text)))).toEqual(read(expected));
});

test("invalid notation is kept for the core to report", () => {
  for (const text of [
    "fX",
    "W[",
    "K K",
    "nnnD",
    "W99",
    "é",
    "jW",
    "(0,0)",
    "(1,16)",
    "(1,4",
    "(1)",
    "(1,4)(",
    "( 1,4)",
    "nW",
    "fnnmN",
  ])
    expect(write(read(text))).toBe(text);
});

test("a click adds moves, and another click removes them", () => {
  expect(clicked("", [[1, 2], {}])).toBe("N");
  expect(clicked("", [[1, 2], {}], [[-2, 1], {}])).toBe("");
  expect(clicked("", [[1, 0], {}], [[1, 1], {}])).toBe("K");
  expect(clicked("", [[0, 4], { how: "slide" }], [[3, 3], { how: "slide" }])).toBe("Q");
  expect(clicked("", [[0, 3], { how: "slide", far: "here" }])).toBe("R3");
  expect(clicked("", [[0, 1], { alike: "one", does: "move" }], [[1, 1], { alike: "sides", does: "capture" }])).toBe(
    "fmWfcF",
  );
  expect(clicked("fmWfcF", [[0, 2], { how: "lame", alike: "one", does: "move", first: true }])).toBe("fmWfcFifmnD");
  expect(clicked("", [[1, 2], { alike: "one" }])).toBe("ffrN");
  expect(clicked("ffrN", [[-1, 2], { alike: "one" }])).toBe("ffN");
  expect(clicked("", [[0, 4], { how: "slide", does: "move" }], [[0, 3], { how: "hop", does: "capture" }])).toBe(
    "mRcpR",
  );
  expect(clicked("", [[2, 4], { how: "slide" }])).toBe("NN");
  expect(clicked("", [[2, 2], { how: "land" }])).toBe("gB");
});

test("a move for the same purpose is replaced, one for another is kept", () => {
  expect(clicked("R", [[0, 1], {}])).toBe("W");
  expect(clicked("W", [[0, 1], { does: "move" }])).toBe("mW");
  expect(clicked("mR", [[0, 1], { does: "capture" }])).toBe("mRcW");
  expect(clicked("Q", [[0, 1], { alike: "one" }])).toBe("bsRBfW");
  expect(clicked("[W-fD]", [[1, 2], {}])).toBe("[W-fD]N");
});

test("leaps can be as long as the largest board allows", () => {
  expect(clicked("N", [[4, 1], {}])).toBe("N(1,4)");
  expect(clicked("N(1,4)", [[-1, 4], {}])).toBe("N");
  expect(clicked("", [[0, 4], { alike: "one", does: "move" }])).toBe("fm(0,4)");
  expect(clicked("", [[4, 1], { how: "slide" }])).toBe("(1,4)0");
  expect(clicked("", [[2, 8], { how: "slide", far: "here" }])).toBe("(1,4)2");
  expect(clicked("", [[0, 5], { how: "lame" }], [[4, 4], { how: "lame" }])).toBe("n(0,5)n(4,4)");
  expect(longest(read("K(1,4)[W-fD]"))).toBe(4);
  expect(longest(read("RN"))).toBe(2);
});

test("leaps that nothing can block cannot be lame", () => {
  expect(clicked("N", [[1, 3], { how: "lame" }])).toBe("refused");
  expect(clicked("N", [[1, 4], { how: "lame" }])).toBe("refused");
  expect(clicked("N", [[16, 0], {}])).toBe("refused");
});

test("every set of steps can be written and read", () => {
  for (const atom of ["W", "F", "N", "(1,4)"]) {
    const count = stepsOf(atom).length;
    for (let steps = 1; steps < 1 << count; steps++) {
      const part = read(atom)[0];
      if (typeof part !== "object") throw new Error("no part");
      const text = write([{ ...part, steps }]);
      expect(read(text), text).toEqual([{ ...part, steps }]);
    }
  }
  expect(stepsOf("flN")).toEqual([
    [-1, 2],
    [-2, 1],
  ]);
});

test("a click on a new leap asks the core a few times only", async () => {
  const asked = vi.mocked((await theCore())?.editing.firstSteps as (notation: string) => Int8Array);
  asked.mockClear();
  expect(clicked("", [[3, 7], { alike: "sides" }])).toBe("ff(3,7)");
  expect(asked.mock.calls.length).toBeLessThan(100);
});

test("what could not be asked without the core is asked when it is there", () => {
  const part = read("ffN")[0] as Part;
  without.core = true;
  for (const atom of ["(2,7)", "N"]) write([{ ...part, atom }]);
  without.core = false;
  expect(write([{ ...part, atom: "(2,7)" }, part])).toBe("ff(2,7)ffN");
});

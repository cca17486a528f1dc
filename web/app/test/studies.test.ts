import { expect, test, vi } from "vitest";
import merging from "../../../tests/data/merging.json";
import { nodeOf } from "../src/analysis/tree";
import { changed, treeOf } from "../src/studies/changes";
import { Chapter, type Command } from "../src/studies/chapter";
import { merged } from "../src/studies/merging";
import type { StudyChapter, StudyNode } from "../src/wire";

const cases = merging as [string, string, string, string][];

test("two edits of one text are merged as on the server", () => {
  for (const [before, mine, theirs, together] of cases) expect(merged(before, mine, theirs)).toBe(together);
});

const node = (id: number, parent: number, move: string, comment = ""): StudyNode => ({
  id,
  parent,
  move,
  san: move,
  side: "white",
  turn: 1,
  fen: "8/8/8/8/8/8/8/8 w - - 0 1",
  comment,
  nags: [],
  arrows: [],
});

const chapter = (comment = ""): StudyChapter => ({
  info: {
    id: 1,
    title: "One",
    game: "chess",
    options: {},
    name: "Chess",
    setup: null,
    tags: {},
    orientation: "white",
    mode: "reading",
  },
  nodes: [node(0, -1, "", comment), node(1, 0, "e2e4"), node(2, 1, "e7e5")],
  hidden: false,
});

test("changes of the study change the tree, which keeps the numbers of its nodes", () => {
  let tree = treeOf(chapter());
  const then = (change: Parameters<typeof changed>[1]) => {
    tree = changed(tree, change) ?? tree;
  };
  then({ type: "moves_added", chapter: 1, nodes: [node(7, 0, "d2d4")] });
  then({ type: "promoted", chapter: 1, node: 7 });
  expect(nodeOf(tree, 0).children).toEqual([7, 1]);
  then({ type: "pruned", chapter: 1, node: 1 });
  expect(Object.keys(tree)).toEqual(["0", "7"]);
  then({ type: "marked", chapter: 1, node: 7, nags: [1] });
  expect(nodeOf(tree, 7).nags).toEqual([1]);
});

/** Returns a chapter that somebody writes in, the commands that it has sent, and what answers the last one. */
function written(comment: string) {
  const sent: Command[] = [];
  let answer: (problem: null | "lost") => void = () => undefined;
  const one = new Chapter(
    "study",
    chapter(comment),
    (command) => {
      sent.push(command);
      return new Promise((done) => {
        answer = done;
      });
    },
    () => true,
    () => 1,
  );
  return {
    one,
    sent,
    answer: (problem: null | "lost") => answer(problem),
    text: () => nodeOf(one.tree.value, 0).comment,
  };
}

test("words that somebody else writes meanwhile join those that are being written", async () => {
  const { one, sent, answer, text } = written("The Lion takes.");
  one.comment("The Lion takes twice.", "The Lion takes.");
  one.goTo(1);
  expect(sent).toHaveLength(1);
  // Theirs is stored first, and then ours, merged by the server.
  one.receive({ type: "commented", chapter: 1, node: 0, text: "Look: the Lion takes." });
  expect(text()).toBe("Look: the Lion takes twice.");
  one.receive({ type: "commented", chapter: 1, node: 0, text: "Look: the Lion takes twice." });
  answer(null);
  await Promise.resolve();
  expect(text()).toBe("Look: the Lion takes twice.");
  one.close();
  expect(sent).toHaveLength(1);
});

test("words of somebody else that come before the acknowledgement of the own stay", async () => {
  const { one, sent, answer, text } = written("Pawn.");
  one.comment("Pawn. It moves.", "Pawn.");
  one.goTo(1);
  one.receive({ type: "commented", chapter: 1, node: 0, text: "Pawn. It moves." });
  one.receive({ type: "commented", chapter: 1, node: 0, text: "Look: Pawn. It moves." });
  expect(text()).toBe("Look: Pawn. It moves.");
  answer(null);
  await Promise.resolve();
  one.close();
  expect(sent).toHaveLength(1);
});

test("a comment that was not sent is sent again on the next connection", async () => {
  const { one, sent, answer, text } = written("Before.");
  one.comment("Before, and more.", "Before.");
  one.goTo(1);
  answer("lost");
  await Promise.resolve();
  one.reread(chapter("Now. Before."));
  expect(text()).toBe("Now. Before, and more.");
  one.close();
  expect(sent.at(-1)).toMatchObject({ type: "comment", before: "Now. Before.", text: "Now. Before, and more." });
});

test("a comment that could not be sent while the page was open is sent when it is opened again", async () => {
  const first = written("Before.");
  first.one.comment("Before, and more.", "Before.");
  first.one.close();
  first.answer("lost");
  const second = written("Now. Before.");
  expect(second.text()).toBe("Now. Before, and more.");
  second.one.close();
  expect(second.sent).toMatchObject([{ type: "comment", before: "Now. Before.", text: "Now. Before, and more." }]);
  // What the server has by now is not written twice.
  second.one.receive({ type: "commented", chapter: 1, node: 0, text: "Now. Before, and more." });
  second.answer(null);
  await Promise.resolve();
  const third = written("Now. Before, and more.");
  third.one.close();
  expect(third.text()).toBe("Now. Before, and more.");
  expect(third.sent).toEqual([]);
});

test("a letter that is written before the words of somebody else are on the screen takes none of them away", () => {
  const { one, text } = written("Pawn.");
  one.comment("A Pawn.", "Pawn.");
  one.receive({ type: "commented", chapter: 1, node: 0, text: "Pawn. It moves." });
  one.comment("As Pawn.", "A Pawn.");
  one.comment("As a Pawn.", "As Pawn.");
  expect(text()).toBe("As a Pawn. It moves.");
  one.close();
});

test("two who write in one comment lose no letter, however slowly messages arrive", async () => {
  vi.useFakeTimers();
  for (let seed = 1; seed <= 100; seed++) {
    let state = seed;
    const below = (most: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % most;
    };
    let stored = "The Lion.";
    const inbox: (() => void)[][] = [[], []];
    const outbox: (() => void)[][] = [[], []];
    const acknowledging: (() => void)[] = [];
    const writers = [0, 1].map((who) => {
      const one = new Chapter(
        `study-${seed}-${who}`,
        chapter(stored),
        (command) =>
          new Promise((done) => {
            const { before, text } = command as Extract<Command, { type: "comment" }>;
            outbox[who]?.push(() => {
              stored = merged(before, text, stored);
              const told = stored;
              for (const each of [0, 1])
                inbox[each]?.push(() => {
                  writers[each]?.receive({ type: "commented", chapter: 1, node: 0, text: told });
                });
              // Meanwhile the other's words may be stored and told.
              acknowledging.push(() => inbox[who]?.push(() => done(null)));
            });
          }),
        () => true,
        () => 1,
      );
      return one;
    });
    const text = (who: number) => nodeOf(writers[who]?.tree.value ?? {}, 0).comment;
    const letters = [..."abcdefghijklmnopqrstuvwxyz"].map((letter) => letter.toUpperCase() + letter);
    const steps = [
      () => {
        const letter = letters.shift();
        const who = below(2);
        const before = text(who);
        const at = below(before.length + 1);
        if (letter) writers[who]?.comment(`${before.slice(0, at)}${letter}${before.slice(at)}`, before);
      },
      () => vi.advanceTimersByTime(300),
      () => outbox[below(2)]?.shift()?.(),
      () => acknowledging.shift()?.(),
      () => inbox[below(2)]?.shift()?.(),
    ];
    for (let step = 0; step < 3_000; step++) {
      // In the end everything arrives.
      steps[step < 300 ? below(steps.length) : 1 + (step % 4)]?.();
      await Promise.resolve();
    }
    expect([text(0), text(1)], `seed ${seed}`).toEqual([stored, stored]);
    const lost = [..."abcdefghijklmnopqrstuvwxyz"].filter(
      (letter) => !letters.join("").includes(letter) && !stored.includes(letter),
    );
    expect(lost, `seed ${seed}: ${stored}`).toEqual([]);
    for (const one of writers) one.close();
  }
  vi.useRealTimers();
});

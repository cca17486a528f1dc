import { afterAll, expect, test } from "vitest";
import { setLanguage } from "../src/i18n";
import { endingText, reasonText } from "../src/parts/ending";
import type { Ending } from "../src/wire";

const drawn = (reason: string, limit: number | null = null): Ending => ({
  reason,
  winner: null,
  score: "1/2-1/2",
  result: "1/2-1/2",
  limit,
});

afterAll(() => setLanguage("en"));

test("an ending names its reason and winner, and the score if it differs from chess", async () => {
  await setLanguage("en");
  const won = { reason: "resignation", winner: "black", score: "0-1", result: "0-1", limit: null } as const;
  expect(endingText(won)).toBe("White resigned. Black wins.");
  expect(endingText({ ...won, reason: "checkmate" })).toBe("Checkmate. Black wins.");
  expect(endingText({ ...won, reason: "bare_king", score: "1-3" })).toBe("Bare King. Black wins (1-3).");
  expect(endingText({ ...drawn("time"), score: "2-2" })).toBe("Draw (2-2): out of time.");
  expect(endingText(won, "black")).toBe("White resigned. You won.");
  expect(endingText(won, "white")).toBe("White resigned. You lost.");
  expect(endingText(won, "both")).toBe("White resigned. Black wins.");
  expect(endingText(drawn("agreement"), "white")).toBe("Draw: by agreement.");
  await setLanguage("fr");
  expect(endingText(won)).toBe("Les Blancs ont abandonné. Les Noirs gagnent.");
});

test("draws are named after the limits of their game", async () => {
  await setLanguage("en");
  expect(endingText(drawn("fivefold_repetition", 5))).toBe("Draw: fivefold repetition.");
  expect(endingText(drawn("fivefold_repetition", 3))).toBe("Draw: threefold repetition.");
  expect(endingText(drawn("fivefold_repetition", 2))).toBe("Draw: 2-fold repetition.");
  expect(endingText(drawn("seventyfive_moves", 120))).toBe("Draw: 60-move rule.");
  // Matches that ended before the server sent limits.
  expect(endingText(drawn("fivefold_repetition"))).toBe("Draw: repetition.");
  expect(reasonText("fifty_moves")).toBe("move-count rule");
  await setLanguage("fr");
  expect(reasonText("fivefold_repetition", 5)).toBe("quintuple répétition");
  expect(reasonText("threefold_repetition", 3)).toBe("triple répétition");
  expect(reasonText("fivefold_repetition", 2)).toBe("même position 2 fois");
  expect(reasonText("seventyfive_moves", 120)).toBe("règle des 60 coups");
});

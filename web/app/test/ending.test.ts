import { afterAll, expect, test } from "vitest";
import { speak } from "../src/i18n";
import { endingText, reasonText } from "../src/parts/ending";
import type { Ending } from "../src/wire";

const drawn = (reason: string, limit: number | null = null): Ending => ({
  reason,
  winner: null,
  score: "1/2-1/2",
  result: "1/2-1/2",
  limit,
});

afterAll(() => speak("en"));

test("draws are named after the limits of their game", async () => {
  await speak("en");
  expect(endingText(drawn("fivefold_repetition", 5))).toBe("Draw: fivefold repetition (1/2-1/2)");
  expect(endingText(drawn("fivefold_repetition", 3))).toBe("Draw: threefold repetition (1/2-1/2)");
  expect(endingText(drawn("fivefold_repetition", 2))).toBe("Draw: 2-fold repetition (1/2-1/2)");
  expect(endingText(drawn("seventyfive_moves", 120))).toBe("Draw: 60-move rule (1/2-1/2)");
  // Matches that ended before limits were told.
  expect(endingText(drawn("fivefold_repetition"))).toBe("Draw: repetition (1/2-1/2)");
  expect(reasonText("fifty_moves")).toBe("move-count rule");
  await speak("fr");
  expect(reasonText("fivefold_repetition", 5)).toBe("quintuple répétition");
  expect(reasonText("threefold_repetition", 3)).toBe("triple répétition");
  expect(reasonText("fivefold_repetition", 2)).toBe("même position 2 fois");
  expect(reasonText("seventyfive_moves", 120)).toBe("règle des 60 coups");
});

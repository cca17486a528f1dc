import { render } from "preact";
import { beforeAll, expect, test } from "vitest";
import { setLanguage } from "../src/i18n";
import { SetupScore } from "../src/parts/setup-score";
import type { Game } from "../src/wire";

const game = (white: number, margin: number) =>
  ({
    id: "metamachy",
    setup_scores: { nodes: 500, games: 24, scores: { GKLQ: { white, margin } } },
  }) as unknown as Game;

function shown(of: Game, name: string | null): string {
  const place = document.createElement("div");
  render(<SetupScore game={of} name={name} />, place);
  return place.textContent ?? "";
}

beforeAll(() => setLanguage("en"));

test("a score is rounded without narrowing its interval", () => {
  expect(shown(game(52.6, 4.1), "GKLQ")).toContain("White scores 53% ± 5 from this setup.");
});

test("other setups and games without a study show no score", () => {
  expect(shown(game(52.6, 4.1), "KQLG")).toBe("");
  expect(shown(game(52.6, 4.1), null)).toBe("");
  expect(shown({ ...game(1, 1), setup_scores: null }, "GKLQ")).toBe("");
});

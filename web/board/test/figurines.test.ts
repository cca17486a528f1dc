import { expect, test } from "vitest";
import { sanParts } from "../src/figurines.ts";

const TOKENS = ["K", "R", "R'", "I", "O", "Q", "N", "B", "W!", "M", "P"];
/** The text with the tokens of pieces in brackets. */
const split = (san: string) =>
  sanParts(san, TOKENS)
    .map(({ text, piece }) => (piece ? `[${text}]` : text))
    .join("");

test.each([
  ["e4", "e4"],
  ["Nf3", "[N]f3"],
  ["25.Ixk4", "25.[I]xk4"],
  ["lxk4", "lxk4"],
  ["Nhf4 N3f4 Nd5f4 N12xa10", "[N]hf4 [N]3f4 [N]d5f4 [N]12xa10"],
  ["R'xe4+ Rxe4", "[R']xe4+ [R]xe4"],
  ["W!a1", "[W!]a1"],
  ["bxa8=N", "bxa8=[N]"],
  ["e9-e10=R'+", "e9-e10=[R']+"],
  ["Nc2-d4", "[N]c2-d4"],
  ["O-O O-O-O# Oe4", "O-O O-O-O# [O]e4"],
  ["Ma5,Mp5", "[M]a5,[M]p5"],
  ["playon,Nh6", "playon,[N]h6"],
  ["pass end claim", "pass end claim"],
  ["12. Nf3 Bc5 13... Kf8", "12. [N]f3 [B]c5 13... [K]f8"],
  ["13…Kf8?!", "13…[K]f8?!"],
  ["(Qd4)", "([Q]d4)"],
  ["Best was Nf3.", "Best was [N]f3."],
  ["QKIB-RN", "QKIB-RN"],
  ["Zf3", "Zf3"],
  ["", ""],
])("%j is split into %j", (san, shown) => {
  expect(split(san)).toBe(shown);
  expect(
    sanParts(san, TOKENS)
      .map(({ text }) => text)
      .join(""),
  ).toBe(san);
});

test("a game without symbols has no figurines", () => {
  expect(sanParts("Nf3", [])).toEqual([{ text: "Nf3", piece: false }]);
});

import { expect, test } from "vitest";
import { readPath, writePath } from "../../src/studio/path";
import { drawingOf } from "../../src/studio/svg";

const ROOK = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 45 45">';

function artOf(text: string): string {
  const found = drawingOf(text);
  return typeof found === "string" ? found : found.art;
}

/** What the core accepts, and no more: see crates/rules/src/drawing.rs. */
const ALLOWED = /^M[MLQCZ0-9 .|-]*$/;

test.each([
  ["M1 2L3 4z", "M1 2L3 4Z"],
  ["m1 2 3 4 5 6", "M1 2L4 6L9 12"],
  ["M0 0h5v5H1V2", "M0 0L5 0L5 5L1 5L1 2"],
  ["M0 0C1 1 2 2 3 3S5 5 6 3", "M0 0C1 1 2 2 3 3C4 4 5 5 6 3"],
  ["M0 0Q2 2 4 0T8 0", "M0 0Q2 2 4 0Q6-2 8 0"],
  ["M0 0 s1 1 2 2", "M0 0C0 0 1 1 2 2"],
  ["M.5.5-3-3e0", "M0.5 0.5L-3-3"],
  ["M10 0A10 10 0 01 0 10", "M10 0C10 5.5 5.5 10 0 10"],
  ["M0 0a0 5 0 0 1 5 5", "M0 0L5 5"],
  ["M0 0l5 5zl1 0", "M0 0L5 5ZL1 0"],
  ["L5 5", ""],
  ["M1 1L2", "M1 1"],
  ["M1 1Lx", "M1 1"],
  ["M1 1L1e999 5", "M1 1"],
  ["", ""],
])("the path %s is read as %s", (data, expected) => {
  expect(writePath(readPath(data), 1)).toBe(expected);
});

test("arcs end at the right point, long ones too", () => {
  for (const flags of ["0 0", "0 1", "1 0", "1 1"]) {
    const curves = readPath(`M0 0A5 3 30 ${flags} 4 4`);
    expect(curves.at(-1)?.points.at(-1)).toEqual([4, 4]);
    expect(curves.length).toBeGreaterThan(flags[0] === "1" ? 3 : 1);
  }
});

test("a drawing has a shape, details and lines within a square of 100 by 100", () => {
  const art = artOf(
    `${ROOK}<g fill="#fff" stroke="#000"><path d="M0 0h40v40h-40z"/><circle cx="20" cy="20" r="4" fill="black" stroke="none"/></g></svg>`,
  );
  const [shape = "", details = "", lines = ""] = art.split(" | ");
  expect(shape).toBe("M6 6L94 6L94 94L6 94Z");
  expect(details.startsWith("M41.2 50C")).toBe(true);
  expect(lines).toBe(shape);
});

test("shapes, transformations and inherited colours are understood", () => {
  const plain = artOf(`${ROOK}<rect width="10" height="20"/></svg>`);
  expect(plain).toBe("M28 6L72 6L72 94L28 94Z");
  expect(artOf(`${ROOK}<polygon points="0,0 10,0 10,20 0,20"/></svg>`)).toBe(plain);
  expect(artOf(`${ROOK}<g transform="translate(5 5) scale(2)"><rect width="5" height="10"/></g></svg>`)).toBe(plain);
  expect(artOf(`${ROOK}<rect transform="matrix(2 0 0 2 7 7)" width="5" height="10"/></svg>`)).toBe(plain);
  expect(artOf(`${ROOK}<rect transform="rotate(180 3 3)" width="10" height="20"/></svg>`)).toBe(
    "M72 94L28 94L28 6L72 6Z",
  );
  expect(artOf(`${ROOK}<rect style="fill: white; stroke:#FFF" width="10" height="20"/></svg>`)).toBe(plain);
  expect(artOf(`${ROOK}<rect width="10" height="20" rx="5"/></svg>`)).toContain("C");
});

test("a background and hidden elements are left out; lines alone become a shape", () => {
  const ground = '<path d="M0 0h512v512H0z"/>';
  const inside = '<path fill="#fff" d="M100 100h100v100h-100z"/>';
  expect(artOf(`<svg>${ground}${inside}</svg>`)).toBe("M6 6L94 6L94 94L6 94Z");
  expect(artOf(`<svg>${inside}<path display="none" d="M0 0h9v9z"/></svg>`)).toBe("M6 6L94 6L94 94L6 94Z");
  expect(artOf('<svg fill="none" stroke="red"><path d="M0 0h10v10h-10"/></svg>')).toBe("M6 6L94 6L94 94L6 94");
});

test("files without a usable drawing are refused with a reason", () => {
  expect(drawingOf("")).toBe("file");
  expect(drawingOf("not a picture")).toBe("file");
  expect(drawingOf("<html><svg><path d='M0 0h1v1z'/></svg></html>")).toBe("file");
  expect(drawingOf("<svg></svg>")).toBe("empty");
  expect(drawingOf("<svg><path d='M0 0'/></svg>")).toBe("empty");
  expect(drawingOf("<svg><path d='M5 5L5 5'/></svg>")).toBe("empty");
  expect(drawingOf("x".repeat(600_000))).toBe("large");
  const many = Array.from({ length: 4000 }, (_, index) => `L${(index * 37) % 100} ${(index * 91) % 100}`).join("");
  expect(drawingOf(`<svg><path d="M0 0${many}"/></svg>`)).toBe("detailed");
});

const SHAPE = '<path d="M0 0h9v9z"/>';
/** What has been used against pages that show pictures of strangers. */
const VECTORS: [string, string[]][] = [
  [`<svg onload="alert(1)">${SHAPE}</svg>`, []],
  [`<svg><script>alert(1)//<path d="M0 0h99v9z"/></script>${SHAPE}</svg>`, ["script"]],
  [`<svg><script><![CDATA[<path d="M0 0h99v9z"/>]]></script>${SHAPE}</svg>`, ["script"]],
  [`<svg><a href="javascript:alert(1)">${SHAPE}</a>${SHAPE}</svg>`, ["a"]],
  [`<svg><a xlink:href="javascript:alert(1)"/>${SHAPE}</svg>`, ["a"]],
  [`<svg><use href="https://example.org/x.svg#a"/>${SHAPE}</svg>`, ["use"]],
  [`<svg><use xlink:href="data:image/svg+xml;base64,PHN2Zy8+#a"/>${SHAPE}</svg>`, ["use"]],
  [
    `<svg><animate attributeName="href" to="javascript:alert(1)"/><set attributeName="onclick"/>${SHAPE}</svg>`,
    ["animate", "set"],
  ],
  [`<svg><style>@import url(//example.org);*{fill:url(//example.org)}</style>${SHAPE}</svg>`, ["style"]],
  [
    `<svg><foreignObject><iframe src="javascript:alert(1)"></iframe>${SHAPE}</foreignObject>${SHAPE}</svg>`,
    ["foreignobject"],
  ],
  [`<svg><image href="https://example.org/pixel.png"/>${SHAPE}</svg>`, ["image"]],
  [`<svg><g style="background:url(https://example.org)" onclick='alert(1)'>${SHAPE}</g></svg>`, []],
  [`<svg><path d="M0 0h9v9z" fill="url(https://example.org/x#y)" onmouseover="alert(1)"/></svg>`, []],
  [`<svg><path d='M0 0h9v9z"/><script>alert(1)</script>'/></svg>`, []],
  [`<svg><defs><path id="a" d="M0 0h99v9z"/></defs>${SHAPE}</svg>`, []],
  [`<svg><clipPath><path d="M0 0h99v9z"/></clipPath>${SHAPE}</svg>`, ["clippath"]],
  [`<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><svg><text>&b;</text>${SHAPE}</svg>`, ["text"]],
  [`<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "https://example.org/svg11.dtd"><svg>${SHAPE}</svg>`, []],
  [`<?xml version="1.0"?><?xml-stylesheet href="javascript:alert(1)"?><svg>${SHAPE}</svg>`, []],
  [`<!-- <svg><script> --><svg><!-- ${SHAPE.replace("9v9", "99v9")} -->${SHAPE}</svg>`, []],
  [`<svg><![CDATA[<path d="M0 0h99v9z"/>]]>${SHAPE}</svg>`, []],
  [`<SVG ONLOAD=alert(1)><SCRIPT>1</SCRIPT>${SHAPE}</SVG>`, ["script"]],
  [`<svg><path d="M0 0h9v9z" d="x"onload="alert(1)"/>`, []],
  [`<svg></script></g></svg><svg>${SHAPE}</svg>`, []],
];

test.each(VECTORS)("%s is reduced to a path", (text, left) => {
  const found = drawingOf(text);
  if (text.includes('d="x"')) return expect(found).toBe("empty");
  expect(found).toEqual({ art: "M6 6L94 6L94 94Z", left });
});

test("whatever the file, a drawing is path data of bounded size", () => {
  let seed = 20;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >> 8) % below;
  };
  const whole = VECTORS.map(([text]) => text);
  const bits = [
    "<",
    ">",
    '"',
    "'",
    "/",
    "&",
    "=",
    " ",
    "svg",
    "g",
    "path",
    "d=",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "M0 0",
    "h9v9z",
  ];
  bits.push(
    "transform=",
    "rotate(1)",
    "matrix(1e9 0 0 1e9 0 0)",
    "scale(0)",
    "1e99",
    "NaN",
    "\u0000",
    "\u202e",
    "é",
    "<?",
    "A1 1 0 1 1 9 9",
  );
  let drawn = 0;
  for (let round = 0; round < 3000; round++) {
    let text = whole[random(whole.length)] ?? "";
    for (let change = random(5); change >= 0; change--) {
      const at = random(text.length);
      const cut = random(4) === 0 ? random(20) : 0;
      text = text.slice(0, at) + (bits[random(bits.length)] ?? "") + text.slice(at + cut);
    }
    const found = drawingOf(text);
    if (typeof found === "string") continue;
    drawn++;
    expect(found.art, text).toMatch(ALLOWED);
    expect(found.art.length).toBeLessThanOrEqual(8000);
    expect(found.left.join(), text).toMatch(/^[\w,-]*$/);
    for (const number of found.art.match(/-?[\d.]+/g) ?? []) expect(Math.abs(Number(number))).toBeLessThanOrEqual(1000);
  }
  expect(drawn).toBeGreaterThan(500);
});

test.each([
  ["unclosed tags", "<svg>".padEnd(500_000, "<g>")],
  ["unclosed quotes", "<svg>".padEnd(500_000, `<path d="`)],
  ["unclosed comments", "<svg>".padEnd(500_000, "<!-")],
  ["deep groups", `<svg>${"<g>".repeat(5000)}${SHAPE}`],
  ["many attributes", `<svg><path ${`d=' d="`.repeat(80_000)}/></svg>`],
  ["blanks", `<svg><path d="M0 0${" ".repeat(500_000)}x"/></svg>`],
  ["commas", `<svg><path d="M0 0${",".repeat(500_000)}L"/></svg>`],
  ["numbers", `<svg><path d="M0 0${"1".repeat(500_000)}"/></svg>`],
  ["transformations", `<svg><g transform="${"rotate(1)".repeat(50_000)}">${SHAPE}</g></svg>`],
  ["styles", `<svg><g style="${"fill:red;".repeat(50_000)}">${SHAPE}</g></svg>`],
  ["parentheses", `<svg><g transform="${"a(".repeat(200_000)}">${SHAPE}</g></svg>`],
])("%s are read within two seconds", (_, text) => {
  const start = performance.now();
  drawingOf(text);
  expect(performance.now() - start).toBeLessThan(2000);
});

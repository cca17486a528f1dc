import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build, type Rolldown } from "vite";
import { expect, test } from "vitest";

const ROOT = `${import.meta.dirname}/..`;
const LIMIT = 25_000;

test("the board and its styles stay within their size limit", async () => {
  const built = (await build({
    root: ROOT,
    configFile: false,
    logLevel: "silent",
    build: { write: false, target: "es2022", lib: { entry: "src/index.ts", formats: ["es"] } },
  })) as Rolldown.RolldownOutput[];
  const [script] = built[0]?.output ?? [];
  const sheets = readdirSync(`${ROOT}/src`).filter((name) => name.endsWith(".css"));
  // Comments do not ship.
  const looks = sheets.map((name) => readFileSync(`${ROOT}/src/${name}`, "utf8").replace(/\/\*.*?\*\//gs, "")).join("");
  const sizes = [script?.code ?? "", looks].map((part) => gzipSync(part).length);
  console.log(`gzip: script ${sizes[0]}, looks ${sizes[1]} bytes`);
  for (const size of sizes) expect(size).toBeGreaterThan(1000);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(LIMIT);
});

// Builds the app in memory and measures its code and styles, without drawings and catalogues. Prints the sizes, and
// fails above a limit. First games, puzzles, the analysis board and the core, which are loaded when they are needed, have
// limits of their own.

import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const LIMITS = { app: 90_000, lessons: 20_000, analysis: 60_000, core: 25_000 };
const LESSONS = /^assets\/(first-game|puzzles|training)-/;
const ANALYSIS = /^assets\/(analysis|pgn)-/;
/** The JavaScript around the compiled core: for the page, and for workers. */
const CORE = /^assets\/(platform|worker)-/;
const PARTS = Object.entries({ lessons: LESSONS, analysis: ANALYSIS, core: CORE });
const partOf = (file) => PARTS.find(([, files]) => files.test(file))?.[0] ?? "app";

const root = fileURLToPath(new URL("..", import.meta.url));
const { output } = await build({ root, logLevel: "silent", build: { write: false } });
const isCatalogue = (chunk) => /^locale\/|\/locale\//.test(chunk.facadeModuleId?.replace(root, "") ?? "");
const weighed = output
  .filter((file) => /\.(js|css)$/.test(file.fileName) && !isCatalogue(file))
  .map((file) => ({ file: file.fileName, bytes: gzipSync(file.code ?? file.source, { level: 9 }).length }))
  .sort((a, b) => b.bytes - a.bytes);
for (const { file, bytes } of weighed) console.log(String(bytes).padStart(7), file);
// The service worker caches all files of its list or, if one is missing, none.
const worker = output.find(({ fileName }) => fileName === "service-worker.js").source;
const missing = worker
  .match(/"assets\/[^"]+"/g)
  .filter((name) => !output.some(({ fileName }) => `"${fileName}"` === name));
for (const name of missing) console.log(`the service worker lists ${name}, which is not built`);
const heavy = worker.match(/"[^"]+\.(wasm|net)"/g) ?? [];
for (const name of heavy) console.log(`the service worker fetches ${name} before it is needed`);
if (missing.length + heavy.length > 0) process.exitCode = 1;
for (const [name, limit] of Object.entries(LIMITS)) {
  const parts = weighed.filter(({ file }) => partOf(file) === name);
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(String(total).padStart(7), `bytes gzip of at most ${limit}: ${name}`);
  if (parts.length < 2 || total > limit) process.exitCode = 1;
}

// Builds the app in memory and measures its code and styles, without drawings and catalogues. Prints the sizes, and
// fails above a limit. First games, puzzles, the analysis board, the studio and the core, which are loaded when they are
// first needed, have limits of their own.

import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const LIMITS = { app: 90_000, lessons: 20_000, analysis: 60_000, studio: 30_000, core: 25_000 };
const PARTS = {
  lessons: /^assets\/(first-game|puzzles|training)-/,
  analysis: /^assets\/(analysis|database|editor|pgn)-/,
  studio: /^assets\/studio-/,
  core: /^assets\/(platform|worker)-/,
};
const partOf = (file) => Object.keys(PARTS).find((part) => PARTS[part].test(file)) ?? "app";

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
if (missing.length > 0) process.exitCode = 1;
for (const [name, limit] of Object.entries(LIMITS)) {
  const parts = weighed.filter(({ file }) => partOf(file) === name);
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(String(total).padStart(7), `bytes gzip of at most ${limit}: ${name}`);
  if (parts.length < 2 || total > limit) process.exitCode = 1;
}

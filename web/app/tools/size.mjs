// Builds the app in memory and measures its code and styles, without drawings and catalogues. Prints the sizes, and
// fails above a limit. What is loaded when it is opened or first used has limits of its own: first games and puzzles, the
// analysis board, matches on this device, the studio, the JavaScript of the core, what the app says of itself, people,
// what is played while one waits, tournaments, studies, and what newcomers seldom open, as for correspondence.

import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const LIMITS = {
  app: 90_000,
  lessons: 20_000,
  analysis: 60_000,
  local: 20_000,
  studio: 30_000,
  core: 40_000,
  about: 4_000,
  people: 20_000,
  house: 8_000,
  seldom: 20_000,
  tournaments: 20_000,
  studies: 16_000,
};
const LESSONS = /^assets\/(first-game|puzzles|training)-/;
const PEOPLE =
  /^assets\/(account|of-person|passkeys|ratings|puzzle-rating|sync|people|messages|moderation|here|notice|report)/;
const HOUSE = /^assets\/(calls|engine|house|play-now|quick-choices)-/;
const SELDOM =
  /^assets\/(archive|daily|days-off|mine|notifications|own-note|plan|positions|settings|slow|stop|tokens|watch|your-data)-/;
const TOURNAMENTS = /^assets\/(tournament|tournaments|new-tournament|next|card|texts)-/;
const STUDIES = /^assets\/(inventors-page|studies|study)-/;
const ABOUT = /^assets\/about-/;
const ANALYSIS = /^assets\/(analysis|database|editor|pgn)-/;
const isFrom = (folder, { fileName, moduleIds = [] }) =>
  moduleIds.some((id) => id.includes(folder)) || (folder === "/core/" && fileName.startsWith("assets/worker-"));
function partOf(file) {
  if (LESSONS.test(file.fileName)) return "lessons";
  if (ANALYSIS.test(file.fileName)) return "analysis";
  if (ABOUT.test(file.fileName)) return "about";
  if (PEOPLE.test(file.fileName)) return "people";
  if (HOUSE.test(file.fileName)) return "house";
  if (STUDIES.test(file.fileName)) return "studies";
  if (SELDOM.test(file.fileName)) return "seldom";
  if (TOURNAMENTS.test(file.fileName)) return "tournaments";
  if (file.name === "shell") return "app";
  if (isFrom("/app/src/local/", file)) return "local";
  if (isFrom("/app/src/studio/", file) || file.fileName.startsWith("assets/studio-")) return "studio";
  return isFrom("/core/", file) ? "core" : "app";
}

const root = fileURLToPath(new URL("..", import.meta.url));
const { output } = await build({ root, logLevel: "silent", build: { write: false } });
const isCatalogue = (chunk) => /^locale\/|\/locale\//.test(chunk.facadeModuleId?.replace(root, "") ?? "");
const weighed = output
  .filter((file) => /\.(js|css)$/.test(file.fileName) && !isCatalogue(file))
  .map((file) => ({
    file: file.fileName,
    part: partOf(file),
    bytes: gzipSync(file.code ?? file.source, { level: 9 }).length,
  }))
  .sort((a, b) => b.bytes - a.bytes);
for (const { file, bytes } of weighed) console.log(String(bytes).padStart(7), file);
// The service worker caches all files of its list or, if one is missing, none.
const worker = output.find(({ fileName }) => fileName === "service-worker.js").source;
const missing = worker
  .match(/"assets\/[^"]+"/g)
  .filter((name) => !output.some(({ fileName }) => `"${fileName}"` === name));
for (const name of missing) console.log(`the service worker lists ${name}, which is not built`);
const heavy = worker.match(/\bSHELL=\[.*?\]/)[0].match(/"[^"]+\.(wasm|net)"/g) ?? [];
for (const name of heavy) console.log(`the service worker fetches ${name} before it is needed`);
if (missing.length + heavy.length > 0) process.exitCode = 1;
for (const [name, limit] of Object.entries(LIMITS)) {
  const parts = weighed.filter(({ part }) => part === name);
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(String(total).padStart(7), `bytes gzip of at most ${limit}: ${name}`);
  if (parts.length < (name === "about" ? 1 : 2) || total > limit) process.exitCode = 1;
}

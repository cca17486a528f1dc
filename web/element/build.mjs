// Builds the element <acedrex-board> as a folder of static files: `node web/element/build.mjs FOLDER`. With `server`, it
// becomes part of the built web app, with which it shares the core and the networks. Prints the sizes, and fails above a
// limit.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, runnerImport } from "vite";

/** The most bytes that a page loads for a still board, and for one on which moves are made besides core and network. */
const LIMITS = { still: 110_000, playing: 150_000 };

const root = fileURLToPath(new URL("../..", import.meta.url));
const [target] = process.argv.slice(2);
const forServer = target === "server";

/** What still boards need of the games that ship: names, sizes, starts and pieces. */
async function shippedGames() {
  const { module: core } = await runnerImport(`${root}/web/core/src/node.ts`);
  await core.load("chess");
  const all = core.games().map(async (id) => {
    const [game, french] = [await core.load(id), await core.load(id, { language: "fr" })];
    const kinds = game.pieces.map(({ letter, art, name }, index) => [letter, art, name, french.pieces[index].name]);
    const { files, ranks, turnsOfSeveralMoves: several, startFen: start } = game;
    return [id, { size: [files, ranks, several], names: [game.name, french.name], start, kinds }];
  });
  return Object.fromEntries(await Promise.all(all));
}

/** The texts of the app that the element shares. */
function sharedTexts() {
  const file = (name) => JSON.parse(readFileSync(`${root}/web/app/src/locale/${name}.json`, "utf8"));
  const read = (language) => ({ ...file(`core/${language}`), ...file(language) });
  const wanted = /^(board|side|match\.special)\./;
  const chosen = (catalogue) => Object.fromEntries(Object.entries(catalogue).filter(([key]) => wanted.test(key)));
  return { en: chosen(read("en")), fr: chosen(read("fr")) };
}

const games = await shippedGames();
const sizes = Object.fromEntries(Object.entries(games).map(([id, { size }]) => [id, size]));
for (const game of Object.values(games)) delete game.size;
const made = { "made:games": games, "made:sizes": sizes, "made:texts": sharedTexts() };

const plugin = {
  name: "acedrex-element",
  enforce: "pre",
  resolveId: (id) => (id in made ? `\0${id}` : null),
  load: (id) => (id.startsWith("\0made:") ? `export default ${JSON.stringify(made[id.slice(1)])}` : null),
  // The colours belong to each element, not to the page, and a page that sets them on the element wins. The element
  // follows the page, not the system: most pages are light or dark whatever the system is.
  transform: (code, id) =>
    /\/tokens\.css\b/.test(id)
      ? code
          .replace(/@media \(prefers-color-scheme: dark\) \{.*?^\}\n/ms, "")
          .replaceAll(':root[data-theme="dark"]', ':host([data-acedrex="dark"])')
          .replaceAll(":root", ":host")
      : null,
};

const folder = forServer ? "element/" : "";
const hashed = { chunkFileNames: `${folder}[name]-[hash].js`, assetFileNames: "assets/[name]-[hash][extname]" };
const { output } = await build({
  root: `${root}/web/element`,
  configFile: false,
  base: "./",
  logLevel: "warn",
  plugins: [plugin],
  worker: { format: "es", rollupOptions: { output: { ...hashed, entryFileNames: `${folder}[name]-[hash].js` } } },
  build: {
    outDir: forServer ? `${root}/src/acedrex/server/static` : resolve(target),
    emptyOutDir: !forServer,
    copyPublicDir: false,
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      input: { acedrex: "src/index.ts", ...(forServer ? { embed: "src/embed.ts" } : {}) },
      preserveEntrySignatures: "strict",
      output: { entryFileNames: `${folder}[name].js`, ...hashed },
    },
  },
});

const chunks = output.filter(({ type }) => type === "chunk");
const code = (chunk) => gzipSync(chunk.code, { level: 9 }).length;
/** Compressed bytes of a chunk and of all that it loads at once. */
function loaded(start) {
  const seen = new Set();
  const add = (name) => {
    const chunk = chunks.find(({ fileName }) => fileName === name);
    if (!chunk || seen.has(chunk)) return;
    seen.add(chunk);
    chunk.imports.forEach(add);
  };
  start.forEach(add);
  return [...seen].reduce((sum, chunk) => sum + code(chunk), 0);
}
const named = (name) => chunks.find((chunk) => chunk.name === name)?.fileName ?? `no chunk ${name}`;
const still = loaded([named("acedrex"), named("view")]);
const playing = loaded([named("acedrex"), named("view"), named("core")]);
for (const [name, bytes] of Object.entries({ still, playing })) {
  console.log(`${String(bytes).padStart(7)} bytes gzip of at most ${LIMITS[name]}: a ${name} board`);
  if (bytes > LIMITS[name]) process.exitCode = 1;
}

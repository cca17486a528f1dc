// Makes the npm package in build/npm and packs it into dist; prints its sizes, and fails if it is too large.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { gzipSync } from "node:zlib";

const root = new URL("../../../", import.meta.url);
const out = new URL("build/npm/", root);
/** The most bytes that a page loads for one game, compressed: the core with the largest network. */
const MOST = 1_500_000;
/** The most bytes of the package, which has the core and the networks twice: in modules, and in the folder of the element. */
const MOST_PACKED = 4_000_000;

const { version } = JSON.parse(readFileSync(new URL("web/core/package.json", root), "utf8"));
const run = (program, ...args) => execFileSync(program, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
const copy = (from, to = from) => cpSync(new URL(from, root), new URL(to, out), { recursive: true });
const compressed = (path) => gzipSync(readFileSync(new URL(path, out)), { level: 9 }).length;
const shown = (bytes) => `${(bytes / 1000).toFixed(0)} kB`.padStart(8);

rmSync(out, { recursive: true, force: true });
run("npx", "tsc", "-p", "web/core");
copy("web/core/compiled/", "core/compiled/");
copy("web/core/package.json", "package.json");
copy("web/core/README.md", "README.md");
copy("web/board/pieces.svg", "board/pieces.svg");
for (const name of readdirSync(new URL("web/board/src/", root))) {
  if (name.endsWith(".css")) copy(`web/board/src/${name}`, `board/src/${name}`);
}
copy("LICENSE");
copy("NOTICE");
copy("src/acedrex/art/CREDITS.md", "board/CREDITS.md");

run("node", "web/element/build.mjs", "build/npm/element");

mkdirSync(new URL("dist/", root), { recursive: true });
run("npm", "pack", "--silent", "--pack-destination", "dist", "./build/npm");

const core = compressed("core/compiled/core_bg.wasm") + compressed("core/compiled/core.js");
const networks = readdirSync(new URL("core/compiled/networks/", out)).map((name) => [
  name.replace(/\.net$/, ""),
  compressed(`core/compiled/networks/${name}`),
]);
const largest = Math.max(...networks.map(([, bytes]) => bytes));
console.log(`${shown(core)}  core, compressed`);
for (const [name, bytes] of networks) console.log(`${shown(bytes)}  network of ${name}`);
console.log(`${shown(core + largest)}  core with the largest network; at most ${MOST / 1000} kB`);
const packed = statSync(new URL(`dist/acedrex-${version}.tgz`, root)).size;
console.log(`${shown(packed)}  the package; at most ${MOST_PACKED / 1000} kB`);
if (core + largest > MOST || packed > MOST_PACKED) process.exit(1);

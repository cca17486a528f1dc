// Builds the app in memory and weighs what a browser loads of it: all code and styles, without drawings and catalogues.
// `node web/app/tools/size.mjs` prints the table and fails above the limit.

import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const LIMIT = 90_000;

const root = fileURLToPath(new URL("..", import.meta.url));
const { output } = await build({ root, logLevel: "silent", build: { write: false } });
const isCatalogue = (chunk) => /^locale\/|\/locale\//.test(chunk.facadeModuleId?.replace(root, "") ?? "");
const weighed = output
  .filter((file) => /\.(js|css)$/.test(file.fileName) && !isCatalogue(file))
  .map((file) => ({ file: file.fileName, bytes: gzipSync(file.code ?? file.source, { level: 9 }).length }))
  .sort((a, b) => b.bytes - a.bytes);
const total = weighed.reduce((sum, { bytes }) => sum + bytes, 0);
for (const { file, bytes } of weighed) console.log(String(bytes).padStart(7), file);
console.log(String(total).padStart(7), `bytes gzip of at most ${LIMIT}`);
if (weighed.length < 5 || total > LIMIT) process.exitCode = 1;

// Builds the app in memory and measures its code and styles, without drawings and catalogues. Prints the sizes, and
// fails above a limit. The analysis board, which is loaded only when it is used, has a limit of its own.

import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const LIMITS = { app: 90_000, analysis: 60_000 };

const root = fileURLToPath(new URL("..", import.meta.url));
const { output } = await build({ root, logLevel: "silent", build: { write: false } });
const isCatalogue = (chunk) => /^locale\/|\/locale\//.test(chunk.facadeModuleId?.replace(root, "") ?? "");
const weighed = output
  .filter((file) => /\.(js|css)$/.test(file.fileName) && !isCatalogue(file))
  .map((file) => ({ file: file.fileName, bytes: gzipSync(file.code ?? file.source, { level: 9 }).length }))
  .sort((a, b) => b.bytes - a.bytes);
for (const { file, bytes } of weighed) console.log(String(bytes).padStart(7), file);
for (const [name, limit] of Object.entries(LIMITS)) {
  const parts = weighed.filter(({ file }) => /^assets\/analysis-/.test(file) === (name === "analysis"));
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(String(total).padStart(7), `bytes gzip of at most ${limit}: ${name}`);
  if (parts.length < 2 || total > limit) process.exitCode = 1;
}

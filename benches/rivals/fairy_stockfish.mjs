// Fairy-Stockfish built for WebAssembly, as a UCI program on standard input and output:
//   node fairy_stockfish.mjs
// It sees no files of its own, so a file of variants that it is told of is handed over to it.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

// With `fetch` the module would take itself for a page and look for its parts on the net.
delete globalThis.fetch;
const require = createRequire(import.meta.url);
const engine = await require("fairy-stockfish-nnue.wasm/stockfish.js")();
engine.addMessageListener((line) => process.stdout.write(`${line}\n`));

for await (const line of createInterface({ input: process.stdin })) {
  const variants = line.match(/^setoption name VariantPath value (.+)$/);
  if (variants) {
    engine.FS.writeFile("/variants.ini", readFileSync(variants[1]));
    engine.postMessage("setoption name VariantPath value /variants.ini");
  } else if (line.trim() === "quit") {
    break;
  } else {
    engine.postMessage(line);
  }
}
process.exit();

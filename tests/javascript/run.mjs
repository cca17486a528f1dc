// `node run.mjs NAME < DATA`, beside checks.mjs in a project with the package: runs a check and prints what it returns.

import { text } from "node:stream/consumers";

const name = process.argv[2];
const acedrex = await import("acedrex");
const data = JSON.parse(await text(process.stdin));
const { [name]: check } = await import("./checks.mjs");
process.stdout.write(JSON.stringify(await check(acedrex, data)));

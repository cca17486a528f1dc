import { readFileSync, statSync } from "node:fs";
import { defineConfig, minifySync, type Plugin } from "vite";

const CORE = new URL("../core/compiled/core_bg.wasm", import.meta.url);

/**
 * Writes the lists of built files into the service worker: those of the shell, which it caches all or none, and those of
 * the core, which it caches when they are first used.
 */
function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    // After Vite has removed the empty chunks of style sheets.
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const isCore = (file: string) => /\.(wasm|net)$/.test(file);
        const [all, isOther] = [Object.keys(bundle), (file: string) => file === "index.html" || file.endsWith(".map")];
        const files = all.filter((file) => !isOther(file) && !isCore(file));
        const text = readFileSync(new URL("src/service-worker.js", import.meta.url), "utf8");
        const shell = JSON.stringify(["./", "theme.js", "icon.svg", "manifest.webmanifest", ...files.sort()]);
        const core = JSON.stringify(all.filter(isCore).sort());
        // It is no module that is bundled, so it is minified here.
        const { code } = minifySync("service-worker.js", text);
        const source = code.replace("__SHELL__", shell).replace("__CORE__", core);
        this.emitFile({ type: "asset", fileName: "service-worker.js", source });
      },
    },
  };
}

/** What most pages use, and all that it needs, is in one file: in many small ones it would be larger. */
const SHELL =
  /\/app\/src\/(client\/(?!accounts|passkeys|analysis|archive|database|house|ratings)|parts\/(?!house|openings|panel|play-now|quick-choices|time-choice))/;

/** Icons that several pages use are in one file too: each alone would be larger than its drawing. */
const SHARED = { name: "icons", test: /\/lucide\//, minShareCount: 2 };

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that <base> decides below which path the app is served.
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [serviceWorker()],
  define: { __CORE_BYTES__: String(statSync(CORE).size) },
  worker: { format: "es" },
  build: {
    outDir: "../../src/acedrex/server/static",
    emptyOutDir: true,
    target: "es2022",
    // Browsers without it load the same modules a moment later.
    modulePreload: { polyfill: false },
    // A data: address would need a wider Content-Security-Policy.
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "shell", test: SHELL }, SHARED] } } },
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } }, fs: { allow: ["../.."] } },
  test: {
    // Far more than a test takes, even on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    environment: "happy-dom",
    environmentOptions: { happyDOM: { url: "http://localhost/" } },
    include: ["test/**/*.test.{ts,tsx}"],
    setupFiles: ["test/patience.ts"],
  },
} as Parameters<typeof defineConfig>[0]);

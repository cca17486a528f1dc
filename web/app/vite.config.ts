import { existsSync, readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

/** Leaves the core out where it was not compiled; the app then asks the server. */
function withoutCore(): Plugin {
  const missing = !existsSync(new URL("../core/compiled/core.js", import.meta.url));
  return {
    name: "without-core",
    enforce: "pre",
    resolveId: (id, importer) =>
      missing && id === "./platform" && importer?.endsWith("/src/core/index.ts")
        ? new URL("src/core/absent.ts", import.meta.url).pathname
        : null,
  };
}

/**
 * Writes the list of built files into the service worker, which caches all of them or none. The core and its networks
 * are not among them: they are cached when they are first used.
 */
function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    // After Vite has removed the empty chunks of style sheets.
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const files = Object.keys(bundle).filter((file) => file !== "index.html" && !/\.(map|wasm|net)$/.test(file));
        const text = readFileSync(new URL("src/service-worker.js", import.meta.url), "utf8");
        const shell = JSON.stringify(["./", "theme.js", "icon.svg", "manifest.webmanifest", ...files.sort()]);
        this.emitFile({ type: "asset", fileName: "service-worker.js", source: text.replace("__SHELL__", shell) });
      },
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that <base> decides below which path the app is served.
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [withoutCore(), serviceWorker()],
  worker: { format: "es" },
  build: {
    outDir: "../../src/acedrex/server/static",
    emptyOutDir: true,
    target: "es2022",
    // A data: address would need a wider Content-Security-Policy.
    assetsInlineLimit: 0,
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } }, fs: { allow: ["../.."] } },
  test: {
    environment: "happy-dom",
    environmentOptions: { happyDOM: { url: "http://localhost/" } },
    include: ["test/**/*.test.{ts,tsx}"],
  },
} as Parameters<typeof defineConfig>[0]);

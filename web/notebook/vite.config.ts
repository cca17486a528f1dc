import { defineConfig, type Plugin } from "vite";

/** Limits the colour variables to the widget, so that the page around it keeps its own. */
function ownColours(): Plugin {
  return {
    name: "own-colours",
    enforce: "pre",
    transform: (code, id) => (id.endsWith("/tokens.css") ? code.replaceAll(":root", ".acedrex-notebook") : null),
  };
}

// One module with all drawings in it, and one style sheet: a notebook loads nothing else.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [ownColours()],
  build: {
    outDir: "../../src/acedrex/widget/static",
    emptyOutDir: true,
    target: "es2022",
    lib: { entry: "src/index.ts", formats: ["es"], fileName: () => "board.js", cssFileName: "board" },
  },
});

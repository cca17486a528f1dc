import { defineConfig } from "vite";

// The demo; the widget itself is taken as it is by those who use it.
export default defineConfig({
  root: `${import.meta.dirname}/demo`,
  base: "./",
  build: { outDir: "../dist/demo", emptyOutDir: true, target: "es2022", chunkSizeWarningLimit: 2000 },
});

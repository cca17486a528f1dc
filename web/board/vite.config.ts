import { defineConfig } from "vite";

// The demo; the widget itself is taken as it is by those who use it.
export default defineConfig({
  root: "demo",
  base: "./",
  build: { outDir: "../dist/demo", emptyOutDir: true, target: "es2022" },
});

import { defineConfig } from "vite";

import { readFileSync } from "node:fs";

const licence = (name) => readFileSync(new URL(`node_modules/${name}/LICENSE`, import.meta.url), "utf8").trim();
const notices = `/*! biela viewer. It contains three.js and uPlot.\n\n${licence("three")}\n\n${licence("uplot")}\n*/`;

// One script, one style sheet, one page, with fixed names: the server embeds a fixed list of files.
export default defineConfig({
  base: "./",
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: false,
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      output: {
        codeSplitting: false,
        postBanner: notices,
        entryFileNames: "assets/biela.js",
        assetFileNames: "assets/biela[extname]",
      },
    },
  },
});

import { configDefaults, defineConfig } from "vitest/config";

/** The venue that a screen under work talks to: `make serve` in another window. */
const VENUE = process.env["TAISAI_VENUE"] ?? "http://127.0.0.1:8888";

export default defineConfig(({ command }) => ({
  // The venue serves every hashed file under /pages/, and index.html at each screen's address.
  base: command === "build" ? "/pages/" : "/",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../src/taisai/server/pages/built",
    emptyOutDir: true,
    assetsDir: "",
    manifest: "manifest.json",
    target: "es2022",
    // Every browser that knows the syntax above preloads modules by itself.
    modulePreload: { polyfill: false },
    // A picture inside a style sheet would need data: addresses, which the venue's policy forbids.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // What every screen needs is one file, whichever screen comes first. A QR code few need.
        codeSplitting: {
          groups: [
            {
              name: "shell",
              test: /\/node_modules\/(?!qr\/)|\/src\/(shell\/(?!controls\/qr\.)|live\/)|\/words\.ts$/,
            },
          ],
        },
        // Words are told apart by their language, which is the folder they are in.
        chunkFileNames: (chunk) => {
          const words = /\/words\/([\w-]+)\/(\w+)\.json$/.exec(chunk.facadeModuleId ?? "");
          return words === null ? "[name]-[hash].js" : `words-${words[2]}-${words[1]}-[hash].js`;
        },
      },
    },
  },
  server: {
    // A venue believes its own pages alone, so what it is asked looks as if one of them asked.
    proxy: { "/api": { target: VENUE, changeOrigin: true, ws: true, headers: { origin: VENUE } } },
  },
  test: {
    environment: "happy-dom",
    // One document for each worker in place of one for each file: a third of the time.
    pool: "vmThreads",
    // The tokens are reckoned with; every other style sheet is empty in a test.
    css: { include: [/\/tokens\.css/] },
    include: ["src/**/*.test.{ts,tsx}", "lint/**/*.test.js"],
    // Pytest plays the worlds that this one is about, and runs it with them.
    exclude: [
      ...configDefaults.exclude,
      ...(process.env["TAISAI_CONVERSATIONS"] === undefined ? ["src/live/worlds.test.ts"] : []),
    ],
    setupFiles: ["src/testing.ts"],
  },
}));

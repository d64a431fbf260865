// The bundle in the repository is what the sources give, and asks nobody else for anything.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL("..", import.meta.url));
const files = (folder) => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(folder.length)).sort();

test("the types of the sources fit", () => {
  execFileSync("npx", ["tsc", "--noEmit"], { cwd: web, stdio: ["ignore", "inherit", "ignore"] });
});

test("the bundle is what the sources give", () => {
  const fresh = mkdtempSync(join(tmpdir(), "biela-web-"));
  try {
    execFileSync("npx", ["vite", "build", "--logLevel", "warn", "--outDir", fresh, "--emptyOutDir"], { cwd: web, stdio: ["ignore", "inherit", "ignore"] });
    const kept = join(web, "dist");
    assert.deepEqual(files(fresh), files(kept), "npm run build makes other files than web/dist holds");
    for (const file of files(kept))
      assert.ok(readFileSync(kept + file).equals(readFileSync(fresh + file)), `${file} is not what the sources give: run npm run build and commit web/dist`);
  } finally {
    rmSync(fresh, { recursive: true });
  }
});

test("the page has no script or style in its markup and names no other host", () => {
  const page = readFileSync(join(web, "dist/index.html"), "utf8");
  assert.doesNotMatch(page, /<script(?![^>]*\bsrc=)/);
  assert.doesNotMatch(page, /<style|\bstyle=|\bon[a-z]+=/);
  assert.doesNotMatch(page, /https?:\/\//);
  assert.doesNotMatch(readFileSync(join(web, "dist/assets/biela.css"), "utf8"), /url\(|@import/);
});

test("the lock file tells no host of a registry", () => {
  assert.doesNotMatch(readFileSync(join(web, "package-lock.json"), "utf8"), /"resolved"/);
});

// The bundle in the repository matches a build of the sources, and needs no other host.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL("..", import.meta.url));
const files = (folder) => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(folder.length)).sort();

test("the sources pass the type check", () => {
  execFileSync("npx", ["tsc", "--noEmit"], { cwd: web, stdio: ["ignore", "inherit", "ignore"] });
});

test("the committed bundle matches a build of the sources", () => {
  const fresh = mkdtempSync(join(tmpdir(), "biela-web-"));
  try {
    execFileSync("npx", ["vite", "build", "--logLevel", "warn", "--outDir", fresh, "--emptyOutDir"], { cwd: web, stdio: ["ignore", "inherit", "ignore"] });
    const kept = join(web, "dist");
    assert.deepEqual(files(fresh), files(kept), "npm run build creates other files than those in web/dist");
    for (const file of files(kept))
      assert.ok(readFileSync(kept + file).equals(readFileSync(fresh + file)), `${file} differs from a build of the sources: run npm run build and commit web/dist`);
  } finally {
    rmSync(fresh, { recursive: true });
  }
});

test("the page has no inline script or style and names no other host", () => {
  const page = readFileSync(join(web, "dist/index.html"), "utf8");
  assert.doesNotMatch(page, /<script(?![^>]*\bsrc=)/);
  assert.doesNotMatch(page, /<style|\bstyle=|\bon[a-z]+=/);
  assert.doesNotMatch(page, /https?:\/\//);
  assert.doesNotMatch(readFileSync(join(web, "dist/assets/biela.css"), "utf8"), /url\(|@import/);
});

test("the lock file names no host of a registry", () => {
  assert.doesNotMatch(readFileSync(join(web, "package-lock.json"), "utf8"), /"resolved"/);
});

// A page saved with its data, opened from disk.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { launch, visit } from "./browser.mjs";
import * as fourBar from "./four_bar.mjs";

/** The file that the program saves: data in inert elements, a policy that allows the script by its hash. */
function saved(show) {
  const dist = (name) => readFileSync(new URL(`../dist/assets/${name}`, import.meta.url), "utf8");
  const script = dist("biela.js").replaceAll("</script", "<\\/script").replaceAll("<!--", "\\x3c!--");
  const style = dist("biela.css");
  const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const data = show.runs.map(({ info }) => {
    const names = info.signals.map((signal) => signal.name);
    const columns = show.signals(info.id, names, -Infinity, Infinity, Infinity);
    const head = new Uint32Array([info.frames, names.length]);
    const times = Float64Array.from(columns[0], ([time]) => time);
    const values = columns.map((rows) => Float32Array.from(rows, ([, value]) => value));
    const signals = Buffer.concat([head, times, ...values].map((part) => Buffer.from(part.buffer)));
    const element = (kind, bytes) => `<script type="application/octet-stream" id="biela-${kind}-${info.id}">${bytes.toString("base64")}</script>`;
    return element("frames", show.frames(info.id, 0, info.frames, 1)) + element("signals", signals);
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data: blob:; base-uri 'none'; form-action 'none'">
<style>${style}</style><script type="application/json" id="biela-session">${JSON.stringify(show.session()).replaceAll("<", "\\u003c")}</script>
${data.join("")}</head><body><div id="app"></div><script type="module">${script}</script></body></html>`;
}

test("a saved page opens from disk, plays and plots without a server", async () => {
  const folder = mkdtempSync(join(tmpdir(), "biela-saved-"));
  const browser = await launch();
  try {
    const file = join(folder, "saved.html");
    writeFileSync(file, saved(fourBar.show([fourBar.run(0, "base", 1), fourBar.run(1, "faster", 1.1)])));
    const view = await visit(browser, pathToFileURL(file).href);
    await view.until("picture.time === 0 && picture.ghosts.length === 1 && picture.plotsReady");
    await view.page.keyboard.press("PageDown");
    await view.until("picture.time === 1 && picture.frameNumber === 100");
    const { frame } = await view.picture();
    const expected = fourBar.pose(2);
    assert.ok(Math.abs(frame[14] - expected.ax) < 1e-6 && Math.abs(frame[15] - expected.ay) < 1e-6);
    assert.match(await view.page.locator(".legend", { hasText: "O.angle" }).textContent(), /2 \| 2\.1 rad/);
    assert.deepEqual(view.trouble, []);
    await view.close();
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
});

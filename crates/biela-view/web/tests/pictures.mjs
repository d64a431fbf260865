// Creates the pictures of the book: runs examples, shows them in the page and saves screenshots.
//   node tests/pictures.mjs [folder]        default: docs/src/images

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "./browser.mjs";
import { example, root, run, show, skip } from "./program.mjs";

/** Example, fraction of its duration, keys to press, theme. */
const PICTURES = [
  ["slider-crank", "mechanisms/slider-crank", 0.4, ["a"], "light"],
  ["stanford-arm", "robots/stanford-arm", 0.3, ["n"], "light"],
  ["flexible-four-bar", "flexible/soft-four-bar", 0.6, [], "light"],
  ["spatial-loop", "spatial/spatial-slider-crank", 0.2, [], "light"],
  ["human-body", "sismul/human-body", 0.5, ["m", "+", "+", "+"], "dark"],
];

if (skip) throw new Error(skip);
const out = process.argv[2] ?? join(root, "docs/src/images");
const folder = mkdtempSync(join(tmpdir(), "biela-pictures-"));
const browser = await launch();
try {
  for (const [name, model, share, keys, colorScheme] of PICTURES) {
    run([example(model), "--out", name], folder);
    await show(
      browser,
      ["view", name],
      folder,
      async ({ page, until, state }) => {
        await until("state.run !== null && picture.plotsReady");
        const last = await page.evaluate("Number(document.querySelector('.track').getAttribute('aria-valuemax'))");
        await page.fill(".clock", String(share * last));
        await page.keyboard.press("Enter");
        await page.keyboard.press("f");
        // the extent of the motion is requested first
        await page.waitForTimeout(500);
        for (const key of keys) await page.keyboard.press(key);
        await until(`Math.abs(picture.time - ${share * last}) < 1e-6 * ${last}`);
        // the effect of the keys is visible in the next picture
        await page.waitForTimeout(500);
        await page.screenshot({ path: join(out, `viewer-${name}.png`) });
        process.stderr.write(`viewer-${name}.png at ${(await state()).time} s\n`);
      },
      { colorScheme },
    );
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}

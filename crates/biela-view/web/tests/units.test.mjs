// Formatting of numbers.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { transformWithOxc } from "vite";

const source = new URL("../src/units.ts", import.meta.url);
const { code } = await transformWithOxc(readFileSync(source, "utf8"), source.pathname);
const { tickLabels } = await import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);

test("closely spaced ticks have different labels", () => {
  assert.deepEqual(tickLabels([9.80661, 9.80662, 9.80663], 4), ["9.80661", "9.80662", "9.80663"]);
  assert.deepEqual(tickLabels([0, 0.5, 1], 4), ["0", "0.5", "1"]);
  assert.deepEqual(tickLabels([-1000000.5, -1000000, -999999.5], 4), ["−1.0000005e6", "−1e6", "−999999.5"]);
  assert.deepEqual(tickLabels([-0.1, 2.8e-17, 0.1], 4), ["−0.1", "0", "0.1"]);
  assert.deepEqual(tickLabels([], 4), []);
  // any evenly spaced ticks
  for (const start of [0, 1, 9.80665, 123456, -3e-7, 1e9])
    for (const step of [1e-6, 2e-4, 0.05, 1, 2000].filter((one) => one > 1e-10 * Math.abs(start))) {
      const ticks = Array.from({ length: 6 }, (_, k) => Math.round(start / step) * step + k * step);
      const labels = tickLabels(ticks, 4);
      assert.equal(new Set(labels).size, 6, `${start} ${step}: ${labels}`);
    }
});

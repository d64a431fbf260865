// The page in a real browser, with a server that a test controls.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { launch, READY, visit } from "./browser.mjs";
import * as fourBar from "./four_bar.mjs";
import { faint, nameless } from "./looks.mjs";
import { open } from "./stage.mjs";
import * as zoo from "./zoo.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Serves a show, runs a test on its page, and fails if the page reports errors. */
async function on(show, options, look) {
  const server = await open(show);
  const view = await visit(browser, server.address, options);
  try {
    await look({ ...view, server, press: (key) => view.page.keyboard.press(key) });
    assert.deepEqual(view.trouble, []);
  } finally {
    await view.close();
    await server.close();
  }
}

const stage = (page) => page.locator(".stage canvas").screenshot();
const digest = (bytes) => createHash("sha256").update(bytes).digest("hex");
const base = () => fourBar.show([fourBar.run(0, "base", 1)]);

/** Fraction of the pixels of a screenshot that differ from the most common colour, and the number of colours. */
async function colours(page, bytes) {
  return page.evaluate(async (data) => {
    const blob = new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], { type: "image/png" });
    const image = await createImageBitmap(blob);
    const canvas = new OffscreenCanvas(image.width, image.height);
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    const { data: pixels } = pen.getImageData(0, 0, image.width, image.height);
    const seen = new Map();
    for (let k = 0; k < pixels.length; k += 4) {
      const colour = (pixels[k] << 16) | (pixels[k + 1] << 8) | pixels[k + 2];
      seen.set(colour, (seen.get(colour) ?? 0) + 1);
    }
    return { kinds: seen.size, other: 1 - Math.max(...seen.values()) / (pixels.length / 4) };
  }, bytes.toString("base64"));
}

test("the four-bar is drawn and changes with time", async () => {
  await on(base(), {}, async ({ page, until, picture, press }) => {
    await until("picture.time === 0 && picture.traces === 1");
    const first = await stage(page);
    const seen = await colours(page, first);
    assert.ok(seen.kinds > 100 && seen.other > 0.05, `blank: ${JSON.stringify(seen)}`);
    await press("PageDown");
    await until("picture.time === 1");
    const { frame } = await picture();
    const expected = fourBar.pose(2);
    assert.ok(Math.abs(frame[14] - expected.ax) < 1e-6 && Math.abs(frame[15] - expected.ay) < 1e-6, "the pose of the coupler agrees with the closed form");
    assert.notEqual(digest(await stage(page)), digest(first));
  });
});

test("the keyboard plays, pauses, steps, repeats and changes the speed", async () => {
  await on(base(), {}, async ({ state, until, press }) => {
    await until("picture.time === 0");
    await press("ArrowRight");
    await until("picture.frameNumber === 1 && state.time === 0.01");
    await press("ArrowRight");
    await until("picture.frameNumber === 2");
    await press("ArrowLeft");
    await until("picture.frameNumber === 1");
    await press("]");
    await press("]");
    assert.equal((await state()).speed, 4);
    await press("Space");
    await until("state.playing && state.time > 0.3");
    await press("Space");
    await until("!state.playing");
    await press("End");
    await until("picture.time === 10");
    await press("l");
    await press("Space");
    await until("state.playing && state.time < 5");
    await press("Home");
    await until("state.time < 2");
    for (let k = 0; k < 9; k++) await press("[");
    assert.equal((await state()).speed, 1 / 64);
  });
});

test("poses between two frames are interpolated", async () => {
  await on(fourBar.show([fourBar.run(0, "coarse", 1, { frames: 11, step: 0.2 })]), {}, async ({ page, until, picture }) => {
    await until("picture.time === 0");
    await page.fill(".clock", "0.3");
    await page.keyboard.press("Enter");
    await until("picture.time === 0.3");
    const { frame } = await picture();
    const middle = [1.2, 1.4].map((angle) => fourBar.pose(angle));
    assert.ok(Math.abs(frame[14] - (middle[0].ax + middle[1].ax) / 2) < 1e-6);
    assert.ok(Math.abs(Math.hypot(frame[12], frame[13]) - 1) < 1e-6, "quaternions stay normalized");
  });
});

test("the pointer scrubs the time slider, and playback continues on release", async () => {
  await on(base(), {}, async ({ page, until, state }) => {
    await until("picture.time === 0");
    const box = await page.locator(".track").boundingBox();
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + 0.25 * box.width, y);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.5 * box.width, y, { steps: 5 });
    await until("Math.abs(picture.time - 5) < 0.05");
    await page.mouse.up();
    assert.equal((await state()).playing, false);
    assert.equal(await page.locator(".track").getAttribute("aria-valuenow"), String((await state()).time));
  });
});

test("a click selects an element in scene, tree, details and plots", async () => {
  await on(base(), {}, async ({ page, until, press }) => {
    await until("picture.time === 0 && picture.plotsReady");
    const at = await page.evaluate("window.biela.where('body:3')");
    await page.mouse.click(at[0], at[1]);
    await until("state.selection === 'body:3'");
    assert.equal(await page.locator(".entry[aria-selected=true] .name").textContent(), "rocker");
    assert.equal(await page.locator(".inspector h2").textContent(), "rocker");
    const joint = await page.evaluate("window.biela.where('joint:3')");
    await page.mouse.click(joint[0], joint[1]);
    await until("state.selection === 'joint:3'");
    await page.locator(".entry", { hasText: "crank" }).click();
    await until("state.selection === 'body:1'");
    await page.locator(".legend", { hasText: "C.angle" }).click();
    await until("state.selection === 'joint:3'");
    assert.match(await page.locator(".inspector").textContent(), /revolute/);
    await press("Escape");
    await until("state.selection === null");
  });
});

test("the arrow keys move through the tree", async () => {
  await on(base(), {}, async ({ page, until, press }) => {
    await until("picture.time === 0");
    await press("e");
    await page.keyboard.type("rock");
    assert.equal(await page.locator(".entry").count(), 1);
    await page.locator(".tree-panel input").fill("");
    await page.locator(".entry").first().focus();
    await press("ArrowDown");
    await press("ArrowDown");
    await until("state.selection === 'body:2'");
  });
});

test("signals are plotted by typing their names, and a click in a plot sets the time", async () => {
  await on(base(), {}, async ({ page, until, state, press }) => {
    await until("picture.plotsReady && state.plots.length === 2");
    await press("/");
    await page.keyboard.type("coup x");
    await press("Enter");
    await until("state.plots.length === 3 && picture.plotsReady");
    assert.deepEqual((await state()).plots[2], ["coupler.P.x"]);
    await page.keyboard.type("O.rate");
    await press("Shift+Enter");
    await until("state.plots[2].length === 2 && picture.plotsReady");
    await press("Escape");
    const plot = page.locator(".plot").nth(2).locator(".u-over");
    const box = await plot.boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await until("Math.abs(state.time - 5) < 0.1");
    await page.mouse.move(box.x + 0.2 * box.width, box.y + 30);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.4 * box.width, box.y + 30, { steps: 4 });
    await page.mouse.up();
    await until("state.span !== null && Math.abs(state.span[0] - 2) < 0.2 && Math.abs(state.span[1] - 4) < 0.2");
    await page.mouse.move(5, 5);
    await press("z");
    await until("state.span === null");
    await page.locator(".plot").nth(2).getByRole("button", { name: /Remove the plot/ }).click();
    await until("state.plots.length === 2");
  });
});

test("a plot shows the values of its signals at the current time", async () => {
  await on(base(), {}, async ({ page, until }) => {
    await until("picture.plotsReady && picture.time === 0");
    await page.fill(".clock", "2.5");
    await page.keyboard.press("Enter");
    await until("picture.time === 2.5");
    assert.equal(await page.locator(".legend", { hasText: "O.angle" }).locator(".value").textContent(), "3.5 rad");
    await page.keyboard.press("u");
    await until("document.querySelector('.legend .value').textContent === '200.5 deg'");
  });
});

test("other runs are shown as ghosts in the scene, as lines in the plots and as differences", async () => {
  const runs = [fourBar.run(0, "base", 1), fourBar.run(1, "faster", 1.1), fourBar.run(2, "fastest", 1.2)];
  await on(fourBar.show(runs), {}, async ({ page, until, press, picture }) => {
    await until("picture.ghosts.length === 2 && picture.plotsReady");
    await press("PageDown");
    await until("picture.time === 1");
    const together = await stage(page);
    await page.getByRole("tab", { name: "Runs" }).click();
    await page.locator(".runs li", { hasText: "fastest" }).getByRole("checkbox").uncheck();
    await until("picture.ghosts.length === 1 && state.others.length === 1");
    assert.notEqual(digest(await stage(page)), digest(together));
    await page.getByRole("button", { name: "Difference" }).click();
    await until("state.difference && picture.plotsReady");
    await page.locator(".run", { hasText: "faster" }).first().click();
    await until("state.run === 1");
    assert.ok((await picture()).frame.length === 28);
  });
});

test("an invalid model keeps the last valid picture, and recovers", async () => {
  const show = fourBar.show([], { mode: "model" });
  await on(show, {}, async ({ page, until, server, state }) => {
    await until("state.scene === 'four-bar'");
    const good = await stage(page);
    const help = "did you mean `crank`?";
    server.tell({ type: "diagnostics", list: [{ severity: "error", code: "unknown-name", message: "there is no body <b>crnk</b>", file: "model.toml", line: 47, column: 12, label: "here", help, text: "" }] });
    await until("state.diagnostics === 1");
    const panel = page.locator(".diagnostics");
    assert.match(await panel.textContent(), /model\.toml:47:12/);
    assert.match(await panel.textContent(), /did you mean/);
    assert.match(await panel.textContent(), /<b>crnk<\/b>/, "a name is text, not markup");
    assert.match(await panel.textContent(), /last valid/);
    assert.equal((await state()).scene, "four-bar");
    const mended = fourBar.scene();
    mended.name = "four-bar mended";
    server.tell({ type: "scene", scene: mended });
    server.tell({ type: "diagnostics", list: [] });
    await until("state.scene === 'four-bar mended' && state.diagnostics === 0");
    assert.equal(await panel.isVisible(), false);
    assert.equal(digest(await stage(page)), digest(good));
  });
});

test("a slider runs the model again and overlays the new run on the first", async () => {
  const show = fourBar.show([fourBar.run(0, "as written", 1)], { mode: "model" });
  await on(show, {}, async ({ page, until, server, state }) => {
    show.run = (parameters) => {
      const id = show.runs.length;
      show.runs.push(fourBar.run(id, `speed = ${parameters.speed}`, parameters.speed));
      server.tell({ type: "run", run: show.runs[id].info });
      return id;
    };
    await until("state.run === 0 && picture.time === 0");
    await page.getByRole("tab", { name: "Parameters" }).click();
    await page.getByRole("slider", { name: "speed" }).focus();
    await page.keyboard.press("ArrowRight");
    await until("state.run === 1 && state.others.length === 1 && picture.ghosts.length === 1");
    assert.match((await state()).runs[1].name, /speed = 1\.005/);
    server.tell({ type: "removed", id: 1 });
    await until("state.run === 0 && state.runs.length === 1 && picture.ghosts.length === 0");
  });
});

test("a run is drawn with the shapes it was computed with", async () => {
  const show = fourBar.show([fourBar.run(0, "thin", 1), fourBar.run(1, "thick", 1)]);
  const thick = fourBar.scene();
  thick.bodies[3].shapes = [{ type: "box", size: [0.3, 0.1, 0.1], pose: [0.1, 0, 0, 0, 0, 0, 1], color: null, generated: false }];
  show.sceneOf = (id) => (id === 1 ? thick : fourBar.scene());
  await on(show, {}, async ({ page, until }) => {
    await until("state.run === 0 && picture.ghosts.length === 1");
    const thin = await stage(page);
    await page.getByRole("tab", { name: "Runs" }).click();
    await page.locator(".run", { hasText: "thick" }).click();
    await until("state.run === 1 && picture.traces === 1");
    assert.notEqual(digest(await stage(page)), digest(thin));
  });
});

test("a mode animates the initial pose in proportion to the amplitude", async () => {
  const show = fourBar.show([], { mode: "model" });
  show.modes = () => ({ modes: [{ frequency: 2, damping: 0.01, text: "oscillation", note: "not an equilibrium: `pin.rate` changes", shape: show.model.pose.map((_, k) => (k === 7 ? 1 : 0)), quadrature: show.model.pose.map(() => 0) }] });
  await on(show, {}, async ({ page, until }) => {
    await until("state.scene === 'four-bar'");
    await page.getByRole("tab", { name: "Modes" }).click();
    await page.getByRole("button", { name: "Compute the modes" }).click();
    await page.getByText("not an equilibrium").waitFor();
    await page.getByRole("button", { name: /2 Hz/ }).click();
    await until("state.shaking === 0 && picture.frame[7] > 0.01");
    await until("picture.frame[7] < -0.01");
    await page.getByRole("button", { name: /2 Hz/ }).click();
    await until("state.shaking === null && picture.frame[7] === 0");
  });
});

test("changes during an interruption of the connection are received afterwards", async () => {
  const show = fourBar.show([], { mode: "model" });
  await on(show, {}, async ({ page, until, server, trouble }) => {
    await until("state.scene === 'four-bar'");
    show.model = { ...fourBar.scene(), name: "changed meanwhile" };
    server.drop();
    await page.locator(".state", { hasText: "not connected" }).waitFor();
    await until("state.scene === 'changed meanwhile'");
    await page.locator(".state").waitFor({ state: "hidden" });
    trouble.length = 0;
  });
});

test("a run in progress is followed, and scrubbing back does not stop it", async () => {
  const run = fourBar.run(0, "live", 1, { frames: 51, state: "running" });
  const grow = (frames, state = "running") => {
    run.info = { ...run.info, frames, state, times: { ...run.info.times, last: (frames - 1) * run.step } };
  };
  await on(fourBar.show([run], { mode: "live" }), {}, async ({ page, until, server, state }) => {
    await until("state.follow && picture.frameNumber === 50");
    grow(81);
    server.tell({ type: "run", run: run.info });
    await until("picture.frameNumber === 80 && state.time > 0.79");
    await page.keyboard.press("PageUp");
    await until("!state.follow && state.time < 0.75");
    const { time } = await state();
    grow(5001);
    server.tell({ type: "run", run: run.info });
    await until("state.runs[0].frames === 5001");
    assert.equal((await state()).time, time, "the chosen time does not change");
    await page.getByRole("button", { name: "Live" }).click();
    await until("state.follow && picture.frameNumber === 5000");
    grow(5002, "finished");
    server.tell({ type: "run", run: run.info });
    await until("state.runs[0].state === 'finished'");
  });
});

test("events and the end of a stopped run are marked with their messages", async () => {
  const events = [{ time: 3.2, name: "top", text: "the crank is up" }];
  const run = fourBar.run(0, "base", 1, { events, state: "stopped", message: "the loop cannot close beyond 10 s" });
  await on(fourBar.show([run]), {}, async ({ page, until }) => {
    await until("picture.time === 0");
    await page.getByRole("button", { name: /^top at 3.2/ }).click();
    await until("state.time === 3.2");
    const stop = page.getByRole("button", { name: /The solver stopped here: the loop cannot close/ });
    await stop.click({ position: { x: 3, y: 6 } });
    await until("state.time === 10");
    assert.match(await page.locator(".told").textContent(), /loop cannot close/);
  });
});

test("every element can be drawn and every layer switched", async () => {
  await on(zoo.show(), {}, async ({ page, until, picture, press }) => {
    await until("picture.time === 0");
    for (const key of "amixn") await press(key);
    await until("state.layers.arrows && state.layers.masses && state.layers.inertia && state.layers.frames && state.layers.names");
    await until("/bending moment, N·m.*longest force arrow/.test(document.querySelector('.legend-box').textContent)");
    // the effect of the keys is visible in the next picture
    await until("picture.triangles > 70000");
    const all = (await picture()).triangles;
    await page.getByRole("button", { name: "Layers" }).click();
    for (const name of ["Bodies", "Joints", "Beams", "Springs and forces", "Grid", "Traces"]) await page.getByRole("checkbox", { name, exact: true }).uncheck();
    await until(`picture.triangles < ${all} / 2`);
    await press("Escape");
  });
});

/** Size along the axes, and enclosed volume, of a surface whose triangles face outward. */
function measured({ position, index }) {
  const at = (k) => position.slice(3 * k, 3 * k + 3);
  const size = [0, 1, 2].map((i) => {
    const along = position.filter((_, k) => k % 3 === i);
    return Math.max(...along) - Math.min(...along);
  });
  let volume = 0;
  for (let k = 0; k < index.length; k += 3) {
    const [[a, b, c], [d, e, f], [g, h, i]] = [at(index[k]), at(index[k + 1]), at(index[k + 2])];
    volume += (a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g)) / 6;
  }
  return [...size, volume];
}

test("beams are drawn with their cross-section", async () => {
  const block = (y, z) => [[y, z], [-y, z], [-y, -z], [y, -z]];
  const hollow = [block(0.1, 0.2), block(0.05, 0.15).reverse()];
  const faces = [0, 1, 2, 3].flatMap((k) => [[k, (k + 1) % 4, 7 - ((k + 1) % 4)], [k, 7 - ((k + 1) % 4), 7 - k]]);
  const section = { start: hollow, end: hollow, faces, round: false, nodes: [] };
  const half = hollow.map((polygon) => polygon.map(([y, z]) => [y / 2, z / 2]));
  const area = 0.2 * 0.4 - 0.1 * 0.3;
  const drawn = async (change, expected) => {
    const show = zoo.show();
    const session = show.session();
    change(session.scene, session.scene.beams[0]);
    await on({ ...show, session: () => session }, {}, async ({ page, until }) => {
      await until("picture.time === 0 && picture.triangles > 100");
      const found = measured(await page.evaluate("window.biela.surface(0)"));
      found.forEach((x, k) => assert.ok(Math.abs(x - expected[k]) < 1e-4, `${found} for ${expected}`));
    });
  };
  // length 3 along x; the height is vertical in space, and in the plane of a planar model
  await drawn((_, beam) => (beam.section = section), [3, 0.2, 0.4, 3 * area]);
  await drawn((scene, beam) => ((scene.space = "planar"), (beam.section = section)), [3, 0.4, 0.2, 3 * area]);
  await drawn((_, beam) => (beam.section = { ...section, end: half }), [3, 0.2, 0.4, (3 * area * 1.75) / 3]);
  // axes parallel to those of the ground, and no taper before the last node
  const nodes = (beam) => Array.from({ length: beam.samples }, (_, k) => ({ body: 0, share: k + 1 < beam.samples ? 0 : 1 }));
  await drawn((_, beam) => (beam.section = { ...section, end: half, nodes: nodes(beam) }), [3, 0.2, 0.4, (3 * area * (31 + 1.75 / 3)) / 32]);
  // results of earlier versions have no section
  await drawn(() => {}, [3, 0.06, 0.06, 3 * 12 * 0.03 * 0.03 * Math.sin((2 * Math.PI) / 24)]);
});

test("the keys rotate, pan, zoom and fit the view", async () => {
  await on(zoo.show(), {}, async ({ page, until, press, picture }) => {
    await until("picture.time === 0");
    const seen = new Set([digest(await stage(page))]);
    for (const key of ["Alt+ArrowLeft", "Alt+ArrowUp", "Shift+ArrowRight", "+", "o", "1", "2", "3"]) {
      const { drawn } = await picture();
      await press(key);
      await until(`picture.drawn > ${drawn}`);
      await page.waitForTimeout(50);
      seen.add(digest(await stage(page)));
    }
    assert.equal(seen.size, 9, "each key changes the picture");
  });
});

test("the theme follows the system and the button, and the sheet of keyboard shortcuts opens", async () => {
  await on(base(), { colorScheme: "dark" }, async ({ until, press, page }) => {
    await until("state.theme === 'dark'");
    await press("d");
    await until("state.theme === 'light'");
    await press("?");
    assert.ok(await page.locator(".help-sheet").isVisible());
    await press("Escape");
    assert.equal(await page.locator(".help-sheet").isVisible(), false);
  });
});

test("Escape closes the layers wherever the focus is, and keeps the selection", async () => {
  await on(base(), {}, async ({ page, until, press }) => {
    await until("picture.time === 0");
    await page.locator(".entry", { hasText: "coupler" }).click();
    await until("state.selection === 'body:2'");
    await page.getByRole("button", { name: "Layers" }).click();
    assert.ok(await page.locator("#layers").isVisible());
    await page.evaluate("document.activeElement.blur()");
    await press("Escape");
    assert.equal(await page.locator("#layers").isVisible(), false);
    assert.equal(await page.evaluate("document.querySelector('[aria-controls=layers]').getAttribute('aria-expanded')"), "false");
    await until("state.selection === 'body:2'");
    await press("Escape");
    await until("state.selection === null");
  });
});

test("long names of runs stay within the panel", async () => {
  const long = "a-run-with-a-name-that-is-much-longer-than-the-panel-is-wide-and-goes-on";
  const runs = [fourBar.run(0, long, 1), fourBar.run(1, `${long}-2`, 1.1)];
  runs[1].info.parameters = { [`${long}_parameter`.replaceAll("-", "_")]: 1.25 };
  await on(fourBar.show(runs), {}, async ({ page, until }) => {
    await until("picture.plotsReady");
    await page.getByRole("tab", { name: "Runs" }).click();
    const over = await page.evaluate(`(() => {
      const list = document.querySelector(".runs");
      const panel = list.closest(".stack").getBoundingClientRect();
      return [...list.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > panel.right + 0.5).length;
    })()`);
    assert.equal(over, 0);
  });
});

test("every plot of the model is drawn", async () => {
  const run = fourBar.run(0, "base", 1);
  run.info.plots = run.info.signals.slice(0, 8).map((signal) => [signal.name]);
  assert.ok(run.info.plots.length > 6, `${run.info.plots.length} signals`);
  await on(fourBar.show([run]), {}, async ({ page, until }) => {
    await until("picture.plotsReady");
    assert.equal(await page.locator("article.plot").count(), run.info.plots.length);
  });
});

test("a phone shows picture, time and one panel at a time", async () => {
  await on(base(), { viewport: { width: 390, height: 844 }, hasTouch: true }, async ({ page, until }) => {
    await until("picture.time === 0");
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 390);
    await page.getByRole("button", { name: "Model" }).tap();
    await page.locator(".entry", { hasText: "coupler" }).tap();
    await until("state.selection === 'body:2'");
    await page.getByRole("button", { name: "Details" }).tap();
    assert.ok(await page.locator(".inspector").isVisible());
  });
});

test("controls have accessible names, and text has sufficient contrast", async () => {
  for (const colorScheme of ["light", "dark"])
    await on(base(), { colorScheme }, async ({ page, until }) => {
      await until("picture.plotsReady");
      assert.deepEqual(await nameless(page), []);
      assert.deepEqual(await faint(page), []);
    });
});

test("a page without its token shows how to open it", async () => {
  const server = await open(base());
  const page = await browser.newPage();
  try {
    await page.goto(new URL("/", server.address).href);
    await page.locator(".notice").waitFor();
    assert.match(await page.locator(".notice").textContent(), /token/);
  } finally {
    await page.close();
    await server.close();
  }
});

test("the token leaves the address bar and survives a reload", async () => {
  await on(base(), {}, async ({ page, until }) => {
    assert.doesNotMatch(page.url(), /token/);
    await page.reload();
    await until(READY);
    await until("state.scene === 'four-bar'");
  });
});

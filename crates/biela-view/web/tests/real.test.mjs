// The page served by the program, with a model of the gallery; BIELA is the path of the program.

import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { launch, visit } from "./browser.mjs";
import { example, program, run, show, skip } from "./program.mjs";

let browser;
let folder;
before(async () => {
  if (skip) return;
  browser = await launch();
  folder = mkdtempSync(join(tmpdir(), "biela-view-"));
});
after(async () => {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true });
});

const on = (args, look) => show(browser, args, folder, look);

test("the page follows a model that is shown, made invalid and corrected", { skip }, async () => {
  const model = join(folder, "model.toml");
  copyFileSync(example("mechanisms/four-bar"), model);
  const text = readFileSync(model, "utf8");
  await on(["view", model], async ({ page, until, picture }) => {
    await until("state.scene === 'four-bar' && picture.triangles > 100");
    assert.equal(await page.locator(".entry", { hasText: "coupler" }).count(), 1);
    const { frame } = await picture();
    writeFileSync(model, text.replace('between = ["crank.A", "coupler"]', 'between = ["crank.Q", "coupler"]'));
    await until("state.diagnostics > 0");
    assert.match(await page.locator(".diagnostics").textContent(), /model\.toml:\d+:\d+/);
    assert.deepEqual((await picture()).frame, frame, "the last valid picture stays");
    writeFileSync(model, text.replace('a = "120 mm"', 'a = "100 mm"'));
    await until("state.diagnostics === 0");
    await until(`Math.abs(picture.frame[14] - ${frame[14]}) > 1e-3`);
  });
});

test("a model is run from the page, and again with another parameter", { skip }, async () => {
  const model = join(folder, "slider.toml");
  writeFileSync(model, readFileSync(example("mechanisms/four-bar"), "utf8").replace('duration = "10 s"', 'duration = "2 s"'));
  await on(["view", model], async ({ page, until, state }) => {
    await until("state.scene === 'four-bar'");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await until("state.runs.length === 1 && state.runs[0].state === 'finished' && state.run !== null", 60_000);
    await until("state.time > 0 && picture.frameNumber > 0");
    await page.getByRole("tab", { name: "Parameters" }).click();
    await page.getByRole("textbox", { name: /^speed in/ }).fill("6");
    await page.keyboard.press("Enter");
    await until("state.runs.length === 2 && state.runs[1].state === 'finished' && picture.ghosts.length === 1", 60_000);
    const { run, others, runs } = await state();
    assert.deepEqual([run, others], [runs[1].id, [runs[0].id]]);
    assert.match(runs[1].name, /speed = 6/);
  });
});

test("modes of a model are animated", { skip }, async () => {
  await on(["view", example("basics/double-pendulum")], async ({ page, until, picture }) => {
    await until("state.scene !== null");
    await page.getByRole("tab", { name: "Modes" }).click();
    const found = page.locator("#panel-modes .run");
    await page.getByRole("button", { name: "Compute the modes" }).click();
    await found.first().waitFor();
    const { frame } = await picture();
    await found.first().click();
    await until(`state.shaking === 0 && picture.frame.some((x, k) => Math.abs(x - ${JSON.stringify(frame)}[k]) > 1e-2)`);
  });
});

test("results are replayed side by side, with their signals", { skip }, async () => {
  const model = example("mechanisms/slider-crank");
  run([model, "--out", "one"], folder);
  run([model, "--out", "two"], folder);
  await on(["view", "one", "two"], async ({ page, until, state }) => {
    await until("state.runs.length === 2 && picture.ghosts.length === 1 && picture.plotsReady");
    const { runs, plots } = await state();
    assert.ok(runs[0].frames > 100 && plots.length > 0);
    await page.keyboard.press("End");
    await until(`picture.frameNumber === ${runs[0].frames - 1}`);
    await page.keyboard.press("/");
    await page.keyboard.type("energy total");
    await page.keyboard.press("Enter");
    await until("state.plots.some((names) => names.includes('energy.total')) && picture.plotsReady");
  });
});

test("a mesh is drawn in the model, in its results and in a saved page", { skip }, async () => {
  const corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];
  const facets = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
  const vertices = (facet) => facet.map((k) => `vertex ${corners[k].join(" ")}`).join(" ");
  // far more triangles than the rest of the picture
  const solid = Array.from({ length: 6_000 }, (_, k) => `facet normal 0 0 0 outer loop ${vertices(facets[k % 4])} endloop endfacet`);
  writeFileSync(join(folder, "corner.stl"), `solid corner\n${solid.join("\n")}\nendsolid\n`);
  const body = '[[body]]\nname = "corner"\nmass = 1\ninertia = [1, 1, 1]\nshapes = [{ type = "mesh", file = "corner.stl" }]\n';
  writeFileSync(join(folder, "mesh.toml"), `format = 1\nspace = "spatial"\n${body}`);
  const drawn = ({ until }) => until("picture.triangles >= 6000");
  await on(["view", "mesh.toml"], drawn);
  run(["mesh.toml", "--to", "0.1", "--out", "mesh"], folder);
  await on(["view", "mesh"], drawn);
  program(["export", "mesh", "mesh.html"], folder);
  const view = await visit(browser, pathToFileURL(join(folder, "mesh.html")).href);
  await drawn(view);
  assert.deepEqual(view.trouble, []);
  await view.close();
});

test("contacts are drawn in stick and in slip, with a band of their state and layers to hide them", { skip }, async () => {
  // a block slides on the floor and comes to rest, a ball bounces
  const at = (name, x, y, more) => `[[body]]\nname = "${name}"\nmass = 1\ninertia = 0.01\nposition = [${x}, ${y}]\n${more}`;
  const contact = (name, surface, more) =>
    `[[contact]]\nname = "${name}_floor"\nbetween = ["ground", "${name}"]\nsurfaces = [{ type = "line" }, ${surface}]\n${more}`;
  const corners = 'type = "polygon", vertices = [[-0.1, -0.05], [0.1, -0.05], [0.1, 0.05], [-0.1, 0.05]]';
  const parts = [
    'format = 1\nspace = "planar"\ngravity = [0, -9.81]\n',
    at("block", 0, 0.05, "velocity = [1.5, 0]\n"),
    at("ball", 0.9, 0.3, ""),
    contact("block", `{ ${corners} }`, "friction = 0.4\n"),
    contact("ball", '{ type = "circle", radius = "0.1 m" }', "restitution = 0.5\n"),
    '[study]\nduration = "1 s"\noutput_step = "5 ms"\n',
  ];
  writeFileSync(join(folder, "contacts.toml"), parts.join(""));
  run(["contacts.toml", "--out", "contacts"], folder);
  await on(["view", "contacts"], async ({ page, until }) => {
    await until("state.runs.length === 1 && picture.contacts !== null && picture.contacts.points === 2 && picture.contacts.slipping === 2");
    await page.locator(".bands-names li").nth(1).waitFor();
    assert.match(await page.locator(".bands-names").textContent(), /block_floor: slip.*ball_floor: open/);
    const accumulates = page.getByRole("button", { name: /impacts accumulate/ });
    assert.equal(await accumulates.count(), 1);
    await page.keyboard.press("End");
    await until("state.time >= 1 && picture.contacts.points === 3 && picture.contacts.slipping === 1");
    assert.match(await page.locator(".bands-names").textContent(), /block_floor: stick.*ball_floor: slip/);
    if (process.env.BIELA_LOOK) await page.screenshot({ path: process.env.BIELA_LOOK });
  });
});

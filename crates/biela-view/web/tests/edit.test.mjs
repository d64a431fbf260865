// Editing in the page of the program: models are created, changed, dragged and corrected, and written to the file.

import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch } from "./browser.mjs";
import { faint, nameless } from "./looks.mjs";
import { example, run, show, skip } from "./program.mjs";

let browser;
let folder;
before(async () => {
  if (skip) return;
  browser = await launch();
  folder = mkdtempSync(join(tmpdir(), "biela-edit-"));
});
after(async () => {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true });
});

const on = (args, look, options) => show(browser, args, folder, look, options);

/** A copy of the four-bar model of the gallery. */
function fourBar(name) {
  const path = join(folder, name);
  copyFileSync(example("mechanisms/four-bar"), path);
  return path;
}

/** Position on the screen of a point of the ground frame, once the camera has stopped. */
async function standing(page, x, y) {
  const place = () => page.evaluate(`new Promise((done) => requestAnimationFrame(() => done(window.biela.at(${x}, ${y}))))`);
  for (let before = await place(); ; ) {
    const now = await place();
    if (Math.hypot(now[0] - before[0], now[1] - before[1]) < 0.01) return now;
    before = now;
  }
}

/** Clicks at a point of the ground frame. */
async function click(page, x, y) {
  const [left, top] = await standing(page, x, y);
  await page.mouse.move(left, top);
  await page.mouse.click(left, top);
}

const tool = (page, name) => page.locator(".palette").getByRole("button", { name, exact: true }).click();
/** The page shows the current contents of the file. */
const settled = (bodies, joints) => `state.file && state.file.elements.filter((one) => one.table === "body").length === ${bodies} && state.bodies === ${bodies} + 1 && state.joints === ${joints} && state.errors === 0`;

test("a four-bar is built in a new file by picking, and runs", { skip }, async () => {
  const path = join(folder, "built.toml");
  await on(["view", "built.toml"], async ({ page, until, state }) => {
    await page.getByRole("button", { name: "Create a planar model" }).click();
    await until("state.scene === 'built' && state.file && !state.file.missing");
    await tool(page, "Body");
    for (const [k, [a, b]] of [[[-0.2, 0], [-0.2, 0.1]], [[-0.2, 0.1], [0.15, 0.2]], [[0.2, 0], [0.15, 0.2]]].entries()) {
      await click(page, ...a);
      await click(page, ...b);
      await until(settled(k + 1, 0));
    }
    await tool(page, "Joint");
    // where two bodies meet: one click
    await click(page, -0.2, 0.1);
    await until(settled(3, 1));
    await click(page, 0.15, 0.2);
    await until(settled(3, 2));
    // to the ground: the same location twice
    for (const [k, [x, y]] of [[-0.2, 0], [0.2, 0]].entries()) {
      await click(page, x, y);
      await click(page, x, y);
      await until(settled(3, 3 + k));
    }
    assert.equal((await state()).freedom, 1);
    await tool(page, "Driver");
    await click(page, -0.2, 0);
    await until("state.file.elements.some((one) => one.table === 'driver')");
    await page.keyboard.press("Escape");
    assert.equal((await state()).tool, null);
  });
  const text = readFileSync(path, "utf8");
  assert.match(text, /between = \["bar1\.end", "bar2"\]/);
  assert.match(text, /value = "90 deg \+ 1 \[rad\/s\] \* t"/);
  run([path, "--out", "built"], folder);
  assert.ok(existsSync(join(folder, "built", "motion.bin")));
});

test("an invalid value is reported beside its field, and the picture stays until it is corrected", { skip }, async () => {
  const path = fourBar("values.toml");
  const before = readFileSync(path, "utf8");
  await on(["view", "values.toml"], async ({ page, until, picture }) => {
    await until("state.file && state.scene === 'four-bar'");
    await page.locator(".entry", { hasText: "rocker" }).click();
    const angle = page.locator("#property-angle");
    assert.equal(await angle.inputValue(), "80 deg");
    const { frame } = await picture();
    await angle.fill("80 kg");
    await angle.press("Enter");
    const problem = page.locator("#property-angle-problem");
    await problem.waitFor();
    assert.match(await problem.textContent(), /kg/);
    assert.equal(await angle.getAttribute("aria-invalid"), "true");
    assert.equal(readFileSync(path, "utf8"), before, "nothing is written");
    assert.deepEqual((await picture()).frame, frame);
    await angle.fill("85 deg");
    await angle.press("Enter");
    await until("state.file.undo === 1");
    await problem.waitFor({ state: "hidden" });
    assert.equal(readFileSync(path, "utf8"), before.replace('angle = "80 deg"', 'angle = "85 deg"'), "comments and layout stay");
    assert.equal(await page.evaluate("document.activeElement.id"), "property-angle");
    // a parameter with a trailing comment
    await page.locator(".entry", { hasText: "parameters" }).click();
    await page.locator("#property-a").fill("100 mm");
    await page.locator("#property-a").press("Enter");
    await until(`Math.abs(picture.frame[14] - ${frame[14]}) > 1e-3`);
    assert.match(readFileSync(path, "utf8"), /a = "100 mm" +# crank/);
    await page.keyboard.press("Escape");
    await page.locator("canvas").first().focus();
    await page.keyboard.press("Control+z");
    await until("state.file.undo === 1 && state.file.redo === 1");
    await page.keyboard.press("Control+z");
    await until("state.file.undo === 0 && state.file.redo === 2");
    assert.equal(readFileSync(path, "utf8"), before);
    await page.keyboard.press("Control+Shift+z");
    await until("state.file.undo === 1");
  });
});

test("properties are added and removed, and a new name replaces the old one throughout the file", { skip }, async () => {
  const path = fourBar("names.toml");
  await on(["view", "names.toml"], async ({ page, until, state }) => {
    await until("state.file && state.scene === 'four-bar'");
    await page.locator(".entry", { hasText: "crank" }).first().click();
    await page.getByLabel("Add a property").selectOption("mass");
    await page.locator("#property-mass").fill("2 kg");
    await page.locator("#property-mass").press("Enter");
    const problem = page.locator("#property-mass-problem");
    await problem.waitFor();
    await page.getByRole("button", { name: "Cancel mass" }).click();
    await page.getByLabel("Add a property").selectOption("position");
    await page.locator("#property-position").fill("[0, 0]");
    await page.locator("#property-position").press("Enter");
    await until("state.file.undo === 1");
    await page.getByRole("button", { name: "Remove position" }).click();
    await until("state.file.undo === 2");
    await page.locator("#property-name").fill("wheel");
    await page.locator("#property-name").press("Enter");
    await until("state.file.undo === 3 && state.selection === 'body:1' && document.querySelector('.inspector h2').textContent === 'wheel'");
    assert.equal((await state()).diagnostics, 0);
  });
  const text = readFileSync(path, "utf8");
  assert.match(text, /between = \["ground\.O", "wheel"\]/);
  assert.match(text, /between = \["wheel\.A", "coupler"\]/);
});

test("a deletion lists the dependent elements, and is undone", { skip }, async () => {
  const path = fourBar("gone.toml");
  const before = readFileSync(path, "utf8");
  await on(["view", "gone.toml"], async ({ page, until }) => {
    await until("state.file && state.scene === 'four-bar'");
    await page.locator(".entry", { hasText: "rocker" }).click();
    await page.locator(".entry", { hasText: "rocker" }).focus();
    await page.keyboard.press("Delete");
    const words = page.locator(".remover [role=alert]");
    await words.waitFor();
    assert.match(await words.textContent(), /joint B, joint C.*signals of \[output\]/);
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    assert.equal(readFileSync(path, "utf8"), before);
    await page.locator("#delete-element").click();
    await page.getByRole("button", { name: "Delete all" }).click();
    await until(settled(2, 2));
    assert.ok(!readFileSync(path, "utf8").includes('name = "rocker"'));
    await page.getByRole("button", { name: /^Undo/ }).click();
    await until(settled(3, 4));
    assert.equal(readFileSync(path, "utf8"), before);
    await page.getByRole("button", { name: /^Redo/ }).click();
    await until(settled(2, 2));
  });
});

test("a mechanism is dragged by a body, and its pose is reset or kept", { skip }, async () => {
  const path = fourBar("drag.toml");
  const before = readFileSync(path, "utf8");
  await on(["view", "drag.toml"], async ({ page, until, picture }) => {
    await until("state.file && state.scene === 'four-bar'");
    const { frame } = await picture();
    await tool(page, "Drag");
    const pull = async (from, to) => {
      const [a, b] = [await page.evaluate(`window.biela.at(${from})`), await page.evaluate(`window.biela.at(${to})`)];
      await page.mouse.move(...a);
      await page.mouse.down();
      await page.mouse.move(...b, { steps: 8 });
      await page.mouse.up();
    };
    // the midpoint of the crank, from 60 degrees to 90 degrees
    await pull("0.03, 0.052", "0, 0.06");
    await until("Math.abs(picture.frame[14]) < 0.004 && Math.abs(picture.frame[15] - 0.12) < 0.001");
    assert.equal(readFileSync(path, "utf8"), before, "nothing is written while dragging");
    await page.getByRole("button", { name: "Reset the pose" }).click();
    await until(`picture.frame[14] === ${frame[14]}`);
    await pull("0.03, 0.052", "0, 0.06");
    await until("Math.abs(picture.frame[14]) < 0.004");
    await page.getByRole("button", { name: "Keep this pose" }).click();
    await until("state.file.undo === 1 && Math.abs(picture.frame[14]) < 0.004");
    assert.match(readFileSync(path, "utf8"), /initial = \{ angle = "9\d\.?\d* deg", rate = "speed" \}|initial = \{ angle = "8\d\.?\d* deg", rate = "speed" \}/);
  });
});

test("a version saved by an editor in the meantime is not overwritten", { skip }, async () => {
  const path = fourBar("both.toml");
  const before = readFileSync(path, "utf8");
  await on(["view", "both.toml"], async ({ page, until, trouble }) => {
    await until("state.file && state.scene === 'four-bar'");
    await page.locator(".entry", { hasText: "rocker" }).click();
    // the page has not read this version when it sends its change
    await page.route("**/api/desk/edit", async (route) => {
      writeFileSync(path, before.replace("# crank", "# the crank"));
      await route.continue();
    });
    await page.locator("#property-angle").fill("85 deg");
    await page.locator("#property-angle").press("Enter");
    await until("/another program/.test(state.notice)");
    assert.equal(readFileSync(path, "utf8"), before.replace("# crank", "# the crank"));
    await page.unroute("**/api/desk/edit");
    // the browser logs the rejected request, too
    assert.match(trouble.splice(0).join("\n"), /^console: .* 422 \([^\n]*\)$/);
    // the typed text is still in the field
    await until("document.getElementById('property-angle')?.value === '85 deg'");
    await page.locator("#property-angle").fill("86 deg");
    await page.locator("#property-angle").press("Enter");
    await until("state.file.elements.some((one) => one.name === 'rocker' && one.entries.some((entry) => entry[1] === '\"86 deg\"'))");
  });
  assert.equal(readFileSync(path, "utf8"), before.replace("# crank", "# the crank").replace("80 deg", "86 deg"));
});

test("a pendulum is built with the keyboard alone", { skip }, async () => {
  const path = join(folder, "typed.toml");
  await on(["view", "typed.toml"], async ({ page, until }) => {
    const key = (name) => page.keyboard.press(name);
    const type = (text) => page.keyboard.type(text);
    /** Presses Tab until a condition on the focused element holds. */
    const to = async (expression) => {
      for (let k = 0; k < 80; k++) {
        if (await page.evaluate(`Boolean((() => { const it = document.activeElement; return ${expression}; })())`)) return;
        await key("Tab");
      }
      assert.fail(`Tab does not reach ${expression}`);
    };
    await to("it.textContent === 'Create a planar model'");
    await key("Enter");
    await until("state.scene === 'typed' && state.file && !state.file.missing");
    await page.evaluate("document.activeElement.blur()");
    await key("b");
    await to("it.id === 'tool-from'");
    await type("0, 0");
    await key("Tab");
    await type("300 mm, -40 mm");
    await key("Enter");
    await until(settled(1, 0));
    await key("Escape");
    await key("c");
    await to("it.id === 'tool-between.0'");
    await type("ground");
    await key("Tab");
    await type("bar1");
    await key("Enter");
    await until(settled(1, 1));
    await key("Escape");
    await key("s");
    await to("it.id === 'tool-between.0'");
    await type("ground (0.3, 0.2)");
    await to("it.id === 'tool-between.1'");
    await type("bar1.end");
    await key("Enter");
    await until("state.forces === 1");
    await key("Escape");
    await key("h");
    await to("it.id === 'tool-at'");
    await type("bar1.end");
    await key("Tab");
    await type("0.3, 0.1");
    await key("Enter");
    await until("Math.abs(2 * Math.atan2(picture.frame[12], picture.frame[13]) - Math.atan2(0.1, 0.3)) < 1e-3");
    await to("it.textContent === 'Keep this pose'");
    await key("Enter");
    await until("state.file.undo === 4 && picture.frame[12] > 0");
  });
  // its rest length is the length at which it was drawn
  assert.match(readFileSync(path, "utf8"), /length = 0\.24\n/);
  run([path, "--out", "typed"], folder);
});

test("a spatial model is created, and a joint is given its axis", { skip }, async () => {
  await on(["view", "space.toml"], async ({ page, until }) => {
    await page.getByRole("button", { name: "Create a spatial model" }).click();
    await until("state.scene === 'space' && state.file && !state.file.missing");
    await tool(page, "Body");
    await click(page, 0, 0);
    await click(page, 0.3, 0);
    await until(settled(1, 0));
    await tool(page, "Joint");
    await page.locator("#tool-type").selectOption("universal");
    await page.locator("#tool-type").selectOption("revolute");
    await page.locator("#tool-between\\.0").fill("ground");
    await page.locator("#tool-between\\.1").fill("bar1");
    await page.getByLabel("axis").fill("0, 1, 0");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await until(settled(1, 1));
  });
  const text = readFileSync(join(folder, "space.toml"), "utf8");
  assert.match(text, /axis = \[0, 1, 0\]/);
});

test("elements are added and changed on a phone", { skip }, async () => {
  const path = fourBar("phone.toml");
  await on(
    ["view", "phone.toml"],
    async ({ page, until }) => {
      await until("state.file && state.scene === 'four-bar'");
      await page.locator(".palette").getByRole("button", { name: "Point", exact: true }).tap();
      await page.locator(".tool-card").waitFor();
      const at = await page.evaluate("window.biela.at(0.1, 0.3)");
      await page.touchscreen.tap(...at);
      await until("state.file.undo === 1");
      await page.locator(".palette").getByRole("button", { name: /^Undo/ }).tap();
      await until("state.file.redo === 1");
      for (const box of await page.locator(".palette button").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()))) assert.ok(box.width >= 40 && box.height >= 40, JSON.stringify(box));
      const wide = await page.evaluate("document.documentElement.scrollWidth");
      assert.ok(wide <= 390, `${wide} pixels wide`);
    },
    { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true },
  );
  assert.match(readFileSync(path, "utf8"), /\[ground\]/);
});

test("an invalid location is reported, and another one can be picked", { skip }, async () => {
  await on(["view", "twice.toml"], async ({ page, until, state }) => {
    await page.getByRole("button", { name: "Create a planar model" }).click();
    await until("state.scene === 'twice' && state.file && !state.file.missing");
    await tool(page, "Body");
    await click(page, 0, 0);
    await click(page, 0, 0);
    await page.getByText("The two locations coincide.").waitFor();
    assert.equal((await state()).file.undo, 0);
    const [left, top] = await page.evaluate("window.biela.at(0.2, 0.1)");
    // a second click while the first bar is being written does not add another bar
    await page.mouse.dblclick(left, top);
    await until(settled(1, 0));
    assert.equal(await page.getByText("The two locations coincide.").count(), 0);
    assert.equal((await state()).file.undo, 1);
  });
});

test("every type of joint and force has a form with labelled fields", { skip }, async () => {
  const path = join(folder, "kinds.toml");
  copyFileSync(example("mechanisms/four-bar"), path);
  for (const colorScheme of ["light", "dark"])
    await on(
      ["view", "kinds.toml"],
      async ({ page, until }) => {
        await until("state.file && state.scene === 'four-bar'");
        for (const [name, least] of [["Joint", 8], ["Spring", 3], ["Force", 10]]) {
          await tool(page, name);
          const kinds = await page.locator("#tool-type option").allTextContents();
          assert.ok(kinds.length >= least, `${name}: ${kinds}`);
          for (const kind of kinds) {
            await page.locator("#tool-type").selectOption(kind);
            await page.getByRole("button", { name: "Add", exact: true }).click();
            assert.ok((await page.locator(".tool-card .problem").count()) > 0, `${kind} reports its missing fields`);
          }
          assert.deepEqual(await nameless(page), []);
          assert.deepEqual(await faint(page), []);
        }
        await page.locator(".entry", { hasText: "crank" }).first().click();
        await page.locator("#property-density").fill("?");
        await page.locator("#property-density").press("Enter");
        await page.locator("#property-density-problem").waitFor();
        await page.locator("#delete-element").click();
        await page.locator(".remover [role=alert]").waitFor();
        assert.deepEqual(await nameless(page), []);
        assert.deepEqual(await faint(page), []);
      },
      { colorScheme },
    );
});

test("one finger drags a body, and two fingers zoom", { skip }, async () => {
  fourBar("touch.toml");
  await on(
    ["view", "touch.toml"],
    async ({ page, until, picture }) => {
      await until("state.file && state.scene === 'four-bar'");
      const touch = await page.context().newCDPSession(page);
      /** Moves fingers along straight lines simultaneously. */
      const move = async (from, to) => {
        const at = (share) => from.map(([x, y], k) => ({ x: x + share * (to[k][0] - x), y: y + share * (to[k][1] - y), id: k }));
        await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(0) });
        for (let k = 1; k <= 8; k++) await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(k / 8) });
        await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
      };
      const where = (x, y) => page.evaluate(`window.biela.at(${x}, ${y})`);
      const width = async () => (await where(0.1, 0))[0] - (await where(0, 0))[0];
      const box = await page.locator(".stage canvas").boundingBox();
      const [x, y] = [box.x + box.width / 2, box.y + 0.6 * box.height];
      const before = await width();
      await move([[x - 40, y], [x + 40, y]], [[x - 80, y], [x + 80, y]]);
      assert.ok((await width()) > 1.4 * before, "moving two fingers apart zooms in");
      const [a] = await where(0, 0);
      await move([[x, y]], [[x + 50, y]]);
      assert.ok(Math.abs((await where(0, 0))[0] - a - 50) < 8, "one finger pans a planar model");
      await page.keyboard.press("f");
      await page.locator(".palette").getByRole("button", { name: "Drag", exact: true }).tap();
      const { frame } = await picture();
      const origin = await where(0, 0);
      await move([await where(0.03, 0.052)], [await where(0, 0.06)]);
      await until("Math.abs(picture.frame[14]) < 0.01 && Math.abs(picture.frame[15] - 0.12) < 0.002");
      assert.notEqual((await picture()).frame[14], frame[14]);
      assert.deepEqual(await where(0, 0), origin, "the view stays while a body is dragged");
    },
    { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true },
  );
});

test("discs, blocks and balls are drawn between two locations", { skip }, async () => {
  for (const [space, third, shapes] of [["planar", "", { disc: /type = "cylinder", radius = 0\.1, length = 0\.02/, block: /position = \[0\.25, 0\.05\]\nshapes = \[\{ type = "box", size = \[0\.1, 0\.1, 0\.02\]/ }], ["spatial", ", 0", { ball: /type = "sphere", radius = 0\.1/, block: /size = \[0\.1, 0\.1, 0\.02\]/ }]])
    await on(["view", `${space}-shapes.toml`], async ({ page, until }) => {
      await page.getByRole("button", { name: `Create a ${space} model` }).click();
      await until("state.file && !state.file.missing && state.bodies === 1");
      await tool(page, "Body");
      let count = 0;
      for (const [shape, written] of Object.entries(shapes)) {
        await page.locator("#tool-shape").selectOption(shape);
        if (await page.locator("#tool-thickness").count()) await page.locator("#tool-thickness").fill("20 mm");
        const [from, to] = shape === "block" ? ["0.2, 0", "0.3, 0.1"] : ["0, 0", "0.1, 0"];
        await page.locator("#tool-from").fill(from + third);
        await page.locator("#tool-to").fill(to + third);
        await page.locator("#tool-to").press("Enter");
        await until(settled(++count, 0));
        assert.match(readFileSync(join(folder, `${space}-shapes.toml`), "utf8").replaceAll('"20 mm"', "0.02"), written);
      }
    });
});

test("invalid TOML is reported, and undo restores the file", { skip }, async () => {
  const path = fourBar("broken.toml");
  const before = readFileSync(path, "utf8");
  await on(["view", "broken.toml"], async ({ page, until }) => {
    await until("state.file && state.scene === 'four-bar'");
    writeFileSync(path, before.replace("[study]", "[study"));
    await until("state.errors > 0 && state.file.elements.length === 0");
    await page.getByText("The file is not valid TOML").first().waitFor();
    await tool(page, "Point");
    await page.locator("#tool-at").fill("ground (0, 0.1)");
    await page.locator("#tool-at").press("Enter");
    await page.getByText("The model file has errors").waitFor();
    await page.getByRole("button", { name: /^Undo/ }).click();
    await until(settled(3, 4));
    assert.equal(readFileSync(path, "utf8"), before);
  });
});

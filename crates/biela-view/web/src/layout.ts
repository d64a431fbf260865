// The layout of the page.

import type { Source } from "./api";
import type { Desk } from "./desk";
import type { Player } from "./player";
import type { Picture } from "./scene/picture";
import type { Signals } from "./signals";
import type { Store } from "./store";
import { diagnostics } from "./ui/diagnostics";
import { h, icon, iconButton, svg, type Icon } from "./ui/dom";
import { inspector } from "./ui/inspector";
import { layers } from "./ui/layers";
import { modes } from "./ui/modes";
import { overlay } from "./ui/overlay";
import { starter, type Palette } from "./ui/palette";
import { parameters } from "./ui/parameters";
import { picker } from "./ui/picker";
import { DASHES, type Plots } from "./ui/plots";
import { runs } from "./ui/runs";
import { timeline } from "./ui/timeline";
import { tree } from "./ui/tree";

interface Parts {
  store: Store;
  api: Source;
  picture: Picture;
  signals: Signals;
  player: Player;
  plots: Plots;
  desk: Desk;
  palette: Palette;
  stage: HTMLElement;
  sheet: HTMLDialogElement;
  toggleTheme: () => void;
}

export function lay(parts: Parts): HTMLElement {
  const { store, api, picture, signals, player, plots, desk, palette, stage, sheet } = parts;
  stage.append(...overlay(store, picture), palette.sketch, palette.bar, palette.names, diagnostics(store), starter(store, desk), notice(store));
  const page = h("div", { class: "page", "data-tab": "inspect" });
  const tools = header(parts);
  const left = h("nav", { class: "panel tree-panel", "aria-label": "Model" }, tree(store));
  const right = h(
    "aside",
    { class: "panel side-panel", "aria-label": "Details" },
    palette.card,
    tabs([
      ["Inspect", inspector(store, picture, signals, player, desk, (signal) => plots.add(signal, false))],
      ["Runs", runs(store)],
      ["Parameters", parameters(store, api)],
      ["Modes", modes(store, api)],
    ]),
  );
  const dock = h("section", { class: "dock", "aria-label": "Plots" }, plotTools(store, plots), plots.grid);
  const grip = splitter(page);
  store.bind(["plots"], () => page.toggleAttribute("data-bare", store.get("plots").length === 0));
  page.append(tools, left, h("main", { class: "middle" }, stage), right, grip, dock, timeline(store, player, signals), phoneTabs(page, store), sheet);
  return page;
}

/** Runs the model as written in the file, or stops the run in progress. */
export async function runOrStop(store: Store, api: Source): Promise<void> {
  if (store.get("mode") !== "model") return;
  const under = store.get("runs").some((one) => one.state === "running");
  try {
    await (under ? api.stop() : api.run({}));
    store.set({ notice: null });
  } catch (error) {
    store.set({ notice: error instanceof Error ? error.message : String(error) });
  }
}

function header({ store, api, player, sheet, toggleTheme }: Parts): HTMLElement {
  const title = h("h1");
  const about = h("span", { class: "quiet about" });
  const state = h("span", { class: "chip state", role: "status" });
  store.bind(["title", "scene"], () => {
    title.textContent = store.get("scene")?.name ?? store.get("title");
    about.textContent = store.get("scene")?.description ?? "";
    about.title = about.textContent;
  });
  store.bind(["connected", "runs", "mode"], () => {
    const running = store.get("runs").some((run) => run.state === "running");
    state.hidden = store.get("connected") && !running;
    state.textContent = !store.get("connected") ? "not connected" : "running";
    state.classList.toggle("bad", !store.get("connected"));
  });
  const menu = layers(store);
  const open = iconButton("layers", "Layers", () => show(menu.hidden !== false), { "aria-expanded": "false", "aria-controls": "layers" });
  const show = (yes: boolean) => {
    menu.hidden = !yes;
    open.setAttribute("aria-expanded", String(yes));
  };
  document.addEventListener("pointerdown", (event) => {
    const target = event.target as Element;
    if (!menu.contains(target) && !open.contains(target)) show(false);
  });
  // wherever the focus is, Escape closes the open menu first
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || menu.hidden) return;
      show(false);
      open.focus();
      event.stopPropagation();
      event.preventDefault();
    },
    { capture: true },
  );
  const run = h("button", { type: "button", class: "chip run-model", onclick: () => void runOrStop(store, api) });
  store.bind(["mode", "runs", "file"], () => {
    run.hidden = store.get("mode") !== "model" || store.get("file")?.missing === true;
    const under = store.get("runs").some((one) => one.state === "running");
    run.textContent = under ? "Stop" : "Run";
    run.title = under ? "Stop the run (R)" : "Run the model in the file (R)";
  });
  const units = h("button", { type: "button", class: "chip", title: "Units (U)", onclick: () => store.set({ units: store.get("units") === "si" ? "mm" : "si" }) });
  store.bind(["units"], () => (units.textContent = store.get("units") === "si" ? "m · rad" : "mm · deg"));
  const flat = h("button", { type: "button", class: "chip wide-only", title: "Perspective or orthographic projection (O)", onclick: () => store.set({ projection: store.get("projection") === "perspective" ? "orthographic" : "perspective" }) });
  store.bind(["projection"], () => (flat.textContent = store.get("projection")));
  return h(
    "header",
    { class: "top" },
    h("span", { class: "brand", text: "biela" }),
    title,
    about,
    state,
    h("span", { class: "gap" }),
    run,
    flat,
    units,
    iconButton("fit", "Fit to window (F)", () => void player.fitMotion()),
    h("span", { class: "menu-anchor" }, open, menu),
    iconButton("theme", "Light or dark theme (D)", toggleTheme),
    iconButton("help", "Keyboard shortcuts (?)", () => sheet.showModal()),
  );
}

function plotTools(store: Store, plots: Plots): HTMLElement {
  const whole = h("button", { type: "button", class: "chip", text: "Whole run", title: "Plot the whole run (Z)", onclick: () => store.set({ span: null }) });
  store.bind(["span"], () => (whole.hidden = store.get("span") === null));
  const differ = h("button", { type: "button", class: "chip", text: "Difference", title: "Plot the other runs minus the displayed run", onclick: () => store.set({ difference: !store.get("difference") }) });
  store.bind(["difference", "others", "run"], () => {
    differ.hidden = store.get("others").filter((id) => id !== store.get("run")).length === 0;
    differ.setAttribute("aria-pressed", String(store.get("difference")));
  });
  const empty = h("p", { class: "quiet", text: "No plots. Type the name of a signal to add one." });
  store.bind(["plots"], () => (empty.hidden = store.get("plots").length > 0));
  return h("div", { class: "dock-tools" }, picker(store, (signal, beside) => plots.add(signal, beside)), differ, whole, runKey(store), empty);
}

/** The key to the line styles of the runs. */
function runKey(store: Store): HTMLElement {
  const key = h("div", { class: "run-key" });
  store.bind(["run", "others", "runs"], () => {
    const shown = store.get("run");
    const others = store.get("others").filter((id) => id !== shown);
    key.hidden = others.length === 0;
    const entries = [shown, ...others].map((id, k) => {
      const line = svg("line", { x1: 0, y1: 5, x2: 26, y2: 5, stroke: "currentColor", "stroke-width": 2, "stroke-dasharray": DASHES[k % DASHES.length].join(" ") });
      return h("span", {}, svg("svg", { width: 26, height: 10, "aria-hidden": "true" }, line), store.runById(id)?.name ?? "");
    });
    key.replaceChildren(...entries);
  });
  return key;
}

function tabs(panels: [string, HTMLElement][]): HTMLElement {
  const bar = h("div", { class: "tabs", role: "tablist" });
  const host = h("div", { class: "tab-host" });
  const buttons = panels.map(([name, panel], k) => {
    const id = name.toLowerCase();
    panel.id = `panel-${id}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", `tab-${id}`);
    const button = h("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, text: name, onclick: () => choose(k) });
    bar.append(button);
    host.append(panel);
    return button;
  });
  const choose = (at: number) => {
    panels.forEach(([, panel], k) => (panel.hidden = k !== at));
    buttons.forEach((button, k) => {
      button.setAttribute("aria-selected", String(k === at));
      button.tabIndex = k === at ? 0 : -1;
    });
  };
  bar.addEventListener("keydown", (event) => {
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (at < 0 || step === 0) return;
    const next = (at + step + buttons.length) % buttons.length;
    choose(next);
    buttons[next].focus();
    event.preventDefault();
    event.stopPropagation();
  });
  choose(0);
  return h("div", { class: "tabbed" }, bar, host);
}

/** On a phone: the tabs that select the panel below the picture. */
function phoneTabs(page: HTMLElement, store: Store): HTMLElement {
  const bar = h("div", { class: "phone-tabs" });
  const entries: [string, string, Icon][] = [["inspect", "Details", "cube"], ["tree", "Model", "tree"], ["plots", "Plots", "chart"]];
  const buttons = entries.map(([id, name, picture]) => {
    const button = h("button", { type: "button", onclick: () => choose(id) }, icon(picture), h("span", { text: name }));
    bar.append(button);
    return button;
  });
  const choose = (id: string) => {
    page.dataset.tab = id;
    entries.forEach(([other], k) => buttons[k].setAttribute("aria-pressed", String(other === id)));
  };
  choose("plots");
  // the card of the active tool is in the details
  store.on(["tool"], () => {
    if (store.get("tool") !== null) choose("inspect");
  });
  return bar;
}

/** The splitter between picture and plots, moved with the pointer or the arrow keys. */
function splitter(page: HTMLElement): HTMLElement {
  const grip = h("div", { class: "grip", role: "separator", tabindex: 0, "aria-orientation": "horizontal", "aria-label": "Height of the plots" });
  let height = 210;
  const set = (next: number) => {
    height = Math.max(44, Math.min(window.innerHeight * 0.7, next));
    page.style.setProperty("--dock", `${height}px`);
    grip.setAttribute("aria-valuenow", String(Math.round(height)));
  };
  grip.addEventListener("pointerdown", (event) => grip.setPointerCapture(event.pointerId));
  grip.addEventListener("pointermove", (event) => {
    if (!grip.hasPointerCapture(event.pointerId)) return;
    set(height + (grip.getBoundingClientRect().top - event.clientY));
  });
  grip.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowUp" ? 24 : event.key === "ArrowDown" ? -24 : 0;
    if (step === 0) return;
    set(height + step);
    event.preventDefault();
    event.stopPropagation();
  });
  set(height);
  return grip;
}

function notice(store: Store): HTMLElement {
  const host = h("div", { class: "notice", role: "status" });
  store.bind(["notice"], () => {
    const text = store.get("notice");
    host.hidden = text === null;
    host.replaceChildren(text ?? "", iconButton("close", "Close", () => store.set({ notice: null }), { class: "tool small" }));
  });
  return host;
}

// The keyboard shortcuts. They work wherever the focus is, except in a field.

import type { Player } from "./player";
import type { Picture } from "./scene/picture";
import type { Layer, Store } from "./store";
import type { Desk } from "./desk";
import { toggleLayer } from "./ui/layers";
import { type Palette, TOOL_KEYS } from "./ui/palette";
import { changeSpeed, follow, toEnd, togglePlay, toStart } from "./ui/timeline";

const LAYER_KEYS: Record<string, Layer> = { g: "grid", j: "joints", t: "traces", n: "names", a: "arrows", m: "masses", i: "inertia", x: "frames" };
const TURN = 0.12;
const SHIFT = 0.06;

export function keys(store: Store, player: Player, picture: Picture, sheet: HTMLDialogElement, toggleTheme: () => void, run: () => void, desk: Desk, palette: Palette): void {
  const { view } = picture;
  const jump = (share: number) => {
    const run = store.shownRun;
    if (!run) return;
    const { first, last } = run.times;
    store.set({ time: Math.max(first, Math.min(last, store.get("time") + share * (last - first))), follow: false });
  };
  const plain: Record<string, () => void> = {
    " ": () => togglePlay(store),
    ArrowLeft: () => void player.step(-1),
    ArrowRight: () => void player.step(1),
    PageUp: () => jump(-0.1),
    PageDown: () => jump(0.1),
    Home: () => toStart(store),
    End: () => toEnd(store),
    "[": () => changeSpeed(store, -1),
    "]": () => changeSpeed(store, 1),
    l: () => store.set({ loop: !store.get("loop") }),
    v: () => follow(store),
    f: () => void player.fitMotion(),
    "1": () => void player.fitMotion("front"),
    "2": () => void player.fitMotion("top"),
    "3": () => void player.fitMotion("right"),
    "4": () => void player.fitMotion("iso"),
    o: () => store.set({ projection: store.get("projection") === "perspective" ? "orthographic" : "perspective" }),
    "+": () => view.zoom(1.2),
    "=": () => view.zoom(1.2),
    "-": () => view.zoom(1 / 1.2),
    "/": () => document.getElementById("signal-picker")?.focus(),
    e: () => document.querySelector<HTMLElement>(".tree-panel input")?.focus(),
    Escape: () => (store.get("tool") ? palette.leave() : store.set({ selection: null })),
    Delete: () => {
      // the details list the dependent elements
      document.getElementById("tab-inspect")?.click();
      document.getElementById("delete-element")?.click();
    },
    z: () => store.set({ span: null }),
    d: toggleTheme,
    r: run,
    u: () => store.set({ units: store.get("units") === "si" ? "mm" : "si" }),
    "?": () => sheet.showModal(),
  };
  const arrows: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    const typing = target.closest("input:not([type=range]):not([type=checkbox]), textarea, select, dialog[open]");
    if (typing || event.defaultPrevented) return;
    if (event.ctrlKey || event.metaKey) {
      const key = event.key.toLowerCase();
      if (key !== "z" && key !== "y") return;
      void (key === "y" || event.shiftKey ? desk.redo() : desk.undo());
      event.preventDefault();
      return;
    }
    const arrow = arrows[event.key];
    if (arrow && event.shiftKey) view.shift(SHIFT * arrow[0], SHIFT * arrow[1]);
    else if (arrow && event.altKey) view.turn(TURN * arrow[0], TURN * arrow[1]);
    else if (event.altKey) return;
    else if (target.matches("input[type=range]") && arrow) return;
    // Space and Enter press the focused button
    else if (event.key === " " && target.closest("button, input, summary")) return;
    else {
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const layer = LAYER_KEYS[key];
      if (plain[key]) plain[key]();
      else if (layer) toggleLayer(store, layer);
      else if (TOOL_KEYS[key]) palette.toggle(TOOL_KEYS[key]);
      else return;
    }
    event.preventDefault();
  });
}

// The list of runs: the displayed one, and those overlaid on it.

import { lineColor } from "../scene/palette";
import type { Store } from "../store";
import { clockTime, number } from "../units";
import { check, h } from "./dom";

export function runs(store: Store): HTMLElement {
  const host = h("div", { class: "stack" });
  const fill = () => {
    const all = store.get("runs");
    const dark = document.documentElement.dataset.theme === "dark";
    if (all.length === 0) {
      host.replaceChildren(h("p", { class: "quiet", text: "No runs yet. Run the model with R, or open results folders with biela view." }));
      return;
    }
    const list = h("ul", { class: "runs", role: "list" });
    all.forEach((run, k) => {
      const shown = run.id === store.get("run");
      const swatch = h("span", { class: "swatch" });
      swatch.style.borderTopColor = lineColor(k, dark);
      const pick = h(
        "button",
        { type: "button", class: "run", "aria-pressed": String(shown), onclick: () => store.set({ run: run.id, shaking: null }) },
        swatch,
        h("span", { class: "name", text: run.name, title: run.name }),
        h("span", { class: "detail", text: `${run.state === "running" ? "running · " : run.state === "stopped" ? "stopped · " : ""}${clockTime(run.times.last, run.times.last)}` }),
      );
      const over = check("compare", store.get("others").includes(run.id), (on) => {
        const others = store.get("others").filter((id) => id !== run.id);
        store.set({ others: on ? [...others, run.id] : others });
      });
      over.classList.toggle("hidden", shown);
      const changed = Object.entries(run.parameters ?? {}).map(([name, value]) => `${name} = ${typeof value === "number" ? number(value) : String(value)}`);
      list.append(h("li", {}, h("div", { class: "run-row" }, pick, over), changed.length > 0 ? h("p", { class: "quiet", text: changed.join(", ") }) : null));
    });
    if (store.get("mode") === "model") {
      const written = store.get("run") === null;
      const pick = h("button", { type: "button", class: "run", "aria-pressed": String(written), onclick: () => store.set({ run: null, others: [], playing: false }) }, h("span", { class: "name", text: "The model in the file" }));
      list.prepend(h("li", {}, h("div", { class: "run-row" }, pick)));
    }
    const differ = check("Plot differences from the displayed run", store.get("difference"), (on) => store.set({ difference: on }));
    host.replaceChildren(list, all.length > 1 ? differ : "");
  };
  store.bind(["runs", "run", "others", "difference"], fill);
  store.on(["theme"], () => requestAnimationFrame(fill));
  return host;
}

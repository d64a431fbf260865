// Sliders for the parameters of the model; releasing one runs the model again in the background.

import type { Source } from "../api";
import type { Parameter } from "../protocol";
import type { Store } from "../store";
import { number, pretty } from "../units";
import { h } from "./dom";

export function parameters(store: Store, api: Source): HTMLElement {
  const host = h("div", { class: "stack" });
  const values = new Map<string, number>();

  const start = async () => {
    store.set({ notice: null });
    await api.run(Object.fromEntries(values)).catch((error: unknown) => {
      store.set({ notice: error instanceof Error ? error.message : String(error) });
    });
  };

  const row = (parameter: Parameter): HTMLElement => {
    const { name, value, unit } = parameter;
    const [low, high] = value === 0 ? [-1, 1] : [Math.min(0, 2 * value), Math.max(0, 2 * value)];
    const slider = h("input", { type: "range", min: low, max: high, step: (high - low) / 400, value: values.get(name) ?? value, "aria-label": name });
    const exact = h("input", { class: "field exact", inputmode: "decimal", value: number(values.get(name) ?? value), "aria-label": `${name} in ${unit || "SI"}` });
    const set = (next: number, run: boolean) => {
      if (!Number.isFinite(next)) return;
      if (next === value) values.delete(name);
      else values.set(name, next);
      exact.value = number(next);
      slider.value = String(next);
      if (run) void start();
    };
    slider.addEventListener("input", () => set(Number(slider.value), false));
    slider.addEventListener("change", () => set(Number(slider.value), true));
    exact.addEventListener("change", () => set(Number(exact.value.replace("−", "-")), true));
    return h("div", { class: "parameter" }, h("span", { class: "name", text: name }), exact, h("span", { class: "detail", text: pretty(unit) }), slider);
  };

  store.bind(["parameters", "mode"], () => {
    const all = store.get("parameters").filter((parameter) => !parameter.derived);
    if (store.get("mode") !== "model" || all.length === 0) {
      host.replaceChildren(h("p", { class: "quiet", text: "Open a model file with a table [parameters] to change its parameters here." }));
      return;
    }
    const reset = h("button", { type: "button", class: "chip", text: "Reset to the file", onclick: () => { values.clear(); fill(); void start(); } });
    const fill = () => host.replaceChildren(...all.map(row), reset);
    fill();
  });
  return host;
}

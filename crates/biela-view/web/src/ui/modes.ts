// Modes of vibration: one of them animates the initial pose.

import type { Source } from "../api";
import type { Store } from "../store";
import { number } from "../units";
import { h } from "./dom";

export function modes(store: Store, api: Source): HTMLElement {
  const host = h("div", { class: "stack" });
  const size = h("input", { type: "range", min: 0.02, max: 1, step: 0.01, value: store.get("amplitude"), "aria-label": "Amplitude" });
  size.addEventListener("input", () => store.set({ amplitude: Number(size.value) }));

  const ask = async () => {
    try {
      store.set({ modes: await api.modes(), notice: null });
    } catch (error) {
      store.set({ notice: error instanceof Error ? error.message : String(error) });
    }
  };

  const fill = () => {
    const all = store.get("modes");
    if (store.get("mode") !== "model") {
      host.replaceChildren(h("p", { class: "quiet", text: "Open a model file to compute its modes." }));
      return;
    }
    if (all.length === 0) {
      host.replaceChildren(
        h("p", { class: "quiet", text: "Modes of the model linearized about its initial state." }),
        h("button", { type: "button", class: "chip", text: "Compute the modes", onclick: () => void ask() }),
      );
      return;
    }
    const list = h("ul", { class: "runs", role: "list" });
    all.forEach((mode, k) => {
      const on = store.get("shaking") === k;
      list.append(
        h(
          "li",
          {},
          h(
            "button",
            { type: "button", class: "run", "aria-pressed": String(on), onclick: () => store.set(on ? { shaking: null, playing: false } : { shaking: k, playing: true, time: 0 }) },
            h("span", { class: "name", text: `${number(mode.frequency, 4)} Hz` }),
            h("span", { class: "detail", text: `ζ = ${number(mode.damping, 3)}`, title: ["damping ratio", mode.text].filter(Boolean).join(" · ") }),
          ),
        ),
      );
    });
    const note = all[0]?.note;
    const warning = note ? [h("p", { class: "quiet", text: note })] : [];
    host.replaceChildren(...warning, list, h("label", { class: "slide" }, h("span", { text: "Amplitude" }), size));
  };
  store.bind(["modes", "shaking", "mode"], fill);
  return host;
}

// The search field for signals: words in any order; signals of the selected element come first.

import type { SignalInfo } from "../protocol";
import { nameOf, type Store } from "../store";
import { pretty } from "../units";
import { h } from "./dom";

const MOST_SHOWN = 60;

export function picker(store: Store, choose: (signal: string, beside: boolean) => void): HTMLElement {
  const input = h("input", {
    type: "text",
    class: "field",
    id: "signal-picker",
    role: "combobox",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "Plot a signal: type its name   /",
    "aria-label": "Plot a signal. Enter creates a plot, Shift+Enter adds the signal to the active one",
    "aria-expanded": "false",
    "aria-controls": "signal-list",
    "aria-autocomplete": "list",
  });
  const list = h("ul", { role: "listbox", id: "signal-list", class: "options", "aria-label": "Signals", hidden: true });
  let options: SignalInfo[] = [];
  let at = 0;

  const find = (): SignalInfo[] => {
    const run = store.shownRun;
    const scene = store.get("scene");
    const ref = store.get("selection");
    const owner = scene && ref ? `${nameOf(scene, ref)}.` : null;
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const score = (signal: SignalInfo): number => {
      const name = signal.name.toLowerCase();
      const text = `${name} ${(signal.text ?? "").toLowerCase()}`;
      if (!words.every((word) => text.includes(word))) return -1;
      let points = owner && signal.name.startsWith(owner) ? 8 : 0;
      for (const word of words) points += name.startsWith(word) ? 4 : name.includes(word) ? 2 : 0;
      return points;
    };
    return (run?.signals ?? [])
      .map((signal) => ({ signal, points: score(signal) }))
      .filter(({ points }) => points >= 0)
      .sort((a, b) => b.points - a.points)
      .slice(0, MOST_SHOWN)
      .map(({ signal }) => signal);
  };

  const show = () => {
    options = find();
    at = Math.min(at, Math.max(0, options.length - 1));
    list.replaceChildren(
      ...options.map((signal, k) =>
        h(
          "li",
          {
            role: "option",
            id: `signal-${k}`,
            "aria-selected": String(k === at),
            // before the input loses its focus
            onpointerdown: (event: PointerEvent) => {
              event.preventDefault();
              take(k, event.shiftKey);
            },
          },
          h("span", { class: "name", text: signal.name }),
          h("span", { class: "detail", text: [pretty(signal.unit === "1" ? "" : signal.unit), signal.text].filter(Boolean).join(" · ") }),
        ),
      ),
    );
    if (options.length === 0) list.append(h("li", { class: "quiet", text: store.shownRun ? "This run has no such signal" : "No run yet" }));
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    if (options.length > 0) input.setAttribute("aria-activedescendant", `signal-${at}`);
    list.children[at]?.scrollIntoView({ block: "nearest" });
  };

  const hide = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };

  const take = (k: number, beside: boolean) => {
    const signal = options[k];
    if (!signal) return;
    choose(signal.name, beside);
    input.value = "";
    at = 0;
    show();
  };

  input.addEventListener("focus", show);
  input.addEventListener("blur", hide);
  input.addEventListener("input", () => {
    at = 0;
    show();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      at = (at + step + options.length) % Math.max(1, options.length);
      show();
    } else if (event.key === "Enter") take(at, event.shiftKey);
    else if (event.key === "Escape") {
      hide();
      input.blur();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return h("div", { class: "picker" }, input, list);
}

// The selected element as written in the file: values can be changed, added or removed; errors are shown beside the field.

import type { Desk } from "../desk";
import { inlineTable, quoted, unquoted } from "../edit/text";
import type { Address, Diagnostic, Effect, KeyInfo } from "../protocol";
import { addressOf, kindOf, nameOf, type Ref, type Store } from "../store";
import { pretty } from "../units";
import { h, iconButton } from "./dom";

/** Types of values that are words or names, which are always quoted. */
const WORDS = new Set(["name", "text", "choice", "endpoint", "coordinate", "joint", "beam", "trajectory"]);

export function properties(store: Store, desk: Desk): HTMLElement {
  const host = h("section", { class: "properties", "aria-label": "In the file" });
  /** Keys that the user has added and that have no value yet. */
  let asked: string[] = [];
  let shown: Ref | null = null;

  const fill = () => {
    const typed = kept(host);
    const scene = store.get("scene");
    const ref = store.get("selection") ?? "file:";
    if (ref !== shown) asked = [];
    shown = ref;
    const file = store.get("file");
    const address = scene ? addressOf(scene, ref) : null;
    const table = address ? desk.table(address.table) : null;
    host.hidden = !file || file.missing || !address || !table || store.get("mode") !== "model";
    if (host.hidden || !scene || !address || !table) {
      host.replaceChildren();
      return;
    }
    if (file?.elements.length === 0) {
      host.replaceChildren(h("p", { class: "quiet", text: "The file is not valid TOML, so its elements cannot be shown. Undo the change, or correct the file in an editor." }));
      return;
    }
    const written = desk.written(address);
    if (!written && table.list) {
      host.replaceChildren(h("p", { class: "quiet", text: "This element is not in the model file itself. It comes from an included file or a table of links; edit it there." }));
      return;
    }
    const entries = written?.entries ?? [];
    const known = keysOf(table.keys, table.kinds.find((kind) => kind.name === unquoted(entries.find(([key]) => key === table.choice)?.[1] ?? ""))?.keys ?? []);
    const only = kindOf(ref) === "marker" ? `points.${nameOf(scene, ref).split(".").at(-1)}` : null;
    const rows: HTMLElement[] = [];
    for (const [key, value] of entries) {
      const info = known.find((one) => one.name === key) ?? null;
      const inner = info?.takes === "table" ? inlineTable(value) : null;
      const words = key === table.choice ? table.kinds.filter((kind) => kind.spaces.includes(scene.space)).map((kind) => kind.name) : (info?.words ?? []);
      if (inner) for (const [part, text] of inner) rows.push(row(address, `${key}.${part}`, text, info, [], false));
      else rows.push(row(address, key, value, info, words, info?.required ?? false));
    }
    const chosen = only ? rows.filter((one) => one.dataset.key === only) : rows;
    if (!only) for (const key of asked) if (!entries.some(([one]) => one === key)) chosen.push(row(address, key, null, known.find((one) => one.name === key) ?? null, known.find((one) => one.name === key)?.words ?? [], false));
    const missing = known.filter((key) => !asked.includes(key.name) && !entries.some(([one]) => one === key.name));
    host.replaceChildren(h("h3", { text: "In the file" }), ...chosen, ...(only ? [] : [table.open ? another(address) : more(missing)]), ...(address.name !== null && !only ? [remover(ref)] : []));
    typed.restore();
  };

  /** A field for a value; `null` for a key that is not in the file yet. */
  const row = (element: Address, key: string, value: string | null, info: KeyInfo | null, words: string[], required: boolean): HTMLElement => {
    const id = `property-${key}`;
    const start = value === null ? "" : unquoted(value);
    const field = control(info, words, start);
    field.id = id;
    field.dataset.start = start;
    field.setAttribute("aria-describedby", `${id}-problem`);
    const problem = h("p", { class: "problem", id: `${id}-problem`, role: "alert", hidden: true });
    const show = (text: string) => {
      problem.hidden = text === "";
      problem.textContent = text;
      field.setAttribute("aria-invalid", String(text !== ""));
    };
    let asking = "";
    const write = async () => {
      const text = field.value.trim();
      if (text === asking && text !== "") return;
      if (text === start && value !== null) return show("");
      if (text === "") return show("Enter a value, or remove the key.");
      const raw = WORDS.has(info?.takes ?? "") || (info?.takes === undefined && key === "type") ? quoted(text) : text;
      asking = text;
      try {
        const problems = key === "name" && element.name !== null
          ? await desk.change([{ do: "rename", element, name: text }], { table: element.table, name: text })
          : await desk.change([{ do: "set", element, key, value: raw }]);
        show(told(problems));
        if (problems.length === 0) asked = asked.filter((one) => one !== key);
      } catch (error) {
        // the file may have changed, and the field may have been rebuilt
        store.set({ notice: error instanceof Error ? error.message : String(error) });
      } finally {
        asking = "";
      }
    };
    field.addEventListener("change", () => void write());
    field.addEventListener("keydown", (event) => {
      const pressed = event as KeyboardEvent;
      if (pressed.key === "Escape") {
        field.value = start;
        show("");
        pressed.stopPropagation();
      } else if (pressed.key === "Enter" && (field.tagName === "INPUT" || pressed.ctrlKey || pressed.metaKey)) {
        void write();
        pressed.preventDefault();
      }
    });
    const unit = h("span", { class: "unit", text: pretty(info?.unit ?? "") });
    const away = iconButton("close", value === null ? `Cancel ${key}` : `Remove ${key}`, () => {
      if (value === null) {
        asked = asked.filter((one) => one !== key);
        fill();
      } else
        desk
          .change([{ do: "unset", element, key }])
          .then((problems) => show(told(problems)))
          .catch((error: unknown) => show(error instanceof Error ? error.message : String(error)));
    }, { class: "tool small" });
    away.disabled = required;
    away.classList.toggle("hidden", required);
    return h(
      "div",
      { class: "property", "data-key": key },
      h("label", { for: id, text: key, title: info?.text ?? "" }),
      field,
      unit,
      away,
      problem,
    );
  };

  /** Adds a key of the table that the element does not have yet. */
  const more = (missing: KeyInfo[]): HTMLElement => {
    const choose = h("select", { class: "field", "aria-label": "Add a property" }, h("option", { value: "", text: "Add a property…" }));
    for (const key of missing) choose.append(h("option", { value: key.name, text: key.name, title: key.text }));
    choose.hidden = missing.length === 0;
    choose.addEventListener("change", () => {
      if (choose.value === "") return;
      const key = choose.value;
      asked.push(key);
      fill();
      document.getElementById(`property-${key}`)?.focus();
    });
    return choose;
  };

  /** Adds a key with any name, such as a parameter. */
  const another = (element: Address): HTMLElement => {
    const name = h("input", { class: "field", placeholder: "name", "aria-label": "Name of the new key", spellcheck: "false" });
    const value = h("input", { class: "field", placeholder: "value, e.g. 20 mm", "aria-label": "Value of the new key", spellcheck: "false" });
    const problem = h("p", { class: "problem", role: "alert", hidden: true });
    const form = h("form", { class: "another" }, name, value, h("button", { type: "submit", class: "chip", text: "Add" }), problem);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const show = (text: string) => {
        problem.hidden = text === "";
        problem.textContent = text;
      };
      if (name.value.trim() === "" || value.value.trim() === "") return show("Enter a name and a value.");
      desk
        .change([{ do: "set", element, key: name.value.trim(), value: value.value }])
        .then((problems) => show(told(problems)))
        .catch((error: unknown) => show(error instanceof Error ? error.message : String(error)));
    });
    return form;
  };

  const remover = (ref: Ref): HTMLElement => {
    const box = h("div", { class: "remover" });
    const ask = h("button", { type: "button", class: "chip danger", id: "delete-element", text: "Delete", title: "Delete the element (Delete)" });
    const run = (sure: boolean) => {
      desk
        .remove(ref, sure)
        .then((effect) => {
          if (effect) confirm(effect);
        })
        .catch((error: unknown) => store.set({ notice: error instanceof Error ? error.message : String(error) }));
    };
    const confirm = (effect: Effect) => {
      const yes = h("button", { type: "button", class: "chip danger", text: "Delete all", onclick: () => run(true) });
      const no = h("button", { type: "button", class: "chip", text: "Cancel", onclick: fill });
      box.replaceChildren(h("p", { role: "alert", text: consequences(effect) }), h("div", { class: "choices" }, yes, no));
      yes.focus();
    };
    ask.addEventListener("click", () => run(false));
    box.append(ask);
    return box;
  };

  store.bind(["selection", "file", "language", "mode"], fill);
  return host;
}

/** The effect of a deletion as sentences. */
function consequences(effect: Effect): string {
  const words = ({ table, name }: Address) => (name === null ? `[${table}]` : `${table} ${name}`);
  const parts: string[] = [];
  if (effect.gone.length > 0) parts.push(`This also deletes ${effect.gone.map(words).join(", ")}.`);
  if (effect.changed.length > 0) parts.push(`It changes ${effect.changed.map(([element, key]) => `${key} of ${words(element)}`).join(", ")}.`);
  return parts.join(" ");
}

/** Problems as short text. */
export function told(problems: Diagnostic[]): string {
  return problems.map((one) => [one.message, one.help].filter(Boolean).join(" – ")).join("\n");
}

function keysOf(...lists: KeyInfo[][]): KeyInfo[] {
  const keys: KeyInfo[] = [];
  for (const key of lists.flat()) if (!keys.some((one) => one.name === key.name)) keys.push(key);
  return keys;
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export function control(info: KeyInfo | null, words: string[], value: string): Control {
  const list = info?.takes === "flag" ? ["true", "false"] : info?.takes === "words" ? [] : words;
  if (list.length > 0 && (value === "" || list.includes(value))) {
    const choose = h("select", { class: "field" });
    if (value === "") choose.append(h("option", { value: "", text: "…" }));
    for (const word of list) choose.append(h("option", { value: word, text: word }));
    choose.value = value;
    return choose;
  }
  if (value.includes("\n") || value.length > 34) {
    const area = h("textarea", { class: "field", rows: Math.min(8, Math.max(2, value.split("\n").length, Math.ceil(value.length / 30))), spellcheck: "false" });
    area.value = value;
    return area;
  }
  const input = h("input", { class: "field", spellcheck: "false", autocomplete: "off" });
  input.value = value;
  if (["endpoint", "coordinate", "joint", "beam"].includes(info?.takes ?? "")) input.setAttribute("list", `names-${info?.takes}`);
  return input;
}

/** Saves the focused field and its text, and returns the function that restores them after the fields are rebuilt. */
function kept(host: HTMLElement): { restore: () => void } {
  const active = document.activeElement;
  const id = active instanceof HTMLElement && host.contains(active) ? active.id : "";
  const typed = (active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement) && active.value !== active.dataset.start ? active.value : null;
  return {
    restore: () => {
      const field = id ? document.getElementById(id) : null;
      if (!field) return;
      field.focus();
      if (typed !== null && (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) && field.dataset.start !== typed) field.value = typed;
    },
  };
}

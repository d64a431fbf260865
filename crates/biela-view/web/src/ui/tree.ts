// The model as a tree of bodies, beams, joints and forces; the arrow keys move through its entries.

import type { Address, Scene } from "../protocol";
import { refOf, type ModelFile, type Ref, type Store } from "../store";
import { number } from "../units";
import { h } from "./dom";

interface Entry {
  ref: Ref;
  name: string;
  detail: string;
}

function sections(scene: Scene): [string, Entry[]][] {
  const stations = new Set(scene.bodies.filter((body) => body.station_of).map((body) => body.name));
  return [
    [
      "Bodies",
      scene.bodies
        .map((body, k): Entry => ({
          ref: `body:${k}`,
          name: body.name,
          detail: k === 0 ? "fixed" : `${number(body.mass, 4)} kg`,
        }))
        .filter((entry) => !stations.has(entry.name)),
    ],
    [
      "Beams",
      scene.beams.map((beam, k): Entry => ({
        ref: `beam:${k}`,
        name: beam.name,
        detail: beam.mass === undefined ? "" : `${number(beam.mass, 4)} kg`,
      })),
    ],
    [
      "Stations of beams",
      scene.bodies
        .map((body, k): Entry => ({ ref: `body:${k}`, name: body.name, detail: body.station_of ?? "" }))
        .filter((entry) => stations.has(entry.name)),
    ],
    [
      "Joints",
      scene.joints.map((joint, k): Entry => ({
        ref: `joint:${k}`,
        name: joint.name,
        detail: `${joint.type} · ${joint.freedom} DOF`,
      })),
    ],
    ["Forces", scene.forces.map((force, k): Entry => ({ ref: `force:${k}`, name: force.name, detail: force.type }))],
  ];
}

/** Tables that every model may have, shown even if the file does not contain them. */
const SINGLE = ["parameters", "study", "output"];
const IN_SCENE = ["ground", "body", "joint", "force", "beam"];

/** Elements of the file that the scene does not contain. */
function inFile(file: ModelFile | null): [string, Entry[]][] {
  if (!file || file.missing) return [];
  const entry = ({ table, name }: Address, detail: string): Entry[] => {
    const ref = refOf(null, { table, name });
    return ref ? [{ ref, name: name ?? (table === "" ? "model" : table), detail }] : [];
  };
  const own = file.elements.filter((one) => !IN_SCENE.includes(one.table));
  const missing = SINGLE.filter((table) => !own.some((one) => one.table === table));
  return [["In the file", [...own.flatMap((one) => entry(one, one.name === null ? "" : one.table)), ...missing.flatMap((table) => entry({ table, name: null }, "none yet"))]]];
}

export function tree(store: Store): HTMLElement {
  const filter = h("input", {
    type: "search",
    class: "field",
    placeholder: "Find an element",
    "aria-label": "Find an element of the model",
  });
  const list = h("div", { role: "tree", class: "tree", "aria-label": "Elements of the model" });
  const folded = new Set<string>();
  let entries: { ref: Ref; row: HTMLElement }[] = [];

  const fill = () => {
    const scene = store.get("scene");
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.replaceChildren();
    entries = [];
    if (!scene) return;
    for (const [title, all] of [...sections(scene), ...inFile(store.get("file"))]) {
      const shown = all.filter((entry) => words.every((word) => `${entry.name} ${entry.detail}`.toLowerCase().includes(word)));
      if (shown.length === 0) continue;
      const open = !folded.has(title) || words.length > 0;
      const head = h("button", {
        type: "button",
        class: "fold",
        "aria-expanded": String(open),
        onclick: () => {
          if (!folded.delete(title)) folded.add(title);
          fill();
        },
      });
      head.append(h("span", { text: title }), h("span", { class: "count", text: String(shown.length) }));
      const group = h("div", { role: "group", "aria-label": title });
      if (open) for (const entry of shown) group.append(row(entry));
      list.append(head, group);
    }
    mark();
  };

  const row = (entry: Entry): HTMLElement => {
    const element = h(
      "div",
      {
        role: "treeitem",
        tabindex: -1,
        class: "entry",
        "data-ref": entry.ref,
        onclick: () => store.set({ selection: entry.ref }),
        onpointerenter: () => store.set({ hover: entry.ref }),
        onpointerleave: () => store.set({ hover: null }),
      },
      h("span", { class: "name", text: entry.name, title: entry.name }),
      h("span", { class: "detail", text: entry.detail }),
    );
    entries.push({ ref: entry.ref, row: element });
    return element;
  };

  const mark = () => {
    const selection = store.get("selection");
    let any = false;
    for (const { ref, row: element } of entries) {
      const is = ref === selection;
      any ||= is;
      element.setAttribute("aria-selected", String(is));
      element.tabIndex = is ? 0 : -1;
      if (is && !element.matches(":hover")) element.scrollIntoView({ block: "nearest" });
    }
    if (!any && entries[0]) entries[0].row.tabIndex = 0;
  };

  list.addEventListener("keydown", (event) => {
    const at = entries.findIndex(({ row: element }) => element === document.activeElement);
    if (at < 0) return;
    const to =
      event.key === "ArrowDown" ? at + 1
      : event.key === "ArrowUp" ? at - 1
      : event.key === "Home" ? 0
      : event.key === "End" ? entries.length - 1
      : -1;
    const next = entries[to];
    if (next) {
      next.row.focus();
      store.set({ selection: next.ref });
    } else if (event.key === "Enter") store.set({ selection: entries[at].ref });
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  filter.addEventListener("input", fill);
  store.bind(["scene", "file"], fill);
  store.on(["selection"], mark);
  return h("div", { class: "stack" }, filter, list);
}

// The palette: tools that add elements by picking in the scene or by typing, the Drag tool, undo and redo; and the card of the active tool.

import { Vector3 } from "three";
import type { Desk } from "../desk";
import { Drag } from "../edit/drag";
import { Forms, type Field, type FormTool, type Values } from "../edit/forms";
import { Places, type Spot } from "../edit/places";
import { told } from "./properties";
import type { Picture } from "../scene/picture";
import type { Store, Tool } from "../store";
import { pretty } from "../units";
import { h, icon, iconButton, svg, type Icon } from "./dom";

const TOOLS: [Tool, string, string][] = [
  ["drag", "Drag", "h"],
  ["body", "Body", "b"],
  ["point", "Point", "p"],
  ["joint", "Joint", "c"],
  ["spring", "Spring", "s"],
  ["force", "Force", "q"],
  ["driver", "Driver", "w"],
];

export const TOOL_KEYS: Record<string, Tool> = Object.fromEntries(TOOLS.map(([tool, , key]) => [key, tool]));

const PULLS = 4;

export class Palette {
  readonly places: Places;
  private readonly forms: Forms;
  private readonly drag: Drag;
  private values: Values = {};
  private problems: Values = {};
  private said = "";
  /** A change is being written: picks would refer to the previous picture and are ignored. */
  private adding = false;
  readonly bar = h("div", { class: "palette", role: "toolbar", "aria-label": "Edit the model", "aria-orientation": "vertical" });
  readonly card = h("form", { class: "tool-card", "aria-label": "Active tool", hidden: true });
  readonly sketch = svg("svg", { class: "sketch", "aria-hidden": "true" });
  readonly names = h("div", { hidden: true });

  constructor(
    private readonly store: Store,
    private readonly desk: Desk,
    private readonly picture: Picture,
  ) {
    this.places = new Places(picture);
    this.forms = new Forms(store, desk, picture, this.places);
    this.drag = new Drag(store, desk, picture, this.places, () => {
      if (store.get("tool") === "drag") this.showCard();
    });
    this.buildBar();
    this.card.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.add();
    });
    this.card.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.leave();
      event.preventDefault();
      event.stopPropagation();
    });
    store.on(["tool"], () => this.take());
    store.on(["scene", "language"], () => {
      this.showCard();
    });
    store.bind(["scene"], () => this.listNames());
    picture.view.beforeDrawing(() => this.place());
  }

  private buildBar(): void {
    for (const [tool, label, key] of TOOLS) {
      const button = h("button", { type: "button", class: "tool", title: `${label} (${key.toUpperCase()})`, "aria-label": label, "data-tool": tool, onclick: () => this.toggle(tool) }, icon(tool as Icon), h("span", { text: label }));
      this.store.bind(["tool"], () => button.setAttribute("aria-pressed", String(this.store.get("tool") === tool)));
      this.bar.append(button);
    }
    const undo = iconButton("undo", "Undo (Ctrl+Z)", () => void this.desk.undo());
    const redo = iconButton("redo", "Redo (Ctrl+Shift+Z)", () => void this.desk.redo());
    this.bar.append(h("span", { class: "rule" }), undo, redo);
    this.store.bind(["file", "mode", "scene"], () => {
      const file = this.store.get("file");
      this.bar.hidden = this.store.get("mode") !== "model" || !file || file.missing || !this.store.get("scene");
      undo.disabled = !file || file.undo === 0;
      redo.disabled = !file || file.redo === 0;
    });
    this.bar.addEventListener("keydown", (event) => {
      const buttons = [...this.bar.querySelectorAll<HTMLButtonElement>("button:not(:disabled)")];
      const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
      const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      if (at < 0 || step === 0) return;
      buttons[(at + step + buttons.length) % buttons.length].focus();
      event.preventDefault();
      event.stopPropagation();
    });
  }

  toggle(tool: Tool): void {
    if (this.bar.hidden) return;
    this.store.set({ tool: this.store.get("tool") === tool ? null : tool });
  }

  leave(): void {
    this.store.set({ tool: null });
    this.bar.querySelector("button")?.focus();
  }

  /** The active tool has changed: tools work on the model in the file. */
  private take(): void {
    const tool = this.store.get("tool");
    void this.drag.putBack();
    this.problems = {};
    this.said = "";
    if (tool) this.store.set({ run: null, others: [], playing: false, shaking: null, hover: null });
    this.values = tool && tool !== "drag" ? this.forms.start(tool) : {};
    this.showCard();
    this.show(null);
  }

  /** A click in the scene. */
  pick(x: number, y: number): void {
    const tool = this.store.get("tool");
    if (!tool || tool === "drag") return;
    const spot = this.places.spot(x, y);
    if (!spot) return;
    if (this.adding) return;
    this.said = "";
    this.problems = {};
    const before = this.values;
    this.values = this.forms.pick(tool, before, spot, this.places.joint(x, y));
    this.showCard();
    // with typed values, Enter adds the element
    if (this.values === before || !this.forms.isComplete(tool, this.values)) return;
    void this.add().then(() => {
      // the user can pick another location instead of an invalid one
      if (Object.keys(this.problems).length > 0 && this.store.get("tool") === tool) {
        this.values = { ...before, name: this.values.name };
        this.showCard();
      }
    });
  }

  /** The pointer has moved over the scene. */
  hover(x: number, y: number): void {
    const tool = this.store.get("tool");
    if (!tool || tool === "drag") return;
    if (tool === "driver") {
      const joint = this.places.joint(x, y);
      this.show(joint === null ? null : { at: this.forms.jointAt(joint), ends: [], snapped: true });
    } else this.show(this.places.spot(x, y));
  }

  private spot: Spot | null = null;

  show(spot: Spot | null): void {
    this.spot = spot;
    this.place();
  }

  /** A ring at the location that a click would pick, and a line from the last picked one. */
  private place(): void {
    const tool = this.store.get("tool");
    this.sketch.replaceChildren();
    if (!tool || tool === "drag") return;
    const from = this.forms.last(this.values);
    const a = from ? this.picture.view.screen(from) : null;
    const b = this.spot ? this.picture.view.screen(this.spot.at) : null;
    if (a && b) this.sketch.append(svg("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y }));
    if (a) this.sketch.append(svg("circle", { cx: a.x, cy: a.y, r: 4, class: "dot" }));
    if (!b || !this.spot) return;
    this.sketch.append(svg("circle", { cx: b.x, cy: b.y, r: this.spot.snapped ? 9 : 5 }));
    const text = svg("text", { x: b.x + 14, y: b.y - 10 });
    text.textContent = this.spot.ends.length > 0 ? this.spot.ends.map((end) => end.text).join(" + ") : this.places.text(this.spot.at);
    this.sketch.append(text);
  }

  private async add(): Promise<void> {
    const tool = this.store.get("tool");
    if (tool === "drag") return this.move();
    if (!tool || this.adding) return;
    if (this.store.get("diagnostics").some((one) => one.severity === "error")) {
      this.problems = { "": "The model file has errors, so the picture does not show its present contents. Correct the errors or undo the change first." };
      this.showCard();
      return;
    }
    const made = this.forms.make(tool, this.values);
    if ("problems" in made) {
      this.problems = made.problems;
      this.showCard();
      this.card.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
      return;
    }
    const { name } = this.values;
    let problem = "";
    this.adding = true;
    try {
      problem = told(await this.desk.change(made.changes, made.select));
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    } finally {
      this.adding = false;
    }
    // another tool may be active by now
    if (this.store.get("tool") !== tool || this.values.name !== name) {
      if (problem) this.store.set({ notice: problem });
      return;
    }
    this.problems = problem ? { "": problem } : {};
    if (!problem) {
      this.said = `Added ${name}.`;
      this.values = this.forms.start(tool, this.values);
    }
    const typing = this.card.contains(document.activeElement);
    this.showCard();
    // a user who types continues with the first field of the next element
    const next = this.forms.fields(tool, this.values).find((field) => !field.optional && !this.values[field.key]);
    if (typing && next && !problem) document.getElementById(`tool-${next.key}`)?.focus();
  }

  /** Drags by typing: a point of a body and its target. */
  private async move(): Promise<void> {
    const end = this.places.readEnd(this.values.at ?? "");
    const to = this.places.read(this.values.to ?? "");
    this.problems = {};
    if (typeof end === "string") this.problems.at = end;
    if (typeof to === "string") this.problems.to = to;
    if (typeof end !== "string" && end.body === 0) this.problems.at = "The ground cannot be moved. Name a point of another body.";
    this.showCard();
    if (typeof end === "string" || !(to instanceof Vector3) || end.body === 0) return;
    // the first pull covers most of a long distance, the next ones the rest
    for (let k = 0; k < PULLS; k++) await this.drag.to(end.body, end.point, to);
  }

  private showCard(): void {
    const tool = this.store.get("tool");
    this.card.hidden = tool === null || this.picture.scene === null;
    if (!tool || this.card.hidden) return;
    const active = document.activeElement instanceof HTMLElement && this.card.contains(document.activeElement) ? document.activeElement.id : "";
    const label = TOOLS.find(([name]) => name === tool)?.[1] ?? "";
    const head = h("header", {}, h("strong", { text: tool === "drag" ? "Drag the mechanism" : `New ${label.toLowerCase()}` }), iconButton("close", "Deselect the tool (Escape)", () => this.leave(), { class: "tool small" }));
    const general = this.problems[""] ? [h("p", { class: "problem", role: "alert", text: this.problems[""] })] : [];
    if (tool === "drag") this.card.replaceChildren(head, ...this.dragCard(), ...general);
    else {
      const fields = this.forms.fields(tool, this.values).map((field) => this.field(field, tool));
      const hint = h("p", { class: "quiet", role: "status", text: [this.said, this.forms.hint(tool, this.values)].filter(Boolean).join(" ") });
      this.card.replaceChildren(head, hint, ...fields, ...general, h("button", { type: "submit", class: "chip primary", text: "Add" }));
    }
    if (active) document.getElementById(active)?.focus();
  }

  private dragCard(): HTMLElement[] {
    const words = this.drag.moved
      ? "This pose is not yet written to the file."
      : this.picture.scene?.freedom === 0
        ? "The mechanism has no degrees of freedom: its joints and drivers fix every coordinate. Delete a driver to drag the bodies that it moves."
        : "Drag a body with the pointer, or enter a point and its target. The joints stay closed.";
    const hint = h("p", { class: "quiet", role: "status", text: words });
    if (this.drag.moved)
      return [
        hint,
        h("button", { type: "button", class: "chip primary", text: "Keep this pose", onclick: () => void this.drag.keep() }),
        h("button", { type: "button", class: "chip", text: "Reset the pose", onclick: () => void this.drag.putBack() }),
        ...this.byTyping(),
      ];
    return [hint, ...this.byTyping()];
  }

  private byTyping(): HTMLElement[] {
    const fields: Field[] = [
      { key: "at", label: "Point", takes: "end" },
      { key: "to", label: "Target", takes: "place", unit: "m" },
    ];
    return [...fields.map((field) => this.field(field, null)), h("button", { type: "submit", class: "chip", text: "Move" })];
  }

  private field(field: Field, tool: FormTool | null): HTMLElement {
    const id = `tool-${field.key}`;
    const words = field.takes === "choice" ? (field.words ?? []) : field.words?.includes("true") ? ["", ...field.words] : [];
    const value = this.values[field.key] ?? "";
    const input = words.length > 0 ? h("select", { class: "field", id }, ...words.map((word) => h("option", { value: word, text: word || "…" }))) : h("input", { class: "field", id, spellcheck: "false", autocomplete: "off", placeholder: field.otherwise ?? (field.optional ? "optional" : "") });
    input.value = value;
    const lists: Record<string, string> = { end: "names-endpoint", place: "names-endpoint", coordinate: "names-coordinate" };
    if (lists[field.takes]) input.setAttribute("list", lists[field.takes]);
    const problem = this.problems[field.key];
    if (problem) {
      input.setAttribute("aria-invalid", "true");
      input.setAttribute("aria-describedby", `${id}-problem`);
    }
    input.addEventListener("input", () => {
      this.values[field.key] = input.value;
      this.place();
    });
    if (["type", "shape"].includes(field.key) && tool) input.addEventListener("change", () => {
        this.values = this.forms.turn(tool, this.values, input.value);
        this.problems = {};
        this.showCard();
      });
    return h(
      "div",
      { class: "property" },
      h("label", { for: id, text: field.label, title: field.text ?? "" }),
      input,
      h("span", { class: "unit", text: pretty(field.unit ?? "") }),
      problem ? h("p", { class: "problem", id: `${id}-problem`, role: "alert", text: problem }) : null,
    );
  }

  /** Names offered for completion. */
  private listNames(): void {
    const scene = this.store.get("scene");
    const options = (id: string, names: string[]) => h("datalist", { id }, ...names.map((name) => h("option", { value: name })));
    this.names.replaceChildren(
      options("names-endpoint", scene?.bodies.flatMap((body) => [body.name, ...body.markers.map((marker) => `${body.name}.${marker.name}`)]) ?? []),
      options("names-coordinate", scene?.joints.flatMap((joint) => joint.coordinates) ?? []),
      options("names-joint", scene?.joints.map((joint) => joint.name) ?? []),
      options("names-beam", scene?.beams.map((beam) => beam.name) ?? []),
    );
  }
}

/** Offers to create the model file if it does not exist. */
export function starter(store: Store, desk: Desk): HTMLElement {
  const host = h("section", { class: "starter", "aria-label": "New model", hidden: true });
  const words = h("p");
  host.append(
    h("h2", { text: "New model" }),
    words,
    h(
      "div",
      { class: "choices" },
      h("button", { type: "button", class: "chip primary", text: "Create a planar model", onclick: () => void desk.create("planar") }),
      h("button", { type: "button", class: "chip primary", text: "Create a spatial model", onclick: () => void desk.create("spatial") }),
    ),
  );
  store.bind(["file", "title"], () => {
    host.hidden = !store.get("file")?.missing;
    words.textContent = `The file ${store.get("title")} does not exist yet. Create it as a planar or a spatial model; elements that you add are written to it.`;
  });
  return host;
}

// The forms of the palette: the fields of an element, filled by picking in the scene or by typing, and the changes of the file that they produce.

import { Vector3 } from "three";
import type { Desk } from "../desk";
import type { Address, Change, KeyInfo, Scene } from "../protocol";
import { pointOf } from "../scene/layer";
import type { Picture } from "../scene/picture";
import type { Store, Tool } from "../store";
import { type Places, type Spot, unique } from "./places";
import { list, quoted, tidy } from "./text";

export type Values = Record<string, string>;

export interface Field {
  key: string;
  label: string;
  /** Type of its value; places and ends are picked in the scene. */
  takes: "name" | "choice" | "place" | "end" | "coordinate" | "text";
  words?: string[];
  unit?: string;
  text?: string;
  optional?: boolean;
  /** The default value, shown as a placeholder. */
  otherwise?: string;
}

/** The result of a form: changes of the file, or the problems of its fields. */
export type Made = { changes: Change[]; select: Address } | { problems: Values };

export type FormTool = Exclude<Tool, "drag">;

const STEMS: Record<Exclude<FormTool, "body">, string> = { point: "P", joint: "joint", spring: "spring", force: "force", driver: "drive" };
const TABLES: Partial<Record<FormTool, string>> = { joint: "joint", spring: "force", force: "force", driver: "driver" };
const KINDS: Partial<Record<FormTool, string>> = { joint: "revolute", spring: "spring-damper", force: "force" };
/** Force types that the Spring tool offers. */
const SPRINGS = ["spring-damper", "joint-spring-damper", "bushing"];
/** The common keys of a table that its form shows. */
const ASKED: Record<string, string[]> = { joint: ["between", "axis"], force: [], driver: ["on", "value"] };
/** Types of the fields that are filled by picking. */
const PICKED: Field["takes"][] = ["place", "end", "coordinate"];
const STEEL = "7850 kg/m^3";
/** Labels of the two picked points of a body, and how to pick them. */
const SHAPES: Record<string, [string, string, string, string]> = {
  bar: ["From", "To", "Pick the first end of the bar.", "Pick the second end."],
  disc: ["Centre", "Rim", "Pick the centre.", "Pick a point on the rim."],
  ball: ["Centre", "Surface", "Pick the centre.", "Pick a point on the surface."],
  block: ["Corner", "Opposite", "Pick a corner of the block.", "Pick the opposite corner."],
};

export class Forms {
  constructor(
    private readonly store: Store,
    private readonly desk: Desk,
    private readonly picture: Picture,
    private readonly places: Places,
  ) {}

  private get scene(): Scene {
    const scene = this.picture.scene;
    if (!scene) throw new Error("The model has no scene yet.");
    return scene;
  }

  private names(): Set<string> {
    const names = [...(this.store.get("file")?.elements ?? []).flatMap((one) => one.name ?? []), ...this.scene.bodies.map((body) => body.name)];
    return new Set(names);
  }

  /** The values of a new form; some are copied from the previous one. */
  start(tool: FormTool, last: Values = {}): Values {
    const picked = Object.keys(last).length > 0 ? this.picked(tool, last) : [];
    const kept = Object.fromEntries(Object.entries(last).filter(([key]) => key !== "name" && key !== "length" && !picked.includes(key)));
    const names = tool === "point" ? new Set(this.scene.bodies.flatMap((body) => body.markers.map((marker) => marker.name))) : this.names();
    const values: Values = { ...(KINDS[tool] ? { type: KINDS[tool] } : {}), ...(tool === "body" ? { shape: "bar" } : {}), ...kept };
    values.name = unique(tool === "body" ? values.shape : STEMS[tool], names);
    // thick enough to be visible and to be picked
    const thick = (share: number) => String(Number((share * this.picture.view.visibleHeight()).toPrecision(1)));
    if (tool === "body") Object.assign(values, { radius: values.radius ?? thick(0.008), thickness: values.thickness ?? thick(0.02) });
    if (values.type === "spring-damper" || values.type === "joint-spring-damper") values.stiffness ??= "1000";
    if (values.type === "force") values.value ??= this.scene.space === "planar" ? "0, -10" : "0, 0, -10";
    if (tool === "driver") values.value = "";
    return values;
  }

  /** Keys of the fields that are filled by picking. */
  private picked(tool: FormTool, values: Values): string[] {
    return this.fields(tool, values).filter((field) => PICKED.includes(field.takes)).map((field) => field.key);
  }

  /** Changes the type of the element; picked points stay. */
  turn(tool: FormTool, values: Values, type: string): Values {
    if (tool === "body") return { ...this.start(tool, { ...values, shape: type }), from: values.from ?? "", to: values.to ?? "" };
    const kept = Object.fromEntries(this.picked(tool, values).map((key) => [key, values[key] ?? ""]));
    return { ...this.start(tool, { type }), ...kept, name: values.name };
  }

  /** The rest length of a spring is its present length, unless one is given. */
  private rest(values: Values): Values {
    if (values.type !== "spring-damper" || values.length?.trim() || !values["between.0"] || !values["between.1"]) return values;
    const [a, b] = [this.places.read(values["between.0"]), this.places.read(values["between.1"])];
    if (typeof a === "string" || typeof b === "string") return values;
    return { ...values, length: String(tidy(a.distanceTo(b), this.picture.view.visibleHeight())) };
  }

  fields(tool: FormTool, values: Values): Field[] {
    const name: Field = { key: "name", label: "Name", takes: "name" };
    if (tool === "body")
      return [
        name,
        { key: "shape", label: "Shape", takes: "choice", words: this.scene.space === "planar" ? ["bar", "disc", "block"] : ["bar", "ball", "block"] },
        { key: "from", label: SHAPES[values.shape][0], takes: "place", unit: "m" },
        { key: "to", label: SHAPES[values.shape][1], takes: "place", unit: "m" },
        ...(values.shape === "ball" ? [] : [{ key: values.shape === "bar" ? "radius" : "thickness", label: values.shape === "bar" ? "Radius" : "Thickness", takes: "text" as const, unit: "m" }]),
        { key: "density", label: "Density", takes: "text", unit: "kg/m^3", optional: true, otherwise: STEEL },
      ];
    if (tool === "point") return [name, { key: "at", label: "Location", takes: "end", text: "crank (0.1, 0) is a location in the frame of the body crank" }];
    const table = this.desk.table(TABLES[tool] ?? "");
    if (!table) return [name];
    const kinds = table.kinds.filter((kind) => kind.spaces.includes(this.scene.space) && (tool !== "spring" || SPRINGS.includes(kind.name)));
    const kind = kinds.find((one) => one.name === values.type);
    const common = table.keys.filter((key) => ASKED[table.name].includes(key.name) && (key.name !== "axis" || this.scene.space === "spatial"));
    const own = kind?.keys ?? [];
    const fields = [...common.filter((key) => !own.some((one) => one.name === key.name)), ...own].flatMap((key) => fieldsOf(key, tool));
    const type: Field[] = table.kinds.length > 0 ? [{ key: "type", label: "Type", takes: "choice", words: kinds.map((one) => one.name), text: kind?.text }] : [];
    return [name, ...type, ...fields];
  }

  isComplete(tool: FormTool, values: Values): boolean {
    return this.fields(tool, values).every((field) => field.optional || (values[field.key] ?? "").trim() !== "");
  }

  /** The next action of the user. */
  hint(tool: FormTool, values: Values): string {
    const open = this.fields(tool, values).find((field) => PICKED.includes(field.takes) && !field.optional && !values[field.key]);
    if (!open) return "Press Enter to add it.";
    if (tool === "body") return SHAPES[values.shape][open.key === "from" ? 2 : 3];
    if (tool === "point") return "Pick a location on a body, or away from all bodies for a point of the ground.";
    if (open.takes === "coordinate") return "Pick a joint.";
    if (open.key.endsWith(".0")) return tool === "joint" ? "Pick a location where two bodies meet, or one on the first body." : "Pick its first end.";
    if (open.key.endsWith(".1")) return tool === "joint" ? "Pick a location on the second body. For the ground, pick the same location again or one away from all bodies." : "Pick its second end.";
    return "Pick a location on a body.";
  }

  /** Fills the next field to be picked. */
  pick(tool: FormTool, values: Values, spot: Spot, joint: number | null): Values {
    const open = this.fields(tool, values).filter((field) => PICKED.includes(field.takes) && !values[field.key]);
    const next = open.find((field) => !field.optional) ?? open[0];
    if (!next) return values;
    const out = { ...values };
    if (next.takes === "place") out[next.key] = spot.snapped && spot.ends.length > 0 ? spot.ends[0].text : this.places.text(spot.at);
    else if (next.takes === "coordinate") {
      const found = joint === null ? undefined : this.scene.joints[joint];
      if (found) out[next.key] = found.coordinates[0] ?? found.name;
      if (found && tool === "driver" && !out.value) out.value = this.drive(found);
    } else if (tool === "joint" && next.key === "between.0" && spot.ends.length > 1) {
      const [first, second] = this.places.pair(spot.ends);
      Object.assign(out, { "between.0": first.text, "between.1": second.text });
    } else {
      const other = next.key.endsWith(".1") ? this.places.readEnd(values[next.key.replace(/1$/, "0")] ?? "") : null;
      const taken = other && typeof other !== "string" ? other.body : -1;
      const end = spot.ends.find((one) => one.body !== taken) ?? { body: 0, text: this.places.end(0, spot.at) };
      out[next.key] = end.text;
      // joint coordinates describe the second body relative to the first
      if (tool === "joint" && next.key === "between.1" && end.body === 0) Object.assign(out, { "between.0": end.text, "between.1": values["between.0"] });
    }
    return out[next.key] ? this.rest(out) : values;
  }

  /** A prescribed motion that starts at the present coordinate of the joint. */
  private drive(joint: Scene["joints"][number]): string {
    const turns = joint.coordinates[0]?.endsWith("angle") ?? false;
    if (!turns) return "0.1 [m/s] * t";
    if (this.scene.space !== "planar") return "1 [rad/s] * t";
    const turn = (side: 0 | 1) => {
      const q = this.picture.turnOf(joint.bodies[side]);
      return 2 * Math.atan2(q.z, q.w) + 2 * Math.atan2(joint.frames[side][5], joint.frames[side][6]);
    };
    const angle = ((turn(1) - turn(0)) * 180) / Math.PI;
    const now = tidy(angle - 360 * Math.round(angle / 360), 100);
    return now === 0 ? "1 [rad/s] * t" : `${now} deg + 1 [rad/s] * t`;
  }

  make(tool: FormTool, values: Values): Made {
    const problems: Values = {};
    for (const field of this.fields(tool, values)) if (!field.optional && (values[field.key] ?? "").trim() === "") problems[field.key] = "A value is required.";
    if (!/^[\p{L}_][\p{L}\d_-]*$/u.test(values.name ?? "")) problems.name = "A name starts with a letter or _ and consists of letters, digits, _ and -.";
    else if (tool !== "point" && this.names().has(values.name)) problems.name = "Another element has this name.";
    if (Object.keys(problems).length > 0) return { problems };
    if (tool === "body") return this.body(values);
    if (tool === "point") return this.point(values);
    return this.element(tool, this.rest(values));
  }

  private body(values: Values): Made {
    const [from, to] = [this.places.read(values.from), this.places.read(values.to)];
    if (typeof from === "string") return { problems: { from } };
    if (typeof to === "string") return { problems: { to } };
    const size = Math.max(to.distanceTo(from), from.length());
    const way = to.clone().sub(from);
    const flat = this.scene.space === "planar";
    const made = drawn(values, way, size, flat);
    if (typeof made === "string") return { problems: { to: made } };
    const origin = made.middle ? from.clone().addScaledVector(way, 0.5) : from;
    const entries: [string, string][] = [
      ["name", quoted(values.name)],
      ["density", values.density?.trim() ? values.density : STEEL],
      ["position", list(origin.toArray().slice(0, flat ? 2 : 3).map((x) => tidy(x, size)))],
      ...made.entries,
      ["shapes", `[{ ${made.shape} }]`],
    ];
    return { changes: [{ do: "add", table: "body", entries }], select: { table: "body", name: values.name } };
  }

  private point(values: Values): Made {
    const end = this.places.readEnd(values.at);
    if (typeof end === "string") return { problems: { at: end } };
    const body = this.scene.bodies[end.body];
    if (body.station_of) return { problems: { at: "Stations of a beam can be added only in the file." } };
    if (body.markers.some((marker) => marker.name === values.name)) return { problems: { name: `${body.name} already has a point ${values.name}.` } };
    const element: Address = end.body === 0 ? { table: "ground", name: null } : { table: "body", name: body.name };
    const value = list(end.point.slice(0, this.scene.space === "planar" ? 2 : 3).map((x) => tidy(x, this.picture.view.visibleHeight())));
    return { changes: [{ do: "set", element, key: `points.${values.name}`, value }], select: element };
  }

  private element(tool: FormTool, values: Values): Made {
    const table = TABLES[tool] ?? "";
    const changes: Change[] = [];
    const problems: Values = {};
    const taken = new Set<string>();
    const entries: [string, string][] = [["name", quoted(values.name)]];
    const refer = (key: string): string => {
      const found = this.places.reference(values[key], taken);
      if (typeof found === "string") {
        problems[key] = found;
        return "";
      }
      changes.push(...found.changes);
      return quoted(found.reference);
    };
    for (const field of this.fields(tool, values).slice(1)) {
      const text = (values[field.key] ?? "").trim();
      if (text === "" || field.key.endsWith(".1")) continue;
      if (field.key.endsWith(".0")) {
        const key = field.key.slice(0, -2);
        entries.push([key, `[${refer(`${key}.0`)}, ${refer(`${key}.1`)}]`]);
      } else if (field.takes === "end") entries.push([field.key, refer(field.key)]);
      else if (field.takes === "text") entries.push([field.key, several(field, text)]);
      else entries.push([field.key, quoted(text)]);
    }
    if (Object.keys(problems).length > 0) return { problems };
    return { changes: [...changes, { do: "add", table, entries }], select: { table, name: values.name } };
  }

  /** The start of the line to the pointer: the last picked location. */
  last(values: Values): Vector3 | null {
    const text = values.from || values["between.0"];
    if (!text || values.to || values["between.1"]) return null;
    const at = this.places.read(text);
    return typeof at === "string" ? null : at;
  }

  /** The location of a joint. */
  jointAt(index: number): Vector3 {
    const joint = this.scene.joints[index];
    return pointOf(this.picture.frame, joint.bodies[1], joint.frames[1], new Vector3());
  }
}

/** The shape of a body between two locations, and its other keys; or a message if the locations are invalid. */
function drawn(values: Values, way: Vector3, size: number, flat: boolean): { entries: [string, string][]; shape: string; middle?: boolean } | string {
  const length = tidy(way.length(), size);
  if (length === 0) return "The two locations coincide. Pick another one.";
  const measure = (text: string) => (Number.isFinite(Number(text)) ? text : quoted(text));
  const { shape, thickness, radius } = values;
  if (shape === "disc") return { entries: [], shape: `type = "cylinder", radius = ${length}, length = ${measure(thickness)}` };
  if (shape === "ball") return { entries: [], shape: `type = "sphere", radius = ${length}` };
  if (shape === "block") {
    const edges = way.toArray().map((x) => Math.abs(tidy(x, size)));
    if (edges.filter((x) => x > 0).length < 2) return "The two corners lie on one edge. Pick opposite corners of the block.";
    // an edge of length zero becomes the thickness
    return { entries: [], shape: `type = "box", size = [${edges.map((x) => (x > 0 ? String(x) : measure(thickness))).join(", ")}]`, middle: true };
  }
  const end = flat ? [length, 0] : way.toArray().map((x) => tidy(x, size));
  const angle = tidy((Math.atan2(way.y, way.x) * 180) / Math.PI, 100);
  const entries: [string, string][] = flat && angle !== 0 ? [["angle", quoted(`${angle} deg`)]] : [];
  entries.push(["points", `{ end = ${list(end)} }`]);
  return { entries, shape: `type = "bar", radius = ${measure(radius)}, from = ${list(end.map(() => 0))}, to = ${list(end)}` };
}

/** Lists may be typed without brackets, and their quantities without quotes. */
function several(field: Field, text: string): string {
  if (!field.words?.includes("list") || text.startsWith("[")) return text;
  const parts = text.split(",").map((part) => part.trim());
  return `[${parts.map((part) => (Number.isFinite(Number(part)) ? part : quoted(part))).join(", ")}]`;
}

const LISTS = ["vector", "direction", "formulas", "numbers", "words", "texts", "coordinates"];

function fieldsOf(key: KeyInfo, tool: FormTool): Field[] {
  // the Driver tool writes a formula; other forms are edited in the file
  const optional = !key.required && !(tool === "driver" && key.name === "value");
  const base = { label: key.name, unit: key.unit, text: key.text, optional };
  switch (key.takes) {
    case "endpoints":
      return [0, 1].map((side) => ({ ...base, key: `${key.name}.${side}`, label: side === 0 ? "First" : "Second", takes: "end" as const }));
    case "endpoint":
      return [{ ...base, key: key.name, takes: "end" }];
    case "coordinate":
    case "joint":
      return [{ ...base, key: key.name, takes: "coordinate" }];
    case "choice":
      return [{ ...base, key: key.name, takes: "choice", words: key.words }];
    case "flag":
      return [{ ...base, key: key.name, takes: "text", words: ["true", "false"] }];
    default:
      return [{ ...base, key: key.name, takes: "text", words: LISTS.includes(key.takes) ? ["list"] : [] }];
  }
}

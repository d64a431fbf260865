// The shared state of the page: one value per key, and the listeners to its changes.

import type { Address, Diagnostic, Mode, Now, Parameter, Run, Scene, TableInfo, Written } from "./protocol";

export type Kind = "body" | "joint" | "force" | "beam" | "marker" | "file";
/** An element of the scene, such as `body:3`; a marker is `marker:BODY.NUMBER`, an element without a picture `file:TABLE/NAME`. */
export type Ref = `${Kind}:${string}`;

export const LAYERS = {
  shapes: "Bodies",
  joints: "Joints",
  springs: "Springs and forces",
  beams: "Beams",
  contacts: "Contact points and forces",
  surfaces: "Contact surfaces",
  grid: "Grid",
  traces: "Traces",
  frames: "Body frames",
  points: "Points",
  masses: "Mass centres",
  inertia: "Inertia ellipsoids",
  arrows: "Force arrows",
  names: "Names",
} as const;
export type Layer = keyof typeof LAYERS;

export interface State {
  /** The scene that is drawn: that of the model, or that of the displayed run. */
  scene: Scene | null;
  /** Parameters of the model file. */
  parameters: Parameter[];
  title: string;
  mode: "model" | "results" | "live";
  connected: boolean;
  diagnostics: Diagnostic[];
  runs: Run[];
  /** The displayed run; null shows the initial pose. */
  run: number | null;
  /** Other runs, drawn as ghosts and overlaid in the plots. */
  others: number[];
  difference: boolean;
  time: number;
  playing: boolean;
  speed: number;
  loop: boolean;
  /** Follow the newest frame of a run in progress. */
  follow: boolean;
  selection: Ref | null;
  hover: Ref | null;
  layers: Record<Layer, boolean>;
  arrowScale: number;
  /** One list of signals per plot. */
  plots: string[][];
  /** Interval of time that the plots show; null shows the whole run. */
  span: [number, number] | null;
  /** Points whose path is drawn, as `marker:` references. */
  traced: Ref[];
  theme: "auto" | "light" | "dark";
  units: "si" | "mm";
  projection: "orthographic" | "perspective";
  modes: Mode[];
  /** The mode that is animated instead of a run. */
  shaking: number | null;
  amplitude: number;
  notice: string | null;
  /** The model file, if it can be changed. */
  file: ModelFile | null;
  /** The tables of the model language. */
  language: TableInfo[];
  /** The active tool, which receives clicks in the scene; null selects elements. */
  tool: Tool | null;
}

export interface ModelFile extends Now {
  missing: boolean;
  elements: Written[];
}

export type Tool = "drag" | "body" | "point" | "joint" | "spring" | "force" | "driver";

const LAYERS_AT_START: Record<Layer, boolean> = {
  shapes: true,
  joints: true,
  springs: true,
  beams: true,
  contacts: true,
  surfaces: true,
  grid: true,
  traces: true,
  frames: false,
  points: false,
  masses: false,
  inertia: false,
  arrows: false,
  names: false,
};

export function startState(): State {
  return {
    scene: null,
    parameters: [],
    title: "",
    mode: "model",
    connected: true,
    diagnostics: [],
    runs: [],
    run: null,
    others: [],
    difference: false,
    time: 0,
    playing: false,
    speed: 1,
    loop: false,
    follow: false,
    selection: null,
    hover: null,
    layers: { ...LAYERS_AT_START },
    arrowScale: 1,
    plots: [],
    span: null,
    traced: [],
    theme: "auto",
    units: "si",
    projection: "perspective",
    modes: [],
    shaking: null,
    amplitude: 0.3,
    notice: null,
    file: null,
    language: [],
    tool: null,
  };
}

type Listener = () => void;

export class Store {
  private readonly state = startState();
  private readonly listeners = new Map<keyof State, Set<Listener>>();

  get<K extends keyof State>(key: K): State[K] {
    return this.state[key];
  }

  /** Changes some values, then calls each of their listeners once. */
  set(change: Partial<State>): void {
    const called = new Set<Listener>();
    for (const key of Object.keys(change) as (keyof State)[]) {
      if (Object.is(this.state[key], change[key])) continue;
      Object.assign(this.state, { [key]: change[key] });
      for (const listener of this.listeners.get(key) ?? []) called.add(listener);
    }
    for (const listener of called) listener();
  }

  /** Calls `listener` whenever one of the values changes. */
  on(keys: (keyof State)[], listener: Listener): void {
    for (const key of keys) {
      const known = this.listeners.get(key);
      if (known) known.add(listener);
      else this.listeners.set(key, new Set([listener]));
    }
  }

  /** Calls `listener` now and whenever one of the values changes. */
  bind(keys: (keyof State)[], listener: Listener): void {
    this.on(keys, listener);
    listener();
  }

  get shownRun(): Run | null {
    return this.runById(this.state.run);
  }

  runById(id: number | null): Run | null {
    return this.state.runs.find((run) => run.id === id) ?? null;
  }
}

export function kindOf(ref: Ref): Kind {
  return ref.slice(0, ref.indexOf(":")) as Kind;
}

export function indexOf(ref: Ref): number {
  return Number.parseInt(ref.slice(ref.indexOf(":") + 1), 10);
}

/** The body and the index of a marker. */
export function markerOf(ref: Ref): [number, number] {
  const [body, marker] = ref.slice(ref.indexOf(":") + 1).split(".");
  return [Number(body), Number(marker)];
}

/** The name of an element in its signals. */
export function nameOf(scene: Scene, ref: Ref): string {
  const index = indexOf(ref);
  switch (kindOf(ref)) {
    case "body":
      return scene.bodies[index]?.name ?? "";
    case "joint":
      return scene.joints[index]?.name ?? "";
    case "force":
      return scene.forces[index]?.name ?? "";
    case "beam":
      return scene.beams[index]?.name ?? "";
    case "marker": {
      const [body, marker] = markerOf(ref);
      const owner = scene.bodies[body];
      return owner ? `${owner.name}.${owner.markers[marker]?.name ?? ""}` : "";
    }
    case "file": {
      const { table, name } = fileAddress(ref);
      return name ?? (table === "" ? scene.name : table);
    }
  }
}

function fileAddress(ref: Ref): Address {
  const [table, ...name] = ref.slice(ref.indexOf(":") + 1).split("/");
  return { table, name: name.length > 0 ? name.join("/") : null };
}

/** The address of an element of the scene in the model file. */
export function addressOf(scene: Scene, ref: Ref): Address | null {
  switch (kindOf(ref)) {
    case "file":
      return fileAddress(ref);
    case "marker": {
      const [body] = markerOf(ref);
      return addressOf(scene, `body:${body}`);
    }
    case "body": {
      if (indexOf(ref) === 0) return { table: "ground", name: null };
      const station = scene.bodies[indexOf(ref)]?.station_of;
      return { table: station ? "beam" : "body", name: station || nameOf(scene, ref) };
    }
    case "joint":
    case "force":
    case "beam":
      return { table: kindOf(ref), name: nameOf(scene, ref) };
  }
}

/** The element of a scene at an address of the model file. */
export function refOf(scene: Scene | null, { table, name }: Address): Ref | null {
  const lists: Record<string, { name: string }[] | undefined> = { body: scene?.bodies, joint: scene?.joints, force: scene?.forces, beam: scene?.beams };
  const list = lists[table];
  if (table === "ground") return "body:0";
  if (!list) return name === null ? `file:${table}` : `file:${table}/${name}`;
  const index = list.findIndex((one) => one.name === name);
  return index < 0 ? null : `${table as Kind}:${index}`;
}

/** The element of another scene with the same name. */
export function sameIn(old: Scene, scene: Scene, ref: Ref): Ref | null {
  if (kindOf(ref) === "file") return ref;
  if (kindOf(ref) !== "marker") return refOf(scene, { table: kindOf(ref) === "body" && indexOf(ref) === 0 ? "ground" : kindOf(ref), name: nameOf(old, ref) });
  const [body, marker] = markerOf(ref);
  const at = scene.bodies.findIndex((one) => one.name === old.bodies[body]?.name);
  const found = scene.bodies[at]?.markers.findIndex((one) => one.name === old.bodies[body].markers[marker]?.name) ?? -1;
  return found < 0 ? null : `marker:${at}.${found}`;
}

/** The element that a signal belongs to: the longest name that the signal starts with. */
export function ownerOf(scene: Scene, signal: string): Ref | null {
  let best: Ref | null = null;
  let longest = 0;
  const look = (name: string, ref: Ref) => {
    if (name.length > longest && signal.startsWith(`${name}.`)) {
      longest = name.length;
      best = ref;
    }
  };
  scene.bodies.forEach((body, k) => {
    look(body.name, `body:${k}`);
    body.markers.forEach((marker, m) => look(`${body.name}.${marker.name}`, `marker:${k}.${m}`));
  });
  scene.joints.forEach((joint, k) => look(joint.name, `joint:${k}`));
  scene.forces.forEach((force, k) => look(force.name, `force:${k}`));
  scene.beams.forEach((beam, k) => look(beam.name, `beam:${k}`));
  return best;
}

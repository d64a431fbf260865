// All that the parts of the page share: one value a key, and who wants to know when it changes.

import type { Diagnostic, Mode, Parameter, Run, Scene } from "./protocol";

export type Kind = "body" | "joint" | "force" | "beam" | "marker";
/** An element of the scene, such as `body:3`; a marker is `marker:BODY.NUMBER`. */
export type Ref = `${Kind}:${string}`;

export const LAYERS = {
  shapes: "Bodies",
  joints: "Joints",
  springs: "Springs and forces",
  beams: "Beams",
  grid: "Grid",
  traces: "Traces",
  frames: "Frames of bodies",
  points: "Points",
  masses: "Mass centres",
  inertia: "Inertia ellipsoids",
  arrows: "Force arrows",
  names: "Names",
} as const;
export type Layer = keyof typeof LAYERS;

export interface State {
  /** What is drawn: the model, or what the shown run was computed with. */
  scene: Scene | null;
  /** Parameters of the model as it is written. */
  parameters: Parameter[];
  title: string;
  mode: "model" | "results" | "live";
  connected: boolean;
  diagnostics: Diagnostic[];
  runs: Run[];
  /** The run that is shown; null shows the start pose. */
  run: number | null;
  /** Other runs, drawn as ghosts and laid over the plots. */
  others: number[];
  difference: boolean;
  time: number;
  playing: boolean;
  speed: number;
  loop: boolean;
  /** Keep to the newest frame of a run that goes on. */
  follow: boolean;
  selection: Ref | null;
  hover: Ref | null;
  layers: Record<Layer, boolean>;
  arrowScale: number;
  /** One list of signals a plot. */
  plots: string[][];
  /** Part of the time that the plots show; null shows all. */
  span: [number, number] | null;
  /** Points that leave a trace, as `marker:` references. */
  traced: Ref[];
  theme: "auto" | "light" | "dark";
  units: "si" | "mm";
  projection: "orthographic" | "perspective";
  modes: Mode[];
  /** The mode that moves, instead of a run. */
  shaking: number | null;
  amplitude: number;
  notice: string | null;
}

const LAYERS_AT_START: Record<Layer, boolean> = {
  shapes: true,
  joints: true,
  springs: true,
  beams: true,
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
  };
}

type Listener = () => void;

export class Store {
  private readonly state = startState();
  private readonly listeners = new Map<keyof State, Set<Listener>>();

  get<K extends keyof State>(key: K): State[K] {
    return this.state[key];
  }

  /** Changes some values, then tells each listener of any of them once. */
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

  /** Calls it at once, too. */
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

/** The body and the number of a marker. */
export function markerOf(ref: Ref): [number, number] {
  const [body, marker] = ref.slice(ref.indexOf(":") + 1).split(".");
  return [Number(body), Number(marker)];
}

/** The name by which signals know an element. */
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
  }
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

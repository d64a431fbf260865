// The messages of the server as types, and readers of its binary responses.

export type Vec3 = [number, number, number];
/** x y z qx qy qz qw */
export type Pose = number[];

export interface Shape {
  type: string;
  pose?: Pose | null;
  color?: string | null;
  generated?: boolean;
  radius?: number;
  length?: number;
  inner?: number;
  size?: number[];
  semi_axes?: number[];
  from?: number[];
  to?: number[];
  scale?: number[];
  /** Number of a mesh on the server. */
  mesh?: number | null;
  file?: string;
}

export interface Marker {
  name: string;
  pose: Pose;
}

export interface Body {
  name: string;
  mass: number;
  center: number[];
  /** xx yy zz xy xz yz about the mass centre */
  inertia: number[];
  parent?: number | null;
  station_of?: string | null;
  shapes: Shape[];
  markers: Marker[];
}

export interface Joint {
  name: string;
  type: string;
  bodies: [number, number];
  frames: [Pose, Pose];
  axis?: string | null;
  coordinates: string[];
  freedom: number;
}

export interface End {
  body: number;
  point: number[];
}

export interface Force {
  name: string;
  type: string;
  kind: string;
  ends: End[];
  /** Number of the joint whose coordinate it acts on. */
  joint?: number | null;
}

export interface BeamValue {
  name: string;
  unit: string;
}

/** The cross-section of a beam: `[y, z]`, width along y, height along z. Straight lines connect the points at the start with those at the end. */
export interface Section {
  /** The outer polygon, anticlockwise; then holes, clockwise. */
  start: number[][][];
  end: number[][][];
  /** Triangles of an end face; points are numbered through all polygons. */
  faces: number[][];
  /** The polygons approximate circles. */
  round: boolean;
  /** One per sample: the body whose axes y and z are those of the section, and the fraction of the length before it. */
  nodes?: { body: number; share: number }[];
}

export interface Beam {
  name: string;
  mass?: number;
  samples: number;
  /** Radius of the round bar of equal stiffness that is drawn without a section. */
  radius: number;
  section?: Section | null;
  value: BeamValue;
}

/** A vector at a point of a body; its three components in the ground frame are at the end of every frame. */
export interface Arrow {
  name: string;
  kind: "reaction" | "force" | "torque";
  unit: string;
  at: End;
}

/** A surface of a contact: polylines in its frame, which has a pose in the frame of its body. */
export interface ContactSurface {
  type: string;
  body: number;
  pose: Pose;
  outline: number[][][];
  /** A half-plane (y ≤ 0) or a half-space (z ≤ 0). */
  unbounded: boolean;
}

/** Ten values of each of its points are at the end of every frame: state (0 open, 1 stick, 2 slip), position, unit normal, force on the second surface. */
export interface Contact {
  name: string;
  surfaces: ContactSurface[]; // two, or more if one side is a beam
  points: number;
}

export interface Parameter {
  name: string;
  value: number;
  unit: string;
  /** Computed from other parameters by a formula. */
  derived?: boolean;
}

export interface Scene {
  name: string;
  description?: string;
  space: "planar" | "spatial";
  gravity: number[];
  bounds: { min: number[]; max: number[] };
  bodies: Body[];
  joints: Joint[];
  forces: Force[];
  beams: Beam[];
  arrows: Arrow[];
  /** Scenes of older versions have none. */
  contacts: Contact[];
  parameters: Parameter[];
  frame_size: number;
  pose: number[];
  freedom?: number | null;
  mobility?: string | null;
}

export interface RunEvent {
  time: number;
  name: string;
  text: string;
}

export interface SignalInfo {
  name: string;
  unit: string;
  text?: string;
}

export interface Run {
  id: number;
  name: string;
  frames: number;
  times: { first: number; last: number; step?: number | null; end?: number | null };
  state: "running" | "finished" | "stopped";
  message?: string | null;
  events: RunEvent[];
  signals: SignalInfo[];
  summary?: unknown;
  parameters?: Record<string, number>;
  /** Signals that the model plots, one list per plot. */
  plots?: string[][];
}

export interface Diagnostic {
  severity: string;
  code?: string;
  message: string;
  file?: string | null;
  line?: number | null;
  column?: number | null;
  help?: string | null;
  /** The whole message as the command prints it. */
  text?: string | null;
}

export interface Session {
  version: string;
  mode: "model" | "results" | "live";
  title: string;
  runs: Run[];
  scene: Scene | null;
  diagnostics: Diagnostic[];
  source?: string | null;
  /** Number of the last change that the session includes. */
  change?: number;
}

/** The animated frame is `pose + a (cos θ shape + sin θ quadrature)`. */
export interface Mode {
  frequency: number;
  damping: number;
  text?: string;
  /** If the state is not an equilibrium: the quantity that changes. */
  note?: string | null;
  shape: number[];
  quadrature?: number[];
}

export type Message =
  | { type: "scene"; scene: Scene; source?: string | null }
  | { type: "diagnostics"; list: Diagnostic[] }
  | { type: "run"; run: Run }
  | { type: "removed"; id: number }
  | { type: "ended"; message?: string };

/** Consecutive frames: `times[k]` and, from `k * stride + 2`, the values of frame `from + k`. */
export interface Frames {
  from: number;
  count: number;
  stride: number;
  times: Float64Array;
  data: Float32Array;
}

/** The number of values of a contact point. */
export const TOUCH = 10;

/** The index of the first value of the contact points in a frame. */
export function firstTouch(scene: Scene): number {
  return scene.frame_size - TOUCH * scene.contacts.reduce((sum, contact) => sum + contact.points, 0);
}

/** A record is an f64 time and `size` f32 values, so its stride is `size + 2` f32. */
export function readFrames(buffer: ArrayBuffer, from: number, size: number): Frames {
  const stride = size + 2;
  const count = Math.floor(buffer.byteLength / (4 * stride));
  const view = new DataView(buffer);
  const times = new Float64Array(count);
  for (let k = 0; k < count; k++) times[k] = view.getFloat64(4 * k * stride, true);
  return { from, count, stride, times, data: new Float32Array(buffer, 0, count * stride) };
}

/** An element of the model file: `[[body]]` with its name, or a table without one; the keys before the first table belong to "". */
export interface Address {
  table: string;
  name: string | null;
}

/** An element as written in the file: its keys and the text of their values. */
export interface Written extends Address {
  entries: [string, string][];
}

export type Change =
  | { do: "set"; element: Address; key: string; value: string }
  | { do: "unset"; element: Address; key: string }
  | { do: "add"; table: string; entries: [string, string][] }
  | { do: "remove"; element: Address }
  | { do: "rename"; element: Address; name: string };

/** The version of the file, and the number of changes that can be undone and redone. */
export interface Now {
  version: string;
  undo: number;
  redo: number;
}

/** The effect of a change on other elements. */
export interface Effect {
  gone: Address[];
  changed: [Address, string][];
}

export interface KeyInfo {
  name: string;
  text: string;
  unit: string;
  takes: string;
  required: boolean;
  words: string[];
}

export interface KindInfo {
  name: string;
  text: string;
  spaces: string[];
  keys: KeyInfo[];
}

/** A table of the model language. */
export interface TableInfo {
  name: string;
  text: string;
  list: boolean;
  open: boolean;
  keys: KeyInfo[];
  choice: string;
  kinds: KindInfo[];
}

/** Minimum and maximum in each of consecutive intervals of time. */
export interface History {
  times: Float64Array;
  min: Float64Array;
  max: Float64Array;
}

/** A u32 number of rows for each signal, then its rows of (time, minimum, maximum). */
export function readHistories(buffer: ArrayBuffer, names: number): History[] {
  const view = new DataView(buffer);
  const out: History[] = [];
  let at = 0;
  for (let k = 0; k < names && at + 4 <= buffer.byteLength; k++) {
    const rows = view.getUint32(at, true);
    at += 4;
    const history: History = {
      times: new Float64Array(rows),
      min: new Float64Array(rows),
      max: new Float64Array(rows),
    };
    for (let r = 0; r < rows; r++, at += 24) {
      history.times[r] = view.getFloat64(at, true);
      history.min[r] = view.getFloat64(at + 8, true);
      history.max[r] = view.getFloat64(at + 16, true);
    }
    out.push(history);
  }
  return out;
}

/** Fills in the optional fields, so that the rest of the page can rely on them. */
export function complete(scene: Scene): Scene {
  return {
    ...scene,
    gravity: scene.gravity ?? [0, 0, 0],
    bodies: (scene.bodies ?? []).map((body) => ({
      ...body,
      shapes: body.shapes ?? [],
      markers: body.markers ?? [],
    })),
    joints: scene.joints ?? [],
    forces: scene.forces ?? [],
    beams: scene.beams ?? [],
    arrows: scene.arrows ?? [],
    contacts: scene.contacts ?? [],
    parameters: scene.parameters ?? [],
  };
}

export function completeRun(run: Run): Run {
  return { ...run, events: run.events ?? [], signals: run.signals ?? [] };
}

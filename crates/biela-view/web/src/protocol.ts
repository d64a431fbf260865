// What the server says, as types, and the reading of its binary answers.

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
  /** Number of a surface that the server holds. */
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
  /** Number of the joint it acts along. */
  joint?: number | null;
}

export interface BeamValue {
  name: string;
  unit: string;
}

/** The cross-section of a beam: `[y, z]`, width along y, height along z. Points at the start go along straight lines to those at the end. */
export interface Section {
  /** The outer polygon, anticlockwise; then holes, clockwise. */
  start: number[][][];
  end: number[][][];
  /** Triangles that close an end; points are counted through all polygons. */
  faces: number[][];
  /** The polygons stand for circles. */
  round: boolean;
  /** One a sample: the body whose axes y and z are those of the section, and the share of the length before it. */
  nodes?: { body: number; share: number }[];
}

export interface Beam {
  name: string;
  mass?: number;
  samples: number;
  /** Of a round bar of the same stiffnesses, drawn where there is no section. */
  radius: number;
  section?: Section | null;
  value: BeamValue;
}

/** A vector shown at a point of a body; its three ground components are at the end of every frame. */
export interface Arrow {
  name: string;
  kind: "reaction" | "force" | "torque";
  unit: string;
  at: End;
}

export interface Parameter {
  name: string;
  value: number;
  unit: string;
  /** It follows from others by a formula. */
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
  /** Signals that the model asks to see, one list a plot. */
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
  /** Number of the last change that this tells of. */
  change?: number;
}

/** Moves as `pose + a (cos θ shape + sin θ quadrature)`, one number for each of a frame. */
export interface Mode {
  frequency: number;
  damping: number;
  text?: string;
  /** Where the state is no balance: what changes. */
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

/** Consecutive frames: `times[k]` and, from `k * stride + 2`, the numbers of frame `from + k`. */
export interface Frames {
  from: number;
  count: number;
  stride: number;
  times: Float64Array;
  data: Float32Array;
}

/** A record is an f64 time and `size` f32 numbers, so seen as f32 its stride is `size + 2`. */
export function readFrames(buffer: ArrayBuffer, from: number, size: number): Frames {
  const stride = size + 2;
  const count = Math.floor(buffer.byteLength / (4 * stride));
  const view = new DataView(buffer);
  const times = new Float64Array(count);
  for (let k = 0; k < count; k++) times[k] = view.getFloat64(4 * k * stride, true);
  return { from, count, stride, times, data: new Float32Array(buffer, 0, count * stride) };
}

/** An element of the model file: `[[body]]` with its name, or a table without one; the keys before the first table are those of "". */
export interface Address {
  table: string;
  name: string | null;
}

/** An element as the file has it: keys and values as they are written. */
export interface Written extends Address {
  entries: [string, string][];
}

export type Change =
  | { do: "set"; element: Address; key: string; value: string }
  | { do: "unset"; element: Address; key: string }
  | { do: "add"; table: string; entries: [string, string][] }
  | { do: "remove"; element: Address }
  | { do: "rename"; element: Address; name: string };

/** Which text the file has, and how many changes can be taken back and made again. */
export interface Now {
  version: string;
  undo: number;
  redo: number;
}

/** What a change takes along. */
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

/** Least and largest value in each of consecutive buckets of time. */
export interface History {
  times: Float64Array;
  min: Float64Array;
  max: Float64Array;
}

/** A u32 number of rows for each signal, then its rows of (time, least, largest). */
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

/** Fills what a server may leave out, so that the rest of the page needs no such cases. */
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
    parameters: scene.parameters ?? [],
  };
}

export function completeRun(run: Run): Run {
  return { ...run, events: run.events ?? [], signals: run.signals ?? [] };
}

// A four-bar linkage in closed form: crank, coupler and rocker, with a spring and a coupler point.

import { record } from "./stage.mjs";

const [A, B, C, D] = [0.12, 0.35, 0.25, 0.35];
const IDENTITY = [0, 0, 0, 0, 0, 0, 1];
const at = (x, y) => [x, y, 0, 0, 0, 0, 1];
const bar = (radius, to) => ({ type: "bar", radius, from: [0, 0, 0], to, pose: IDENTITY, color: null, generated: false });

/** Angles of coupler and rocker for a crank angle, from the triangle of crank pin, coupler pin and rocker pivot. */
export function pose(crank) {
  const [ax, ay] = [A * Math.cos(crank), A * Math.sin(crank)];
  const diagonal = Math.hypot(D - ax, -ay);
  const toPivot = Math.atan2(-ay, D - ax);
  const corner = Math.acos((B * B + diagonal * diagonal - C * C) / (2 * B * diagonal));
  const coupler = toPivot + corner;
  const [bx, by] = [ax + B * Math.cos(coupler), ay + B * Math.sin(coupler)];
  return { ax, ay, coupler, rocker: Math.atan2(by, bx - D) };
}

function fill(crank, out) {
  const { ax, ay, coupler, rocker } = pose(crank);
  out.fill(0);
  const put = (body, x, y, angle) => {
    out[7 * body] = x;
    out[7 * body + 1] = y;
    out[7 * body + 5] = Math.sin(angle / 2);
    out[7 * body + 6] = Math.cos(angle / 2);
  };
  put(0, 0, 0, 0);
  put(1, 0, 0, crank);
  put(2, ax, ay, coupler);
  put(3, D, 0, rocker);
}

const body = (name, mass, length, shapes, markers) => ({
  name,
  mass,
  center: [length / 2, 0, 0],
  inertia: [1e-6, (mass * length ** 2) / 12, (mass * length ** 2) / 12, 0, 0, 0],
  parent: 0,
  station_of: null,
  shapes,
  markers: markers.map(([marker, x, y]) => ({ name: marker, pose: at(x, y) })),
});

const joint = (name, bodies, first, second) => ({
  name,
  type: "revolute",
  bodies,
  frames: [at(...first), at(...second)],
  axis: "z",
  coordinates: [`${name}.angle`],
  freedom: 1,
});

export function scene() {
  const start = new Float32Array(28);
  fill(1, start);
  return {
    name: "four-bar",
    description: "A crank drives a four-bar linkage at constant speed.",
    space: "planar",
    gravity: [0, -9.81, 0],
    bounds: { min: [-0.13, -0.05, -0.02], max: [0.42, 0.36, 0.02] },
    bodies: [
      { name: "ground", mass: 0, center: [0, 0, 0], inertia: [0, 0, 0, 0, 0, 0], parent: null, station_of: null, shapes: [], markers: [] },
      body("crank", 0.6, A, [bar(0.008, [A, 0, 0])], [["A", A, 0]]),
      body("coupler", 0.9, B, [bar(0.008, [B, 0, 0]), { ...bar(0.005, [B / 2, 0.12, 0]), from: [B / 2, 0, 0] }], [["B", B, 0], ["P", B / 2, 0.12]]),
      body("rocker", 0.7, C, [bar(0.008, [C, 0, 0])], [["B", C, 0]]),
    ],
    joints: [
      joint("O", [0, 1], [0, 0], [0, 0]),
      joint("A", [1, 2], [A, 0], [0, 0]),
      joint("B", [2, 3], [B, 0], [C, 0]),
      joint("C", [0, 3], [D, 0], [0, 0]),
    ],
    forces: [{ name: "spring", type: "spring-damper", kind: "spring", joint: null, ends: [{ body: 0, point: [0.1, 0.3, 0] }, { body: 2, point: [B / 2, 0.12, 0] }] }],
    beams: [],
    arrows: [],
    parameters: [{ name: "speed", value: 1, unit: "rad/s", derived: false }],
    frame_size: 28,
    pose: Array.from(start),
    freedom: 1,
    mobility: "one degree of freedom",
  };
}

const SIGNALS = {
  "O.angle": ["rad", "value of the coordinate", (t, w) => 1 + w * t],
  "O.rate": ["rad/s", "rate of the coordinate", (_, w) => w],
  "C.angle": ["rad", "value of the coordinate", (t, w) => pose(1 + w * t).rocker],
  "coupler.P.x": ["m", "position along x", (t, w) => { const p = pose(1 + w * t); return p.ax + (B / 2) * Math.cos(p.coupler) - 0.12 * Math.sin(p.coupler); }],
  "energy.kinetic": ["J", "kinetic energy", (t) => 1 + 0.4 * Math.sin(t)],
  "energy.potential": ["J", "potential energy", (t) => 2 - 0.4 * Math.sin(t)],
  "energy.total": ["J", "kinetic and potential energy", () => 3],
  "system.position_error": ["1", "largest residual of the position equations", (t) => 1e-12 * (1 + t)],
};

/** A run at a crank speed: `frames` frames at intervals of `step`. */
export function run(id, name, speed, { frames = 1001, step = 0.01, state = "finished", message = "", events = [] } = {}) {
  return {
    speed,
    step,
    info: {
      id,
      name,
      frames,
      times: { first: 0, last: (frames - 1) * step, step, end: null },
      state,
      message,
      events,
      signals: Object.entries(SIGNALS).map(([signal, [unit, text]]) => ({ name: signal, unit, text })),
      parameters: {},
      summary: { energy_drift: 1e-9 },
    },
  };
}

/** The data that the test server serves for some runs. */
export function show(runs, { mode = "results", diagnostics = [], model = scene() } = {}) {
  return {
    runs,
    diagnostics,
    model,
    session() {
      return { version: "0", mode, title: this.model.name, runs: this.runs.map((one) => one.info), scene: this.model, diagnostics: this.diagnostics, source: null };
    },
    frames(id, from, count, every) {
      const { info, speed, step } = this.runs.find((one) => one.info.id === id);
      return record(28, from, count, every, info.frames - 1, (frame, out) => {
        fill(1 + speed * frame * step, out);
        return frame * step;
      });
    },
    signals(id, names, from, to, points) {
      const { info, speed, step } = this.runs.find((one) => one.info.id === id);
      const rows = [];
      for (let k = 0; k < info.frames; k++) if (k * step >= from && k * step <= to) rows.push(k * step);
      const each = Math.max(1, Math.ceil(rows.length / points));
      return names.map((name) => {
        const value = SIGNALS[name]?.[2];
        if (!value) return [];
        const out = [];
        for (let k = 0; k < rows.length; k += each) {
          const some = rows.slice(k, k + each).map((time) => value(time, speed));
          out.push([rows[k], Math.min(...some), Math.max(...some)]);
        }
        return out;
      });
    },
  };
}

// A spatial scene with every shape and joint, beams, springs and arrows, all of which oscillate about their positions.

import { record } from "./stage.mjs";

const JOINTS = [
  "weld", "revolute", "prismatic", "cylindrical", "spherical", "universal", "planar", "screw", "free", "distance",
  "point-on-line", "point-in-plane", "parallel-axes", "generic", "constant-velocity", "rolling-disc", "knife-edge",
];
const SHAPES = [
  { type: "box", size: [0.3, 0.2, 0.25] },
  { type: "cylinder", radius: 0.12, length: 0.3 },
  { type: "sphere", radius: 0.15 },
  { type: "ellipsoid", semi_axes: [0.2, 0.1, 0.14] },
  { type: "cone", radius: 0.14, length: 0.3 },
  { type: "capsule", radius: 0.08, length: 0.25 },
  { type: "tube", radius: 0.15, inner: 0.1, length: 0.25 },
  { type: "bar", radius: 0.04, from: [-0.15, 0, 0], to: [0.15, 0.1, 0.1] },
];
const HERE = [0, 0, 0, 0, 0, 0, 1];
const SAMPLES = 33;
const BODIES = JOINTS.length + 1;
const SIZE = 7 * BODIES + 4 * SAMPLES + 3 * 2;
const place = (k) => [0.6 * ((k - 1) % 6), 0.6 * Math.floor((k - 1) / 6), 0.3];

function fill(time, out) {
  out.fill(0);
  out[6] = 1;
  for (let k = 1; k < BODIES; k++) {
    const [x, y, z] = place(k);
    const angle = 0.3 * Math.sin(time + k);
    out.set([x, y, z, Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)], 7 * k);
  }
  const beam = 7 * BODIES;
  for (let s = 0; s < SAMPLES; s++) {
    const x = s / (SAMPLES - 1);
    out.set([3 * x, -0.6, 0.3 + 0.25 * Math.sin(time) * x * x, Math.sin(time) * (1 - x)], beam + 4 * s);
  }
  out.set([0, 0, 20 * Math.cos(time), 0, 12 * Math.sin(time), 5], beam + 4 * SAMPLES);
}

export function scene() {
  const pose = new Float32Array(SIZE);
  fill(0.8, pose);
  const bodies = [{ name: "ground", mass: 0, center: [0, 0, 0], inertia: [0, 0, 0, 0, 0, 0], parent: null, station_of: null, shapes: [], markers: [] }];
  JOINTS.forEach((_, k) => {
    const shape = { ...SHAPES[k % SHAPES.length], pose: HERE, color: null, generated: false };
    bodies.push({ name: `${shape.type} ${k + 1}`, mass: 1 + k, center: [0.01, 0, 0], inertia: [0.02, 0.03, 0.04, 0.004, 0, 0], parent: 0, station_of: null, shapes: [shape], markers: [{ name: "tip", pose: [0.2, 0, 0.1, 0, 0, 0, 1] }] });
  });
  return {
    name: "zoo",
    description: "Every type of element.",
    space: "spatial",
    gravity: [0, 0, -9.81],
    bounds: { min: [-0.3, -0.7, 0], max: [3.2, 1.5, 0.8] },
    bodies,
    joints: JOINTS.map((type, k) => ({ name: `joint ${type}`, type, bodies: [0, k + 1], frames: [[place(k + 1)[0], place(k + 1)[1], 0.62, 0, 0, 0, 1], [0, 0, 0.32, 0, 0, 0, 1]], axis: "z", coordinates: [], freedom: 1 })),
    forces: [
      { name: "spring", type: "spring-damper", kind: "spring", joint: null, ends: [{ body: 1, point: [0, 0, 0.1] }, { body: 8, point: [0, 0, 0] }] },
      { name: "line", type: "bushing", kind: "line", joint: null, ends: [{ body: 2, point: [0, 0, 0] }, { body: 9, point: [0, 0, 0] }] },
      { name: "push", type: "force", kind: "arrow", joint: null, ends: [{ body: 3, point: [0, 0, 0.15] }] },
      { name: "turn", type: "torque", kind: "torque", joint: null, ends: [{ body: 4, point: [0, 0, 0.1] }] },
    ],
    beams: [{ name: "rod", mass: 0.4, samples: SAMPLES, radius: 0.03, value: { name: "bending moment", unit: "N*m" } }],
    arrows: [
      { name: "push", kind: "force", unit: "N", at: { body: 3, point: [0, 0, 0.15] } },
      { name: "joint revolute", kind: "reaction", unit: "N", at: { body: 2, point: [0, 0, 0.32] } },
    ],
    parameters: [],
    frame_size: SIZE,
    pose: Array.from(pose),
    freedom: 20,
    mobility: "",
  };
}

export function show() {
  const info = { id: 0, name: "sway", frames: 200, times: { first: 0, last: 9.95, step: 0.05, end: null }, state: "finished", message: "", events: [], signals: [], parameters: {}, summary: {} };
  return {
    session: () => ({ version: "0", mode: "results", title: "zoo", runs: [info], scene: scene(), diagnostics: [], source: null }),
    frames: (_, from, count, every) => record(SIZE, from, count, every, 199, (frame, out) => (fill(0.05 * frame, out), 0.05 * frame)),
    signals: (_, names) => names.map(() => []),
  };
}

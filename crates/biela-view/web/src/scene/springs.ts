// Coil springs, dampers and hydraulic cylinders, rods of distance joints, and points of application of forces.

import {
  BufferAttribute,
  BufferGeometry,
  CylinderGeometry,
  Group,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from "three";
import type { End, Force, Scene } from "../protocol";
import type { Ref } from "../store";
import { pointOf, refer, signSize, type Part } from "./layer";
import type { Theme } from "./palette";

const COILS = 9;
const STEPS = 16;
const AROUND = 6;
/** Fraction of the length that is straight wire, at each end. */
const LEAD = 0.12;
/** Fraction of a cylinder's initial length that is its barrel. */
const BARREL = 0.55;
const Y = new Vector3(0, 1, 0);

export class Springs implements Part {
  readonly root = new Group();
  private readonly moved: ((frame: Float32Array) => void)[] = [];
  private readonly wires: MeshStandardMaterial[] = [];
  private readonly strokes: LineBasicMaterial[] = [];
  private readonly dots: MeshBasicMaterial[] = [];
  private readonly signs: Mesh[] = [];
  /** Materials of each force, for highlighting. */
  private readonly ofForce = new Map<number, { color: { copy(c: unknown): unknown } }[]>();
  private theme: Theme | null = null;

  constructor(
    scene: Scene,
    private readonly size: number,
  ) {
    scene.forces.forEach((force, k) => this.add(force, k, scene));
    for (const [k, joint] of scene.joints.entries()) {
      if (joint.type !== "distance") continue;
      const ends = joint.bodies.map((body, e) => ({ body, point: joint.frames[e].slice(0, 3) }));
      this.rod(ends[0], ends[1], k);
    }
  }

  private add(force: Force, k: number, scene: Scene): void {
    const [a, b] = force.ends;
    if (a && b && force.kind === "spring") this.coil(a, b, k, 0.015 * this.size);
    else if (a && b && force.kind === "cylinder") this.cylinder(a, b, k, scene);
    else if (a && b && force.kind === "line") this.stroke(a, b, k);
    else if (a) this.dot(a, force.kind === "torque", k, scene);
  }

  private coil(a: End, b: End, k: number, radius: number): void {
    const material = new MeshStandardMaterial({ roughness: 0.5, metalness: 0.3 });
    const rings = COILS * STEPS + 1;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * rings * AROUND), 3));
    geometry.setAttribute("normal", new BufferAttribute(new Float32Array(3 * rings * AROUND), 3));
    const faces: number[] = [];
    for (let r = 0; r + 1 < rings; r++)
      for (let c = 0; c < AROUND; c++) {
        const [p, q] = [r * AROUND + c, r * AROUND + ((c + 1) % AROUND)];
        faces.push(p, q, p + AROUND, p + AROUND, q, q + AROUND);
      }
    geometry.setIndex(faces);
    const mesh = new Mesh(geometry, material);
    mesh.frustumCulled = false;
    refer(mesh, `force:${k}`);
    this.root.add(mesh);
    this.wires.push(material);
    this.ofForce.set(k, [material]);
    const [from, to] = [new Vector3(), new Vector3()];
    this.moved.push((frame) => {
      pointOf(frame, a.body, a.point, from);
      pointOf(frame, b.body, b.point, to);
      wind(geometry, from, to, radius);
    });
  }

  /** A round bar of unit length along y, moved to lie between two points. */
  private bar(radius: number, ref: Ref): { material: MeshStandardMaterial; lay: (from: Vector3, to: Vector3) => void } {
    const material = new MeshStandardMaterial({ roughness: 0.5, metalness: 0.3 });
    const mesh = new Mesh(new CylinderGeometry(radius, radius, 1, 20), material);
    refer(mesh, ref);
    this.root.add(mesh);
    this.wires.push(material);
    const along = new Vector3();
    const lay = (from: Vector3, to: Vector3) => {
      along.subVectors(to, from);
      const length = along.length();
      mesh.visible = length > 0;
      if (!mesh.visible) return;
      mesh.position.addVectors(from, to).multiplyScalar(0.5);
      mesh.quaternion.setFromUnitVectors(Y, along.divideScalar(length));
      mesh.scale.set(1, length, 1);
    };
    return { material, lay };
  }

  /** The rod of a distance joint. */
  private rod(a: End, b: End, joint: number): void {
    const { lay } = this.bar(0.005 * this.size, `joint:${joint}`);
    const [from, to] = [new Vector3(), new Vector3()];
    this.moved.push((frame) => lay(pointOf(frame, a.body, a.point, from), pointOf(frame, b.body, b.point, to)));
  }

  /** A damper or a hydraulic cylinder: a barrel of constant length, and its rod. */
  private cylinder(a: End, b: End, k: number, scene: Scene): void {
    const barrel = this.bar(0.014 * this.size, `force:${k}`);
    const rod = this.bar(0.005 * this.size, `force:${k}`);
    this.ofForce.set(k, [barrel.material, rod.material]);
    const start = Float32Array.from(scene.pose);
    const [from, to, end] = [new Vector3(), new Vector3(), new Vector3()];
    const ends = (frame: Float32Array) => [pointOf(frame, a.body, a.point, from), pointOf(frame, b.body, b.point, to)];
    ends(start);
    const length = BARREL * from.distanceTo(to);
    this.moved.push((frame) => {
      ends(frame);
      const all = from.distanceTo(to);
      end.copy(from).lerp(to, all > 0 ? Math.min(1, length / all) : 0);
      barrel.lay(from, end);
      rod.lay(end, to);
    });
  }

  private stroke(a: End, b: End, k: number | null): void {
    const material = new LineBasicMaterial();
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(6), 3));
    const line = new Line(geometry, material);
    line.frustumCulled = false;
    if (k !== null) {
      refer(line, `force:${k}`);
      this.ofForce.set(k, [material]);
    }
    this.root.add(line);
    this.strokes.push(material);
    const at = new Vector3();
    this.moved.push((frame) => {
      const position = geometry.getAttribute("position") as BufferAttribute;
      pointOf(frame, a.body, a.point, at);
      position.setXYZ(0, at.x, at.y, at.z);
      pointOf(frame, b.body, b.point, at);
      position.setXYZ(1, at.x, at.y, at.z);
      position.needsUpdate = true;
      geometry.computeBoundingSphere();
    });
  }

  private dot(end: End, turns: boolean, k: number, scene: Scene): void {
    const material = new MeshBasicMaterial({ depthTest: scene.space !== "planar" });
    const geometry = turns ? new TorusGeometry(1.7, 0.16, 8, 32, 5) : new SphereGeometry(0.5, 16, 12);
    const mesh = new Mesh(geometry, material);
    mesh.renderOrder = 6;
    refer(mesh, `force:${k}`);
    this.root.add(mesh);
    this.dots.push(material);
    this.signs.push(mesh);
    this.ofForce.set(k, [material]);
    this.moved.push((frame) => void pointOf(frame, end.body, end.point, mesh.position));
  }

  fit(visibleHeight: number): void {
    for (const sign of this.signs) sign.scale.setScalar(signSize(this.size, visibleHeight));
  }

  move(frame: Float32Array): void {
    for (const one of this.moved) one(frame);
  }

  paint(theme: Theme): void {
    this.theme = theme;
    for (const material of [...this.wires, ...this.strokes]) material.color.copy(theme.spring);
    for (const material of this.dots) material.color.copy(theme.force);
  }

  highlight(selected: number, hovered: number): void {
    const theme = this.theme;
    if (!theme) return;
    this.paint(theme);
    for (const k of [selected, hovered]) for (const material of this.ofForce.get(k) ?? []) material.color.copy(theme.accent);
  }
}

/** Shapes the wire of a coil between two points. */
function wind(geometry: BufferGeometry, from: Vector3, to: Vector3, radius: number): void {
  const position = geometry.getAttribute("position") as BufferAttribute;
  const normal = geometry.getAttribute("normal") as BufferAttribute;
  const axis = to.clone().sub(from);
  const length = axis.length();
  if (length > 0) axis.divideScalar(length);
  else axis.set(0, 0, 1);
  const u = (Math.abs(axis.z) < 0.9 ? new Vector3(0, 0, 1) : new Vector3(1, 0, 0)).cross(axis).normalize();
  const v = axis.clone().cross(u);
  const wire = 0.2 * radius;
  const rings = COILS * STEPS + 1;
  const center = new Vector3();
  const out = new Vector3();
  const n = new Vector3();
  for (let r = 0; r < rings; r++) {
    const share = r / (rings - 1);
    const angle = 2 * Math.PI * COILS * share;
    const end = Math.min(share, 1 - share);
    const wide = radius * Math.min(1, Math.max(0, (end - 0.4 * LEAD) / (0.6 * LEAD)));
    out.copy(u).multiplyScalar(Math.cos(angle)).addScaledVector(v, Math.sin(angle));
    center.copy(from).addScaledVector(axis, length * share).addScaledVector(out, wide);
    for (let c = 0; c < AROUND; c++) {
      const turn = (2 * Math.PI * c) / AROUND;
      n.copy(out).multiplyScalar(Math.cos(turn)).addScaledVector(axis, Math.sin(turn));
      const k = r * AROUND + c;
      position.setXYZ(k, center.x + wire * n.x, center.y + wire * n.y, center.z + wire * n.z);
      normal.setXYZ(k, n.x, n.y, n.z);
    }
  }
  position.needsUpdate = true;
  normal.needsUpdate = true;
  geometry.computeBoundingSphere();
}

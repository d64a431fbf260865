// The surfaces of contacts as lines: a half-plane with hatches on the side of its material, a half-space as a grid.

import { BufferAttribute, BufferGeometry, Group, LineBasicMaterial, LineSegments, Points, PointsMaterial, Quaternion, Vector3 } from "three";
import type { ContactSurface, Scene } from "../protocol";
import { place, setPose, type Part } from "./layer";
import type { Theme } from "./palette";

/** Half-length of what is drawn of an unbounded surface, as a multiple of the size of the model. */
const REACH = 2;
/** Spacing of its hatches and of its grid, as a fraction of the size of the model. */
const HATCH = 0.04;
const GRID = 0.25;

interface Unbounded {
  surface: ContactSurface;
  lines: LineSegments;
  step: number;
}

export class Surfaces implements Part {
  readonly root = new Group();
  /** One group for each body. */
  private readonly groups: Group[];
  private readonly line = new LineBasicMaterial();
  private readonly dot = new PointsMaterial({ size: 5, sizeAttenuation: false });
  private readonly unbounded: Unbounded[] = [];
  private readonly middle = new Vector3();
  private readonly turn = new Quaternion();

  constructor(
    private readonly scene: Scene,
    size: number,
  ) {
    const flat = scene.space === "planar";
    // in a planar model they are inside the bodies
    this.line.depthTest = !flat;
    this.dot.depthTest = !flat;
    this.groups = scene.bodies.map(() => new Group());
    this.root.add(...this.groups);
    for (const surface of scene.contacts.flatMap((contact) => contact.surfaces)) {
      const holder = new Group();
      setPose(holder, surface.pose);
      this.groups[surface.body].add(holder);
      if (surface.unbounded) {
        const step = (flat ? HATCH : GRID) * size;
        const lines = new LineSegments(flat ? hatched(step, REACH * size) : grid(step, REACH * size), this.line);
        lines.frustumCulled = false;
        lines.renderOrder = 5;
        holder.add(lines);
        this.unbounded.push({ surface, lines, step });
        continue;
      }
      const dots = surface.outline.filter((line) => line.length === 1).flat();
      const pairs = surface.outline.flatMap((line) => line.slice(1).flatMap((point, k) => [line[k], point]));
      if (pairs.length > 0) holder.add(new LineSegments(geometry(pairs), this.line));
      if (dots.length > 0) holder.add(new Points(geometry(dots), this.dot));
      for (const child of holder.children) child.renderOrder = 5;
    }
  }

  move(frame: Float32Array): void {
    this.groups.forEach((group, body) => place(frame, body, group.position, group.quaternion));
    for (const { surface, lines, step } of this.unbounded) {
      // around the middle of the other bodies, moved by whole steps so that hatches and grid stay where they are
      this.centre(frame, surface.body);
      const group = this.groups[surface.body];
      this.middle.sub(group.position).applyQuaternion(this.turn.copy(group.quaternion).invert());
      const holder = lines.parent as Group;
      this.middle.sub(holder.position).applyQuaternion(this.turn.copy(holder.quaternion).invert());
      const whole = (x: number) => step * Math.round(x / step);
      lines.position.set(whole(this.middle.x), this.scene.space === "planar" ? 0 : whole(this.middle.y), 0);
    }
  }

  /** The mean position of the bodies except one and the ground. */
  private centre(frame: Float32Array, without: number): void {
    this.middle.set(0, 0, 0);
    let count = 0;
    for (let body = 1; body < this.scene.bodies.length; body++) {
      if (body === without) continue;
      this.middle.add(new Vector3(frame[7 * body], frame[7 * body + 1], frame[7 * body + 2]));
      count++;
    }
    if (count > 0) this.middle.divideScalar(count);
  }

  paint(theme: Theme): void {
    this.line.color.copy(theme.surface);
    this.dot.color.copy(theme.surface);
  }
}

function geometry(points: number[][]): BufferGeometry {
  return new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(points.flat()), 3));
}

/** The x axis with hatches below it. */
function hatched(step: number, reach: number): BufferGeometry {
  const count = Math.ceil(reach / step);
  const points = [
    [-count * step, 0, 0],
    [count * step, 0, 0],
  ];
  for (let k = -count; k < count; k++) points.push([(k + 0.6) * step, 0, 0], [k * step, -0.6 * step, 0]);
  return geometry(points);
}

/** Lines in the plane of x and y. */
function grid(step: number, reach: number): BufferGeometry {
  const count = Math.ceil(reach / step);
  const end = count * step;
  const points: number[][] = [];
  for (let k = -count; k <= count; k++) points.push([k * step, -end, 0], [k * step, end, 0], [-end, k * step, 0], [end, k * step, 0]);
  return geometry(points);
}

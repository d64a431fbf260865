// What every part of the picture has in common: it is built for a scene, moved by a frame, painted by a theme.

import { BufferGeometry, Material, Mesh, LineSegments, Line, Object3D, Quaternion, Vector3 } from "three";
import type { Scene } from "../protocol";
import type { Ref } from "../store";
import type { Theme } from "./palette";

export interface Part {
  readonly root: Object3D;
  /** Follows a frame of the motion. */
  move(frame: Float32Array): void;
  paint(theme: Theme): void;
}

/** Marks an object so that a click on it selects an element. */
export function refer(object: Object3D, ref: Ref): void {
  object.traverse((child) => {
    child.userData.ref = ref;
  });
}

export function referred(object: Object3D | null): Ref | null {
  return (object?.userData.ref as Ref | undefined) ?? null;
}

/** A body's frame in a frame of the motion. */
export function place(frame: Float32Array, body: number, position: Vector3, turn: Quaternion): void {
  const k = 7 * body;
  position.set(frame[k], frame[k + 1], frame[k + 2]);
  turn.set(frame[k + 3], frame[k + 4], frame[k + 5], frame[k + 6]);
}

const somewhere = new Vector3();
const somehow = new Quaternion();

/** A point of a body, in ground axes. */
export function pointOf(frame: Float32Array, body: number, point: number[], out: Vector3): Vector3 {
  place(frame, body, somewhere, somehow);
  return out.set(point[0] ?? 0, point[1] ?? 0, point[2] ?? 0).applyQuaternion(somehow).add(somewhere);
}

export function setPose(object: Object3D, pose: number[] | null | undefined): void {
  if (!pose) return;
  object.position.set(pose[0], pose[1], pose[2]);
  object.quaternion.set(pose[3], pose[4], pose[5], pose[6]);
}

/** A length that things like glyphs and arrows are measured by. */
export function modelSize(scene: Scene): number {
  const { min, max } = scene.bounds;
  const size = Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  return Number.isFinite(size) && size > 0 ? size : 1;
}

/** Gives back the memory of everything below. */
export function release(root: Object3D): void {
  root.traverse((child) => {
    if (!(child instanceof Mesh || child instanceof LineSegments || child instanceof Line)) return;
    (child.geometry as BufferGeometry).dispose();
    for (const material of [child.material as Material | Material[]].flat()) material.dispose();
  });
  root.removeFromParent();
}

// The interface of every part of the picture: built for a scene, moved by a frame, coloured by a theme.

import { BufferGeometry, Material, Mesh, LineSegments, Line, Object3D, Points, Quaternion, Vector3 } from "three";
import type { Ref } from "../store";
import type { Theme } from "./palette";

export interface Part {
  readonly root: Object3D;
  /** Moves to a frame of the motion. */
  move(frame: Float32Array): void;
  paint(theme: Theme): void;
}

/** Links an object to the element that a click on it selects. */
export function refer(object: Object3D, ref: Ref): void {
  object.traverse((child) => {
    child.userData.ref = ref;
  });
}

export function referred(object: Object3D | null): Ref | null {
  return (object?.userData.ref as Ref | undefined) ?? null;
}

/** The pose of a body in a frame of the motion. */
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

/** The size of symbols: constant on the screen, limited by the size of the model. */
export function signSize(modelSize: number, visibleHeight: number): number {
  return Math.max(0.002 * modelSize, Math.min(0.03 * modelSize, 0.017 * visibleHeight));
}

/** Frees the GPU memory of an object and its children. */
export function release(root: Object3D): void {
  root.traverse((child) => {
    if (!(child instanceof Mesh || child instanceof LineSegments || child instanceof Line || child instanceof Points)) return;
    (child.geometry as BufferGeometry).dispose();
    for (const material of [child.material as Material | Material[]].flat()) material.dispose();
  });
  root.removeFromParent();
}

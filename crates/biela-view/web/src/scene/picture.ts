// The scene of a model: all parts, moved by frames, with the selected elements.

import { Box3, Color, Quaternion, Vector3, type Object3D } from "three";
import type { Source } from "../api";
import type { ContactSurface, Frames, Scene } from "../protocol";
import { indexOf, kindOf, markerOf, type Layer, type Ref } from "../store";
import { Arrows } from "./arrows";
import { Beams } from "./beams";
import { Bodies } from "./bodies";
import { Contacts } from "./contacts";
import { Joints } from "./joints";
import { place, pointOf, referred, release, type Part } from "./layer";
import { Marks } from "./marks";
import { lineColor, theme as themeOf, type Theme } from "./palette";
import { reach } from "./section";
import { Springs } from "./springs";
import { Surfaces } from "./surfaces";
import { Traces } from "./traces";
import type { View } from "./view";

/** Maximum number of body poses from which the extent of a motion is found. */
const OUTLINED = 6000;

interface Parts {
  scene: Scene;
  bodies: Bodies;
  joints: Joints;
  springs: Springs;
  beams: Beams;
  arrows: Arrows;
  surfaces: Surfaces;
  contacts: Contacts;
  marks: Marks;
}

export class Picture {
  private parts: Parts | null = null;
  readonly traces = new Traces();
  private readonly ghosts = new Map<number, { bodies: Bodies; beams: Beams; color: number }>();
  private theme: Theme = themeOf(false);
  private layers: Record<Layer, boolean> | null = null;
  /** The size of the model, to which symbols and arrows are scaled. */
  private size = 1;
  /** The displayed frame. */
  frame: Float32Array = new Float32Array(0);

  constructor(
    readonly view: View,
    private readonly api: Source,
  ) {
    view.world.add(this.traces.root);
    view.beforeDrawing(() => {
      this.parts?.joints.fit(view.visibleHeight());
      this.parts?.springs.fit(view.visibleHeight());
      this.parts?.contacts.fit(view.visibleHeight());
      this.traces.fit(view.renderer.domElement.width, view.renderer.domElement.height);
    });
  }

  get scene(): Scene | null {
    return this.parts?.scene ?? null;
  }

  get beams(): Beams | null {
    return this.parts?.beams ?? null;
  }

  get arrows(): Arrows | null {
    return this.parts?.arrows ?? null;
  }

  get contacts(): Contacts | null {
    return this.parts?.contacts ?? null;
  }

  private get all(): Part[] {
    const parts = this.parts;
    return parts ? [parts.bodies, parts.joints, parts.springs, parts.beams, parts.arrows, parts.surfaces, parts.contacts, parts.marks] : [];
  }

  /** Shows another scene in its initial pose. */
  show(scene: Scene): void {
    for (const part of this.all) release(part.root);
    for (const id of [...this.ghosts.keys()]) this.removeGhost(id);
    this.traces.clear();
    const mesh = (number: number) => this.api.mesh(number);
    const bodies = new Bodies(scene, null, mesh, () => this.repaint());
    const pose = new Float32Array(scene.pose);
    this.size = new Box3().setFromArray(outline(scene, bodies, [pose])).getSize(new Vector3()).length() || 1;
    this.parts = {
      scene,
      bodies,
      joints: new Joints(scene, this.size),
      springs: new Springs(scene, this.size),
      beams: new Beams(scene, this.size),
      arrows: new Arrows(scene, this.size),
      surfaces: new Surfaces(scene, this.size),
      contacts: new Contacts(scene, this.size),
      marks: new Marks(scene, this.size),
    };
    for (const part of this.all) this.view.world.add(part.root);
    this.repaint();
    if (this.layers) this.showLayers(this.layers);
    this.move(pose);
    this.view.floor(this.box());
  }

  private repaint(): void {
    for (const part of this.all) part.paint(this.theme);
    this.view.invalidate();
  }

  move(frame: Float32Array): void {
    this.frame = frame;
    this.parts?.beams.widen(frame);
    this.parts?.arrows.widen(frame);
    this.parts?.contacts.widen(frame);
    for (const part of this.all) part.move(frame);
    this.view.invalidate();
  }

  paint(dark: boolean): void {
    this.theme = themeOf(dark);
    this.traces.paint(this.theme);
    this.view.paint(this.theme);
    this.repaint();
  }

  showLayers(layers: Record<Layer, boolean>): void {
    this.layers = layers;
    this.view.grid.mesh.visible = layers.grid;
    this.traces.root.visible = layers.traces;
    const parts = this.parts;
    if (parts) {
      parts.bodies.root.visible = layers.shapes;
      parts.joints.root.visible = layers.joints;
      parts.springs.root.visible = layers.springs;
      parts.beams.root.visible = layers.beams;
      parts.arrows.root.visible = layers.arrows;
      parts.surfaces.root.visible = layers.surfaces;
      parts.contacts.root.visible = layers.contacts;
      for (const kind of ["frames", "points", "masses", "inertia"] as const) parts.marks.show(kind, layers[kind]);
    }
    for (const ghost of this.ghosts.values()) ghost.bodies.root.visible = layers.shapes;
    this.view.invalidate();
  }

  scaleArrows(factor: number): void {
    if (!this.parts) return;
    for (const arrows of [this.parts.arrows, this.parts.contacts]) {
      arrows.scale = factor;
      arrows.move(this.frame);
    }
    this.view.invalidate();
  }

  highlight(selected: Ref | null, hovered: Ref | null): void {
    const parts = this.parts;
    if (!parts) return;
    const of = (kind: string, ref: Ref | null) => {
      if (ref === null) return -1;
      if (kind === "body" && kindOf(ref) === "marker") return markerOf(ref)[0];
      return kindOf(ref) === kind ? indexOf(ref) : -1;
    };
    parts.bodies.highlight(of("body", selected), of("body", hovered));
    parts.joints.highlight(of("joint", selected), of("joint", hovered));
    parts.springs.highlight(of("force", selected), of("force", hovered));
    parts.beams.highlight(of("beam", selected), of("beam", hovered));
    this.view.invalidate();
  }

  /** The element under a point of the page; symbols take precedence over the bodies below them. */
  pick(x: number, y: number): Ref | null {
    const parts = this.parts;
    if (!parts) return null;
    const signs = [parts.joints.root, parts.springs.root, parts.marks.root, parts.arrows.root];
    const ref = (objects: Object3D[]) => referred(this.view.pick(x, y, objects)?.object ?? null);
    return ref(signs) ?? ref([parts.bodies.root, parts.beams.root]);
  }

  /** The body under a point of the page, and the point of its surface. */
  pickBody(x: number, y: number): { body: number; point: Vector3 } | null {
    const hit = this.parts ? this.view.pick(x, y, [this.parts.bodies.root]) : null;
    const ref = referred(hit?.object ?? null);
    return hit && ref ? { body: indexOf(ref), point: hit.point } : null;
  }

  /** The bounding box of the initial pose and of the displayed frame. */
  box(): Box3 {
    const scene = this.parts?.scene;
    if (!scene) return new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
    const { min, max } = scene.bounds;
    const box = new Box3(new Vector3(min[0], min[1], min[2]), new Vector3(max[0], max[1], max[2]));
    if (box.isEmpty() || !Number.isFinite(box.min.length())) box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
    return box;
  }

  /** Extends the scales of colours and arrows to some frames of a run. */
  learn(frames: Frames): void {
    for (let row = 0; row < frames.count; row++) {
      const from = row * frames.stride + 2;
      const frame = frames.data.subarray(from, from + frames.stride - 2);
      this.parts?.beams.widen(frame);
      this.parts?.arrows.widen(frame);
      this.parts?.contacts.widen(frame);
    }
    this.move(this.frame);
  }

  /** Points that bound everything that moves, in some frames of a run or in the displayed one, as consecutive x y z. */
  outline(frames: Frames | null): number[] {
    const parts = this.parts;
    if (!parts) return [];
    if (!frames) return outline(parts.scene, parts.bodies, [this.frame]);
    const each = Math.max(1, Math.ceil((frames.count * parts.scene.bodies.length) / OUTLINED));
    const some: Float32Array[] = [];
    for (let row = 0; row < frames.count; row += each) {
      const from = row * frames.stride + 2;
      some.push(frames.data.subarray(from, from + frames.stride - 2));
    }
    return outline(parts.scene, parts.bodies, some);
  }

  /** The position of an element, for its label. */
  anchor(ref: Ref, out: Vector3): Vector3 | null {
    const scene = this.parts?.scene;
    if (!scene) return null;
    const index = indexOf(ref);
    switch (kindOf(ref)) {
      case "body":
        return scene.bodies[index] ? pointOf(this.frame, index, scene.bodies[index].center, out) : null;
      case "marker": {
        const [body, marker] = markerOf(ref);
        const pose = scene.bodies[body]?.markers[marker]?.pose;
        return pose ? pointOf(this.frame, body, pose, out) : null;
      }
      case "joint": {
        const joint = scene.joints[index];
        return joint ? pointOf(this.frame, joint.bodies[1], joint.frames[1], out) : null;
      }
      case "force": {
        const ends = scene.forces[index]?.ends ?? [];
        if (ends.length === 0) return null;
        const sum = new Vector3();
        for (const end of ends) sum.add(pointOf(this.frame, end.body, end.point, out));
        return out.copy(sum).divideScalar(ends.length);
      }
      case "file":
        return null;
      case "beam": {
        let from = 7 * scene.bodies.length;
        for (const beam of scene.beams.slice(0, index)) from += 4 * beam.samples;
        const middle = from + 4 * Math.floor((scene.beams[index]?.samples ?? 1) / 2);
        return out.set(this.frame[middle], this.frame[middle + 1], this.frame[middle + 2]);
      }
    }
  }

  /** The amplitude at which a mode is clearly visible: a fraction of the model's size, with limited rotations. */
  comfortable(shape: number[], quadrature: number[]): number {
    const scene = this.parts?.scene;
    let way = 0;
    const look = (k: number) => {
      for (const part of [shape, quadrature]) way = Math.max(way, Math.hypot(part[k] ?? 0, part[k + 1] ?? 0, part[k + 2] ?? 0));
    };
    scene?.bodies.forEach((_, body) => look(7 * body));
    const samples = scene?.beams.reduce((sum, beam) => sum + beam.samples, 0) ?? 0;
    for (let s = 0; s < samples; s++) look(7 * (scene?.bodies.length ?? 0) + 4 * s);
    return Math.min(1.2, way > 0 ? (0.5 * this.size) / way : 1.2);
  }

  turnOf(body: number): Quaternion {
    const turn = new Quaternion();
    place(this.frame, body, new Vector3(), turn);
    return turn;
  }

  trace(ref: Ref, frames: Frames): void {
    const [body, marker] = markerOf(ref);
    const pose = this.parts?.scene.bodies[body]?.markers[marker]?.pose;
    if (pose) this.traces.add(ref, body, pose, frames);
    this.view.invalidate();
  }

  /** Shows another run's pose as a ghost, in the colour of its lines in the plots. */
  ghost(id: number, color: number, frame: Float32Array, own: Scene | null): void {
    const parts = this.parts;
    if (!parts) return;
    let ghost = this.ghosts.get(id);
    if (!ghost) {
      const shade = new Color(lineColor(color, this.theme.dark));
      const mesh = (number: number) => this.api.mesh(number);
      ghost = { bodies: new Bodies(own ?? parts.scene, shade, mesh, () => this.view.invalidate()), beams: new Beams(parts.scene, this.size), color };
      ghost.bodies.root.visible = this.layers?.shapes ?? true;
      this.ghosts.set(id, ghost);
      this.view.world.add(ghost.bodies.root, ghost.beams.root);
    }
    ghost.beams.low = parts.beams.low;
    ghost.beams.high = parts.beams.high;
    ghost.bodies.move(frame);
    ghost.beams.move(frame);
    this.view.invalidate();
  }

  keepGhosts(ids: number[]): void {
    for (const id of [...this.ghosts.keys()]) if (!ids.includes(id)) this.removeGhost(id);
    this.view.invalidate();
  }

  get ghostIds(): number[] {
    return [...this.ghosts.keys()];
  }

  private removeGhost(id: number): void {
    const ghost = this.ghosts.get(id);
    if (!ghost) return;
    release(ghost.bodies.root);
    release(ghost.beams.root);
    this.ghosts.delete(id);
  }
}

/** Bounding-box vertices of bodies, and beams, points, joints and forces; without the shapes of the ground, which may be much larger. */
function outline(scene: Scene, bodies: Bodies, frames: Float32Array[]): number[] {
  const own: number[][][] = scene.bodies.map((body, k) => [...(k > 0 ? bodies.corners(k) : []), ...(k > 0 ? body.markers.map((marker) => marker.pose) : [])]);
  for (const joint of scene.joints) joint.bodies.forEach((body, side) => own[body].push(joint.frames[side]));
  for (const end of scene.forces.flatMap((force) => force.ends)) own[end.body].push(end.point);
  for (const surface of scene.contacts.flatMap((contact) => contact.surfaces)) if (!surface.unbounded) own[surface.body].push(...corners(surface));
  const samples = scene.beams.flatMap((beam) => new Array<number>(beam.samples).fill(reach(beam)));
  const points: number[] = [];
  const at = new Vector3();
  for (const frame of frames) {
    own.forEach((places, body) => {
      for (const place of places) points.push(...pointOf(frame, body, place, at));
    });
    samples.forEach((by, s) => {
      const k = 7 * scene.bodies.length + 4 * s;
      for (const side of [-by, by]) points.push(frame[k] + side, frame[k + 1] + side, frame[k + 2] + side);
    });
  }
  return points.length > 0 ? points : [...scene.bounds.min, ...scene.bounds.max];
}

/** Points of the outline of a surface, in the frame of its body. */
function corners(surface: ContactSurface): number[][] {
  const turn = new Quaternion(...(surface.pose.slice(3) as [number, number, number, number]));
  return surface.outline.flat().map(([x, y, z]) => new Vector3(x, y, z).applyQuaternion(turn).add(new Vector3(...surface.pose)).toArray());
}

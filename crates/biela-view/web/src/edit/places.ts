// Locations picked in the scene or typed: points of bodies, joints, grid points.

import { Quaternion, Vector3 } from "three";
import type { Change, Scene } from "../protocol";
import { place, pointOf } from "../scene/layer";
import type { Picture } from "../scene/picture";
import { addressOf, indexOf, kindOf } from "../store";
import { lengths, list, tidy } from "./text";

/** Snap distance in pixels. */
const NEAR = 14;

/** A picked location. */
export interface Spot {
  at: Vector3;
  /** Points of bodies at this location, as the file names them. */
  ends: { body: number; text: string }[];
  /** Whether the location is that of a point or joint. */
  snapped: boolean;
}

export class Places {
  constructor(private readonly picture: Picture) {}

  private get scene(): Scene | null {
    return this.picture.scene;
  }

  private axes(): number {
    return this.scene?.space === "planar" ? 2 : 3;
  }

  /** Named points: origins and points of bodies. */
  private points(): { body: number; text: string; at: Vector3 }[] {
    const scene = this.scene;
    if (!scene) return [];
    const found: { body: number; text: string; at: Vector3 }[] = [];
    scene.bodies.forEach((body, k) => {
      const at = (point: number[]) => pointOf(this.picture.frame, k, point, new Vector3());
      found.push({ body: k, text: body.name, at: at([0, 0, 0]) });
      for (const marker of body.markers) found.push({ body: k, text: `${body.name}.${marker.name}`, at: at(marker.pose) });
    });
    return found;
  }

  /** The location under a point of the page: a named point, a joint, a body, or the nearest grid point. */
  spot(x: number, y: number): Spot | null {
    const scene = this.scene;
    if (!scene) return null;
    const { view } = this.picture;
    const box = view.renderer.domElement.getBoundingClientRect();
    const away = (at: Vector3) => {
      const p = view.screen(at);
      return p ? Math.hypot(p.x + box.left - x, p.y + box.top - y) : Number.POSITIVE_INFINITY;
    };
    const joints = scene.joints.map((joint) => pointOf(this.picture.frame, joint.bodies[1], joint.frames[1], new Vector3()));
    const all = [...this.points().map((point) => point.at), ...joints];
    let best: Vector3 | null = null;
    let least = NEAR;
    for (const at of all) {
      const distance = away(at);
      // the first of several at one location
      if (distance < least - 1e-6) [best, least] = [at, distance];
    }
    if (best) return { at: best, ends: this.endsAt(best), snapped: true };
    const body = this.picture.pickBody(x, y);
    const free = view.planar || !body ? view.onFloor(x, y) : body.point;
    if (!free) return null;
    const at = view.planar || !body ? this.onGrid(free) : free;
    const ends = body && !scene.bodies[body.body].station_of ? [{ body: body.body, text: this.end(body.body, at) }] : [];
    return { at, ends, snapped: false };
  }

  private onGrid(at: Vector3): Vector3 {
    const cell = this.picture.view.grid.cell;
    const values = at.toArray().map((x) => tidy(Math.round(x / cell) * cell, cell));
    return new Vector3(...(this.axes() === 2 ? [values[0], values[1], 0] : values));
  }

  /** Named points of bodies at a location. */
  private endsAt(at: Vector3): { body: number; text: string }[] {
    const near = 1e-4 * this.picture.view.visibleHeight();
    const ends: { body: number; text: string }[] = [];
    for (const point of this.points()) {
      if (point.at.distanceTo(at) > near) continue;
      const known = ends.findIndex((one) => one.body === point.body);
      // a point is more specific than the origin of the body
      if (known < 0) ends.push({ body: point.body, text: point.text });
      else if (point.text.includes(".")) ends[known] = { body: point.body, text: point.text };
    }
    const moving = ends.filter((one) => one.body > 0);
    // the ground counts only if no other body is there, or if its point has a name
    return moving.length > 0 ? ends.filter((one) => one.body > 0 || one.text.includes(".")) : ends;
  }

  /** A location on a body as text: `crank (0.1, 0)`. */
  end(body: number, at: Vector3): string {
    const scene = this.scene;
    if (!scene) return "";
    const near = this.endsAt(at).find((one) => one.body === body);
    if (near) return near.text;
    const local = this.local(body, at).slice(0, this.axes());
    const size = this.picture.view.visibleHeight();
    return `${scene.bodies[body].name} (${local.map((x) => tidy(x, size)).join(", ")})`;
  }

  /** Coordinates of a ground point in the frame of a body. */
  local(body: number, at: Vector3): number[] {
    const [origin, turn] = [new Vector3(), new Quaternion()];
    place(this.picture.frame, body, origin, turn);
    return at.clone().sub(origin).applyQuaternion(turn.invert()).toArray();
  }

  /** Coordinates as text. */
  text(at: Vector3): string {
    const size = this.picture.view.visibleHeight();
    return at.toArray().slice(0, this.axes()).map((x) => tidy(x, size)).join(", ");
  }

  /** Parses a location: coordinates in the ground frame, or a point of a body. */
  read(text: string): Vector3 | string {
    const values = lengths(text);
    if (values) return values.length === this.axes() ? new Vector3(values[0], values[1], values[2] ?? 0) : `expected ${this.axes()} coordinates`;
    const end = this.readEnd(text);
    if (typeof end === "string") return end;
    return pointOf(this.picture.frame, end.body, end.point, new Vector3());
  }

  /** Parses a point of a body: `crank`, `crank.tip` or `crank (0.1, 0)`. */
  readEnd(text: string): { body: number; point: number[]; name: string | null } | string {
    const scene = this.scene;
    const found = /^\s*([^\s(]+)\s*(?:\((.*)\))?\s*$/.exec(text);
    if (!scene || !found) return "expected a body or one of its points, such as crank.tip";
    const [, name, inside] = found;
    const named = this.points().find((point) => point.text === name);
    if (!named) return `no body or point is called ${name}`;
    const body = scene.bodies[named.body];
    if (inside === undefined) {
      const marker = body.markers.find((one) => `${body.name}.${one.name}` === name);
      return { body: named.body, point: marker?.pose.slice(0, 3) ?? [0, 0, 0], name };
    }
    const values = lengths(inside);
    if (!values || values.length !== this.axes()) return `expected ${this.axes()} coordinates in the parentheses`;
    if (name !== body.name) return "coordinates must follow the name of a body, not of a point";
    const point = [values[0], values[1], values[2] ?? 0];
    return { body: named.body, point, name: point.every((x) => x === 0) ? name : null };
  }

  /** The reference of an end in the file, and the changes that add its point if it has none yet. */
  reference(text: string, taken: Set<string>): { reference: string; changes: Change[] } | string {
    const scene = this.scene;
    if (!scene) return "the model has no scene yet";
    if (scene.beams.some((beam) => beam.name === text.trim())) return { reference: text.trim(), changes: [] };
    const end = this.readEnd(text);
    if (typeof end === "string") return end;
    if (end.name !== null) return { reference: end.name, changes: [] };
    const body = scene.bodies[end.body];
    const element = addressOf(scene, `body:${end.body}`);
    if (!element || body.station_of) return "add the station of the beam in the file first";
    const name = unique("P", new Set([...body.markers.map((marker) => marker.name), ...taken]));
    taken.add(name);
    const value = list(end.point.slice(0, this.axes()));
    return { reference: `${body.name}.${name}`, changes: [{ do: "set", element, key: `points.${name}`, value }] };
  }

  /** The joint at a point of the page. */
  joint(x: number, y: number): number | null {
    const ref = this.picture.pick(x, y);
    if (ref && kindOf(ref) === "joint") return indexOf(ref);
    const at = this.spot(x, y)?.at;
    const scene = this.scene;
    if (!at || !scene) return null;
    const near = 1e-4 * this.picture.view.visibleHeight();
    const index = scene.joints.findIndex((joint) => pointOf(this.picture.frame, joint.bodies[1], joint.frames[1], new Vector3()).distanceTo(at) < near);
    return index < 0 ? null : index;
  }

  /** Two of the ends at a location whose bodies no joint connects yet. */
  pair(ends: Spot["ends"]): Spot["ends"] {
    const scene = this.scene;
    const held = (a: number, b: number) => scene?.joints.some((joint) => joint.bodies.includes(a) && joint.bodies.includes(b)) ?? false;
    for (let i = 0; i < ends.length; i++) for (let k = i + 1; k < ends.length; k++) if (!held(ends[i].body, ends[k].body)) return [ends[i], ends[k]];
    return ends.slice(0, 2);
  }
}

/** The first of `P1`, `P2`, … that is not taken. */
export function unique(stem: string, taken: Set<string>): string {
  for (let k = 1; ; k++) if (!taken.has(`${stem}${k}`)) return `${stem}${k}`;
}


// Bodies as their shapes: opaque, or transparent as the ghost of another run.

import {
  Box3,
  Color,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  type BufferGeometry,
} from "three";
import type { Scene, Shape } from "../protocol";
import type { Ref } from "../store";
import { readMsh, readObj, readStl, surface } from "./geometry";
import { place, refer, setPose, type Part } from "./layer";
import { bodyColor, type Theme } from "./palette";

/** An edge is drawn where the normals of two faces differ by more than this angle in degrees. */
const EDGE_ANGLE = 32;
/** Larger meshes are drawn without edges. */
const MOST_EDGE_POINTS = 60_000;

interface Look {
  solid: MeshStandardMaterial;
  edges: LineBasicMaterial;
}

export class Bodies implements Part {
  readonly root = new Group();
  private readonly groups: Group[] = [];
  private readonly looks: Look[] = [];
  private marked = -1;
  private hovered = -1;
  private theme: Theme | null = null;

  constructor(
    scene: Scene,
    private readonly ghost: Color | null,
    fetchMesh: (number: number) => Promise<ArrayBuffer>,
    changed: () => void,
  ) {
    scene.bodies.forEach((body, k) => {
      const group = new Group();
      const look = this.look(k);
      for (const shape of body.shapes) {
        const holder = new Group();
        setPose(holder, shape.pose);
        group.add(holder);
        const geometry = surface(shape);
        if (geometry) this.add(holder, geometry, shape, look, `body:${k}`);
        else if (typeof shape.mesh === "number") {
          // an unreadable mesh is omitted; the server reports it in its diagnostics
          fetchMesh(shape.mesh)
            .then((bytes) => readStl(bytes) ?? readMsh(bytes) ?? readObj(bytes))
            .then((read) => {
              if (!read) return;
              const [x, y, z] = shape.scale ?? [1, 1, 1];
              this.add(holder, read.scale(x, y, z), shape, look, `body:${k}`);
              changed();
            })
            .catch(() => undefined);
        }
      }
      this.groups.push(group);
      this.looks.push(look);
      this.root.add(group);
    });
  }

  private look(body: number): Look {
    const color = this.ghost ?? bodyColor(body);
    const pale = this.ghost !== null;
    return {
      solid: new MeshStandardMaterial({
        color,
        roughness: 0.62,
        metalness: 0.05,
        transparent: pale,
        opacity: pale ? 0.22 : 1,
        depthWrite: !pale,
        polygonOffset: true,
        polygonOffsetFactor: 1,
        polygonOffsetUnits: 1,
      }),
      edges: new LineBasicMaterial({ color, transparent: true, opacity: pale ? 0.55 : 0.45 }),
    };
  }

  private add(holder: Group, geometry: BufferGeometry, shape: Shape, look: Look, ref: Ref): void {
    let solid = look.solid;
    if (shape.color && !this.ghost) {
      solid = look.solid.clone();
      solid.color.set(shape.color);
    }
    holder.add(new Mesh(geometry, solid));
    if ((geometry.getAttribute("position")?.count ?? 0) <= MOST_EDGE_POINTS)
      holder.add(new LineSegments(new EdgesGeometry(geometry, EDGE_ANGLE), look.edges));
    if (!this.ghost) refer(holder, ref);
  }

  /** Vertices of the bounding box of a body, in its frame. */
  corners(body: number): number[][] {
    const group = this.groups[body];
    const box = new Box3();
    for (const holder of group.children) {
      holder.updateMatrix();
      for (const child of holder.children) {
        if (!(child instanceof Mesh)) continue;
        const geometry = child.geometry as BufferGeometry;
        geometry.computeBoundingBox();
        if (geometry.boundingBox) box.union(geometry.boundingBox.clone().applyMatrix4(holder.matrix));
      }
    }
    if (box.isEmpty()) return [[0, 0, 0]];
    const [a, b] = [box.min.toArray(), box.max.toArray()];
    return [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [0, 1, 2].map((axis) => (k & (1 << axis) ? b : a)[axis]));
  }

  move(frame: Float32Array): void {
    this.groups.forEach((group, k) => place(frame, k, group.position, group.quaternion));
  }

  paint(theme: Theme): void {
    this.theme = theme;
    if (!this.ghost) for (const look of this.looks) look.edges.color.copy(theme.edge);
    this.highlight(this.marked, this.hovered);
  }

  /** Highlights the selected body and the one under the pointer; −1 for none. */
  highlight(selected: number, hovered: number): void {
    this.marked = selected;
    this.hovered = hovered;
    const theme = this.theme;
    if (!theme || this.ghost) return;
    this.groups.forEach((group, k) => {
      const strength = k === selected ? 0.42 : k === hovered ? 0.16 : 0;
      group.traverse((child) => {
        if (!(child instanceof Mesh)) return;
        const solid = child.material as MeshStandardMaterial;
        solid.emissive.copy(theme.accent);
        solid.emissiveIntensity = strength;
      });
      this.looks[k].edges.color.copy(k === selected ? theme.accent : theme.edge);
      this.looks[k].edges.opacity = k === selected ? 1 : 0.45;
    });
  }
}

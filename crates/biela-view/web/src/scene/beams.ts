// Beams as their cross-sections swept along the samples, coloured by a value.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  Group,
  Mesh,
  MeshStandardMaterial,
  Quaternion,
  Vector3,
} from "three";
import type { Scene } from "../protocol";
import { place, refer, type Part } from "./layer";
import { valueColor, type Theme } from "./palette";
import { share, sweep, type Sweep } from "./section";

interface Bar {
  mesh: Mesh;
  material: MeshStandardMaterial;
  samples: number;
  sweep: Sweep;
  /** Index of its first sample in a frame. */
  from: number;
}

export class Beams implements Part {
  readonly root = new Group();
  private readonly bars: Bar[] = [];
  private readonly planar: boolean;
  /** Minimum and maximum so far, common to all beams. */
  low = 0;
  high = 0;

  constructor(scene: Scene, size: number) {
    let from = 7 * scene.bodies.length;
    const least = 0.003 * size;
    this.planar = scene.space === "planar";
    scene.beams.forEach((beam, k) => {
      const material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.6, metalness: 0 });
      const swept = sweep(beam, least);
      const mesh = new Mesh(surface(swept), material);
      mesh.frustumCulled = false;
      refer(mesh, `beam:${k}`);
      this.bars.push({ mesh, material, samples: beam.samples, sweep: swept, from });
      this.root.add(mesh);
      from += 4 * beam.samples;
    });
  }

  /** Extends the colour range to the values of a frame. Returns true if it grew. */
  widen(frame: Float32Array): boolean {
    const before = [this.low, this.high];
    for (const { samples, from } of this.bars)
      for (let s = 0; s < samples; s++) {
        const value = frame[from + 4 * s + 3];
        if (value < this.low) this.low = value;
        if (value > this.high) this.high = value;
      }
    return this.low !== before[0] || this.high !== before[1];
  }

  move(frame: Float32Array): void {
    for (const one of this.bars) this.bend(one, frame);
  }

  private bend(one: Bar, frame: Float32Array): void {
    const { samples, from, sweep } = one;
    const { start, end, corners, section } = sweep;
    const position = one.mesh.geometry.getAttribute("position") as BufferAttribute;
    const normal = one.mesh.geometry.getAttribute("normal") as BufferAttribute;
    const colors = one.mesh.geometry.getAttribute("color") as BufferAttribute;
    const at = (s: number, out: Vector3) => {
      const k = from + 4 * Math.max(0, Math.min(samples - 1, s));
      return out.set(frame[k], frame[k + 1], frame[k + 2]);
    };
    const here = new Vector3();
    const tangent = new Vector3();
    const before = new Vector3();
    const width = new Vector3();
    const height = new Vector3();
    const turn = new Quaternion();
    const across = new Vector3();
    const color = new Color();
    // directions of width and height: the axes of a node, or transported along the centreline without twist
    const orient = (s: number) => {
      const node = section.nodes?.[s];
      if (node) {
        place(frame, node.body, across, turn);
        width.set(0, 1, 0).applyQuaternion(turn);
        height.set(0, 0, 1).applyQuaternion(turn);
        tangent.crossVectors(width, height);
        return;
      }
      tangent.subVectors(at(s + 1, tangent), at(s - 1, before)).normalize();
      if (s === 0) {
        if (this.planar) width.set(0, 0, -1);
        // vertical beams have their height along x
        else width.set(Math.abs(tangent.z) > 0.999 ? 1 : 0, 0, Math.abs(tangent.z) > 0.999 ? 0 : 1).cross(tangent);
      }
      width.addScaledVector(tangent, -width.dot(tangent));
      if (width.lengthSq() < 1e-12) width.set(tangent.y, tangent.z, tangent.x).addScaledVector(tangent, -width.dot(tangent));
      width.normalize();
      height.crossVectors(tangent, width);
    };
    const put = (k: number, point: number, part: number) => {
      const y = start[2 * point] + part * (end[2 * point] - start[2 * point]);
      const z = start[2 * point + 1] + part * (end[2 * point + 1] - start[2 * point + 1]);
      across.copy(here).addScaledVector(width, y).addScaledVector(height, z);
      position.setXYZ(k, across.x, across.y, across.z);
      colors.setXYZ(k, color.r, color.g, color.b);
    };
    for (let s = 0; s < samples; s++) {
      orient(s);
      at(s, here);
      valueColor(frame[from + 4 * s + 3], this.low, this.high, color);
      const part = share(sweep, s);
      corners.forEach((corner, c) => {
        const k = s * corners.length + c;
        put(k, corner.point, part);
        across.set(0, 0, 0).addScaledVector(width, corner.normal[0]).addScaledVector(height, corner.normal[1]);
        normal.setXYZ(k, across.x, across.y, across.z);
      });
      for (const [sample, side] of [[0, -1], [samples - 1, 1]]) {
        if (s !== sample) continue;
        const points = start.length / 2;
        const first = samples * corners.length + (side < 0 ? 0 : points);
        for (let point = 0; point < points; point++) {
          put(first + point, point, part);
          normal.setXYZ(first + point, side * tangent.x, side * tangent.y, side * tangent.z);
        }
      }
    }
    position.needsUpdate = true;
    normal.needsUpdate = true;
    colors.needsUpdate = true;
    // picking uses the bounding sphere of the deformed beam
    one.mesh.geometry.computeBoundingSphere();
  }

  /** Coordinates of the vertices of a beam, and the three vertices of each triangle. */
  surface(beam: number): { position: number[]; index: number[] } | null {
    const geometry = this.bars[beam]?.mesh.geometry;
    return geometry ? { position: [...geometry.getAttribute("position").array], index: [...(geometry.index?.array ?? [])] } : null;
  }

  paint(theme: Theme): void {
    for (const { material } of this.bars) material.emissive.copy(theme.accent);
    this.highlight(-1, -1);
  }

  highlight(selected: number, hovered: number): void {
    this.bars.forEach(({ material }, k) => {
      material.emissiveIntensity = k === selected ? 0.35 : k === hovered ? 0.15 : 0;
    });
  }
}

function surface({ vertices, faces }: Sweep): BufferGeometry {
  const geometry = new BufferGeometry();
  for (const name of ["position", "normal", "color"]) {
    const numbers = new BufferAttribute(new Float32Array(3 * vertices), 3);
    numbers.setUsage(DynamicDrawUsage);
    geometry.setAttribute(name, numbers);
  }
  geometry.setIndex(faces);
  return geometry;
}

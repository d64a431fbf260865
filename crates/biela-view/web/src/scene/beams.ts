// Beams as tubes through their samples, coloured by a value.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  Group,
  Mesh,
  MeshStandardMaterial,
  Vector3,
} from "three";
import type { Scene } from "../protocol";
import { refer, type Part } from "./layer";
import { valueColor, type Theme } from "./palette";

const AROUND = 12;

interface Tube {
  mesh: Mesh;
  material: MeshStandardMaterial;
  samples: number;
  radius: number;
  /** Where its samples start in a frame. */
  from: number;
}

export class Beams implements Part {
  readonly root = new Group();
  private readonly tubes: Tube[] = [];
  /** Least and largest value seen so far, one pair for all beams that show the same quantity. */
  low = 0;
  high = 0;

  constructor(scene: Scene, size: number) {
    let from = 7 * scene.bodies.length;
    const least = 0.003 * size;
    scene.beams.forEach((beam, k) => {
      const material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.6, metalness: 0 });
      const mesh = new Mesh(tube(beam.samples), material);
      mesh.frustumCulled = false;
      refer(mesh, `beam:${k}`);
      this.tubes.push({ mesh, material, samples: beam.samples, radius: Math.max(beam.radius, least), from });
      this.root.add(mesh);
      from += 4 * beam.samples;
    });
  }

  /** Takes the values of a frame into the range of the colours; true when it grew. */
  widen(frame: Float32Array): boolean {
    const before = [this.low, this.high];
    for (const { samples, from } of this.tubes)
      for (let s = 0; s < samples; s++) {
        const value = frame[from + 4 * s + 3];
        if (value < this.low) this.low = value;
        if (value > this.high) this.high = value;
      }
    return this.low !== before[0] || this.high !== before[1];
  }

  move(frame: Float32Array): void {
    for (const one of this.tubes) this.bend(one, frame);
  }

  private bend(one: Tube, frame: Float32Array): void {
    const { samples, from, radius } = one;
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
    const side = new Vector3();
    const over = new Vector3();
    const outward = new Vector3();
    const color = new Color();
    for (let s = 0; s < samples; s++) {
      at(s, here);
      tangent.subVectors(at(s + 1, tangent), at(s - 1, before)).normalize();
      // the side goes along from sample to sample without twisting
      if (s === 0) side.set(Math.abs(tangent.z) < 0.9 ? 0 : 1, 0, Math.abs(tangent.z) < 0.9 ? 1 : 0);
      side.addScaledVector(tangent, -side.dot(tangent));
      if (side.lengthSq() < 1e-12) side.set(tangent.y, tangent.z, tangent.x).addScaledVector(tangent, -side.dot(tangent));
      side.normalize();
      over.crossVectors(tangent, side);
      valueColor(frame[from + 4 * s + 3], this.low, this.high, color);
      for (let a = 0; a <= AROUND; a++) {
        const angle = (2 * Math.PI * a) / AROUND;
        outward.copy(side).multiplyScalar(Math.cos(angle)).addScaledVector(over, Math.sin(angle));
        const k = s * (AROUND + 1) + a;
        position.setXYZ(k, here.x + radius * outward.x, here.y + radius * outward.y, here.z + radius * outward.z);
        normal.setXYZ(k, outward.x, outward.y, outward.z);
        colors.setXYZ(k, color.r, color.g, color.b);
      }
    }
    position.needsUpdate = true;
    normal.needsUpdate = true;
    colors.needsUpdate = true;
    // a click looks through the tube's present place
    one.mesh.geometry.computeBoundingSphere();
  }

  paint(theme: Theme): void {
    for (const { material } of this.tubes) material.emissive.copy(theme.accent);
    this.highlight(-1, -1);
  }

  highlight(selected: number, hovered: number): void {
    this.tubes.forEach(({ material }, k) => {
      material.emissiveIntensity = k === selected ? 0.35 : k === hovered ? 0.15 : 0;
    });
  }
}

function tube(samples: number): BufferGeometry {
  const points = samples * (AROUND + 1);
  const geometry = new BufferGeometry();
  for (const name of ["position", "normal", "color"]) {
    const numbers = new BufferAttribute(new Float32Array(3 * points), 3);
    numbers.setUsage(DynamicDrawUsage);
    geometry.setAttribute(name, numbers);
  }
  const faces: number[] = [];
  for (let s = 0; s + 1 < samples; s++)
    for (let a = 0; a < AROUND; a++) {
      const k = s * (AROUND + 1) + a;
      const up = k + AROUND + 1;
      faces.push(k, k + 1, up, up, k + 1, up + 1);
    }
  geometry.setIndex(faces);
  return geometry;
}

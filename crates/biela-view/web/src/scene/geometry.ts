// Surfaces of shapes in the frame of the shape; axes of cylinders and bars are along z.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  ConeGeometry,
  CylinderGeometry,
  LatheGeometry,
  Quaternion,
  SphereGeometry,
  Vector2,
  Vector3,
} from "three";
import type { Shape } from "../protocol";

const Z = new Vector3(0, 0, 1);

/** three.js puts the axis along y. */
function alongZ(geometry: BufferGeometry): BufferGeometry {
  return geometry.rotateX(Math.PI / 2);
}

export function surface(shape: Shape): BufferGeometry | null {
  const radius = shape.radius ?? 0;
  const length = shape.length ?? 0;
  switch (shape.type) {
    case "box": {
      const [x, y, z] = shape.size ?? [0, 0, 0];
      return new BoxGeometry(x, y, z);
    }
    case "sphere":
      return new SphereGeometry(radius, 32, 20);
    case "ellipsoid": {
      const [a, b, c] = shape.semi_axes ?? [0, 0, 0];
      return new SphereGeometry(1, 32, 20).scale(a, b, c);
    }
    case "cylinder":
      return alongZ(new CylinderGeometry(radius, radius, length, 48));
    case "capsule":
      return alongZ(new CapsuleGeometry(radius, length, 8, 28));
    case "cone":
      return alongZ(new ConeGeometry(radius, length, 40)).translate(0, 0, length / 2);
    case "tube":
      return tube(radius, shape.inner ?? 0, length);
    case "bar":
      return bar(radius, shape.from ?? [0, 0, 0], shape.to ?? [0, 0, 0]);
    default:
      return null;
  }
}

function tube(radius: number, inner: number, length: number): BufferGeometry {
  const h = length / 2;
  const outline = [
    new Vector2(inner, -h),
    new Vector2(radius, -h),
    new Vector2(radius, h),
    new Vector2(inner, h),
    new Vector2(inner, -h),
  ];
  return alongZ(new LatheGeometry(outline, 48));
}

function bar(radius: number, from: number[], to: number[]): BufferGeometry {
  const a = new Vector3(...(from as [number, number, number]));
  const b = new Vector3(...(to as [number, number, number]));
  const length = a.distanceTo(b);
  const geometry = alongZ(new CylinderGeometry(radius, radius, length, 28));
  const turn = new Quaternion().setFromUnitVectors(Z, b.clone().sub(a).normalize());
  const middle = a.add(b).multiplyScalar(0.5);
  return geometry.applyQuaternion(turn).translate(middle.x, middle.y, middle.z);
}

/** Reads a binary or text STL file; null for any other format. */
export function readStl(bytes: ArrayBuffer): BufferGeometry | null {
  const corners = binaryStl(bytes) ?? textStl(new TextDecoder().decode(bytes));
  if (!corners || corners.length === 0) return null;
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(corners, 3));
  geometry.computeVertexNormals();
  return geometry;
}

function binaryStl(bytes: ArrayBuffer): Float32Array | null {
  if (bytes.byteLength < 84) return null;
  const view = new DataView(bytes);
  const triangles = view.getUint32(80, true);
  if (bytes.byteLength !== 84 + 50 * triangles) return null;
  const out = new Float32Array(9 * triangles);
  for (let t = 0; t < triangles; t++)
    for (let k = 0; k < 9; k++) out[9 * t + k] = view.getFloat32(84 + 50 * t + 12 + 4 * k, true);
  return out;
}

function textStl(text: string): Float32Array | null {
  if (!text.trimStart().startsWith("solid")) return null;
  const numbers: number[] = [];
  for (const match of text.matchAll(/vertex\s+(\S+)\s+(\S+)\s+(\S+)/g))
    numbers.push(Number(match[1]), Number(match[2]), Number(match[3]));
  return numbers.every(Number.isFinite) ? new Float32Array(numbers) : null;
}

/** Reads the triangles and polygons of a Wavefront OBJ file. */
export function readObj(bytes: ArrayBuffer): BufferGeometry | null {
  const points: number[][] = [];
  const corners: number[] = [];
  for (const line of new TextDecoder().decode(bytes).split("\n")) {
    const words = line.trim().split(/\s+/);
    if (words[0] === "v") points.push(words.slice(1, 4).map(Number));
    if (words[0] !== "f") continue;
    const face = words.slice(1).map((word) => Number.parseInt(word, 10));
    const at = face.map((k) => points[k > 0 ? k - 1 : points.length + k]);
    if (at.some((p) => p === undefined)) return null;
    for (let k = 1; k + 1 < at.length; k++) corners.push(...at[0], ...at[k], ...at[k + 1]);
  }
  if (corners.length === 0 || !corners.every(Number.isFinite)) return null;
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(corners), 3));
  geometry.computeVertexNormals();
  return geometry;
}

/** Reads a MuJoCo MSH file: the numbers of vertices, normals, texture coordinates and faces, then their data; null for any other format. */
export function readMsh(bytes: ArrayBuffer): BufferGeometry | null {
  if (bytes.byteLength < 16 || bytes.byteLength % 4 !== 0) return null;
  const words = new DataView(bytes);
  const count = (k: number) => words.getInt32(4 * k, true);
  const [vertices, normals, textures, faces] = [count(0), count(1), count(2), count(3)];
  if (Math.min(vertices, normals, textures, faces - 1) < 0) return null;
  if (bytes.byteLength !== 4 * (4 + 3 * vertices + 3 * normals + 2 * textures + 3 * faces)) return null;
  const first = bytes.byteLength / 4 - 3 * faces;
  const corners = new Float32Array(9 * faces);
  for (let k = 0; k < 3 * faces; k++) {
    const vertex = count(first + k);
    if (vertex < 0 || vertex >= vertices) return null;
    for (let i = 0; i < 3; i++) corners[3 * k + i] = words.getFloat32(4 * (4 + 3 * vertex + i), true);
  }
  if (!corners.every(Number.isFinite)) return null;
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(corners, 3));
  geometry.computeVertexNormals();
  return geometry;
}

// The surface of a beam: its section swept along its samples.

import type { Beam, Section } from "../protocol";

/** Number of points of a circle. */
const AROUND = 24;
/** Minimum thickness of a section that is wide in the other direction, as a fraction of the minimum size. */
const THIN = 2 / 3;

/** A vertex of the surface at each sample: a point of the section with its outward normal, both along width and height. */
interface Corner {
  point: number;
  normal: [number, number];
}

/** The surface of a beam, independent of its pose. */
export interface Sweep {
  section: Section;
  samples: number;
  /** Points at the start and at the end, large enough to be visible: alternately y and z. */
  start: Float32Array;
  end: Float32Array;
  /** Vertices of the lateral surface at every sample; those of the two end faces follow after all samples. */
  corners: Corner[];
  vertices: number;
  faces: number[];
}

/** The section that is drawn: a circle if the section is unknown. */
function drawn(beam: Beam): Section {
  if (beam.section) return beam.section;
  const circle = Array.from({ length: AROUND }, (_, k) => {
    const angle = (2 * Math.PI * k) / AROUND;
    return [beam.radius * Math.cos(angle), beam.radius * Math.sin(angle)];
  });
  const faces = Array.from({ length: AROUND - 2 }, (_, k) => [0, k + 1, k + 2]);
  return { start: [circle], end: [circle], faces, round: true, nodes: [] };
}

/** The points of polygons, large enough to be visible. */
function visible(polygons: number[][][], least: number): Float32Array {
  const points = polygons.flat();
  const extent = [0, 1].map((i) => points.reduce((most, p) => Math.max(most, Math.abs(p[i])), Number.MIN_VALUE));
  const factor = Math.max(1, least / Math.max(...extent));
  const factors = extent.map((x) => Math.max(factor, (THIN * least) / x));
  return new Float32Array(points.flatMap((p) => [p[0] * factors[0], p[1] * factors[1]]));
}

/** Vertices, and the pairs of them that form edges: a round polygon has one vertex per point, with a smooth normal; others have two vertices per edge. */
function around({ start, end, round }: Section): { corners: Corner[]; edges: [number, number][] } {
  const corners: Corner[] = [];
  const edges: [number, number][] = [];
  let first = 0;
  start.forEach((polygon, p) => {
    const count = polygon.length;
    const unit = (y: number, z: number): [number, number] => {
      const size = Math.hypot(y, z) || 1;
      return [y / size, z / size];
    };
    const outward = (k: number) => {
      const [a, b] = [k % count, (k + 1) % count];
      // of both ends: an edge may have length zero at one of them
      const along = (i: number) => polygon[b][i] - polygon[a][i] + end[p][b][i] - end[p][a][i];
      return unit(along(1), -along(0));
    };
    const mean = (k: number) => {
      const [before, after] = [outward(k + count - 1), outward(k)];
      return unit(before[0] + after[0], before[1] + after[1]);
    };
    for (let k = 0; k < count; k++) {
      const next = first + ((k + 1) % count);
      if (round) {
        edges.push([first + k, next]);
        corners.push({ point: first + k, normal: mean(k) });
      } else {
        edges.push([corners.length, corners.length + 1]);
        corners.push({ point: first + k, normal: outward(k) }, { point: next, normal: outward(k) });
      }
    }
    first += count;
  });
  return { corners, edges };
}

export function sweep(beam: Beam, least: number): Sweep {
  const section = drawn(beam);
  const { samples } = beam;
  const start = visible(section.start, least);
  const end = visible(section.end, least);
  const { corners, edges } = around(section);
  const faces: number[] = [];
  for (let s = 0; s + 1 < samples; s++)
    for (const [from, to] of edges) {
      const [a, b] = [s * corners.length + from, s * corners.length + to];
      faces.push(a, b, b + corners.length, a, b + corners.length, a + corners.length);
    }
  const first = samples * corners.length;
  const last = first + start.length / 2;
  for (const [a, b, c] of section.faces) faces.push(first + a, first + c, first + b, last + a, last + b, last + c);
  return { section, samples, start, end, corners, vertices: first + start.length, faces };
}

/** The largest distance of the surface from the centreline. */
export function reach({ section, radius }: Beam): number {
  return section ? [...section.start, ...section.end].flat().reduce((most, [y, z]) => Math.max(most, Math.hypot(y, z)), 0) : radius;
}

/** Fraction of the length before a sample. */
export function share({ section, samples }: Sweep, sample: number): number {
  return section.nodes?.[sample]?.share ?? sample / Math.max(1, samples - 1);
}

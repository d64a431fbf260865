// Paths of points over the whole run: opaque up to the current time, faint after it.

import { Group, Vector3 } from "three";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { rowAt } from "../motion";
import type { Frames } from "../protocol";
import type { Ref } from "../store";
import { pointOf, release } from "./layer";
import { lineColor, type Theme } from "./palette";

/** Line width in pixels. */
const WIDTH = 2.2;

interface Trace {
  times: Float64Array;
  past: Line2;
  whole: Line2;
}

export class Traces {
  readonly root = new Group();
  private readonly traces = new Map<Ref, Trace>();
  private dark = false;

  clear(): void {
    for (const { past, whole } of this.traces.values()) {
      release(past);
      release(whole);
    }
    this.traces.clear();
  }

  get count(): number {
    return this.traces.size;
  }

  /** Draws the path of a point of a body through the frames of a run. */
  add(ref: Ref, body: number, point: number[], frames: Frames): void {
    const points = new Float32Array(3 * frames.count);
    const at = new Vector3();
    for (let k = 0; k < frames.count; k++) {
      const from = k * frames.stride + 2;
      pointOf(frames.data.subarray(from, from + frames.stride - 2), body, point, at).toArray(points, 3 * k);
    }
    const line = (opacity: number) => {
      const geometry = new LineGeometry();
      geometry.setPositions(points);
      const drawn = new Line2(geometry, new LineMaterial({ linewidth: WIDTH, transparent: true, opacity, depthWrite: false }));
      drawn.frustumCulled = false;
      drawn.renderOrder = 2;
      return drawn;
    };
    const trace = { times: frames.times, past: line(0.95), whole: line(0.28) };
    this.root.add(trace.whole, trace.past);
    this.traces.set(ref, trace);
    this.color();
  }

  /** Divides the paths at a time. */
  at(time: number): void {
    for (const { times, past } of this.traces.values()) past.geometry.instanceCount = rowAt(times, time);
  }

  /** Lines with a width in pixels need the size of the canvas. */
  fit(width: number, height: number): void {
    for (const { past, whole } of this.traces.values())
      for (const line of [past, whole]) line.material.resolution.set(width, height);
  }

  paint(theme: Theme): void {
    this.dark = theme.dark;
    this.color();
  }

  private color(): void {
    let k = 0;
    for (const { past, whole } of this.traces.values()) {
      const color = lineColor(k + 3, this.dark);
      past.material.color.set(color);
      whole.material.color.set(color);
      k += 1;
    }
  }
}

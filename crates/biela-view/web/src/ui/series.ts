// Time histories as lines of a plot.

import type { History } from "../protocol";
import { valueAt } from "../signals";

export interface Polyline {
  x: Float64Array;
  y: Float64Array;
}

/** A line through minimum and maximum of each interval, the one closer to the previous point first. */
export function polyline(history: History, factor: number): Polyline {
  const rows = history.times.length;
  const exact = history.min.every((value, k) => value === history.max[k]);
  if (exact) return { x: history.times, y: history.min.map((value) => value * factor) };
  const x = new Float64Array(2 * rows);
  const y = new Float64Array(2 * rows);
  for (let k = 0; k < rows; k++) {
    const next = k + 1 < rows ? history.times[k + 1] : history.times[k];
    const rising = k === 0 || y[2 * k - 1] <= 0.5 * factor * (history.min[k] + history.max[k]);
    x[2 * k] = history.times[k];
    x[2 * k + 1] = next > history.times[k] ? 0.5 * (history.times[k] + next) : history.times[k] * (1 + 1e-12);
    y[2 * k] = factor * (rising ? history.min[k] : history.max[k]);
    y[2 * k + 1] = factor * (rising ? history.max[k] : history.min[k]);
  }
  return { x, y };
}

/** The history of another run minus this one, where both have values. */
export function difference(other: History, own: History, factor: number): Polyline {
  const first = own.times[0];
  const last = own.times[own.times.length - 1];
  const x = other.times.filter((time) => time >= first && time <= last);
  return { x, y: x.map((time) => factor * (valueAt(other, time) - valueAt(own, time))) };
}

// Time histories of signals: fetched in decimated form for an interval, cached, and evaluated at a time.

import type { Source } from "./api";
import type { History, Run } from "./protocol";
import { rowAt } from "./motion";

/** Enough for a plot as wide as a screen. */
export const POINTS = 1600;
const MOST_KEPT = 400;

export class Signals {
  private readonly kept = new Map<string, History>();
  private readonly asked = new Map<string, Promise<History[]>>();

  constructor(private readonly api: Source) {}

  private key(run: Run, name: string, span: [number, number] | null): string {
    const part = span ? `${span[0]}:${span[1]}` : "";
    return `${run.id}/${run.state === "running" ? run.frames : "all"}/${part}/${name}`;
  }

  /** The cached history, without a request. */
  peek(run: Run, name: string, span: [number, number] | null = null): History | null {
    return this.kept.get(this.key(run, name, span)) ?? null;
  }

  async fetch(run: Run, names: string[], span: [number, number] | null = null): Promise<(History | null)[]> {
    const known = new Set(run.signals.map((signal) => signal.name));
    const missing = names.filter((name) => known.has(name) && !this.peek(run, name, span));
    if (missing.length > 0) {
      const from = span?.[0] ?? run.times.first;
      const to = span?.[1] ?? run.times.last;
      const request = `${this.key(run, missing.join(","), span)}`;
      let asked = this.asked.get(request);
      if (!asked) {
        asked = this.api.histories(run.id, missing, from, to, POINTS).finally(() => this.asked.delete(request));
        this.asked.set(request, asked);
      }
      const histories = await asked;
      histories.forEach((history, k) => this.keep(this.key(run, missing[k], span), history));
    }
    return names.map((name) => this.peek(run, name, span));
  }

  private keep(key: string, history: History): void {
    this.kept.set(key, history);
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= MOST_KEPT) break;
      this.kept.delete(oldest);
    }
  }

  forget(run: number): void {
    for (const key of [...this.kept.keys()]) if (key.startsWith(`${run}/`)) this.kept.delete(key);
  }
}

/** The value at a time, by linear interpolation between the means of the neighbouring intervals. */
export function valueAt(history: History, time: number): number {
  const rows = history.times.length;
  if (rows === 0) return Number.NaN;
  const middle = (k: number) => 0.5 * (history.min[k] + history.max[k]);
  const k = rowAt(history.times, time);
  if (k + 1 >= rows || time <= history.times[k]) return middle(k);
  const share = (time - history.times[k]) / (history.times[k + 1] - history.times[k]);
  return middle(k) + share * (middle(k + 1) - middle(k));
}

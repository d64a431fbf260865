// Advances the time during playback.

import type { Store } from "./store";

export const SPEEDS = [-6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6].map((power) => 2 ** power);
/** Seconds. A longer pause of the browser, as in a hidden tab, is not played. */
const LONGEST = 0.1;

export class Clock {
  private before = 0;
  private running = false;

  constructor(private readonly store: Store) {
    store.on(["playing", "shaking"], () => this.start());
  }

  /** Seconds of playback in total, for animations without a run. */
  phase = 0;

  private start(): void {
    if (this.running || !this.moves) return;
    this.running = true;
    this.before = performance.now();
    requestAnimationFrame((now) => this.tick(now));
  }

  private get moves(): boolean {
    return this.store.get("playing");
  }

  private tick(now: number): void {
    if (!this.moves) {
      this.running = false;
      return;
    }
    const passed = Math.max(0, Math.min(LONGEST, (now - this.before) / 1000)) * this.store.get("speed");
    this.before = now;
    this.phase += passed;
    this.advance(passed);
    requestAnimationFrame((later) => this.tick(later));
  }

  private advance(passed: number): void {
    const run = this.store.shownRun;
    if (this.store.get("shaking") !== null) {
      this.store.set({ time: this.store.get("time") + passed });
      return;
    }
    if (!run) {
      this.store.set({ playing: false });
      return;
    }
    const { first, last } = run.times;
    if (this.store.get("follow") && run.state === "running") {
      this.store.set({ time: last });
      return;
    }
    let time = this.store.get("time") + passed;
    if (time >= last) {
      if (run.state === "running") time = last;
      else if (this.store.get("loop") && last > first) time = first + ((time - first) % (last - first));
      else {
        this.store.set({ time: last, playing: false });
        return;
      }
    }
    this.store.set({ time });
  }
}

// Scenes of runs: a run is drawn with the lengths and shapes it was computed with, which may differ from those of the model now.

import type { Source } from "./api";
import type { Run, Scene } from "./protocol";

export class Scenes {
  /** Null if the scene of a run cannot be read: the run is drawn with the current one. */
  private readonly known = new Map<number, Scene | null>();

  constructor(private readonly api: Source) {}

  /** The scene of a run, undefined before it has been fetched. */
  peek(run: Run): Scene | null | undefined {
    return this.known.get(run.id);
  }

  async fetch(run: Run): Promise<Scene | null> {
    const known = this.known.get(run.id);
    if (known !== undefined) return known;
    const scene = await this.api.sceneOf(run.id).catch(() => null);
    this.known.set(run.id, scene);
    return scene;
  }

  forget(run: number): void {
    this.known.delete(run);
  }
}

/** Whether the frames of two scenes have the same layout. */
export function alike(a: Scene, b: Scene): boolean {
  return a.frame_size === b.frame_size && a.bodies.every((body, k) => body.name === b.bodies[k]?.name);
}

/** Whether two scenes look the same. */
export function same(a: Scene | null, b: Scene | null): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

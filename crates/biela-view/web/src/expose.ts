// Read-only access to the state, for tests of the page.

import type { Clock } from "./clock";
import type { Player } from "./player";
import type { Picture } from "./scene/picture";
import type { Store } from "./store";
import type { Plots } from "./ui/plots";

export function expose(store: Store, picture: Picture, player: Player, plots: Plots, clock: Clock): void {
  const look = {
    get state() {
      return structuredClone({
        scene: store.get("scene")?.name ?? null,
        bodies: store.get("scene")?.bodies.length ?? 0,
        joints: store.get("scene")?.joints.length ?? 0,
        forces: store.get("scene")?.forces.length ?? 0,
        freedom: store.get("scene")?.freedom ?? null,
        run: store.get("run"),
        runs: store.get("runs").map(({ id, name, frames, state }) => ({ id, name, frames, state })),
        others: store.get("others"),
        difference: store.get("difference"),
        time: store.get("time"),
        playing: store.get("playing"),
        speed: store.get("speed"),
        loop: store.get("loop"),
        follow: store.get("follow"),
        selection: store.get("selection"),
        layers: store.get("layers"),
        plots: store.get("plots"),
        span: store.get("span"),
        traced: store.get("traced"),
        diagnostics: store.get("diagnostics").length,
        errors: store.get("diagnostics").filter((one) => one.severity === "error").length,
        shaking: store.get("shaking"),
        notice: store.get("notice"),
        theme: document.documentElement.dataset.theme,
        projection: store.get("projection"),
        tool: store.get("tool"),
        file: store.get("file"),
      });
    },
    get picture() {
      return {
        frame: Array.from(picture.frame),
        time: player.shownTime,
        frameNumber: player.frameNumber(),
        drawn: picture.view.drawn,
        ghosts: picture.ghostIds,
        traces: picture.traces.count,
        contacts: picture.contacts?.closed ?? null,
        seekMilliseconds: player.lastSeek,
        cacheBytes: player.cache.bytes,
        cacheChunks: player.cache.count,
        plotsReady: plots.ready,
        phase: clock.phase,
        triangles: picture.view.renderer.info.render.triangles,
      };
    },
    /** The surface of a beam as it is drawn: coordinates of its vertices, and the three vertices of each triangle. */
    surface(beam: number): { position: number[]; index: number[] } | null {
      return picture.beams?.surface(beam) ?? null;
    },
    /** Position on the page, in pixels, of a point of the ground frame. */
    at(x: number, y: number, z = 0): [number, number] | null {
      const p = picture.view.screen(picture.view.controls.target.clone().set(x, y, z));
      const box = picture.view.renderer.domElement.getBoundingClientRect();
      return p ? [p.x + box.left, p.y + box.top] : null;
    },
    /** Position of an element on the page, in pixels. */
    where(ref: string): [number, number] | null {
      const at = picture.anchor(ref as never, picture.view.controls.target.clone());
      const p = at ? picture.view.screen(at) : null;
      const box = picture.view.renderer.domElement.getBoundingClientRect();
      return p ? [p.x + box.left, p.y + box.top] : null;
    },
  };
  Object.defineProperty(window, "biela", { value: Object.freeze(look) });
}

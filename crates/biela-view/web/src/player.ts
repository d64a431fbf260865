// Brings the picture to the current time: frames of the displayed run and of its ghosts, or an animated mode.

import type { Source } from "./api";
import { firstTouch, type Frames, type Run } from "./protocol";
import { FrameCache, Motion } from "./motion";
import type { Picture } from "./scene/picture";
import type { Side } from "./scene/view";
import type { Scenes } from "./scenes";
import { markerOf, type Ref, type Store } from "./store";

const CACHE_BYTES = 32 * 1024 * 1024;
/** Maximum number of points of a trace: one response of the server. */
const TRACE_POINTS = 1500;
/** Number of frames from which the extent and the value range of a motion are found. */
const SURVEY_FRAMES = 200;
const ANSWER_BYTES = 4 * 1024 * 1024;

/** Normalizes the quaternion at an index. */
function unit(frame: Float32Array, at: number): void {
  const norm = Math.hypot(frame[at], frame[at + 1], frame[at + 2], frame[at + 3]);
  if (norm > 0) for (let k = at; k < at + 4; k++) frame[k] /= norm;
}

export class Player {
  readonly cache = new FrameCache(CACHE_BYTES);
  private readonly motions = new Map<number, Motion>();
  private frame = new Float32Array(0);
  private readonly ghostFrames = new Map<number, Float32Array>();
  private wish = 0;
  private before = 0;
  private tracing = 0;
  /** Milliseconds that the last seek took until its frame was shown. */
  lastSeek = 0;
  /** The time of the displayed frame. */
  shownTime = Number.NaN;

  constructor(
    private readonly store: Store,
    private readonly api: Source,
    private readonly picture: Picture,
    private readonly scenes: Scenes,
  ) {
    store.on(["time", "run", "others", "shaking", "amplitude"], () => this.update());
    store.on(["runs"], () => {
      this.refresh();
      this.update();
    });
    store.on(["run", "traced", "scene"], () => void this.traceAll());
    store.on(["run", "scene"], () => void this.learn());
  }

  /** A new scene: cached frames with another layout are discarded. */
  reset(size: number): void {
    this.frame = new Float32Array(size);
    this.ghostFrames.clear();
    this.shownTime = Number.NaN;
  }

  private refresh(): void {
    for (const run of this.store.get("runs")) {
      const motion = this.motions.get(run.id);
      if (motion) motion.run = run;
    }
  }

  motion(run: Run): Motion | null {
    const scene = this.picture.scene;
    if (!scene || run.frames === 0) return null;
    let motion = this.motions.get(run.id);
    if (!motion || motion.size !== scene.frame_size) {
      this.cache.forget(run.id);
      motion = new Motion(this.api, this.cache, run, scene.frame_size, scene.bodies.length, firstTouch(scene));
      this.motions.set(run.id, motion);
    }
    return motion;
  }

  update(): void {
    const scene = this.picture.scene;
    if (!scene) return;
    const time = this.store.get("time");
    const shaking = this.store.get("shaking");
    if (shaking !== null) {
      this.shake(shaking, time, scene.pose);
      return;
    }
    const run = this.store.shownRun;
    const motion = run ? this.motion(run) : null;
    if (!motion) {
      this.picture.move(new Float32Array(scene.pose));
      this.picture.keepGhosts([]);
      return;
    }
    const started = performance.now();
    const wish = ++this.wish;
    const direction = time >= this.before ? 1 : -1;
    this.before = time;
    this.show(motion, time, started, wish, direction);
    this.showGhosts(time, wish);
  }

  private show(motion: Motion, time: number, started: number, wish: number, direction: number): void {
    if (motion.sample(time, this.frame)) {
      this.picture.move(this.frame);
      this.picture.traces.at(time);
      this.shownTime = time;
      this.lastSeek = performance.now() - started;
      // the current frame first, then the next ones
      motion.ahead(time, direction);
      return;
    }
    motion
      .want(time)
      .then(() => {
        if (wish === this.wish) this.show(motion, time, started, wish, direction);
      })
      .catch((error: unknown) => this.store.set({ notice: `Cannot read the motion: ${String(error)}` }));
  }

  private showGhosts(time: number, wish: number): void {
    const others = this.store.get("others").filter((id) => id !== this.store.get("run"));
    this.picture.keepGhosts(others);
    others.forEach((id) => {
      const run = this.store.runById(id);
      const motion = run ? this.motion(run) : null;
      if (!run || !motion) return;
      let frame = this.ghostFrames.get(id);
      if (!frame) {
        frame = new Float32Array(motion.size);
        this.ghostFrames.set(id, frame);
      }
      const at = Math.max(run.times.first, Math.min(run.times.last, time));
      const color = this.store.get("runs").indexOf(run);
      const scene = this.scenes.peek(run);
      if (scene !== undefined && motion.sample(at, frame)) this.picture.ghost(id, color, frame, scene);
      else
        // an unreadable ghost is omitted; the plots show the error
        Promise.all([motion.want(at), this.scenes.fetch(run)])
          .then(([, own]) => {
            if (wish === this.wish && frame && motion.sample(at, frame)) this.picture.ghost(id, color, frame, own);
          })
          .catch(() => undefined);
    });
  }

  /** The initial pose plus a mode shape, scaled by the amplitude. */
  private shake(mode: number, time: number, pose: number[]): void {
    const { shape, quadrature } = this.store.get("modes")[mode] ?? { shape: [] };
    const angle = 2 * Math.PI * time;
    const size = this.store.get("amplitude") * this.picture.comfortable(shape, quadrature ?? []);
    const [c, s] = [size * Math.cos(angle), size * Math.sin(angle)];
    pose.forEach((value, k) => {
      this.frame[k] = value + c * (shape[k] ?? 0) + s * (quadrature?.[k] ?? 0);
    });
    for (let body = 0; body < (this.picture.scene?.bodies.length ?? 0); body++) unit(this.frame, 7 * body + 3);
    this.picture.keepGhosts([]);
    this.picture.move(this.frame);
  }

  /** Steps by whole frames of the displayed run. */
  async step(frames: number): Promise<void> {
    const run = this.store.shownRun;
    const motion = run ? this.motion(run) : null;
    if (!motion) return;
    const time = this.store.get("time");
    await motion.want(time);
    const at = motion.frame(time) ?? 0;
    // between two frames, a step back goes to the earlier one
    const exact = (await motion.timeOf(at)) === time;
    const next = frames < 0 && !exact ? at + frames + 1 : at + frames;
    this.store.set({ playing: false, follow: false, time: await motion.timeOf(next) });
  }

  /** Number of the frame at the current time. */
  frameNumber(): number | null {
    const run = this.store.shownRun;
    return run ? (this.motion(run)?.frame(this.store.get("time")) ?? null) : null;
  }

  /** Frames over the whole run, few enough for one response. */
  private async survey(run: Run, most: number): Promise<Frames | null> {
    const size = this.picture.scene?.frame_size ?? 0;
    const points = Math.max(2, Math.min(most, Math.floor(ANSWER_BYTES / (8 + 4 * size))));
    const every = Math.max(1, Math.ceil(run.frames / points));
    return this.api.frames(run.id, 0, Math.ceil(run.frames / every), every, size).catch(() => null);
  }

  private async traceAll(): Promise<void> {
    const round = ++this.tracing;
    const { traces } = this.picture;
    const run = this.store.shownRun;
    const wanted = this.store.get("traced");
    const scene = this.picture.scene;
    if (!run || !scene || wanted.length === 0 || run.frames < 2) {
      traces.clear();
      return;
    }
    const frames = await this.survey(run, TRACE_POINTS);
    if (!frames || round !== this.tracing || scene !== this.picture.scene) return;
    traces.clear();
    for (const ref of wanted) if (scene.bodies[markerOf(ref)[0]]) this.picture.trace(ref, frames);
    traces.at(this.store.get("time"));
  }

  /** Scales colours and arrows to the whole displayed run. */
  private async learn(): Promise<void> {
    const run = this.store.shownRun;
    const scene = this.picture.scene;
    if (!run || !scene || run.frames === 0 || scene.beams.length + scene.arrows.length === 0) return;
    const frames = await this.survey(run, SURVEY_FRAMES);
    if (frames && scene === this.picture.scene && run.id === this.store.get("run")) this.picture.learn(frames);
  }

  /** Fits the camera to the whole motion of the displayed run. */
  async fitMotion(side?: Side): Promise<void> {
    const run = this.store.shownRun;
    const frames = run && run.frames > 0 ? await this.survey(run, SURVEY_FRAMES) : null;
    this.picture.view.fit(this.picture.outline(frames), side);
  }

  toggleTrace(ref: Ref): void {
    const traced = this.store.get("traced");
    this.store.set({ traced: traced.includes(ref) ? traced.filter((one) => one !== ref) : [...traced, ref] });
  }
}

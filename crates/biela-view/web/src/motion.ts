// Frames of runs: fetched in chunks, cached up to a memory limit, interpolated in between.

import type { Source } from "./api";
import { TOUCH, type Frames, type Run } from "./protocol";

const CHUNK_BYTES = 128 * 1024;
const MOST_FRAMES = 4096;

/** Cache of the chunks of all runs; the least recently used chunk is evicted first. */
export class FrameCache {
  private readonly chunks = new Map<string, Frames>();
  bytes = 0;

  constructor(readonly limit: number) {}

  get count(): number {
    return this.chunks.size;
  }

  get(key: string): Frames | undefined {
    const chunk = this.chunks.get(key);
    if (chunk) {
      this.chunks.delete(key);
      this.chunks.set(key, chunk);
    }
    return chunk;
  }

  put(key: string, chunk: Frames): void {
    this.drop(key);
    this.chunks.set(key, chunk);
    this.bytes += chunk.data.byteLength + chunk.times.byteLength;
    for (const oldest of this.chunks.keys()) {
      if (this.bytes <= this.limit || oldest === key) break;
      this.drop(oldest);
    }
  }

  private drop(key: string): void {
    const chunk = this.chunks.get(key);
    if (!chunk) return;
    this.chunks.delete(key);
    this.bytes -= chunk.data.byteLength + chunk.times.byteLength;
  }

  forget(run: number): void {
    for (const key of [...this.chunks.keys()]) if (key.startsWith(`${run}/`)) this.drop(key);
  }
}

interface Place {
  chunk: Frames;
  /** Index in the chunk of the last frame at or before the time. */
  row: number;
}

/** The motion of one run. */
export class Motion {
  private readonly perChunk: number;
  private readonly loading = new Map<number, Promise<Frames>>();
  /** Time of the first frame of each chunk, once known. */
  private readonly starts: number[] = [];

  constructor(
    private readonly api: Source,
    private readonly cache: FrameCache,
    public run: Run,
    readonly size: number,
    /** Number of bodies at the start of a frame, whose quaternions are normalized. */
    private readonly bodies: number,
    /** Index of the first value of the contact points. */
    private readonly touches: number,
  ) {
    const bytes = 8 + 4 * size;
    this.perChunk = Math.max(2, Math.min(MOST_FRAMES, Math.floor(CHUNK_BYTES / bytes)));
  }

  /** Writes the frame at a time, if it is cached. */
  sample(time: number, out: Float32Array): boolean {
    const place = this.place(time);
    if (!place) return false;
    const { chunk, row } = place;
    const a = row * chunk.stride + 2;
    if (row + 1 >= chunk.count) {
      out.set(chunk.data.subarray(a, a + this.size));
      return true;
    }
    const step = chunk.times[row + 1] - chunk.times[row];
    const share = step > 0 ? Math.min(1, Math.max(0, (time - chunk.times[row]) / step)) : 1;
    blend(chunk.data, a, a + chunk.stride, share, this.bodies, this.touches, out);
    blendTouches(chunk.data, a, a + chunk.stride, share, this.touches, this.size, out);
    return true;
  }

  /** Fetches the chunks that `sample` needs at a time. */
  async want(time: number): Promise<void> {
    for (let round = 0; round < 12 && !this.place(time); round++) await this.load(this.guess(time));
  }

  /** Prefetches the next chunks. */
  ahead(time: number, direction: number): void {
    const next = this.guess(time) + direction;
    if (next < 0 || next >= this.chunkCount || this.has(next)) return;
    // a failed prefetch is repeated when the chunk is needed
    this.load(next).catch(() => undefined);
  }

  /** Number of the last frame at or before a time, if known. */
  frame(time: number): number | null {
    const place = this.place(time);
    return place ? place.chunk.from + place.row : null;
  }

  /** The time of a frame. */
  async timeOf(frame: number): Promise<number> {
    const k = Math.max(0, Math.min(this.run.frames - 1, frame));
    const chunk = await this.load(Math.floor(k / this.perChunk));
    return chunk.times[Math.min(k - chunk.from, chunk.count - 1)];
  }

  private get chunkCount(): number {
    return Math.ceil(this.run.frames / this.perChunk);
  }

  private key(chunk: number): string {
    return `${this.run.id}/${chunk}`;
  }

  /** A chunk ends with the first frame of the next one, so that there is no gap between them. */
  private wanted(chunk: number): number {
    return Math.min(this.perChunk + 1, this.run.frames - chunk * this.perChunk);
  }

  private has(chunk: number): Frames | null {
    const known = this.cache.get(this.key(chunk));
    return known && known.count >= this.wanted(chunk) ? known : null;
  }

  private load(chunk: number): Promise<Frames> {
    const known = this.has(chunk);
    if (known) return Promise.resolve(known);
    const under = this.loading.get(chunk);
    if (under) return under;
    const from = chunk * this.perChunk;
    const asked = this.api
      .frames(this.run.id, from, this.wanted(chunk), 1, this.size)
      .then((frames) => {
        if (frames.count === 0) throw new Error(`run ${this.run.name} has no frame ${from}`);
        this.starts[chunk] = frames.times[0];
        if (frames.count > this.perChunk) this.starts[chunk + 1] = frames.times[frames.count - 1];
        this.cache.put(this.key(chunk), frames);
        return frames;
      })
      .finally(() => this.loading.delete(chunk));
    this.loading.set(chunk, asked);
    return asked;
  }

  private place(time: number): Place | null {
    const chunk = this.has(this.guess(time));
    if (!chunk) return null;
    const last = chunk.count - 1;
    const first = chunk.from === 0;
    const final = chunk.from + chunk.count >= this.run.frames;
    if ((time < chunk.times[0] && !first) || (time > chunk.times[last] && !final)) return null;
    return { chunk, row: rowAt(chunk.times, time) };
  }

  /** The chunk that contains a time, by linear interpolation between the known times. */
  private guess(time: number): number {
    const count = this.chunkCount;
    let low = 0;
    let lowTime = this.run.times.first;
    let high = this.run.frames / this.perChunk;
    let highTime = this.run.times.last;
    this.starts.forEach((start, chunk) => {
      if (start <= time && chunk >= low) {
        low = chunk;
        lowTime = start;
      }
      if (start > time && chunk < high) {
        high = chunk;
        highTime = start;
      }
    });
    const share = highTime > lowTime ? (time - lowTime) / (highTime - lowTime) : 0;
    const chunk = Math.floor(low + Math.max(0, share) * (high - low));
    const most = Math.max(low, Math.ceil(high) - 1);
    return Math.max(0, Math.min(count - 1, most, Math.max(low, chunk)));
  }
}

/** Index of the last time at or before `time`. */
export function rowAt(times: Float64Array, time: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Linear interpolation between two frames; quaternions take the shorter arc. */
function blend(
  data: Float32Array,
  a: number,
  b: number,
  share: number,
  bodies: number,
  size: number,
  out: Float32Array,
): void {
  for (let k = 0; k < size; k++) out[k] = data[a + k] + share * (data[b + k] - data[a + k]);
  for (let body = 0; body < bodies; body++) {
    const q = 7 * body + 3;
    let dot = 0;
    for (let k = q; k < q + 4; k++) dot += data[a + k] * data[b + k];
    const sign = dot < 0 ? -1 : 1;
    let norm = 0;
    for (let k = q; k < q + 4; k++) {
      out[k] = (1 - share) * data[a + k] + share * sign * data[b + k];
      norm += out[k] * out[k];
    }
    const scale = norm > 0 ? 1 / Math.sqrt(norm) : 1;
    for (let k = q; k < q + 4; k++) out[k] *= scale;
  }
}

/** Interpolates contact points that are closed in both frames; the others have the values of the earlier frame. */
function blendTouches(data: Float32Array, a: number, b: number, share: number, from: number, size: number, out: Float32Array): void {
  for (let k = from; k < size; k += TOUCH) {
    const closed = data[a + k] > 0 && data[b + k] > 0;
    for (let i = k; i < k + TOUCH; i++) out[i] = data[a + i] + (closed && i > k ? share * (data[b + i] - data[a + i]) : 0);
  }
}

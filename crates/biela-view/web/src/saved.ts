// A page saved with its data: the responses of a server, read from elements of the page.

import type { Source } from "./api";
import { complete, completeRun, readFrames, type Frames, type History, type Scene, type Session } from "./protocol";

interface Table {
  times: Float64Array;
  /** One column per signal of the run, in the order of the signals. */
  values: Float32Array[];
}

export class Saved implements Source {
  private readonly kept: Session;
  private readonly frameBytes = new Map<number, Uint8Array>();
  private readonly tables = new Map<number, Table>();

  private constructor(session: Session) {
    this.kept = {
      ...session,
      scene: session.scene ? complete(session.scene) : null,
      runs: (session.runs ?? []).map(completeRun),
      diagnostics: session.diagnostics ?? [],
    };
  }

  /** The data of this page, if it has any. */
  static inPage(): Saved | null {
    const text = document.getElementById("biela-session")?.textContent;
    return text ? new Saved(JSON.parse(text) as Session) : null;
  }

  async session(): Promise<Session> {
    return this.kept;
  }

  async frames(run: number, from: number, count: number, every: number, size: number): Promise<Frames> {
    let bytes = this.frameBytes.get(run);
    if (!bytes) {
      bytes = decode(`biela-frames-${run}`);
      this.frameBytes.set(run, bytes);
    }
    const record = 8 + 4 * size;
    const last = Math.floor(bytes.length / record) - 1;
    const rows: number[] = [];
    for (let k = from; k <= last && rows.length < count; k += every) rows.push(k);
    const out = new Uint8Array(rows.length * record);
    rows.forEach((row, k) => out.set(bytes.subarray(row * record, (row + 1) * record), k * record));
    return readFrames(out.buffer, from, size);
  }

  async histories(run: number, names: string[], from: number, to: number, points: number): Promise<History[]> {
    const table = this.table(run);
    const known = this.kept.runs.find((one) => one.id === run)?.signals ?? [];
    const rows: number[] = [];
    table.times.forEach((time, row) => {
      if (time >= from && time <= to) rows.push(row);
    });
    return names.map((name) => {
      const column = table.values[known.findIndex((signal) => signal.name === name)];
      return column ? thin(table.times, column, rows, points) : { times: new Float64Array(0), min: new Float64Array(0), max: new Float64Array(0) };
    });
  }

  private table(run: number): Table {
    const known = this.tables.get(run);
    if (known) return known;
    const { buffer } = decode(`biela-signals-${run}`);
    const view = new DataView(buffer);
    const [rows, signals] = buffer.byteLength >= 8 ? [view.getUint32(0, true), view.getUint32(4, true)] : [0, 0];
    const first = 8 + 8 * rows;
    const table: Table = {
      times: new Float64Array(buffer, 8, rows),
      values: Array.from({ length: signals }, (_, k) => new Float32Array(buffer, first + 4 * rows * k, rows)),
    };
    this.tables.set(run, table);
    return table;
  }

  async sceneOf(run: number): Promise<Scene> {
    const text = document.getElementById(`biela-scene-${run}`)?.textContent;
    const scene = text ? complete(JSON.parse(text) as Scene) : this.kept.scene;
    return scene ?? missing("the scene of this run");
  }

  async mesh(number: number): Promise<ArrayBuffer> {
    const { buffer } = decode(`biela-mesh-${number}`);
    return buffer.byteLength > 0 ? buffer : missing("large meshes");
  }

  modes(): Promise<never> {
    return missing("the modes");
  }

  run(): Promise<never> {
    return missing("new runs");
  }

  stop(): Promise<never> {
    return missing("runs in progress");
  }

  desk(): Promise<never> {
    return missing("changes of the model");
  }

  /** A saved page receives no messages. */
  listen(): void {}
}

function missing(what: string): Promise<never> {
  return Promise.reject(new Error(`This saved page does not contain ${what}. Open the model with biela view.`));
}

/** The base64-encoded bytes in an element. */
function decode(id: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(document.getElementById(id)?.textContent ?? ""), (c) => c.charCodeAt(0));
}

/** Minimum and maximum in each of at most `points` groups of rows. */
function thin(times: Float64Array, values: Float32Array, rows: number[], points: number): History {
  const each = Math.max(1, Math.ceil(rows.length / points));
  const count = Math.ceil(rows.length / each);
  const out: History = { times: new Float64Array(count), min: new Float64Array(count), max: new Float64Array(count) };
  for (let k = 0; k < count; k++) {
    const group = rows.slice(k * each, (k + 1) * each).map((row) => values[row]);
    out.times[k] = times[rows[k * each]];
    out.min[k] = Math.min(...group);
    out.max[k] = Math.max(...group);
  }
  return out;
}

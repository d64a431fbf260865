// The model file as the page knows it, and its changes. Every change names the version it is based on: a version that another program saved is never overwritten.

import type { Source } from "./api";
import type { Address, Change, Diagnostic, Effect, Now, TableInfo, Written } from "./protocol";
import { addressOf, type Ref, refOf, type Store } from "./store";

export class Desk {
  /** The element to select as soon as the scene contains it. */
  private wanted: Address | null = null;
  /** Changes run one after the other: each needs the version that the previous one wrote. */
  private line: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly store: Store,
    private readonly api: Source,
  ) {}

  /** Reads the current contents of the file. */
  async refresh(): Promise<void> {
    if (this.store.get("mode") !== "model") return;
    const answer = await this.api.desk<Now & { missing?: boolean; elements?: Written[] }>("elements", {});
    const { missing, version, undo, redo, elements } = answer;
    const file = { missing: missing === true, version: version ?? "", undo: undo ?? 0, redo: redo ?? 0, elements: elements ?? [] };
    const known = this.store.get("file");
    // without a change, the user's input stays
    if (!known || known.version !== file.version || known.undo !== file.undo || known.redo !== file.redo || known.missing !== file.missing) this.store.set({ file });
    if (this.store.get("language").length === 0) {
      const { tables } = await this.api.desk<{ tables: TableInfo[] }>("language", {});
      this.store.set({ language: tables });
    }
    this.selectWanted();
  }

  /** The element as written in the file. */
  written(address: Address): Written | null {
    return this.store.get("file")?.elements.find((one) => one.table === address.table && one.name === address.name) ?? null;
  }

  table(name: string): TableInfo | null {
    return this.store.get("language").find((table) => table.name === name) ?? null;
  }

  /** Makes all changes or none. Returns their problems; if there are any, nothing was written. */
  change(changes: Change[], select?: Address): Promise<Diagnostic[]> {
    return this.next(async (version) => {
      const answer = await this.api.desk<Now & { problems?: Diagnostic[] }>("edit", { version, changes });
      if (answer.problems) return answer.problems;
      if (select) this.wanted = select;
      return [];
    });
  }

  /** Returns the effect of changes without making them, or the problems that prevent them. */
  preview(changes: Change[]): Promise<Effect & { problems?: Diagnostic[] }> {
    return this.next((version) => this.api.desk("preview", { version, changes }));
  }

  async undo(): Promise<void> {
    if ((this.store.get("file")?.undo ?? 0) > 0) await this.tell(this.next((version) => this.api.desk("undo", { version })));
  }

  async redo(): Promise<void> {
    if ((this.store.get("file")?.redo ?? 0) > 0) await this.tell(this.next((version) => this.api.desk("redo", { version })));
  }

  async create(space: "planar" | "spatial"): Promise<void> {
    await this.tell(this.next(() => this.api.desk("create", { space })));
  }

  drag(body: number, point: number[], to: number[]): Promise<{ pose: number[] }> {
    return this.api.desk("drag", { body, point, to });
  }

  /** Writes the pose that the mechanism was dragged to. */
  async drop(): Promise<void> {
    await this.tell(this.next((version) => this.api.desk("drop", { version })));
  }

  async release(): Promise<void> {
    await this.tell(this.api.desk("release", {}));
  }

  /** Shows the error of a rejected request as a notice. */
  async tell(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.store.set({ notice: error instanceof Error ? error.message : String(error) });
    }
  }

  /** The selection in a new scene: the requested element, or the one with the name of the old selection. */
  selectionIn(refs: { old: Ref | null; wanted: (address: Address) => Ref | null }): Ref | null {
    const found = this.wanted ? refs.wanted(this.wanted) : null;
    if (found) this.wanted = null;
    return found ?? refs.old;
  }

  private selectWanted(): void {
    const scene = this.store.get("scene");
    const wanted = this.wanted;
    if (!wanted || !this.written(wanted)) return;
    const ref = refOf(scene, wanted);
    if (!ref) return;
    this.wanted = null;
    this.store.set({ selection: ref });
  }

  private next<T>(work: (version: string) => Promise<T>): Promise<T> {
    const turn = this.line.then(async () => {
      try {
        return await work(this.store.get("file")?.version ?? "");
      } finally {
        await this.refresh().catch(() => undefined);
      }
    });
    this.line = turn.catch(() => undefined);
    return turn;
  }

  /** Deletes an element. Without `sure`, returns the effect on other elements, if there is one, and deletes nothing. */
  async remove(ref: Ref, sure: boolean): Promise<Effect | null> {
    const scene = this.store.get("scene");
    const element = scene ? addressOf(scene, ref) : null;
    if (!element || !this.written(element) || element.name === null) return null;
    const changes: Change[] = [{ do: "remove", element }];
    if (!sure) {
      const effect = await this.preview(changes);
      if (effect.problems) throw new Error(effect.problems.map((one) => one.message).join("; "));
      const gone = effect.gone.filter((one) => one.table !== element.table || one.name !== element.name);
      if (gone.length > 0 || effect.changed.length > 0) return { gone, changed: effect.changed };
    }
    const problems = await this.change(changes);
    if (problems.length > 0) throw new Error(problems.map((one) => one.message).join("; "));
    this.store.set({ selection: null });
    return null;
  }
}

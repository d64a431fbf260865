// Drags the mechanism by a body; the program keeps it assembled. The pose is written only on request.

import { Vector3 } from "three";
import type { Desk } from "../desk";
import type { Picture } from "../scene/picture";
import type { Store } from "../store";
import type { Places } from "./places";

export class Drag {
  private held: { body: number; point: number[]; at: Vector3; pointer: number } | null = null;
  private busy = false;
  private next: Vector3 | null = null;
  /** Whether the displayed pose is not in the file. */
  moved = false;
  /** The version of the file when it was dragged. */
  private version = "";

  constructor(
    private readonly store: Store,
    private readonly desk: Desk,
    private readonly picture: Picture,
    private readonly places: Places,
    private readonly told: () => void,
  ) {
    const canvas = picture.view.renderer.domElement;
    // before the camera controls, which listen on the canvas itself
    canvas.parentElement?.addEventListener("pointerdown", (event) => this.grab(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.pull(event));
    for (const end of ["pointerup", "pointercancel"] as const) canvas.addEventListener(end, (event) => this.let(event));
    // a new scene, or a new version of the file, resets the pose to that of the file
    store.on(["scene"], () => this.forget());
    store.on(["file"], () => {
      if (store.get("file")?.version !== this.version) void this.putBack();
    });
  }

  private grab(event: PointerEvent): void {
    const canvas = this.picture.view.renderer.domElement;
    if (this.store.get("tool") !== "drag" || event.button !== 0 || event.target !== canvas || this.held) return;
    const hit = this.picture.pickBody(event.clientX, event.clientY);
    if (!hit || hit.body === 0) return;
    const at = this.picture.view.planar ? (this.picture.view.onFloor(event.clientX, event.clientY) ?? hit.point) : hit.point;
    this.held = { body: hit.body, point: this.places.local(hit.body, at), at, pointer: event.pointerId };
    this.picture.view.controls.enabled = false;
    canvas.setPointerCapture(event.pointerId);
    canvas.classList.add("grabbing");
    this.store.set({ selection: `body:${hit.body}` });
  }

  private pull(event: PointerEvent): void {
    if (!this.held || event.pointerId !== this.held.pointer) return;
    const to = this.picture.view.across(event.clientX, event.clientY, this.held.at);
    if (!to) return;
    this.next = to;
    void this.follow(this.held.body, this.held.point);
  }

  /** One request at a time, always for the latest target. */
  private async follow(body: number, point: number[]): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    while (this.next) {
      const to = this.next;
      this.next = null;
      await this.to(body, point, to);
    }
    this.busy = false;
  }

  /** Moves a point of a body as close to a target as the joints allow. */
  async to(body: number, point: number[], to: Vector3): Promise<void> {
    const scene = this.picture.scene;
    try {
      const { pose } = await this.desk.drag(body, point, to.toArray());
      if (scene !== this.picture.scene || this.store.get("run") !== null) return;
      this.picture.move(new Float32Array(pose));
      this.moved = true;
      this.version = this.store.get("file")?.version ?? "";
      this.told();
    } catch (error) {
      this.store.set({ notice: error instanceof Error ? error.message : String(error) });
    }
  }

  private let(event: PointerEvent): void {
    if (!this.held || event.pointerId !== this.held.pointer) return;
    this.held = null;
    this.picture.view.controls.enabled = true;
    this.picture.view.renderer.domElement.classList.remove("grabbing");
  }

  private forget(): void {
    this.next = null;
    this.moved = false;
    this.told();
  }

  /** Writes the pose into the file. */
  async keep(): Promise<void> {
    await this.desk.drop();
  }

  /** Resets the pose to that of the file. */
  async putBack(): Promise<void> {
    if (!this.moved) return;
    this.forget();
    const pose = this.picture.scene?.pose;
    if (pose && this.store.get("run") === null) this.picture.move(new Float32Array(pose));
    await this.desk.release();
  }
}

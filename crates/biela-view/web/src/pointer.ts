// Click selects, the pointer tells what it is on.

import type { Picture } from "./scene/picture";
import type { Store } from "./store";

/** A press that moves farther than this is a drag. */
const STILL = 5;

export function watchPointer(store: Store, picture: Picture): void {
  const canvas = picture.view.renderer.domElement;
  let down: { x: number; y: number } | null = null;
  let looking = false;
  canvas.addEventListener("pointerdown", (event) => {
    down = { x: event.clientX, y: event.clientY };
  });
  canvas.addEventListener("pointerup", (event) => {
    const still = down && Math.hypot(event.clientX - down.x, event.clientY - down.y) < STILL;
    down = null;
    if (still && event.button === 0) store.set({ selection: picture.pick(event.clientX, event.clientY) });
  });
  canvas.addEventListener("pointermove", (event) => {
    // one look a picture is enough
    if (event.buttons !== 0 || event.pointerType === "touch" || looking || store.get("playing")) return;
    looking = true;
    requestAnimationFrame(() => {
      looking = false;
      const ref = picture.pick(event.clientX, event.clientY);
      store.set({ hover: ref });
      canvas.classList.toggle("on", ref !== null);
    });
  });
  canvas.addEventListener("pointerleave", () => store.set({ hover: null }));
}

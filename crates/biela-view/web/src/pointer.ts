// A click selects an element; hovering shows its name.

import type { Picture } from "./scene/picture";
import type { Store } from "./store";
import type { Palette } from "./ui/palette";

/** A press that moves farther than this number of pixels is a drag. */
const STILL = 5;

export function watchPointer(store: Store, picture: Picture, palette: Palette): void {
  const canvas = picture.view.renderer.domElement;
  let down: { x: number; y: number } | null = null;
  let last: PointerEvent | null = null;
  canvas.addEventListener("pointerdown", (event) => {
    down = { x: event.clientX, y: event.clientY };
  });
  canvas.addEventListener("pointerup", (event) => {
    const still = down && Math.hypot(event.clientX - down.x, event.clientY - down.y) < STILL;
    down = null;
    if (!still || event.button !== 0) return;
    const tool = store.get("tool");
    if (tool === null) store.set({ selection: picture.pick(event.clientX, event.clientY) });
    else if (tool !== "drag") palette.pick(event.clientX, event.clientY);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons !== 0 || event.pointerType === "touch" || store.get("playing")) return;
    const waiting = last !== null;
    last = event;
    // pick once per drawn frame, at the latest position of the pointer
    if (waiting) return;
    requestAnimationFrame(() => {
      const { clientX, clientY } = last ?? event;
      last = null;
      const tool = store.get("tool");
      if (tool !== null && tool !== "drag") {
        palette.hover(clientX, clientY);
        return;
      }
      const ref = picture.pick(clientX, clientY);
      store.set({ hover: ref });
      canvas.classList.toggle("on", ref !== null);
    });
  });
  canvas.addEventListener("pointerleave", () => {
    store.set({ hover: null });
    palette.show(null);
  });
}

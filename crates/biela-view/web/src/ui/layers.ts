// The menu of the layers of the picture.

import { LAYERS, type Layer, type Store } from "../store";
import { check, h } from "./dom";

export function layers(store: Store): HTMLElement {
  const host = h("div", { class: "menu", role: "group", "aria-label": "Layers", id: "layers", hidden: true });
  const fill = () => {
    const scale = h("input", { type: "range", min: -2, max: 2, step: 0.1, value: Math.log2(store.get("arrowScale")), "aria-label": "Arrow scale" });
    scale.addEventListener("input", () => store.set({ arrowScale: 2 ** Number(scale.value) }));
    host.replaceChildren(
      ...(Object.keys(LAYERS) as Layer[]).map((layer) =>
        check(LAYERS[layer], store.get("layers")[layer], () => toggleLayer(store, layer)),
      ),
      h("label", { class: "slide" }, h("span", { text: "Arrow scale" }), scale),
    );
  };
  store.bind(["layers"], fill);
  return host;
}

export function toggleLayer(store: Store, layer: Layer): void {
  const layers = store.get("layers");
  store.set({ layers: { ...layers, [layer]: !layers[layer] } });
}

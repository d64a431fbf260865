// The user's choices, kept for the next visit.

import type { Layer, Store } from "./store";

const KEY = "biela-choices";

interface Choices {
  theme?: "auto" | "light" | "dark";
  units?: "si" | "mm";
  layers?: Partial<Record<Layer, boolean>>;
  loop?: boolean;
}

export function rememberChoices(store: Store): void {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Choices;
    if (kept.theme === "light" || kept.theme === "dark") store.set({ theme: kept.theme });
    if (kept.units === "mm") store.set({ units: "mm" });
    if (kept.loop === true) store.set({ loop: true });
    if (kept.layers) {
      const layers = { ...store.get("layers") };
      for (const layer of Object.keys(layers) as Layer[]) if (typeof kept.layers[layer] === "boolean") layers[layer] = kept.layers[layer];
      store.set({ layers });
    }
  } catch {
    // unreadable choices are replaced by the defaults
  }
  store.on(["theme", "units", "layers", "loop"], () => {
    const choices: Choices = { theme: store.get("theme"), units: store.get("units"), layers: store.get("layers"), loop: store.get("loop") };
    try {
      localStorage.setItem(KEY, JSON.stringify(choices));
    } catch {
      // without storage the choices last for this visit
    }
  });
}

/** Applies the chosen theme, or the system's. Returns the function that switches between light and dark. */
export function watchTheme(store: Store, paint: (dark: boolean) => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const dark = () => (store.get("theme") === "auto" ? system.matches : store.get("theme") === "dark");
  const apply = () => {
    document.documentElement.dataset.theme = dark() ? "dark" : "light";
    paint(dark());
  };
  system.addEventListener("change", apply);
  store.bind(["theme"], apply);
  return () => store.set({ theme: dark() ? "light" : "dark" });
}

// What a person chose, kept for the next time.

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
    // choices that cannot be read are made anew
  }
  store.on(["theme", "units", "layers", "loop"], () => {
    const choices: Choices = { theme: store.get("theme"), units: store.get("units"), layers: store.get("layers"), loop: store.get("loop") };
    try {
      localStorage.setItem(KEY, JSON.stringify(choices));
    } catch {
      // a browser that keeps nothing asks again
    }
  });
}

/** Keeps the page in the chosen theme, or in the system's; gives the switch between the two. */
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

// Creates elements without markup: text is always set as text, so a name cannot become code.

type Attributes = Record<string, string | number | boolean | ((event: never) => void) | null | undefined>;

/** `on…` attributes are listeners, `text` is the content, the rest are attributes. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string | null)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  apply(element, attributes);
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

function apply(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (name === "text") element.textContent = String(value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

const SVG = "http://www.w3.org/2000/svg";

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Node[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  apply(element, attributes);
  element.append(...children);
  return element;
}

/** Outlines in a view box of 24 × 24, stroked. */
const ICONS = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M8 5v14M16 5v14",
  back: "M18 5.5v13L8 12zM6 5v14",
  forward: "M6 5.5v13L16 12zM18 5v14",
  start: "M5 5v14M19 5.5v13L12.500 12zM12.500 5.500v13L6 12z",
  end: "M19 5v14M5 5.5v13L11.500 12zM11.500 5.500v13L18 12z",
  loop: "M17 3l3 3-3 3M4 11V9a3 3 0 0 1 3-3h13M7 21l-3-3 3-3M20 13v2a3 3 0 0 1-3 3H4",
  layers: "M12 3l9 5-9 5-9-5zM3 12.500l9 5 9-5M3 16.500l9 5 9-5",
  help: "M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM9.500 9.300a2.500 2.500 0 1 1 3.600 2.400c-.8.4-1.100 1-1.100 1.800M12 16.800v.2",
  theme: "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6L6 18",
  cube: "M12 3l8 4.500v9L12 21l-8-4.500v-9zM12 12l8-4.500M12 12L4 7.500M12 12v9",
  tree: "M5 4v13a2 2 0 0 0 2 2h3M5 10h5M14 4h6v4h-6zM14 8",
  chart: "M4 4v16h16M7 15l4-5 3 3 5-7",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  drag: "M12 3v18M3 12h18M12 3l-2.500 2.500M12 3l2.500 2.500M12 21l-2.500-2.500M12 21l2.500-2.500M3 12l2.500-2.500M3 12l2.500 2.500M21 12l-2.500-2.500M21 12l-2.500 2.500",
  body: "M6.200 15.200a3 3 0 1 0 2.600 2.600l9-9a3 3 0 1 0-2.600-2.600z",
  point: "M12 4v5M12 15v5M4 12h5M15 12h5M12 10.500a1.500 1.500 0 1 1 0 3 1.500 1.500 0 0 1 0-3z",
  joint: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM3 20l6-5M21 20l-6-5",
  spring: "M12 2v3l-5 1.500 10 3-10 3 10 3-10 3L12 20v2",
  force: "M4 20L19 5M19 5h-7M19 5v7",
  driver: "M20 12a8 8 0 1 1-3-6.200M20 3v5h-5",
  diff: "M12 4v7M8.500 7.500h7M8.500 16h7M4 21h16",
} as const;
export type Icon = keyof typeof ICONS;

export function icon(name: Icon): SVGSVGElement {
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}

/** A button with an icon, labelled for screen readers. */
export function iconButton(name: Icon, label: string, press: () => void, extra: Attributes = {}): HTMLButtonElement {
  const button = h("button", { type: "button", class: "tool", title: label, "aria-label": label, onclick: press, ...extra });
  button.append(icon(name));
  return button;
}

/** A check box with its label. */
export function check(label: string, on: boolean, change: (on: boolean) => void): HTMLLabelElement {
  const box = h("input", { type: "checkbox" });
  box.checked = on;
  box.addEventListener("change", () => change(box.checked));
  return h("label", { class: "check" }, box, h("span", { text: label }));
}

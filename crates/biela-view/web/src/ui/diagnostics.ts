// Errors and warnings of the model file, over the last valid picture.

import type { Diagnostic } from "../protocol";
import type { Store } from "../store";
import { h } from "./dom";

export function diagnostics(store: Store): HTMLElement {
  const host = h("section", { class: "diagnostics", role: "alert", "aria-label": "Errors and warnings of the model", hidden: true });
  const fill = () => {
    const list = store.get("diagnostics");
    const errors = list.filter((one) => one.severity === "error").length;
    host.hidden = list.length === 0 || store.get("file")?.missing === true;
    if (list.length === 0) {
      host.replaceChildren();
      return;
    }
    const scene = store.get("scene");
    const head = `${errors} ${errors === 1 ? "error" : "errors"} in the model`;
    const kept = scene ? "The picture shows the last valid version." : "";
    host.classList.toggle("mild", errors === 0);
    const entries = h("ol", {}, ...list.map(entry));
    // warnings are collapsed, so that they do not cover the picture
    host.replaceChildren(...(errors > 0 ? [h("header", {}, h("strong", { text: head }), h("span", { class: "quiet", text: kept })), entries] : [h("details", {}, h("summary", { text: `${list.length} ${list.length === 1 ? "warning" : "warnings"}` }), entries)]));
  };
  store.bind(["diagnostics", "scene", "file"], fill);
  document.addEventListener(
    "keydown",
    (event) => {
      const open = host.querySelector<HTMLDetailsElement>("details[open]");
      if (event.key !== "Escape" || !open || host.hidden) return;
      open.open = false;
      event.stopPropagation();
      event.preventDefault();
    },
    { capture: true },
  );
  return host;
}

function entry(one: Diagnostic): HTMLElement {
  const place = one.line ? `${one.file ? `${one.file}:` : ""}${one.line}:${one.column ?? 1}` : (one.file ?? "");
  const kind = { class: one.severity === "error" ? "error" : "warning" };
  // the text of the command includes location, source line and help
  if (one.text?.includes(one.message)) return h("li", kind, h("pre", { text: one.text }));
  return h(
    "li",
    kind,
    h("div", {}, place ? h("code", { class: "place", text: place }) : null, h("span", { text: one.message })),
    one.help ? h("div", { class: "help", text: one.help }) : null,
  );
}

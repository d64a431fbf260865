// The sheet of keyboard shortcuts over the page.

import { h, iconButton } from "./dom";

const KEYS: [string, [string, string][]][] = [
  [
    "Time",
    [
      ["Space", "play or pause"],
      ["← →", "previous, next frame"],
      ["Page up, Page down", "a tenth of the run back, forward"],
      ["Home, End", "start, end"],
      ["[ ]", "slower, faster"],
      ["L", "repeat"],
      ["V", "follow a run in progress"],
      ["R", "run the model, or stop the run"],
    ],
  ],
  [
    "View",
    [
      ["F", "fit to window"],
      ["1 2 3 4", "front, top, right, isometric"],
      ["O", "perspective, orthographic"],
      ["Shift + arrows", "pan"],
      ["Alt + arrows", "rotate"],
      ["+ −", "zoom in, out"],
      ["G J T N", "show grid, joints, traces, names"],
      ["A M I X", "show arrows, mass centres, inertia, frames"],
    ],
  ],
  [
    "Page",
    [
      ["/", "plot a signal"],
      ["E", "find an element"],
      ["Escape", "deselect, close"],
      ["Z", "plot the whole run"],
      ["D", "light or dark theme"],
      ["U", "m and rad, or mm and deg"],
      ["?", "this sheet"],
    ],
  ],
  [
    "Edit the model",
    [
      ["B P C", "new body, point, joint"],
      ["S Q W", "new spring, force, driver"],
      ["H", "drag the mechanism"],
      ["Delete", "delete the selected element"],
      ["Ctrl + Z", "undo"],
      ["Ctrl + Shift + Z", "redo"],
      ["Escape", "deselect the tool"],
    ],
  ],
  [
    "Mouse, touch screen",
    [
      ["Click", "select"],
      ["Drag", "rotate; pan in a planar model"],
      ["Right drag", "pan; rotate in a planar model"],
      ["Wheel, pinch", "zoom in, out"],
      ["Drag in a plot", "zoom in; double-click shows the whole run"],
    ],
  ],
];

export function help(): HTMLDialogElement {
  const sheet = h("dialog", { class: "help-sheet", "aria-label": "Keyboard shortcuts" });
  sheet.append(
    h("header", {}, h("h2", { text: "Keyboard shortcuts" }), iconButton("close", "Close", () => sheet.close())),
    h(
      "div",
      { class: "columns" },
      ...KEYS.map(([title, keys]) =>
        h(
          "section",
          {},
          h("h3", { text: title }),
          h("dl", { class: "keys" }, ...keys.flatMap(([key, does]) => [h("dt", {}, h("kbd", { text: key })), h("dd", { text: does })])),
        ),
      ),
    ),
  );
  sheet.addEventListener("click", (event) => {
    if (event.target === sheet) sheet.close();
  });
  return sheet;
}

// The keys, on a sheet over the page.

import { h, iconButton } from "./dom";

const KEYS: [string, [string, string][]][] = [
  [
    "Time",
    [
      ["Space", "play or pause"],
      ["← →", "one frame back or on"],
      ["Page up, Page down", "a tenth of the run back or on"],
      ["Home, End", "start, end"],
      ["[ ]", "slower, faster"],
      ["L", "repeat"],
      ["V", "follow a run that goes on"],
      ["R", "run the model, or stop the run"],
    ],
  ],
  [
    "View",
    [
      ["F", "fit everything"],
      ["1 2 3 4", "front, top, right, from a corner"],
      ["O", "with or without perspective"],
      ["Shift + arrows", "shift the view"],
      ["Alt + arrows", "turn the view"],
      ["+ −", "closer, farther"],
      ["G J T N", "grid, joints, traces, names"],
      ["A M I X", "arrows, mass centres, inertia, frames"],
    ],
  ],
  [
    "Page",
    [
      ["/", "choose a signal to plot"],
      ["E", "find an element"],
      ["Escape", "deselect, close"],
      ["Z", "show all of the time in the plots"],
      ["D", "light or dark"],
      ["U", "SI, or millimetres and degrees"],
      ["?", "this sheet"],
    ],
  ],
  [
    "Change the model",
    [
      ["B P C", "new body, point, joint"],
      ["S Q W", "new spring, force, motion"],
      ["H", "drag the mechanism"],
      ["Delete", "delete the selected element"],
      ["Ctrl + Z", "undo"],
      ["Ctrl + Shift + Z", "redo"],
      ["Escape", "put the tool away"],
    ],
  ],
  [
    "Mouse and touch",
    [
      ["Click", "select"],
      ["Drag", "turn; shift where the model is flat"],
      ["Right drag", "shift; turn where the model is flat"],
      ["Wheel, pinch", "closer, farther"],
      ["Drag in a plot", "look closer; double click shows all"],
    ],
  ],
];

export function help(): HTMLDialogElement {
  const sheet = h("dialog", { class: "help-sheet", "aria-label": "Keys" });
  sheet.append(
    h("header", {}, h("h2", { text: "Keys" }), iconButton("close", "Close", () => sheet.close())),
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

// Over the picture: axes, names of elements, scales of colours and arrows, and the name of the element under the pointer.

import { Color, Vector3 } from "three";
import type { Picture } from "../scene/picture";
import { AXIS_COLORS } from "../scene/marks";
import { valueColor } from "../scene/palette";
import { nameOf, type Ref, type Store } from "../store";
import { number, pretty } from "../units";
import { h, svg } from "./dom";

const MOST_LABELS = 80;

export function overlay(store: Store, picture: Picture): Element[] {
  const axes = triad(picture);
  const labels = h("div", { class: "labels", "aria-hidden": "true" });
  const legend = h("div", { class: "legend-box" });
  const pool: HTMLElement[] = [];

  const placeLabels = () => {
    const scene = store.get("scene");
    const wanted: [Ref, string][] = [];
    const add = (ref: Ref | null, kind: string) => {
      if (ref && !wanted.some(([known]) => known === ref)) wanted.push([ref, kind]);
    };
    add(store.get("selection"), "selected");
    add(store.get("hover"), "hover");
    if (scene && store.get("layers").names) {
      scene.joints.forEach((_, k) => add(`joint:${k}`, "joint"));
      scene.bodies.forEach((body, k) => {
        if (k > 0 && !body.station_of) add(`body:${k}`, "body");
      });
      scene.beams.forEach((_, k) => add(`beam:${k}`, "body"));
    }
    const at = new Vector3();
    let used = 0;
    const taken: [number, number, number][] = [];
    for (const [ref, kind] of wanted.slice(0, MOST_LABELS)) {
      const place = scene ? picture.anchor(ref, at) : null;
      const where = place ? picture.view.screen(place) : null;
      if (!scene || !where) continue;
      const name = nameOf(scene, ref);
      const width = 7 * name.length + 14;
      // a name that would cover another one is omitted
      const covers = taken.some(([x, y, w]) => Math.abs(y - where.y) < 20 && where.x < x + w && x < where.x + width);
      if (covers) continue;
      taken.push([where.x, where.y, width]);
      let label = pool[used];
      if (!label) {
        label = h("span");
        pool.push(label);
        labels.append(label);
      }
      if (label.textContent !== name) label.textContent = name;
      label.className = `label ${kind}`;
      label.hidden = false;
      label.style.transform = `translate(${Math.round(where.x + 12)}px, ${Math.round(where.y - 26)}px)`;
      used += 1;
    }
    for (const label of pool.slice(used)) label.hidden = true;
  };

  let told = "";
  const placeLegend = () => {
    const scene = store.get("scene");
    const beams = picture.beams;
    const arrows = picture.arrows;
    const layers = store.get("layers");
    const colours = Boolean(scene && beams && scene.beams.length > 0 && layers.beams && beams.high > beams.low);
    const vectors = Boolean(arrows && layers.arrows && arrows.largest.force + arrows.largest.torque > 0);
    const text = `${colours} ${beams?.low} ${beams?.high} ${vectors} ${arrows?.largest.force} ${arrows?.largest.torque}`;
    if (text === told) return;
    told = text;
    legend.replaceChildren();
    legend.hidden = !colours && !vectors;
    if (colours && scene && beams) {
      const { name, unit } = scene.beams[0].value;
      const signed = beams.low < 0 && beams.high > 0;
      const most = Math.max(Math.abs(beams.low), Math.abs(beams.high));
      const [low, high] = signed ? [-most, most] : [beams.low, beams.high];
      const ramp = h("div", { class: "ramp" });
      for (let k = 0; k < 24; k++) {
        const cell = h("i");
        cell.style.background = `#${valueColor(low + ((high - low) * k) / 23, beams.low, beams.high, new Color()).getHexString()}`;
        ramp.append(cell);
      }
      legend.append(
        h("div", { text: `${name}, ${pretty(unit)}` }),
        ramp,
        h("div", { class: "ends" }, h("span", { text: number(low, 3) }), h("span", { text: signed ? "0" : "" }), h("span", { text: number(high, 3) })),
      );
    }
    if (vectors && arrows) {
      if (arrows.largest.force > 0) legend.append(h("div", { text: `longest force arrow ${number(arrows.largest.force, 3)} N` }));
      if (arrows.largest.torque > 0) legend.append(h("div", { text: `longest torque arrow ${number(arrows.largest.torque, 3)} N·m` }));
    }
  };

  picture.view.beforeDrawing(() => {
    axes.update();
    placeLabels();
    placeLegend();
  });
  store.on(["selection", "hover", "layers"], () => picture.view.invalidate());
  return [labels, axes.element, legend];
}

/** The triad of axis directions. */
function triad(picture: Picture): { element: SVGSVGElement; update: () => void } {
  const element = svg("svg", { class: "triad", viewBox: "-42 -42 84 84", role: "img", "aria-label": "Coordinate axes" });
  const arms = ["x", "y", "z"].map((name, k) => {
    const line = svg("line", { x1: 0, y1: 0, stroke: AXIS_COLORS[k], "stroke-width": 3, "stroke-linecap": "round" });
    const text = svg("text", { fill: AXIS_COLORS[k], "text-anchor": "middle", "dominant-baseline": "central" });
    text.textContent = name;
    element.append(line, text);
    return { line, text };
  });
  const update = () => {
    const turn = picture.view.camera.quaternion.clone().invert();
    arms.forEach(({ line, text }, k) => {
      const arm = new Vector3().setComponent(k, 1).applyQuaternion(turn);
      line.setAttribute("x2", String(25 * arm.x));
      line.setAttribute("y2", String(-25 * arm.y));
      text.setAttribute("x", String(34 * arm.x));
      text.setAttribute("y", String(-34 * arm.y));
      // an axis along the line of sight gets no label
      text.setAttribute("opacity", Math.hypot(arm.x, arm.y) < 0.2 ? "0" : "1");
    });
  };
  return { element, update };
}

// The inspector of the selected element: properties of the model, and values at the current time.

import { Euler, Quaternion, Vector3 } from "three";
import type { Desk } from "../desk";
import type { Player } from "../player";
import type { Scene, SignalInfo } from "../protocol";
import type { Picture } from "../scene/picture";
import { principal } from "../scene/inertia";
import { valueAt, type Signals } from "../signals";
import { indexOf, kindOf, nameOf, type Ref, type Store } from "../store";
import { number, pretty, quantities, quantity } from "../units";
import { h, iconButton } from "./dom";
import { properties } from "./properties";

type Row = [name: string, value: string];
/** Maximum number of signals of an element that are shown. */
const MOST_SIGNALS = 40;

export function inspector(
  store: Store,
  picture: Picture,
  signals: Signals,
  player: Player,
  desk: Desk,
  plot: (signal: string) => void,
): HTMLElement {
  const [top, rest] = [h("div", { class: "head" }), h("div", { class: "stack" })];
  // the input fields stay while the rest is rebuilt
  const host = h("div", { class: "stack inspector", "aria-live": "off" }, top, properties(store, desk), rest);
  let live: { cell: HTMLElement; read: () => string }[] = [];

  const table = (title: string, rows: Row[]) => {
    if (rows.length === 0) return null;
    const body = h("dl", { class: "facts" });
    for (const [name, value] of rows) body.append(h("dt", { text: name }), h("dd", { text: value }));
    return h("section", {}, h("h3", { text: title }), body);
  };

  const liveTable = (title: string, rows: [string, () => string][]) => {
    if (rows.length === 0) return null;
    const body = h("dl", { class: "facts" });
    for (const [name, read] of rows) {
      const cell = h("dd");
      live.push({ cell, read });
      body.append(h("dt", { text: name }), cell);
    }
    return h("section", {}, h("h3", { text: title }), body);
  };

  const signalTable = (name: string) => {
    const run = store.shownRun;
    const own = run?.signals.filter((signal) => signal.name.startsWith(`${name}.`)).slice(0, MOST_SIGNALS) ?? [];
    if (!run || own.length === 0) return null;
    const body = h("ul", { class: "signals" });
    for (const signal of own) {
      const cell = h("span", { class: "value" });
      live.push({ cell, read: () => signalText(signal) });
      body.append(
        h(
          "li",
          { title: signal.text ?? "" },
          h("span", { class: "name", text: signal.name.slice(name.length + 1) }),
          cell,
          iconButton("plus", `Plot ${signal.name}`, () => plot(signal.name), { class: "tool small" }),
        ),
      );
    }
    signals.fetch(run, own.map((signal) => signal.name)).then(refresh).catch(() => undefined);
    return h("section", {}, h("h3", { text: "Signals" }), body);
  };

  const signalText = (signal: SignalInfo): string => {
    const run = store.shownRun;
    const history = run ? signals.peek(run, signal.name) : null;
    return history ? quantity(valueAt(history, store.get("time")), signal.unit, store.get("units")) : "…";
  };

  const length = (value: number) => quantity(value, "m", store.get("units"), 4);
  const angle = (value: number) => quantity(value, "rad", store.get("units"), 4);
  const vector = (values: number[], unit: string) => quantities(values, unit, store.get("units"));

  const bodyRows = (scene: Scene, index: number): (HTMLElement | null)[] => {
    const body = scene.bodies[index];
    const facts: Row[] = [];
    if (index > 0 && !body.station_of) {
      facts.push(["Mass", `${number(body.mass)} kg`]);
      facts.push(["Mass centre", vector(body.center.slice(0, scene.space === "planar" ? 2 : 3), "m")]);
      const names = scene.space === "planar" ? ["zz"] : ["xx", "yy", "zz", "xy", "xz", "yz"];
      const at = scene.space === "planar" ? [2] : [0, 1, 2, 3, 4, 5];
      at.forEach((k, n) => {
        if (n < 3 || body.inertia[k] !== 0) facts.push([`Inertia ${names[n]}`, `${number(body.inertia[k])} kg·m²`]);
      });
      const ball = scene.space === "spatial" ? principal(body.inertia, body.mass) : null;
      if (ball) facts.push(["Inertia ellipsoid", vector(ball.semiAxes, "m")]);
    }
    if (body.station_of) facts.push(["Station of beam", body.station_of]);
    if (typeof body.parent === "number") facts.push(["Parent body", scene.bodies[body.parent]?.name ?? ""]);
    const joints = scene.joints.filter((joint) => joint.bodies.includes(index)).map((joint) => joint.name);
    if (joints.length > 0) facts.push(["Joints", joints.join(", ")]);
    const at = 7 * index;
    const now: [string, () => string][] = [];
    ["x", "y", "z"].slice(0, scene.space === "planar" ? 2 : 3).forEach((axis, k) => {
      now.push([axis, () => length(picture.frame[at + k])]);
    });
    if (scene.space === "planar") now.push(["angle", () => angle(2 * Math.atan2(picture.frame[at + 5], picture.frame[at + 6]))]);
    else now.push(["angles about x, y, z", () => vector(dextral(picture.turnOf(index)), "rad")]);
    return [table("Body", facts), liveTable("Current pose of the body frame", now), points(scene, index)];
  };

  const points = (scene: Scene, index: number) => {
    const body = scene.bodies[index];
    if (body.markers.length === 0) return null;
    const list = h("ul", { class: "signals" });
    body.markers.forEach((marker, m) => {
      const ref: Ref = `marker:${index}.${m}`;
      const cell = h("span", { class: "value" });
      live.push({ cell, read: () => where(scene, ref) });
      const traced = store.get("traced").includes(ref);
      const trace = h("button", {
        type: "button",
        class: "chip",
        "aria-pressed": String(traced),
        text: "trace",
        title: `Path of ${body.name}.${marker.name}`,
        onclick: () => player.toggleTrace(ref),
      });
      list.append(h("li", {}, h("span", { class: "name", text: marker.name }), cell, index > 0 ? trace : ""));
    });
    return h("section", {}, h("h3", { text: "Points" }), list);
  };

  const where = (scene: Scene, ref: Ref): string => {
    const at = picture.anchor(ref, new Vector3());
    return at ? vector(at.toArray().slice(0, scene.space === "planar" ? 2 : 3), "m") : "";
  };

  const content = (scene: Scene, ref: Ref): (HTMLElement | null)[] => {
    const index = indexOf(ref);
    switch (kindOf(ref)) {
      case "body":
        return scene.bodies[index] ? bodyRows(scene, index) : [];
      case "marker":
        return [liveTable("Current", [["position", () => where(scene, ref)]])];
      case "joint": {
        const joint = scene.joints[index];
        if (!joint) return [];
        const [a, b] = joint.bodies.map((body) => scene.bodies[body]?.name ?? "");
        const facts: Row[] = [["Type", joint.type], ["Between", `${a} and ${b}`], ["Degrees of freedom", String(joint.freedom)]];
        if (joint.axis) facts.push(["Axis", joint.axis]);
        return [table("Joint", facts), liveTable("Current", [["position", () => where(scene, ref)]])];
      }
      case "force": {
        const force = scene.forces[index];
        if (!force) return [];
        const on = force.ends.map((end) => scene.bodies[end.body]?.name ?? "").join(" and ");
        const facts: Row[] = [["Type", force.type]];
        if (on) facts.push(["Acts on", on]);
        if (typeof force.joint === "number") facts.push(["Joint", scene.joints[force.joint]?.name ?? ""]);
        return [table("Force", facts)];
      }
      case "file":
        return [];
      case "beam": {
        const beam = scene.beams[index];
        if (!beam) return [];
        const facts: Row[] = [["Coloured by", `${beam.value.name}, ${pretty(beam.value.unit)}`]];
        if (beam.mass !== undefined) facts.unshift(["Mass", `${number(beam.mass)} kg`]);
        return [table("Beam", facts)];
      }
    }
  };

  const overview = (scene: Scene): (HTMLElement | null)[] => {
    const run = store.shownRun;
    const facts: Row[] = [
      ["Space", scene.space],
      ["Bodies", String(scene.bodies.length - 1)],
      ["Joints", String(scene.joints.length)],
    ];
    if (scene.beams.length > 0) facts.push(["Beams", String(scene.beams.length)]);
    if (typeof scene.freedom === "number") facts.push(["Degrees of freedom", scene.mobility || String(scene.freedom)]);
    // the mass of a beam counts once, whether or not its stations carry a part of it
    const apart = scene.bodies.slice(1).filter((body) => !scene.beams.some((beam) => beam.name === body.station_of && beam.mass !== undefined));
    const mass = [...apart, ...scene.beams].reduce((sum, { mass }) => sum + (mass || 0), 0);
    facts.push(["Total mass", `${number(mass)} kg`]);
    const of: Row[] = [];
    if (run) {
      of.push(["Frames", String(run.frames)], ["State", run.state]);
      for (const [name, value] of Object.entries((run.summary ?? {}) as Record<string, unknown>))
        if (typeof value === "number") of.push([name.replaceAll("_", " "), number(value, 3)]);
        else if (typeof value === "string" || typeof value === "boolean") of.push([name.replaceAll("_", " "), String(value)]);
    }
    return [
      scene.description ? h("p", { class: "quiet", text: scene.description }) : null,
      table("Model", facts),
      run ? table("Run", of) : null,
    ];
  };

  const refresh = () => {
    for (const { cell, read } of live) {
      const text = read();
      if (cell.textContent !== text) cell.textContent = text;
    }
  };

  const fill = () => {
    live = [];
    const scene = store.get("scene");
    const ref = store.get("selection");
    top.replaceChildren();
    if (!scene) {
      rest.replaceChildren();
      return;
    }
    const name = ref ? nameOf(scene, ref) : scene.name;
    top.append(h("h2", { text: name, title: name }));
    if (ref) top.append(iconButton("close", "Deselect", () => store.set({ selection: null }), { class: "tool small" }));
    const parts = ref ? [...content(scene, ref), signalTable(name)] : overview(scene);
    rest.replaceChildren(...parts.filter((part) => part !== null));
    refresh();
  };

  store.bind(["scene", "selection", "run", "units", "traced"], fill);
  let state = "";
  store.on(["runs"], () => {
    const now = `${store.shownRun?.state} ${store.shownRun?.signals.length}`;
    if (now !== state || store.get("selection") === null) fill();
    state = now;
  });
  picture.view.beforeDrawing(refresh);
  return host;
}

/** Cardan angles: about x, then the rotated y, then the rotated z. */
function dextral(turn: Quaternion): number[] {
  const euler = new Euler().setFromQuaternion(turn, "XYZ");
  return [euler.x, euler.y, euler.z];
}


// Above the time slider: kinetic, potential and total energy, and the constraint error on a logarithmic scale.

import type { History, Run } from "../protocol";
import { lineColor } from "../scene/palette";
import { valueAt, type Signals } from "../signals";
import type { Store } from "../store";
import { number } from "../units";
import { h } from "./dom";

const ENERGY = ["energy.kinetic", "energy.potential", "energy.total"];
const ERROR = "system.position_error";

export function strip(store: Store, signals: Signals): HTMLElement {
  const canvas = h("canvas", { class: "strip-canvas", "aria-hidden": "true" });
  const words = h("div", { class: "strip-words" });
  const host = h("div", { class: "strip" }, canvas, words);
  let shown: { run: Run; energy: (History | null)[]; error: History | null } | null = null;

  const draw = () => {
    const dark = document.documentElement.dataset.theme === "dark";
    host.hidden = shown === null;
    if (!shown) return;
    const ratio = Math.min(2, window.devicePixelRatio);
    const [width, height] = [host.clientWidth, host.clientHeight];
    canvas.width = Math.max(1, width * ratio);
    canvas.height = Math.max(1, height * ratio);
    const pen = canvas.getContext("2d");
    if (!pen) return;
    pen.scale(ratio, ratio);
    const { run, energy, error } = shown;
    const span = Math.max(run.times.last - run.times.first, 1e-300);
    const x = (time: number) => ((time - run.times.first) / span) * width;
    if (error) {
      const level = (value: number) => Math.max(0, Math.min(1, (Math.log10(Math.max(value, 1e-17)) + 16) / 16));
      pen.beginPath();
      pen.moveTo(0, height);
      for (let k = 0; k < error.times.length; k++) pen.lineTo(x(error.times[k]), height * (1 - level(error.max[k])));
      pen.lineTo(width, height);
      pen.fillStyle = dark ? "rgba(185,194,204,0.20)" : "rgba(77,85,96,0.15)";
      pen.fill();
    }
    const known = energy.filter((history) => history !== null);
    const low = Math.min(...known.map((history) => least(history.min)));
    const high = Math.max(...known.map((history) => largest(history.max)));
    const y = (value: number) => (high > low ? 3 + (height - 6) * (1 - (value - low) / (high - low)) : height / 2);
    energy.forEach((history, k) => {
      if (!history) return;
      pen.beginPath();
      for (let r = 0; r < history.times.length; r++) pen.lineTo(x(history.times[r]), y(0.5 * (history.min[r] + history.max[r])));
      pen.strokeStyle = lineColor([1, 0, 7][k], dark);
      pen.lineWidth = k === 2 ? 1.8 : 1.2;
      pen.stroke();
    });
  };

  const say = () => {
    if (!shown) return;
    const time = store.get("time");
    const parts: string[] = [];
    ["kinetic", "potential", "total"].forEach((name, k) => {
      const history = shown?.energy[k];
      if (history) parts.push(`${name} ${number(valueAt(history, time), 4)} J`);
    });
    if (shown.error) parts.push(`constraint error ${number(valueAt(shown.error, time), 2)}`);
    words.textContent = parts.join("   ");
  };

  const load = async () => {
    const run = store.shownRun;
    const known = new Set(run?.signals.map((signal) => signal.name));
    if (!run || ![...ENERGY, ERROR].some((name) => known.has(name))) {
      shown = null;
      draw();
      return;
    }
    const [error, ...energy] = await signals.fetch(run, [ERROR, ...ENERGY]);
    shown = { run, energy, error };
    draw();
    say();
  };

  const reload = () => void load().catch(() => (shown = null));
  store.bind(["run", "runs"], reload);
  store.on(["theme"], () => requestAnimationFrame(draw));
  store.on(["time"], say);
  new ResizeObserver(draw).observe(host);
  return host;
}

function least(values: Float64Array): number {
  return values.reduce((a, b) => (b < a ? b : a), Number.POSITIVE_INFINITY);
}

function largest(values: Float64Array): number {
  return values.reduce((a, b) => (b > a ? b : a), Number.NEGATIVE_INFINITY);
}

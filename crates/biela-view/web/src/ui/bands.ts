// Above the time slider: a band for each contact, empty while it is open, coloured in slip and in stick, with ticks at impacts.

import type { History, Run } from "../protocol";
import { stateColor } from "../scene/palette";
import type { Signals } from "../signals";
import { rowAt } from "../motion";
import type { Store } from "../store";
import { h } from "./dom";

/** The names of the states, by their values. */
export const STATES = ["open", "stick", "slip"];
/** Height of a band in pixels. */
const HEIGHT = 9;

interface Band {
  name: string;
  state: History;
  impacts: History | null;
}

export function bands(store: Store, signals: Signals): HTMLElement {
  const canvas = h("canvas", { class: "bands-canvas", "aria-hidden": "true" });
  const names = h("ul", { class: "bands-names", "aria-label": "Contacts" });
  const legend = h("div", { class: "bands-legend" });
  const host = h("div", { class: "bands", hidden: true }, legend, h("div", { class: "bands-scroll" }, canvas, names));
  let shown: { run: Run; list: Band[] } | null = null;

  const draw = () => {
    host.hidden = !shown || shown.list.length === 0;
    if (!shown || host.hidden) return;
    const dark = document.documentElement.dataset.theme === "dark";
    const { run, list } = shown;
    const ratio = Math.min(2, window.devicePixelRatio);
    const [width, height] = [host.clientWidth, HEIGHT * list.length];
    canvas.width = Math.max(1, width * ratio);
    canvas.height = Math.max(1, height * ratio);
    canvas.style.height = `${height}px`;
    const pen = canvas.getContext("2d");
    if (!pen) return;
    pen.scale(ratio, ratio);
    const span = Math.max(run.times.last - run.times.first, 1e-300);
    const x = (time: number) => ((time - run.times.first) / span) * width;
    list.forEach((band, row) => {
      const top = row * HEIGHT;
      pen.fillStyle = dark ? "rgba(185,194,204,0.16)" : "rgba(77,85,96,0.12)";
      pen.fillRect(0, top + 1, width, HEIGHT - 2);
      const { times, max } = band.state;
      for (let k = 0; k < times.length; k++) {
        if (max[k] < 0.5) continue;
        let last = k;
        while (last + 1 < times.length && max[last + 1] === max[k]) last++;
        const end = last + 1 < times.length ? times[last + 1] : run.times.last;
        pen.fillStyle = stateColor(max[k], dark);
        pen.fillRect(x(times[k]), top + 1, Math.max(1, x(end) - x(times[k])), HEIGHT - 2);
        k = last;
      }
      pen.fillStyle = dark ? "#f4f6f9" : "#10151c";
      for (const time of impactTimes(band.impacts)) pen.fillRect(x(time) - 0.5, top, 1, HEIGHT);
    });
    legend.replaceChildren(
      ...[1, 2].map((state) => {
        const patch = h("i", {});
        patch.style.background = stateColor(state, dark);
        return h("span", {}, patch, STATES[state]);
      }),
      h("span", {}, h("i", { class: "tick" }), "impact"),
    );
  };

  const say = () => {
    if (!shown) return;
    const time = store.get("time");
    names.replaceChildren(
      ...shown.list.map(({ name, state }) => {
        const now = state.times.length > 0 ? state.max[rowAt(state.times, time)] : 0;
        return h("li", { text: `${name}: ${STATES[Math.round(now)] ?? ""}` });
      }),
    );
  };

  const load = async () => {
    const run = store.shownRun;
    const known = new Set(run?.signals.map((signal) => signal.name));
    const contacts = (store.get("scene")?.contacts ?? []).map(({ name }) => name).filter((name) => known.has(`${name}.state`));
    if (!run || contacts.length === 0) {
      shown = null;
      draw();
      return;
    }
    const found = await signals.fetch(run, contacts.flatMap((name) => [`${name}.state`, `${name}.impacts`]));
    const list = contacts.flatMap((name, k) => {
      const state = found[2 * k];
      return state ? [{ name, state, impacts: found[2 * k + 1] }] : [];
    });
    shown = { run, list };
    draw();
    say();
  };

  const reload = () => void load().catch(() => (shown = null));
  store.bind(["run", "runs", "scene"], reload);
  store.on(["theme"], () => requestAnimationFrame(draw));
  store.on(["time"], say);
  new ResizeObserver(draw).observe(host);
  return host;
}

/** Times at which the number of impacts grows. */
function impactTimes(impacts: History | null): number[] {
  const times: number[] = [];
  let before = 0;
  impacts?.times.forEach((time, k) => {
    if (impacts.max[k] > before) times.push(time);
    before = impacts.max[k];
  });
  return times;
}

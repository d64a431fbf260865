// Plots below the picture. They share a cursor; a click sets the time, dragging zooms in.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { History, Run } from "../protocol";
import { lineColor } from "../scene/palette";
import { valueAt, type Signals } from "../signals";
import { nameOf, ownerOf, type Store } from "../store";
import { number, shown, tickLabels } from "../units";
import { h, iconButton } from "./dom";
import { difference, polyline, type Polyline } from "./series";

/** Dash patterns of the displayed run and of the other runs. */
export const DASHES: number[][] = [[], [6, 4], [2, 3], [9, 3, 2, 3]];
/** The minimum width and height of a plot. */
const HEIGHT = 96;

interface Line {
  signal: string;
  run: Run;
  history: History;
  data: Polyline;
  unit: string;
  factor: number;
  color: string;
  dash: number[];
}

class Plot {
  readonly card: HTMLElement;
  private readonly head = h("div", { class: "chips" });
  private readonly area = h("div", { class: "area" });
  private readonly now = h("div", { class: "now" });
  private chart: uPlot | null = null;
  private lines: Line[] = [];
  private values: { cell: HTMLElement; lines: Line[] }[] = [];
  private round = 0;

  constructor(
    private readonly store: Store,
    private readonly signals: Signals,
    readonly names: string[],
    remove: () => void,
    private readonly drop: (name: string) => void,
    activate: () => void,
  ) {
    const close = iconButton("close", `Remove the plot of ${names.join(", ")}`, remove, { class: "tool small" });
    this.card = h(
      "article",
      { class: "plot", "aria-label": `Plot of ${names.join(", ")}`, onpointerdown: activate },
      h("div", { class: "plot-head" }, this.head, close),
      this.area,
    );
    new ResizeObserver(() => this.resize()).observe(this.area);
  }

  get ready(): boolean {
    return this.chart !== null;
  }

  async load(): Promise<void> {
    const round = ++this.round;
    const run = this.store.shownRun;
    if (!run) return;
    const others = this.store.get("others").filter((id) => id !== run.id);
    const runs = [run, ...others.map((id) => this.store.runById(id)).filter((one) => one !== null)];
    const span = this.store.get("span");
    const histories = await Promise.all(runs.map((one) => this.signals.fetch(one, this.names, span)));
    if (round !== this.round) return;
    this.lines = this.makeLines(runs, histories);
    this.build();
  }

  private makeLines(runs: Run[], histories: (History | null)[][]): Line[] {
    const dark = document.documentElement.dataset.theme === "dark";
    const all = this.store.get("runs");
    const lines: Line[] = [];
    const differs = this.store.get("difference") && runs.length > 1;
    this.names.forEach((signal, s) => {
      const own = histories[0][s];
      runs.forEach((run, r) => {
        const history = histories[r][s];
        if (!history || history.times.length === 0 || (differs && (r === 0 || !own))) return;
        const info = run.signals.find((one) => one.name === signal);
        const { factor, unit } = shown(info?.unit ?? "", this.store.get("units"));
        // one signal of several runs: one colour per run; several signals: one colour per signal, one dash pattern per run
        const color = this.names.length === 1 ? all.indexOf(run) : s;
        lines.push({
          signal,
          run,
          history,
          unit,
          factor,
          data: differs && own ? difference(history, own, factor) : polyline(history, factor),
          color: lineColor(color, dark),
          dash: DASHES[r % DASHES.length],
        });
      });
    });
    return lines;
  }

  private build(): void {
    this.chart?.destroy();
    this.chart = null;
    this.fillHead();
    if (this.lines.length === 0) {
      this.area.replaceChildren(h("p", { class: "quiet", text: "This run has not recorded the signal." }));
      return;
    }
    this.area.replaceChildren();
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--quiet").trim();
    const rule = style.getPropertyValue("--rule").trim();
    const font = "11px system-ui, sans-serif";
    const units = [...new Set(this.lines.map((line) => line.unit))];
    const selected = this.selectedSignals();
    const axis = (unit: string, k: number): uPlot.Axis => ({
      scale: `y:${unit}`,
      side: k === 0 ? 3 : 1,
      stroke: ink,
      font,
      size: (_, labels) => Math.max(56, 24 + 6.4 * Math.max(0, ...(labels ?? []).map((label) => label.length))),
      label: unit || undefined,
      labelFont: font,
      labelSize: 15,
      labelGap: 0,
      gap: 3,
      grid: { show: k === 0, stroke: rule, width: 1 },
      ticks: { show: false },
      values: (_, splits) => tickLabels(splits, 4),
    });
    const options: uPlot.Options = {
      width: Math.max(120, this.area.clientWidth),
      height: Math.max(HEIGHT, this.area.clientHeight),
      legend: { show: false },
      padding: [8, 12, 0, 0],
      cursor: { sync: { key: "biela" }, drag: { x: true, y: false, setScale: false }, points: { size: 5 }, y: false },
      scales: {
        x: { time: false, range: (_, low, high) => this.store.get("span") ?? [low, Math.max(high, low + 1e-12)] },
        ...Object.fromEntries(units.map((unit) => [`y:${unit}`, { range: comfortable }])),
      },
      axes: [
        {
          stroke: ink,
          font,
          size: 24,
          gap: 2,
          grid: { stroke: rule, width: 1 },
          ticks: { show: false },
          values: (_, splits) => tickLabels(splits, 6),
        },
        ...units.slice(0, 2).map(axis),
      ],
      series: [
        {},
        ...this.lines.map((line) => ({
          label: line.signal,
          scale: `y:${line.unit}`,
          stroke: line.color,
          width: selected.has(line.signal) ? 2.6 : 1.5,
          alpha: selected.size > 0 && !selected.has(line.signal) ? 0.45 : 1,
          dash: line.dash,
          points: { show: false },
        })),
      ],
      hooks: {
        // the scales of a plot are known only after it is drawn
        draw: [() => this.tick()],
        setSelect: [
          (chart) => {
            const { left, width } = chart.select;
            if (width < 4) return;
            const span: [number, number] = [chart.posToVal(left, "x"), chart.posToVal(left + width, "x")];
            chart.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
            this.store.set({ span });
          },
        ],
        setCursor: [(chart) => this.say(typeof chart.cursor.left === "number" && chart.cursor.left >= 0 ? chart.posToVal(chart.cursor.left, "x") : null)],
      },
    };
    const tables = this.lines.map((line) => [line.data.x, line.data.y] as unknown as uPlot.AlignedData);
    const same = this.lines.every((line) => line.data.x === this.lines[0].data.x);
    const data = same ? ([this.lines[0].data.x, ...this.lines.map((line) => line.data.y)] as unknown as uPlot.AlignedData) : uPlot.join(tables);
    this.chart = new uPlot(options, data, this.area);
    this.chart.over.append(this.now);
    this.chart.over.addEventListener("click", (event) => this.seek(event));
    this.chart.over.addEventListener("dblclick", () => this.store.set({ span: null }));
    this.say(null);
  }

  private seek(event: MouseEvent): void {
    const run = this.store.shownRun;
    if (!this.chart || !run) return;
    const at = this.chart.posToVal(event.clientX - this.chart.over.getBoundingClientRect().left, "x");
    this.store.set({ time: Math.max(run.times.first, Math.min(run.times.last, at)), follow: false });
  }

  private selectedSignals(): Set<string> {
    const scene = this.store.get("scene");
    const ref = this.store.get("selection");
    if (!scene || !ref) return new Set();
    const name = nameOf(scene, ref);
    return new Set(this.names.filter((signal) => signal.startsWith(`${name}.`)));
  }

  private fillHead(): void {
    this.head.replaceChildren();
    this.values = [];
    const named = new Set(this.lines.map((line) => line.signal));
    for (const signal of named) {
      const lines = this.lines.filter((line) => line.signal === signal);
      const cell = h("span", { class: "value" });
      const swatch = h("span", { class: "swatch" });
      swatch.style.borderTopColor = lines[0].color;
      const chip = h(
        "button",
        { type: "button", class: "legend", title: `${signal}: click to select its element, press Delete to remove the line`, onclick: () => this.select(signal) },
        swatch,
        h("span", { class: "name", text: signal }),
        cell,
      );
      chip.addEventListener("keydown", (event) => {
        if (event.key === "Delete" || event.key === "Backspace") this.drop(signal);
      });
      this.values.push({ cell, lines });
      this.head.append(chip);
    }
    for (const name of this.names) if (!named.has(name)) this.head.append(h("span", { class: "legend quiet", text: name }));
  }

  private select(signal: string): void {
    const scene = this.store.get("scene");
    const owner = scene ? ownerOf(scene, signal) : null;
    if (owner) this.store.set({ selection: owner });
  }

  /** Shows the values at the cursor, or at the current time. */
  private say(cursor: number | null): void {
    const time = cursor ?? this.store.get("time");
    for (const { cell, lines } of this.values) {
      const values = lines.map((line) => number(line.factor * valueAt(line.history, time), 4));
      const text = `${values.join(" | ")} ${lines[0].unit}`;
      if (cell.textContent !== text) cell.textContent = text;
    }
  }

  tick(): void {
    const chart = this.chart;
    if (!chart) return;
    const left = chart.valToPos(this.store.get("time"), "x");
    this.now.hidden = !(left >= -1 && left <= chart.over.clientWidth + 1);
    this.now.style.transform = `translateX(${left}px)`;
    if ((chart.cursor.left ?? -1) < 0) this.say(null);
  }

  restyle(): void {
    if (this.chart) this.build();
  }

  private resize(): void {
    if (!this.chart) return;
    this.chart.setSize({ width: Math.max(120, this.area.clientWidth), height: Math.max(HEIGHT, this.area.clientHeight) });
    this.tick();
  }

  remove(): void {
    this.chart?.destroy();
    this.card.remove();
  }
}

/** A margin above and below; a constant line is centred. */
function comfortable(_: uPlot, low: number | null, high: number | null): uPlot.Range.MinMax {
  if (low === null || high === null) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  const width = high - low;
  if (width <= 1e-9 * size || width === 0) {
    const air = size > 0 ? 0.1 * size : 1;
    return [low - air, high + air];
  }
  return [low - 0.06 * width, high + 0.06 * width];
}

export class Plots {
  readonly grid = h("div", { class: "plot-grid" });
  private plots: Plot[] = [];
  /** The active plot, to which the next line is added. */
  active = 0;

  constructor(
    private readonly store: Store,
    private readonly signals: Signals,
  ) {
    store.bind(["plots"], () => this.arrange());
    store.on(["run", "others", "span", "difference", "units"], () => this.load());
    let seen = "";
    store.on(["runs"], () => {
      const run = store.shownRun;
      const now = `${run?.frames} ${run?.state} ${store.get("runs").length}`;
      if (now !== seen) this.load();
      seen = now;
    });
    store.on(["selection"], () => this.restyle());
    store.on(["theme"], () => requestAnimationFrame(() => this.load()));
    store.on(["time"], () => {
      for (const plot of this.plots) plot.tick();
    });
  }

  get ready(): boolean {
    return this.plots.every((plot) => plot.ready);
  }

  /** Adds a signal as a new plot, or to the active plot. */
  add(signal: string, beside: boolean): void {
    const plots = this.store.get("plots");
    if (beside && plots[this.active]) {
      if (plots[this.active].includes(signal)) return;
      this.store.set({ plots: plots.map((names, k) => (k === this.active ? [...names, signal] : names)) });
    } else if (!plots.some((names) => names.length === 1 && names[0] === signal)) {
      this.active = plots.length;
      this.store.set({ plots: [...plots, [signal]] });
    }
  }

  private arrange(): void {
    const wanted = this.store.get("plots");
    const kept = new Map(this.plots.map((plot) => [plot.names.join("\n"), plot]));
    const next = wanted.map((names, k) => {
      const known = kept.get(names.join("\n"));
      if (known) {
        kept.delete(names.join("\n"));
        return known;
      }
      return this.make(names, k);
    });
    for (const old of kept.values()) old.remove();
    const fresh = next.filter((plot) => !this.plots.includes(plot));
    this.plots = next;
    this.grid.replaceChildren(...next.map((plot) => plot.card));
    this.active = Math.min(this.active, Math.max(0, next.length - 1));
    for (const plot of fresh) void this.loadOne(plot);
  }

  private make(names: string[], at: number): Plot {
    const replace = (change: (own: string[]) => string[]) => {
      const plots = this.store.get("plots").map((own) => (own === names ? change(own) : own));
      this.store.set({ plots: plots.filter((own) => own.length > 0) });
    };
    return new Plot(
      this.store,
      this.signals,
      names,
      () => replace(() => []),
      (name) => replace((own) => own.filter((one) => one !== name)),
      () => (this.active = Math.max(0, this.store.get("plots").indexOf(names) >= 0 ? this.store.get("plots").indexOf(names) : at)),
    );
  }

  private load(): void {
    for (const plot of this.plots) void this.loadOne(plot);
  }

  private async loadOne(plot: Plot): Promise<void> {
    await plot.load().catch((error: unknown) => this.store.set({ notice: `Cannot read the signals: ${String(error)}` }));
  }

  private restyle(): void {
    for (const plot of this.plots) plot.restyle();
  }
}

/** The initial plots: those of the model, else joint coordinates and energy. */
export function firstPlots(run: Run, joints: string[]): string[][] {
  const known = new Set(run.signals.map((signal) => signal.name));
  const asked = (run.plots ?? []).map((names) => names.filter((name) => known.has(name))).filter((names) => names.length > 0);
  if (asked.length > 0) return asked;
  const unit = (name: string) => run.signals.find((signal) => signal.name === name)?.unit;
  const coordinates = joints.filter((name) => known.has(name));
  const alike = coordinates.filter((name) => unit(name) === unit(coordinates[0])).slice(0, 4);
  const energy = ["energy.kinetic", "energy.potential", "energy.total"].filter((name) => known.has(name));
  const plots = [alike, energy].filter((names) => names.length > 0);
  return plots.length > 0 ? plots : run.signals.slice(0, 1).map((signal) => [signal.name]);
}

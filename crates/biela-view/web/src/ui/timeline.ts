// The timeline: buttons, speed, the time slider with its events, and a strip with energy and constraint error.

import { SPEEDS } from "../clock";
import type { Player } from "../player";
import type { Run } from "../protocol";
import type { Signals } from "../signals";
import type { Store } from "../store";
import { clockTime } from "../units";
import { bands } from "./bands";
import { h, icon, iconButton } from "./dom";
import { strip } from "./strip";

export function timeline(store: Store, player: Player, signals: Signals): HTMLElement {
  const play = iconButton("play", "Play (Space)", () => togglePlay(store), { class: "tool primary" });
  const loop = iconButton("loop", "Repeat (L)", () => store.set({ loop: !store.get("loop") }));
  const speed = h("select", { class: "field", "aria-label": "Speed", title: "Speed ([ and ])" });
  for (const value of SPEEDS)
    speed.append(h("option", { value, text: value < 1 ? `1/${1 / value} ×` : `${value} ×` }));
  speed.addEventListener("change", () => store.set({ speed: Number(speed.value) }));
  const live = h("button", {
    type: "button",
    class: "chip live",
    text: "Live",
    title: "Follow the newest frame (V)",
    onclick: () => follow(store),
  });
  const clock = h("input", { class: "clock field", inputmode: "decimal", "aria-label": "Time in seconds", title: "Enter a time" });
  const length = h("span", { class: "quiet of" });

  const fill = h("div", { class: "fill" });
  const knob = h("div", { class: "knob" });
  const marks = h("div", { class: "marks" });
  const track = h("div", { class: "track", role: "slider", tabindex: 0, "aria-label": "Time" }, fill, marks, knob);
  const bar = h("div", { class: "bar-time" }, strip(store, signals), bands(store, signals), track);
  const told = h("div", { class: "told", role: "status" });

  const share = (run: Run, time: number) => {
    const width = run.times.last - run.times.first;
    return width > 0 ? Math.max(0, Math.min(1, (time - run.times.first) / width)) : 0;
  };

  const place = () => {
    const run = store.shownRun;
    const time = store.get("time");
    const at = run ? share(run, time) : 0;
    fill.style.width = `${100 * at}%`;
    knob.style.left = `${100 * at}%`;
    const width = run ? run.times.last - run.times.first : 1;
    if (document.activeElement !== clock) clock.value = clockTime(time, width);
    track.setAttribute("aria-valuemin", String(run?.times.first ?? 0));
    track.setAttribute("aria-valuemax", String(run?.times.last ?? 0));
    track.setAttribute("aria-valuenow", String(time));
    track.setAttribute("aria-valuetext", clockTime(time, width));
  };

  const fillMarks = () => {
    const run = store.shownRun;
    length.textContent = run ? `of ${clockTime(run.times.last, run.times.last - run.times.first)}` : "no run";
    for (const control of [play, track, clock, loop]) control.toggleAttribute("data-idle", !run);
    live.hidden = run?.state !== "running";
    live.setAttribute("aria-pressed", String(store.get("follow")));
    marks.replaceChildren();
    if (!run) return;
    for (const event of run.events) {
      const words = `${event.name} at ${clockTime(event.time, run.times.last)}${event.text ? `: ${event.text}` : ""}`;
      const mark = h("button", {
        type: "button",
        class: "event",
        title: words,
        "aria-label": words,
        onclick: () => {
          store.set({ time: event.time, follow: false, playing: false });
          told.textContent = words;
        },
      });
      mark.style.left = `${100 * share(run, event.time)}%`;
      marks.append(mark);
    }
    if (run.state === "stopped") {
      const words = run.message || "The run stopped early.";
      const mark = h("button", {
        type: "button",
        class: "event stop",
        title: words,
        "aria-label": `The solver stopped here: ${words}`,
        onclick: () => {
          store.set({ time: run.times.last, playing: false });
          told.textContent = words;
        },
      });
      mark.style.left = "100%";
      marks.append(mark);
    }
    told.textContent = run.state === "stopped" ? (run.message ?? "") : "";
    told.classList.toggle("bad", run.state === "stopped");
    place();
  };

  let was = false;
  const scrub = (event: PointerEvent) => {
    const run = store.shownRun;
    if (!run) return;
    const box = track.getBoundingClientRect();
    const at = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
    store.set({ time: run.times.first + at * (run.times.last - run.times.first), follow: false });
  };
  bar.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || (event.target as Element).closest("button")) return;
    bar.setPointerCapture(event.pointerId);
    was = store.get("playing");
    store.set({ playing: false });
    scrub(event);
    track.focus({ preventScroll: true });
  });
  bar.addEventListener("pointermove", (event) => {
    if (bar.hasPointerCapture(event.pointerId)) scrub(event);
  });
  bar.addEventListener("pointerup", () => {
    if (was) store.set({ playing: true });
    was = false;
  });

  clock.addEventListener("change", () => {
    const value = Number.parseFloat(clock.value.replace("−", "-"));
    const run = store.shownRun;
    if (run && Number.isFinite(value))
      store.set({ time: Math.max(run.times.first, Math.min(run.times.last, value)), follow: false });
    clock.blur();
    place();
  });
  clock.addEventListener("focus", () => clock.select());

  store.bind(["playing"], () => {
    const playing = store.get("playing");
    play.replaceChildren(icon(playing ? "pause" : "play"));
    const label = playing ? "Pause (Space)" : "Play (Space)";
    play.title = label;
    play.setAttribute("aria-label", label);
  });
  store.bind(["loop"], () => loop.setAttribute("aria-pressed", String(store.get("loop"))));
  store.bind(["speed"], () => (speed.value = String(store.get("speed"))));
  store.bind(["run", "runs", "follow"], fillMarks);
  store.bind(["time"], place);

  const buttons = h(
    "div",
    { class: "transport" },
    iconButton("start", "Go to start (Home)", () => toStart(store)),
    iconButton("back", "Previous frame (←)", () => void player.step(-1)),
    play,
    iconButton("forward", "Next frame (→)", () => void player.step(1)),
    iconButton("end", "Go to end (End)", () => toEnd(store)),
    loop,
    speed,
    live,
  );
  return h("footer", { class: "timeline", "aria-label": "Time" }, buttons, bar, h("div", { class: "clock-box" }, clock, length), told);
}

export function togglePlay(store: Store): void {
  if (store.get("playing")) {
    store.set({ playing: false });
    return;
  }
  const run = store.shownRun;
  if (!run && store.get("shaking") === null) return;
  const ended = run && run.state !== "running" && store.get("time") >= run.times.last;
  if (ended) store.set({ time: run.times.first });
  store.set({ playing: true });
}

export function toStart(store: Store): void {
  store.set({ time: store.shownRun?.times.first ?? 0, follow: false });
}

export function toEnd(store: Store): void {
  store.set({ time: store.shownRun?.times.last ?? 0 });
}

export function follow(store: Store): void {
  const run = store.shownRun;
  if (!run) return;
  const on = !store.get("follow");
  store.set(on ? { follow: true, playing: false, time: run.times.last } : { follow: false });
}

export function changeSpeed(store: Store, by: number): void {
  const at = SPEEDS.indexOf(store.get("speed"));
  store.set({ speed: SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at + by))] });
}

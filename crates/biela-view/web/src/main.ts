// The page: requests the session from the server and assembles the parts.

import { Api } from "./api";
import { Clock } from "./clock";
import { Desk } from "./desk";
import { keys } from "./keys";
import { lay, runOrStop } from "./layout";
import { Player } from "./player";
import type { Message, Run, Scene } from "./protocol";
import { Picture } from "./scene/picture";
import { View } from "./scene/view";
import { Saved } from "./saved";
import { alike, same, Scenes } from "./scenes";
import { Signals } from "./signals";
import { refOf, sameIn, Store, type Ref } from "./store";
import { expose } from "./expose";
import { firstPlots, Plots } from "./ui/plots";
import { help } from "./ui/help";
import { Palette } from "./ui/palette";
import { watchPointer } from "./pointer";
import { rememberChoices, watchTheme } from "./choices";
import "./style.css";

/** Maximum number of points that are traced by default. */
const MOST_TRACES = 4;

function start(): void {
  const app = document.getElementById("app");
  if (!app) return;
  const store = new Store();
  const api = Saved.inPage() ?? Api.fromAddress();
  rememberChoices(store);
  const stage = document.createElement("div");
  stage.className = "stage";
  let view: View;
  try {
    view = new View(stage);
  } catch {
    app.textContent = "The viewer needs WebGL 2, which this browser does not provide. Enable hardware acceleration or use another browser.";
    return;
  }
  const picture = new Picture(view, api);
  const signals = new Signals(api);
  const scenes = new Scenes(api);
  const player = new Player(store, api, picture, scenes);
  const clock = new Clock(store);
  const plots = new Plots(store, signals);
  const sheet = help();
  const toggleTheme = watchTheme(store, (dark) => picture.paint(dark));
  const desk = new Desk(store, api);
  const palette = new Palette(store, desk, picture);
  app.append(lay({ store, api, picture, signals, player, plots, desk, palette, stage, sheet, toggleTheme }));
  keys(store, player, picture, sheet, toggleTheme, () => void runOrStop(store, api), desk, palette);
  watchPointer(store, picture, palette);
  expose(store, picture, player, plots, clock);

  store.on(["layers"], () => picture.showLayers(store.get("layers")));
  picture.showLayers(store.get("layers"));
  store.on(["arrowScale"], () => picture.scaleArrows(store.get("arrowScale")));
  store.on(["selection", "hover"], () => picture.highlight(store.get("selection"), store.get("hover")));
  store.on(["projection"], () => view.project(store.get("projection")));

  /** The scene of the server: that of the model file, or that of the first results folder. */
  let written: Scene | null = null;
  /** Runs of earlier versions of the model, shown on request. */
  const stale = new Set<number>();
  const takeScene = (scene: Scene) => {
    // runs with other bodies do not fit this scene
    if (written && !alike(written, scene)) store.set({ runs: [] });
    for (const run of store.get("runs")) stale.add(run.id);
    written = scene;
    store.set({ parameters: scene.parameters, run: null, others: [], playing: false, shaking: null });
    showScene(scene);
  };

  /** Draws a run with the scene that it was computed with. */
  const showSceneOfRun = async () => {
    const run = store.shownRun;
    const own = run ? await scenes.fetch(run) : null;
    const scene = own ?? written;
    if (scene && run?.id === store.shownRun?.id && !same(scene, picture.scene)) showScene(scene);
  };
  store.on(["run"], () => void showSceneOfRun());

  const showScene = (scene: Scene) => {
    const old = store.get("scene");
    const first = old === null;
    const flat = scene.space === "planar";
    view.orient(flat, scene.gravity);
    player.reset(scene.frame_size);
    picture.show(scene);
    if (first) {
      store.set({ projection: flat ? "orthographic" : "perspective" });
      view.fit(picture.outline(null), flat ? "front" : "iso");
    }
    const before = store.get("selection");
    const selection = desk.selectionIn({ old: old && before ? sameIn(old, scene, before) : before, wanted: (address) => refOf(scene, address) });
    const traced = old && alike(old, scene) ? store.get("traced") : tracesAtStart(scene);
    store.set({ scene, selection, modes: [], shaking: null, traced });
    picture.highlight(selection, null);
    player.update();
  };

  /** Shows the first run that arrives, with its plots. */
  const takeRuns = (all: Run[]) => {
    const before = store.get("run");
    store.set({ runs: all });
    const run = store.shownRun ?? all.find((one) => one.frames > 0 && !stale.has(one.id)) ?? null;
    if (run && run.id !== before) {
      const live = run.state === "running";
      store.set({ run: run.id, time: live ? run.times.last : run.times.first, follow: live });
      const others = all.filter((one) => one.id !== run.id).map((one) => one.id);
      if (store.get("mode") === "results") store.set({ others });
      if (before === null) void player.fitMotion();
    }
    const scene = store.get("scene");
    if (run && scene && store.get("plots").length === 0 && run.signals.length > 0)
      store.set({ plots: firstPlots(run, scene.joints.flatMap((joint) => joint.coordinates)) });
    if (run && run.state === "running" && store.get("follow")) store.set({ time: run.times.last });
  };

  const hear = (message: Message) => {
    switch (message.type) {
      case "scene":
        if (!same(message.scene, written)) takeScene(message.scene);
        void desk.refresh().catch(() => undefined);
        break;
      case "diagnostics":
        store.set({ diagnostics: message.list });
        void desk.refresh().catch(() => undefined);
        break;
      case "run": {
        const known = store.get("runs");
        const { run } = message;
        const fresh = !known.some((one) => one.id === run.id);
        const before = store.get("run");
        takeRuns(fresh ? [...known, run] : known.map((one) => (one.id === run.id ? run : one)));
        // a run with other parameters replaces the previous one; the first one stays as a ghost
        if (fresh && before !== null && before !== run.id) store.set({ run: run.id, others: known.slice(0, 1).map((one) => one.id), follow: false });
        else if (before === null && store.get("mode") === "model" && store.get("run") === run.id) store.set({ follow: false, time: run.times.first, playing: true });
        break;
      }
      case "removed": {
        player.cache.forget(message.id);
        signals.forget(message.id);
        scenes.forget(message.id);
        const left = store.get("runs").filter((run) => run.id !== message.id);
        const others = store.get("others").filter((id) => id !== message.id);
        const shown = store.get("run") === message.id ? (left.at(-1)?.id ?? null) : store.get("run");
        store.set({ runs: left, others, run: shown, playing: shown !== null && store.get("playing") });
        break;
      }
      case "ended":
        store.set({ notice: message.message ?? "The server has stopped." });
        break;
    }
  };

  let change = 0;
  const takeSession = async () => {
    const session = await api.session();
    document.title = `${session.title} · biela`;
    store.set({ title: session.title, mode: session.mode, diagnostics: session.diagnostics });
    if (session.scene && !same(session.scene, written)) takeScene(session.scene);
    takeRuns(session.runs);
    change = session.change ?? 0;
    // a server of results has no model file
    void desk.refresh().catch(() => undefined);
  };

  let lost = false;
  takeSession()
    .then(() => {
      api.listen(() => change, hear, (connected) => {
        store.set({ connected });
        // a server that is not available now is asked again after the next reconnection
        if (connected && lost) takeSession().catch(() => undefined);
        lost = !connected;
      });
      requestAnimationFrame(() => performance.mark("first-picture"));
      document.documentElement.dataset.ready = "yes";
    })
    .catch((error: unknown) => {
      store.set({ notice: `${error instanceof Error ? error.message : String(error)}. Open the address that the command printed, including its token.` });
    });
}

/** Named points without a joint, such as a coupler point: those whose path a designer wants to see. */
function tracesAtStart(scene: Scene): Ref[] {
  const traced: Ref[] = [];
  scene.bodies.forEach((body, k) => {
    if (k === 0 || body.station_of) return;
    const used = scene.joints.flatMap((joint) => joint.bodies.flatMap((one, side) => (one === k ? [joint.frames[side]] : [])));
    const taken = [...used, [0, 0, 0], body.center];
    body.markers.forEach((marker, m) => {
      const near = taken.some((at) => Math.hypot(at[0] - marker.pose[0], at[1] - marker.pose[1], at[2] - marker.pose[2]) < 1e-9);
      if (!near && traced.length < MOST_TRACES) traced.push(`marker:${k}.${m}`);
    });
  });
  return traced;
}

start();

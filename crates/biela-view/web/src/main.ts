// The page: asks the server what there is to show, and puts the parts together.

import { Api } from "./api";
import { Clock } from "./clock";
import { keys } from "./keys";
import { lay } from "./layout";
import { Player } from "./player";
import type { Message, Run, Scene } from "./protocol";
import { Picture } from "./scene/picture";
import { View } from "./scene/view";
import { Signals } from "./signals";
import { Store, type Ref } from "./store";
import { expose } from "./expose";
import { firstPlots, Plots } from "./ui/plots";
import { help } from "./ui/help";
import { watchPointer } from "./pointer";
import { rememberChoices, watchTheme } from "./choices";
import "./style.css";

/** So many points are traced without being asked for. */
const MOST_TRACES = 4;

function start(): void {
  const app = document.getElementById("app");
  if (!app) return;
  const store = new Store();
  const api = Api.fromAddress();
  rememberChoices(store);
  const stage = document.createElement("div");
  stage.className = "stage";
  let view: View;
  try {
    view = new View(stage);
  } catch {
    app.textContent = "This browser cannot draw in three dimensions (WebGL 2): the viewer needs it.";
    return;
  }
  const picture = new Picture(view, api);
  const signals = new Signals(api);
  const player = new Player(store, api, picture);
  const clock = new Clock(store);
  const plots = new Plots(store, signals);
  const sheet = help();
  const toggleTheme = watchTheme(store, (dark) => picture.paint(dark));
  app.append(lay({ store, api, picture, signals, player, plots, stage, sheet, toggleTheme }));
  keys(store, player, picture, sheet, toggleTheme);
  watchPointer(store, picture);
  expose(store, picture, player, plots, clock);

  store.on(["layers"], () => picture.showLayers(store.get("layers")));
  picture.showLayers(store.get("layers"));
  store.on(["arrowScale"], () => picture.scaleArrows(store.get("arrowScale")));
  store.on(["selection", "hover"], () => picture.highlight(store.get("selection"), store.get("hover")));
  store.on(["projection"], () => view.project(store.get("projection")));

  const showScene = (scene: Scene) => {
    const first = store.get("scene") === null;
    const flat = scene.space === "planar";
    view.orient(flat, scene.gravity);
    player.reset(scene.frame_size);
    picture.show(scene);
    if (first) {
      store.set({ projection: flat ? "orthographic" : "perspective" });
      view.fit(picture.outline(null), flat ? "front" : "iso");
    }
    const selection = store.get("selection");
    store.set({ scene, modes: [], shaking: null, traced: tracesAtStart(scene) });
    picture.highlight(selection, null);
    player.update();
  };

  /** The first run that comes is shown, with its plots. */
  const takeRuns = (all: Run[]) => {
    const before = store.get("run");
    store.set({ runs: all });
    const run = store.shownRun ?? all.find((one) => one.frames > 0) ?? null;
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
        showScene(message.scene);
        break;
      case "diagnostics":
        store.set({ diagnostics: message.list });
        break;
      case "run": {
        const known = store.get("runs");
        const { run } = message;
        const fresh = !known.some((one) => one.id === run.id);
        takeRuns(fresh ? [...known, run] : known.map((one) => (one.id === run.id ? run : one)));
        // a run with other parameters is laid over the one that is shown
        if (fresh && run.id !== store.get("run")) store.set({ others: [...store.get("others"), run.id] });
        break;
      }
      case "removed":
        player.cache.forget(message.id);
        signals.forget(message.id);
        store.set({ runs: store.get("runs").filter((run) => run.id !== message.id) });
        break;
      case "ended":
        store.set({ notice: message.message ?? "The server has ended." });
        break;
    }
  };

  const takeSession = async () => {
    const session = await api.session();
    document.title = `${session.title} · biela`;
    store.set({ title: session.title, mode: session.mode, diagnostics: session.diagnostics });
    if (session.scene && JSON.stringify(session.scene) !== JSON.stringify(store.get("scene"))) showScene(session.scene);
    takeRuns(session.runs);
  };

  let lost = false;
  takeSession()
    .then(() => {
      api.listen(hear, (connected) => {
        store.set({ connected });
        // news of the time without a connection is not told again; a server that is away is asked again later
        if (connected && lost) takeSession().catch(() => undefined);
        lost = !connected;
      });
      requestAnimationFrame(() => performance.mark("first-picture"));
      document.documentElement.dataset.ready = "yes";
    })
    .catch((error: unknown) => {
      store.set({ notice: `${error instanceof Error ? error.message : String(error)}. Open the address that the command printed, with its token.` });
    });
}

/** Points that no joint is at, and that have a name of their own: what a designer wants to see the path of. */
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

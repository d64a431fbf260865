// Requests to the server of this page. The token is removed from the address bar and kept in the tab's session storage.

import {
  complete,
  completeRun,
  readFrames,
  readHistories,
  type Frames,
  type History,
  type Message,
  type Mode,
  type Scene,
  type Session,
} from "./protocol";

/** Source of the data of the page: a server, or a saved page. */
export interface Source {
  session(): Promise<Session>;
  frames(run: number, from: number, count: number, every: number, size: number): Promise<Frames>;
  histories(run: number, names: string[], from: number, to: number, points: number): Promise<History[]>;
  /** The scene that a run was computed with. */
  sceneOf(run: number): Promise<Scene>;
  mesh(number: number): Promise<ArrayBuffer>;
  modes(): Promise<Mode[]>;
  run(parameters: Record<string, number>): Promise<void>;
  stop(): Promise<void>;
  /** Changes the model file, or returns its contents. */
  desk<T>(action: string, request: object): Promise<T>;
  listen(since: () => number, hear: (message: Message) => void, connected: (yes: boolean) => void): void;
}

export class Api implements Source {
  private constructor(private readonly token: string) {}

  static fromAddress(): Api {
    const address = new URL(location.href);
    const token = address.searchParams.get("token") ?? "";
    if (token !== "") {
      address.searchParams.delete("token");
      // for a reload of the page in this tab
      sessionStorage.setItem("biela-token", token);
      history.replaceState(null, "", address.pathname + address.search + address.hash);
    }
    return new Api(token !== "" ? token : (sessionStorage.getItem("biela-token") ?? ""));
  }

  private async request(path: string, init?: RequestInit): Promise<Response> {
    const headers = new Headers(init?.headers);
    headers.set("Authorization", `Bearer ${this.token}`);
    const answer = await fetch(path, { ...init, headers });
    if (!answer.ok) {
      const words = (await answer.text().catch(() => "")).slice(0, 300);
      throw new Error(words || `${path.split("?")[0]}: HTTP status ${answer.status}`);
    }
    return answer;
  }

  async session(): Promise<Session> {
    const session = (await (await this.request("api/session")).json()) as Session;
    return {
      ...session,
      scene: session.scene ? complete(session.scene) : null,
      runs: (session.runs ?? []).map(completeRun),
      diagnostics: session.diagnostics ?? [],
    };
  }

  async sceneOf(run: number): Promise<Scene> {
    return complete((await (await this.request(`api/runs/${run}/scene`)).json()) as Scene);
  }

  /** `every` skips frames: 1 returns all of them, 10 every tenth. */
  async frames(run: number, from: number, count: number, every: number, size: number): Promise<Frames> {
    const skip = every > 1 ? `&every=${every}` : "";
    const answer = await this.request(`api/runs/${run}/frames?from=${from}&count=${count}${skip}`);
    return readFrames(await answer.arrayBuffer(), from, size);
  }

  async histories(run: number, names: string[], from: number, to: number, points: number): Promise<History[]> {
    const query = new URLSearchParams({
      names: names.join(","),
      from: String(from),
      to: String(to),
      points: String(points),
    });
    const answer = await this.request(`api/runs/${run}/signals?${query}`);
    return readHistories(await answer.arrayBuffer(), names.length);
  }

  async mesh(number: number): Promise<ArrayBuffer> {
    return (await this.request(`api/meshes/${number}`)).arrayBuffer();
  }

  async modes(): Promise<Mode[]> {
    const answer = (await (await this.request("api/modes")).json()) as { modes: Mode[] };
    return answer.modes;
  }

  async stop(): Promise<void> {
    await this.request("api/stop", { method: "POST" });
  }

  async desk<T>(action: string, request: object): Promise<T> {
    const answer = await this.request(`api/desk/${action}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
    });
    return (await answer.json()) as T;
  }

  /** Runs the model with other parameter values, in the background. */
  async run(parameters: Record<string, number>): Promise<void> {
    await this.request("api/run", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ parameters }),
    });
  }

  /** Listens to the messages of the server; reconnects after an interruption. */
  listen(since: () => number, hear: (message: Message) => void, connected: (yes: boolean) => void): void {
    new Live(this.token, since, hear, connected).open();
  }
}

class Live {
  private wait = 500;

  constructor(
    private readonly token: string,
    /** Number of the last change that the page has received. */
    private readonly since: () => number,
    private readonly hear: (message: Message) => void,
    private readonly connected: (yes: boolean) => void,
  ) {}

  open(): void {
    const address = new URL("api/live", location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    address.search = new URLSearchParams({ token: this.token, since: String(this.since()) }).toString();
    const socket = new WebSocket(address);
    socket.onopen = () => {
      this.wait = 500;
      this.connected(true);
    };
    socket.onmessage = (event) => {
      const message = JSON.parse(String(event.data)) as Message;
      if (message.type === "scene") message.scene = complete(message.scene);
      if (message.type === "run") message.run = completeRun(message.run);
      this.hear(message);
    };
    socket.onclose = () => {
      this.connected(false);
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(this.wait * 2, 8000);
    };
  }
}

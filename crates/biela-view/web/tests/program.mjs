// The program: the path in BIELA, else the one in the target folder.

import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { visit } from "./browser.mjs";

export const root = fileURLToPath(new URL("../../../..", import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const biela = process.env.BIELA ?? join(target, "debug/biela");
/** The reason to skip the tests; a missing program in BIELA is a failure. */
export const skip = process.env.BIELA || existsSync(biela) ? false : `${biela} does not exist: run cargo build, or set BIELA to the path of the program`;

export const example = (name) => join(root, "examples", name, "model.toml");

/** Runs a command; throws its error output if it fails. */
export function program(args, cwd) {
  const done = spawnSync(biela, args, { cwd, encoding: "utf8" });
  if (done.status !== 0) throw new Error(done.stderr);
}

/** Computes results. */
export const run = (args, cwd) => program(["run", ...args, "--quiet"], cwd);

/** Starts the program, opens the address it prints, runs a test on the page, and ends both. */
export async function show(browser, args, cwd, look, options = {}) {
  const server = spawn(biela, [...args, "--no-open"], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  try {
    let said = "";
    server.stderr.on("data", (text) => (said += text));
    const address = await new Promise((found, failed) => {
      let printed = "";
      server.stdout.on("data", (text) => {
        printed += text;
        const match = /http:\/\/\S+/.exec(printed);
        if (match) found(match[0]);
      });
      server.on("exit", (code) => failed(new Error(`exit status ${code}: ${said}`)));
    });
    const view = await visit(browser, address, options);
    try {
      await look({ ...view, program: server });
    } finally {
      await view.close();
    }
    if (view.trouble.length > 0) throw new Error(view.trouble.join("\n"));
  } finally {
    server.kill("SIGINT");
  }
}

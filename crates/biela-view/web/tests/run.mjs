// All tests of the page by one command: installs what is missing, then runs them.
//   node tests/run.mjs            with the program in target/debug, or where BIELA says
//   node tests/run.mjs pictures   makes the pictures of the book instead
// Needs Node 20.19 or newer with npm; Chromium is taken from the system and installed where that is possible.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL("..", import.meta.url));

function run(program, args, options = {}) {
  process.stderr.write(`+ ${program} ${args.join(" ")}\n`);
  const done = spawnSync(program, args, { cwd: web, stdio: "inherit", ...options });
  return done.status === 0;
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** Packages as the lock file says; a note beside them tells which lock file they came from. */
function installPackages() {
  const lock = readFileSync(`${web}package-lock.json`, "utf8");
  const note = `${web}node_modules/.installed-for`;
  if (existsSync(note) && readFileSync(note, "utf8") === lock) return;
  // not `npm ci`, which asks the lock file for the optional packages of every other system too
  if (!run("npm", ["install", "--no-save", "--no-fund", "--no-audit"])) fail("npm install failed: the tests of the page need its packages from the npm registry");
  writeFileSync(note, lock);
}

/** Chromium from the system's package manager, which needs to be root. */
async function installBrowser() {
  const { browserPath } = await import("./browser.mjs");
  if (browserPath()) return;
  const managers = [
    ["apt-get", [["update"], ["install", "-y", "--no-install-recommends", "chromium", "fonts-dejavu-core"]]],
    ["dnf", [["install", "-y", "chromium"]]],
    ["apk", [["add", "chromium"]]],
    ["pacman", [["-Sy", "--noconfirm", "chromium"]]],
  ];
  const root = process.getuid?.() === 0;
  const found = managers.find(([name]) => spawnSync(name, ["--version"], { stdio: "ignore" }).error === undefined);
  if (root && found) for (const args of found[1]) run(found[0], args, { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
  if (!browserPath())
    fail("The tests of the page drive Chromium, which is not here and could not be installed. Install the package `chromium`, or name a Chrome or Chromium by BIELA_CHROMIUM.");
}

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) fail(`Node ${process.versions.node} is too old for the tests of the page: they need 20.19 or newer.`);
installPackages();
await installBrowser();
if (process.argv[2] === "pictures") {
  if (!run(process.execPath, ["tests/pictures.mjs"])) process.exit(1);
  process.exit(0);
}
const files = readdirSync(`${web}tests`).filter((name) => name.endsWith(".test.mjs"));
// one file after the other: they share two cores with the browser they drive
const args = ["--test", "--test-concurrency=1", "--test-timeout=120000", ...files.map((name) => `tests/${name}`)];
if (!run(process.execPath, args)) process.exit(1);

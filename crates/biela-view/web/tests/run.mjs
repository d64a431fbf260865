// Installs the missing tools, then runs all tests of the page.
//   node tests/run.mjs            with the program in target/debug, or the one in BIELA
//   node tests/run.mjs pictures   creates the pictures of the book instead
// Needs Node 20.19 or newer with npm; Chromium is that of the system, installed if possible.

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

/** Installs the packages of the lock file; a copy of the lock file beside them shows whether they are current. */
function installPackages() {
  const lock = readFileSync(`${web}package-lock.json`, "utf8");
  const note = `${web}node_modules/.installed-for`;
  if (existsSync(note) && readFileSync(note, "utf8") === lock) return;
  // not `npm ci`, which needs the optional packages of all other systems in the lock file
  if (!run("npm", ["install", "--no-save", "--no-fund", "--no-audit"])) fail("npm install failed: the tests of the page need its packages from the npm registry");
  writeFileSync(note, lock);
}

/** Installs Chromium with the package manager of the system, as root. */
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
    fail("The tests of the page need Chromium, which is not installed and could not be installed. Install the package `chromium`, or set BIELA_CHROMIUM to the path of Chrome or Chromium.");
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
// one file at a time: the tests share the cores with the browser
const args = ["--test", "--test-concurrency=1", "--test-timeout=120000", ...files.map((name) => `tests/${name}`)];
if (!run(process.execPath, args)) process.exit(1);

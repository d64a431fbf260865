// Chromium of the system, headless, with software rendering.

import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const PLACES = [process.env.BIELA_CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export const READY = "document.documentElement.dataset.ready === 'yes'";

export function browserPath() {
  return PLACES.find((path) => path && existsSync(path)) ?? null;
}

export async function launch() {
  return chromium.launch({
    executablePath: browserPath(),
    args: [
      "--no-sandbox",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--ignore-gpu-blocklist",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
}

/** Opens a page and collects its logged errors, violations of its Content-Security-Policy and requests to other hosts. */
export async function visit(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, colorScheme: "light", ...options });
  const page = await context.newPage();
  const trouble = [];
  const own = new URL(address).origin;
  page.on("pageerror", (error) => trouble.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") trouble.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && url.origin !== own) trouble.push(`outside: ${request.url()}`);
  });
  // the policy of the page forbids evaluating text, except by the debugger
  const until = async (expression, patience = 15_000) => {
    const end = Date.now() + patience;
    for (;;) {
      if (await page.evaluate(`(() => { const { state, picture } = window.biela ?? {}; return Boolean(${expression}); })()`)) return;
      if (Date.now() > end) throw new Error(`not within ${patience} ms: ${expression}; the state is ${JSON.stringify(await page.evaluate("window.biela?.state"))}`);
      await new Promise((done) => setTimeout(done, 25));
    }
  };
  await page.goto(address);
  await until(READY);
  return {
    page,
    trouble,
    state: () => page.evaluate("window.biela.state"),
    picture: () => page.evaluate("window.biela.picture"),
    /** Waits until a condition holds, given as an expression of `state` and `picture`. */
    until,
    close: () => context.close(),
  };
}

/** Starts Chromium: that of CHROMIUM, or Debian's. Software WebGL, no sandbox (tests run as root), no network of its own. */

import { chromium } from "playwright-core";

const QUIET = ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const SOFTWARE_WEBGL = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const NO_WEBGL = ["--disable-gpu", "--disable-3d-apis"];

export function launch({ webgl = true } = {}) {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, args: [...QUIET, ...(webgl ? SOFTWARE_WEBGL : NO_WEBGL)] });
}

/** Opens a file from disk; `seen` collects what must not happen. */
export async function open(browser, file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(30000);
  const seen = { messages: [], requests: [] };
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !driverChatter(message.text()) && seen.messages.push(message.text()));
  page.on("pageerror", (error) => seen.messages.push(String(error)));
  page.on("request", (request) => !/^(file|data|blob):/.test(request.url()) && seen.requests.push(request.url()));
  await page.goto(`file://${file}${options.hash ?? ""}`);
  await page.waitForSelector("html[data-ready=true]");
  await settled(page);
  return { page, seen, close: () => context.close() };
}

/** Chromium's own remarks on software rendering, not ours. */
const driverChatter = (text) => /GPU stall due to ReadPixels|GL Driver Message|swiftshader/i.test(text);

/** Two frames: what was asked for is drawn. */
export const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));

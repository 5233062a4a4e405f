/** Pictures of a report for the documentation: node test/screenshots.mjs REPORT.html FOLDER. */

import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { launch, open, settled } from "./browser.mjs";

const [report, folder] = process.argv.slice(2);
if (!folder) throw new Error("usage: node test/screenshots.mjs REPORT.html FOLDER");
const WIDE = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const browser = await launch();

async function shot(name, options, act) {
  const { page, seen, close } = await open(browser, resolve(report), options);
  await act?.(page);
  await settled(page);
  await page.mouse.move(2, 2);
  const file = resolve(folder, `report-${name}.png`);
  await page.screenshot({ path: file });
  await close();
  if (seen.messages.length + seen.requests.length > 0) throw new Error(`${name}: ${JSON.stringify(seen)}`);
  shrink(file);
  console.log(`${file}: ${statSync(file).size} bytes`);
}

/** Fewer colours, where the program for it is installed. */
function shrink(file) {
  try {
    execFileSync("pngquant", ["--force", "--strip", "--speed", "1", "--quality", "70-95", "--output", file, file]);
  } catch {
    // Then the picture is only larger.
  }
}

/** Selects the first listed finding with a verdict, if there is one. */
async function worst(page, verdict) {
  const card = page.locator(`.card[data-verdict=${verdict}]:not([disabled])`);
  if ((await card.count()) > 0) await card.click();
  await page.keyboard.press("j");
}

await shot("light", { ...WIDE, colorScheme: "light" });
await shot("dark", { ...WIDE, colorScheme: "dark" }, (page) => worst(page, "overlapping"));
await shot("section", { ...WIDE, colorScheme: "light" }, async (page) => {
  await worst(page, "overlapping");
  await page.keyboard.press("x");
});
await shot("gap", { ...WIDE, colorScheme: "light" }, async (page) => {
  // In the demo the gap that matters is that of the sensor.
  await page.fill("input[type=search]", "sensor wheel");
  if ((await page.locator(".rows .row").count()) === 0) await page.fill("input[type=search]", "");
  await page.keyboard.press("Escape");
  await worst(page, "too_close");
});
await shot("overview", { ...WIDE, colorScheme: "dark" }, (page) => page.getByRole("tab", { name: "Overview" }).click());
await shot("phone", { ...PHONE, colorScheme: "light" }, (page) => worst(page, "overlapping"));
await browser.close();

import { mkdirSync, writeFileSync } from "node:fs";
import { launch, open, settled } from "../browser.mjs";
import { fill } from "../fill.mjs";
import { gearbox } from "../gearbox.mjs";
import { crowd } from "../crowd.mjs";
mkdirSync("test/out", { recursive: true });
const file = new URL("gearbox.html", import.meta.url).pathname;
writeFileSync(file, fill(gearbox()));
const only = process.argv.slice(2);
const browser = await launch();
const shot = async (name, options, act, big) => {
  if (only.length && !only.some((o) => name.includes(o))) return;
  const { page, seen, close } = await open(browser, big ?? file, options);
  await act?.(page);
  await settled(page);
  await page.screenshot({ path: `test/out/${name}.png` });
  if (seen.messages.length || seen.requests.length) console.log(name, seen);
  await close();
};
const row = (page, text) => page.locator(".rows .row", { hasText: text }).first().click();
await shot("17-dup", {}, (p) => p.keyboard.press("j"));
await shot("18-lever", {}, async (p) => { await p.fill("input[type=search]", "lever"); await row(p, "lever"); });
await shot("1-open", {}, null);
await shot("2-bearing", {}, (p) => row(p, "bearing right"));
await shot("3-gap", {}, async (p) => { await p.fill("input[type=search]", "cover housing"); await p.locator("[data-verdict=too_close]").click(); await row(p, "housing left"); });
await shot("4-slide", { colorScheme: "dark" }, (p) => row(p, "slide"));
await shot("5-enclosed", {}, (p) => row(p, "oil sensor"));
await shot("6-section", {}, async (p) => { await row(p, "bearing right"); await p.keyboard.press("x"); });
await shot("7-sectionall", {}, async (p) => { await p.keyboard.press("x"); await p.locator(".segments button").nth(1).click(); });
await shot("8-explode", { colorScheme: "dark" }, async (p) => { await p.keyboard.press("e"); await p.keyboard.press("f"); });
await shot("9-overview", {}, (p) => p.getByRole("tab", { name: "Overview" }).click());
await shot("10-overviewdark", { colorScheme: "dark" }, (p) => p.getByRole("tab", { name: "Overview" }).click());
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
await shot("11-phone", phone, null);
await shot("12-phonesel", phone, (p) => row(p, "bearing right"));
await shot("13-help", {}, (p) => p.keyboard.press("?"));
await shot("14-log", {}, (p) => p.getByRole("tab", { name: "Log" }).click());
await shot("15-gears", {}, (p) => row(p, "pinion"));
if (only.includes("16")) { const b = file.replace("gearbox", "crowd"); writeFileSync(b, fill(crowd())); await shot("16-crowd", {}, null, b); await shot("16-crowdsel", {}, (p)=>p.keyboard.press("j"), b); }
if (!only.length || only.includes("pdf")) {
  const { page, close } = await open(browser, file, { colorScheme: "dark" });
  await row(page, "bearing right");
  await page.pdf({ path: "test/out/print.pdf", format: "A4" });
  await close();
}
await browser.close();

/** The page in a real browser, opened from disk. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { launch, open, settled } from "./browser.mjs";
import { crowd } from "./crowd.mjs";
import { fill, template } from "./fill.mjs";
import { gearbox, HOSTILE } from "./gearbox.mjs";

const folder = new URL("out/", import.meta.url).pathname;
const files = Object.fromEntries(["gearbox", "crowd", "empty", "template"].map((name) => [name, `${folder}${name}.html`]));
const SMALL = { viewport: { width: 900, height: 560 } };
let browser;
/** Without WebGL, which takes most of the time where it is done in software. */
let plain;

before(async () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(files.gearbox, fill(gearbox()));
  writeFileSync(files.crowd, fill(crowd()));
  writeFileSync(files.template, readFileSync(template));
  const empty = gearbox();
  Object.assign(empty.report, { findings: [], resolved: [], skipped: [], unit: null, meanings: empty.report.meanings });
  empty.report.summary.verdicts.forEach((v) => (v.count = 0));
  empty.scene.curves = [];
  writeFileSync(files.empty, fill(empty));
  [browser, plain] = await Promise.all([launch(), launch({ webgl: false })]);
});
after(() => Promise.all([browser.close(), plain.close()]));

/** Opens a report, runs a test in it, and checks that nothing complained and nothing was fetched. */
const on = (name, file, options, body, program = () => browser) =>
  test(name, async () => {
    const { page, seen, close } = await open(program(), files[file], { ...SMALL, ...options });
    try {
      await body(page);
      const messages = seen.messages.filter((text) => program() === browser || !/WebGL context/.test(text));
      assert.deepEqual({ ...seen, messages }, { messages: [], requests: [] });
    } finally {
      await close();
    }
  });

const onPlain = (name, file, options, body) => on(name, file, options, body, () => plain);

const row = (page, text) => page.locator(".rows .row", { hasText: text }).first();
const camera = (page) => page.locator(".view").getAttribute("data-camera");
const total = (page) => page.locator(".total").textContent();

/** The picture without what is laid over it, and without the gradient behind it, which is dithered. */
async function picture(page) {
  await page.addStyleTag({ content: ".tools, .legend, .label-layer, .triad, .tip, .caption { opacity: 0 !important } .view { background: white !important }" });
  await settled(page);
  const shot = await page.locator(".view canvas").screenshot();
  return `${shot.length} bytes, ${createHash("sha256").update(shot).digest("hex")}`;
}

test("the template has each placeholder once and names nothing on the network", () => {
  const html = readFileSync(template, "utf8");
  for (const name of ["TITLE", "REPORT", "SCENE", "GEOMETRY"]) assert.equal(html.split(`%CLEARANCE_${name}%`).length, 2, name);
  assert.equal(html.match(/<(script|link|img|iframe)\b[^>]*\b(src|href)="(?!data:)/g), null);
  assert.equal(html.match(/@import|url\((?!data:)/g), null);
});

describe("opened from disk", () => {
  on("shows the report", "gearbox", {}, async (page) => {
    assert.equal(await page.title(), "Gearbox <rev C>");
    assert.equal(await page.locator(".card[data-verdict=overlapping] .card-count").textContent(), "15");
    assert.equal(await total(page), "32 findings");
    assert.equal(await page.locator(".card").count(), 7);
    await page.getByRole("tab", { name: "Overview" }).click();
    assert.match(await page.locator(".meanings").innerText(), /every closed shell of either has a point outside/);
    await page.getByRole("tab", { name: "Log" }).click();
    const log = await page.locator(".lists").innerText();
    for (const text of ["gearbox/cover × gearbox/idler 15", "supplier/seal.stl", HOSTILE]) assert.ok(log.includes(text), text);
  });

  on("draws the same picture twice", "gearbox", {}, async (page) => {
    const first = await picture(page);
    assert.ok(parseInt(first) > 20000, `${first}: the picture is blank`);
    await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
    assert.equal(await picture(page), first);
  });

  onPlain("says so where there is nothing to show", "empty", {}, async (page) => {
    assert.match(await page.locator(".table .empty").textContent(), /nothing clashes/);
    assert.equal(await page.locator(".plot").count(), 0);
  });
});

test("the empty template says what it is", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`file://${files.template}`);
  assert.match(await page.locator(".message").textContent(), /empty template/);
  await context.close();
});

describe("selecting", () => {
  on("a row flies there and tells all", "gearbox", {}, async (page) => {
    const before = await camera(page);
    await row(page, "slide").click();
    await settled(page);
    assert.notEqual(await camera(page), before);
    assert.equal(await row(page, "slide").getAttribute("aria-selected"), "true");
    const details = await page.locator(".details").innerText();
    for (const text of ["overlap, 12\u00a0mm deep", "14", "15", "0.9333333333333332", "moving parts", "new"]) assert.ok(details.includes(text), text);
    assert.match(page.url(), /#c-[0-9a-f]{16}$/);
    assert.match(await page.locator(".measure").innerText(), /contact at t = 0.9333/);
  });

  on("a gap shows its length and the plane that proves it", "gearbox", {}, async (page) => {
    await page.locator(".card[data-verdict=too_close]").click();
    await row(page, "idler").click();
    await settled(page);
    assert.equal(await page.locator(".measure").innerText(), "0.313\u00a0mm apart");
    assert.match(await page.locator(".details").innerText(), /A lies below it, B above/);
    assert.match(await page.locator(".details").innerText(), /0\.3127 ≤ truth ≤ 0\.3131/);
  });

  on("by the address", "gearbox", { hash: `#${gearbox().report.findings[2].id}` }, async (page) => {
    assert.equal(await page.locator("[aria-selected=true][role=row]").count(), 1);
    assert.match(await page.locator(".sentence").innerText(), /housing left and slide/);
  });

  on("by a dot in the picture, and Esc takes it back", "gearbox", {}, async (page) => {
    const box = await page.locator(".view canvas").boundingBox();
    let hit = false;
    for (let y = 0.2; y < 0.9 && !hit; y += 0.06) {
      for (let x = 0.2; x < 0.9 && !hit; x += 0.06) {
        await page.mouse.click(box.x + x * box.width, box.y + y * box.height);
        hit = (await page.locator(".details").isVisible());
      }
    }
    assert.ok(hit, "no dot and no part was hit");
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".details").isVisible(), false);
  });

  onPlain("copies the id", "gearbox", {}, async (page) => {
    await row(page, "slide").click();
    await page.locator(".copy").click();
    await page.waitForSelector(".copy.done");
  });
});

describe("filtering", () => {
  onPlain("by verdict, text and group", "gearbox", {}, async (page) => {
    await page.locator(".card[data-verdict=touching]").click();
    assert.equal(await total(page), "6 of 32 findings");
    assert.equal(await page.locator(".rows .row").count(), 6);
    await page.locator(".card[data-verdict=too_close]").click();
    assert.equal(await total(page), "12 of 32 findings");
    await page.fill("input[type=search]", "cover");
    assert.equal(await total(page), "2 of 32 findings");
    await page.getByRole("button", { name: "Clear" }).click();
    assert.equal(await total(page), "32 findings");
    await page.selectOption("select", { label: "gears" });
    assert.equal(await total(page), "4 of 32 findings");
    await page.fill("input[type=search]", "nothing like this");
    assert.match(await page.locator(".table .empty").textContent(), /No finding passes/);
  });

  onPlain("by the matrix and the histogram", "gearbox", {}, async (page) => {
    await page.getByRole("tab", { name: "Overview" }).click();
    const cell = page.locator(".heat:not([disabled])").first();
    const many = await cell.locator("b").textContent();
    await cell.click();
    assert.equal(await total(page), `${many} of 32 findings`);
    await cell.click();
    const bar = page.locator(".plot.depth .bar[role=button]").nth(4);
    const inside = await bar.locator("text").textContent();
    await bar.click();
    assert.equal(await total(page), `${inside} of 32 findings`);
  });

  onPlain("sorts by columns", "gearbox", {}, async (page) => {
    const names = () => page.locator(".rows .row .c-parts span:first-child").allTextContents();
    await page.locator(".head .c-parts button").click();
    const ascending = await names();
    assert.deepEqual(ascending, [...ascending].sort((a, b) => a.localeCompare(b, "en", { numeric: true })));
    await page.locator(".head .c-parts button").click();
    assert.equal(await page.locator("[role=columnheader][aria-sort=descending]").count(), 1);
    assert.notDeepEqual(await names(), ascending);
  });
});

describe("the picture", () => {
  on("changes with section, axis, explode and see-through", "gearbox", {}, async (page) => {
    const seen = [await picture(page)];
    const step = async (act) => {
      await act();
      let now = await picture(page);
      // A machine that is busy with other tests may take some frames more.
      for (let more = 0; more < 20 && seen.includes(now); more++) now = await picture(page);
      seen.push(now);
      assert.equal(new Set(seen).size, seen.length, `step ${seen.length - 1} changed nothing`);
    };
    await step(() => page.keyboard.press("x"));
    await step(() => page.locator(".segments button").nth(1).click());
    await page.keyboard.press("x");
    assert.equal(await picture(page), seen[0]);
    await step(() => page.keyboard.press("e"));
    await page.locator(".explode-panel input").fill("0");
    await step(() => row(page, "bearing right").click());
    await step(() => page.keyboard.press("t"));
    await step(() => page.keyboard.press("h"));
    await page.keyboard.press("Escape");
    await page.keyboard.press("f");
  });

  on("moves with time, and selecting a contact goes to its time", "gearbox", {}, async (page) => {
    const start = await picture(page);
    await page.locator(".timeline input").fill("700");
    assert.equal(await page.locator(".now").textContent(), "t = 1.4");
    assert.notEqual(await picture(page), start);
    assert.equal(await page.locator(".mark").count(), 3);
    await page.locator(".mark.v-overlapping").click();
    assert.equal(await page.locator(".now").textContent(), "t = 0.933");
    await page.locator(".timeline input").fill("0");
    assert.equal(await page.locator(".measure").isVisible(), false, "marks of another time are hidden");
    await page.getByRole("button", { name: "Show this moment" }).click();
    assert.equal(await page.locator(".measure").isVisible(), true);
    await page.locator(".timeline input").fill("0");
    await page.locator(".scroller").focus();
    await page.keyboard.press(" ");
    await page.waitForFunction(() => document.querySelector(".now").textContent !== "t = 0");
    await page.keyboard.press(" ");
    assert.equal(await page.getByRole("button", { name: "Play" }).count(), 1);
  });

  on("follows drag and wheel", "gearbox", {}, async (page) => {
    const box = await page.locator(".view canvas").boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const before = await camera(page);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 90, y + 30, { steps: 4 });
    await page.mouse.up();
    await settled(page);
    const turned = await camera(page);
    assert.notEqual(turned, before);
    await page.mouse.wheel(0, -400);
    await settled(page);
    assert.notEqual(await camera(page), turned);
  });

  test("flies instead of jumping where motion is welcome", async () => {
    const { page, close } = await open(browser, files.gearbox, { ...SMALL, reducedMotion: "no-preference" });
    const before = await camera(page);
    await row(page, "slide").click();
    await page.waitForFunction(() => document.querySelector(".view").dataset.flying === "true");
    await page.waitForFunction(() => document.querySelector(".view").dataset.flying === "false");
    assert.notEqual(await camera(page), before);
    await close();
  });
});

on("the keyboard walks through the table", "gearbox", {}, async (page) => {
  const selected = () => page.locator("[role=row][aria-selected=true]").getAttribute("aria-rowindex");
  await page.keyboard.press("j");
  assert.equal(await selected(), "2");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("j");
  assert.equal(await selected(), "4");
  await page.keyboard.press("k");
  assert.equal(await selected(), "3");
  await page.keyboard.press("End");
  assert.equal(await selected(), "33");
  await page.keyboard.press("f");
  await settled(page);
  const far = await camera(page);
  await page.keyboard.press("Enter");
  await settled(page);
  assert.notEqual(await camera(page), far);
  await page.keyboard.press("?");
  assert.equal(await page.locator("dialog[open]").count(), 1);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("dialog[open]").count(), 0);
  await page.keyboard.press("/");
  await page.keyboard.type("jxe");
  assert.equal(await page.locator("input[type=search]").inputValue(), "jxe");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".details").isVisible(), false);
});

onPlain("light and dark follow the system and the button", "gearbox", { colorScheme: "dark" }, async (page) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const dark = await ground();
  await page.keyboard.press("d");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
  assert.notEqual(await ground(), dark);
  await page.getByRole("button", { name: "Light or dark" }).click();
  assert.equal(await ground(), dark);
});

on("prints the picture, the overview and all rows, on white", "gearbox", { colorScheme: "dark" }, async (page) => {
  await row(page, "bearing right").click();
  await page.emulateMedia({ media: "print" });
  await page.waitForSelector(".print-table");
  assert.equal(await page.locator(".print-table tbody tr").count(), 32);
  assert.ok((await page.locator("figure.paper img").getAttribute("src")).length > 5000);
  assert.match(await page.locator("figure.paper figcaption").textContent(), /main shaft and bearing right overlap/);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
  assert.equal(await page.locator(".stage").isVisible(), false);
  assert.equal(await page.locator(".meanings").isVisible(), true);
  await page.emulateMedia({ media: "screen" });
  await page.waitForSelector(".print-table", { state: "detached" });
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await page.emulateMedia({ media: null });
  const pages = (await page.pdf({ format: "A4" })).toString("latin1").match(/\/Type\s*\/Page\b/g).length;
  assert.ok(pages >= 3 && pages <= 6, `${pages} pages`);
});

on("20,000 findings keep a few dozen rows", "crowd", {}, async (page) => {
  const rows = () => page.locator(".rows .row").count();
  assert.equal(await total(page), "20,000 findings");
  assert.ok((await rows()) < 60);
  await page.keyboard.press("End");
  assert.equal(await page.locator("[role=row][aria-selected=true]").getAttribute("aria-rowindex"), "20001");
  assert.ok((await rows()) < 60);
  await page.locator(".scroller").evaluate((scroller) => (scroller.scrollTop = 300000));
  await settled(page);
  assert.ok((await rows()) > 5 && (await rows()) < 60);
  await page.fill("input[type=search]", "part 4000");
  assert.match(await total(page), /^[0-9]+ of 20,000 findings$/);
});

on("a phone shows all without scrolling sideways", "gearbox", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, async (page) => {
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(await overflow(), 0);
  await row(page, "pinion").tap();
  await settled(page);
  assert.equal(await page.locator(".details").isVisible(), true);
  assert.equal(await overflow(), 0);
});

test("a report that the tool wrote", { skip: !process.env.CLEARANCE_REPORT && "CLEARANCE_REPORT names none" }, async () => {
  const { page, seen, close } = await open(browser, process.env.CLEARANCE_REPORT, SMALL);
  assert.equal(await total(page), "3 findings");
  assert.deepEqual(await page.locator(".card:not([disabled])").evaluateAll((cards) => cards.map((card) => card.dataset.verdict)), ["overlapping", "too_close"]);
  await row(page, "slide").click();
  assert.equal(await page.locator(".now").textContent(), "t = 1");
  assert.equal(await page.locator(".measure").innerText(), "contact at t = 1");
  await row(page, "neighbour").click();
  assert.equal(await page.locator(".measure").innerText(), "0.5\u00a0mm apart");
  assert.deepEqual(seen, { messages: [], requests: [] });
  await close();
});

onPlain("without WebGL everything else works", "gearbox", {}, async (page) => {
  assert.match(await page.locator(".view .message").innerText(), /No 3-D view/);
  await row(page, "slide").click();
  assert.match(await page.locator(".sentence").innerText(), /housing left and slide/);
  for (const key of ["x", "e", "f", "t", "h", "Enter", " ", "d"]) await page.keyboard.press(key);
  await page.locator(".card[data-verdict=touching]").click();
  assert.equal(await total(page), "6 of 32 findings");
});

/** The pure parts of the page: numbers for people, bins, filters, motions. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Vector3 } from "three";
import { createServer } from "vite";
import { gearbox } from "./gearbox.mjs";

let server;
const load = (file) => server.ssrLoadModule(`/src/${file}`);
before(async () => {
  const root = new URL("..", import.meta.url).pathname;
  server = await createServer({ root, configFile: false, server: { middlewareMode: true, hmr: false, ws: false }, appType: "custom", logLevel: "error", optimizeDeps: { noDiscovery: true } });
});
after(() => server.close());

test("digits that are not proved are not shown", async () => {
  const { bracket, number } = await load("format.ts");
  const plain = (lower, upper) => bracket({ lower, upper }).replaceAll("\u00a0", " ");
  assert.equal(plain(1.4, 1.4), "1.4");
  assert.equal(plain(0.21031, 0.21034), "0.2103");
  assert.equal(plain(0.8991, 0.9), "0.9");
  assert.equal(plain(0.5, 0.92), "0.5 – 0.92");
  assert.equal(plain(0, 0.0217), "≤ 0.0217");
  assert.equal(plain(2.9004, 3.0401), "2.9 – 3.05");
  assert.equal(plain(0.60012399, 0.99951), "0.6 – 1");
  assert.equal(plain(0.5069, 21.4), "≥ 0.506");
  assert.equal(plain(1.9999999999996, 6.0000000000011), "≥ 2");
  assert.equal(plain(0, 0), "0");
  assert.equal(number(3e-9), "3e-9");
  assert.equal(number(1234567.8, 7), "1234568");
  assert.equal(number(-0.00025), "-0.00025");
});

test("every value is in one bin", async () => {
  const { binsOf } = await load("ui/histogram.ts");
  for (const values of [[1], [0.1, 0.2, 0.3, 1], [1e-9, 0.1, 6], [5, 5, 5], [1e-3, 1e3], Array.from({ length: 500 }, (_, i) => 1.01 ** i)]) {
    const bins = binsOf(values);
    assert.equal(bins.reduce((sum, bin) => sum + bin.count, 0), values.length);
    assert.ok(bins.length <= 24, `${bins.length} bins`);
    for (const [i, bin] of bins.entries()) {
      assert.equal(bin.count, values.filter((v) => v >= bin.from && v < bin.to).length);
      assert.equal(bin.from, i === 0 ? 0 : bins[i - 1].to);
    }
  }
  assert.deepEqual(binsOf([0, 0]), []);
});

test("filters agree with a plain look at every finding", async () => {
  const { listed, searchTexts, NO_FILTER } = await load("filter.ts");
  const { report } = gearbox();
  const texts = searchTexts(report);
  const order = { key: "gravity", descending: false };
  const indices = (filter) => listed(report, texts, { ...NO_FILTER, ...filter }, order);
  const plain = (pick) => report.findings.flatMap((f, i) => (pick(f) ? [i] : []));
  const group = (f) => f.parts.map((p) => report.parts[p].group);
  assert.deepEqual(indices({ verdicts: new Set(["touching", "too_close"]) }), plain((f) => ["touching", "too_close"].includes(f.verdict)));
  assert.deepEqual(indices({ groups: [4, 0] }), plain((f) => group(f).includes(4) && group(f).includes(0)));
  assert.deepEqual(indices({ groups: [4, 4] }), plain((f) => group(f).every((g) => g === 4)));
  assert.deepEqual(indices({ status: "new" }), plain((f) => f.status === "new"));
  const named = (f, word) => f.parts.some((p) => report.parts[p].name.includes(word));
  assert.deepEqual(indices({ text: "COVER housing left" }), plain((f) => named(f, "left") && named(f, "housing") && f.parts.some((p) => /cover/.test(`${report.parts[p].name} ${report.groups[report.parts[p].group].name}`))));
  const depths = listed(report, texts, NO_FILTER, { key: "size", descending: false }).map((i) => report.findings[i].depth?.lower || report.findings[i].depth?.upper || 0);
  assert.deepEqual(depths, [...depths].sort((a, b) => b - a));
});

test("motions start at rest, end where they must, and hold still outside their times", async () => {
  const { displacementAt, timeSpan } = await load("motion.ts");
  const origin = new Vector3(10, 0, 0);
  const screw = { t0: 1, t1: 3, screw: { axis: [0, 0, 2], center: [12, 0, 0], angle: Math.PI, shift: 4 } };
  const at = (motion, t, p) => new Vector3(...p).applyMatrix4(displacementAt(motion, t, origin)).toArray().map((x) => Math.round(x * 1e9) / 1e9 + 0);
  assert.deepEqual(at(screw, 0, [3, 0, 0]), [3, 0, 0]);
  assert.deepEqual(at(screw, 2, [3, 0, 0]), [2, 1, 2]);
  assert.deepEqual(at(screw, 9, [3, 0, 0]), [1, 0, 4]);
  const straight = { t0: 0, t1: 2, displacement: [8, 0, -2] };
  assert.deepEqual(at(straight, 0.5, [1, 1, 1]), [3, 1, 0.5]);
  assert.deepEqual(timeSpan([{ motion: screw }, { motion: null }, { motion: straight }]), [0, 3]);
  assert.equal(timeSpan([{ motion: null }]), null);
});

/** A large report: 4,096 placements of three geometries and 20,000 findings. */

import { Geometry } from "./fill.mjs";
import { reportOf } from "./gearbox.mjs";
import { ball, box, rod } from "./shapes.mjs";

const SIDE = 16;

export function crowd(count = 20000) {
  const store = new Geometry();
  const shapes = [box([1.1, 1.1, 1.1]), rod(0.5, 1.1, 24), ball(0.6, 8)];
  const geometries = shapes.map((shape) => store.mesh(shape));
  const [parts, placed] = [[], []];
  for (let n = 0; n < SIDE ** 3; n++) {
    const place = [n % SIDE, Math.floor(n / SIDE) % SIDE, Math.floor(n / SIDE ** 2)].map((k) => 1.05 * k);
    const bounds = [place.map((x) => x - 0.55), place.map((x) => x + 0.55)];
    parts.push({ id: `p${n}`, name: `part ${n}`, file: "crowd.glb", group: n % 3, kind: "solid", triangles: shapes[n % 3].triangles.length, bounds, motion: null, notes: [] });
    placed.push({ geometry: geometries[n % 3], pose: [1, 0, 0, place[0], 0, 1, 0, place[1], 0, 0, 1, place[2]], bounds });
  }
  const findings = [];
  for (let n = 0; findings.length < count; n++) {
    const a = n % (SIDE ** 3 - SIDE ** 2);
    const b = a + [1, SIDE, SIDE ** 2][Math.floor(n / (SIDE ** 3 - SIDE ** 2)) % 3];
    const upper = 0.001 + ((n * 7919) % 1000) / 5000;
    findings.push({
      id: `f${n}`, verdict: n < count / 2 ? "overlapping" : "too_close", parts: [a, b], rule: "default", required: 0.5, status: null,
      distance: n < count / 2 ? { lower: 0, upper: 0 } : { lower: upper * 0.999, upper }, closest: null, plane: null,
      depth: n < count / 2 ? { kind: "local", lower: upper * 0.999, upper, point: null, surface: null } : null,
      volume: null, inside: null, points: [], contacts: 3, motion: null,
    });
  }
  const report = reportOf("A crowd", parts, findings, ["boxes", "rods", "balls"]);
  report.settings.baseline = null;
  return { report, scene: { version: 1, geometries: store.geometries, parts: placed, curves: [], simplified: false }, geometry: store.buffer };
}

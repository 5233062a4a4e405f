/** A report with every verdict: a gearbox on its base, made by hand. Lengths in mm, x along the shafts, z up. */

import { Geometry } from "./fill.mjs";
import { ball, bolt, box, gear, plateWithHole, rod, tube } from "./shapes.mjs";

export const MEANINGS = {
  duplicate: "both parts have the same triangles in the same place (exactly, or within the tolerance).",
  enclosed: "one part lies inside the other without touching its surface.",
  overlapping: "the interiors of the parts meet.",
  touching_within_tolerance:
    "the interiors meet, but every point of either surface inside the other part is within the tolerance of the other's surface, and every closed shell of either has a point outside the other.",
  touching: "the parts share a point and no interior.",
  too_close: "the parts share no point, and their distance is less than the required clearance.",
  undecided: "curved parts, or a grazing motion, that cannot be told apart within the stated width.",
};

/** Text from files must stay text. */
export const HOSTILE = `</script><img src=x onerror="document.title='broken'">`;
const GROUPS = ["bearings", "covers", "fasteners", "gears", "housing", "motion", "shafts"];
const AT_REST = [1, 0, 0, 0, 1, 0, 0, 0, 1];
/** Turns x to z, z to -x. */
const UPRIGHT = [0, 0, -1, 0, 1, 0, 1, 0, 0];
/** Far from the origin, so that positions need more digits than f32 has. */
const FAR = [1200000, -350000, 80000];

const at = (rotation, [x, y, z]) => {
  const t = [x + FAR[0], y + FAR[1], z + FAR[2]];
  return [0, 1, 2].flatMap((row) => [...rotation.slice(3 * row, 3 * row + 3), t[row]]);
};
const far = (p) => p.map((x, k) => x + FAR[k]);

class Assembly {
  store = new Geometry();
  parts = [];
  placed = [];
  meshes = [];

  shape(mesh) {
    const index = this.store.mesh(mesh);
    this.meshes[index] = mesh;
    return index;
  }

  add(name, group, geometry, place, options = {}) {
    const pose = at(options.rotation ?? AT_REST, place);
    const mesh = this.meshes[geometry];
    const world = mesh.positions.map((p) => [0, 1, 2].map((r) => pose[4 * r] * p[0] + pose[4 * r + 1] * p[1] + pose[4 * r + 2] * p[2] + pose[4 * r + 3]));
    const bounds = [Math.min, Math.max].map((f) => [0, 1, 2].map((k) => world.reduce((m, p) => f(m, p[k]), world[0][k])));
    this.parts.push({
      id: `gearbox/${name}`, name, file: "gearbox.glb", group: GROUPS.indexOf(group), kind: "solid", triangles: mesh.triangles.length,
      bounds, motion: options.motion ?? null, notes: options.notes ?? [],
    });
    this.placed.push({ geometry: options.boxed ? null : geometry, pose, bounds });
    return this.parts.length - 1;
  }
}

const arc = (x, y, z, radius, from, to, n = 24) =>
  Array.from({ length: n }, (_, i) => {
    const corner = (share) => far([x, y + radius * Math.cos(from + share * (to - from)), z + radius * Math.sin(from + share * (to - from))]);
    return [corner(i / n), corner((i + 1) / n)];
  });
const ringUpright = (x, y, z, radius, n = 24) =>
  Array.from({ length: n }, (_, i) => {
    const corner = (k) => far([x + radius * Math.cos((2 * Math.PI * k) / n), y + radius * Math.sin((2 * Math.PI * k) / n), z]);
    return [corner(i), corner(i + 1)];
  });
const loop = (corners) => corners.map((c, i) => [far(c), far(corners[(i + 1) % corners.length])]);

export function gearbox() {
  const a = new Assembly();
  const ids = build(a);
  const findings = findingsOf(a, ids);
  return finish(a, findings);
}

function build(a) {
  const p = {};
  const plate = a.shape(plateWithHole(18, [-62, 62], [-52, 58], 12));
  p.base = a.add("base plate", "housing", a.shape(box([230, 150, 12])), [0, 0, -58]);
  p.left = a.add("housing left", "housing", plate, [-70, 0, 0]);
  p.right = a.add("housing right", "housing", plate, [70, 0, 0]);
  p.shaft = a.add("main shaft", "shafts", a.shape(rod(10, 200)), [5, 0, 0]);
  p.lay = a.add("lay shaft", "shafts", a.shape(rod(7, 118)), [0, 46, 0]);
  const bearing = a.shape(tube(10, 18, 12, 64));
  p.bearingLeft = a.add("bearing left", "bearings", bearing, [-70, 0, 0]);
  p.bearingRight = a.add("bearing right", "bearings", bearing, [71.5, 0, 0.9], { notes: ["2 duplicate triangles removed", HOSTILE] });
  p.gear = a.add("gear 24", "gears", a.shape(gear(24, 2.5, 10, 16)), [-30, 0, 0]);
  p.pinion = a.add("pinion 12", "gears", a.shape(gear(12, 2.5, 7, 18)), [-30, 45.2, 0]);
  p.wheel = a.add("gear 20", "gears", a.shape(gear(20, 2.5, 10, 14)), [20, 0, 0]);
  p.idler = a.add("idler 15", "gears", a.shape(gear(15, 2.5, 7, 14)), [20, 44.6, 0]);
  p.cover = a.add("cover", "covers", a.shape(box([150, 124, 5])), [0, 0, 61.9]);
  p.sensor = a.add("oil sensor", "covers", a.shape(ball(5)), [-70, -45, -35]);
  const short = a.shape(bolt(3, 16));
  const screw = a.shape(bolt(2.5, 9));
  p.bolts = [];
  for (const x of [-70, 70]) for (const y of [-50, -17, 17, 50]) p.bolts.push(a.add(`bolt M6 ${p.bolts.length + 1}`, "fasteners", short, [x + (x > 0 ? 14 : -14), y, -52], { rotation: UPRIGHT }));
  p.screws = [];
  for (const x of [-66, -22, 22, 66]) for (const y of [-54, 54]) p.screws.push(a.add(`cover screw ${p.screws.length + 1}`, "fasteners", screw, [x, y, 64.4], { rotation: UPRIGHT }));
  p.again = a.add("bolt M6 8 (copy)", "fasteners", short, [84, 50, -52], { rotation: UPRIGHT });
  p.slide = a.add("slide", "motion", a.shape(box([36, 30, 20])), [-150, -30, 20], { motion: { t0: 0, t1: 2, displacement: [120, 0, 0] } });
  p.rail = a.add("rail", "motion", a.shape(box([120, 8, 6])), [-140, -30, 6.9]);
  p.lever = a.add("lever", "motion", a.shape(box([6, 10, 60])), [92, 0, 44], {
    motion: { t0: 0, t1: 2, screw: { axis: [1, 0, 0], center: far([92, 0, 14]), angle: 1.6, shift: -6 } },
  });
  p.stop = a.add("stop pin", "motion", a.shape(rod(4, 16)), [92, -36.5, 22]);
  p.roller = a.add("roller", "shafts", a.shape(rod(6, 30)), [-30, -47, 0]);
  p.spacers = [-1, 1].map((side) => a.add(`spacer ${side < 0 ? "left" : "right"}`, "shafts", a.shape(tube(10, 14, 8, 48)), [side < 0 ? -42 : 31, 0, 0]));
  p.cable = a.add("cable duct", "covers", a.shape(box([8, 8, 90])), [-105, 60, -5], { boxed: true });
  return p;
}

function findingsOf(a, p) {
  const list = [];
  const add = (verdict, one, two, rest = {}, curve = null) => {
    const parts = [Math.min(one, two), Math.max(one, two)];
    const id = `c-${(0x9e3779b97f4a7c15n * BigInt(parts[0] * 1009 + parts[1] + 1) % (1n << 64n)).toString(16).padStart(16, "0")}`;
    const meets = verdict !== "too_close" && verdict !== "undecided" && verdict !== "enclosed";
    list.push({
      finding: {
        id, verdict, parts, rule: "default", required: 2, status: "persistent", distance: meets ? { lower: 0, upper: 0 } : null, closest: null, plane: null,
        depth: null, volume: null, inside: null, points: [], contacts: 0, motion: null, ...rest,
      },
      curve,
    });
  };
  const depth = (lower, upper, point, kind = "local", surface = null) => ({ kind, lower, upper, point: far(point), surface });
  add("duplicate", p.bolts[7], p.again, { rule: "bolts in the housing", required: 0, contacts: 96 });
  add("enclosed", p.left, p.sensor, { inside: p.sensor, status: "new", distance: { lower: 0.9987, upper: 1.0013 }, closest: [far([-64, -45, -35]), far([-65, -45, -35])] });
  const half = Math.PI;
  add(
    "overlapping", p.right, p.bearingRight,
    { status: "new", depth: depth(0.8991, 0.9, [70, 0, 18.9], "local", 0.9), volume: { lower: 301.2, upper: 305.9 }, contacts: 284, points: [far([65.5, 18, 0.45]), far([65.5, -18, 0.45]), far([76, 18, 0.45]), far([76, -18, 0.45])] },
    [...arc(65.5, 0, 0.9, 18, 0.01, half - 0.01), ...arc(76, 0, 0.9, 18, 0.01, half - 0.01), [far([65.5, 18, 0.45]), far([76, 18, 0.45])], [far([65.5, -18, 0.45]), far([76, -18, 0.45])]],
  );
  add(
    "overlapping", p.left, p.slide,
    {
      rule: "moving parts", required: 5, status: "new", depth: depth(11.98, 12, [-68, -30, 20], "translation"), contacts: 4,
      points: [[-76, -45, 10], [-76, -15, 10], [-76, -15, 30], [-76, -45, 30]].map(far),
      motion: { contact: "hit", first_contact: { lower: 0.9333333333333332, upper: 0.9333333333333333 }, exact: { num: "14", den: "15" }, first_overlap: { lower: 0.9333333333333332, upper: 0.9333333333333333 }, closest_time: null, normal: [1, 0, 0] },
    },
    loop([[-76, -45, 10], [-76, -15, 10], [-76, -15, 30], [-76, -45, 30]]),
  );
  add("overlapping", p.shaft, p.bearingRight, { depth: depth(0.5, 0.92, [71.5, 0, -9.1]), contacts: 120, points: [far([65.5, 9.9, 0.45]), far([77.5, -9.9, 0.45])] }, [...arc(65.5, 0, 0.9, 10, -Math.PI + 0.1, -0.1), ...arc(77.5, 0, 0.9, 10, -Math.PI + 0.1, -0.1)]);
  add("overlapping", p.gear, p.pinion, { status: "new", depth: depth(0.2103, 0.2104, [-30, 30.4, 0.2]), contacts: 42, points: [far([-30, 30.2, 1.2]), far([-22, 30.2, 1.2])] }, loop([[-38, 30.2, 1.2], [-22, 30.2, 1.2], [-22, 30.9, -1], [-38, 30.9, -1]]));
  p.bolts.slice(0, 3).forEach((bolt, i) => {
    const y = [-50, -17, 17][i];
    add("overlapping", bolt, p.base, { rule: "bolts in the housing", required: 0, depth: depth(2.9, 3.04 - i * 0.02, [-84, y, -60]), contacts: 64, points: [far([-84, y, -52])] }, ringUpright(-84, y, -52, 3));
  });
  p.screws.forEach((screw, i) => {
    const [x, y] = [[-66, -22, 22, 66][i >> 1], i % 2 ? 54 : -54];
    add("overlapping", screw, p.cover, { rule: "screws", required: 0, depth: depth(0.05 * 2 ** i * 0.9, 0.05 * 2 ** i, [x, y, 62]), contacts: 48, points: [far([x, y, 64.4])] }, ringUpright(x, y, 64.4, 2.5));
  });
  add("touching_within_tolerance", p.left, p.bearingLeft, { rule: "bearing seats", required: 0, depth: depth(0, 0.0217, [-70, 18, 0], "local", 0.0217), contacts: 768, points: [far([-76, 18, 0])] }, [...arc(-76, 0, 0, 18, 0, 2 * Math.PI, 64), ...arc(-64, 0, 0, 18, 0, 2 * Math.PI, 64)]);
  add("touching_within_tolerance", p.shaft, p.bearingLeft, { rule: "bearing seats", required: 0, depth: depth(0, 0.0121, [-70, 10, 0], "local", 0.0121), contacts: 512, points: [far([-76, 10, 0])] }, [...arc(-76, 0, 0, 10, 0, 2 * Math.PI, 64), ...arc(-64, 0, 0, 10, 0, 2 * Math.PI, 64)]);
  add("touching", p.base, p.left, { contacts: 32, points: [[-76, -62, -52], [-64, -62, -52], [-64, 62, -52], [-76, 62, -52]].map(far) }, loop([[-76, -62, -52], [-64, -62, -52], [-64, 62, -52], [-76, 62, -52]]));
  add("touching", p.base, p.right, { contacts: 32, points: [[64, -62, -52], [76, -62, -52], [76, 62, -52], [64, 62, -52]].map(far) }, loop([[64, -62, -52], [76, -62, -52], [76, 62, -52], [64, 62, -52]]));
  p.bolts.slice(3, 7).forEach((bolt, i) => {
    const y = [50, -50, -17, 17][i];
    const x = i === 0 ? -84 : 84;
    add("touching", bolt, p.base, { rule: "bolts in the housing", required: 0, contacts: 24, points: [far([x, y, -52])] }, ringUpright(x, y, -52, 5.25));
  });
  const gap = (one, two, lower, upper, closest, normal, rest = {}) => {
    const middle = closest[0].map((x, k) => (x + closest[1][k]) / 2);
    const offset = far(middle).reduce((sum, x, k) => sum + x * normal[k], 0);
    add("too_close", one, two, { distance: { lower, upper }, closest: closest.map(far), plane: { normal, offset }, ...rest });
  };
  gap(p.left, p.cover, 1.4, 1.4, [[-70, 0, 58], [-70, 0, 59.4]], [0, 0, 1]);
  gap(p.right, p.cover, 1.4, 1.4, [[70, 20, 58], [70, 20, 59.4]], [0, 0, 1]);
  gap(p.wheel, p.idler, 0.3127, 0.3131, [[20, 27.2, 0], [20, 27.5131, 0]], [0, 1, 0], { status: "new" });
  gap(p.gear, p.spacers[0], 0, 1e-9, [[-38, 12, 0], [-38, 12, 0]], [-1, 0, 0]);
  gap(p.slide, p.rail, 0.1, 0.1, [[-140, -30, 9.9], [-140, -30, 10]], [0, 0, -1].map((x) => -x), {
    rule: "moving parts", required: 5,
    motion: { contact: "none", first_contact: null, exact: null, first_overlap: null, closest_time: 0, normal: null },
  });
  gap(p.lever, p.stop, 1.2304, 1.2391, [[92, -31.3, 22.4], [92, -32.5, 22.3]], [0, -1, 0], {
    rule: "moving parts", required: 5, status: "new",
    motion: { contact: "none", first_contact: null, exact: null, first_overlap: null, closest_time: 1.6, normal: null },
  });
  add("undecided", p.gear, p.roller, { distance: { lower: 0, upper: 3e-9 }, closest: [far([-30, -41, 0]), far([-30, -41, 0])] });
  const order = Object.keys(MEANINGS);
  const size = (f) => (f.depth ? -f.depth.upper : (f.distance?.upper ?? 0));
  list.sort((x, y) => order.indexOf(x.finding.verdict) - order.indexOf(y.finding.verdict) || size(x.finding) - size(y.finding));
  list.forEach(({ curve }, index) => curve && a.store.curve(index, curve));
  return list.map(({ finding }) => finding);
}

function finish(a, findings) {
  const { parts, placed, store } = a;
  const report = reportOf("Gearbox <rev C>", parts, findings);
  report.resolved = [{ id: "c-00d1a2b3c4d5e6f7", verdict: "overlapping", parts: ["gearbox/cover", "gearbox/idler 15"] }];
  report.skipped = [{ file: "supplier/seal.stl", error: "line 1: neither binary nor ASCII STL; is it a STEP file?" }];
  report.summary.resolved = 1;
  const scene = { version: 1, geometries: store.geometries, parts: placed, curves: store.curves, simplified: true };
  return { report, scene, geometry: store.buffer };
}

export function reportOf(title, parts, findings, groupNames = GROUPS) {
  const groups = groupNames.map((name, i) => ({ name, parts: parts.filter((part) => part.group === i).length }));
  const cells = new Map();
  groups.forEach((_, i) => groups.forEach((_, j) => i <= j && cells.set(`${i},${j}`, { groups: [i, j], required: i === j && i === 2 ? null : 2, findings: 0, worst: null })));
  const order = Object.keys(MEANINGS);
  for (const finding of findings) {
    const [i, j] = finding.parts.map((part) => parts[part].group).sort((x, y) => x - y);
    const cell = cells.get(`${i},${j}`);
    cell.findings++;
    cell.worst = order[Math.min(order.indexOf(finding.verdict), cell.worst ? order.indexOf(cell.worst) : 9)];
    cell.required = finding.required;
  }
  const counted = (pick) => findings.filter(pick).length;
  return {
    version: 1, program: "clearance 0.1.0", title, unit: "mm",
    settings: { clearance: 2, tolerance: 0.05, report_touching: true, volume: true, rules: "rules.toml", baseline: "previous.json" },
    meanings: order.map((verdict) => ({ verdict, text: MEANINGS[verdict] })),
    summary: {
      parts: parts.length, triangles: parts.reduce((sum, part) => sum + part.triangles, 0), pairs: (parts.length * (parts.length - 1)) / 2,
      candidates: findings.length * 2, unchecked: 0, verdicts: order.map((verdict) => ({ verdict, count: counted((f) => f.verdict === verdict) })),
      vanish_at_one_in_a_thousand: 2, new: counted((f) => f.status === "new"), persistent: counted((f) => f.status === "persistent"), resolved: 0,
    },
    groups, matrix: [...cells.values()], parts, findings, resolved: [], skipped: [], interrupted: false,
  };
}

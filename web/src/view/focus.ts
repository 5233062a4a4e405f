/** Where a finding is, and from which side it is seen best. */

import { Box3, type Object3D, type Raycaster, Vector3 } from "three";
import type { Finding, Report } from "../model";
import type { Goal } from "./flight";
import type { Space } from "./space";

/** Around the place of a finding; the middle of the parts' common box where it tells no points. */
export function placeOf(finding: Finding, report: Report, space: Space): Box3 {
  const place = new Box3();
  // Of a part inside another, and of one given twice, the whole part is the place.
  const whole = finding.verdict === "duplicate" ? finding.parts[0] : finding.inside;
  const around = whole === null ? null : report.parts[whole]!.bounds;
  if (around) return space.box(around);
  for (const p of finding.points) place.expandByPoint(space.point(p));
  for (const p of finding.closest ?? []) place.expandByPoint(space.point(p));
  if (finding.depth?.point) place.expandByPoint(space.point(finding.depth.point));
  if (!place.isEmpty()) return place;
  const boxes = finding.parts.map((part) => report.parts[part]!.bounds).filter((b) => b !== null);
  for (const [index, bounds] of boxes.entries()) {
    if (index === 0) place.copy(space.box(bounds));
    else if (place.intersectsBox(space.box(bounds))) place.intersect(space.box(bounds));
  }
  return place.isEmpty() ? new Box3(new Vector3(), new Vector3()) : place;
}

/** Across the gap or the contact, if it is known: a gap is seen from its side. */
function acrossOf(finding: Finding): Vector3 | null {
  const across = finding.plane?.normal ?? finding.motion?.normal;
  if (across) return new Vector3(...across);
  if (!finding.closest) return null;
  const [from, to] = finding.closest;
  const along = new Vector3(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
  return along.lengthSq() > 0 ? along.normalize() : null;
}

const SIDES = [-1, 0, 1]
  .flatMap((x) => [-1, 0, 1].flatMap((y) => [-0.3, 0.08, 0.3, 0.75].map((z) => new Vector3(x, y, z))))
  .filter((side) => side.x !== 0 || side.y !== 0)
  // Not quite from above and below: a view straight along z has no up.
  .concat([new Vector3(0, -0.03, 1), new Vector3(0, -0.03, -1)])
  .map((side) => side.normalize());

/** How much is to be seen: the place itself, and of small gaps and contacts some surroundings. */
export function extentShown(place: Box3, boxes: Box3[]): number {
  const smaller = Math.min(...boxes.map((box) => box.getSize(new Vector3()).length()).filter((size) => size > 0), Infinity);
  const extent = place.getSize(new Vector3()).length();
  if (!Number.isFinite(smaller)) return extent || 1;
  const around = extent > 0 ? 3 * Math.sqrt(extent * smaller) : 0.5 * smaller;
  return Math.max(1.3 * extent, 0.05 * smaller, Math.min(0.8 * smaller, around));
}

/** Not quite from the side: a little of what faces a gap tells which part is which, and a plane is seen as one. */
const LEAN = 0.25;

/** Views across a direction, nearly from this side. */
function leaning(side: Vector3, across: Vector3): Vector3[] {
  const flat = side.clone().addScaledVector(across, -side.dot(across));
  if (flat.length() < 0.3) return [];
  flat.normalize();
  return [-LEAN, -0.06, 0.06, LEAN].map((lean) => flat.clone().addScaledVector(across, lean).normalize());
}

/** A view that shows the place with enough of the smaller part around it, from a side where little is in the way. */
export function goalFor(finding: Finding, place: Box3, boxes: Box3[], meshes: Object3D[], ray: Raycaster, from: Vector3, radius: number): Goal {
  const target = place.getCenter(new Vector3());
  const shown = extentShown(place, boxes);
  const across = acrossOf(finding);
  const sides = across ? SIDES.flatMap((side) => leaning(side, across)) : SIDES;
  const front = towardsSmaller(target, boxes);
  // From outside the assembly, whose middle is the origin.
  const outside = target.clone().divideScalar(radius);
  let best = { score: -Infinity, direction: from };
  for (const direction of [from, ...sides]) {
    const sideways = across ? 1 - Math.abs(Math.abs(direction.dot(across)) - LEAN) : 0.5;
    const liking = 0.3 * direction.dot(from) + 0.4 * direction.dot(front) + 0.6 * direction.dot(outside) + 0.25 * direction.z;
    const score = 1.6 * sideways + liking - hits(target, direction, meshes, ray, shown);
    if (score > best.score) best = { score, direction };
  }
  return { target, direction: best.direction.clone(), distance: shown * 2.7 };
}

/** A view from a side that just holds all points. `slopes` are the tangents of half the view's angles, x and y. */
export function fitting(points: Vector3[], direction: Vector3, slopes: [number, number]): Goal {
  const right = new Vector3(-direction.y, direction.x, 0);
  if (right.lengthSq() < 1e-12) right.set(1, 0, 0);
  right.normalize();
  const up = direction.clone().cross(right);
  const ranges = [right, up, direction].map((axis) => {
    const along = points.map((p) => p.dot(axis));
    return [along.reduce((a, b) => Math.min(a, b), Infinity), along.reduce((a, b) => Math.max(a, b), -Infinity)] as const;
  });
  const middle = ranges.map(([low, high]) => (low + high) / 2);
  const target = new Vector3().addScaledVector(right, middle[0]!).addScaledVector(up, middle[1]!).addScaledVector(direction, middle[2]!);
  let distance = 0;
  for (const p of points) {
    const seen = p.clone().sub(target);
    const nearer = seen.dot(direction);
    distance = Math.max(distance, nearer + Math.abs(seen.dot(right)) / slopes[0], nearer + Math.abs(seen.dot(up)) / slopes[1]);
  }
  return { target, direction: direction.clone(), distance: distance || 1 };
}

/** From a place to the middle of the smaller part: it should be in front of the larger one. */
function towardsSmaller(target: Vector3, boxes: Box3[]): Vector3 {
  const size = (box: Box3) => box.getSize(new Vector3()).lengthSq();
  const smaller = boxes.length > 0 ? boxes.reduce((a, b) => (size(b) < size(a) ? b : a)) : null;
  return smaller ? smaller.getCenter(new Vector3()).sub(target).normalize() : new Vector3();
}

/** How much lies between the place and the camera, from 0 to 1.5. */
function hits(target: Vector3, direction: Vector3, meshes: Object3D[], ray: Raycaster, shown: number): number {
  ray.set(target.clone().addScaledVector(direction, shown * 1e-3), direction);
  const found = ray.intersectObjects(meshes, false).filter((hit) => hit.distance > shown * 0.01);
  return Math.min(1.5, found.length * 0.5);
}

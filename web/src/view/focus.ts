/** Where a finding is, and from which side it is seen best. */

import { Box3, type Object3D, type Raycaster, Vector3 } from "three";
import type { Finding, Report } from "../model";
import type { Goal } from "./flight";
import type { Space } from "./space";

/** Around the place of a finding; the middle of the parts' common box where it tells no points. */
export function placeOf(finding: Finding, report: Report, space: Space): Box3 {
  const place = new Box3();
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
  .flatMap((x) => [-1, 0, 1].flatMap((y) => [-0.35, 0.3, 0.75].map((z) => new Vector3(x, y, z))))
  .filter((side) => side.x !== 0 || side.y !== 0)
  .map((side) => side.normalize());

/** A view that shows the place with enough of the smaller part around it, from a side where little is in the way. */
export function goalFor(finding: Finding, place: Box3, boxes: Box3[], meshes: Object3D[], ray: Raycaster, from: Vector3): Goal {
  const target = place.getCenter(new Vector3());
  const sizes = boxes.map((box) => box.getSize(new Vector3()).length()).filter((size) => size > 0);
  const smaller = Math.min(...sizes, Infinity);
  const extent = place.getSize(new Vector3()).length();
  const shown = Math.max(extent * 1.3, Number.isFinite(smaller) ? smaller * 0.8 : extent, 1e-12);
  const across = acrossOf(finding);
  let best = { score: -Infinity, direction: from };
  for (const direction of [from, ...SIDES]) {
    const sideways = across ? 1 - Math.abs(direction.dot(across)) : 0.5;
    const score = 1.6 * sideways + 0.5 * direction.dot(from) - hits(target, direction, meshes, ray, shown);
    if (score > best.score) best = { score, direction };
  }
  return { target, direction: best.direction.clone(), distance: shown * 1.9 };
}

/** How much lies between the place and the camera, from 0 to 1.5. */
function hits(target: Vector3, direction: Vector3, meshes: Object3D[], ray: Raycaster, shown: number): number {
  ray.set(target.clone().addScaledVector(direction, shown * 1e-3), direction);
  const found = ray.intersectObjects(meshes, false).filter((hit) => hit.distance > shown * 0.01);
  return Math.min(1.5, found.length * 0.5);
}

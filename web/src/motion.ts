/** Where moving parts are at a time. All in doubles; the picture rounds last. */

import { Matrix4, Vector3 } from "three";
import type { Motion, Part } from "./model";

/** From the start of all motions to their end; null if nothing moves. */
export function timeSpan(parts: Part[]): [number, number] | null {
  let [from, to] = [Infinity, -Infinity];
  for (const { motion } of parts) {
    if (!motion) continue;
    from = Math.min(from, motion.t0);
    to = Math.max(to, motion.t1);
  }
  return from <= to ? [from, to] : null;
}

/** The world motion since the start, with the world's origin moved to `origin`. */
export function displacementAt(motion: Motion, time: number, origin: Vector3): Matrix4 {
  const whole = motion.t1 - motion.t0;
  const share = whole > 0 ? Math.min(1, Math.max(0, (time - motion.t0) / whole)) : 0;
  if (motion.displacement) {
    const [x, y, z] = motion.displacement;
    return new Matrix4().makeTranslation(x * share, y * share, z * share);
  }
  if (!motion.screw) return new Matrix4();
  const axis = new Vector3(...motion.screw.axis).normalize();
  const center = new Vector3(...motion.screw.center).sub(origin);
  const turn = new Matrix4().makeRotationAxis(axis, motion.screw.angle * share);
  const moved = center.clone().applyMatrix4(turn);
  const shift = center.sub(moved).addScaledVector(axis, motion.screw.shift * share);
  return turn.setPosition(shift);
}

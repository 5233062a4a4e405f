/** Moves the camera smoothly; a touch of the user ends it. */

import { MathUtils, type PerspectiveCamera, Quaternion, Vector3 } from "three";
import type { OrbitControls } from "three/addons/controls/OrbitControls.js";

/** Where the camera looks, from which side (unit length), from how far. */
export interface Goal {
  target: Vector3;
  direction: Vector3;
  distance: number;
}

const SECONDS = 0.75;

export class Flight {
  private from: Goal | null = null;
  private goal: Goal | null = null;
  private began = 0;

  constructor(private readonly camera: PerspectiveCamera, private readonly controls: OrbitControls) {
    controls.addEventListener("start", () => (this.goal = null));
  }

  get flying(): boolean {
    return this.goal !== null;
  }

  now(): Goal {
    const direction = this.camera.position.clone().sub(this.controls.target);
    const distance = direction.length();
    return { target: this.controls.target.clone(), direction: direction.divideScalar(distance || 1), distance };
  }

  to(goal: Goal): void {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return this.put(goal);
    this.from = this.now();
    this.goal = goal;
    this.began = performance.now();
  }

  put(goal: Goal): void {
    this.goal = null;
    this.controls.target.copy(goal.target);
    this.camera.position.copy(goal.target).addScaledVector(goal.direction, goal.distance);
    this.camera.lookAt(goal.target);
  }

  /** To be called before each frame. */
  step(): void {
    const { from, goal } = this;
    if (!from || !goal) return;
    const share = Math.min(1, (performance.now() - this.began) / 1000 / SECONDS);
    if (share === 1) return this.put(goal);
    const eased = share < 0.5 ? 4 * share ** 3 : 1 - (2 - 2 * share) ** 3 / 2;
    const turn = new Quaternion().setFromUnitVectors(from.direction, goal.direction);
    const direction = from.direction.clone().applyQuaternion(new Quaternion().slerp(turn, eased)).normalize();
    const distance = Math.exp(MathUtils.lerp(Math.log(from.distance), Math.log(goal.distance), eased));
    this.put({ target: from.target.clone().lerp(goal.target, eased), direction, distance });
    this.goal = goal;
  }
}

/** The frame of the picture: the world with its origin in the middle, so that floats of the graphics card are enough. */

import { Box3, Matrix4, Vector3 } from "three";
import type { Report, Scene, Vec3 } from "../model";
import { displacementAt } from "../motion";

export class Space {
  /** The middle of all bounds, in the world. */
  readonly origin: Vector3;
  /** Around all parts, at all times that matter, in the frame of the picture. */
  readonly bounds = new Box3();
  readonly radius: number;

  constructor(report: Report) {
    const all = new Box3();
    for (const part of report.parts) if (part.bounds) all.union(box(part.bounds));
    if (all.isEmpty()) all.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
    this.origin = all.getCenter(new Vector3());
    this.bounds.copy(all).translate(this.origin.clone().negate());
    for (const { bounds, motion } of report.parts) {
      if (!bounds || !motion) continue;
      const start = box(bounds).translate(this.origin.clone().negate());
      for (const share of [0.25, 0.5, 0.75, 1]) {
        const time = motion.t0 + share * (motion.t1 - motion.t0);
        this.bounds.union(start.clone().applyMatrix4(displacementAt(motion, time, this.origin)));
      }
    }
    this.radius = this.bounds.getSize(new Vector3()).length() / 2 || 1;
  }

  point([x, y, z]: Vec3): Vector3 {
    return new Vector3(x - this.origin.x, y - this.origin.y, z - this.origin.z);
  }

  /** From coordinates relative to the geometry's center to the picture. */
  place(pose: number[], center: Vec3): Matrix4 {
    const [a, b, c, x, d, e, f, y, g, h, i, z] = pose as [
      number, number, number, number, number, number, number, number, number, number, number, number,
    ];
    const { origin } = this;
    return new Matrix4().set(
      a, b, c, a * center[0] + b * center[1] + c * center[2] + (x - origin.x),
      d, e, f, d * center[0] + e * center[1] + f * center[2] + (y - origin.y),
      g, h, i, g * center[0] + h * center[1] + i * center[2] + (z - origin.z),
      0, 0, 0, 1,
    );
  }

  box(bounds: [Vec3, Vec3]): Box3 {
    return new Box3(this.point(bounds[0]), this.point(bounds[1]));
  }
}

function box([low, high]: [Vec3, Vec3]): Box3 {
  return new Box3(new Vector3(...low), new Vector3(...high));
}

/** Geometry as stored: positions and indices of one entry of the scene. */
export function storedMesh(entry: Scene["geometries"][number], buffer: ArrayBuffer): [Float32Array, Uint32Array] {
  const positions = new Float32Array(buffer, entry.offset, entry.vertices * 3);
  return [positions, new Uint32Array(buffer, entry.offset + positions.byteLength, entry.triangles * 3)];
}

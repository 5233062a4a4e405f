/**
 * The section plane: cuts the picture, and fills the cut.
 *
 * Each surface that lies behind the plane flips a bit of the stencil; where a bit is set in the end, the plane runs
 * through the inside of a closed part. The first two bits belong to the selected pair, so that their overlap is told
 * apart; the others take turns with the rest of the parts, so that neighbours differ.
 */

import {
  AlwaysStencilFunc, BufferAttribute, BufferGeometry, Color, DoubleSide, EqualStencilFunc, Group, InstancedMesh,
  InvertStencilOp, LineBasicMaterial, LineLoop, type Material, Mesh, MeshBasicMaterial, MeshLambertMaterial,
  Plane, PlaneGeometry, ReplaceStencilOp, Vector3,
} from "three";
import type { View } from "../state";
import type { Palette } from "./palette";
import { type Others, PAIR_IN_SIGHT, type Parts } from "./parts";
import type { Space } from "./space";

const PAIR_BITS = [1, 2] as const;
const OTHER_BITS = [4, 8, 16, 32] as const;
/** Far enough that nothing is cut. */
const OFF = 1e30;

export class Section {
  readonly group = new Group();
  /** Shared by all materials that are cut; its one plane moves. */
  readonly planes = [new Plane(new Vector3(-1, 0, 0), OFF)];
  private readonly flips: { mesh: Mesh; side: number | null }[] = [];
  private readonly caps: { mesh: Mesh; shade: (p: Palette) => Color; ofPair: boolean }[] = [];
  private readonly frame: LineLoop;

  constructor(parts: Parts | null, private readonly space: Space) {
    this.frame = new LineLoop(
      new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(12), 3)),
      new LineBasicMaterial({ transparent: true, opacity: 0.6 }),
    );
    this.frame.frustumCulled = false;
    this.group.add(this.frame);
    this.group.visible = false;
    if (parts) this.attach(parts);
  }

  attach(parts: Parts): void {
    parts.batches.forEach((batch, i) => {
      if (!batch.closed) return;
      const mesh = new InstancedMesh(batch.surface.body, this.flip(OTHER_BITS[i % OTHER_BITS.length]!), batch.parts.length);
      mesh.instanceMatrix = batch.mesh.instanceMatrix;
      this.addFlip(mesh, null);
    });
    parts.pair.forEach((mesh, side) => {
      const twin = new Mesh(mesh.geometry, this.flip(PAIR_BITS[side]!));
      twin.matrixAutoUpdate = false;
      twin.matrix = mesh.matrix;
      this.addFlip(twin, side);
    });
    this.addCap(1, 3, (p) => p.a.clone().lerp(p.cut, 0.35), true);
    this.addCap(2, 3, (p) => p.b.clone().lerp(p.cut, 0.35), true);
    this.addCap(3, 3, (p) => p.contact, true);
    OTHER_BITS.forEach((bit, i) => this.addCap(bit, bit, (p) => p.cut.clone().lerp(p.body, i * 0.13), false));
  }

  private flip(bit: number): Material {
    return new MeshBasicMaterial({
      side: DoubleSide, colorWrite: false, depthWrite: false, depthTest: false, clippingPlanes: this.planes,
      stencilWrite: true, stencilWriteMask: bit, stencilFunc: AlwaysStencilFunc,
      stencilFail: InvertStencilOp, stencilZFail: InvertStencilOp, stencilZPass: InvertStencilOp,
    });
  }

  private addFlip(mesh: Mesh, side: number | null): void {
    mesh.frustumCulled = false;
    mesh.renderOrder = -20;
    this.flips.push({ mesh, side });
    this.group.add(mesh);
  }

  private addCap(bits: number, mask: number, shade: (p: Palette) => Color, ofPair: boolean): void {
    const material = new MeshLambertMaterial({
      side: DoubleSide, stencilWrite: true, stencilWriteMask: ofPair ? PAIR_IN_SIGHT : 0, stencilRef: bits | PAIR_IN_SIGHT,
      stencilFuncMask: mask, stencilFunc: EqualStencilFunc, stencilZPass: ReplaceStencilOp,
    });
    const mesh = new Mesh(new PlaneGeometry(1, 1), material);
    mesh.renderOrder = -10;
    this.caps.push({ mesh, shade, ofPair });
    this.group.add(mesh);
  }

  paint(colours: Palette): void {
    for (const { mesh, shade } of this.caps) (mesh.material as MeshLambertMaterial).color.copy(shade(colours));
    (this.frame.material as LineBasicMaterial).color.copy(colours.plane);
  }

  /** Where the plane is along its axis, in the frame of the picture. */
  offsetOf({ axis, at }: View["section"]): number {
    const { min, max } = this.space.bounds;
    return min.getComponent(axis) + at * (max.getComponent(axis) - min.getComponent(axis));
  }

  /** The share of the axis at which a point lies. */
  shareOf(axis: 0 | 1 | 2, point: Vector3): number {
    const [low, high] = [this.space.bounds.min.getComponent(axis), this.space.bounds.max.getComponent(axis)];
    return high > low ? Math.min(1, Math.max(0, (point.getComponent(axis) - low) / (high - low))) : 0.5;
  }

  /** The outline of all parts across the axis. */
  private frameAt(axis: 0 | 1 | 2, offset: number): void {
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    const { min, max } = this.space.bounds.clone().expandByScalar(this.space.radius * 0.04);
    const corners = this.frame.geometry.getAttribute("position");
    [[min, min], [max, min], [max, max], [min, max]].forEach(([a, b], i) => {
      const corner = new Vector3().setComponent(axis, offset).setComponent(u, a!.getComponent(u)).setComponent(v, b!.getComponent(v));
      corners.setXYZ(i, corner.x, corner.y, corner.z);
    });
    corners.needsUpdate = true;
  }

  update(section: View["section"], parts: Parts | null, others: Others): void {
    const plane = this.planes[0]!;
    this.group.visible = section.on;
    if (!section.on) {
      plane.constant = OFF;
      return;
    }
    const offset = this.offsetOf(section);
    const sign = section.flipped ? 1 : -1;
    plane.normal.set(0, 0, 0).setComponent(section.axis, sign);
    plane.constant = -sign * offset;
    for (const { mesh } of this.caps) {
      mesh.position.set(0, 0, 0).setComponent(section.axis, offset);
      mesh.lookAt(mesh.position.clone().sub(plane.normal));
      mesh.scale.setScalar(this.space.radius * 10);
    }
    this.frameAt(section.axis, offset);
    for (const { mesh, side } of this.flips) {
      mesh.visible = side === null ? others === "solid" : !!parts?.pair[side]!.visible;
      if (side !== null && parts) mesh.geometry = parts.pair[side]!.geometry;
      mesh.matrixWorldNeedsUpdate = true;
    }
    for (const { mesh, ofPair } of this.caps) mesh.visible = ofPair === (others !== "solid");
  }
}


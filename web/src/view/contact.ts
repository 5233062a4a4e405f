/** What proves a finding: contact curves and points, the segment between closest points, the separating plane. */

import {
  BufferAttribute, BufferGeometry, DoubleSide, Group, LineBasicMaterial, LineLoop, LineSegments, type Material, Mesh,
  MeshBasicMaterial, Object3D, type Plane, PlaneGeometry, Points, Quaternion, Vector2, Vector3,
} from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import type { Finding, Scene } from "../model";
import { dotMaterial } from "./dots";
import type { Palette } from "./palette";
import type { Space } from "./space";

/** More contact points than this hide what they mark. */
const MOST_POINTS = 64;
const UP = new Vector3(0, 0, 1);

export class Contact {
  readonly group = new Group();
  private readonly size = new Vector2(1, 1);

  constructor(private readonly scene: Scene, private readonly buffer: ArrayBuffer, private readonly space: Space, private readonly clip: Plane[]) {}

  resize(width: number, height: number): void {
    this.size.set(width, height);
    this.group.traverse((o) => o instanceof LineSegments2 && o.material.resolution.set(width, height));
  }

  clear(): void {
    this.group.traverse(dispose);
    this.group.clear();
  }

  /** `extent` is about the size of what is looked at. */
  show(index: number, finding: Finding, colours: Palette, extent: number): void {
    this.clear();
    const curve = this.scene.curves.find((c) => c.finding === index);
    if (curve && curve.segments > 0) this.addCurve(curve, colours);
    const apart = finding.closest && (finding.distance?.upper ?? 0) > 0 ? finding.closest : null;
    if (apart) this.addSegment(this.space.point(apart[0]), this.space.point(apart[1]), colours);
    else this.addPoints(finding, colours, curve !== undefined);
    if (finding.plane) this.addPlane(finding, finding.plane, colours, extent);
  }

  private addCurve(curve: Scene["curves"][number], colours: Palette): void {
    const corners = new Float32Array(this.buffer, curve.offset, curve.segments * 6);
    const geometry = new LineSegmentsGeometry().setPositions(corners);
    const at = this.space.point(curve.center);
    // Thin where it is hidden, thick where it is seen.
    for (const [width, colour, depthTest, order] of [
      [1.5, colours.contact, false, 10],
      [6.5, colours.halo, true, 11],
      [3.2, colours.contact, true, 12],
    ] as const) {
      const line = this.fatLine(geometry, width, depthTest, order);
      line.material.clippingPlanes = this.clip;
      line.material.color.copy(colour);
      line.position.copy(at);
    }
  }

  private fatLine(geometry: LineSegmentsGeometry, linewidth: number, depthTest: boolean, order: number) {
    const material = new LineMaterial({ linewidth, depthTest, transparent: true, depthWrite: false });
    material.resolution.copy(this.size);
    // On the surface itself: pulled a little towards the camera, or facets would eat half of it.
    material.polygonOffset = true;
    material.polygonOffsetFactor = -2;
    material.polygonOffsetUnits = -4;
    const line = new LineSegments2(geometry, material);
    line.frustumCulled = false;
    line.renderOrder = order;
    this.group.add(line);
    return line;
  }

  private addSegment(from: Vector3, to: Vector3, colours: Palette): void {
    const geometry = new LineSegmentsGeometry().setPositions([...from.toArray(), ...to.toArray()]);
    this.fatLine(geometry, 6.5, false, 13).material.color.copy(colours.halo);
    this.fatLine(geometry, 3.2, false, 14).material.color.copy(colours.contact);
    this.addDots([from, to], 9, colours);
  }

  private addPoints(finding: Finding, colours: Palette, hasCurve: boolean): void {
    // Of moving parts the depth belongs to another time than the contact.
    const deepest = finding.motion ? null : finding.depth?.point;
    const points = hasCurve ? [] : finding.points.slice(0, MOST_POINTS);
    this.addDots(points.map((p) => this.space.point(p)), 8, colours);
    if (deepest) this.addDots([this.space.point(deepest)], 12, colours);
  }

  private addDots(at: Vector3[], pixels: number, colours: Palette): void {
    if (at.length === 0) return;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(at.flatMap((p) => p.toArray())), 3));
    geometry.setAttribute("color", new BufferAttribute(new Float32Array(at.flatMap(() => colours.contact.toArray())), 3));
    const material = dotMaterial(pixels);
    material.uniforms.halo!.value = colours.halo;
    const dots = new Points(geometry, material);
    dots.frustumCulled = false;
    dots.renderOrder = 15;
    this.group.add(dots);
  }

  /** A patch of the plane around the gap, with a grid so that it reads as a plane. */
  private addPlane(finding: Finding, plane: NonNullable<Finding["plane"]>, colours: Palette, extent: number): void {
    const normal = new Vector3(...plane.normal).normalize();
    const near = finding.closest
      ? this.space.point(finding.closest[0]).add(this.space.point(finding.closest[1])).multiplyScalar(0.5)
      : new Vector3();
    // The offset belongs to the world: move it to the picture's origin in doubles.
    const offset = plane.offset - normal.dot(this.space.origin);
    near.addScaledVector(normal, offset - near.dot(normal));
    const patch = new Object3D();
    patch.position.copy(near);
    patch.quaternion.copy(new Quaternion().setFromUnitVectors(UP, normal));
    patch.scale.setScalar(extent * 0.8);
    const facets = { color: colours.plane, transparent: true, depthWrite: false } as const;
    const sheet = new Mesh(new PlaneGeometry(1, 1), new MeshBasicMaterial({ ...facets, opacity: 0.16, side: DoubleSide }));
    sheet.renderOrder = 8;
    const rim = new LineLoop(lineGeometry(RIM), new LineBasicMaterial({ ...facets, opacity: 0.95 }));
    const grid = new LineSegments(lineGeometry(GRID), new LineBasicMaterial({ ...facets, opacity: 0.35 }));
    for (const part of [sheet, rim, grid]) patch.add(part);
    this.group.add(patch);
  }
}

const RIM = [-0.5, -0.5, 0, 0.5, -0.5, 0, 0.5, 0.5, 0, -0.5, 0.5, 0];
const GRID = [-3, -2, -1, 0, 1, 2, 3].flatMap((i) => [i / 8, -0.5, 0, i / 8, 0.5, 0, -0.5, i / 8, 0, 0.5, i / 8, 0]);

function lineGeometry(corners: number[]): BufferGeometry {
  return new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(corners), 3));
}

function dispose(object: Object3D): void {
  const { geometry, material } = object as Mesh;
  geometry?.dispose();
  (material as Material | undefined)?.dispose();
}

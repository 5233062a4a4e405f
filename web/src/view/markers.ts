/** A dot for each listed finding, in the colour of its verdict; seen through everything. */

import { BufferAttribute, BufferGeometry, Color, type PerspectiveCamera, type Plane, Points, ShaderMaterial, Vector3 } from "three";
import { dotMaterial } from "./dots";

/** More dots than this hide each other. */
const MOST = 2000;

export class Markers {
  readonly points: Points;
  private findings: number[] = [];
  private readonly material: ShaderMaterial;

  constructor(private readonly placeOf: (finding: number) => Vector3) {
    this.material = dotMaterial(11);
    this.points = new Points(new BufferGeometry(), this.material);
    this.points.frustumCulled = false;
    this.points.renderOrder = 20;
  }

  /** Leaves out what `cut` cuts away. */
  show(findings: number[], colourOf: (finding: number) => Color, halo: Color, cut: Plane): void {
    // The gravest come first in every list; they are drawn last, on top.
    this.findings = findings.slice(0, MOST).reverse().filter((finding) => cut.distanceToPoint(this.placeOf(finding)) >= 0);
    const positions = new Float32Array(this.findings.length * 3);
    const colours = new Float32Array(this.findings.length * 3);
    this.findings.forEach((finding, i) => {
      this.placeOf(finding).toArray(positions, 3 * i);
      colourOf(finding).toArray(colours, 3 * i);
    });
    this.points.geometry.dispose();
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(positions, 3));
    geometry.setAttribute("color", new BufferAttribute(colours, 3));
    this.points.geometry = geometry;
    this.material.uniforms.halo!.value = halo;
    const pixels = this.findings.length > 800 ? 6 : this.findings.length > 150 ? 8 : 11;
    this.material.uniforms.size!.value = pixels * Math.min(2, devicePixelRatio);
  }

  /** The finding whose dot is within `reach` pixels of a place on the screen. */
  pick(x: number, y: number, width: number, height: number, camera: PerspectiveCamera, reach: number): number | null {
    if (!this.points.visible) return null;
    let best: number | null = null;
    let nearest = reach;
    for (const finding of this.findings) {
      const seen = this.placeOf(finding).clone().project(camera);
      if (seen.z > 1) continue;
      const away = Math.hypot(((seen.x + 1) / 2) * width - x, ((1 - seen.y) / 2) * height - y);
      if (away <= nearest) [best, nearest] = [finding, away];
    }
    return best;
  }
}

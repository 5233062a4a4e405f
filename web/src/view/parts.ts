/** All parts: one instanced mesh for each geometry, and the two selected ones on their own. */

import {
  type Box3, BoxGeometry, Color, DoubleSide, EdgesGeometry, FrontSide, Group, InstancedMesh, LineBasicMaterial, LineSegments, Matrix4,
  Mesh, MeshStandardMaterial, NotEqualStencilFunc, type Plane, type Raycaster, ReplaceStencilOp, Vector3,
} from "three";
import type { Report, Scene } from "../model";
import { displacementAt } from "../motion";
import type { Palette } from "./palette";
import { storedMesh, type Space } from "./space";
import { surfaceOf, type Surface } from "./surface";

/** Each part's lines are drawn by a call of their own; above this many parts only the selected ones have lines. */
const MOST_PARTS_WITH_LINES = 2500;
/** A bit of the stencil that the selected pair sets where it is seen: ghosts stay behind it. */
export const PAIR_IN_SIGHT = 64;
const HIDDEN = new Matrix4().makeScale(0, 0, 0);

/** How all parts but the selected ones are drawn. */
export type Others = "solid" | "ghost" | "hidden";

export interface Batch {
  mesh: InstancedMesh;
  surface: Surface;
  parts: number[];
  /** Whether every part encloses a volume, so that a cut through it can be filled. */
  closed: boolean;
}

export class Parts {
  readonly group = new Group();
  readonly batches: Batch[] = [];
  /** The two selected parts: meshes with a child for their lines. */
  readonly pair: [Mesh, Mesh];
  private selected: [number, number] | null = null;
  private readonly start: Matrix4[] = [];
  private readonly centers: Vector3[] = [];
  private readonly slots: ({ batch: Batch; index: number } | null)[] = [];
  private readonly lines: (LineSegments | null)[] = [];
  private readonly solid: MeshStandardMaterial;
  private readonly ghost: MeshStandardMaterial;
  private readonly solidLine: LineBasicMaterial;
  private readonly ghostLine: LineBasicMaterial;
  private time = 0;
  private explode = 0;

  constructor(private readonly report: Report, scene: Scene, buffer: ArrayBuffer, private readonly space: Space, clip: Plane[]) {
    const clipped = { clippingPlanes: clip };
    const facets = { ...clipped, side: DoubleSide, roughness: 0.62, metalness: 0.08, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 } as const;
    const behindPair = { stencilWrite: true, stencilWriteMask: 0, stencilFunc: NotEqualStencilFunc, stencilRef: PAIR_IN_SIGHT, stencilFuncMask: PAIR_IN_SIGHT };
    const marking = { stencilWrite: true, stencilWriteMask: PAIR_IN_SIGHT, stencilRef: PAIR_IN_SIGHT, stencilZPass: ReplaceStencilOp };
    this.solid = new MeshStandardMaterial(facets);
    this.ghost = new MeshStandardMaterial({ ...facets, ...behindPair, side: FrontSide, transparent: true, depthWrite: false });
    this.solidLine = new LineBasicMaterial({ ...clipped, transparent: true, opacity: 0.55 });
    this.ghostLine = new LineBasicMaterial({ ...clipped, ...behindPair, transparent: true, depthWrite: false });
    const selectable = () => {
      const mesh = new Mesh(undefined, new MeshStandardMaterial({ ...facets, ...marking }));
      mesh.matrixAutoUpdate = false;
      mesh.visible = false;
      mesh.add(new LineSegments(undefined, new LineBasicMaterial({ ...clipped, transparent: true, opacity: 0.7 })));
      this.group.add(mesh);
      return mesh;
    };
    this.pair = [selectable(), selectable()];
    this.build(scene, buffer);
    this.move(Number.NEGATIVE_INFINITY, 0);
  }

  private build(scene: Scene, buffer: ArrayBuffer): void {
    const byGeometry = new Map<number, number[]>();
    scene.parts.forEach((placed, part) => {
      const bounds = placed.bounds ?? this.report.parts[part]?.bounds ?? null;
      this.slots[part] = null;
      this.centers[part] = bounds ? this.space.box(bounds).getCenter(new Vector3()) : new Vector3();
      const geometry = placed.geometry === null ? null : scene.geometries[placed.geometry];
      if (geometry) this.start[part] = this.space.place(placed.pose, geometry.center);
      else if (bounds) this.start[part] = boxMatrix(this.space.box(bounds));
      else return;
      const key = geometry ? placed.geometry! : -1;
      const alike = byGeometry.get(key);
      if (alike) alike.push(part);
      else byGeometry.set(key, [part]);
    });
    const withLines = scene.parts.length <= MOST_PARTS_WITH_LINES;
    for (const [key, parts] of byGeometry) {
      const surface = key < 0 ? unitBox() : surfaceOf(...storedMesh(scene.geometries[key]!, buffer));
      this.addBatch(surface, parts, withLines);
    }
  }

  private addBatch(surface: Surface, parts: number[], withLines: boolean): void {
    const mesh = new InstancedMesh(surface.body, this.solid, parts.length);
    mesh.frustumCulled = false;
    const closed = parts.every((part) => this.report.parts[part]!.kind !== "surface");
    const batch: Batch = { mesh, surface, parts, closed };
    this.batches.push(batch);
    this.group.add(mesh);
    parts.forEach((part, index) => {
      this.slots[part] = { batch, index };
      mesh.setColorAt(index, new Color(1, 1, 1));
      if (!withLines || !surface.edges) return;
      const line = new LineSegments(surface.edges, this.solidLine);
      line.matrixAutoUpdate = false;
      this.lines[part] = line;
      this.group.add(line);
    });
  }

  /** Where a part is drawn now; null if it is not drawn. */
  matrixOf(part: number): Matrix4 | null {
    const start = this.start[part];
    if (!start) return null;
    const motion = this.report.parts[part]!.motion;
    const matrix = motion ? displacementAt(motion, this.time, this.space.origin).multiply(start) : start.clone();
    const away = this.centers[part]!.clone().multiplyScalar(this.explode);
    return matrix.premultiply(new Matrix4().makeTranslation(away));
  }

  move(time: number, explode: number): void {
    const all = explode !== this.explode || this.time === Number.NEGATIVE_INFINITY || time === Number.NEGATIVE_INFINITY;
    [this.time, this.explode] = [time, explode];
    this.slots.forEach((_, part) => (all || this.report.parts[part]!.motion) && this.put(part));
    this.placePair();
    this.flush();
  }

  private put(part: number): void {
    const slot = this.slots[part];
    const matrix = slot && this.matrixOf(part);
    if (!slot || !matrix) return;
    const hidden = this.selected?.includes(part);
    slot.batch.mesh.setMatrixAt(slot.index, hidden ? HIDDEN : matrix);
    slot.batch.mesh.instanceMatrix.needsUpdate = true;
    const line = this.lines[part];
    if (!line) return;
    line.visible = !hidden && this.group.userData.others !== "hidden";
    line.matrix.copy(matrix);
    line.matrixWorldNeedsUpdate = true;
  }

  private flush(): void {
    for (const { mesh } of this.batches) {
      mesh.boundingSphere = null;
      mesh.boundingBox = null;
    }
  }

  private placePair(): void {
    this.selected?.forEach((part, side) => {
      const matrix = this.matrixOf(part);
      const mesh = this.pair[side]!;
      mesh.visible = matrix !== null;
      if (matrix) mesh.matrix.copy(matrix);
      mesh.matrixWorldNeedsUpdate = true;
    });
  }

  /** Draws these two in colour, apart from the others. */
  select(selected: [number, number] | null): void {
    const before = this.selected ?? [];
    this.selected = selected;
    for (const part of [...before, ...(selected ?? [])]) this.put(part);
    this.flush();
    this.pair.forEach((mesh, side) => {
      mesh.visible = false;
      const surface = selected && this.slots[selected[side]!]?.batch.surface;
      if (!surface) return;
      mesh.geometry = surface.body;
      const line = mesh.children[0] as LineSegments;
      line.visible = surface.edges !== null;
      if (surface.edges) line.geometry = surface.edges;
    });
    this.placePair();
  }

  setOthers(others: Others): void {
    this.group.userData.others = others;
    for (const { mesh } of this.batches) {
      mesh.visible = others !== "hidden";
      mesh.material = others === "ghost" ? this.ghost : this.solid;
      mesh.renderOrder = others === "ghost" ? 3 : 0;
    }
    this.lines.forEach((line, part) => {
      if (!line) return;
      line.visible = others !== "hidden" && !this.selected?.includes(part);
      line.material = others === "ghost" ? this.ghostLine : this.solidLine;
    });
  }

  /** Each group has its own muted colour, unless parts are ghosts; each geometry if there are no groups. */
  paint(colours: Palette, ghosted: boolean): void {
    const grouped = this.report.groups.length > 1;
    this.batches.forEach(({ mesh, parts }, batch) => {
      parts.forEach((part, index) => {
        const shade = ghosted ? colours.ghost : mutedColour(grouped ? this.report.parts[part]!.group : batch, colours);
        mesh.setColorAt(index, shade);
      });
    });
    for (const { mesh } of this.batches) if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    this.ghost.opacity = colours.ghostOpacity;
    this.solidLine.color.copy(colours.edge);
    this.ghostLine.color.copy(colours.edge);
    this.ghostLine.opacity = colours.ghostEdgeOpacity;
    [colours.a, colours.b].forEach((colour, side) => {
      const mesh = this.pair[side]!;
      (mesh.material as MeshStandardMaterial).color.copy(colour);
      ((mesh.children[0] as LineSegments).material as LineBasicMaterial).color.copy(colours.edge);
    });
  }

  /** Opacities of the two selected parts. */
  setOpacity(opacities: [number, number]): void {
    this.pair.forEach((mesh, side) => {
      const material = mesh.material as MeshStandardMaterial;
      const through = opacities[side]! < 1;
      if (material.transparent !== through) material.needsUpdate = true;
      material.transparent = through;
      material.depthWrite = !through;
      material.opacity = opacities[side]!;
      mesh.renderOrder = through ? 4 : 1;
    });
  }

  /** Of equal parts in the same place the second is drawn as lines in its colour, or it would hide the first. */
  showTwin(twin: boolean, colours: Palette): void {
    const mesh = this.pair[1];
    (mesh.material as MeshStandardMaterial).visible = !twin;
    ((mesh.children[0] as LineSegments).material as LineBasicMaterial).color.copy(twin ? colours.b : colours.edge);
  }

  /** Corners of the boxes of all parts as they are drawn now. */
  corners(): Vector3[] {
    const corners: Vector3[] = [];
    this.slots.forEach((slot, part) => {
      const matrix = slot && this.matrixOf(part);
      if (!slot || !matrix) return;
      const { body } = slot.batch.surface;
      if (!body.boundingBox) body.computeBoundingBox();
      const { min, max } = body.boundingBox!;
      for (const x of [min.x, max.x]) for (const y of [min.y, max.y]) for (const z of [min.z, max.z]) corners.push(new Vector3(x, y, z).applyMatrix4(matrix));
    });
    return corners;
  }

  /** The part under a ray, the selected ones first if others are ghosts. */
  pick(ray: Raycaster): number | null {
    const front = this.selected ? ray.intersectObjects(this.pair.filter((m) => m.visible), false)[0] : undefined;
    if (front) return this.selected![front.object === this.pair[0] ? 0 : 1];
    const hit = ray.intersectObjects(this.batches.map((b) => b.mesh).filter((m) => m.visible), false)[0];
    const batch = hit && this.batches.find((b) => b.mesh === hit.object);
    return batch && hit.instanceId !== undefined ? batch.parts[hit.instanceId]! : null;
  }
}

/** Muted, so that the colours of verdicts and of the selected pair stand out. */
const MUTED = [0xb4bfcc, 0xcdbfa0, 0xa9bcab, 0x93a8c4, 0xc6a78f, 0x98b9b6, 0xb3a9bd, 0xbcbb93];

function mutedColour(index: number, colours: Palette): Color {
  return new Color(MUTED[index % MUTED.length]).multiply(colours.body);
}

function boxMatrix(box: Box3): Matrix4 {
  const size = box.getSize(new Vector3());
  return new Matrix4().makeScale(size.x, size.y, size.z).setPosition(box.getCenter(new Vector3()));
}

function unitBox(): Surface {
  const body = new BoxGeometry(1, 1, 1);
  return { body, edges: new EdgesGeometry(body) };
}

/** Triangles made ready to be drawn: smooth where the surface is, with its sharp edges as lines. */

import { BufferAttribute, BufferGeometry } from "three";

/** Facets that turn by less than this look like one curved surface. */
const SMOOTH_COSINE = Math.cos((38 * Math.PI) / 180);
/** Larger meshes are drawn with flat facets and without lines: their facets are smaller than a pixel anyway. */
const MOST_TRIANGLES = 250_000;

export interface Surface {
  body: BufferGeometry;
  /** Segments; null for large meshes. */
  edges: BufferGeometry | null;
}

export function surfaceOf(positions: Float32Array, indices: Uint32Array): Surface {
  const body = new BufferGeometry();
  if (indices.length / 3 > MOST_TRIANGLES) {
    body.setAttribute("position", new BufferAttribute(positions, 3));
    body.setIndex(new BufferAttribute(indices, 1));
    body.computeVertexNormals();
    return { body, edges: null };
  }
  const welded = weld(positions, indices);
  const faceNormals = normalsOf(positions, indices);
  body.setAttribute("position", new BufferAttribute(cornersOf(positions, indices), 3));
  body.setAttribute("normal", new BufferAttribute(creasedNormals(welded, faceNormals), 3));
  const edges = new BufferGeometry();
  edges.setAttribute("position", new BufferAttribute(sharpEdges(positions, indices, welded, faceNormals), 3));
  return { body, edges };
}

/** For each corner of each triangle the first vertex at its place: files such as STL repeat vertices. */
function weld(positions: Float32Array, indices: Uint32Array): Uint32Array {
  const firstAt = new Map<string, number>();
  const first = new Uint32Array(positions.length / 3);
  for (let v = 0; v < first.length; v++) {
    const key = `${positions[3 * v]},${positions[3 * v + 1]},${positions[3 * v + 2]}`;
    const known = firstAt.get(key);
    first[v] = known ?? v;
    if (known === undefined) firstAt.set(key, v);
  }
  return indices.map((v) => first[v]!);
}

/** Of length twice the area: large facets count more where normals are summed. */
function normalsOf(p: Float32Array, indices: Uint32Array): Float32Array {
  const normals = new Float32Array(indices.length);
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [3 * indices[i]!, 3 * indices[i + 1]!, 3 * indices[i + 2]!];
    const [ux, uy, uz] = [p[b]! - p[a]!, p[b + 1]! - p[a + 1]!, p[b + 2]! - p[a + 2]!];
    const [vx, vy, vz] = [p[c]! - p[a]!, p[c + 1]! - p[a + 1]!, p[c + 2]! - p[a + 2]!];
    normals.set([uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx], i);
  }
  return normals;
}

function cornersOf(positions: Float32Array, indices: Uint32Array): Float32Array {
  const corners = new Float32Array(indices.length * 3);
  indices.forEach((v, i) => corners.set(positions.subarray(3 * v, 3 * v + 3), 3 * i));
  return corners;
}

function cosine(n: Float32Array, a: number, b: number): number {
  const dot = n[a]! * n[b]! + n[a + 1]! * n[b + 1]! + n[a + 2]! * n[b + 2]!;
  const size = Math.hypot(n[a]!, n[a + 1]!, n[a + 2]!) * Math.hypot(n[b]!, n[b + 1]!, n[b + 2]!);
  return size > 0 ? dot / size : 1;
}

/** A normal for each corner: the sum over the facets around its vertex that turn little against its own. */
function creasedNormals(welded: Uint32Array, faceNormals: Float32Array): Float32Array {
  const starts = new Uint32Array(welded.reduce((most, v) => Math.max(most, v), 0) + 2);
  for (const v of welded) starts[v + 1]!++;
  for (let v = 1; v < starts.length; v++) starts[v]! += starts[v - 1]!;
  const ends = starts.slice();
  const facesAround = new Uint32Array(welded.length);
  welded.forEach((v, corner) => (facesAround[ends[v]!++] = corner - (corner % 3)));
  const normals = new Float32Array(welded.length * 3);
  welded.forEach((v, corner) => {
    const own = corner - (corner % 3);
    let [x, y, z] = [0, 0, 0];
    for (let k = starts[v]!; k < ends[v]!; k++) {
      const face = facesAround[k]!;
      if (face !== own && cosine(faceNormals, own, face) < SMOOTH_COSINE) continue;
      x += faceNormals[face]!;
      y += faceNormals[face + 1]!;
      z += faceNormals[face + 2]!;
    }
    const size = Math.hypot(x, y, z) || 1;
    normals.set([x / size, y / size, z / size], 3 * corner);
  });
  return normals;
}

/** Edges where facets turn sharply, and those of one facet only. */
function sharpEdges(positions: Float32Array, indices: Uint32Array, welded: Uint32Array, faceNormals: Float32Array): Float32Array {
  const open = new Map<number, number>();
  const segments: number[] = [];
  const vertices = positions.length / 3;
  const add = (corner: number) => {
    const next = corner % 3 === 2 ? corner - 2 : corner + 1;
    for (const v of [indices[corner]!, indices[next]!]) segments.push(...positions.subarray(3 * v, 3 * v + 3));
  };
  for (let corner = 0; corner < welded.length; corner++) {
    const from = welded[corner]!;
    const to = welded[corner % 3 === 2 ? corner - 2 : corner + 1]!;
    if (from === to) continue;
    const key = Math.min(from, to) * vertices + Math.max(from, to);
    const other = open.get(key);
    if (other === undefined) {
      open.set(key, corner);
      continue;
    }
    open.delete(key);
    if (cosine(faceNormals, corner - (corner % 3), other - (other % 3)) < SMOOTH_COSINE) add(corner);
  }
  for (const corner of open.values()) add(corner);
  return new Float32Array(segments);
}

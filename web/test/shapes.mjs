/** Closed meshes for test reports: positions as triples, triangles as triples of indices. */

export function box([x, y, z]) {
  const [a, b, c] = [x / 2, y / 2, z / 2];
  const positions = [];
  for (const k of [-c, c]) for (const j of [-b, b]) for (const i of [-a, a]) positions.push([i, j, k]);
  const quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
  return { positions, triangles: quads.flatMap(([p, q, r, s]) => [[p, q, r], [p, r, s]]) };
}

/** A closed polygon of [radius, x] turned about the x axis; x rises where the radius is largest. */
export function turned(profile, segments = 48) {
  const positions = [];
  for (let s = 0; s < segments; s++) {
    const angle = (2 * Math.PI * s) / segments;
    for (const [r, x] of profile) positions.push([x, r * Math.cos(angle), r * Math.sin(angle)]);
  }
  const triangles = [];
  const n = profile.length;
  for (let s = 0; s < segments; s++) {
    for (let p = 0; p < n; p++) {
      const [a, b] = [s * n + p, s * n + ((p + 1) % n)];
      const [c, d] = [((s + 1) % segments) * n + p, ((s + 1) % segments) * n + ((p + 1) % n)];
      if (profile[p][0] > 0) triangles.push([a, c, b]);
      if (profile[(p + 1) % n][0] > 0) triangles.push([b, c, d]);
    }
  }
  return { positions, triangles };
}

export const rod = (radius, length, segments) => turned([[0, -length / 2], [0, length / 2], [radius, length / 2], [radius, -length / 2]].reverse(), segments);
export const tube = (inner, outer, length, segments) => turned([[inner, -length / 2], [inner, length / 2], [outer, length / 2], [outer, -length / 2]].reverse(), segments);

/** A head and a shank; the head's underside at x = 0, the shank towards -x. */
export const bolt = (radius, length) =>
  turned([[0, -length], [0, radius * 1.3], [radius * 1.75, radius * 1.3], [radius * 1.75, 0], [radius, 0], [radius, -length + 0.6], [radius - 0.6, -length]].reverse(), 24);

export function ball(radius, rings = 12) {
  const profile = Array.from({ length: rings + 1 }, (_, i) => {
    const angle = (Math.PI * i) / rings;
    return [i === 0 || i === rings ? 0 : radius * Math.sin(angle), -radius * Math.cos(angle)];
  });
  return turned(profile, 24);
}

/** Two outlines with equally many corners in the y-z plane, the inner one a hole, extruded along x. */
function ring(inner, outer, thickness) {
  const n = inner.length;
  const positions = [-thickness / 2, thickness / 2].flatMap((x) => [...inner, ...outer].map(([y, z]) => [x, y, z]));
  const triangles = [];
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n;
    const [a, b, c, d] = [i, j, n + i, n + j];
    const quads = [[a + 2 * n, c + 2 * n, d + 2 * n, b + 2 * n], [a, b, d, c], [c, d, d + 2 * n, c + 2 * n], [a, a + 2 * n, b + 2 * n, b]];
    for (const [p, q, r, s] of quads) triangles.push([p, q, r], [p, r, s]);
  }
  return { positions, triangles };
}

const circle = (radius, n, phase = 0) => Array.from({ length: n }, (_, i) => [radius * Math.cos((2 * Math.PI * i) / n + phase), radius * Math.sin((2 * Math.PI * i) / n + phase)]);

/** A plate across x with a round hole at its origin and a rectangular rim. */
export function plateWithHole(radius, [y0, y1], [z0, z1], thickness, n = 64) {
  const outer = circle(1, n).map(([y, z]) => {
    const scale = Math.min(y > 1e-9 ? y1 / y : y < -1e-9 ? y0 / y : Infinity, z > 1e-9 ? z1 / z : z < -1e-9 ? z0 / z : Infinity);
    return [y * scale, z * scale];
  });
  // The rays next to each corner are bent to it, or the rim would have its corners cut off.
  for (const [y, z] of [[y0, z0], [y0, z1], [y1, z0], [y1, z1]]) {
    const nearest = outer.reduce((best, p, i) => (Math.hypot(p[0] - y, p[1] - z) < Math.hypot(outer[best][0] - y, outer[best][1] - z) ? i : best), 0);
    outer[nearest] = [y, z];
  }
  return ring(circle(radius, n), outer, thickness);
}

/** Teeth with straight flanks around a bore. */
export function gear(teeth, module, bore, thickness) {
  const radius = (teeth * module) / 2;
  const outer = [];
  for (let t = 0; t < teeth; t++) {
    for (const [share, height] of [[0, -1.2], [0.22, -1.2], [0.36, 1], [0.64, 1], [0.78, -1.2], [0.9, -1.2]]) {
      const angle = (2 * Math.PI * (t + share)) / teeth;
      outer.push([(radius + height * module) * Math.cos(angle), (radius + height * module) * Math.sin(angle)]);
    }
  }
  const inner = outer.map(([y, z]) => {
    const angle = Math.atan2(z, y);
    return [bore * Math.cos(angle), bore * Math.sin(angle)];
  });
  return ring(inner, outer, thickness);
}

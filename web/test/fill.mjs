/** Fills the template as `clearance clash -o report.html` does. */

import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

export const template = new URL("../dist/report.html", import.meta.url);

const json = (value) => JSON.stringify(value).replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
const text = (value) => value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export function fill({ report, scene, geometry }) {
  const values = {
    TITLE: text(report.title),
    REPORT: json(report),
    SCENE: json(scene),
    GEOMETRY: gzipSync(geometry).toString("base64"),
  };
  return readFileSync(template, "utf8").replace(/%CLEARANCE_([A-Z]+)%/g, (_, name) => values[name]);
}

/** Collects meshes and curves in one buffer, each relative to its center. */
export class Geometry {
  geometries = [];
  curves = [];
  #chunks = [];
  #size = 0;

  mesh({ positions, triangles }) {
    const center = [0, 1, 2].map((k) => (Math.min(...positions.map((p) => p[k])) + Math.max(...positions.map((p) => p[k]))) / 2);
    const offset = this.#floats(positions.map((p) => p.map((x, k) => x - center[k])).flat());
    this.#push(Buffer.from(new Uint32Array(triangles.flat()).buffer));
    this.geometries.push({ offset, vertices: positions.length, triangles: triangles.length, center });
    return this.geometries.length - 1;
  }

  curve(finding, segments) {
    const center = segments[0][0];
    const offset = this.#floats(segments.flat().flatMap((p) => p.map((x, k) => x - center[k])));
    this.curves.push({ finding, offset, segments: segments.length, center });
  }

  get buffer() {
    return Buffer.concat(this.#chunks);
  }

  #floats(numbers) {
    return this.#push(Buffer.from(new Float32Array(numbers).buffer));
  }

  #push(chunk) {
    const at = this.#size;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    return at;
  }
}

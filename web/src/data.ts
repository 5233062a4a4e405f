/** Reads what Rust put into the page. */

import type { Report, Scene } from "./model";

function textOf(id: string): string {
  return document.getElementById(`clearance-${id}`)?.textContent?.trim() ?? "";
}

/** Null if the page is the empty template. */
export function readReport(): Report | null {
  const text = textOf("report");
  if (text.startsWith("%")) return null;
  const report = JSON.parse(text) as Report;
  if (report.version !== 1) throw new Error(`This page reads reports of version 1, not ${report.version}.`);
  return report;
}

export function readScene(): Scene {
  const scene = JSON.parse(textOf("scene")) as Scene;
  if (scene.version !== 1) throw new Error(`This page draws scenes of version 1, not ${scene.version}.`);
  return scene;
}

/** The buffer that geometries and curves are read from: base64 of gzip. */
export async function readGeometry(): Promise<ArrayBuffer> {
  const text = textOf("geometry");
  if (text === "") return new ArrayBuffer(0);
  const binary = atob(text);
  const packed = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) packed[i] = binary.charCodeAt(i);
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(unpacked).arrayBuffer();
}

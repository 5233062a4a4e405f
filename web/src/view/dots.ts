/** Round dots with a rim, of the same size at any distance. */

import { Color, ShaderMaterial } from "three";

const VERTEX = `
uniform float size;
attribute vec3 color;
varying vec3 fill;
void main() {
  fill = color;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_PointSize = size;
}`;

const FRAGMENT = `
uniform vec3 halo;
uniform float size;
varying vec3 fill;
void main() {
  float away = length(gl_PointCoord - 0.5) * size;
  float outer = size * 0.5;
  if (away > outer) discard;
  vec3 shown = mix(fill, halo, smoothstep(outer - 2.6, outer - 1.6, away));
  gl_FragColor = vec4(shown, 1.0 - smoothstep(outer - 1.0, outer, away));
  #include <colorspace_fragment>
}`;

export function dotMaterial(pixels: number): ShaderMaterial {
  const uniforms = { size: { value: pixels * Math.min(2, devicePixelRatio) }, halo: { value: new Color(1, 1, 1) } };
  return new ShaderMaterial({
    uniforms,
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    transparent: true,
    depthTest: false,
    depthWrite: false,
  });
}

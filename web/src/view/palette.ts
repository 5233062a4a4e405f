/** Colours of the picture, from the variables of the style sheet, so that both themes are defined in one place. */

import { Color } from "three";

export interface Palette {
  body: Color;
  edge: Color;
  ghost: Color;
  a: Color;
  b: Color;
  contact: Color;
  halo: Color;
  plane: Color;
  cut: Color;
  ghostOpacity: number;
  ghostEdgeOpacity: number;
}

export function palette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const text = (name: string) => style.getPropertyValue(`--view-${name}`).trim();
  const colour = (name: string) => new Color(text(name));
  return {
    body: colour("body"),
    edge: colour("edge"),
    ghost: colour("ghost"),
    a: colour("a"),
    b: colour("b"),
    contact: colour("contact"),
    halo: colour("halo"),
    plane: colour("plane"),
    cut: colour("cut"),
    ghostOpacity: Number(text("ghost-opacity")),
    ghostEdgeOpacity: Number(text("ghost-edge-opacity")),
  };
}

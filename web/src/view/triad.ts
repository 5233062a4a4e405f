/** The axes of the world in a corner; each is a button that looks along it. */

import { type Quaternion, Vector3 } from "three";

const AXES = ["x", "y", "z"] as const;
const REACH = 26;

export class Triad {
  readonly element = document.createElement("div");
  private readonly ends: { axis: Vector3; button: HTMLButtonElement; stem: SVGLineElement }[] = [];

  constructor(look: (direction: Vector3) => void) {
    this.element.className = "triad";
    const stems = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    stems.setAttribute("viewBox", "-40 -40 80 80");
    this.element.append(stems);
    AXES.forEach((name, i) => {
      const axis = new Vector3().setComponent(i, 1);
      const stem = document.createElementNS("http://www.w3.org/2000/svg", "line");
      stem.setAttribute("class", `axis-${name}`);
      stems.append(stem);
      const button = document.createElement("button");
      button.type = "button";
      button.className = `axis-${name}`;
      button.textContent = name.toUpperCase();
      button.title = `Look along ${name.toUpperCase()}`;
      button.addEventListener("click", () => look(axis.clone()));
      this.element.append(button);
      this.ends.push({ axis, button, stem });
    });
  }

  turn(camera: Quaternion): void {
    const back = camera.clone().invert();
    for (const { axis, button, stem } of this.ends) {
      const seen = axis.clone().applyQuaternion(back).multiplyScalar(REACH);
      stem.setAttribute("x2", seen.x.toFixed(1));
      stem.setAttribute("y2", (-seen.y).toFixed(1));
      button.style.transform = `translate(${seen.x.toFixed(1)}px, ${(-seen.y).toFixed(1)}px)`;
      button.style.zIndex = String(Math.round(seen.z) + 50);
    }
  }
}

/** A text beside a point of the picture, with a line that leads to it. */

import { type PerspectiveCamera, Vector3 } from "three";

const AWAY = { x: 34, y: -38 };

export class Label {
  readonly element = document.createElement("div");
  private readonly text = document.createElement("span");
  private readonly leader = document.createElementNS("http://www.w3.org/2000/svg", "line");
  private at: Vector3 | null = null;

  constructor() {
    this.element.className = "label-layer";
    this.text.className = "measure";
    const layer = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    layer.append(this.leader);
    this.element.append(layer, this.text);
  }

  show(text: string, at: Vector3 | null): void {
    this.at = at;
    this.text.textContent = text;
    this.element.hidden = at === null;
  }

  /** Keeps the text inside the picture. */
  place(camera: PerspectiveCamera, width: number, height: number): void {
    if (!this.at) return;
    const seen = this.at.clone().project(camera);
    this.element.hidden = seen.z > 1;
    const [x, y] = [((seen.x + 1) / 2) * width, ((1 - seen.y) / 2) * height];
    const { offsetWidth: w, offsetHeight: h } = this.text;
    const side = x + AWAY.x + w > width - 8 ? -1 : 1;
    const left = Math.max(8, side > 0 ? x + AWAY.x : x - AWAY.x - w);
    const top = Math.max(h, y + AWAY.y) - h / 2;
    this.text.style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
    const ends = { x1: x, y1: y, x2: side > 0 ? left : left + w, y2: top + h / 2 };
    for (const [name, value] of Object.entries(ends)) this.leader.setAttribute(name, value.toFixed(1));
  }
}

/** Tools over the picture: fit, section, explode, see through, alone. */

import type { State } from "../state";
import type { Viewer } from "../view/viewer";
import { h, icon, iconButton } from "./dom";

export class Toolbar {
  readonly element: HTMLElement;
  private readonly toggles: Record<"section" | "explode" | "through" | "alone", HTMLButtonElement>;
  private readonly sectionPanel: HTMLElement;
  private readonly explodePanel: HTMLElement;
  private readonly at: HTMLInputElement;
  private readonly explode: HTMLInputElement;
  private readonly axes: HTMLButtonElement[];

  constructor(private readonly state: State, private readonly viewer: Viewer) {
    this.toggles = {
      section: iconButton("section", "Section plane", "x", () => this.toggleSection()),
      explode: iconButton("explode", "Explode", "e", () => this.toggleExplode()),
      through: iconButton("through", "See through the pair", "t", () => this.toggleThrough()),
      alone: iconButton("alone", "Hide other parts", "h", () => this.toggleAlone()),
    };
    this.at = h("input", {
      type: "range", min: 0, max: 1000, "aria-label": "Position of the section plane",
      oninput: () => state.setView((view) => (view.section.at = Number(this.at.value) / 1000)),
    });
    this.explode = h("input", {
      type: "range", min: 0, max: 100, "aria-label": "How far parts are moved apart",
      oninput: () => state.setView((view) => (view.explode = Number(this.explode.value) / 100)),
    });
    this.axes = (["X", "Y", "Z"] as const).map((name, axis) =>
      h("button", { type: "button", class: "segment", onclick: () => this.setAxis(axis as 0 | 1 | 2) }, name),
    );
    const flip = h("button", { type: "button", class: "segment", title: "Cut away the other side", "aria-label": "Cut away the other side", html: icon("flip"), onclick: () => state.setView((v) => (v.section.flipped = !v.section.flipped)) });
    this.sectionPanel = h("div", { class: "tool-panel section-panel" }, h("div", { class: "segments", role: "group", "aria-label": "Axis" }, ...this.axes), this.at, flip);
    this.explodePanel = h("div", { class: "tool-panel explode-panel" }, h("span", {}, "Explode"), this.explode);
    const fit = iconButton("fit", "Fit everything", "f", () => viewer.fit());
    this.element = h("div", { class: "tools" }, h("div", { class: "toolbar", role: "toolbar", "aria-label": "View" }, fit, ...Object.values(this.toggles)), this.sectionPanel, this.explodePanel);
    state.on(["view", "selection"], () => this.show());
    this.show();
  }

  toggleSection(): void {
    this.state.setView((view) => {
      view.section.on = !view.section.on;
      if (view.section.on) this.viewer.cutAtFinding();
    });
  }

  toggleExplode(): void {
    this.state.setView((view) => (view.explode = view.explode > 0 ? 0 : 0.5));
  }

  toggleThrough(): void {
    this.state.setView((view) => (view.seeThrough = !view.seeThrough));
  }

  toggleAlone(): void {
    this.state.setView((view) => (view.alone = !view.alone));
  }

  private setAxis(axis: 0 | 1 | 2): void {
    this.state.setView((view) => {
      view.section.axis = axis;
      this.viewer.cutAtFinding();
    });
  }

  private show(): void {
    const { view, selected } = this.state;
    const pressed = { section: view.section.on, explode: view.explode > 0, through: view.seeThrough, alone: view.alone };
    for (const [name, on] of Object.entries(pressed)) this.toggles[name as keyof typeof pressed].setAttribute("aria-pressed", String(on));
    for (const name of ["through", "alone"] as const) this.toggles[name].disabled = selected === null;
    this.sectionPanel.hidden = !view.section.on;
    this.explodePanel.hidden = view.explode === 0 && document.activeElement !== this.explode;
    this.at.value = String(Math.round(view.section.at * 1000));
    this.explode.value = String(Math.round(view.explode * 100));
    this.axes.forEach((button, axis) => button.setAttribute("aria-pressed", String(axis === view.section.axis)));
  }
}

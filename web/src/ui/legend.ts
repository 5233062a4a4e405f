/** Which part has which colour, and what is under the pointer. */

import type { State } from "../state";
import type { Viewer } from "../view/viewer";
import { h } from "./dom";

export class Legend {
  readonly element = h("div", { class: "legend", "aria-hidden": "true" });
  readonly tip = h("div", { class: "tip", "aria-hidden": "true", hidden: true });

  constructor(private readonly state: State) {
    state.on(["selection", "view"], () => this.show());
    this.show();
  }

  private show(): void {
    const { finding, report, view } = this.state;
    this.element.hidden = finding === null;
    this.element.parentElement?.classList.toggle("with-pair", finding !== null);
    if (!finding) return;
    const entry = (part: number, side: "a" | "b") => h("div", {}, h("span", { class: `swatch ${side}` }, side.toUpperCase()), report.parts[part]!.name);
    const note = view.explode > 0 && h("div", { class: "quiet" }, "Exploded: contact marks are hidden");
    this.element.replaceChildren(entry(finding.parts[0], "a"), entry(finding.parts[1], "b"), note || "");
  }

  /** Names parts under the pointer; a click selects the gravest finding there. */
  follow(viewer: Viewer): void {
    const { canvas } = viewer;
    const { state } = this;
    let down: [number, number] | null = null;
    let waiting = false;
    canvas.addEventListener("pointerdown", (event) => {
      down = [event.clientX, event.clientY];
      this.tip.hidden = true;
    });
    canvas.addEventListener("pointerup", (event) => {
      if (!down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 5) return;
      const box = canvas.getBoundingClientRect();
      const { finding, part } = viewer.pick(event.clientX - box.left, event.clientY - box.top, event.pointerType === "touch" ? 18 : 10);
      const chosen = finding ?? state.list.find((index) => part !== null && state.report.findings[index]!.parts.includes(part));
      if (chosen !== undefined) state.select(chosen);
      this.name(event, part);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons !== 0 || event.pointerType === "touch" || waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        const box = canvas.getBoundingClientRect();
        const { finding, part } = viewer.pick(event.clientX - box.left, event.clientY - box.top, 10);
        if (finding === null) return this.name(event, part);
        const names = state.report.findings[finding]!.parts.map((p) => state.report.parts[p]!.name).join(" × ");
        this.text(event, names);
      });
    });
    canvas.addEventListener("pointerleave", () => (this.tip.hidden = true));
  }

  private name(event: PointerEvent, part: number | null): void {
    this.text(event, part === null ? "" : this.state.report.parts[part]!.name);
  }

  private text(event: PointerEvent, text: string): void {
    const host = this.tip.parentElement!.getBoundingClientRect();
    this.tip.hidden = text === "";
    this.tip.textContent = text;
    const left = Math.min(event.clientX - host.left + 14, host.width - this.tip.offsetWidth - 8);
    this.tip.style.transform = `translate(${left}px, ${event.clientY - host.top + 16}px)`;
  }
}

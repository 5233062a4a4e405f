/** The time of all motions: a slider with the contacts marked on it, and play. */

import { momentOf } from "../filter";
import { number } from "../format";
import type { State } from "../state";
import { verdictName } from "../verdicts";
import { h, icon } from "./dom";

const SECONDS = 6;
const STEPS = 1000;
/** More marks than this are one bar. */
const MOST_MARKS = 400;

export class Timeline {
  readonly element: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly button: HTMLButtonElement;
  private readonly shown: HTMLElement;
  private readonly marks = h("div", { class: "marks" });

  constructor(private readonly state: State, private readonly span: [number, number]) {
    this.slider = h("input", {
      type: "range", min: 0, max: STEPS, step: 1, "aria-label": "Time",
      oninput: () => {
        this.pause();
        state.setTime(span[0] + (Number(this.slider.value) / STEPS) * (span[1] - span[0]));
      },
    });
    this.button = h("button", { type: "button", class: "icon-button", onclick: () => this.toggle() });
    this.shown = h("output", { class: "now" });
    this.element = h("div", { class: "timeline", role: "group", "aria-label": "Motion" }, this.button, h("div", { class: "track" }, this.marks, this.slider), this.shown);
    state.on(["time"], () => this.show());
    state.on(["list", "selection"], () => this.mark());
    state.time = span[0];
    this.pause();
    this.show();
    this.mark();
  }

  toggle(): void {
    if (this.state.playing) return this.pause();
    if (this.state.time >= this.span[1]) this.state.setTime(this.span[0]);
    this.state.playing = true;
    this.paintButton();
    let last = performance.now();
    const tick = (now: number) => {
      if (!this.state.playing) return;
      const time = this.state.time + ((now - last) / 1000 / SECONDS) * (this.span[1] - this.span[0]);
      last = now;
      this.state.setTime(Math.min(time, this.span[1]));
      if (time >= this.span[1]) this.pause();
      else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  pause(): void {
    this.state.playing = false;
    this.paintButton();
  }

  private paintButton(): void {
    const name = this.state.playing ? "Pause" : "Play";
    this.button.innerHTML = icon(name.toLowerCase());
    this.button.setAttribute("aria-label", name);
    this.button.title = `${name} (space)`;
  }

  private show(): void {
    const share = (this.state.time - this.span[0]) / (this.span[1] - this.span[0] || 1);
    this.slider.value = String(Math.round(share * STEPS));
    this.slider.setAttribute("aria-valuetext", `t = ${number(this.state.time)}`);
    this.element.style.setProperty("--share", `${share * 100}%`);
    this.shown.textContent = `t = ${number(this.state.time, 3)}`;
  }

  private mark(): void {
    const { report, list, selected } = this.state;
    const moving = list.filter((index) => report.findings[index]!.motion).slice(0, MOST_MARKS);
    if (selected !== null && report.findings[selected]!.motion && !moving.includes(selected)) moving.push(selected);
    const share = (time: number) => `${(((time - this.span[0]) / (this.span[1] - this.span[0] || 1)) * 100).toFixed(3)}%`;
    const marks = moving.map((index) => {
      const finding = report.findings[index]!;
      const moment = momentOf(finding) ?? this.span[0];
      const names = finding.parts.map((part) => report.parts[part]!.name).join(" × ");
      const mark = h("button", {
        type: "button",
        tabindex: "-1",
        class: `mark v-${finding.verdict}${index === selected ? " chosen" : ""}${finding.motion!.first_contact ? "" : " hollow"}`,
        title: `t = ${number(moment)}: ${verdictName(finding.verdict).toLowerCase()}, ${names}`,
        "aria-label": `${verdictName(finding.verdict)} at ${number(moment)}`,
        onclick: () => {
          this.pause();
          this.state.select(index);
          this.state.setTime(moment);
        },
      });
      mark.style.left = share(moment);
      return mark;
    });
    const overlap = selected === null ? null : report.findings[selected]!.motion?.first_overlap;
    if (overlap) {
      const bar = h("div", { class: `overlap-bar v-${report.findings[selected!]!.verdict}` });
      bar.style.left = share(overlap.lower);
      marks.unshift(bar as unknown as HTMLButtonElement);
    }
    this.marks.replaceChildren(...marks);
  }
}

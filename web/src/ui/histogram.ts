/** How deep overlaps are and how wide gaps, as bars; a click lists what is in one. */

import { Lengths, number, plural } from "../format";
import type { State } from "../state";
import { measureOf } from "../verdicts";
import { h } from "./dom";

export interface Bin {
  from: number;
  to: number;
  count: number;
}

const BINS = 12;

/** Equal steps, or equal factors where values differ by more than a factor of 50; the first bar then holds all smaller ones. */
export function binsOf(values: number[]): Bin[] {
  const positive = values.filter((v) => v > 0);
  if (positive.length === 0) return [];
  const most = positive.reduce((a, b) => Math.max(a, b));
  const least = Math.max(positive.reduce((a, b) => Math.min(a, b)), most / 1e4);
  const edges = most / least > 50 ? factors(least, most) : steps(most);
  const bins = edges.slice(1).map((to, i) => ({ from: edges[i]!, to, count: 0 }));
  for (const value of positive) {
    const bin = bins.find((b) => value < b.to) ?? bins[bins.length - 1]!;
    bin.count++;
  }
  return bins;
}

function steps(most: number): number[] {
  const rough = most / BINS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough)!;
  const edges = [0];
  for (let i = 1; edges[edges.length - 1]! <= most; i++) edges.push(i * step);
  return edges;
}

function factors(least: number, most: number): number[] {
  const decades = Math.log10(most / least);
  const perDecade = decades <= 4 ? [1, 2, 5] : [1];
  const edges: number[] = [];
  for (let power = Math.floor(Math.log10(least)); edges.length === 0 || edges[edges.length - 1]! <= most; power++) {
    for (const m of perDecade) edges.push(Number(`${m}e${power}`));
  }
  const first = edges.findLastIndex((edge) => edge <= least);
  const last = edges.findIndex((edge) => edge > most);
  return [0, ...edges.slice(Math.max(0, first) + 1, last + 1)];
}

export function histograms(state: State): HTMLElement {
  const depths: number[] = [];
  const gaps: number[] = [];
  for (const finding of state.report.findings) {
    const measure = measureOf(finding);
    if (measure.kind !== "none") (measure.kind === "depth" ? depths : gaps).push(measure.size);
  }
  const plots = [plot(state, "depth", "How deep parts overlap", depths), plot(state, "gap", "How wide gaps are", gaps)];
  return h("section", { class: "block histograms" }, ...plots.filter((p) => p !== null));
}

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [460, 150, 8, 24, 18];

function plot(state: State, kind: "depth" | "gap", title: string, values: number[]): HTMLElement | null {
  const bins = binsOf(values);
  if (bins.length === 0) return null;
  const lengths = new Lengths(state.report.unit);
  const most = Math.max(...bins.map((b) => b.count));
  const step = (WIDTH - 2 * LEFT) / bins.length;
  const figure = h("figure", { class: `plot ${kind}` });
  const bars = bins.map((bin, i) => {
    const height = (bin.count / most) * (HEIGHT - BOTTOM - TOP);
    const label = `${number(bin.from)} to ${lengths.one(bin.to)}`;
    const x = LEFT + i * step;
    const top = HEIGHT - BOTTOM - height;
    return `<g class="bar" data-bin="${i}" ${bin.count ? `role="button" tabindex="0" aria-label="${label}: ${plural(bin.count, "finding")}"` : ""}>
      <title>${label}: ${plural(bin.count, "finding")}</title>
      <rect class="hit" x="${x}" y="0" width="${step}" height="${HEIGHT - BOTTOM}"/>
      <rect class="fill" x="${x + 1.5}" y="${top}" width="${step - 3}" height="${height}" rx="2"/>
      ${bin.count ? `<text x="${x + step / 2}" y="${top - 5}">${bin.count}</text>` : ""}</g>`;
  });
  const every = Math.ceil(bins.length / 7);
  const ticks = [...bins.map((b) => b.from), bins[bins.length - 1]!.to].map((edge, i) =>
    i % every === 0 ? `<text class="tick" x="${LEFT + i * step}" y="${HEIGHT - 7}">${number(edge)}</text>` : "",
  );
  figure.innerHTML = `<figcaption></figcaption><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="group">
    ${bars.join("")}<path class="axis" d="M${LEFT} ${HEIGHT - BOTTOM + 0.5}H${WIDTH - LEFT}"/>${ticks.join("")}</svg>`;
  figure.querySelector("figcaption")!.textContent = state.report.unit ? `${title}, ${state.report.unit}` : title;
  figure.querySelector("svg")!.setAttribute("aria-label", title);
  const choose = (target: EventTarget | null) => {
    const bin = bins[Number((target as Element).closest<SVGElement>("[data-bin]")?.dataset.bin ?? NaN)];
    if (!bin || bin.count === 0) return;
    const label = `${kind} ${number(bin.from)} – ${lengths.one(bin.to)}`;
    state.setFilter({ range: state.filter.range?.label === label ? null : { kind, from: bin.from, to: bin.to, label } });
  };
  figure.addEventListener("click", (event) => choose(event.target));
  figure.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), choose(event.target)));
  state.on(["list"], () => {
    const { range } = state.filter;
    figure.querySelectorAll<SVGElement>(".bar").forEach((bar, i) => {
      bar.classList.toggle("chosen", range?.kind === kind && range.from === bins[i]!.from);
    });
  });
  return figure;
}

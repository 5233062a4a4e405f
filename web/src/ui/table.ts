/** The findings as a table. Only the rows in sight exist, so that 100,000 findings stay usable. */

import type { SortKey } from "../filter";
import { momentOf } from "../filter";
import { count, Lengths, number } from "../format";
import type { Finding } from "../model";
import type { State } from "../state";
import { measureOf, verdictName, verdictShort, verdictSymbol } from "../verdicts";
import { h } from "./dom";

/** Pixels; the style sheet has the same. */
const ROW = 46;
/** Rows that are kept beyond each end of what is in sight. */
const SPARE = 6;

interface Column {
  key: SortKey;
  name: string;
  class: string;
}

export class Table {
  readonly element: HTMLElement;
  private readonly scroller: HTMLElement;
  private readonly sizer: HTMLElement;
  private readonly empty: HTMLElement;
  private readonly total: HTMLElement;
  private readonly heads: { column: Column; button: HTMLElement; cell: HTMLElement }[];
  private readonly lengths: Lengths;
  private readonly moves: boolean;
  /** Whether findings differ in the clearance they require; a column of equal numbers says nothing. */
  private readonly demands: boolean;

  constructor(private readonly state: State, private readonly fly: () => void) {
    this.lengths = new Lengths(state.report.unit);
    this.moves = state.report.findings.some((f) => f.motion);
    this.demands = new Set(state.report.findings.map((f) => f.required)).size > 1;
    this.heads = this.columns().map((column) => this.head(column));
    this.sizer = h("div", { class: "rows", role: "rowgroup" });
    this.empty = h("div", { class: "empty" });
    this.scroller = h(
      "div",
      { class: `scroller${this.moves ? " with-time" : ""}${this.demands ? " with-required" : ""}`, role: "grid", tabindex: "0", "aria-label": "Findings" },
      h("div", { class: "row head", role: "row", "aria-rowindex": "1" }, ...this.heads.map((head) => head.cell)),
      this.sizer,
      this.empty,
    );
    this.total = h("p", { class: "total", "aria-live": "polite" });
    this.element = h("div", { class: "table" }, this.scroller);
    this.scroller.addEventListener("scroll", () => this.draw(), { passive: true });
    // The details open below and may cover the row they are about.
    new ResizeObserver(() => this.reveal()).observe(this.scroller);
    state.on(["list"], () => this.refresh());
    state.on(["selection"], () => this.reveal());
    this.refresh();
  }

  /** How many of how many are listed, to be placed above the table. */
  get totals(): HTMLElement {
    return this.total;
  }

  focus(): void {
    this.scroller.focus({ preventScroll: true });
  }

  private columns(): Column[] {
    const columns: Column[] = [
      { key: "gravity", name: "Verdict", class: "c-verdict" },
      { key: "parts", name: "Parts", class: "c-parts" },
      { key: "size", name: "Depth or gap", class: "c-size" },
    ];
    if (this.demands) columns.push({ key: "required", name: "Required", class: "c-required" });
    if (this.moves) columns.push({ key: "time", name: "Time", class: "c-time" });
    return columns;
  }

  private head(column: Column) {
    const button = h("button", { type: "button", onclick: () => this.sort(column.key) }, column.name);
    const cell = h("div", { class: `cell ${column.class}`, role: "columnheader" }, button);
    return { column, button, cell };
  }

  private sort(key: SortKey): void {
    const { order } = this.state;
    this.state.setOrder({ key, descending: order.key === key && !order.descending });
  }

  private refresh(): void {
    const { list, report, order } = this.state;
    const all = report.findings.length;
    this.sizer.style.height = `${list.length * ROW}px`;
    this.scroller.setAttribute("aria-rowcount", String(list.length + 1));
    this.total.textContent = list.length === all ? `${count(all)} findings` : `${count(list.length)} of ${count(all)} findings`;
    this.empty.hidden = list.length > 0;
    this.empty.textContent = all === 0 ? "No findings: nothing clashes, and all clearances are kept." : "No finding passes the filter.";
    for (const { column, cell } of this.heads) {
      const sorted = column.key === order.key;
      cell.setAttribute("aria-sort", sorted ? (order.descending ? "descending" : "ascending") : "none");
    }
    this.scroller.scrollTop = Math.min(this.scroller.scrollTop, list.length * ROW);
    this.reveal();
  }

  /** Scrolls as little as needed to show the selected row. */
  private reveal(): void {
    const { selected, list } = this.state;
    const at = selected === null ? -1 : list.indexOf(selected);
    if (at >= 0) {
      const space = this.scroller.clientHeight - this.headHeight();
      const top = at * ROW;
      if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
      else if (top + ROW > this.scroller.scrollTop + space) this.scroller.scrollTop = top + ROW - space;
    }
    this.draw();
  }

  private headHeight(): number {
    return (this.scroller.firstElementChild as HTMLElement).offsetHeight;
  }

  private draw(): void {
    const { list, selected } = this.state;
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / ROW) - SPARE);
    const last = Math.min(list.length, Math.ceil((this.scroller.scrollTop + this.scroller.clientHeight) / ROW) + SPARE);
    const rows: HTMLElement[] = [];
    for (let at = first; at < last; at++) rows.push(this.row(list[at]!, at));
    this.sizer.replaceChildren(...rows);
    const active = selected !== null && rows.some((row) => row.id === `row-${selected}`) ? `row-${selected}` : null;
    if (active) this.scroller.setAttribute("aria-activedescendant", active);
    else this.scroller.removeAttribute("aria-activedescendant");
  }

  private row(index: number, at: number): HTMLElement {
    const finding = this.state.report.findings[index]!;
    const row = h(
      "div",
      {
        class: "row",
        role: "row",
        id: `row-${index}`,
        "aria-rowindex": at + 2,
        "aria-selected": String(index === this.state.selected),
        onclick: () => {
          this.state.select(index);
          this.fly();
        },
      },
      ...this.cells(finding),
    );
    row.style.top = `${at * ROW}px`;
    return row;
  }

  private cells(finding: Finding): HTMLElement[] {
    const { report } = this.state;
    const cell = (name: string, ...children: (Node | string)[]) => h("div", { class: `cell ${name}`, role: "gridcell" }, ...children);
    const [a, b] = finding.parts.map((part) => report.parts[part]!.name);
    const verdict = cell(
      "c-verdict",
      h("span", { html: verdictSymbol(finding.verdict) }),
      h("span", { title: verdictName(finding.verdict) }, verdictShort(finding.verdict)),
    );
    if (finding.status === "new") verdict.append(h("span", { class: "badge" }, "new"));
    const cells = [
      verdict,
      cell("c-parts", h("span", { title: a! }, a!), h("span", { title: b! }, b!)),
      cell("c-size", ...this.sizeOf(finding)),
    ];
    if (this.demands) cells.push(cell("c-required", finding.required > 0 ? this.lengths.one(finding.required) : "–"));
    if (this.moves) {
      const moment = momentOf(finding);
      cells.push(cell("c-time", finding.motion ? (moment === null ? "start" : number(moment)) : ""));
    }
    return cells;
  }

  private sizeOf(finding: Finding): (Node | string)[] {
    const measure = measureOf(finding);
    if (measure.kind === "none") return [h("span", { class: "quiet" }, "–")];
    const word = measure.kind === "depth" ? "deep" : "apart";
    const text = this.lengths.bracket(measure);
    return [h("span", { title: text }, text), h("span", { class: "quiet" }, word)];
  }
}

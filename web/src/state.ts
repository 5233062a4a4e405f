/** What the page shows now; parts of the page subscribe to what they show. */

import { listed, NO_FILTER, searchTexts, type Filter, type Order } from "./filter";
import type { Finding, Report } from "./model";

/** What changed. `selection` and `list` are indices of findings, `time` and `view` concern the picture. */
export type Change = "selection" | "list" | "time" | "view" | "theme";

export interface View {
  section: { on: boolean; axis: 0 | 1 | 2; at: number; flipped: boolean };
  /** 0: as assembled, 1: far apart. */
  explode: number;
  /** Whether the selected parts are seen through. */
  seeThrough: boolean;
  /** Whether parts that are not selected are left out. */
  alone: boolean;
}

export class State {
  filter: Filter = NO_FILTER;
  order: Order = { key: "gravity", descending: false };
  /** Findings in the order of the table. */
  list: number[];
  selected: number | null = null;
  time = 0;
  playing = false;
  view: View = {
    section: { on: false, axis: 0, at: 0.5, flipped: false },
    explode: 0,
    seeThrough: false,
    alone: false,
  };

  private readonly texts: string[];
  private readonly listeners = new Map<Change, ((state: State) => void)[]>();

  constructor(readonly report: Report) {
    this.texts = searchTexts(report);
    this.list = report.findings.map((_, index) => index);
  }

  on(changes: Change[], listener: (state: State) => void): void {
    for (const change of changes) this.listeners.set(change, [...(this.listeners.get(change) ?? []), listener]);
  }

  emit(change: Change): void {
    for (const listener of this.listeners.get(change) ?? []) listener(this);
  }

  get finding(): Finding | null {
    return this.selected === null ? null : (this.report.findings[this.selected] ?? null);
  }

  select(index: number | null): void {
    if (index === this.selected) return;
    this.selected = index;
    this.view.seeThrough = this.finding?.verdict === "enclosed";
    this.emit("selection");
  }

  /** Moves the selection in the table; from nothing to its first row, or to its last. */
  step(by: number): void {
    if (this.list.length === 0) return;
    const last = this.list.length - 1;
    const at = this.selected === null ? -1 : this.list.indexOf(this.selected);
    const next = at < 0 && Number.isFinite(by) ? 0 : at + by;
    this.select(this.list[Math.min(last, Math.max(0, next))]!);
  }

  setFilter(change: Partial<Filter>): void {
    this.filter = { ...this.filter, ...change };
    this.refresh();
  }

  setOrder(order: Order): void {
    this.order = order;
    this.refresh();
  }

  setTime(time: number): void {
    this.time = time;
    this.emit("time");
  }

  setView(change: (view: View) => void): void {
    change(this.view);
    this.emit("view");
  }

  private refresh(): void {
    this.list = listed(this.report, this.texts, this.filter, this.order);
    this.emit("list");
  }
}

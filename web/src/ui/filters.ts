/** Text search, group and what the histogram or the matrix narrowed down, above the table. */

import { isFiltered, NO_FILTER } from "../filter";
import type { State } from "../state";
import { verdictName } from "../verdicts";
import { h, icon } from "./dom";

export class Filters {
  readonly element: HTMLElement;
  private readonly search: HTMLInputElement;
  private readonly group: HTMLSelectElement;
  private readonly chips: HTMLElement;

  constructor(private readonly state: State, totals: HTMLElement) {
    const { report } = state;
    this.search = h("input", {
      type: "search", placeholder: "Search parts, rules, ids", "aria-label": "Search parts, groups, rules and ids", spellcheck: "false",
      oninput: () => state.setFilter({ text: this.search.value }),
    });
    const options = report.groups.map((group, i) => h("option", { value: i }, group.name || "(no group)"));
    this.group = h(
      "select",
      { "aria-label": "Group", onchange: () => state.setFilter({ groups: this.group.value === "" ? null : [Number(this.group.value), null] }) },
      h("option", { value: "" }, "All groups"),
      ...options,
    );
    this.group.hidden = report.groups.length < 2;
    this.chips = h("div", { class: "chips" });
    this.element = h(
      "div",
      { class: "filters" },
      h("div", { class: "filter-row" }, h("label", { class: "search" }, h("span", { html: icon("search") }), this.search), this.group),
      h("div", { class: "filter-row" }, totals, this.chips),
    );
    state.on(["list"], () => this.refresh());
    this.refresh();
  }

  focus(): void {
    this.search.focus();
    this.search.select();
  }

  private refresh(): void {
    const { filter, report } = this.state;
    if (this.search.value !== filter.text) this.search.value = filter.text;
    this.group.value = filter.groups && filter.groups[1] === null ? String(filter.groups[0]) : "";
    const chips: HTMLElement[] = [];
    const chip = (text: string, remove: () => void) =>
      chips.push(h("button", { type: "button", class: "chip", title: "Remove this filter", onclick: remove }, text, h("span", { html: icon("close") })));
    for (const verdict of filter.verdicts) {
      chip(verdictName(verdict), () => {
        const verdicts = new Set(filter.verdicts);
        verdicts.delete(verdict);
        this.state.setFilter({ verdicts });
      });
    }
    if (filter.groups && filter.groups[1] !== null) {
      const [a, b] = filter.groups.map((group) => report.groups[group!]!.name || "(no group)");
      chip(a === b ? `within ${a}` : `${a} × ${b}`, () => this.state.setFilter({ groups: null }));
    }
    if (filter.range) chip(filter.range.label, () => this.state.setFilter({ range: null }));
    if (filter.status) chip(filter.status, () => this.state.setFilter({ status: null }));
    if (isFiltered(filter)) {
      chips.push(h("button", { type: "button", class: "link", onclick: () => this.state.setFilter(NO_FILTER) }, "Clear"));
    } else if (report.settings.baseline && report.summary.new > 0) {
      chips.push(h("button", { type: "button", class: "link", onclick: () => this.state.setFilter({ status: "new" }) }, `Only the ${report.summary.new} new`));
    }
    this.chips.replaceChildren(...chips);
  }
}

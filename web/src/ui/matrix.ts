/** Groups against groups: how many findings, how grave, and which clearance is required; a click lists them. */

import { count, Lengths, number } from "../format";
import type { MatrixCell } from "../model";
import type { State } from "../state";
import { verdictName, verdictSymbol } from "../verdicts";
import { h } from "./dom";

export function matrix(state: State): HTMLElement | null {
  const { groups, matrix: cells } = state.report;
  if (groups.length < 2) return null;
  const at = new Map(cells.map((cell) => [`${cell.groups[0]},${cell.groups[1]}`, cell]));
  const most = cells.reduce((m, cell) => Math.max(m, cell.findings), 1);
  const name = (i: number) => groups[i]!.name || "(no group)";
  const buttons: [HTMLElement, MatrixCell][] = [];
  const head = h("tr", {}, h("td"), ...groups.map((_, i) => h("th", { scope: "col" }, h("span", {}, name(i)))));
  const rows = groups.map((_, row) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, name(row)),
      ...groups.map((_, column) => {
        if (column > row) return h("td", { class: "above" });
        const cell = at.get(`${column},${row}`);
        const button = cell ? cellButton(state, cell, `${name(row)} × ${name(column)}`, most) : null;
        if (cell && button) buttons.push([button, cell]);
        return h("td", {}, button);
      }),
    ),
  );
  state.on(["list"], () => {
    const chosen = state.filter.groups;
    for (const [button, { groups: [a, b] }] of buttons) {
      button.setAttribute("aria-pressed", String(chosen !== null && chosen[0] === a && chosen[1] === b));
    }
  });
  return h(
    "section",
    { class: "block" },
    h("h2", {}, "From group to group"),
    h("div", { class: "matrix-scroll" }, h("table", { class: "matrix" }, h("thead", {}, head), h("tbody", {}, ...rows))),
    h("p", { class: "note" }, `Findings, coloured by the gravest; below them the required clearance${state.report.unit ? ` in ${state.report.unit}` : ""}. Hatched: not checked.`),
  );
}

function cellButton(state: State, cell: MatrixCell, between: string, most: number): HTMLElement {
  const lengths = new Lengths(state.report.unit);
  const required = cell.required === null ? "not checked" : cell.required > 0 ? `at least ${lengths.one(cell.required)}` : "collisions only";
  const worst = cell.worst ? `, gravest: ${verdictName(cell.worst).toLowerCase()}` : "";
  const heat = cell.findings > 0 ? 0.25 + 0.75 * (Math.log1p(cell.findings) / Math.log1p(most)) : 0;
  const button = h(
    "button",
    {
      type: "button",
      class: `heat${cell.required === null ? " unchecked" : ""}${cell.worst ? ` v-${cell.worst}` : ""}`,
      title: `${between}: ${count(cell.findings)} findings${worst}; ${required}`,
      "aria-pressed": "false",
      disabled: cell.findings === 0,
      onclick: () => {
        const chosen = state.filter.groups;
        const same = chosen?.[0] === cell.groups[0] && chosen[1] === cell.groups[1];
        state.setFilter({ groups: same ? null : cell.groups });
      },
    },
    h("b", {}, cell.findings > 0 ? count(cell.findings) : cell.required === null ? "" : "0"),
    h("small", {}, cell.required === null ? "" : number(cell.required)),
  );
  if (cell.worst) button.prepend(h("span", { html: verdictSymbol(cell.worst) }));
  button.style.setProperty("--heat", heat.toFixed(3));
  return button;
}

/** On paper: the current picture, the overview, and the listed findings as a plain table. */

import { momentOf } from "./filter";
import { count, Lengths, number } from "./format";
import type { State } from "./state";
import type { Theme } from "./theme";
import { sentence } from "./ui/details";
import { h } from "./ui/dom";
import { measureOf, verdictName, verdictSymbol } from "./verdicts";

/** About forty pages; more than that nobody prints. */
const MOST = 1500;

export function preparePrint(state: State, theme: Theme, paper: { picture: HTMLElement; table: HTMLElement }, picture: () => string | null): void {
  const fill = () => {
    theme.forPaper(true);
    const source = picture();
    const said = state.finding ? sentence(state.finding, state.report, new Lengths(state.report.unit)) : "";
    if (source) paper.picture.replaceChildren(h("img", { src: source, alt: "The current 3-D view" }), h("figcaption", {}, said));
    paper.table.replaceChildren(table(state));
  };
  const clear = () => {
    paper.picture.replaceChildren();
    paper.table.replaceChildren();
    theme.forPaper(false);
  };
  let filled = false;
  const change = (printing: boolean) => {
    if (printing === filled) return;
    filled = printing;
    if (printing) fill();
    else clear();
  };
  // The event comes before pages are counted; the media query alone also where print is only looked at.
  addEventListener("beforeprint", () => change(true));
  addEventListener("afterprint", () => change(false));
  const media = matchMedia("print");
  media.addEventListener("change", () => change(media.matches));
}

function table(state: State): HTMLElement {
  const { report, list } = state;
  const lengths = new Lengths(report.unit);
  const moves = report.findings.some((f) => f.motion);
  const heads = ["Verdict", "Parts", "Depth or gap", "Required", ...(moves ? ["Time"] : []), "Rule", "Id"];
  const rows = list.slice(0, MOST).map((index) => {
    const finding = report.findings[index]!;
    const measure = measureOf(finding);
    const parts = finding.parts.map((part) => report.parts[part]!);
    const size = measure.kind === "none" ? "–" : `${lengths.bracket(measure)} ${measure.kind === "depth" ? "deep" : "apart"}`;
    const verdict = h("td", {}, h("span", { html: verdictSymbol(finding.verdict) }), ` ${verdictName(finding.verdict)}`, finding.status === "new" ? " (new)" : "");
    const groups = parts.map((p) => report.groups[p.group]?.name ?? "").join(" × ");
    const cells = [
      size,
      finding.required > 0 ? lengths.one(finding.required) : "–",
      ...(moves ? [finding.motion ? number(momentOf(finding) ?? 0) : ""] : []),
      finding.rule,
      finding.id,
    ];
    const names = h("td", {}, parts.map((p) => p.name).join(" × "), h("small", {}, groups));
    return h("tr", {}, verdict, names, ...cells.map((text) => h("td", {}, text)));
  });
  const left = list.length - rows.length;
  return h(
    "section",
    { class: "print-table" },
    h("h2", {}, list.length === report.findings.length ? `Findings (${count(list.length)})` : `Findings: ${count(list.length)} of ${count(report.findings.length)}, as filtered`),
    h("table", {}, h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", {}, head)))), h("tbody", {}, ...rows)),
    left > 0 && h("p", { class: "note" }, `${count(left)} more are in the report itself.`),
  );
}

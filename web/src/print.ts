/** On paper: the current picture, the overview, and the listed findings as a plain table. */

import { momentOf } from "./filter";
import { count, Lengths, number } from "./format";
import type { State } from "./state";
import type { Theme } from "./theme";
import { h } from "./ui/dom";
import { measureOf, verdictName, verdictSymbol } from "./verdicts";

/** About forty pages; more than that nobody prints. */
const MOST = 1500;

export function preparePrint(state: State, theme: Theme, host: HTMLElement, picture: () => string | null): void {
  const fill = () => {
    theme.forPaper(true);
    const source = picture();
    const image = source ? h("img", { src: source, alt: "The current 3-D view", class: "print-picture" }) : null;
    host.replaceChildren(...(image ? [image] : []), table(state));
  };
  const clear = () => {
    host.replaceChildren();
    theme.forPaper(false);
  };
  const media = matchMedia("print");
  media.addEventListener("change", () => (media.matches ? fill() : clear()));
}

function table(state: State): HTMLElement {
  const { report, list } = state;
  const lengths = new Lengths(report.unit);
  const moves = report.findings.some((f) => f.motion);
  const heads = ["Verdict", "Parts", "Groups", "Depth or gap", "Required", ...(moves ? ["Time"] : []), "Rule", "Id"];
  const rows = list.slice(0, MOST).map((index) => {
    const finding = report.findings[index]!;
    const measure = measureOf(finding);
    const parts = finding.parts.map((part) => report.parts[part]!);
    const size = measure.kind === "none" ? "–" : `${lengths.bracket(measure)} ${measure.kind === "depth" ? "deep" : "apart"}`;
    const verdict = h("td", {}, h("span", { html: verdictSymbol(finding.verdict) }), ` ${verdictName(finding.verdict)}`, finding.status === "new" ? " (new)" : "");
    const cells = [
      parts.map((p) => p.name).join(" × "),
      parts.map((p) => report.groups[p.group]?.name ?? "").join(" × "),
      size,
      finding.required > 0 ? lengths.one(finding.required) : "–",
      ...(moves ? [finding.motion ? number(momentOf(finding) ?? 0) : ""] : []),
      finding.rule,
      finding.id,
    ];
    return h("tr", {}, verdict, ...cells.map((text) => h("td", {}, text)));
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

/** What was checked and what was asked. */

import { count, Lengths, plural } from "../format";
import type { Report } from "../model";
import { h } from "./dom";

export function facts(report: Report): HTMLElement {
  const { summary, settings } = report;
  const lengths = new Lengths(report.unit);
  const rows: [string, string][] = [
    ["Parts", `${count(summary.parts)} with ${plural(summary.triangles, "triangle")}`],
    ["Pairs", `${count(summary.pairs)} asked about, ${count(summary.candidates)} near enough to look at`],
    ["Clearance", settings.clearance > 0 ? `${lengths.one(settings.clearance)} where no rule says otherwise` : "none asked"],
    ["Tolerance", settings.tolerance > 0 ? lengths.one(settings.tolerance) : "none"],
  ];
  if (!report.unit) rows.push(["Unit", "not stated: lengths are as in the files"]);
  if (settings.rules) rows.push(["Rules", settings.rules]);
  if (settings.baseline) {
    const { new: fresh, persistent, resolved } = summary;
    rows.push(["Baseline", `${settings.baseline}: ${count(fresh)} new, ${count(persistent)} persistent, ${count(resolved)} resolved`]);
  }
  const vanish = summary.vanish_at_one_in_a_thousand;
  const note = vanish > 0 && `${plural(vanish, "overlap")} would vanish at a tolerance of 1/1000 of the smaller part’s size.`;
  return h(
    "section",
    { class: "block" },
    h("h2", {}, "What was checked"),
    h("dl", { class: "facts" }, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    note && h("p", { class: "note" }, note),
  );
}

/** Things that must not be overlooked: an interrupted run, skipped files. */
export function warnings(report: Report): HTMLElement[] {
  const texts: string[] = [];
  if (report.interrupted) {
    texts.push(`Interrupted: ${plural(report.summary.unchecked, "candidate pair")} not looked at. What is listed is proved; more may be missing.`);
  }
  if (report.skipped.length > 0) texts.push(`${plural(report.skipped.length, "file")} could not be read; see Log.`);
  return texts.map((text) => h("p", { class: "warning", role: "note" }, text));
}

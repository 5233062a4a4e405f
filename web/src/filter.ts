/** Which findings are listed, and in which order. */

import type { Finding, Report, Verdict } from "./model";
import { measureOf, VERDICTS } from "./verdicts";

export type SortKey = "gravity" | "parts" | "size" | "required" | "time";

export interface Filter {
  /** Empty: all. */
  verdicts: ReadonlySet<Verdict>;
  text: string;
  /** Two groups as in a cell of the matrix; the second null: any. */
  groups: readonly [number, number | null] | null;
  status: "new" | "persistent" | null;
  /** Of the histogram: findings with this measure within [from, to). */
  range: { kind: "depth" | "gap"; from: number; to: number; label: string } | null;
}

export interface Order {
  key: SortKey;
  descending: boolean;
}

export const NO_FILTER: Filter = { verdicts: new Set(), text: "", groups: null, status: null, range: null };

export const isFiltered = (filter: Filter) =>
  filter.verdicts.size > 0 || filter.text !== "" || !!filter.groups || !!filter.status || !!filter.range;

/** When a finding of a moving pair is worst; null at rest. */
export function momentOf(finding: Finding): number | null {
  const motion = finding.motion;
  if (!motion) return null;
  return motion.first_contact?.upper ?? motion.closest_time ?? motion.first_overlap?.upper ?? null;
}

/** Lower-case text that a search looks through, made once for each finding. */
export function searchTexts(report: Report): string[] {
  const parts = report.parts.map((p) => `${p.id} ${p.name} ${report.groups[p.group]?.name ?? ""}`);
  return report.findings.map((f) => `${parts[f.parts[0]]} ${parts[f.parts[1]]} ${f.rule} ${f.id}`.toLowerCase());
}

/** Indices of findings in the order of the table. Words of the text must all occur. */
export function listed(report: Report, texts: string[], filter: Filter, order: Order): number[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const passes = (finding: Finding, index: number) =>
    (filter.verdicts.size === 0 || filter.verdicts.has(finding.verdict)) &&
    (!filter.status || finding.status === filter.status) &&
    (!filter.groups || inGroups(report, finding, filter.groups)) &&
    (!filter.range || inRange(finding, filter.range)) &&
    words.every((word) => texts[index]!.includes(word));
  const indices: number[] = [];
  report.findings.forEach((finding, index) => passes(finding, index) && indices.push(index));
  return sorted(report, indices, order);
}

function inGroups(report: Report, finding: Finding, [first, second]: readonly [number, number | null]): boolean {
  const [a, b] = finding.parts.map((part) => report.parts[part]!.group);
  if (second === null) return a === first || b === first;
  return (a === first && b === second) || (a === second && b === first);
}

function inRange(finding: Finding, range: NonNullable<Filter["range"]>): boolean {
  const measure = measureOf(finding);
  return measure.kind === range.kind && measure.size >= range.from && measure.size < range.to;
}

function sorted(report: Report, indices: number[], order: Order): number[] {
  if (order.key === "gravity") return order.descending ? indices.reverse() : indices;
  const keys = new Map<number, number | string>(indices.map((i) => [i, sortValue(report, report.findings[i]!, order.key)]));
  const sign = order.descending ? -1 : 1;
  return indices.sort((i, j) => {
    const [a, b] = [keys.get(i)!, keys.get(j)!];
    const compared = typeof a === "string" ? a.localeCompare(b as string, "en", { numeric: true }) : a - (b as number);
    return sign * compared || i - j;
  });
}

/** Depths count as negative gaps, so that the worst comes first; what has neither comes between. */
function sortValue(report: Report, finding: Finding, key: SortKey): number | string {
  switch (key) {
    case "parts":
      return finding.parts.map((part) => report.parts[part]!.name).join(" ");
    case "size": {
      const measure = measureOf(finding);
      return measure.kind === "depth" ? -measure.size : measure.size;
    }
    case "required":
      return finding.required;
    case "time":
      return momentOf(finding) ?? Infinity;
    case "gravity":
      return VERDICTS.indexOf(finding.verdict);
  }
}

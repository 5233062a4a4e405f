/** What is no more, what could not be read, and what was repaired while reading. */

import { count } from "../format";
import type { Report } from "../model";
import { verdictName, verdictSymbol } from "../verdicts";
import { h } from "./dom";

/** More entries than this make the page slow; the JSON report has them all. */
const MOST = 1000;

export function lists(report: Report): HTMLElement {
  const notes = report.parts.filter((part) => part.notes.length > 0);
  const blocks = [
    list("Resolved since the baseline", report.resolved, (r) =>
      h("li", {}, h("span", { html: verdictSymbol(r.verdict) }), h("div", {}, h("b", {}, `${r.parts[0]} × ${r.parts[1]}`), h("small", {}, `was ${verdictName(r.verdict).toLowerCase()} · ${r.id}`))),
    ),
    list("Files that could not be read", report.skipped, (s) => h("li", {}, h("div", {}, h("b", {}, s.file), h("small", {}, s.error)))),
    list("Notes on parts", notes, (p) => h("li", {}, h("div", {}, h("b", {}, p.name), ...p.notes.map((note) => h("small", {}, note))))),
  ].filter((block) => block !== null);
  if (blocks.length === 0) blocks.push(h("p", { class: "empty" }, "Every file was read, nothing was repaired, and there is nothing resolved."));
  return h("div", { class: "lists" }, ...blocks);
}

function list<T>(title: string, items: T[], entry: (item: T) => HTMLElement): HTMLElement | null {
  if (items.length === 0) return null;
  const more = items.length > MOST && h("p", { class: "note" }, `${count(items.length - MOST)} more are in the JSON report.`);
  return h("section", { class: "block" }, h("h2", {}, `${title} (${count(items.length)})`), h("ul", {}, ...items.slice(0, MOST).map(entry)), more);
}

/** A card for each verdict: its symbol, how many pairs have it, and a click that lists only those. */

import { count } from "../format";
import type { Verdict } from "../model";
import type { State } from "../state";
import { verdictName, verdictSymbol } from "../verdicts";
import { h } from "./dom";

export function cards(state: State): HTMLElement {
  const { summary, meanings, findings } = state.report;
  const counts = new Map(summary.verdicts.map((v) => [v.verdict, v.count]));
  const listed = new Set(findings.map((f) => f.verdict));
  const buttons = meanings.map(({ verdict, text }) => {
    const many = counts.get(verdict) ?? 0;
    const unlisted = many > 0 && !listed.has(verdict);
    const note = unlisted ? " Counted, not listed: ask with --report-touching." : "";
    const button = h(
      "button",
      {
        type: "button",
        class: `card v-${verdict}${many === 0 ? " none" : ""}`,
        "data-verdict": verdict,
        "aria-pressed": "false",
        title: `${verdictName(verdict)}: ${text}${note}`,
        disabled: many === 0 || unlisted,
        onclick: () => toggle(state, verdict),
      },
      h("span", { class: "card-count" }, count(many)),
      h("span", { class: "card-name" }, h("span", { html: verdictSymbol(verdict) }), verdictName(verdict)),
    );
    return button;
  });
  state.on(["list"], () => {
    for (const button of buttons) {
      button.setAttribute("aria-pressed", String(state.filter.verdicts.has(button.dataset.verdict as Verdict)));
    }
  });
  return h("section", { class: "cards", "aria-label": "Pairs by verdict" }, ...buttons);
}

function toggle(state: State, verdict: Verdict): void {
  const verdicts = new Set(state.filter.verdicts);
  if (!verdicts.delete(verdict)) verdicts.add(verdict);
  state.setFilter({ verdicts });
}

/** What was asked and what the verdicts mean, in full. */
export function meanings(state: State): HTMLElement {
  const { report } = state;
  const counts = new Map(report.summary.verdicts.map((v) => [v.verdict, v.count]));
  const rows = report.meanings.map(({ verdict, text }) =>
    h(
      "div",
      { class: `meaning${counts.get(verdict) ? "" : " none"}` },
      h("span", { class: "meaning-symbol", html: verdictSymbol(verdict) }),
      h("div", {}, h("dt", {}, verdictName(verdict)), h("dd", {}, text)),
      h("span", { class: "meaning-count" }, count(counts.get(verdict) ?? 0)),
    ),
  );
  return h("section", { class: "block" }, h("h2", {}, "What the verdicts mean"), h("dl", { class: "meanings" }, ...rows));
}

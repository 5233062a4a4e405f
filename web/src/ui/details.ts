/** All that is known about the selected finding, with what was proved and how. */

import { momentOf } from "../filter";
import { count, Lengths, number, plural, point } from "../format";
import type { Bracket, Finding, Report } from "../model";
import { timeSpan } from "../motion";
import type { State } from "../state";
import { measureOf, verdictName, verdictSymbol } from "../verdicts";
import { copy, h, icon, iconButton } from "./dom";

const MOST_POINTS = 8;

const CONTACTS: Record<string, string> = {
  none: "no contact during the motion",
  touching_at_start: "touch at the start already",
  overlapping_at_start: "overlap at the start already",
  hit: "meet during the motion",
  undecided: "graze: no proof either way",
};

export class Details {
  readonly element = h("section", { class: "details", "aria-label": "Selected finding" });
  private readonly lengths: Lengths;

  constructor(private readonly state: State, private readonly fly: () => void) {
    this.lengths = new Lengths(state.report.unit);
    state.on(["selection"], () => this.show());
    this.show();
  }

  private show(): void {
    const { finding, report } = this.state;
    this.element.hidden = finding === null;
    if (!finding) return this.element.replaceChildren();
    const meaning = report.meanings.find((m) => m.verdict === finding.verdict)?.text ?? "";
    this.element.replaceChildren(
      this.head(finding),
      h(
        "div",
        { class: "details-body" },
        h("p", { class: "sentence" }, sentence(finding, report, this.lengths)),
        h("p", { class: "note" }, `${verdictName(finding.verdict)}: ${meaning.replace(/\.?$/, ".")}`),
        this.parts(finding),
        this.measures(finding),
        this.motion(finding),
        this.points(finding),
        this.source(finding),
      ),
    );
    this.element.querySelector(".details-body")!.scrollTop = 0;
  }

  private head(finding: Finding): HTMLElement {
    const status = finding.status && h("span", { class: finding.status === "new" ? "badge" : "badge quiet-badge" }, finding.status);
    return h(
      "header",
      { class: "details-head" },
      h("span", { html: verdictSymbol(finding.verdict) }),
      h("h2", {}, verdictName(finding.verdict)),
      status,
      h("span", { class: "spring" }),
      iconButton("previous", "Previous finding", "k", () => this.state.step(-1)),
      iconButton("next", "Next finding", "j", () => this.state.step(1)),
      iconButton("target", "Fly there", "Enter", this.fly),
      iconButton("close", "Close", "Esc", () => this.state.select(null)),
    );
  }

  private parts(finding: Finding): HTMLElement {
    const { report } = this.state;
    const entry = (part: number, side: "a" | "b") => {
      const { name, id, group, kind, triangles, file } = report.parts[part]!;
      const facts = [report.groups[group]?.name, kind, triangles > 0 && plural(triangles, "triangle")].filter(Boolean).join(" · ");
      const inside = finding.inside === part && " · inside the other";
      return h(
        "div",
        { class: "part" },
        h("span", { class: `swatch ${side}` }, side.toUpperCase()),
        h("div", {}, h("b", {}, name), h("small", {}, facts, inside || ""), h("small", { title: id }, id === name ? file : `${id} · ${file}`)),
      );
    };
    return h("div", { class: "pair" }, entry(finding.parts[0], "a"), entry(finding.parts[1], "b"));
  }

  private measures(finding: Finding): HTMLElement {
    const { depth, distance, volume, required } = finding;
    const { lengths } = this;
    const rows: (HTMLElement | null)[] = [];
    if (depth) {
      const what = {
        translation: "shortest way out, by translation",
        local: "deepest vertex below the other’s surface",
        surface: "deepest point of either surface below the other’s",
      }[depth.kind];
      rows.push(this.bracketRow("Depth", depth, what));
      if (depth.surface !== null) rows.push(fact("Surface inside", `at most ${lengths.one(depth.surface)} below the other’s surface`));
    }
    const apart = distance && distance.upper > 0;
    if (apart) rows.push(this.bracketRow("Distance", distance, finding.motion ? "the smallest during the motion" : "between the surfaces"));
    if (required > 0) {
      const short = apart ? `, short by ${lengths.bracket({ lower: required - distance.upper, upper: required - distance.lower })}` : "";
      rows.push(fact("Required", `${lengths.one(required)}${short}`));
    }
    if (volume) {
      const value = h("span", {}, lengths.volume(volume));
      value.title = `${volume.lower} to ${volume.upper}`;
      rows.push(fact("Volume", value, "of what both have in common"));
    }
    if (finding.plane) rows.push(fact("Proof", "the plane in the picture: A lies below it, B above", `normal ${point(finding.plane.normal)}, offset ${number(finding.plane.offset, 7)}`));
    else if (apart) rows.push(fact("Proof", "the lower end holds for all triangles of both", "no plane separates these parts, or none was found"));
    if (finding.contacts > 0) rows.push(fact("Contact", `${plural(finding.contacts, "pair")} of triangles meet`));
    return h("dl", { class: "facts" }, ...rows.flatMap((row) => (row ? [...row.children] : [])));
  }

  private bracketRow(name: string, bracket: Bracket, what: string): HTMLElement {
    const ends = bracket.lower === bracket.upper ? `exactly ${bracket.lower}` : `proved: ${bracket.lower} ≤ truth ≤ ${bracket.upper}`;
    return fact(name, h("b", {}, this.lengths.bracket(bracket)), what, ends);
  }

  private motion(finding: Finding): HTMLElement | null {
    const when = finding.motion;
    if (!when) return null;
    const rows: (HTMLElement | null)[] = [fact("Motion", CONTACTS[when.contact] ?? when.contact)];
    const time = (b: Bracket) => (b.lower === b.upper ? number(b.lower, 8) : `${number(b.lower, 8)} to ${number(b.upper, 8)}`);
    if (when.first_contact) {
      const { lower, upper } = when.first_contact;
      const ends = lower === upper ? null : `proved: ${lower} ≤ t ≤ ${upper}`;
      rows.push(fact("First contact", h("b", {}, `t = ${number(upper)}`), ends));
    }
    if (when.exact) {
      const whole = when.exact.den === "1";
      const quotient = whole ? when.exact.num : `${when.exact.num}/${when.exact.den}`;
      const button = h("button", { type: "button", class: "link", onclick: () => copy(quotient, button) }, "copy");
      const shown = h("div", { class: "quotient" }, h("code", {}, when.exact.num), !whole && h("code", {}, when.exact.den));
      rows.push(fact("Exactly", shown, button));
    }
    if (when.first_overlap) rows.push(fact("First overlap", `t = ${time(when.first_overlap)}`));
    if (when.closest_time !== null) rows.push(fact("Closest at", `t = ${number(when.closest_time, 8)}`));
    if (when.normal) rows.push(fact("Normal", point(when.normal)));
    const moment = momentOf(finding) ?? timeSpan(this.state.report.parts)?.[0] ?? 0;
    const button = h("button", { type: "button", class: "link", onclick: () => this.state.setTime(moment) }, "Show this moment");
    rows.push(fact("", button));
    return h("dl", { class: "facts" }, ...rows.flatMap((row) => (row ? [...row.children] : [])));
  }

  private points(finding: Finding): HTMLElement | null {
    const rows: [string, string][] = [];
    if (finding.closest && measureOf(finding).kind === "gap") rows.push(["on A", point(finding.closest[0])], ["on B", point(finding.closest[1])]);
    if (finding.depth?.point) rows.push(["deepest", point(finding.depth.point)]);
    for (const p of finding.points.slice(0, MOST_POINTS)) rows.push(["shared", point(p)]);
    if (rows.length === 0) return null;
    const more = finding.points.length - MOST_POINTS;
    return h(
      "details",
      { class: "points" },
      h("summary", {}, `Points${this.state.report.unit ? `, ${this.state.report.unit}` : ""}`),
      h("ul", {}, ...rows.map(([name, text]) => h("li", {}, h("span", {}, name), h("code", {}, text)))),
      more > 0 && h("p", { class: "note" }, `${count(more)} more in the JSON report.`),
    );
  }

  private source(finding: Finding): HTMLElement {
    const button = h("button", { type: "button", class: "copy", "aria-label": "Copy the id", onclick: () => copy(finding.id, button) }, h("code", {}, finding.id), h("span", { html: icon("copy") }));
    const rows = [fact("Rule", finding.rule), fact("Id", button)];
    return h("dl", { class: "facts" }, ...rows.flatMap((row) => [...row.children]));
  }
}

function fact(name: string, ...values: (Node | string | null)[]): HTMLElement {
  const lines = values.filter((v) => v !== null).map((v, i) => (i === 0 ? v : h("small", {}, v)));
  return h("div", {}, h("dt", {}, name), h("dd", {}, ...lines));
}

/** The finding in one sentence. */
export function sentence(finding: Finding, report: Report, lengths: Lengths): string {
  const [a, b] = finding.parts.map((part) => report.parts[part]!.name) as [string, string];
  const when = finding.motion?.first_contact ? ` from t = ${number(finding.motion.first_contact.upper)} on` : "";
  const depth = finding.depth ? `, ${lengths.bracket(finding.depth)} deep` : "";
  switch (finding.verdict) {
    case "duplicate":
      return `${a} and ${b} are the same part in the same place.`;
    case "enclosed": {
      const [inner, outer] = finding.inside === finding.parts[1] ? [b, a] : [a, b];
      return `${inner} lies inside ${outer} and touches nothing of it.`;
    }
    case "overlapping":
      return `${a} and ${b} overlap${depth}${when}.`;
    case "touching_within_tolerance":
      return `${a} and ${b} touch: they overlap${depth}, which is within the tolerance${when}.`;
    case "touching":
      return `${a} and ${b} touch and share no interior${when}.`;
    case "too_close": {
      const gap = finding.distance ? ` only ${lengths.bracket(finding.distance)} apart` : " too close";
      const at = finding.motion?.closest_time != null ? ` at t = ${number(finding.motion.closest_time)}` : "";
      return `${a} and ${b} are${gap}${at}; ${lengths.one(finding.required)} is required.`;
    }
    case "undecided":
      return `${a} and ${b} meet or miss by less than can be told.`;
  }
}

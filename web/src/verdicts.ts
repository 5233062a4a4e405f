/** How verdicts are named and drawn. A symbol stands beside every colour, so that colours alone say nothing. */

import type { Bracket, Finding, Verdict } from "./model";

interface Look {
  name: string;
  /** For narrow columns. */
  short: string;
  /** Strokes and fills of a 16 x 16 symbol; `f` classes are filled. */
  symbol: string;
}

const ring = (cx: number, r = 4.25, cy = 8) => `<circle cx="${cx}" cy="${cy}" r="${r}"/>`;

const LOOKS: Record<Verdict, Look> = {
  duplicate: {
    name: "Duplicate",
    short: "Duplicate",
    symbol: `<rect x="1.75" y="1.75" width="9" height="9" rx="1.5"/><rect class="f" x="5.25" y="5.25" width="9" height="9" rx="1.5"/>`,
  },
  enclosed: { name: "Enclosed", short: "Enclosed", symbol: `${ring(8, 6.5)}<circle class="f" cx="8" cy="8" r="2.75"/>` },
  overlapping: {
    name: "Overlapping",
    short: "Overlap",
    symbol: `${ring(5.5)}${ring(10.5)}<path class="f" d="M8 4.56a4.25 4.25 0 0 1 0 6.88a4.25 4.25 0 0 1 0-6.88z"/>`,
  },
  touching_within_tolerance: {
    name: "Touching within tolerance",
    short: "In tolerance",
    symbol: `${ring(4.6, 3.9, 6.2)}${ring(11.4, 3.9, 6.2)}<path d="M3.5 13.6q2.25-2.2 4.5 0t4.5 0"/>`,
  },
  touching: { name: "Touching", short: "Touching", symbol: `${ring(4.4, 3.6)}${ring(11.6, 3.6)}<path d="M8 2.5v11"/>` },
  too_close: {
    name: "Too close",
    short: "Too close",
    symbol: `<path d="M1.75 2.5v11M14.25 2.5v11M3.8 8h8.4M6 5.6L3.6 8L6 10.4M10 5.6L12.4 8L10 10.4"/>`,
  },
  undecided: {
    name: "Undecided",
    short: "Undecided",
    symbol: `<path d="M5.1 5.4a2.9 2.9 0 1 1 4.5 2.5c-1 .7-1.6 1.2-1.6 2.4"/><circle class="f" cx="8" cy="13.2" r=".7"/>`,
  },
};

/** The gravest first, as in the report. */
export const VERDICTS = Object.keys(LOOKS) as Verdict[];

export const verdictName = (verdict: Verdict) => LOOKS[verdict].name;
export const verdictShort = (verdict: Verdict) => LOOKS[verdict].short;

export function verdictSymbol(verdict: Verdict): string {
  return `<svg class="symbol v-${verdict}" viewBox="0 0 16 16" aria-hidden="true">${LOOKS[verdict].symbol}</svg>`;
}

/** The colour of a verdict in the current theme. */
export function verdictColour(verdict: Verdict): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--v-${verdict}`).trim();
}

export interface Measure {
  kind: "depth" | "gap" | "none";
  lower: number;
  upper: number;
  /** For bars and sorting: the lower end, which is attained or nearly so; the upper one where the lower is zero. */
  size: number;
}

/** Depth, gap or nothing: the one length that says how bad a finding is. */
export function measureOf({ depth, distance }: Finding): Measure {
  const measure = (kind: "depth" | "gap", { lower, upper }: Bracket) => ({ kind, lower, upper, size: lower > 0 ? lower : upper });
  if (depth) return measure("depth", depth);
  if (distance && distance.upper > 0) return measure("gap", distance);
  return { kind: "none", lower: 0, upper: 0, size: 0 };
}

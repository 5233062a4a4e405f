/** Numbers for people. Digits that are not proved are not shown. */

import type { Bracket, Vec3 } from "./model";

const grouped = new Intl.NumberFormat("en-US");
export const count = (n: number) => grouped.format(n);
export const plural = (n: number, noun: string) => `${count(n)} ${noun}${n === 1 ? "" : "s"}`;

/** Up to `digits` significant digits, without needless zeros or exponents. */
export function number(value: number, digits = 4): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e7) return value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e");
  return String(Number(value.toPrecision(digits)));
}

/**
 * As many digits, four at most, as both ends agree in; if that is less than two the range, rounded outward. An upper end
 * far away says little: then only the lower one.
 */
export function bracket({ lower, upper }: Bracket): string {
  for (const digits of [4, 3, 2]) if (number(lower, digits) === number(upper, digits)) return number(upper, digits);
  const above = number(outward(upper, 1), 3);
  if (lower <= 0) return `≤\u00a0${above}`;
  const below = number(outward(lower, -1), 3);
  return upper > 2 * lower ? `≥\u00a0${below}` : `${below}\u00a0–\u00a0${above}`;
}

/** Three digits, rounded up or down: a bound stays one, but for what is lost in floats (1.9999999999996 is shown as 2). */
function outward(value: number, direction: 1 | -1): number {
  const rounded = Number(value.toPrecision(3));
  if ((rounded - value) * direction >= -1e-9 * Math.abs(value)) return rounded;
  const step = 10 ** (Math.floor(Math.log10(Math.abs(value))) - 2);
  return Number((rounded + direction * step).toPrecision(4));
}

export const point = (p: Vec3) => p.map((x) => number(x, 7)).join(", ");

/** Writes lengths with the unit of the report; nothing is added where nobody stated it. */
export class Lengths {
  constructor(readonly unit: string | null) {}

  readonly one = (value: number) => this.withUnit(number(value));
  readonly bracket = (b: Bracket) => this.withUnit(bracket(b));
  readonly exact = (value: number) => this.withUnit(String(value));
  readonly volume = (b: Bracket) => (this.unit ? `${bracket(b)}\u00a0${this.unit}³` : bracket(b));

  private withUnit(text: string): string {
    return this.unit ? `${text}\u00a0${this.unit === "um" ? "µm" : this.unit}` : text;
  }
}

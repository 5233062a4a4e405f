/** Light or dark: as the system has it, until the user chooses. */

import type { State } from "./state";

const KEY = "clearance-theme";

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // Pages from disk may have no storage.
    return null;
  }
}

export class Theme {
  private readonly system = matchMedia("(prefers-color-scheme: dark)");
  private chosen = stored();

  constructor(private readonly state: State) {
    this.system.addEventListener("change", () => this.apply());
    this.apply();
  }

  toggle(): void {
    this.chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem(KEY, this.chosen);
    } catch {
      // Then it holds until the page is closed.
    }
    this.apply();
  }

  private apply(): void {
    const theme = this.chosen === "light" || this.chosen === "dark" ? this.chosen : this.system.matches ? "dark" : "light";
    document.documentElement.dataset.theme = theme;
    this.state.emit("theme");
  }

  /** Paper is white: dark is off while printing. */
  forPaper(on: boolean): void {
    if (on) document.documentElement.dataset.theme = "light";
    else this.apply();
    if (on) this.state.emit("theme");
  }
}

/** The keyboard. Keys in fields and on sliders stay theirs. */

import type { State } from "./state";

export interface Commands {
  fly(): void;
  fit(): void;
  section(): void;
  explode(): void;
  through(): void;
  alone(): void;
  play(): void;
  theme(): void;
  search(): void;
  help(): void;
}

export function listenToKeys(state: State, commands: Commands): void {
  const actions: Record<string, () => void> = {
    ArrowDown: () => state.step(1),
    j: () => state.step(1),
    ArrowUp: () => state.step(-1),
    k: () => state.step(-1),
    PageDown: () => state.step(10),
    PageUp: () => state.step(-10),
    Home: () => state.step(-Infinity),
    End: () => state.step(Infinity),
    Enter: () => commands.fly(),
    Escape: () => state.select(null),
    f: () => commands.fit(),
    x: () => commands.section(),
    e: () => commands.explode(),
    t: () => commands.through(),
    h: () => commands.alone(),
    d: () => commands.theme(),
    p: () => print(),
    " ": () => commands.play(),
    "/": () => commands.search(),
    "?": () => commands.help(),
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const target = event.target as HTMLElement;
    if (event.key === "Escape" && target.matches("input, select")) return target.blur();
    if (target.matches("input:not([type=range]), select, textarea")) return;
    if (target.matches("input") && /^(Arrow|Page|Home|End)/.test(event.key)) return;
    const own = target.matches("button, summary, [role=button], a") && (event.key === "Enter" || event.key === " ");
    const action = actions[event.key];
    if (own || !action) return;
    event.preventDefault();
    action();
  });
}

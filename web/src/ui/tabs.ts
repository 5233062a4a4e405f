/** Panels of which one is shown; arrows move between their tabs. */

import { count } from "../format";
import { h } from "./dom";

export function tabs(panels: [name: string, many: number | null, panel: HTMLElement][]): HTMLElement {
  const buttons = panels.map(([name, many], i) => {
    const badge = many ? h("span", { class: "tab-count" }, count(many)) : null;
    return h("button", { type: "button", role: "tab", id: `tab-${name.toLowerCase()}`, onclick: () => choose(i) }, name, badge);
  });
  panels.forEach(([name, , panel]) => {
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", `tab-${name.toLowerCase()}`);
    panel.classList.add("tab-panel");
  });
  const choose = (chosen: number) => {
    buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === chosen));
      button.tabIndex = i === chosen ? 0 : -1;
      panels[i]![2].classList.toggle("chosen", i === chosen);
    });
  };
  choose(0);
  const list = h("div", { class: "tabs", role: "tablist" }, ...buttons);
  list.addEventListener("keydown", (event) => {
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const to = event.key === "ArrowRight" ? at + 1 : event.key === "ArrowLeft" ? at - 1 : -1;
    if (at < 0 || !buttons[to]) return;
    choose(to);
    buttons[to].focus();
  });
  return h("div", { class: "panel" }, list, ...panels.map(([, , panel]) => panel));
}

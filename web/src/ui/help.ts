/** Keys and gestures. */

import { h, icon } from "./dom";

const KEYS: [string, string][] = [
  ["↓ ↑ or j k", "next, previous finding"],
  ["Enter", "fly to the finding"],
  ["Esc", "close what is open, deselect"],
  ["/", "search"],
  ["f", "fit everything"],
  ["x", "section plane"],
  ["e", "explode"],
  ["t", "see through the pair"],
  ["h", "hide other parts"],
  ["space", "play or pause the motion"],
  ["d", "light or dark"],
  ["p", "print"],
  ["?", "this help"],
];

const GESTURES: [string, string][] = [
  ["Turn", "drag, or one finger"],
  ["Move", "right drag, or two fingers"],
  ["Zoom", "wheel, or pinch"],
  ["Pick", "click a dot or a part"],
];

export function helpDialog(): HTMLDialogElement {
  const rows = (list: [string, string][], tag: "kbd" | "b") => list.map(([key, text]) => h("div", {}, h("dt", {}, h(tag, {}, key)), h("dd", {}, text)));
  const dialog = h(
    "dialog",
    { class: "help", "aria-label": "Help" },
    h("header", {}, h("h2", {}, "Keys and gestures"), h("button", { type: "button", class: "icon-button", "aria-label": "Close", html: icon("close"), onclick: () => dialog.close() })),
    h("div", { class: "help-columns" }, h("dl", {}, ...rows(KEYS, "kbd")), h("dl", {}, ...rows(GESTURES, "b"))),
    h("p", { class: "note" }, "Everything is in this one file; nothing is fetched, nothing is sent. A link with #id of a finding opens it."),
  );
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  return dialog;
}

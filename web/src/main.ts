/** Puts the page together. */

import "./styles/base.css";
import "./styles/layout.css";
import "./styles/findings.css";
import "./styles/overview.css";
import "./styles/view.css";
import "./styles/print.css";
import { readGeometry, readReport, readScene } from "./data";
import { momentOf } from "./filter";
import { count, plural } from "./format";
import { keepInHash } from "./hash";
import { listenToKeys } from "./keys";
import type { Report } from "./model";
import { timeSpan } from "./motion";
import { preparePrint } from "./print";
import { State } from "./state";
import { Theme } from "./theme";
import { cards, meanings } from "./ui/cards";
import { Details } from "./ui/details";
import { h, iconButton } from "./ui/dom";
import { facts, warnings } from "./ui/facts";
import { Filters } from "./ui/filters";
import { helpDialog } from "./ui/help";
import { histograms } from "./ui/histogram";
import { Legend } from "./ui/legend";
import { lists } from "./ui/lists";
import { matrix } from "./ui/matrix";
import { Table } from "./ui/table";
import { tabs } from "./ui/tabs";
import { Timeline } from "./ui/timeline";
import { Toolbar } from "./ui/toolbar";
import { Viewer } from "./view/viewer";

/** Where the style sheet puts the picture above the table. */
const narrow = matchMedia("(max-width: 860px)");
const app = document.getElementById("app")!;

async function start(): Promise<void> {
  const report = readReport();
  if (!report) {
    app.append(h("p", { class: "message" }, "This is the empty template. `clearance clash PARTS -o report.html` fills it."));
    return;
  }
  const scene = readScene();
  const state = new State(report);
  const theme = new Theme(state);
  let viewer: Viewer | null = null;
  let toolbar: Toolbar | null = null;
  const fly = () => viewer?.fly();
  const help = helpDialog();

  const table = new Table(state, fly);
  const filters = new Filters(state, table.totals);
  const details = new Details(state, fly);
  const legend = new Legend(state);
  const span = timeSpan(report.parts);
  const timeline = span && new Timeline(state, span);
  const view = h("section", { class: "view", "aria-label": "3-D view" }, legend.element, legend.tip, scene.simplified && h("p", { class: "caption" }, "Some parts are drawn as boxes to keep the file small; verdicts come from the full geometry."));
  const paper = { picture: h("figure", { class: "paper" }), table: h("div", { class: "paper" }) };

  const findings = h("div", { class: "findings" }, filters.element, h("div", { class: "master" }, table.element, details.element));
  const overview = h("div", { class: "overview" }, facts(report), histograms(state), matrix(state), meanings(state));
  const panel = tabs([
    ["Findings", report.findings.length, findings],
    ["Overview", null, overview],
    ["Log", report.resolved.length + report.skipped.length + report.parts.filter((p) => p.notes.length > 0).length, lists(report)],
  ]);
  const stage = h("div", { class: "stage" }, view, timeline?.element ?? null);
  app.append(header(report, theme, help), ...warnings(report), cards(state), paper.picture, h("main", {}, panel, stage), paper.table, help);

  state.on(["selection"], () => narrow.matches && state.selected !== null && details.element.scrollIntoView({ block: "start" }));
  if (span) state.on(["selection"], () => state.finding?.motion && state.setTime(momentOf(state.finding) ?? span[0]));
  listenToKeys(state, {
    fly,
    fit: () => viewer?.fit(),
    section: () => toolbar?.toggleSection(),
    explode: () => toolbar?.toggleExplode(),
    through: () => state.selected !== null && toolbar?.toggleThrough(),
    alone: () => state.selected !== null && toolbar?.toggleAlone(),
    play: () => timeline?.toggle(),
    theme: () => theme.toggle(),
    search: () => filters.focus(),
    help: () => help.showModal(),
  });
  preparePrint(state, theme, paper, () => viewer?.picture() ?? null);

  try {
    viewer = new Viewer(view, state, scene, await readGeometry());
    toolbar = new Toolbar(state, viewer);
    view.append(toolbar.element);
    legend.follow(viewer);
  } catch (error) {
    view.append(noPicture(error));
  }
  keepInHash(state);
  document.documentElement.dataset.ready = "true";
}

function header(report: Report, theme: Theme, help: HTMLDialogElement): HTMLElement {
  const { summary } = report;
  const checked = `${plural(summary.parts, "part")} · ${count(summary.pairs)} pairs checked · ${report.program}`;
  return h(
    "header",
    { class: "top" },
    h("span", { class: "logo", "aria-hidden": "true", html: LOGO }),
    h("div", { class: "titles" }, h("h1", {}, report.title), h("p", {}, checked)),
    h("span", { class: "spring" }),
    iconButton("theme", "Light or dark", "d", () => theme.toggle()),
    iconButton("print", "Print", "p", () => print()),
    iconButton("help", "Help", "?", () => help.showModal()),
  );
}

const LOGO = `<svg viewBox="0 0 28 28"><rect x="2" y="7" width="10" height="14" rx="3"/><rect x="16" y="7" width="10" height="14" rx="3"/><path d="M14 3v22"/></svg>`;

/** Where there is no WebGL the rest still works. */
function noPicture(error: unknown): HTMLElement {
  const cause = error instanceof Error ? error.message : String(error);
  return h("div", { class: "message", role: "status" }, h("b", {}, "No 3-D view in this browser."), h("p", {}, "WebGL is missing or switched off. Everything else works: the table, the details and the overview say the same in numbers."), h("small", {}, cause));
}

start().catch((error: unknown) => {
  app.replaceChildren(h("p", { class: "message", role: "alert" }, `This report cannot be shown: ${error instanceof Error ? error.message : String(error)}`));
  throw error;
});

/** Elements in one expression. */

type Child = Node | string | null | false;
type Attributes = Record<string, string | number | boolean | null | ((event: Event) => void)>;

/** `html` sets inner HTML and is only for text of this program, never for text of a report. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (name === "html") element.innerHTML = String(value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== false));
  return element;
}

const ICONS: Record<string, string> = {
  fit: `<path d="M2 5.5V2h3.5M10.5 2H14v3.5M14 10.5V14h-3.5M5.5 14H2v-3.5"/><rect x="5.5" y="5.5" width="5" height="5" rx="1"/>`,
  section: `<path d="M8 1.5v13" stroke-dasharray="2 1.5"/><path d="M6 3H3.5A1.5 1.5 0 0 0 2 4.5v7A1.5 1.5 0 0 0 3.5 13H6"/><path d="M10 3h2.5A1.5 1.5 0 0 1 14 4.5v7a1.5 1.5 0 0 1-1.5 1.5H10" opacity=".45"/>`,
  explode: `<rect x="6" y="6" width="4" height="4" rx="1"/><path d="M5 5L2 2m0 2.7V2h2.7M11 5l3-3m-2.7 0H14v2.7M5 11l-3 3m0-2.7V14h2.7M11 11l3 3m-2.7 0H14v-2.7"/>`,
  through: `<rect x="2" y="2" width="8.5" height="8.5" rx="1.5"/><rect x="5.5" y="5.5" width="8.5" height="8.5" rx="1.5" stroke-dasharray="2 1.6"/>`,
  alone: `<circle cx="8" cy="8" r="2.5" class="f"/><circle cx="8" cy="8" r="6" stroke-dasharray="2 2.2"/>`,
  play: `<path class="f" d="M4.5 2.8v10.4a.6.6 0 0 0 .9.5l8-5.2a.6.6 0 0 0 0-1l-8-5.2a.6.6 0 0 0-.9.5z"/>`,
  pause: `<rect class="f" x="3.5" y="2.5" width="3" height="11" rx=".8"/><rect class="f" x="9.5" y="2.5" width="3" height="11" rx=".8"/>`,
  theme: `<circle cx="8" cy="8" r="6"/><path class="f" d="M8 2a6 6 0 0 1 0 12z"/>`,
  print: `<path d="M4.5 6V2h7v4M4.5 11.5H3A1.5 1.5 0 0 1 1.5 10V7.5A1.5 1.5 0 0 1 3 6h10a1.5 1.5 0 0 1 1.5 1.5V10a1.5 1.5 0 0 1-1.5 1.5h-1.5"/><rect x="4.5" y="9.5" width="7" height="4.5" rx=".5"/>`,
  help: `<circle cx="8" cy="8" r="6.25"/><path d="M6.2 6.3a1.85 1.85 0 1 1 2.7 1.65c-.6.35-.9.7-.9 1.35"/><circle class="f" cx="8" cy="11.4" r=".5"/>`,
  copy: `<rect x="5.5" y="5.5" width="8" height="8" rx="1.5"/><path d="M10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.5h1.5"/>`,
  close: `<path d="M4 4l8 8M12 4l-8 8"/>`,
  previous: `<path d="M4 10l4-4 4 4"/>`,
  next: `<path d="M4 6l4 4 4-4"/>`,
  flip: `<path d="M2 5.5h11M10.5 3L13 5.5 10.5 8M14 10.5H3M5.5 8L3 10.5 5.5 13"/>`,
  search: `<circle cx="7" cy="7" r="4.25"/><path d="M10.2 10.2L14 14"/>`,
  target: `<circle cx="8" cy="8" r="4.5"/><path d="M8 1v4M8 11v4M1 8h4M11 8h4"/>`,
};

export const icon = (name: string) => `<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${ICONS[name]}</svg>`;

/** A button with an icon; the name is its label and, with the key, its tooltip. */
export function iconButton(symbol: string, name: string, key: string | null, onclick: () => void): HTMLButtonElement {
  const title = key ? `${name} (${key})` : name;
  return h("button", { type: "button", class: "icon-button", title, "aria-label": name, html: icon(symbol), onclick });
}

export async function copy(text: string, button: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Pages from disk may not use the clipboard; the old way works there.
    const area = h("textarea", { class: "off-screen" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  button.classList.add("done");
  setTimeout(() => button.classList.remove("done"), 1200);
}

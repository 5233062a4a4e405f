/** The selected finding in the address, so that a link opens it. */

import type { State } from "./state";

export function keepInHash(state: State): void {
  const byId = new Map(state.report.findings.map((finding, index) => [finding.id, index]));
  const read = () => {
    const index = byId.get(decodeURIComponent(location.hash.slice(1)));
    if (index !== undefined) state.select(index);
  };
  state.on(["selection"], () => {
    const hash = state.finding ? `#${encodeURIComponent(state.finding.id)}` : location.pathname + location.search;
    try {
      history.replaceState(null, "", hash);
    } catch {
      // Some browsers refuse this for pages from disk; only the link is lost.
    }
  });
  addEventListener("hashchange", read);
  read();
}

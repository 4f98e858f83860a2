export const TABS = ["play", "compare", "review", "results"];

export const hashFor = (tab, game) => (game && tab !== "results" ? `#${tab}/${encodeURIComponent(game)}` : `#${tab}`);

/** "#play/abc" → {tab: "play", game: "abc"}. */
export function readHash() {
  const [tab, game] = location.hash.slice(1).split("/");
  return { tab: TABS.includes(tab) ? tab : "play", game: game ? decodeURIComponent(game) : null };
}

/** Changes the address without a new entry in the browser's history. */
export function goTo(hash) {
  if (location.hash === hash) return;
  history.replaceState(null, "", hash);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

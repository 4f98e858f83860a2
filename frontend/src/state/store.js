import { useEffect, useState } from "preact/hooks";
import { readSettings } from "./settings.js";

const listeners = new Set();

export let state = {
  connection: "connecting",
  welcome: null,
  tab: "play",
  game: null,
  joined: false,
  receivedAt: 0,
  shown: null,
  notice: null,
  analyses: {},
  trees: {},
  opinions: {},
  analysing: false,
  comparing: false,
  dialogue: null,
  settings: readSettings(),
};

export function change(part) {
  state = { ...state, ...(typeof part === "function" ? part(state) : part) };
  listeners.forEach((listener) => listener());
}

export function subscribe(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What `select` finds in the state; the component is drawn again when that changes. */
export function useStore(select) {
  const [, draw] = useState(0);
  const value = select(state);
  useEffect(() => {
    let before = select(state);
    if (before !== value) draw((count) => count + 1);
    return subscribe(() => {
      const now = select(state);
      if (now === before) return;
      before = now;
      draw((count) => count + 1);
    });
  }, []);
  return value;
}

/** The turn that is looked at: the newest one unless an earlier one was chosen. */
export const shownTurn = ({ game, shown }) => (game ? Math.min(shown ?? game.moves.length, game.moves.length) : 0);

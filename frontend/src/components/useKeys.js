import { useEffect } from "preact/hooks";
import { HEATS } from "../lib/heat.js";
import { look, lookBy, play, save, set, undo } from "../state/actions.js";
import { change, shownTurn, state } from "../state/store.js";

const canPass = ({ game }) =>
  game?.phase === "play" &&
  shownTurn(state) === game.moves.length &&
  (game.toPlay === "B" ? game.black : game.white).player === "person";

const focusBoard = () => document.querySelector('.points [tabindex="0"]')?.focus();

const KEYS = {
  ArrowLeft: () => lookBy(-1),
  ArrowRight: () => lookBy(1),
  PageUp: () => lookBy(-1),
  PageDown: () => lookBy(1),
  Home: () => look(0),
  End: () => look(Infinity),
  b: focusBoard,
  p: () => canPass(state) && play("pass"),
  u: () => state.game?.moves.length && undo(),
  a: () => change(({ tab, analysing, comparing }) => (tab === "compare" ? { comparing: !comparing } : { analysing: !analysing })),
  n: () => change({ dialogue: "new" }),
  s: () => state.game && save(),
  "?": () => change({ dialogue: "help" }),
  ...Object.fromEntries(HEATS.map(({ id }, i) => [i, () => set({ heat: id })])),
};

/** Keys for the whole page; not while writing, in a dialogue, or with a modifier. */
export function useKeys() {
  useEffect(() => {
    const onKeyDown = (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      if (state.dialogue || state.tab === "results" || event.target.closest("input, select, textarea, dialog")) return;
      const action = KEYS[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}

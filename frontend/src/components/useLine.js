import { useState } from "preact/hooks";
import { shownTurn, useStore } from "../state/store.js";

const NOTHING = { move: null, line: null };

/**
 * The variation that is shown on the board instead of the position: that of a candidate, or a way down the tree. It
 * belongs to one turn of one game and is gone with it.
 */
export function useLine() {
  const at = useStore((state) => `${state.game?.game} ${shownTurn(state)} ${state.analysing}`);
  const [shown, setShown] = useState(NOTHING);
  const { move, line } = shown.at === at ? shown : NOTHING;
  const show = (nextMove, nextLine) => setShown({ at, move: nextMove ?? null, line: nextLine ?? null });
  return { pinned: move, line, show };
}

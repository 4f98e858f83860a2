import { useStore } from "../state/store.js";

/** The colour whose win rates are shown in a position: Black's always, or those of the side to move. */
export const usePerspective = (toPlay) => {
  const perspective = useStore((state) => state.settings.perspective);
  return perspective === "black" ? "B" : toPlay;
};

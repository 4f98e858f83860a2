import { percent } from "../lib/format.js";
import { colourName } from "../lib/vertex.js";
import { look } from "../state/actions.js";
import { shownTurn, useStore } from "../state/store.js";

const SHOWN = 12;

/** The moves that lost most win rate. A click goes to the position before the move; then hovering shows what was better. */
export function WorstMoves({ game, onLine }) {
  const turn = useStore(shownTurn);
  const losses = (game.review?.turns ?? [])
    .map((entry, before) => ({ ...entry, before, played: game.moves[before] }))
    .filter(({ loss, played }) => played && loss >= 0.02)
    .sort((a, b) => b.loss - a.loss)
    .slice(0, SHOWN);
  if (!game.review) return <p class="hint">Each turn is searched for a moment; the moves that lost most win rate come first here.</p>;
  if (!losses.length) return <p class="hint" data-testid="worst-moves">No move has lost anything worth a word so far.</p>;
  return (
    <ol class="worst" data-testid="worst-moves" onPointerLeave={() => onLine(null)}>
      {losses.map(({ before, played: [colour, vertex], loss, mark, best, pv }) => (
        <li key={before} class={before === turn ? "current" : ""}>
          <button
            class="worst-row plain"
            data-testid={`worst-${before + 1}`}
            onClick={() => look(before)}
            onPointerEnter={() => before === turn && onLine(pv)}
            onFocus={() => before === turn && onLine(pv)}
            onBlur={() => onLine(null)}
          >
            <span class={`stone stone-${colour}`} role="img" aria-label={colourName(colour)} />
            <span class="worst-move">{before + 1}. {vertex}</span>
            <span class={`mark mark-${mark || "none"}`}>{mark}</span>
            <span class="worst-best">{best && best !== vertex ? `better: ${best}` : ""}</span>
            <span class="worst-loss">−{percent(loss, 0)}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

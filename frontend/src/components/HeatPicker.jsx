import { EXPLANATIONS } from "../lib/explanations.jsx";
import { HEATS } from "../lib/heat.js";
import { set } from "../state/actions.js";
import { useStore } from "../state/store.js";

/** Which map lies on the board, what its colours mean and where it comes from. */
export function HeatPicker({ heat }) {
  const chosen = useStore((state) => state.settings.heat);
  return (
    <section class="heat-picker" aria-label="Heat maps">
      <div class="segments" role="group" aria-label="What the board shows">
        {HEATS.map(({ id, label }) => (
          <button key={id} data-testid={`heat-${id}`} aria-pressed={chosen === id} onClick={() => set({ heat: id })}>
            {label}
          </button>
        ))}
      </div>
      <Legend heat={heat} />
      <p class="explanation" data-testid="explanation">{EXPLANATIONS[chosen]}</p>
    </section>
  );
}

function Legend({ heat }) {
  if (!heat) return <div class="legend" />;
  return (
    <div class="legend" data-testid="legend" aria-label={`Scale: ${heat.legend.filter(Boolean).join(", ")}`} role="img">
      <div class="legend-scale">
        {heat.palette.map((colour) => <span key={colour} style={{ background: colour }} />)}
      </div>
      <div class="legend-words">{heat.legend.map((words, i) => <span key={i}>{words}</span>)}</div>
    </div>
  );
}

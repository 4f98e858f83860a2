import { useMemo } from "preact/hooks";
import { EXPLANATIONS } from "../lib/explanations.jsx";
import { compact, grouped, seenBy } from "../lib/format.js";
import { candidates } from "../lib/heat.js";
import { LINES } from "../lib/scales.js";
import { set } from "../state/actions.js";
import { useStore } from "../state/store.js";
import { Chart, axis } from "./Chart.jsx";

const SHOWN = 5;

/** How the estimates of the leading moves settle while simulations are added. */
export function Convergence({ analysis, colour }) {
  const what = useStore((state) => state.settings.convergence);
  const leaders = analysis?.reply ? candidates(analysis.reply).slice(0, SHOWN).map((info) => info.move) : [];
  const history = analysis?.history ?? [];
  const data = useMemo(() => lines(history, leaders, what, colour), [history, leaders.join(), what, colour]);

  const few = history.length < 3;

  const options = (colours) => ({
    padding: [8, 12, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false }, y: { range: (_, low, high) => around(low, high) } },
    axes: [
      axis(colours, { size: 22, values: (_, ticks) => distinct(ticks), space: 60 }),
      axis(colours, { size: 42, space: 30, values: (_, ticks) => ticks.map((tick) => `${Math.round(tick * 100)} %`) }),
    ],
    series: [{}, ...LINES.slice(0, SHOWN).map((stroke, i) => ({ stroke, width: i === 0 ? 2.5 : 1.5, points: { show: few }, spanGaps: true }))],
  });

  return (
    <details class="fold" open>
      <summary>Convergence</summary>
      <div class="fold-body">
        <div class="chart-head">
          <div class="segments small" role="group" aria-label="Lines of">
            {[["winrate", "Win rate"], ["share", "Share of visits"]].map(([id, words]) => (
              <button key={id} data-testid={`convergence-${id}`} aria-pressed={what === id} onClick={() => set({ convergence: id })}>{words}</button>
            ))}
          </div>
          <ul class="keys-of-lines">
            {Array.from({ length: SHOWN }, (_, i) => (
              <li key={i}><span style={{ background: leaders[i] ? LINES[i] : "transparent" }} />{leaders[i] ?? ""}</li>
            ))}
          </ul>
        </div>
        <Chart testid="convergence" height={150} data={data} options={options} version={`${what} ${few}`} label={`Convergence of ${leaders.join(", ") || "the moves"} over simulations`} />
        <p class="explanation">{EXPLANATIONS.convergence}</p>
      </div>
    </details>
  );
}

function lines(history, leaders, what, colour) {
  const x = history.map(({ visits }) => visits);
  const value = (entry) => (entry == null ? null : what === "share" ? entry[1] : seenBy(entry[0], colour));
  const series = Array.from({ length: SHOWN }, (_, i) => history.map(({ moves }) => value(moves[leaders[i]])));
  return [x, ...series];
}

/** Numbers in a few signs, in full where that would make two of them the same. */
const distinct = (ticks) => {
  const short = ticks.map(compact);
  return new Set(short).size === ticks.length ? short : ticks.map(grouped);
};

const around = (low, high) => {
  if (low == null) return [0, 1];
  const room = Math.max(0.02, (high - low) * 0.1);
  return [Math.max(0, low - room), Math.min(1, high + room)];
};

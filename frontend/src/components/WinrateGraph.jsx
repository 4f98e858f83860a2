import { useMemo, useRef } from "preact/hooks";
import uPlot from "uplot";
import { percent } from "../lib/format.js";
import { look } from "../state/actions.js";
import { shownTurn, useStore } from "../state/store.js";
import { Chart, axis } from "./Chart.jsx";

const MARKED = { inaccuracy: 3, mistake: 4.5, blunder: 6 };

/** Black's win rate over the game, with the turn looked at and, after a review, the moves that lost most. */
export function WinrateGraph({ height = 120 }) {
  const game = useStore((state) => state.game);
  const turn = useStore(shownTurn);
  const opinions = useStore((state) => state.opinions);
  const { data, marks } = useMemo(() => points(game, opinions), [game, opinions]);
  const now = useRef({});
  now.current = { turn, marks };
  const rate = data[1][turn];
  const few = data[1].filter((one) => one != null).length < 3;

  const options = (colours) => ({
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { setScale: false, x: false }, points: { size: 7 } },
    scales: { x: { time: false, range: (_, low, high) => [low ?? 0, Math.max(10, high ?? 0)] }, y: { range: [0, 1] } },
    axes: [
      axis(colours, { size: 22, incrs: [1, 2, 5, 10, 20, 50, 100], space: 40 }),
      axis(colours, { size: 42, splits: () => [0, 0.5, 1], values: (_, ticks) => ticks.map((tick) => `${tick * 100} %`) }),
    ],
    series: [{}, { stroke: colours.accent, width: 2, fill: colours.fill, spanGaps: true, points: { show: few } }],
    hooks: { draw: [(plot) => drawMarks(plot, now.current, colours)] },
  });

  return (
    <figure class="graph">
      <Chart
        testid="winrate-graph"
        height={height}
        data={useMemo(() => [...data], [data, turn])}
        options={options}
        version={`${game?.game} ${few}`}
        label={`Black's win rate over the game${rate == null ? "" : `; at turn ${turn}: ${percent(rate, 0)}`}`}
        onPick={look}
      />
    </figure>
  );
}

function points(game, opinions) {
  const total = game?.moves.length ?? 0;
  const turns = game?.review?.turns ?? [];
  const x = Array.from({ length: total + 1 }, (_, i) => i);
  const y = x.map((i) => turns[i]?.winrate ?? opinions[i] ?? game?.winrates?.[i] ?? null);
  const marks = x.filter((i) => turns[i]?.mark).map((i) => ({ turn: i + 1, mark: turns[i].mark, rate: y[i + 1] ?? y[i] }));
  return { data: [x, y], marks };
}

function drawMarks(plot, { turn, marks }, colours) {
  const { ctx } = plot;
  const ratio = uPlot.pxRatio;
  const { top, height } = plot.bbox;
  ctx.save();
  ctx.strokeStyle = colours.black;
  ctx.globalAlpha = 0.6;
  ctx.lineWidth = ratio;
  ctx.beginPath();
  const at = Math.round(plot.valToPos(turn, "x", true));
  ctx.moveTo(at, top);
  ctx.lineTo(at, top + height);
  ctx.stroke();
  ctx.globalAlpha = 1;
  for (const { turn: where, mark, rate } of marks) {
    if (rate == null) continue;
    ctx.fillStyle = colours.warn;
    ctx.beginPath();
    ctx.arc(plot.valToPos(where, "x", true), plot.valToPos(rate, "y", true), MARKED[mark] * ratio, 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.restore();
}

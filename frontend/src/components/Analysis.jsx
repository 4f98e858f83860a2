import { useMemo } from "preact/hooks";
import { grouped, percent, seenBy, signed } from "../lib/format.js";
import { heatOf } from "../lib/heat.js";
import { colourToPlay } from "../lib/replay.js";
import { colourName } from "../lib/vertex.js";
import { set } from "../state/actions.js";
import { OPPONENT, again, currentAnalysis } from "../state/analyses.js";
import { change, shownTurn, useStore } from "../state/store.js";
import { AnalystPicker } from "./AnalystPicker.jsx";
import { CandidateTable } from "./CandidateTable.jsx";
import { Convergence } from "./Convergence.jsx";
import { HeatPicker } from "./HeatPicker.jsx";
import { SearchTree } from "./SearchTree.jsx";
import { usePerspective } from "./usePerspective.js";

/** A look into the search at the position on the board. */
export function Analysis({ onLine, pinned }) {
  const game = useStore((state) => state.game);
  const turn = useStore(shownTurn);
  const on = useStore((state) => state.analysing);
  return (
    <section class="analysis card" aria-label="Analysis">
      <header class="card-head">
        <h2>Analysis</h2>
        <AnalystPicker />
        <button
          class="switch"
          role="switch"
          data-testid="analyse"
          aria-label="Analyse the position"
          aria-checked={on}
          disabled={!game}
          onClick={() => change({ analysing: !on })}
        />
      </header>
      {on && game ? (
        <Opened game={game} turn={turn} onLine={onLine} pinned={pinned} />
      ) : (
        <p class="hint">What does the search see? Switch on to watch it think about the position on the board.</p>
      )}
    </section>
  );
}

function Opened({ game, turn, onLine, pinned }) {
  const current = useStore(currentAnalysis);
  const { heat: heatId, analyst, perspective } = useStore((state) => state.settings);
  const colour = usePerspective(colourToPlay(game, turn));
  const reply = current?.reply;
  const heat = useMemo(() => (reply ? heatOf(heatId, { reply, size: game.size, colour }) : null), [reply, heatId, colour]);
  const lineOf = (move) => onLine(move, move && reply.moveInfos.find((info) => info.move === move)?.pv);
  return (
    <>
      <Summary analysis={current} colour={colour} />
      <HeatPicker heat={heat} />
      <CandidateTable reply={reply} colour={colour} onLine={lineOf} pinned={pinned} />
      <label class="check">
        <input
          type="checkbox"
          data-testid="perspective"
          checked={perspective === "black"}
          onChange={(event) => set({ perspective: event.target.checked ? "black" : "mover" })}
        />
        Always show Black’s win rates
      </label>
      <Convergence analysis={current} colour={colour} />
      {current?.slot !== OPPONENT && (
        <SearchTree key={`${game.game} ${turn} ${analyst}`} colour={colour} available={Boolean(reply)} onPath={(path) => onLine(null, path)} />
      )}
    </>
  );
}

function stateWords(analysis) {
  if (analysis?.waiting) return analysis.waiting;
  return analysis?.slot === OPPONENT ? "opponent thinks" : "searching …";
}

export function Summary({ analysis, colour, slot = 0 }) {
  const root = analysis?.reply?.rootInfo;
  return (
    <div class="summary" data-testid={`summary-${slot}`}>
      <span><b>{percent(seenBy(root?.winrate, colour))}</b> {colourName(colour)} wins</span>
      <span><b>{signed(root?.scoreLead)}</b> Black’s lead</span>
      <span><b data-testid={`visits-${slot}`}>{grouped(root?.visits ?? 0)}</b> simulations</span>
      <span class="summary-state">
        {analysis?.done ? <button class="small" data-testid={`again-${slot}`} onClick={() => again(slot)}>Again</button> : stateWords(analysis)}
      </span>
    </div>
  );
}

import { Analysis } from "../components/Analysis.jsx";
import { Controls } from "../components/Controls.jsx";
import { GameBoard } from "../components/GameBoard.jsx";
import { Navigator } from "../components/Navigator.jsx";
import { Players } from "../components/Players.jsx";
import { Status } from "../components/Status.jsx";
import { Welcome } from "../components/Welcome.jsx";
import { WinrateGraph } from "../components/WinrateGraph.jsx";
import { EXPLANATIONS } from "../lib/explanations.jsx";
import { useLine } from "../components/useLine.js";
import { currentAnalysis } from "../state/analyses.js";
import { useStore } from "../state/store.js";

export function Play() {
  const game = useStore((state) => state.game);
  const analysing = useStore((state) => state.analysing);
  const analysis = useStore(currentAnalysis);
  const { pinned, line, show } = useLine();
  const showCandidate = (move) => show(move, move && analysis.reply.moveInfos.find((info) => info.move === move)?.pv);
  return (
    <>
      <div class="board-side">
        <GameBoard analysis={analysing ? analysis : null} line={line} onCandidate={analysing && analysis?.reply ? showCandidate : null} />
      </div>
      <div class="panel-side">
        <section class="card" aria-label="Game">
          <Players />
          <Status />
          <Controls />
          {game && (
            <div class="timeline">
              <WinrateGraph height={96} />
              <Navigator />
              <p class="explanation">{EXPLANATIONS.winrates}</p>
              <GameFacts game={game} />
            </div>
          )}
        </section>
        {!game && <Welcome />}
        {game && <Analysis onLine={show} pinned={pinned} />}
      </div>
    </>
  );
}

const GameFacts = ({ game }) => (
  <span class="hint" data-testid="facts">
    {game.size}×{game.size} · {game.rules} · komi {game.komi}{game.handicap ? ` · handicap ${game.handicap}` : ""}
  </span>
);

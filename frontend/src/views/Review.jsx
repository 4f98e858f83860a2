import { FileButtons } from "../components/Controls.jsx";
import { GameBoard } from "../components/GameBoard.jsx";
import { Navigator } from "../components/Navigator.jsx";
import { Players } from "../components/Players.jsx";
import { Status } from "../components/Status.jsx";
import { WinrateGraph } from "../components/WinrateGraph.jsx";
import { WorstMoves } from "../components/WorstMoves.jsx";
import { EXPLANATIONS } from "../lib/explanations.jsx";
import { useLine } from "../components/useLine.js";
import { review } from "../state/actions.js";
import { shownTurn, useStore } from "../state/store.js";

/** A whole game analysed in the background. */
export function Review() {
  const game = useStore((state) => state.game);
  const turn = useStore(shownTurn);
  const { line, show } = useLine();
  const judged = game?.review?.turns[turn];
  const hint = judged && game.moves[turn] ? { best: judged.best, played: game.moves[turn][1] } : null;
  return (
    <>
      <div class="board-side"><GameBoard still line={line} hint={hint} /></div>
      <div class="panel-side">
        <section class="card" aria-label="Game">
          <Players />
          <Status />
          {game && <Navigator />}
          <FileButtons withNew={false} />
        </section>
        <section class="card" aria-label="Review">
          <header class="card-head"><h2>Review</h2><Progress review={game?.review} /></header>
          {game ? (
            <>
              <WinrateGraph height={170} />
              <button class={game.review ? "" : "primary"} data-testid="review" disabled={!game.moves.length || running(game.review)} onClick={review}>
                {game.review && !running(game.review) ? "Review again" : "Review this game"}
              </button>
              <p class="explanation">
                {EXPLANATIONS.winrates} Dots are moves that lost much; on the board a pale stone is the move played next, and
                the ring what the search prefers.
              </p>
              <WorstMoves game={game} onLine={(path) => show(null, path)} />
            </>
          ) : (
            <p class="hint">Play or load a game; then every turn of it is analysed, and the moves that lost most are marked.</p>
          )}
        </section>
      </div>
    </>
  );
}

const running = (review) => Boolean(review) && review.done < review.total;

function Progress({ review }) {
  if (!review) return null;
  return running(review) ? (
    <label class="progress" data-testid="progress">
      <progress max={review.total} value={review.done} /> {review.done} of {review.total}
    </label>
  ) : (
    <span class="hint" data-testid="review-done">{review.total} turns analysed</span>
  );
}

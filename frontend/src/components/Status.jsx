import { resultWords } from "../lib/format.js";
import { colourName } from "../lib/vertex.js";
import { shownTurn, useStore } from "../state/store.js";

/** One line that says what is going on; it is read out when it changes. */
export function Status() {
  const game = useStore((state) => state.game);
  const notice = useStore((state) => state.notice);
  const connection = useStore((state) => state.connection);
  const turn = useStore(shownTurn);
  const atEnd = game && turn === game.moves.length;
  const over = game?.phase === "over";
  return (
    <div class={`status ${notice ? "notice" : ""} ${over ? "over" : ""}`} role="status" aria-live="polite">
      <span class={`dot ${game?.thinking && !notice ? "pulse" : ""}`} aria-hidden="true" />
      <span class="status-text" data-testid="status">{notice?.text ?? words(game, turn, connection, atEnd)}</span>
      <span class="result" data-testid="result">{over ? game.result : ""}</span>
    </div>
  );
}

function words(game, turn, connection, atEnd) {
  if (connection === "connecting") return "Connecting …";
  if (!game) return "Start a new game, or drop an SGF file here";
  if (!atEnd) return `Move ${turn} of ${game.moves.length}${lastMove(game, turn)}`;
  if (game.phase === "over") return resultWords(game.result);
  if (game.waiting) return game.waiting;
  if (game.phase === "scoring") {
    return game.score ? `Scoring: ${game.score.text}. Click chains that are dead or alive` : "Counting …";
  }
  const last = lastMove(game, turn);
  const mover = game.toPlay === "B" ? game.black : game.white;
  const other = game.toPlay === "B" ? game.white : game.black;
  if (mover.player !== "person") return `${colourName(game.toPlay)} thinks${last}`;
  return `${other.player === "person" ? `${colourName(game.toPlay)} to play` : `Your move, ${colourName(game.toPlay)}`}${last}`;
}

function lastMove(game, turn) {
  if (!turn) return "";
  const [colour, vertex] = game.moves[turn - 1];
  return vertex === "pass" ? ` · ${colourName(colour)} passed` : ` · ${colourName(colour)} played ${vertex}`;
}

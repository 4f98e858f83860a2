import { newGame, notify } from "../state/actions.js";
import { useStore } from "../state/store.js";
import { DEFAULT_GAME, request } from "./NewGame.jsx";

/** What a first visitor sees: two ways in with one click. */
export function Welcome() {
  const welcome = useStore((state) => state.welcome);
  const start = (part) => newGame(request({ ...DEFAULT_GAME, ...part }, welcome)).catch((error) => notify(error.message));
  return (
    <section class="card welcome">
      <h2>A board, an opponent, and a look inside</h2>
      <p>
        Montego plays Go by imagining thousands of games. Play against it at your own strength, and switch on the analysis
        to watch how it comes to its moves.
      </p>
      <div class="button-row">
        <button class="primary" data-testid="quick-start" disabled={!welcome} onClick={() => start({})}>A first game on 9×9</button>
        <button data-testid="quick-board" disabled={!welcome} onClick={() => start({ colour: "both", size: 19 })}>An empty board</button>
      </div>
    </section>
  );
}

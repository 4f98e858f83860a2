import { look, lookBy } from "../state/actions.js";
import { shownTurn, useStore } from "../state/store.js";
import { Icon } from "./Icon.jsx";

/** Through the game, back and forth. */
export function Navigator() {
  const total = useStore((state) => state.game?.moves.length ?? 0);
  const turn = useStore(shownTurn);
  const button = (name, label, to, disabled) => (
    <button class="icon-button" data-testid={`go-${name}`} aria-label={label} title={label} disabled={disabled} onClick={to}>
      <Icon name={name} />
    </button>
  );
  return (
    <div class="navigator" role="group" aria-label="Turns">
      {button("first", "First turn (Home)", () => look(0), turn === 0)}
      {button("back", "One turn back (←)", () => lookBy(-1), turn === 0)}
      <input
        type="range"
        min="0"
        max={total}
        value={turn}
        disabled={!total}
        data-testid="turn"
        aria-label="Turn"
        aria-valuetext={`turn ${turn} of ${total}`}
        onInput={(event) => look(Number(event.target.value))}
      />
      <output class="turn-number">{turn}<small>/{total}</small></output>
      {button("forward", "One turn on (→)", () => lookBy(1), turn === total)}
      {button("last", "Last turn (End)", () => look(total), turn === total)}
    </div>
  );
}

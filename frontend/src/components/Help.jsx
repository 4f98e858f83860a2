import { Dialogue } from "./Dialogue.jsx";

const KEYS = [
  ["↑ ↓ ← →", "move the cursor, while the board has the focus (b)"],
  ["Enter", "play at the cursor"],
  ["← →", "one turn back or on, while the board has not"],
  ["PageUp PageDown", "one turn back or on, always"],
  ["Home End", "first and last turn"],
  ["b", "put the cursor on the board"],
  ["p", "pass"],
  ["u", "undo"],
  ["a", "analysis on and off"],
  ["0 … 7", "heat maps"],
  ["n", "new game"],
  ["s", "save as SGF"],
  ["?", "this help"],
];

export function Help() {
  return (
    <Dialogue title="Keys" testid="help-dialogue">
      <dl class="keys">
        {KEYS.map(([key, words]) => (
          <div key={key + words}>
            <dt><kbd>{key}</kbd></dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">
        An SGF file dropped anywhere on the page is loaded. Hold the pointer over a candidate move to see how the search
        expects the game to go on.
      </p>
    </Dialogue>
  );
}

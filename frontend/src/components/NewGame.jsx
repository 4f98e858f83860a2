import { useState } from "preact/hooks";
import { newGame, set } from "../state/actions.js";
import { goTo, hashFor } from "../state/route.js";
import { change, state, useStore } from "../state/store.js";
import { ClockPicker, clockOf } from "./ClockPicker.jsx";
import { Dialogue } from "./Dialogue.jsx";
import { BY_RANK, PlayerPicker, specOf } from "./PlayerPicker.jsx";

export const DEFAULT_GAME = {
  size: 9,
  colour: "black",
  opponent: { kind: BY_RANK, rung: 0 },
  second: { kind: BY_RANK, rung: 6 },
  rules: "chinese",
  handicap: 0,
  komi: null,
  clock: { kind: "none", main: 10, periods: 3, period: 30 },
};

const COLOURS = [
  ["black", "Black"],
  ["white", "White"],
  ["random", "By lot"],
  ["both", "Two people at this board"],
  ["watch", "Watch two players"],
];

const usualKomi = ({ rules, handicap }) => (handicap ? 0.5 : /japanese|korean/.test(rules) ? 6.5 : 7.5);

/** The form as the message to the server. */
export function request(form, welcome) {
  const opponent = specOf(form.opponent, welcome);
  const colour = form.colour === "random" ? (Math.random() < 0.5 ? "black" : "white") : form.colour;
  const sides = {
    black: { black: "person", white: opponent },
    white: { black: opponent, white: "person" },
    both: { black: "person", white: "person" },
    watch: { black: opponent, white: specOf(form.second, welcome) },
  }[colour];
  const { size, rules, handicap } = form;
  return { size, rules, handicap, komi: form.komi ?? usualKomi(form), ...sides, clock: clockOf(form.clock) };
}

export function NewGame() {
  const welcome = useStore((now) => now.welcome);
  const [form, setForm] = useState({ ...DEFAULT_GAME, ...state.settings.newGame });
  const [error, setError] = useState("");
  const put = (part) => setForm({ ...form, ...part });
  const number = (name) => (event) => put({ [name]: Number(event.target.value) });

  const start = async (event) => {
    event.preventDefault();
    try {
      const { game } = await newGame(request(form, welcome));
      set({ newGame: { ...form, komi: null } });
      change({ dialogue: null });
      goTo(hashFor("play", game));
    } catch (problem) {
      setError(problem.message);
    }
  };

  return (
    <Dialogue title="New game" testid="new-game-dialogue">
      <form class="form" onSubmit={start}>
        <fieldset class="sizes">
          <legend>Board</legend>
          {[9, 13, 19].map((size) => (
            <button key={size} type="button" data-testid={`size-${size}`} aria-pressed={form.size === size} onClick={() => put({ size })}>
              {size}×{size}
            </button>
          ))}
          <label class="other-size">
            <span>Size</span>
            <input type="number" data-testid="size" min="5" max="19" required value={form.size} onInput={number("size")} />
          </label>
        </fieldset>
        <label class="field">
          <span>You play</span>
          <select data-testid="colour" value={form.colour} onChange={(event) => put({ colour: event.target.value })}>
            {COLOURS.map(([value, words]) => <option key={value} value={value}>{words}</option>)}
          </select>
        </label>
        {form.colour !== "both" && (
          <PlayerPicker label={form.colour === "watch" ? "Black" : "Opponent"} value={form.opponent} onChange={(opponent) => put({ opponent })} />
        )}
        {form.colour === "watch" && (
          <PlayerPicker label="White" suffix="-2" value={form.second} onChange={(second) => put({ second })} />
        )}
        <div class="field-row">
          <label class="field">
            <span>Rules</span>
            <select data-testid="rules" value={form.rules} onChange={(event) => put({ rules: event.target.value })}>
              {(welcome?.rules ?? [form.rules]).map((name) => <option key={name} value={name}>{name}</option>)}
            </select>
          </label>
          <label class="field">
            <span>Handicap</span>
            <select data-testid="handicap" value={form.handicap} onChange={number("handicap")}>
              {[0, 2, 3, 4, 5, 6, 7, 8, 9].map((stones) => <option key={stones} value={stones}>{stones || "none"}</option>)}
            </select>
          </label>
          <label class="field">
            <span>Komi</span>
            <input type="number" data-testid="komi" step="0.5" min="-150" max="150" required value={form.komi ?? usualKomi(form)} onInput={number("komi")} />
          </label>
        </div>
        <ClockPicker value={form.clock} onChange={(clock) => put({ clock })} />
        <p class="form-error" role="alert" data-testid="form-error">{error}</p>
        <button class="primary wide" type="submit" data-testid="start-game" disabled={!welcome}>Start</button>
      </form>
    </Dialogue>
  );
}

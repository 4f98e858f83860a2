import { useStore } from "../state/store.js";

/** Levels from the weakest to the strongest, full strength at the end. */
const rungs = (welcome) => [
  ...(welcome?.levels ?? []),
  { name: "house", summary: "house at full strength" },
];

export const BY_RANK = "by rank";

/** A preset, or a rank by slider. `value`: {kind, rung}. */
export function PlayerPicker({ label, value, onChange, suffix = "" }) {
  const welcome = useStore((state) => state.welcome);
  const levels = rungs(welcome);
  const rung = Math.min(value.rung, levels.length - 1);
  const level = levels[rung];
  const preset = welcome?.presets.find(({ name }) => name === value.kind);
  const words = level.name === "house" ? level.summary : [level.name, level.summary].filter(Boolean).join(": ");
  return (
    <fieldset class="picker">
      <label class="field">
        <span>{label}</span>
        <select data-testid={`opponent${suffix}`} value={value.kind} onChange={(event) => onChange({ ...value, kind: event.target.value })}>
          <option value={BY_RANK}>By rank</option>
          <optgroup label="Presets">
            {(welcome?.presets ?? []).map(({ name }) => <option key={name} value={name}>{name}</option>)}
          </optgroup>
        </select>
      </label>
      <div class="picker-words">
        {value.kind === BY_RANK ? (
          <label class="field">
            <span class="visually-hidden">Rank</span>
            <input
              type="range"
              data-testid={`level${suffix}`}
              min="0"
              max={levels.length - 1}
              value={rung}
              aria-valuetext={words}
              onInput={(event) => onChange({ ...value, rung: Number(event.target.value) })}
            />
            <output data-testid={`level-name${suffix}`}>{words}</output>
          </label>
        ) : (
          <p class="hint">{preset && <>{preset.summary} <cite>{preset.source}</cite></>}</p>
        )}
      </div>
    </fieldset>
  );
}

export const specOf = ({ kind, rung }, welcome) =>
  kind === BY_RANK ? rungs(welcome)[Math.min(rung, rungs(welcome).length - 1)].name : kind;

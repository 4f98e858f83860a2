import { compact } from "../lib/format.js";
import { set } from "../state/actions.js";
import { useStore } from "../state/store.js";

const VISITS = [0, 1000, 5000, 20_000, 100_000];

/** Who analyses, and for how long. */
export function AnalystPicker() {
  const { analyst, visits } = useStore((state) => state.settings);
  return (
    <div class="analyst">
      <PresetSelect label="Who analyses" testid="analyst" value={analyst} onChange={(player) => set({ analyst: player })} />
      <label class="field">
        <span>Simulations</span>
        <select data-testid="visits" value={visits} onChange={(event) => set({ visits: Number(event.target.value) })}>
          {VISITS.map((count) => <option key={count} value={count}>{count ? compact(count).replace(".0", "") : "no limit"}</option>)}
        </select>
      </label>
    </div>
  );
}

export function PresetSelect({ label, value, onChange, testid }) {
  const presets = useStore((state) => state.welcome?.presets) ?? [];
  const names = presets.map(({ name }) => name);
  const preset = presets.find(({ name }) => name === value);
  return (
    <label class="field" title={preset && `${preset.summary} (${preset.source})`}>
      <span>{label}</span>
      <select data-testid={testid} value={value} onChange={(event) => onChange(event.target.value)}>
        {(names.includes(value) ? names : [value, ...names]).map((name) => <option key={name} value={name}>{name}</option>)}
      </select>
    </label>
  );
}

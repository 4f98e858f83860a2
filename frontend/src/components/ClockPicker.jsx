const KINDS = [
  ["none", "Untimed"],
  ["blitz", "Fast: 2 min, then 3 × 10 s"],
  ["normal", "Calm: 10 min, then 5 × 30 s"],
  ["own", "Own …"],
];

const READY = {
  blitz: { main: 120, periods: 3, period: 10 },
  normal: { main: 600, periods: 5, period: 30 },
};

/** The form's clock as the server takes it: null, or seconds. */
export function clockOf({ kind, main, periods, period }) {
  if (kind === "none") return null;
  return READY[kind] ?? { main: Math.round(main * 60), periods, period };
}

export function ClockPicker({ value, onChange }) {
  const field = (name, words, min, max, step = 1) => (
    <label class="field">
      <span>{words}</span>
      <input
        type="number"
        data-testid={`clock-${name}`}
        min={min}
        max={max}
        step={step}
        required
        value={value[name]}
        onInput={(event) => onChange({ ...value, [name]: Number(event.target.value) })}
      />
    </label>
  );
  return (
    <>
      <label class="field">
        <span>Clock</span>
        <select data-testid="clock" value={value.kind} onChange={(event) => onChange({ ...value, kind: event.target.value })}>
          {KINDS.map(([kind, words]) => <option key={kind} value={kind}>{words}</option>)}
        </select>
      </label>
      {value.kind === "own" && (
        <div class="field-row">
          {field("main", "Minutes", 0, 600, 0.5)}
          {field("periods", "Periods", 0, 50)}
          {field("period", "Seconds each", 0, 600)}
        </div>
      )}
    </>
  );
}

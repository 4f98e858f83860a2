import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { resolvedTheme } from "../state/theme.js";
import { useStore } from "../state/store.js";
import { useWidth } from "./useWidth.js";

/**
 * A uPlot chart as wide as its place. `options` makes uPlot's options from the colours of the theme; it is asked again
 * when `key` or the theme changes. `onPick` gets the nearest index on the x axis.
 */
export function Chart({ height, data, options, version, label, onPick, testid }) {
  const theme = useStore((state) => resolvedTheme(state.settings.theme));
  const [box, width] = useWidth();
  const plot = useRef(null);
  const pick = useRef(onPick);
  pick.current = onPick;
  useEffect(() => {
    if (!width) return undefined;
    const made = options(colours(box.current));
    plot.current = new uPlot({ width, height, ...made }, data, box.current);
    return () => plot.current.destroy();
  }, [version, theme, width > 0]);
  useEffect(() => plot.current?.setData(data), [data]);
  useEffect(() => {
    if (width && plot.current) plot.current.setSize({ width, height });
  }, [width, height]);
  const onClick = () => {
    const index = plot.current?.cursor.idx;
    if (index != null) pick.current?.(index);
  };
  return <div ref={box} class={`chart ${onPick ? "pickable" : ""}`} style={{ height }} role="img" aria-label={label} data-testid={testid} onClick={onPick && onClick} />;
}

function colours(element) {
  const style = getComputedStyle(element);
  const colour = (name) => style.getPropertyValue(name).trim();
  return { ink: colour("--ink-soft"), line: colour("--line"), accent: colour("--accent"), warn: colour("--warn"), black: colour("--ink"), fill: colour("--accent-faint") };
}

/** A plain axis in the page's colours. */
export const axis = ({ ink, line }, more = {}) => ({
  stroke: ink,
  font: "11px system-ui, sans-serif",
  grid: { stroke: line, width: 1 },
  ticks: { show: false },
  gap: 4,
  ...more,
});

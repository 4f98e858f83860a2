import { useEffect, useState } from "preact/hooks";
import { clockTime } from "../lib/format.js";
import { colourName } from "../lib/vertex.js";
import { useStore } from "../state/store.js";

/** Time left, counted on between the server's messages. */
export function Clock({ colour }) {
  const { clock } = useStore((state) => state.game);
  const receivedAt = useStore((state) => state.receivedAt);
  const running = clock.running === colour;
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => setNow(performance.now()), 200);
    return () => clearInterval(timer);
  }, [running]);

  const gone = running ? Math.max(0, now - receivedAt) / 1000 : 0;
  const { main, periods, period } = clock[colour];
  const left = main > 0 ? main - gone : period - gone;
  const low = main <= gone && left < 10;
  return (
    <span class={`clock ${running ? "running" : ""} ${low ? "low" : ""}`} role="timer" aria-label={`${colourName(colour)}'s clock`} data-testid={`clock-${colour}`}>
      {clockTime(Math.max(0, left))}
      {periods > 0 && <small> {main > 0 ? `+ ${periods}` : `× ${periods}`}</small>}
    </span>
  );
}

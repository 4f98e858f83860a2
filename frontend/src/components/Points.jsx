import { useRef, useState } from "preact/hooks";
import { toPoint, toVertex } from "../lib/vertex.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * One button for each point. Arrows move the cursor, Enter or a click plays. On a board so small that a finger covers
 * several points, the first tap shows the stone and the second plays it.
 */
export function Points({ size, signMap, blocked, onPoint, onHover, hovered, tapTwice }) {
  const grid = useRef(null);
  const [cursor, setCursor] = useState(null);
  const home = cursor && toPoint(cursor, size) ? cursor : toVertex([size >> 1, size >> 1], size);
  const vertexOf = (event) => event.target.closest?.("[data-vertex]")?.dataset.vertex;

  const onKeyDown = (event) => {
    const by = STEPS[event.key];
    if (!by || event.ctrlKey || event.altKey || event.metaKey) return;
    const [x, y] = toPoint(vertexOf(event) ?? home, size);
    const next = [x + by[0], y + by[1]].map((at) => Math.min(size - 1, Math.max(0, at)));
    event.preventDefault();
    event.stopPropagation();
    setCursor(toVertex(next, size));
    grid.current.querySelector(`[data-vertex="${toVertex(next, size)}"]`).focus();
  };

  const onClick = (event) => {
    const vertex = vertexOf(event);
    if (!vertex) return;
    setCursor(vertex);
    if (event.pointerType === "touch" && tapTwice && hovered !== vertex) onHover(vertex, true);
    else onPoint(vertex);
  };

  const enter = (event) => event.pointerType !== "touch" && onHover(vertexOf(event) ?? null);

  return (
    <div
      ref={grid}
      class="points"
      role="grid"
      aria-label="Points of the board: arrow keys move, Enter plays"
      style={{ gridTemplate: `repeat(${size}, 1em) / repeat(${size}, 1em)` }}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onPointerOver={enter}
      onPointerLeave={(event) => event.pointerType !== "touch" && onHover(null)}
      onFocusIn={(event) => event.target.matches(":focus-visible") && onHover(vertexOf(event))}
      onFocusOut={() => onHover(null)}
    >
      {signMap.map((row, y) => (
        <div role="row" class="points-row" key={y}>
          {row.map((sign, x) => {
            const vertex = toVertex([x, y], size);
            return (
              <button
                key={vertex}
                type="button"
                role="gridcell"
                class="point"
                data-testid={`point-${vertex}`}
                data-vertex={vertex}
                data-stone={sign === 1 ? "B" : sign === -1 ? "W" : ""}
                aria-label={`${vertex}, ${sign === 1 ? "black" : sign === -1 ? "white" : "empty"}`}
                aria-disabled={blocked(vertex, sign)}
                tabIndex={vertex === home ? 0 : -1}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

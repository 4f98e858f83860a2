import { Goban } from "@sabaki/shudan";
import { useEffect, useMemo } from "preact/hooks";
import { isLight } from "../lib/scales.js";
import { toPoint } from "../lib/vertex.js";
import { Points } from "./Points.jsx";
import { useWidth } from "./useWidth.js";

const EDGE = 0.8;

export const NARROW = 27;

/** The board: Shudan draws it, and a grid of buttons over it takes clicks, keys and the screen reader's cursor. */
export function Board({ label, signMap, heat, markers, ghosts, paint, dimmed = [], best, points, onVertexSize }) {
  const size = signMap.length;
  const [box, width] = useWidth();
  const vertexSize = Math.max(8, Math.floor(width / (size + 2 * EDGE)));
  const colours = useMemo(() => heatColours(heat?.palette), [heat?.palette]);
  useEffect(() => onVertexSize?.(vertexSize), [vertexSize]);
  return (
    <div class="board-box" ref={box} role="group" aria-label={label} data-testid="board" data-size={size}>
      {width > 0 && (
        <div class="board" style={{ fontSize: `${vertexSize}px`, "--edge": `${EDGE}em` }}>
          <Goban
            class={heat ? (heat.round ? "heat-round" : "heat-square") : ""}
            innerProps={{ "aria-hidden": "true" }}
            style={{ gridTemplateRows: `${EDGE}em 1fr ${EDGE}em`, gridTemplateColumns: `${EDGE}em 1fr ${EDGE}em`, ...colours }}
            vertexSize={vertexSize}
            showCoordinates
            signMap={signMap}
            heatMap={heat?.map}
            markerMap={markers}
            ghostStoneMap={ghosts}
            paintMap={paint}
            dimmedVertices={dimmed.map((vertex) => toPoint(vertex, size))}
            selectedVertices={best && toPoint(best, size) ? [toPoint(best, size)] : []}
          />
          {points && <Points size={size} {...points} />}
        </div>
      )}
    </div>
  );
}

function heatColours(palette) {
  if (!palette) return {};
  return Object.fromEntries(
    palette.flatMap((colour, i) => [
      [`--heat-${i + 1}`, colour],
      [`--heat-ink-${i + 1}`, isLight(colour) ? "#14161a" : "#ffffff"],
    ]),
  );
}

import { useMemo, useState } from "preact/hooks";
import { heatOf } from "../lib/heat.js";
import { positionAt, whyIllegal, withLine } from "../lib/replay.js";
import { emptyMap, signOf, toPoint } from "../lib/vertex.js";
import { notify, passOver, play, toggleDead } from "../state/actions.js";
import { shownTurn, useStore } from "../state/store.js";
import { Board, NARROW } from "./Board.jsx";
import { usePerspective } from "./usePerspective.js";

const NOTHING = { size: 9, stones: { B: [], W: [] }, moves: [], first: "B", toPlay: "B", dead: [], illegal: [] };

/**
 * The game's board at the turn looked at, with what an analysis says about it. `line`: a variation to show instead.
 * `hint`: {best, played}, the better move of a review and the one that was played. `still`: nothing can be played.
 */
export function GameBoard({ analysis, line, hint, onCandidate, still = false }) {
  const game = useStore((state) => state.game) ?? NOTHING;
  const turn = useStore(shownTurn);
  const heatId = useStore((state) => state.settings.heat);
  const [hovered, setHovered] = useState(null);
  const [vertexSize, setVertexSize] = useState(30);
  const position = useMemo(() => positionAt(game, turn), [game, turn]);
  const colour = usePerspective(position.toPlay);
  const { size } = game;
  const atEnd = turn === game.moves.length;
  const scoring = atEnd && (game.phase === "scoring" || (game.phase === "over" && game.owner));
  const myTurn = !still && atEnd && game.phase === "play" && game[game.toPlay === "B" ? "black" : "white"].player === "person";
  const reply = analysis?.turn === turn && analysis.game === game.game ? analysis.reply : null;

  const shownLine = line ?? [];
  const drawn = useMemo(() => withLine(position, shownLine), [position, shownLine.join()]);
  const heat = useMemo(
    () => (reply && !shownLine.length ? heatOf(heatId, { reply, size, colour, narrow: vertexSize < NARROW }) : null),
    [reply, heatId, size, colour, shownLine.length, vertexSize < NARROW],
  );
  const illegal = useMemo(() => new Set(game.illegal), [game]);
  const best = heat && heatId !== "ownership" ? reply.moveInfos.find((info) => info.order === 0)?.move : hint?.best;

  const onHover = (vertex, tapped) => {
    setHovered(vertex);
    onCandidate?.(vertex && reply?.moveInfos.some((info) => info.move === vertex && info.visits > 0) ? vertex : null);
    const reason = vertex && myTurn && illegal.has(vertex) ? whyIllegal(game, position, vertex) : null;
    if (reason) notify(reason, true);
    else if (tapped && myTurn) notify(`Tap again to play ${vertex}`, true);
    else passOver();
  };

  const onPoint = (vertex) => {
    const point = toPoint(vertex, size);
    if (still || !game.game) return;
    if (atEnd && game.phase === "scoring") {
      if (position.board.get(point)) toggleDead(vertex);
    } else if (game.phase === "play" && !atEnd) notify("This is an earlier turn: go to the last one to play", true);
    else if (myTurn && illegal.has(vertex)) notify(whyIllegal(game, position, vertex), true);
    else if (myTurn && !position.board.get(point)) play(vertex);
    setHovered(null);
  };

  const blocked = (vertex, sign) => {
    if (scoring) return game.phase !== "scoring" || sign === 0;
    return !myTurn || sign !== 0 || illegal.has(vertex);
  };

  const markers = markerMap({ game, position, atEnd, drawn, scoring });
  const ghosts = emptyMap(size);
  const pale = hovered && myTurn && !illegal.has(hovered) ? hovered : hint?.played;
  if (pale && !shownLine.length) {
    const [x, y] = toPoint(pale, size) ?? [-1, -1];
    if (ghosts[y] && !position.board.get([x, y])) ghosts[y][x] = { sign: signOf(position.toPlay) };
  }

  return (
    <Board
      label={`Go board, ${size} by ${size}, after move ${turn}`}
      signMap={drawn.board.signMap}
      heat={heat}
      best={shownLine.length ? null : best}
      markers={markers}
      ghosts={ghosts}
      paint={scoring ? territory(game, position) : undefined}
      dimmed={scoring ? game.dead : []}
      onVertexSize={setVertexSize}
      points={{ signMap: position.board.signMap, blocked, onPoint, onHover, hovered, tapTwice: myTurn && vertexSize < NARROW }}
    />
  );
}

function markerMap({ game, position, atEnd, drawn, scoring }) {
  const map = emptyMap(game.size);
  const put = (vertex, marker) => {
    const point = vertex && toPoint(vertex, game.size);
    if (point) map[point[1]][point[0]] = marker;
  };
  if (atEnd && game.ko && !scoring) put(game.ko, { type: "square" });
  put(position.last, { type: "circle" });
  for (const [vertex, number] of drawn.numbers) put(vertex, { type: "label", label: String(number) });
  return map;
}

/** Territory as marks on empty points and dead stones; living stones speak for themselves. */
function territory(game, position) {
  const dead = new Set(game.dead.map((vertex) => toPoint(vertex, game.size).join()));
  return position.board.signMap.map((row, y) =>
    row.map((sign, x) => (sign && !dead.has([x, y].join()) ? 0 : Math.round(game.owner?.[y * game.size + x] ?? 0))),
  );
}

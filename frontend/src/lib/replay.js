import GoBoard from "@sabaki/go-board";
import { otherColour, signOf, toPoint } from "./vertex.js";

function start(game) {
  const board = GoBoard.fromDimensions(game.size);
  for (const colour of ["B", "W"]) {
    for (const vertex of game.stones[colour]) board.set(toPoint(vertex, game.size), signOf(colour));
  }
  return board;
}

const play = (board, colour, vertex) => {
  const point = toPoint(vertex, board.width);
  return point ? board.makeMove(signOf(colour), point) : board;
};

/** The position after `turn` moves: {board, toPlay, last, captures}. */
export function positionAt(game, turn) {
  const moves = game.moves.slice(0, turn);
  const board = moves.reduce((now, [colour, vertex]) => play(now, colour, vertex), start(game));
  return {
    board,
    toPlay: colourToPlay(game, turn),
    last: moves.length ? moves[moves.length - 1][1] : null,
    captures: { B: board.getCaptures(1), W: board.getCaptures(-1) },
  };
}

export function colourToPlay(game, turn) {
  if (turn >= game.moves.length) return game.toPlay;
  return game.moves[turn]?.[0] ?? game.first;
}

/** A line of moves put on a position: the board after it and the number of the move at each point. */
export function withLine(position, line) {
  let { board, toPlay } = position;
  const numbers = new Map();
  line.forEach((vertex, i) => {
    const before = board;
    board = play(board, toPlay, vertex);
    toPlay = otherColour(toPlay);
    if (board !== before && !numbers.has(vertex)) numbers.set(vertex, i + 1);
  });
  return { board, numbers };
}

/** Why the side to play may not play at a vertex that the server calls illegal. */
export function whyIllegal(game, position, vertex) {
  if (vertex === game.ko) return `${vertex} takes back the ko: play elsewhere first`;
  const point = toPoint(vertex, game.size);
  if (position.board.analyzeMove(signOf(game.toPlay), point).suicide) {
    return `${vertex} is suicide: the stone would have no liberty`;
  }
  return `${vertex} would repeat an earlier position`;
}

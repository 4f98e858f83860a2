import assert from "node:assert/strict";
import { test } from "node:test";
import { candidates, heatOf } from "../src/lib/heat.js";
import { positionAt, whyIllegal, withLine } from "../src/lib/replay.js";
import { toPoint, toVertex } from "../src/lib/vertex.js";

const KO = ["B3", "D4", "C4", "D2", "C2", "E3", "A1", "C3", "D3"];
const game = {
  size: 5,
  stones: { B: [], W: [] },
  first: "B",
  moves: KO.map((vertex, i) => [i % 2 ? "W" : "B", vertex]),
  toPlay: "W",
  ko: "C3",
};

test("vertices have no I and count from the bottom", () => {
  assert.deepEqual(toPoint("A1", 9), [0, 8]);
  assert.deepEqual(toPoint("J9", 9), [8, 0]);
  assert.equal(toPoint("pass", 9), null);
  assert.equal(toPoint("K9", 9), null);
  assert.equal(toVertex([8, 0], 9), "J9");
});

test("replaying takes prisoners", () => {
  assert.deepEqual(positionAt(game, 8).captures, { B: 0, W: 0 });
  const end = positionAt(game, 9);
  assert.deepEqual(end.captures, { B: 1, W: 0 });
  assert.equal(end.board.get(toPoint("C3", 5)), 0);
  assert.equal(positionAt(game, 3).toPlay, "W");
});

test("an illegal point has a reason", () => {
  assert.match(whyIllegal(game, positionAt(game, 9), "C3"), /ko/);
});

test("a line is numbered and passes are not", () => {
  const { board, numbers } = withLine(positionAt(game, 9), ["A5", "pass", "B5"]);
  assert.deepEqual([...numbers], [["A5", 1], ["B5", 3]]);
  assert.equal(board.get(toPoint("B5", 5)), -1);
});

test("heat maps lie on the points of their moves", () => {
  const info = (move, order, visits, more) => ({ move, order, visits, winrate: 0.5, ...more });
  const reply = {
    rootInfo: { visits: 110, winrate: 0.5 },
    moveInfos: [info("A1", 0, 100, { beta: 0.1 }), info("B2", 1, 10, { beta: 0.9 }), info("C3", 2, 0, { beta: 1 }), info("pass", 3, 5, {})],
    ownership: Array(25).fill(-1),
  };
  assert.deepEqual(candidates(reply).map(({ move }) => move), ["A1", "B2", "pass"]);
  const drawn = (id) => heatOf(id, { reply, size: 5, colour: "B" })?.map;
  assert.equal(drawn("visits")[4][0].strength, 9);
  assert.equal(drawn("visits")[2][2], null);
  assert.deepEqual(drawn("beta")[2][2], { strength: 9, text: "1" });
  assert.deepEqual(drawn("ownership")[0][0], { strength: 1, text: "" });
  assert.equal(drawn("q"), undefined);
});

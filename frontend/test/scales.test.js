import assert from "node:assert/strict";
import { test } from "node:test";
import { CANDIDATES, DIVERGING, SEQUENTIAL, isLight, step, stepAround } from "../src/lib/scales.js";

test("every scale has a colour for each of the nine steps", () => {
  for (const scale of [CANDIDATES, DIVERGING, SEQUENTIAL]) {
    assert.equal(new Set(scale).size, 9);
    for (const colour of scale) assert.match(colour, /^#[0-9a-f]{6}$/);
  }
});

test("steps reach from one to nine and no further", () => {
  assert.deepEqual([-1, 0, 0.5, 0.999, 1, 7].map(step), [1, 1, 5, 9, 9, 9]);
  assert.deepEqual([0.2, 0.45, 0.5, 0.55, 0.8].map((value) => stepAround(value, 0.5, 0.3)), [1, 4, 5, 6, 9]);
});

test("the sequential scale grows lighter, so that it is read without colours", () => {
  const light = SEQUENTIAL.map((hex) => [1, 3, 5].reduce((sum, at, i) => sum + [0.299, 0.587, 0.114][i] * parseInt(hex.slice(at, at + 2), 16), 0));
  assert.deepEqual(light, [...light].sort((a, b) => a - b));
  assert.equal(isLight(SEQUENTIAL[0]), false);
  assert.equal(isLight(SEQUENTIAL[8]), true);
});

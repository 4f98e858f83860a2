import assert from "node:assert/strict";
import { test } from "node:test";
import { clockTime, compact, percent, resultWords, seenBy, signed } from "../src/lib/format.js";

test("numbers stay short", () => {
  assert.deepEqual([0, 999, 1000, 9949, 12_345, 999_499, 999_500, 2_500_000].map(compact), [
    "0", "999", "1.0k", "9.9k", "12k", "999k", "1.0M", "2.5M",
  ]);
  assert.equal(percent(0.5), "50.0 %");
  assert.equal(percent(null), "–");
});

test("a sign is written, but not on zero", () => {
  assert.deepEqual([1.25, -1.25, 0.01, -0.01, null].map((value) => signed(value)), ["+1.3", "−1.3", "0.0", "0.0", "–"]);
});

test("clocks", () => {
  assert.deepEqual([0, 9.94, 10, 65, 3725].map(clockTime), ["0:00.0", "0:09.9", "0:10", "1:05", "1:02:05"]);
});

test("results in words", () => {
  assert.equal(resultWords("B+3.5"), "Black wins by 3.5 points");
  assert.equal(resultWords("W+R"), "White wins by resignation");
  assert.equal(resultWords("W+T"), "White wins on time");
  assert.equal(resultWords("0"), "A draw");
  assert.equal(resultWords("Void"), "Void");
});

test("win rates are turned for White", () => {
  assert.equal(seenBy(0.25, "B"), 0.25);
  assert.equal(seenBy(0.25, "W"), 0.75);
  assert.equal(seenBy(null, "W"), null);
});
